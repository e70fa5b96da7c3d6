/* Reads a sheet of a workbook as a table. Lines are the rows of the sheet. */
import { invalidInput, UsageError } from '../runtime/carbon-error.ts';
import { openWorkbook, type Workbook } from '../workbook/open-workbook.ts';
import type { SheetRow } from '../workbook/sheet-rows.ts';
import { isBlank } from './cell.ts';
import {
  type CsvDialect,
  type CsvDialectOptions,
  findHeaderBelowRows,
  headLength,
  isHeader,
  isSeparator,
  maxSample,
  padCells,
  type SampleRow,
  separatorProblem,
} from './header.ts';
import { type InputFile, otherSheets } from './input-file.ts';
import type { Row, RowGroup } from './rows.ts';

/*
 * Opens a workbook, chooses a sheet and records it in the input file, whose messages name it.
 *
 * @param wanted name of the sheet; by default the first visible one
 * @throws UsageError and LocalError as `openWorkbook`
 */
async function openSheet(source: InputFile, wanted: string | undefined): Promise<Workbook> {
  const book = await openWorkbook(source.file ?? source.path, source.fileName, wanted);
  source.sheet = book;
  return book;
}

/**
 * Finds the header of a sheet, as `detectDialect` does for CSV. Lines are rows of the sheet.
 *
 * @throws UsageError if the sheet has no header, or the file is not a workbook that carbon reads
 */
export async function detectSheet(
  source: InputFile,
  { encoding, skipLines = 0, sheet }: CsvDialectOptions,
): Promise<CsvDialect> {
  if (encoding !== undefined) {
    throw new UsageError(
      `--encoding: ${source.name} is a workbook, which has no character encoding`,
      'Remove --encoding.',
    );
  }
  const book = await openSheet(source, sheet);
  try {
    const [first, ...others] = await readHead(book, skipLines);
    if (first === undefined) {
      const below = skipLines > 0 ? ` below the ${skipLines} skipped lines` : '';
      const hint = otherSheets(source) ?? 'carbon expects a sheet with a header.';
      throw invalidInput(`${source.name} has no header${below}`, hint);
    }
    const width = first.cells.length;
    const rows = others.map(({ line, cells }) => ({ line, cells: padCells(cells, width) }));
    const below = findHeaderBelowRows([first, ...others]);
    return {
      header: first.cells,
      sample: rows,
      below,
      sheet: book.name,
      encoding: undefined,
      titles: '',
      delimiter: ',',
      headerLine: first.line,
    };
  } finally {
    await book.close();
  }
}

async function readHead(book: Workbook, skipLines: number): Promise<SampleRow[]> {
  const head: SampleRow[] = [];
  let length = 0;
  for await (const rows of book.rows()) {
    for (const { number, cells } of rows) {
      if (number <= skipLines || cells.every(isBlank)) continue;
      length += cells.reduce((sum, cell) => sum + cell.length + 1, 0);
      head.push({ line: number, cells });
      if (head.length > maxSample || length > headLength) return head;
    }
  }
  return head;
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
): AsyncGenerator<RowGroup, void, void> {
  await source.checkUnchanged();
  const book = await openSheet(source, sheet);
  try {
    for await (const group of book.rows()) {
      const rows: Row[] = [];
      const headers: number[] = [];
      for (const row of group) {
        if (row.number <= headerLine || (row.cells.every(isBlank) && row.errors === undefined))
          continue;
        const cells = padCells(row.cells, header.length);
        if (isHeader(cells, header)) headers.push(row.number);
        else rows.push(toRow(row, cells));
      }
      if (rows.length > 0 || headers.length > 0) yield { rows, headers };
    }
  } finally {
    await book.close();
  }
  await source.checkUnchanged();
}

function toRow({ number, kinds, errors }: SheetRow, cells: readonly string[]): Row {
  const problem = isSeparator(cells) ? separatorProblem : undefined;
  const row = { line: number, cells, problem, kinds };
  if (errors === undefined) return row;
  return { ...row, exported: cells.map((cell, column) => errors.get(column) ?? cell) };
}
