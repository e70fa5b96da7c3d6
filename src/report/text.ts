/* Renders the summary as text: the most important figures on one screen, or all of them. */

import type { Column } from '../query/query.ts';
import { figure, money, scoreInColumn, scoreText } from '../terminal/figure.ts';
import { count, plural } from '../terminal/format.ts';
import {
  amount,
  cellText,
  type Detail,
  type Fact,
  plain,
  renderSections,
  type Section,
  tableSection,
  text,
} from '../terminal/section.ts';
import type { View } from '../terminal/style.ts';
import type { Change, Sum, YearSummary } from './emissions.ts';
import {
  changeColumns,
  commitmentNames,
  emissionsNotes,
  gapNames,
  nameOf,
  notesOf,
  partsOf,
  progressText,
  scope3Note,
  scopeNames,
  unitText,
  valueLabel,
} from './labels.ts';
import type { Tally } from './spread.ts';
import type { Commitment, Emitter, Summary } from './summary.ts';

const shownYears = 3;
const shownEmitters = 5;

/**
 * Renders a summary for a terminal of 40 columns or more, or as plain lines `label: value`.
 * @param isFull whether to show every figure instead of one screen
 */
export function renderSummary(summary: Summary, view: View, isFull = false): Promise<string> {
  const { emissions, largest_emitters: emitters } = summary;
  const sections = isFull
    ? [
        portfolio(summary, undefined, scoreFact(summary, true), ...dataFacts(summary)),
        commitments(summary),
        years(summary, emissions.years),
        changes(emissions.changes),
        largest(emitters),
        targets(summary),
        findings(summary),
        revenue(summary),
      ]
    : [
        portfolio(
          summary,
          'more with --full',
          scoreFact(summary),
          ...emissions.changes.slice(0, 1).map(changeFact),
          ...commitmentFacts(summary, 'sbti_near_term'),
          ...dataFacts(summary),
        ),
        years(summary, emissions.years.slice(0, shownYears)),
        largest(emitters.slice(0, shownEmitters)),
      ];
  const notes = [
    ...notesOf(summary),
    ...(isFull ? [...emissionsNotes(emissions), scope3Note] : []),
  ];
  return renderSections(sections, notes, view);
}

function portfolio(
  { organizations, research }: Summary,
  note: string | undefined,
  ...facts: readonly Fact[]
): Section {
  const { finished, in_progress, errored } = research;
  const details: Detail[] = [
    ['', organizations],
    tallied('finished', finished),
    tallied('in progress', in_progress),
    tallied('failed', errored),
  ];
  return { name: 'portfolio', note, facts: [{ label: 'organizations', details }, ...facts] };
}

/* A number of organizations or findings: 93 finished, in a pipe finished 93. */
function tallied(
  name: string,
  number: number,
  rounded = `${count.format(number)} ${name}`,
): Detail {
  return number === 0 ? [name, undefined] : ['', { plain: `${name} ${number}`, rounded }];
}

function organizationsDetail(number: number): Detail {
  return tallied('organizations', number, plural(number, 'organization'));
}

function scoreFact({ score }: Summary, isFull = false): Fact {
  const shown = (value: number | null) => (value === null ? undefined : scoreText(value));
  const quartiles = [score.lower_quartile, score.upper_quartile]
    .map((value) => (value === null ? '–' : scoreInColumn(value)))
    .join(' to ');
  if (score.organizations === 0) return { label: 'score', details: [] };
  const extremes: readonly Detail[] = [
    ['mean', shown(score.mean)],
    ['lowest', shown(score.min)],
    ['highest', shown(score.max)],
  ];
  const details: readonly Detail[] = [
    ['median', shown(score.median)],
    ['quartiles', quartiles],
    ...(isFull ? extremes : []),
    organizationsDetail(score.organizations),
    tallied('not from 0 to 100', score.out_of_range),
  ];
  return { label: 'score', details };
}

function commitmentFacts({ commitments: tallies }: Summary, only?: Commitment): Fact[] {
  return commitmentNames
    .filter(([key]) => only === undefined || key === only)
    .map(([key, label]) => ({
      label,
      details: partsOf(tallies[key]).map((part) => tallied(part.value, part.organizations)),
    }));
}

function changeFact(change: Change): Fact {
  const details = changeColumns.map((column): Detail => {
    const { name, value } = column;
    if (name === 'organizations') return organizationsDetail(change.organizations);
    const rounded = value(change) === null ? '' : cellText(column, change);
    return [name, { plain: plain(value(change)) ?? '', rounded }];
  });
  return { label: `scope 1 + 2 since ${change.from}`, details };
}

function commitments(summary: Summary): Section {
  const { organizations, industry_rank, region_rank } = summary;
  const rank = (label: string, { counts, missing }: Tally): Fact => {
    const known = Object.entries(counts).map(([value, number]) =>
      tallied(valueLabel(value), number),
    );
    return {
      label,
      details: missing < organizations ? [...known, tallied('no data', missing)] : [],
    };
  };
  return {
    name: 'ranks and commitments',
    note: `of ${plural(organizations, 'organization')}`,
    facts: [
      rank('industry rank', industry_rank),
      rank('region rank', region_rank),
      ...commitmentFacts(summary),
    ],
  };
}

/* Each sum with the number of organizations behind it. */
function sumColumn(field: (typeof scopeNames)[number][0], title: string): Column<YearSummary> {
  const sum = (show: (value: number) => string | null) => (year: YearSummary) => {
    const { sum: value, organizations }: Sum = year[field];
    return value === null ? null : `${show(value)} (${plain(organizations)})`;
  };
  const shown = sum((value) => figure(value).compact);
  const name = title.toLowerCase();
  return {
    name,
    title,
    description: '',
    type: 'number',
    value: sum(plain),
    text: (year) => shown(year) ?? '',
  };
}

function years({ emissions }: Summary, rows: readonly YearSummary[]): Section {
  return tableSection({
    title: 'Emissions',
    note: `${unitText(emissions)} · (number of organizations)`,
    head: 'Year',
    label: ({ year, partial }) => `${year}${partial ? ' partial' : ''}`,
    columns: [
      ...scopeNames.map(([field, title]) => sumColumn(field, title)),
      amount<YearSummary>(
        'scope 3 median',
        'Scope 3 median',
        ({ scope_3 }) => scope_3.median,
        'compact',
      ),
    ],
    rows,
  });
}

function changes(rows: readonly Change[]): Section {
  return tableSection({
    title: 'Change of scope 1 + 2',
    note: 'like for like: organizations, regions, methods and scopes of both years',
    prefix: 'change',
    head: 'Years',
    label: ({ from, to }) => `${from} to ${to}`,
    columns: changeColumns,
    rows,
  });
}

function largest(rows: readonly Emitter[]): Section {
  return tableSection({
    title: 'Largest emitters',
    note: 'scope 1 + 2 of the latest year that has both',
    prefix: 'largest emitter',
    head: 'Organization',
    label: nameOf,
    isNumbered: true,
    columns: [
      amount<Emitter>('scope 1 + 2', 'Scope 1 + 2', (row) => row.scope_1_and_2, 'compact'),
      text<Emitter>('year', 'Year', ({ year }) => String(year)),
      text<Emitter>('id', 'ID', ({ id }) => (id === null ? null : String(id))),
    ],
    rows,
  });
}

function targets({
  largest_emitters: emitters,
  targets: { quoted, with_progress },
}: Summary): Section {
  const stated = emitters.flatMap(({ target, ...emitter }) => (target ? { target, emitter } : []));
  return {
    name: 'targets of the largest emitters',
    note: `${plain(with_progress)} of ${plural(quoted, 'quoted target')} with progress`,
    prefix: 'target',
    facts: stated.map(({ target, emitter }, index) => {
      const progress = progressText(target);
      const details: Detail[] = [
        ['', nameOf(emitter)],
        ['', `“${target.text}”`],
        ['', progress && { rounded: progress, plain: progress.replaceAll('−', '-') }],
      ];
      return { label: String(index + 1), details };
    }),
  };
}

function dataFacts({ checks, gaps }: Summary): Fact[] {
  const { error, warning, notice } = checks;
  const counts = [
    tallied('errors', error, plural(error, 'error')),
    tallied('warnings', warning, plural(warning, 'warning')),
    tallied('notices', notice, plural(notice, 'notice')),
  ];
  return [
    {
      label: 'gaps',
      details: gapNames.map(([key, name]) =>
        tallied(name, gaps[key], `${count.format(gaps[key])} with ${name}`),
      ),
    },
    { label: 'carbon check', details: counts },
  ];
}

function findings({ checks: { worst } }: Summary): Section {
  return {
    name: 'most serious findings',
    prefix: 'check',
    facts: worst.map((finding) => ({
      label: valueLabel(finding.rule),
      details: [
        ['', nameOf(finding)],
        ['', [finding.year, finding.evidence].filter((part) => part !== null).join(': ')],
      ],
    })),
  };
}

function revenue({ revenue: sums }: Summary): Section {
  return {
    name: 'revenue',
    note: 'latest year of each organization, by currency',
    prefix: 'revenue',
    facts: sums.map(({ currency, organizations, revenue: sum }) => ({
      label: currency ?? 'no currency',
      details: [
        ['', sum === null ? 'no data' : money(sum, currency ?? undefined)],
        organizationsDetail(organizations),
      ],
    })),
  };
}
