/* Reads a footprint that `carbon footprint --json` saved, as the base of a comparison. */
import { isObject, type OrganizationId } from '../../client/api/ids.ts';
import { quoteWords } from '../../display/terminal/sanitize.ts';
import { invalidInput } from '../../runtime/carbon-error.ts';
import { DocumentReader } from '../records/json-documents.ts';
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
 * @throws UsageError for another file, for one without its last line, for several years, and for
 * another unit or boundary
 */
export function readBase(path: string, bytes: Buffer, options: MethodOptions): SavedFootprint {
  const items: LineItem[] = [];
  let summary: Readonly<Record<string, unknown>> | undefined;
  for (const value of documents(path, bytes)) {
    if (isItem(value)) items.push(value);
    else if (isObject(value) && isObject(value['summary'])) summary = value['summary'];
    else throw notFootprint(path);
  }
  if (items.length === 0 && summary === undefined) throw notFootprint(path);
  if (summary === undefined)
    throw invalidInput(
      `${path} has no summary, so it may be incomplete`,
      `Save it again: ${saving(path)}`,
    );
  checkMethod(path, summary, options);
  const method = isObject(summary['method']) ? summary['method'] : {};
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    items,
    year: yearOf(path, items),
    recordsTo: text(summary['records_to']),
    method,
  };
}

/* Yields nothing but a value that is no item for text that is no JSON. */
function* documents(path: string, bytes: Buffer): Generator<unknown> {
  const reader = new DocumentReader(path);
  try {
    for (const { value } of reader.push(bytes)) yield value;
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

function saving(path: string): string {
  const file = path.replace(/\.\w+$/, '');
  return `carbon footprint ${quoteWords([`${file}.csv`])} --json > ${quoteWords([`${file}.ndjson`])}`;
}

function notFootprint(path: string) {
  return invalidInput(`${path} is not a footprint`, `Save one: ${saving(path)}`);
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

function yearOf(path: string, items: readonly LineItem[]): number {
  const years = new Set(items.map(({ spend_year: year }) => year));
  const [year = null] = years;
  if (years.size > 1)
    throw invalidInput(
      `${path} has ${years.size} years`,
      `Save one with --year: ${saving(path).replace(' --json', ' --year 2024 --json')}`,
    );
  if (year === null)
    throw invalidInput(
      `${path} does not name the year of its spend`,
      `Save it again with its year: ${saving(path).replace(' --json', ' --spend-year 2024 --json')}`,
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
