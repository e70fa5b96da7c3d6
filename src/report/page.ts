/* The report as one self-contained HTML page. Everything from records is text. */

import { countsText } from '../checks/findings.ts';
import { basisOf, type ReportedFigure } from '../organizations/emissions.ts';
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
import { maxRows, searchableTable, type TableColumn } from '../page/searchable-table.ts';
import { renderSkeleton } from '../page/skeleton.ts';
import { figure, money, scoreInColumn, scoreText } from '../terminal/figure.ts';
import { count, dateText, percentText, plural, regionName } from '../terminal/format.ts';
import { cellText } from '../terminal/section.ts';
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
  { at, from }: Provenance,
): string {
  const organizations = organizationsText(summary.organizations);
  return renderSkeleton({
    title: 'Climate portfolio report',
    subtitle: organizations,
    lead: `${organizations} · from ${from.join(', ')} · ${dateText(new Date(at).toISOString())}`,
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

function tiles({ organizations, research, score, emissions, commitments: sums }: Summary): Tile[] {
  const { finished, in_progress, errored } = research;
  const { unit, years } = emissions;
  // The latest of the years that most organizations disclosed.
  const most = Math.max(...years.map((each) => each.organizations));
  const year = years.find((each) => each.organizations === most);
  const { sum = null, organizations: known = 0 } = year?.scope_1_and_2 ?? {};
  const { counts, missing } = sums.sbti_near_term;
  const set = counts['set'] ?? 0;
  const of = (number: number) => `${many(number)} of ${organizationsText(organizations)}`;
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
      sum === null ? '–' : `${figure(sum).compact}${unit ? ` ${unit}` : ''}`,
      year === undefined
        ? 'no emissions disclosed'
        : `${of(known)}${unit ? '' : ' · unit not documented'}`,
      sum === null ? undefined : figure(sum).exact,
    ],
    [
      'SBTi near-term target set',
      percentText(set, organizations),
      `${of(set)} · ${many(missing)} without data`,
    ],
  ];
}

const drawnScopes = [
  ['scope_1', 's1', 'Scope 1'],
  ['scope_2', 's2', 'Scope 2'],
  ['only_together', 's12', 'Scope 1 + 2, disclosed only together'],
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
  const scopes = scopeNames.map(([, name]) => name);
  return card(
    'emissions',
    title,
    note,
    figureOf(
      columnChart('Disclosed emissions of scopes 1 and 2 by year', drawn.map(yearColumn)),
      [
        legend(used.map(([, tone, name]) => [tone, name])),
        notes.map((text) => html`<p class="soft axis">${text}</p>`),
      ],
      valueTable(
        'Sum and number of organizations; † number of these that disclosed only parts',
        ['Year', 'Organizations', ...scopes, 'Scope 3 median', 'Scope 3 quartiles'],
        years.map((year) => {
          const { median, lower_quartile, upper_quartile, organizations: known } = year.scope_3;
          const quartiles = [lower_quartile, upper_quartile].flatMap((value) =>
            value === null ? [] : [figure(value).rounded],
          );
          return [
            `${year.year}${year.partial ? ' partial' : ''}`,
            many(year.organizations),
            ...scopeNames.map(([field]) => sumCell(year[field])),
            median === null ? '–' : covered(figure(median).rounded, many(known)),
            quartiles.join(' to ') || '–',
          ];
        }),
      ),
    ),
    changes.length > 0 &&
      html`<h3>Change of scope 1 + 2</h3><div class="scroll">${valueTable(
        'Like for like: the organizations, regions, methods and scopes of both years',
        ['Years', ...changeColumns.map(({ name, title = name }) => title)],
        changes.map((change) => [
          `${change.from} → ${change.to}`,
          ...changeColumns.map((column) => cellText(column, change)),
        ]),
      )}</div>`,
  );
}

function yearColumn(year: YearSummary): ColumnOfMarks {
  return {
    label: String(year.year),
    notes: [`n ${many(year.organizations)}`, year.partial ? 'partial' : ''],
    isPartial: year.partial,
    marks: drawnScopes.flatMap(([field, tone, name]) => {
      const { sum, organizations } = year[field];
      if (sum === null) return [];
      const description = `${year.year} ${name}: ${figure(sum).exact} (${organizationsText(organizations)})`;
      return { value: sum, tone, description };
    }),
  };
}

function sumCell({ sum, organizations, sum_of_parts: parts }: Sum): Content {
  const number = `${many(organizations)}${parts > 0 ? `, † ${many(parts)}` : ''}`;
  return sum === null ? '–' : covered(figure(sum).exact, number);
}

function covered(value: string, number: string): Html {
  return html`${value}<br><span class="soft">${number}</span>`;
}

function scores({ score, organizations }: Summary): Html {
  const { out_of_range: outside, organizations: scored } = score;
  const note = `0 is worst, 100 is best. ${many(scored)} of ${organizationsText(organizations)} have a score.`;
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
    scored > 0 &&
      html`<dl class="spread">${spread.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value === null ? '–' : scoreInColumn(value)}</dd></div>`)}</dl><figure>${columnChart('Number of organizations by score, in steps of ten', columns)}<p class="soft axis">Score, in steps of ten; the height is the number of organizations</p></figure>`,
    outside > 0 &&
      html`<p class="soft">${plural(outside, 'organization')} with a score outside 0–100 ${outside === 1 ? 'is' : 'are'} not included.</p>`,
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
      ({ organizations: number, value }) =>
        `${many(number)} ${value} (${percentText(number, organizations)})`,
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
  const rows = emitters.map((emitter) => {
    const { hq_region, industry, year, scope_1_and_2: amount } = emitter;
    const { exact } = figure(amount);
    const title = nameOf(emitter);
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
  const rows = emitters.flatMap(({ target, ...emitter }) =>
    target
      ? [rankRow(nameOf(emitter), [`“${target.text}”`, progressText(target) ?? 'only quoted'])]
      : [],
  );
  return card(
    'targets',
    'Targets of the largest emitters',
    `${plural(quoted, 'organization quotes', 'organizations quote')} an SBTi target; the figures of ${many(with_progress)} show the progress.`,
    rows.length > 0 && barTable('bars largest', ['Organization'], rows),
  );
}

function checks({ checks: summary }: Summary): Html {
  const rows = summary.worst.map((finding) =>
    rankRow(nameOf(finding), [valueLabel(finding.rule), finding.year, finding.evidence]),
  );
  return card(
    'checks',
    'Checks',
    `${capital(countsText(summary))} about figures that may be wrong. "carbon check" lists them, and compares the names with your list.`,
    rows.length > 0 && barTable('bars largest', ['Organization'], rows),
  );
}

function gapsAndRevenue({ gaps, organizations, revenue }: Summary): Html {
  const missing = gapNames
    .filter(([key]) => gaps[key] > 0)
    .map(([key, name]) => [capital(name), many(gaps[key]), percentText(gaps[key], organizations)]);
  const sums = revenue.map(({ currency, organizations: number, revenue: amount }) => [
    currency ?? 'no currency',
    amount === null
      ? 'no data'
      : html`<span title="${figure(amount).exact}">${money(amount, currency ?? undefined).compact}</span>`,
    many(number),
  ]);
  return card(
    'gaps',
    'Data gaps',
    `Of ${organizationsText(organizations)}.`,
    missing.length === 0
      ? html`<p>Nothing is missing.</p>`
      : valueTable('Missing data', ['Missing', 'Organizations', 'Share'], missing),
    sums.length > 0 &&
      html`<h3>Revenue by currency</h3><div class="scroll">${valueTable('Latest year of each organization; amounts in different currencies are never added up', ['Currency', 'Revenue', 'Organizations'], sums)}</div>`,
  );
}

/* The table is sorted by the total that it shows, not by the latest disclosed total. */
function organizationTable(emitters: readonly Entry[]): Html {
  const ranked = emitters.slice(0, maxRows);
  const left = emitters.length - ranked.length;
  const total = ({ years: [latest] }: Entry) =>
    latest?.figures.total?.value ?? Number.NEGATIVE_INFINITY;
  return searchableTable({
    name: 'organizations',
    title: 'Organizations',
    noun: 'organizations',
    note: `Emissions of the latest year with a figure. * market-based, ‡ location-based, † sum of the disclosed parts, if no total was disclosed.${left > 0 ? ` The table lists the ${many(ranked.length)} largest emitters, by scope 1 + 2 of the latest year that has both. The figures above include ${many(left)} more organizations.` : ''}`,
    placeholder: 'Name, ID, country, status …',
    columns: organizationColumns,
    rows: ranked.toSorted((a, b) => (total(a) === total(b) ? 0 : total(b) - total(a))),
  });
}

const organizationColumns: readonly TableColumn<Entry>[] = [
  { title: 'Organization', kind: 'text', cell: nameOrNone },
  { title: 'ID', kind: 'number', cell: ({ id }) => id },
  { title: 'External ID', kind: 'text', isWide: true, cell: ({ externalId }) => externalId },
  { title: 'Country', kind: 'text', cell: ({ region }) => regionName(region) },
  { title: 'Industry', kind: 'text', isWide: true, cell: ({ industry }) => industry },
  {
    title: 'Status',
    kind: 'text',
    isWide: true,
    cell: ({ status }) => status ?? 'no status',
    tone: ({ status }) => (status === 'synced' || status === 'errored' ? status : 'open'),
  },
  {
    title: 'Score',
    kind: 'number',
    cell: ({ score }) => (score === undefined ? undefined : scoreInColumn(score)),
  },
  {
    title: 'SBTi near term',
    kind: 'text',
    cell: ({ nearTerm }) => nearTerm && valueLabel(nearTerm),
  },
  { title: 'Year', kind: 'number', cell: ({ years: [latest] }) => latest?.year },
  amountColumn('Total', 'total', true),
  amountColumn('Scope 1', 'scope1'),
  amountColumn('Scope 2', 'scope2'),
  amountColumn('Scope 3', 'scope3'),
  { title: 'Sources', kind: 'links', cell: links },
];

function amountColumn(
  title: string,
  key: 'total' | 'scope1' | 'scope2' | 'scope3',
  isSorted = false,
): TableColumn<Entry> {
  return {
    title,
    kind: 'number',
    isSorted,
    cell: ({ years: [latest] }) => amountCell(latest?.figures[key]),
  };
}

/* Every cell has a place for the mark, so that the digits of a column stand below each other. */
function amountCell(reported: ReportedFigure | undefined): Html {
  if (reported === undefined) return html`–<i></i>`;
  const { rounded, exact } = figure(reported.value);
  const shown = rounded === exact ? rounded : html`<span title="${exact}">${rounded}</span>`;
  const mark = reported.mark !== '' && html` title="${basisOf(reported)}"`;
  return html`${shown}<i${mark}>${reported.mark}</i>`;
}

function nameOrNone({ name }: Entry): string {
  return name ?? 'no name';
}

/* An entry has only web addresses, because reading it removed other schemes. */
function links(entry: Entry): Content {
  const { sources, sourceCount } = entry;
  const shown = sources.map(
    (url, index) =>
      html`<a href="${url}" rel="noopener noreferrer" title="${new URL(url).hostname}" aria-label="Source ${index + 1} of ${nameOrNone(entry)}">${index + 1}</a> `,
  );
  const others = sourceCount - sources.length;
  const more = others > 0 && `${sources.length > 0 ? '+' : ''}${others}`;
  return sourceCount === 0 ? '–' : [shown, more];
}
