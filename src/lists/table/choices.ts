/* The ways to read a table, as a terminal offers them: its columns and its first lines. */

import { cut } from '../../display/terminal/format.ts';
import { sanitize } from '../../display/terminal/sanitize.ts';
import type { Choice, Choices } from '../../runtime/carbon-error.ts';
import { openWorkbook } from '../workbook/open-workbook.ts';
import { cellValue, isBlank } from './cell.ts';
import type { InputFile } from './input-file.ts';
import { mapPair } from './map-option.ts';

/** The beginning of a table. */
interface TableStart {
  readonly header: readonly string[];
  readonly sample: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

const maxSheets = 12;
const maxColumns = 12;
const maxValues = 3;
const maxValueLength = 30;
const maxHeaderLength = 40;

/** Offers columns for a field, each with its first three values. */
export function columnChoices(
  { header, sample }: TableStart,
  field: string,
  indexes: readonly number[],
): Choice[] {
  return indexes.slice(0, maxColumns).map((index) => {
    const column = header[index] ?? '';
    const isPlain = sanitize(column) === column;
    const values = sample.flatMap(({ cells }) => cellValue(field, cells[index] ?? '') ?? []);
    return {
      label: column.trim() === '' ? `Column ${index + 1}` : cut(column, maxHeaderLength),
      hint: firstValues(values),
      // A line with control characters cannot be copied.
      add: ['--map', isPlain ? mapPair(field, header, index) : `${field}=#${index + 1}`],
    };
  });
}

function firstValues(values: readonly string[]): string {
  const shown = values.slice(0, maxValues).map((value) => cut(value, maxValueLength));
  return shown.length === 0 ? 'empty' : shown.join(', ');
}

const maxLines = 6;
const maxCells = 6;

/**
 * Offers the first six lines as the header, each with its cells.
 * @param likely the line that is selected
 */
export function chooseHeader(
  problem: string,
  lines: TableStart['sample'],
  likely: TableStart['sample'][number],
): Choices {
  const filled = lines.filter(({ cells }) => !cells.every(isBlank));
  const first = filled.slice(0, maxLines);
  const shown = first.some(({ line }) => line === likely.line) ? first : [...first, likely];
  return {
    problem,
    question: 'Which line is the header?',
    options: shown.map(({ line, cells }) => ({
      label: `Line ${line}`,
      hint: firstCells(cells),
      add: ['--skip-lines', String(line - 1)],
      without: ['--skip-lines'],
    })),
    initial: shown.findIndex(({ line }) => line === likely.line),
  };
}

/* Shows the first cells of a row that have a value. */
function firstCells(cells: readonly string[]): string {
  return cells
    .filter((cell) => !isBlank(cell))
    .slice(0, maxCells)
    .map((cell) => cut(cell.trim(), maxValueLength))
    .join(', ');
}

/** Offers sheets of a workbook, each with its first cells. */
export async function sheetChoices(
  { file, path, fileName }: Pick<InputFile, 'file' | 'path' | 'fileName'>,
  names: readonly string[],
): Promise<Choice[]> {
  const choices: Choice[] = [];
  for (const name of names.slice(0, maxSheets)) {
    const book = await openWorkbook(file ?? path, fileName, name);
    let cells: readonly string[] = [];
    for await (const rows of book.rows()) {
      cells = rows.find((row) => !row.cells.every(isBlank))?.cells ?? [];
      if (cells.length > 0) break;
    }
    await book.close();
    choices.push({
      label: `Sheet "${cut(name, maxHeaderLength)}"`,
      hint: firstCells(cells) || 'empty',
      add: ['--sheet', name],
      without: ['--sheet'],
    });
  }
  return choices;
}
