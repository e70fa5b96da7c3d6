/* The report as one self-contained HTML page. Everything from records is text. */

import { countsText } from '../checks/findings.ts';
import {
  bar,
  barTable,
  type ColumnOfMarks,
  columnChart,
  figureOf,
  legend,
  rankRow,
  valueTable,
} from '../page/charts.ts';
import { type Content, card, type Html, html, type Tile, tileList } from '../page/html.ts';
import { renderSkeleton } from '../page/skeleton.ts';
import { figure, money, scoreInColumn, scoreText } from '../terminal/figure.ts';
import { count, dateText, percentText, plural, regionName } from '../terminal/format.ts';
import { capital } from '../terminal/text.ts';
import type { Sum, YearSummary } from './emissions.ts';
import type { Entry } from './entry.ts';
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
import { organizationTable } from './organization-table.ts';
import type { Summary } from './summary.ts';

const many = count.format;
const organizationsText = (number: number) => plural(number, 'organization');

/** The origin of a page, which it states. */
export interface Provenance {
  /** The time when carbon created the page, in milliseconds since 1970. */
  readonly at: number;
  readonly from: readonly string[];
}

/**
 * Renders the page.
 * @param emitters all organizations, the largest emitters first
 */
export function renderPage(
  summary: Summary,
  emitters: readonly Entry[],
  provenance: Provenance,
): string {
  const { organizations } = summary;
  return renderSkeleton({
    title: 'Climate portfolio report',
    subtitle: organizationsText(organizations),
    lead: `${organizationsText(organizations)} · from ${provenance.from.join(', ')} · ${dateText(new Date(provenance.at).toISOString())}`,
    notes: notesOf(summary),
    skip: 'Skip to the table of organizations',
    tiles: tileList(tiles(summary)),
    cards: [
      emissions(summary),
      scores(summary),
      commitments(summary),
      gapsAndRevenue(summary),
      largest(summary),
      targets(summary),
      checks(summary),
    ],
    table: organizationTable(emitters),
    footerTitle: 'How to read this report',
    readingNotes,
  });
}

const readingNotes = [
  'The report estimates nothing: a sum contains only disclosed figures, and the number next to it is the number of organizations behind it.',
  'The service documents no unit of emissions. A unit is shown only if the author of the report declared it. Revenue is grouped by the currency of the record; amounts in different currencies are never added up.',
  'If an organization discloses no total of a scope, the report uses its market-based figure; if that is missing, its location-based figure; otherwise the sum of its disclosed parts.',
  `Scope 1 + 2 covers organizations that disclose both. ${scope3Note} The report shows its median and quartiles instead.`,
  'A change like for like compares the organizations, regions, scopes and scope 2 methods of both years. A year is partial if it lacks an organization of another year.',
  'The progress of a target is 1 − emissions / emissions of the base year, from the organization’s own figures, if its newest target is one sentence about absolute emissions. Every other target is only quoted.',
  'The status synced means that research is finished; errored means that it failed. Every other status means that it is in progress.',
  'Quartiles are interpolated linearly between the two nearest values.',
];

function tiles({
  organizations,
  research,
  score,
  emissions: all,
  commitments: sums,
}: Summary): Tile[] {
  const { finished, in_progress, errored } = research;
  const year = headlineYear(all.years);
  const sum = year?.scope_1_and_2.sum ?? null;
  const near = sums.sbti_near_term;
  const set = near.counts['set'] ?? 0;
  return [
    [
      'Organizations',
      many(organizations),
      `${many(finished)} finished · ${many(in_progress)} in progress · ${many(errored)} failed`,
    ],
    [
      'Median score',
      score.median === null ? '–' : scoreText(score.median),
      `of 100 · ${organizationsText(score.organizations)} scored`,
    ],
    [
      year === undefined ? 'Scope 1 + 2' : `Scope 1 + 2, ${year.year}`,
      sum === null ? '–' : `${figure(sum).compact}${all.unit ? ` ${all.unit}` : ''}`,
      year === undefined
        ? 'no emissions disclosed'
        : `${many(year.scope_1_and_2.organizations)} of ${organizationsText(organizations)}${all.unit ? '' : ' · unit not documented'}`,
      sum === null ? undefined : figure(sum).exact,
    ],
    [
      'SBTi near-term target set',
      percentText(set, organizations),
      `${many(set)} of ${organizationsText(organizations)} · ${many(near.missing)} without data`,
    ],
  ];
}

/* The latest of the years that most organizations disclosed. */
function headlineYear(years: readonly YearSummary[]): YearSummary | undefined {
  const most = Math.max(...years.map(({ organizations }) => organizations));
  return years.find(({ organizations }) => organizations === most);
}

const tones = { scope_1: 's1', scope_2: 's2', only_together: 's12' } as const;
const drawnScopes = [
  ['scope_1', 'Scope 1'],
  ['scope_2', 'Scope 2'],
  ['only_together', 'Scope 1 + 2, disclosed only together'],
] as const;
const maxColumns = 8;

function emissions({ emissions: all, organizations }: Summary): Html {
  const { years, changes } = all;
  const title = 'Scope 1 and 2 by year';
  const note = `Sums of the figures that ${many(all.organizations)} of ${organizationsText(organizations)} disclosed, ${unitText(all)}.`;
  if (years.length === 0) return card('emissions', title, note);
  const drawn = years.slice(0, maxColumns).toReversed();
  const used = drawnScopes.filter(([field]) => years.some((year) => year[field].sum !== null));
  const notes = [
    'n: number of organizations that disclosed any figure of the year. Partial years are lighter.',
    ...emissionsNotes(all),
    ...(years.length > drawn.length
      ? [`The chart shows the latest ${drawn.length} of ${years.length} years.`]
      : []),
    scope3Note,
  ];
  return card(
    'emissions',
    title,
    note,
    figureOf(
      columnChart('Disclosed emissions of scopes 1 and 2 by year', drawn.map(yearColumn)),
      [
        legend(used.map(([field, name]) => [tones[field], name])),
        notes.map((text) => html`<p class="soft axis">${text}</p>`),
      ],
      valueTable(
        'Sum and number of organizations; † number of these that disclosed only parts',
        [
          'Year',
          'Organizations',
          ...scopeNames.map(([, name]) => name),
          'Scope 3 median',
          'Scope 3 quartiles',
        ],
        years.map((year) => [
          html`${year.year}${year.partial ? ' partial' : ''}`,
          many(year.organizations),
          ...scopeNames.map(([field]) => sumCell(year[field])),
          medianCell(year.scope_3),
          quartilesCell(year.scope_3),
        ]),
      ),
    ),
    changes.length === 0
      ? undefined
      : html`<h3>Change of scope 1 + 2</h3><div class="scroll">${valueTable(
          'Like for like: the organizations, regions, methods and scopes of both years',
          ['Years', ...changeColumns.map(({ title }) => title)],
          changes.map((change) => [
            `${change.from} → ${change.to}`,
            ...changeColumns.map(({ text }) => text(change)),
          ]),
        )}</div>`,
  );
}

function yearColumn(year: YearSummary): ColumnOfMarks {
  return {
    label: String(year.year),
    notes: [`n ${many(year.organizations)}`, year.partial ? 'partial' : ''],
    isPartial: year.partial,
    marks: drawnScopes.flatMap(([field, name]) => {
      const { sum, organizations } = year[field];
      if (sum === null) return [];
      const description = `${year.year} ${name}: ${figure(sum).exact} (${organizationsText(organizations)})`;
      return { value: sum, tone: tones[field], description };
    }),
  };
}

function sumCell({ sum, organizations, sum_of_parts }: Sum): Content {
  if (sum === null) return '–';
  const parts = sum_of_parts > 0 ? `, † ${many(sum_of_parts)}` : '';
  return html`${figure(sum).exact}<br><span class="soft">${many(organizations)}${parts}</span>`;
}

function medianCell({ median, organizations }: YearSummary['scope_3']): Content {
  if (median === null) return '–';
  return html`${figure(median).rounded}<br><span class="soft">${many(organizations)}</span>`;
}

function quartilesCell({ lower_quartile: lower, upper_quartile: upper }: YearSummary['scope_3']) {
  return lower === null || upper === null
    ? '–'
    : `${figure(lower).rounded} to ${figure(upper).rounded}`;
}

function scores({ score, organizations }: Summary): Html {
  const note = `0 is worst, 100 is best. ${many(score.organizations)} of ${organizationsText(organizations)} have a score.`;
  const outside =
    score.out_of_range > 0
      ? html`<p class="soft">${plural(score.out_of_range, 'organization')} with a score outside 0–100 ${score.out_of_range === 1 ? 'is' : 'are'} not included.</p>`
      : undefined;
  if (score.organizations === 0) return card('scores', 'Scores', note, outside);
  const spread = [
    ['Lowest', score.min],
    ['Lower quartile', score.lower_quartile],
    ['Median', score.median],
    ['Upper quartile', score.upper_quartile],
    ['Highest', score.max],
    ['Mean', score.mean],
  ] as const;
  const columns = score.histogram.map(({ from, to, organizations: number }): ColumnOfMarks => {
    const [start, end] = [from, to].map((share) => Math.round(share * 100));
    const description = `Score ${start}–${end}: ${organizationsText(number)}`;
    return {
      label: String(start),
      head: many(number),
      marks: [{ value: number, tone: 'main', description }],
    };
  });
  return card(
    'scores',
    'Scores',
    note,
    html`<dl class="spread">${spread.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value === null ? '–' : scoreInColumn(value)}</dd></div>`)}</dl>`,
    html`<figure>${columnChart('Number of organizations by score, in steps of ten', columns)}<p class="soft axis">Score, in steps of ten; the height is the number of organizations</p></figure>`,
    outside,
  );
}

function commitments({ commitments: tallies, organizations }: Summary): Html {
  const rows = commitmentNames.map(([key, name]) => {
    const parts = partsOf(tallies[key]);
    const marks = parts.map((part) => ({
      value: part.organizations / organizations,
      tone: part.stage,
      description: `${name}, ${part.value}: ${organizationsText(part.organizations)}`,
    }));
    const texts = parts.map(
      ({ organizations: count, value }) =>
        `${many(count)} ${value} (${percentText(count, organizations)})`,
    );
    return html`<tr><th scope="row">${name}</th><td class="wide">${bar(marks)}<span class="soft">${texts.join(' · ')}</span></td></tr>\n`;
  });
  return card(
    'commitments',
    'Reporting and commitments',
    `Share of ${organizationsText(organizations)}.`,
    barTable('bars', ['Program', 'Organizations'], rows),
    legend([
      ['yes', 'yes'],
      ['partly', 'in progress'],
      ['no', 'no'],
      ['missing', 'no data'],
    ]),
  );
}

function largest({ largest_emitters: emitters }: Summary): Html {
  const max = Math.max(1, ...emitters.map((emitter) => emitter.scope_1_and_2));
  const rows = emitters.map(({ name, id, hq_region, industry, year, scope_1_and_2: amount }) => {
    const { exact } = figure(amount);
    const title = nameOf({ name, id });
    const mark = { value: amount / max, tone: 'main', description: `${title}: ${exact}` };
    return rankRow(title, [industry, regionName(hq_region), year], exact, mark);
  });
  return card(
    'largest',
    'Largest emitters',
    'Scope 1 + 2 of the latest year that has both.',
    rows.length === 0
      ? html`<p>No organization disclosed scopes 1 and 2.</p>`
      : barTable('bars largest', ['Organization', 'Emissions'], rows),
  );
}

function targets({
  largest_emitters: emitters,
  targets: { quoted, with_progress },
}: Summary): Html {
  const rows = emitters.flatMap((emitter) => {
    const { target } = emitter;
    return target
      ? [rankRow(nameOf(emitter), [`“${target.text}”`, progressText(target) ?? 'only quoted'])]
      : [];
  });
  return card(
    'targets',
    'Targets of the largest emitters',
    `${plural(quoted, 'organization quotes', 'organizations quote')} an SBTi target; the figures of ${many(with_progress)} show the progress.`,
    rows.length > 0 && barTable('bars largest', ['Organization'], rows),
  );
}

function checks({ checks: summary }: Summary): Html {
  const rows = summary.worst.map((finding) => {
    const { rule, year, evidence } = finding;
    return rankRow(nameOf(finding), [valueLabel(rule), year, evidence]);
  });
  return card(
    'checks',
    'Checks',
    `${countsText(summary)} about figures that may be wrong. "carbon check" lists them, and compares the names with your list.`,
    rows.length > 0 && barTable('bars largest', ['Organization'], rows),
  );
}

function gapsAndRevenue({ gaps, organizations, revenue }: Summary): Html {
  const missing = gapNames
    .filter(([key]) => gaps[key] > 0)
    .map(([key, name]) => [capital(name), many(gaps[key]), percentText(gaps[key], organizations)]);
  const sums = revenue.map(({ currency, organizations: count, revenue: amount }) => [
    currency ?? 'no currency',
    amount === null
      ? 'no data'
      : html`<span title="${figure(amount).exact}">${money(amount, currency ?? undefined).compact}</span>`,
    many(count),
  ]);
  return card(
    'gaps',
    'Data gaps',
    `Of ${organizationsText(organizations)}.`,
    missing.length === 0
      ? html`<p>Nothing is missing.</p>`
      : valueTable('Missing data', ['Missing', 'Organizations', 'Share'], missing),
    sums.length === 0
      ? undefined
      : html`<h3>Revenue by currency</h3><div class="scroll">${valueTable('Latest year of each organization; amounts in different currencies are never added up', ['Currency', 'Revenue', 'Organizations'], sums)}</div>`,
  );
}
