/*
 * Renders the summary as text. Each part is a section of facts, so that a pipe shows the same facts
 * as a terminal, which adds bars and tables.
 */
import { type BarRow, renderBar, renderBars } from '../terminal/bar.ts';
import { renderFrame } from '../terminal/columns.ts';
import { type Figure, figure, money, scoreText } from '../terminal/figure.ts';
import { percentText, plural } from '../terminal/format.ts';
import { sanitize } from '../terminal/sanitize.ts';
import {
  type Detail,
  type Fact,
  factLines,
  indent,
  renderSections,
  type Section,
} from '../terminal/section.ts';
import { type Style, scoreTone, type Tone, type View } from '../terminal/style.ts';
import { capital, wrap } from '../terminal/text.ts';
import type { Sum, YearSummary } from './emissions.ts';
import {
  type CellColumn,
  changeColumns,
  changeText,
  commitmentNames,
  emissionsNotes,
  gapNames,
  industryRankMeaning,
  leftOutText,
  notesOf,
  partsOf,
  progressText,
  scope3Note,
  unitText,
  valueLabel,
} from './labels.ts';
import type { Tally } from './spread.ts';
import type { Summary } from './summary.ts';

/** Renders a summary for a terminal of 40 columns or more, or as plain lines `label: value`. */
export function renderSummary(summary: Summary, view: View): string {
  const { organizations } = summary;
  const known = ({ missing }: Tally) =>
    `${many(organizations - missing)} of ${many(organizations)}`;
  const sections = [
    research(summary),
    scores(summary),
    ranked('industry rank', industryRankMeaning, summary.industry_rank, organizations),
    ranked('region rank', known(summary.region_rank), summary.region_rank, organizations),
    commitments(summary),
    emissions(summary),
    changes(summary),
    largest(summary),
    targets(summary),
    checks(summary),
    revenue(summary),
    gaps(summary),
  ];
  return renderSections(sections, notesOf(summary), view);
}

const many = (count: number) => figure(count).exact;

type CountRow = readonly [label: string, organizations: number, tone?: Tone];

/*
 * Counts of organizations: bars of their share on a terminal, one line of those above 0 in a pipe.
 */
function counted(
  section: Omit<Section, 'facts'>,
  rows: readonly CountRow[],
  total: number,
): Section {
  const bars = (style: Style) =>
    rows.map(
      ([label, organizations, tone]): BarRow => ({
        label: capital(label),
        figures: [many(organizations), percentText(organizations, total)],
        bar: (columns) => renderBar(total > 0 ? organizations / total : 0, columns, style, tone),
      }),
    );
  const details = rows.flatMap(([label, organizations]): Detail[] =>
    organizations > 0 ? [[label, organizations]] : [],
  );
  return {
    ...section,
    facts: details.length > 0 ? [{ label: section.name, details }] : [],
    renderTerminal: (columns, style) => renderBars(bars(style), columns, style),
  };
}

function research({
  organizations,
  research: { finished, in_progress, errored },
}: Summary): Section {
  const section = counted(
    { name: 'research', note: plural(organizations, 'organization') },
    [
      ['finished', finished, 'green'],
      ['in progress', in_progress, 'yellow'],
      ['failed', errored, 'red'],
    ],
    organizations,
  );
  const facts = [{ label: 'organizations', details: [['', organizations]] as const }];
  return { ...section, facts: [...facts, ...section.facts] };
}

function scores({ score, organizations }: Summary): Section {
  const max = Math.max(1, ...score.histogram.map((bin) => bin.organizations));
  const text = (value: number | null) => (value === null ? undefined : scoreText(value));
  const texts = [
    ['median', text(score.median)],
    ['lower quartile', text(score.lower_quartile)],
    ['upper quartile', text(score.upper_quartile)],
    ['mean', text(score.mean)],
    ['lowest', text(score.min)],
    ['highest', text(score.max)],
  ] as const;
  const bars = (style: Style) =>
    score.histogram.map(
      ({ organizations: count, from, to }): BarRow => ({
        label: `${from * 100} to ${Math.round(to * 100)}`,
        figures: [many(count)],
        bar: (columns) => renderBar(count / max, columns, style, scoreTone((from + to) / 2)),
      }),
    );
  const outside: Detail = ['not from 0 to 100', score.out_of_range || undefined];
  const details: Detail[] = [...texts, ['organizations', score.organizations], outside];
  return {
    name: 'score',
    note: `0 is worst, 100 is best · ${many(score.organizations)} of ${plural(organizations, 'organization')}`,
    facts: score.organizations > 0 ? [{ label: 'score', details }] : [],
    renderTerminal: (columns, style) => [
      ...wrap(texts.map((pair) => pair.join(' ')).join(' · '), columns - 2).map(indent),
      ...renderBars(bars(style), columns, style),
    ],
  };
}

function ranked(
  name: string,
  note: string,
  { counts, missing }: Tally,
  organizations: number,
): Section {
  const rows = Object.entries(counts).map(([rank, count]) => [valueLabel(rank), count] as const);
  const isKnown = missing < organizations;
  return counted(
    { name, note },
    isKnown ? [...rows, ['no data', missing, 'dim']] : [],
    organizations,
  );
}

function commitments({ commitments: tallies, organizations }: Summary): Section {
  return {
    name: 'reporting and commitments',
    note: `of ${plural(organizations, 'organization')}`,
    facts: commitmentNames.map(([key, label]) => ({
      label,
      details: partsOf(tallies[key]).map((part) => [sanitize(part.value), part.organizations]),
    })),
  };
}

const sumText = ({ sum, organizations }: Sum) =>
  sum === null ? '–' : `${figure(sum).compact} (${many(organizations)})`;

function emissions({ emissions: all }: Summary): Section {
  const { organizations, years } = all;
  const columns: readonly CellColumn<YearSummary>[] = [
    { title: 'Year', cell: ({ year, partial }) => `${year}${partial ? ' partial' : ''}` },
    { title: 'Scope 1', align: 'right', cell: ({ scope_1 }) => sumText(scope_1) },
    { title: 'Scope 1 + 2', align: 'right', cell: ({ scope_1_and_2 }) => sumText(scope_1_and_2) },
    { title: 'Scope 3 median', align: 'right', cell: ({ scope_3 }) => medianText(scope_3) },
    {
      title: 'Quartiles',
      align: 'right',
      wraps: true,
      cell: ({ scope_3 }) => quartilesText(scope_3),
    },
  ];
  return {
    name: 'emissions',
    note: `${unitText(all)} · ${plural(organizations, 'organization discloses', 'organizations disclose')} any`,
    facts: years.map((year) => yearFact(year, organizations)),
    renderTerminal: (width, style) => [
      ...tableLines(columns, years, width, style),
      ...[
        'In parentheses: the number of organizations behind a figure.',
        scope3Note,
        ...emissionsNotes(all),
      ]
        .flatMap((note) => wrap(note, width - 2))
        .map((line) => indent(style.dim(line))),
    ],
  };
}

function tableLines<Row>(
  columns: readonly CellColumn<Row>[],
  rows: readonly Row[],
  width: number,
  style: Style,
): string[] {
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  return renderFrame(columns, cells, style, width - 2).map(indent);
}

function yearFact(year: YearSummary, organizations: number): Fact {
  const { scope_1, scope_1_and_2, scope_3 } = year;
  const sum = (name: string, { sum: value, organizations: count, sum_of_parts }: Sum): Detail[] =>
    value === null
      ? []
      : [
          [name, figure(value)],
          [`${name} organizations`, count === year.organizations ? undefined : count],
          [`${name} summed from parts`, sum_of_parts || undefined],
        ];
  return {
    label: `emissions ${year.year}`,
    details: [
      ['organizations', year.organizations],
      ['of', year.partial ? organizations : undefined],
      ...sum('scope 1', scope_1),
      ...sum('scope 1 + 2', scope_1_and_2),
      ['scope 3 median', scope_3.median === null ? undefined : figure(scope_3.median)],
      [
        'scope 3 organizations',
        [0, year.organizations].includes(scope_3.organizations) ? undefined : scope_3.organizations,
      ],
    ],
  };
}

function medianText({ median, organizations }: YearSummary['scope_3']): string {
  return median === null ? '–' : `${figure(median).compact} (${many(organizations)})`;
}

function quartilesText({ lower_quartile: lower, upper_quartile: upper }: YearSummary['scope_3']) {
  return lower === null || upper === null
    ? '–'
    : `${figure(lower).compact} to ${figure(upper).compact}`;
}

function changes({ emissions: { changes: all } }: Summary): Section {
  return {
    name: 'change of scope 1 + 2',
    note: 'like for like: organizations, regions, methods and scopes of both years',
    facts: all.map((change) => ({
      label: `change ${change.from} to ${change.to} scope 1 + 2`,
      details: [
        ['as disclosed', plainChange(change.naive)],
        [
          'like for like',
          change.like_for_like === null ? 'not comparable' : plainChange(change.like_for_like),
        ],
        ['organizations', change.organizations || undefined],
        ['left out', leftOutText(change).replaceAll(', ', ' + ')],
      ],
    })),
    renderTerminal: (width, style) => tableLines(changeColumns, all, width, style),
  };
}

function plainChange(share: number | null): Pick<Figure, 'plain' | 'rounded'> {
  const rounded = changeText(share);
  return { rounded, plain: share === null ? '' : rounded.replace('−', '-').replaceAll(',', '') };
}

function largest({ largest_emitters: emitters }: Summary): Section {
  const max = Math.max(1, ...emitters.map((emitter) => emitter.scope_1_and_2));
  return {
    name: 'largest emitters',
    note: 'scope 1 + 2 of the latest year that has both',
    prefix: 'largest emitter',
    facts: emitters.map((emitter, index) => ({
      label: String(index + 1),
      details: [
        ['', emitter.name ?? 'no name'],
        ['id', emitter.id],
        ['scope 1 + 2', figure(emitter.scope_1_and_2)],
        ['year', emitter.year],
      ],
    })),
    renderTerminal: (columns, style) =>
      renderBars(
        emitters.map(({ name, id, scope_1_and_2: amount, year }) => ({
          label: name ?? `${id ?? 'no name'}`,
          figures: [String(year), figure(amount).compact],
          bar: (size) => renderBar(amount / max, size, style),
        })),
        columns,
        style,
      ),
  };
}

function targets({
  largest_emitters: emitters,
  targets: { quoted, with_progress },
}: Summary): Section {
  const stated = emitters.flatMap(({ name, id, target }) => {
    if (target === null) return [];
    const progress = progressText(target);
    const details: Detail[] = [
      ['', `“${target.text}”`],
      ['', progress && { rounded: progress, plain: progress.replaceAll('−', '-') }],
    ];
    return { name: name ?? String(id ?? 'no name'), details };
  });
  return {
    name: 'targets of the largest emitters',
    note: `${many(with_progress)} of ${plural(quoted, 'quoted target')} with progress`,
    prefix: 'target',
    facts: stated.map(({ name, details }, index) => ({
      label: String(index + 1),
      details: [['', name], ...details],
    })),
    renderTerminal: (columns, style) =>
      factLines(
        stated.map(({ name, details }) => ({ label: name, details })),
        columns,
        style,
      ),
  };
}

const shownFindings = 3;

function checks({ checks: { error, warning, notice, worst } }: Summary): Section {
  const shown = worst.slice(0, shownFindings);
  const counts: Detail[] = [
    ['errors', error || undefined],
    ['warnings', warning || undefined],
    ['notices', notice || undefined],
  ];
  const finding = ({ name, id, rule, year, evidence }: (typeof shown)[number]): Fact => ({
    label: valueLabel(rule),
    details: [
      ['', name ?? String(id ?? 'no name')],
      ['', [year, evidence].filter((part) => part !== null).join(': ')],
    ],
  });
  return {
    name: 'checks',
    note: 'findings about figures · `carbon check` lists all of them',
    prefix: 'check',
    facts: [{ label: 'findings', details: counts }, ...shown.map(finding)],
  };
}

function revenue({ revenue: sums }: Summary): Section {
  return {
    name: 'revenue',
    note: 'latest year of each organization, by currency',
    prefix: 'revenue',
    facts: sums.map(({ currency, organizations, revenue: amount }) => ({
      label: currency ?? 'no currency',
      details: [
        ['', amount === null ? 'no data' : money(amount, currency ?? undefined)],
        ['organizations', organizations],
      ],
    })),
  };
}

function gaps({ gaps: counts, organizations }: Summary): Section {
  const rows = gapNames.map(([key, label]) => [label, counts[key], 'yellow'] as const);
  const section = { name: 'data gaps', note: `of ${plural(organizations, 'organization')}` };
  return counted(section, rows, organizations);
}
