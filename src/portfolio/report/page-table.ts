/* The table of all organizations on the page of a report. */

import type { Html } from '../../display/page/html.ts';
import {
  type Cell,
  maxRows,
  searchableTable,
  type TableColumn,
} from '../../display/page/searchable-table.ts';
import { headingOf } from '../../display/query/kinds.ts';
import { figure, numberFormats, scoreInColumn } from '../../display/terminal/figure.ts';
import { count } from '../../display/terminal/format.ts';
import { regionName } from '../../display/terminal/region-name.ts';
import { basisOf, bothScopes, type ReportedFigure } from '../organizations/emissions.ts';
import { targetName } from '../organizations/target-words.ts';
import type { ReportDocument } from './document.ts';
import type { Entry } from './entry.ts';
import type { YearFigures } from './figure-years.ts';
import type { Member } from './population.ts';
import { unitOnPage } from './tables.ts';

const many = count.format;

/* An organization, and the year whose figures the table shows. */
interface Row {
  readonly entry: Entry;
  readonly year: YearFigures | undefined;
  readonly both: ReportedFigure | undefined;
  /** Share of the organizations that disclose both scopes. */
  readonly share: number | undefined;
}

/** Renders the table, sorted by scope 1 + 2. */
export function organizationSection(
  document: ReportDocument,
  files: readonly string[],
  emitters: readonly Entry[],
  members: readonly Member[],
): Html {
  const { emissions, left_out: left } = document;
  const { both_scopes: population } = emissions;
  const unit = unitOnPage(document);
  const values = new Map(members.map(({ entry, value }) => [entry, value]));
  const rows = emitters.map((entry): Row => {
    const year = shownYear(entry, population?.year);
    const both = year && bothScopes(year.figures);
    const value = values.get(entry);
    const sum = population?.sum;
    return { entry, year, both, share: value !== undefined && sum ? value / sum : undefined };
  });
  const size = ({ both }: Row) => both?.value ?? Number.NEGATIVE_INFINITY;
  rows.sort((a, b) => (size(a) === size(b) ? 0 : size(b) - size(a)));
  const shown = rows.slice(0, maxRows);
  const rest = rows.length - shown.length;
  const note = [
    `Emissions${unit === null ? '' : ` in ${unit}`} of ${population === null ? 'the latest year with a figure' : `${population.year}, otherwise of the latest year with scope 1 + 2`}. * market-based, ‡ location-based, † sum of the disclosed parts, because no total was disclosed.`,
    ...(left.organizations > 0 ? ['✗ cannot be right, and is in no sum (carbon check).'] : []),
    ...(rest > 0
      ? [
          `The table lists the ${many(shown.length)} largest emitters. The figures above include ${many(rest)} more companies.`,
        ]
      : []),
  ];
  return searchableTable({
    name: 'organizations',
    title: 'All companies',
    noun: 'companies',
    about: [files, 'report', document.records_to],
    note: note.join(' '),
    placeholder: 'Name, country, target …',
    columns: columnsIn(unit),
    rows: shown,
    isSynthetic: ({ entry }) => entry.isSynthetic,
  });
}

/* The year of the figures above, otherwise the latest with both scopes, otherwise the latest. */
function shownYear({ years: kept }: Entry, year: number | undefined) {
  const years = [...kept];
  const right = years.filter(({ isWrong }) => !isWrong);
  const complete = right.filter(({ figures }) => bothScopes(figures) !== undefined);
  return complete.find((each) => each.year === year) ?? complete[0] ?? right[0] ?? years[0];
}

/* Any other status is one of open research. */
const researchWords: Readonly<Record<string, string>> = { synced: 'finished', errored: 'failed' };

const columnsIn = (unit: string | null): readonly TableColumn<Row>[] => [
  {
    title: 'Company',
    kind: 'text',
    cell: ({ entry: { name }, year }) => `${year?.isWrong ? '✗ ' : ''}${name ?? 'no name'}`,
  },
  { title: 'Country', kind: 'text', cell: ({ entry }) => regionName(entry.region) },
  {
    title: headingOf('Scope 1 + 2', 'emissions', unit),
    kind: 'number',
    isSorted: true,
    cell: ({ both }) => amountCell(both),
  },
  {
    title: 'Share',
    kind: 'number',
    cell: ({ share }) => (share === undefined ? undefined : numberFormats.share(share)),
  },
  amountColumn('Scope 1', 'scope1', unit),
  amountColumn('Scope 2', 'scope2', unit),
  {
    title: 'Target',
    kind: 'text',
    cell: ({ entry: { nearTerm, isUnmatched, status } }) =>
      targetName(nearTerm, isUnmatched, status ?? undefined),
    tone: ({ entry: { nearTerm } }) => (nearTerm === 'removed' ? 'removed' : ''),
  },
  {
    title: 'Score',
    kind: 'number',
    isOffPaper: true,
    cell: ({ entry: { score } }) => (score === undefined ? undefined : scoreInColumn(score)),
  },
  { title: 'Year', kind: 'number', cell: ({ year }) => year?.year },
  amountColumn('Scope 3', 'scope3', unit),
  amountColumn('Total', 'total', unit),
  {
    title: 'Research',
    kind: 'text',
    // The target says so where there is none.
    isOffPaper: true,
    cell: ({ entry: { status } }) => researchWords[status ?? ''] ?? status ?? 'unknown',
    tone: ({ entry: { status } }) => (status === 'errored' ? 'errored' : ''),
  },
  { title: 'Industry', kind: 'text', cell: ({ entry }) => entry.industry },
  { title: 'ID', kind: 'number', isOffPaper: true, cell: ({ entry }) => entry.id },
  {
    title: 'External ID',
    kind: 'text',
    isOffPaper: true,
    cell: ({ entry }) => entry.externalId,
  },
];

function amountColumn(
  title: string,
  key: 'total' | 'scope1' | 'scope2' | 'scope3',
  unit: string | null,
): TableColumn<Row> {
  return {
    title: headingOf(title, 'emissions', unit),
    kind: 'number',
    cell: ({ year }) => amountCell(year?.figures[key]),
  };
}

function amountCell(reported: ReportedFigure | undefined): Cell | undefined {
  if (reported === undefined) return undefined;
  const { compact, exact } = figure(reported.value);
  const { mark } = reported;
  return { text: compact, exact, mark, meaning: mark === '' ? undefined : basisOf(reported) };
}
