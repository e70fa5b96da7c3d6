/* Reads a footprint that `carbon footprint --json` saved, as the base of a comparison. */
import { Readable } from 'node:stream';
import { isObject, type OrganizationId } from '../../client/api/ids.ts';
import { quoteWords } from '../../display/terminal/sanitize.ts';
import { invalidInput } from '../../runtime/carbon-error.ts';
import { DocumentReader, utf8Of } from '../records/json-documents.ts';
import type { Decimal } from './decimal.ts';
import type { LineItem } from './footprint.ts';
import type { MethodOptions } from './line-item.ts';
import type { SpendRow } from './spend/spend-file.ts';

export interface SavedFootprint {
  /** As published. */
  readonly items: readonly LineItem[];
  /** The year of its spend. */
  readonly year: number;
  /** Days of the first and the last retrieval of its records, ISO 8601; null if unknown. */
  readonly recordsTo: string | null;
  /** How it was calculated: the members of `method`, each undefined if unknown. */
  readonly method: Readonly<Record<string, unknown>>;
}

/**
 * Reads a saved footprint of one year, in the unit and within the boundary of this run.
 *
 * @param file the input that it is compared with, for hints
 * @throws UsageError for another file, for one without its last line, for several years, and for
 * another unit or boundary
 */
export async function readBase(
  path: string,
  bytes: Buffer,
  file: string,
  options: MethodOptions,
): Promise<SavedFootprint> {
  const items: LineItem[] = [];
  let summary: Readonly<Record<string, unknown>> | undefined;
  for await (const value of documents(path, bytes)) {
    if (isItem(value)) items.push(value);
    else if (isObject(value) && isObject(value['summary'])) summary = value['summary'];
    else throw notFootprint(path, file);
  }
  if (items.length === 0 && summary === undefined) throw notFootprint(path, file);
  if (summary === undefined)
    throw invalidInput(
      `${path} has no summary, so it may be incomplete`,
      `Save it again: ${saving(file, path)}`,
    );
  checkMethod(path, summary, options);
  const method = isObject(summary['method']) ? summary['method'] : {};
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    items,
    year: yearOf(path, items, file),
    recordsTo: text(summary['records_to']),
    method,
  };
}

/* Yields nothing but a value that is no item for text that is no JSON. */
async function* documents(path: string, bytes: Buffer): AsyncGenerator<unknown> {
  const reader = new DocumentReader(path);
  try {
    for await (const chunk of utf8Of({ name: path, bytes: Readable.from([bytes]) }))
      for (const { value } of reader.push(chunk)) yield value;
    const last = reader.end();
    if (last !== undefined) yield last.value;
  } catch {
    yield undefined;
  }
}

function isItem(value: unknown): value is LineItem {
  return (
    isObject(value) &&
    Array.isArray(value['lines']) &&
    typeof value['spend'] === 'number' &&
    'spend_year' in value &&
    'emissions' in value
  );
}

/* The command that saves the footprint of an earlier year to a file. */
function saving(file: string, path: string, option = '--year'): string {
  return `carbon footprint ${quoteWords([file])} ${option} 2024 --json > ${quoteWords([path])}`;
}

/* A file with spend or records may be the reader's own: the command writes another. */
function notFootprint(path: string, file: string) {
  const other = `${path.replace(/\.\w+$/, '')}.footprint.ndjson`;
  return invalidInput(
    `${path} is not a footprint`,
    `Save one of an earlier year, such as: ${saving(file, other)}`,
  );
}

function checkMethod(
  path: string,
  saved: Readonly<Record<string, unknown>>,
  { boundary, unit }: MethodOptions,
): void {
  if (saved['boundary'] !== boundary)
    throw invalidInput(
      `${path} has the boundary ${String(saved['boundary'])}, this run ${boundary}`,
      'Use the same: --boundary <name>',
    );
  const units = [saved['unit'], unit].map((each) => String(each ?? 'unknown'));
  if (units[0] !== units[1])
    throw invalidInput(
      `${path} has the unit ${units[0]}, this run ${units[1]}`,
      'Use the same: --unit <unit>',
    );
}

function yearOf(path: string, items: readonly LineItem[], file: string): number {
  const years = new Set(items.map(({ spend_year: year }) => year));
  const [year = null] = years;
  if (years.size > 1)
    throw invalidInput(
      `${path} has ${years.size} years`,
      `Save one with --year, such as: ${saving(file, path)}`,
    );
  if (year === null)
    throw invalidInput(
      `${path} does not name the year of its spend`,
      `Save it again with its year: ${saving(file, path, '--spend-year')}`,
    );
  return year;
}

/** Returns the rows that a saved footprint was calculated from, to calculate them again. */
export function rowsOf({ items }: SavedFootprint): SpendRow[] {
  return items.map((item) => ({
    line: item.lines[0] ?? 0,
    name: item.supplier ?? undefined,
    region: item.hq_region ?? undefined,
    id: (item.id as OrganizationId | null) ?? undefined,
    isRecorded: item.matched_by === 'journal',
    isRejected: item.uncovered === 'rejected',
    externalId: undefined,
    identifiers: [],
    spend: decimalOf(item.spend),
    currency: item.currency ?? undefined,
    year: item.spend_year ?? undefined,
    category: item.category ?? undefined,
  }));
}

/* The shortest decimal number that is nearest to the double, as JSON has it. */
function decimalOf(value: number): Decimal {
  const [digits = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = digits.split('.');
  const scale = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}
