/*
 * The rows of a list with their results: for -o, the user's own columns followed by those of
 * carbon; for --json, a line for each row.
 */
import { basename } from 'node:path';
import { compactJson } from '../../../../client/api/json-tokens.ts';
import {
  count as counted,
  cut,
  linesText,
  naming,
  plural,
} from '../../../../display/terminal/format.ts';
import type { Batch } from '../../../../lists/batch/batch.ts';
import { invalidRow, type RowPlan, reportProblem } from '../../../../lists/batch/row-plan.ts';
import type { RowEvent } from '../../../../lists/batch/rows.ts';
import { isBlank } from '../../../../lists/table/cell.ts';
import { type CsvValue, guardCopiedText } from '../../../../lists/table/output-cell.ts';
import type { OutputColumn } from '../../../../lists/table/output-sheet.ts';
import { padCells, type Row } from '../../../../lists/table/rows.ts';
import type { Labelled, SummaryContent } from '../../../../lists/table/summary-sheet.ts';
import { columnName } from '../../../../lists/workbook/cells.ts';
import type { SheetColumn, WrittenCell } from '../../../../lists/workbook/sheet-xml.ts';
import { CarbonError } from '../../../../runtime/carbon-error.ts';
import { describeRejection, errorObject } from '../../../errors.ts';
import type { OutFile } from '../../../output/out-file.ts';
import { type FileTable, show } from '../../../output/show.ts';
import type { Session } from '../../../session.ts';

/** What became of a row, after the user's own columns. */
export const outcomeColumns: readonly OutputColumn[] = [
  { name: 'carbon_id', kind: 'id' },
  { name: 'carbon_status', kind: 'status' },
  { name: 'carbon_reason', kind: 'note' },
];

export const markColumn: OutputColumn = { name: 'synthetic', kind: 'synthetic' };

export interface ResultRow {
  readonly plan: RowPlan;
  readonly cells: readonly CsvValue[];
}

/** What follows the user's own columns. */
interface ResultTable {
  readonly columns: readonly OutputColumn[];
  readonly results: AsyncIterable<ResultRow>;
  /** What the columns after those of the outcome mean. */
  readonly legend?: Labelled;
  /** Returns what the first sheet of a workbook says of the results. */
  summary(): SummaryContent;
}

/* How a file has the user's own cells. */
interface OwnCells {
  /** The columns of texts that it has as numbers. */
  readonly numbers: ReadonlySet<number>;
  cellOf(row: Row, text: string, column: number): CsvValue | WrittenCell;
  headerOf(text: string): string;
}

/** Returns the rows of a list with their results as CSV, which has texts. */
export async function csvResults(list: Batch, results: ResultTable): Promise<FileTable<never>> {
  const { exactText } = await import('../../../../lists/workbook/cells.ts');
  const { storedHeader, delimiter } = list.table.dialect;
  return resultFile(list, results, {
    numbers: new Set(),
    // A text that a workbook keeps from being a formula would be one in CSV.
    cellOf({ kinds, shown, stored }, text, column) {
      const kind = kinds?.[column];
      if (kind === 'text' || kind === 'missing') return guardCopiedText(text, delimiter);
      if (kind !== 'number') return text;
      return shown?.get(column) ?? exactText(stored?.[column], { text, kind });
    },
    headerOf: (text) => (storedHeader === undefined ? text : guardCopiedText(text, delimiter)),
  });
}

/**
 * Returns the rows of a list with their results for a workbook, which has cells as they were. A CSV
 * list has texts, of which columns of numbers with a decimal point become numbers.
 */
export async function workbookResults(
  list: Batch,
  results: ResultTable,
): Promise<FileTable<never>> {
  const { numberCell } = await import('../../../../lists/table/plain-numbers.ts');
  const { numbers } = list.preflight;
  return resultFile(list, results, {
    numbers,
    cellOf({ kinds, stored }, text, column) {
      if (kinds !== undefined) return stored?.[column];
      return numbers.has(column) ? numberCell(text) : text;
    },
    headerOf: (text) => text,
  });
}

function resultFile(
  batch: Batch,
  { columns, results, legend = [], summary }: ResultTable,
  { numbers, cellOf, headerOf }: OwnCells,
): FileTable<never> {
  const { list, table, preflight } = batch;
  const attention = new Attention();
  const { header, storedHeader, sheet = 'Results', delimiter } = table.dialect;
  async function* rows() {
    for await (const { plan, cells: added } of results) {
      const { row } = plan;
      attention.add(plan, added);
      const cells = padCells(row.cells, preflight.width).map((text, column) =>
        cellOf(row, text, column),
      );
      yield [...cells, ...added];
    }
  }
  // A row with more cells than the header keeps them, below an empty header.
  const texts = padCells(header, preflight.width).map(headerOf);
  const name = table.mapping.columns.find(({ field }) => field === 'name')?.index ?? maxFrozen;
  return {
    name: sheet,
    columns: [...texts.map((text) => ({ name: text })), ...columns],
    rows: rows(),
    delimiter,
    own: ownColumns(texts, table, storedHeader, numbers),
    is1904: table.source.sheet?.is1904,
    title: `Results of ${basename(list)}`,
    frozen: name < maxFrozen ? name + 1 : 0,
    legend: [...outcomeLegend, ...legend],
    summary() {
      const { notes = [], statements = [], ...said } = summary();
      return {
        emptyCells: `What an empty cell means: ${emptyOutcome}.`,
        ...said,
        statements: [...statements, ...attention.statements(batch.countListed())],
        failed: attention.rows(),
        notes: [
          ['List', basename(list)],
          ['Data', `Sheet "${sheet}": your own columns as they are, then those of carbon`],
          ...numbersNote(texts, numbers),
          ...notes,
        ],
      };
    },
  };
}

/* A reader may miss a sum of a column that looks like numbers. */
function numbersNote(texts: readonly string[], numbers: ReadonlySet<number>): Labelled {
  const names = texts.flatMap((text, column) => {
    if (!numbers.has(column)) return [];
    const place = `column ${columnName(column)}`;
    if (isBlank(text)) return [place];
    return [texts.indexOf(text) === texts.lastIndexOf(text) ? text : `${text} (${place})`];
  });
  if (names.length === 0) return [];
  return [['Numbers', `${naming(names, maxNumbers)}: ${whichNumbers}`]];
}

const maxNumbers = 20;
const whichNumbers =
  'each cell is a number, and one shows a decimal point, such as 1250.50. Columns that carbon sends, and all others, are text';

/* The column of the name stays in view while scrolling, if it is one of the first. */
const maxFrozen = 3;

const outcomeLegend: Labelled = [
  ['carbon_id', 'ID of the organization that the row was registered as'],
  ['carbon_status', 'What happened to the row. To see the rows that failed, filter this column'],
  ['carbon_reason', 'Why the row has no record or no emissions, and what to do'],
];

/** What empty cells of these columns mean. */
export const emptyOutcome =
  '“carbon_id” (the row is not registered); “carbon_reason” (there is nothing to explain)';

/* Counts what became of rows, and keeps the first ones that need your attention. */
class Attention {
  readonly #counts = new Map<string, number>();
  readonly #first = new Map<string, { readonly lines: number[]; readonly text: string }>();
  #named = 0;
  #failed = 0;

  add({ line, row }: RowPlan, [id, status, reason]: readonly CsvValue[]): void {
    const word = String(status);
    this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
    const isDone = word === 'registered' || word === 'synced';
    if (isDone && !reason) return;
    this.#failed += 1;
    // Rows of one organization are one line.
    const key = id === null ? `line ${line}` : String(id);
    const known = this.#first.get(key);
    if (known === undefined && this.#first.size === maxFailed) return;
    this.#named += 1;
    if (known !== undefined) return void known.lines.push(line);
    const name = row.values.name === undefined ? '' : `${cut(row.values.name, 60)}: `;
    const why = [...(isDone ? [] : [word]), ...(reason ? [reason] : [])].join(': ');
    const action = actions[word];
    this.#first.set(key, { lines: [line], text: `${name}${why}${action ? `. ${action}` : ''}` });
  }

  /** @param organizations number of organizations that the rows are registered as */
  statements(organizations: number): readonly string[] {
    const rows = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    const parts = [...this.#counts].map(([word, count]) => {
      const isShared = word === 'registered' && organizations < count;
      const as = isShared ? ` as ${plural(organizations, 'organization')}` : '';
      return `${counted.format(count)} ${word}${as}`;
    });
    const failed = `${plural(this.#failed, 'row')} ${this.#failed === 1 ? 'needs' : 'need'} your attention`;
    return [`${plural(rows, 'row')}: ${parts.join(', ')}`, ...(this.#failed === 0 ? [] : [failed])];
  }

  rows(): Labelled {
    const more = this.#failed - this.#named;
    const first = [...this.#first.values()].map(
      ({ lines, text }) => [linesText(lines).replace(/^l/, 'L'), text] as const,
    );
    const rest = [
      'More',
      `${plural(more, 'more row')}: filter carbon_status and carbon_reason`,
    ] as const;
    return more > 0 ? [...first, rest] : first;
  }
}

const maxFailed = 20;

/* What to do about a row whose reason does not say it. */
const actions: Readonly<Record<string, string>> = {
  invalid: 'Correct the cell',
  rejected: 'Correct the cell',
  postponed: 'Run the same command again later',
};

/* Returns how the user's columns look; those of a CSV list get widths that fit. */
function ownColumns(
  texts: readonly string[],
  { source }: Batch['table'],
  storedHeader: readonly WrittenCell[] | undefined,
  numbers: ReadonlySet<number>,
): SheetColumn[] {
  const layout = source.sheet?.layout;
  if (layout === undefined)
    return texts.map((header, index) => ({
      header,
      align: numbers.has(index) ? ('right' as const) : undefined,
    }));
  return texts.map((_, index) => {
    const { width = layout.defaultWidth, isHidden = false } = layout.columns[index] ?? {};
    return { header: inBold(storedHeader?.[index]), layout: { width, isHidden } };
  });
}

function inBold(cell: WrittenCell): WrittenCell {
  if (typeof cell !== 'object' || cell instanceof Date) return cell;
  return { ...cell, style: { ...cell.style, font: 'bold' } };
}

/** Writes the rows of a list with what became of them to the file of -o. */
export function writeOutcomes(session: Session, list: Batch, out: OutFile): Promise<void> {
  const isSynthetic = isOfSandbox(session);
  async function* results() {
    for await (const plan of list.plans(true))
      yield { plan, cells: [...outcomeCells(plan), isSynthetic || null] };
  }
  const columns = [...outcomeColumns, markColumn];
  const added = { columns, results: results(), summary: () => ({ isSynthetic }) };
  return show(
    session,
    {
      csvFile: () => csvResults(list, added),
      workbook: () => workbookResults(list, added),
    },
    out,
  );
}

/** Checks whether the results are synthetic; a run with nothing to send starts no sandbox. */
export function isOfSandbox(session: Session): boolean {
  return session.view.synthetic || session.identity().service === 'sandbox';
}

/** Returns the cells of `outcomeColumns`: what became of a row, and why it is not registered. */
export function outcomeCells(plan: RowPlan): [id: CsvValue, status: string, reason: string] {
  if (plan.step === 'done') return [plan.id, 'registered', ''];
  if (plan.step === 'invalid')
    return [null, 'invalid', plan.problems.map(reportProblem).join('; ')];
  if (plan.step === 'rejected') return [null, 'rejected', describeRejection(plan.error)];
  return plan.postponed === undefined
    ? [null, 'not registered', 'the next run registers it']
    : [null, 'postponed', plan.postponed.message];
}

/** Returns the line of a row that this run has settled. */
export function eventJson(event: RowEvent): string {
  const { line } = event;
  if ('error' in event) return failureJson(line, event.error);
  const { id } = event;
  if (event.kind === 'duplicate')
    return JSON.stringify({ line, ok: true, id, duplicate_of: event.firstLine });
  if (event.kind === 'skipped') return JSON.stringify({ line, ok: true, id, skipped: true });
  const { status, json = 'null', sameIdAs: same_id_as, other: other_organization } = event;
  const head = JSON.stringify({ line, ok: true, id, status, same_id_as, other_organization });
  return `${head.slice(0, -1)},"record":${compactJson(json)}}`;
}

/**
 * Returns the line of a row at the end of a run that did not report it, or that reports all of
 * them. `ok` means that the journal has its ID.
 * @param isRecorded whether the journal has all that this run knows
 */
export function endJson(plan: RowPlan, isRecorded: boolean): string {
  const { line, step, sentAs, failed } = plan;
  const isSent = sentAs !== undefined;
  if (step === 'done' && isSent && isRecorded)
    return JSON.stringify({ line, ok: true, id: plan.id, duplicate_of: sentAs });
  if (step !== 'new' && step !== 'duplicate' && !(step === 'done' && isSent)) return planJson(plan);
  return failureJson(line, failed ?? notSent);
}

const notSent = new CarbonError('not_sent', 'The run ended before it registered this row');

/** Returns the line of a row in a dry run. */
export function planJson(plan: RowPlan): string {
  const { line } = plan;
  if (plan.step === 'invalid') return failureJson(line, invalidRow(plan.problems));
  if (plan.step === 'rejected') return failureJson(line, plan.error);
  if (plan.step === 'done') return JSON.stringify({ line, ok: true, id: plan.id, skipped: true });
  if (plan.step === 'duplicate')
    return JSON.stringify({ line, ok: true, duplicate_of: plan.firstLine });
  const dropped = plan.dropped.length > 0 ? plan.dropped.map(({ field }) => field) : undefined;
  return JSON.stringify({ line, ok: true, body: plan.registration, dropped });
}

function failureJson(line: number, error: Parameters<typeof errorObject>[0]): string {
  return JSON.stringify({ line, ok: false, error: errorObject(error) });
}
