/* Makes the errors for files whose columns do not show where the spend is. */

import { UsageError } from '../../runtime/carbon-error.ts';
import type { CsvDialect } from '../../table/header.ts';
import { mapOption } from '../../table/map-option.ts';
import { splitAmount } from './amounts.ts';
import { readUnits, type SpendHeader } from './spend-header.ts';

type Table = Pick<CsvDialect, 'header' | 'sample'>;

const maxColumns = 12;
const maxHeader = 40;
const maxValue = 30;

/** Makes the error for a file without a known spend column. */
export function missingSpend(table: Table, taken: ReadonlySet<number>): UsageError {
  const { header } = table;
  const shown = header.slice(0, maxColumns).map((_, index) => describe(table, index));
  const more = header.length > maxColumns ? `, and ${header.length - maxColumns} more` : '';
  const likely = header.flatMap((_, index) =>
    !taken.has(index) && holdsAmounts(table, index) ? [index] : [],
  );
  const [only] = likely;
  return invalid(
    `carbon recognizes no column as the spend. The columns, each with a value: ${shown.join(', ')}${more}`,
    only === undefined || likely.length > 1
      ? 'Name the column with --map spend=<column>.'
      : `"${cut(header[only] ?? '', maxHeader)}" may hold it: ${mapOption('spend', header, only)}`,
  );
}

/** Makes the error for a field that several columns may provide. */
export function ambiguousColumns(
  field: 'spend' | string,
  table: Table,
  candidates: readonly number[],
): UsageError {
  const { header } = table;
  const what = field === 'spend' ? 'spend' : 'currency of the spend';
  const shown = candidates.slice(0, maxColumns).map((index) => describe(table, index));
  const options = candidates.slice(0, maxColumns).map((index) => {
    const { year } = field === 'spend' ? readUnits(header[index] ?? '') : {};
    return `${mapOption(field, header, index)}${year === undefined ? '' : ` --spend-year ${year}`}`;
  });
  return invalid(
    `Several columns may hold the ${what}: ${shown.join(', ')}`,
    `Choose one of them: ${options.join(' or ')}`,
  );
}

/** Makes the error for a file whose only identification may be numbers of the user. */
export function doubtfulId(table: Table, index: number): UsageError {
  return invalid(
    `No column holds the names of the suppliers, and ${describe(table, index)} may hold your own numbers`,
    `If it holds the ids of the service: ${mapOption('id', table.header, index)}. Otherwise, choose the column with the names: --map name=<column>.`,
  );
}

/** Makes the error for a header that names thousands or millions. */
export function scaledHeader(
  header: readonly string[],
  index: number,
  { scale = '', factor = 1 }: SpendHeader,
): UsageError {
  const name = factor === 1_000 ? 'thousands' : factor === 1_000_000 ? 'millions' : undefined;
  return invalid(
    `The header "${cut(header[index] ?? '', maxHeader)}" names a scale: "${scale}"`,
    `${name === undefined ? 'Write the complete amounts in this column.' : `If the amounts are in ${name}, use --amounts-in ${name}.`} If they are complete amounts, use --amounts-in units.`,
  );
}

function describe({ header, sample }: Table, index: number): string {
  const value = sample.map(({ cells }) => (cells[index] ?? '').trim()).find(Boolean);
  const column = `"${cut(header[index] ?? '', maxHeader)}"`;
  return value === undefined ? column : `${column} (${cut(value, maxValue)})`;
}

/* Checks whether most values are amounts, and one of them has a decimal or grouping sign. */
function holdsAmounts({ sample }: Table, index: number): boolean {
  const amounts = sample.flatMap(({ cells }) => splitAmount(cells[index] ?? '') ?? []);
  const read = amounts.filter((amount) => typeof amount === 'object');
  return read.length * 2 > amounts.length && read.some(({ body }) => /[.,' ]/.test(body));
}

function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text;
}

function invalid(message: string, hint: string): UsageError {
  return new UsageError(message, hint, 'invalid_input');
}
