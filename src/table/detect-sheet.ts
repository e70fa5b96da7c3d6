import { UsageError } from '../runtime/carbon-error.ts';
import type { Workbook } from '../workbook/open-workbook.ts';
import { isBlank } from './cell.ts';
import {
  type CsvDialect,
  type CsvDialectOptions,
  headLength,
  maxSample,
  placeHeader,
  type SampleRow,
} from './dialect.ts';
import { findHeaderBelowRows, padCells } from './header-below.ts';
import type { InputFile } from './input-file.ts';
import { openSheet } from './open-sheet.ts';
import { otherSheets } from './sheet-hint.ts';

/**
 * Finds the header of a sheet, as `detectDialect` does for CSV. Lines are rows of the sheet.
 *
 * @throws UsageError if the sheet has no header, or the file is not a workbook that carbon reads
 */
export async function detectSheet(
  source: InputFile,
  { encoding, skipLines = 0, header: hasHeader = true, sheet }: CsvDialectOptions,
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
      throw new UsageError(
        `${source.name} has no header${below}`,
        otherSheets(source) ?? 'carbon expects a sheet with a header.',
        'invalid_input',
      );
    }
    const width = first.cells.length;
    const rows = others.map(({ line, cells }) => ({ line, cells: padCells(cells, width) }));
    const below = () => findHeaderBelowRows([first, ...others]);
    return {
      ...placeHeader(source.name, [first, ...rows], { hasHeader, below }),
      sheet: book.sheet,
      encoding: undefined,
      titles: '',
      delimiter: ',',
      lineEnd: '\n',
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
