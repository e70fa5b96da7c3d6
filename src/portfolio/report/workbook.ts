/* The workbook of a report: what its first sheet says, and a sheet for each table of figures. */
import { answerLines } from '../../display/terminal/answers.ts';
import { readingTitle } from '../../display/terminal/reading.ts';
import { countOf, emissionsColumn, type FactTable, text } from '../../display/terminal/section.ts';
import { capital } from '../../display/terminal/text.ts';
import { factSheet } from '../../lists/table/fact-sheet.ts';
import type { SummaryContent } from '../../lists/table/summary-sheet.ts';
import type { SheetContent } from '../../lists/workbook/sheet-xml.ts';
import { companies, organizationName, unitOnSheet } from '../organizations/statements.ts';
import { targetWords } from '../organizations/target-words.ts';
import { datesOnSheet } from '../records/dates.ts';
import { missingAnswers, type ReportedLists, reportAnswers } from './answers.ts';
import { askedPlaces, askTable } from './ask-words.ts';
import type { ReportDocument } from './document.ts';
import type { YearSummary } from './emissions.ts';
import type { Population } from './population.ts';
import type { Emitter } from './summary.ts';
import {
  cleanNotes,
  emissionsReading,
  notesOf,
  partialNote,
  syntheticCompanies,
} from './tables.ts';

/** Returns the sheets after the organizations; those without rows are left out. */
export function reportSheets(document: ReportDocument): readonly SheetContent[] {
  const sheets = [sheetOf(emitterTable(document)), sheetOf(statusTable(document))];
  return [...sheets, sheetOf(sumTable(document))].flat();
}

function sheetOf<Row>(table: FactTable<Row>): readonly SheetContent[] {
  return table.rows.length === 0 ? [] : [factSheet(table)];
}

function emitterTable({ emissions, largest_emitters: rows }: ReportDocument): FactTable<Emitter> {
  return {
    title: 'Largest emitters',
    unit: emissions.unit,
    head: 'Company',
    label: organizationName,
    columns: [
      emissionsColumn('', 'Scope 1 + 2', (row) => row.scope_1_and_2),
      share('Share of the emissions', (row) => row.share),
      share('Share with those above', (row) => row.cumulative_share),
      { ...countOf('', 'Year', ({ year }) => year), kind: 'year' },
      text('', 'Near-term target', (row) => targetWords(row.sbti_near_term).name),
      { ...text('', 'Target in words', ({ target }) => target), kind: 'note' },
      text('', 'Country', (row) => row.hq_region),
      text('', 'Industry', ({ industry }) => industry),
      { ...text('', 'ID', ({ id }) => id), kind: 'id' },
    ],
    rows,
  };
}

type StatusRow = NonNullable<Population>['targets'][number];

function statusTable({ emissions }: ReportDocument): FactTable<StatusRow> {
  return {
    title: 'Near-term targets',
    unit: emissions.unit,
    head: 'Target',
    label: ({ status }) => targetWords(status).name,
    columns: [
      countOf('', 'Companies', ({ organizations }) => organizations),
      emissionsColumn('', 'Scope 1 + 2', ({ sum }) => sum),
      share('Share of the emissions', (row) => row.share),
    ],
    rows: emissions.both_scopes?.targets ?? [],
  };
}

/* The sums of the years, each with the number of organizations behind it. */
function sumTable({ emissions: { unit, years } }: ReportDocument): FactTable<YearSummary> {
  const sums = (title: string, name: 'scope_1' | 'scope_2' | 'scope_1_and_2') => [
    emissionsColumn<YearSummary>('', title, (year) => year[name].sum),
    countOf<YearSummary>(
      '',
      `Companies that disclose ${title.toLowerCase()}`,
      (year) => year[name].organizations,
    ),
  ];
  return {
    title: 'Emissions as disclosed',
    unit,
    head: 'Year',
    label: ({ year }) => String(year),
    key: { kind: 'year', value: ({ year }) => year },
    columns: [
      // The first sheet says what a year lacks.
      text('', 'Partial year', ({ partial }) => (partial ? 'partial: do not compare' : null)),
      countOf<YearSummary>(
        '',
        'Companies that disclose other years only',
        ({ missing }) => missing,
      ),
      ...sums('Scope 1', 'scope_1'),
      ...sums('Scope 2', 'scope_2'),
      ...sums('Scope 1 + 2', 'scope_1_and_2'),
      emissionsColumn('', 'Scope 3 median', ({ scope_3 }) => scope_3.median),
      emissionsColumn('', 'Scope 3 lower quartile', ({ scope_3 }) => scope_3.lower_quartile),
      emissionsColumn('', 'Scope 3 upper quartile', ({ scope_3 }) => scope_3.upper_quartile),
    ],
    rows: years,
  };
}

function share<Row>(title: string, value: (row: Row) => number | null) {
  return { name: '', title, description: '', kind: 'share', value } as const;
}

function unlabelled(notes: readonly string[]) {
  return notes.map((note) => ['', note] as const);
}

/** Returns what the first sheet says. */
export function reportSummary(
  document: ReportDocument,
  lists: ReportedLists = {},
  missing?: readonly string[],
): SummaryContent {
  const { emissions, organizations, research, score } = document;
  const { both_scopes: population, unit } = emissions;
  const all = reportAnswers(document, lists);
  const [title, answers] = [all.slice(0, 1), all.slice(1)];
  const compared = population?.like_for_like;
  const labelOf = askTable(document).label;
  const doubts = [...notesOf(document, lists.check), ...[partialNote(emissions) ?? []].flat()];
  const synthetic = syntheticCompanies(document);
  const scores = (value: number | null) => (value === null ? null : value * 100);
  return {
    isSynthetic: document.synthetic > 0,
    answers: answerLines([...title, ...missingAnswers(document, missing), ...answers]),
    dates: datesOnSheet(document),
    figures: [
      ['companies', organizations],
      ['of these still in research', research.in_progress || null],
      ['of these with failed research', research.errored || null],
      ['rows without a record, besides', lists.missingRows || null],
      ...(compared?.years ?? []).map(
        ({ year, sum }) =>
          [
            `scope 1 + 2 of ${year}, the same ${companies(compared?.organizations ?? 0)}`,
            sum,
            unit,
          ] as const,
      ),
      ...(population === null
        ? []
        : [
            [
              `scope 1 + 2 of ${population.year}, all ${companies(population.organizations)} that disclose both`,
              population.sum,
              unit,
            ] as const,
          ]),
      ['unit of emissions', unitOnSheet(unit)],
      ['median score, from 0 (worst) to 100 (best)', scores(score.median), null, 'tenths'],
    ],
    parts: [
      [
        'Whom to ask',
        document.ask.map(
          (each) => [labelOf(each), `${capital(each.next_step)}: ${askedPlaces(each)}`] as const,
        ),
      ],
      ['Before you quote it', unlabelled(doubts.filter((note) => note !== synthetic))],
      [readingTitle, unlabelled([...emissionsReading(emissions), ...cleanNotes(document)])],
    ],
    notes: [['Organizations', 'A row for each: its figures of the latest year with emissions']],
  };
}
