/* Reads a sheet of a workbook as a table. Lines are the rows of the sheet. */
import { type Choices, UsageError } from '../../runtime/carbon-error.ts';
import { openWorkbook, type SheetOptions, type Workbook } from '../workbook/open-workbook.ts';
import type { WrittenCell } from '../workbook/sheet-xml.ts';
import { isBlank } from './cell.ts';
import {
  type CsvDialect,
  type CsvDialectOptions,
  findHeaderBelow,
  headLength,
  maxSample,
  type SampleRow,
  withoutHeader,
} from './dialect.ts';
import { type InputFile, otherSheets, visibleSheets } from './input-file.ts';
import { hasResultColumns } from './output-cell.ts';
import { groupRows, padCells, type RowGroup } from './rows.ts';

/*
 * Opens a workbook, chooses a sheet and records it in the input file, whose messages name it.
 * Closes the workbook after `read`.
 */
async function* useSheet<Item>(
  source: InputFile,
  wanted: string | undefined,
  read: (book: Workbook) => AsyncIterable<Item>,
): AsyncGenerator<Item, void, void> {
  const book = await openWorkbook(source.file ?? source.path, source.fileName, wanted);
  source.sheet = book;
  try {
    yield* read(book);
  } finally {
    await book.close();
  }
}

/** The sheets of a workbook. */
export interface SheetNames {
  /** The one that was asked for; otherwise the first visible one. */
  readonly chosen: string;
  readonly all: readonly string[];
  readonly visible: readonly string[];
}

/**
 * Reads which sheets a workbook has.
 * @param wanted the name of a sheet, in any case
 * @throws UsageError if there is no such sheet, or the file is not a workbook that carbon reads
 */
export async function readSheetNames(
  { file, path, fileName }: Pick<InputFile, 'file' | 'path' | 'fileName'>,
  wanted?: string,
): Promise<SheetNames> {
  const book = await openWorkbook(file ?? path, fileName, wanted);
  await book.close();
  const all = [book, ...book.others];
  const visible = all.filter((sheet) => !('isVisible' in sheet) || sheet.isVisible);
  const namesOf = (sheets: readonly { readonly name: string }[]) => sheets.map(({ name }) => name);
  return { chosen: book.name, all: namesOf(all), visible: namesOf(visible) };
}

/** Asks which sheet to read. */
export async function chooseSheet(
  source: Pick<InputFile, 'file' | 'path' | 'fileName'>,
  names: readonly string[],
): Promise<Choices> {
  const { sheetChoices } = await import('./choices.ts');
  return { question: 'Which sheet is the list?', options: await sheetChoices(source, names) };
}

/**
 * Finds the header of a sheet, as `detectDialect` does for CSV.
 *
 * @throws UsageError if the sheet has no header, or the file is not a workbook that carbon reads
 */
export async function detectSheet(
  source: InputFile,
  { encoding, skipLines = 0, sheet }: CsvDialectOptions,
): Promise<CsvDialect> {
  if (encoding !== undefined)
    throw new UsageError(
      `--encoding: ${source.name} is a workbook, which has no character encoding`,
      'Remove --encoding.',
    );
  const head: SampleRow[] = [];
  let length = 0;
  let storedHeader: readonly WrittenCell[] | undefined;
  const read = (book: Workbook) => book.rows({ withStored: true });
  for await (const rows of useSheet(source, sheet, read)) {
    for (const { number, cells, stored } of rows) {
      if (number <= skipLines || cells.every(isBlank)) continue;
      storedHeader ??= stored;
      length += cells.reduce((sum, cell) => sum + cell.length + 1, 0);
      head.push({ line: number, cells });
    }
    if (head.length > maxSample || length > headLength) break;
  }
  const [first, ...others] = head.slice(0, maxSample + 1);
  if (first === undefined)
    throw withoutHeader(
      source,
      skipLines,
      otherSheets(source) ?? 'Choose a sheet with a header line.',
      () => chooseSheet(source, visibleSheets(source)),
    );
  const padded = (width: number, rows: readonly SampleRow[]) =>
    rows.map(({ line, cells }) => ({ line, cells: padCells(cells, width) }));
  const top = [first, ...others].slice(0, 50);
  return {
    header: first.cells,
    isResult: source.sheet?.isMade === true || hasResultColumns(first.cells),
    storedHeader,
    sample: padded(first.cells.length, others),
    below: findHeaderBelow([padded(Math.max(...top.map(({ cells }) => cells.length)), top)]),
    sheet: source.sheet?.name,
    encoding: undefined,
    titles: '',
    delimiter: ',',
    headerLine: first.line,
  };
}

/**
 * Reads the rows of a sheet below the header, without blank ones, as `readRows` does for CSV.
 *
 * Cells to the right of the header are notes: a CSV export has them too, below an empty header.
 *
 * @throws UsageError if the workbook is damaged; LocalError if it changed since it was first read
 */
export async function* readSheet(
  source: InputFile,
  { sheet, header, headerLine }: CsvDialect,
  options: SheetOptions = {},
): AsyncGenerator<RowGroup, void, void> {
  source.checkUnchanged();
  let last = headerLine;
  for await (const group of useSheet(source, sheet, (book) => book.rows(options))) {
    const afterBlank: number[] = [];
    const rows = group.flatMap(({ number: line, cells: given, kinds, shown, links, stored }) => {
      if (line <= headerLine || given.every(isBlank)) return [];
      if (line > last + 1) afterBlank.push(line);
      last = line;
      const cells = padCells(given, header.length);
      return [{ line, cells, problem: undefined, kinds, shown, links, stored }];
    });
    yield { ...groupRows(rows, header), afterBlank };
  }
  source.checkUnchanged();
}
