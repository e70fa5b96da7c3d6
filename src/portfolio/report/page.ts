/* The report as one self-contained HTML page. Everything from records is text. */

import {
  bar,
  barTable,
  type ColumnOfMarks,
  columnChart,
  figureOf,
  legend,
  tableCard,
  valueTable,
} from '../../display/page/charts.ts';
import {
  type Content,
  card,
  type Html,
  html,
  type Tile,
  tileList,
} from '../../display/page/html.ts';
import { maxRows, searchableTable, type TableColumn } from '../../display/page/searchable-table.ts';
import { renderSkeleton } from '../../display/page/skeleton.ts';
import { figure, scoreInColumn, scoreText } from '../../display/terminal/figure.ts';
import { count, percentText, plural } from '../../display/terminal/format.ts';
import { regionName } from '../../display/terminal/region-name.ts';
import { capital } from '../../display/terminal/text.ts';
import { basisOf, type ReportedFigure } from '../organizations/emissions.ts';
import { companies, unitInWords } from '../organizations/statements.ts';
import { datesInWords, writtenInWords } from '../records/dates.ts';
import type { ReportDocument } from './document.ts';
import type { Entry } from './entry.ts';
import type { Summary } from './summary.ts';
import {
  changeTable,
  commitmentNames,
  comparedTable,
  emissionsNotes,
  findingTable,
  gapTable,
  largestTable,
  notesOf,
  partsOf,
  scope3Note,
  scoreSpread,
  targetTable,
  valueLabel,
  yearSumTable,
} from './tables.ts';

const many = count.format;
const organizationsText = (number: number) => plural(number, 'organization');

/**
 * Renders the page.
 * @param emitters all organizations, the largest emitters first
 * @param from the names of the files with the records
 */
export function renderPage(
  document: ReportDocument,
  emitters: readonly Entry[],
  from: readonly string[],
): string {
  const { organizations, statements, emissions } = document;
  const [title, ...others] = statements;
  return renderSkeleton({
    title: title?.text ?? companies(organizations),
    subtitle: organizationsText(organizations),
    lead: [
      organizationsText(organizations),
      `from ${from.join(', ')}`,
      ...datesInWords(document),
      writtenInWords(document),
      unitInWords(emissions.unit),
    ].join(' · '),
    statements: others.map(({ text }) => text),
    notes: notesOf(document),
    skip: 'Skip to the table of organizations',
    tiles: tileList(tiles(document)),
    cards: [
      comparedYears(document),
      disclosed(document),
      scores(document),
      commitments(document),
      tableCard(changeTable(document)),
      tableCard(largestTable(document)),
      tableCard(targetTable(document)),
      tableCard(findingTable(document)),
      tableCard(gapTable(document)),
    ],
    table: organizationTable(emitters),
    footerTitle: 'How to read this report',
    readingNotes,
  });
}

const readingNotes = [
  'The report estimates nothing: a sum contains only disclosed figures, and the number next to it is the number of organizations behind it.',
  'The service documents no unit of emissions. A unit is shown only if the author of the report declared it.',
  'Scope 2 is the market-based figure; if that is missing, the location-based one; otherwise the disclosed total, whose method is unknown. Any other scope without a total is the sum of its disclosed parts.',
  `Scope 1 + 2 covers organizations that disclose both. ${scope3Note} The report shows its median and quartiles instead.`,
  'A change like for like compares the organizations, regions, scopes and scope 2 methods of both years. A year is partial if it lacks an organization of another year.',
  'The status synced means that research is finished; errored means that it failed. Every other status means that it is in progress.',
  'Quartiles are interpolated linearly between the two nearest values.',
];

function tiles({ organizations, research, score, emissions, commitments: sums }: Summary): Tile[] {
  const { finished, in_progress, errored } = research;
  const { unit, both_scopes: population } = emissions;
  const sum = population?.sum ?? null;
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
      population === null ? 'Scope 1 + 2' : `Scope 1 + 2, ${population.year}`,
      sum === null ? '–' : `${figure(sum).compact}${unit ? ` ${unit}` : ''}`,
      population === null
        ? 'no organization discloses both'
        : `${of(population.organizations)} disclose both`,
      sum === null ? undefined : figure(sum).exact,
    ],
    [
      'SBTi near-term target set',
      percentText(set, organizations),
      `${of(set)} · ${many(missing)} without data`,
    ],
  ];
}

function comparedYears(document: ReportDocument): Html {
  const { both_scopes: population, unit } = document.emissions;
  const table = comparedTable(document);
  const { organizations = 0, years = [] } = population?.like_for_like ?? {};
  const number = organizationsText(organizations);
  const columns = years.map(({ year, sum }): ColumnOfMarks => {
    const { compact, exact } = figure(sum);
    const description = `${year} Scope 1 + 2: ${exact} (${number})`;
    return {
      label: String(year),
      head: compact,
      marks: [{ value: sum, tone: 'main', description }],
    };
  });
  return card(
    'emissions',
    table.title,
    years.length === 0
      ? 'No organization discloses both scopes in two years in a row.'
      : `The same ${number} in every year: those that disclose both scopes in all of them, in one region and with one method of scope 2${unit === null ? '' : `, in ${unit}`}.`,
    years.length > 0 && figureOf(columnChart(table.title, columns), '', valueTable(table)),
  );
}

function disclosed(summary: Summary): Content {
  const notes = emissionsNotes(summary.emissions).join(' ');
  return tableCard({ ...yearSumTable(summary), note: `${yearSumTable(summary).note}. ${notes}` });
}

function scores(summary: Summary): Html {
  const { out_of_range: outside, organizations: scored, histogram } = summary.score;
  const columns = histogram.map(({ from, to, organizations: number }): ColumnOfMarks => {
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
    `0 is worst, 100 is best. ${many(scored)} of ${organizationsText(summary.organizations)} have a score${outside > 0 ? `; ${many(outside)} with another score are left out` : ''}.`,
    scored > 0 &&
      html`<dl class="spread">${scoreSpread(summary).map(([name, value]) => html`<div><dt>${capital(name)}</dt><dd>${value}</dd></div>`)}</dl><figure>${columnChart('Number of organizations by score, in steps of ten', columns)}<p class="soft axis">Score, in steps of ten; the height is the number of organizations</p></figure>`,
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
    note: `Emissions of the latest year with a figure. * market-based, ‡ location-based, † sum of the disclosed parts, because no total was disclosed.${left > 0 ? ` The table lists the ${many(ranked.length)} largest emitters, by scope 1 + 2 of the latest year that has both. The figures above include ${many(left)} more organizations.` : ''}`,
    placeholder: 'Name, ID, country, status …',
    columns: organizationColumns,
    rows: ranked.toSorted((a, b) => (total(a) === total(b) ? 0 : total(b) - total(a))),
  });
}

const organizationColumns: readonly TableColumn<Entry>[] = [
  { title: 'Organization', kind: 'text', cell: ({ name }) => name ?? 'no name' },
  { title: 'ID', kind: 'number', cell: ({ id }) => id },
  { title: 'External ID', kind: 'text', cell: ({ externalId }) => externalId },
  { title: 'Country', kind: 'text', cell: ({ region }) => regionName(region) },
  { title: 'Industry', kind: 'text', cell: ({ industry }) => industry },
  {
    title: 'Status',
    kind: 'text',
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
