/* Compares a footprint with an earlier year, a saved one, or the records of an earlier day. */
import { listing } from '../../display/terminal/format.ts';
import { invalidInput, UsageError } from '../../runtime/carbon-error.ts';
import type { ListToCorrect } from '../organizations/correction.ts';
import { recordsThen } from '../records/dates.ts';
import { readBase, rowsOf, type SavedFootprint } from './base.ts';
import { type BridgeStep, bridge } from './bridge.ts';
import { type BridgeItem, bridgeItemsOf } from './bridge-cells.ts';
import { type Calculate, type Calculation, yearList, yearSelection } from './calculation.ts';
import type { LineItem } from './footprint.ts';
import type { MethodOptions } from './line-item.ts';
import type { FootprintSummary } from './totals.ts';

/** A comparison of footprints: restated with other records, from year to year, or both. */
export interface Comparison {
  readonly steps: readonly BridgeStep[];
  /** The year that is compared, and the later one; null if they are one. */
  readonly before: number;
  readonly after: number | null;
  /** The day of the earlier records, `YYYY-MM-DD`; null without one. */
  readonly since: string | null;
  /** Whether the earlier footprint is a saved one. */
  readonly isSaved: boolean;
  /** What differs besides records and spend, in sentences. */
  readonly notes: readonly string[];
  /** The file, if its records are those of its own rows. */
  readonly list?: ListToCorrect | undefined;
}

export interface CompareOptions extends MethodOptions {
  /** A year of the file, or the path of a saved footprint. */
  readonly compare?: string | undefined;
  /** `YYYY-MM-DD` */
  readonly since?: string | undefined;
  /** The later year. */
  readonly year?: number | undefined;
}

/**
 * Compares the footprint of a file with an earlier one.
 *
 * @param file the name of the file, for messages
 * @param read returns the content of a saved footprint
 * @throws UsageError if the years cannot be compared
 */
export async function compareFootprints(
  file: string,
  options: CompareOptions,
  calculate: Calculate,
  read: (path: string) => Promise<Buffer>,
): Promise<{ readonly comparison: Comparison; readonly now: Calculation }> {
  const compared = await findYears(file, options, calculate, read);
  const { now, before, after, published, notes } = compared;
  const { since } = options;
  const today = bridgeItemsOf(now.result.entries);
  const then = published === undefined && since ? await itemsAt(since, before, calculate) : null;
  const earlier = published ?? then?.items;
  const groups = new Set(today.flatMap(({ group }) => group ?? []));
  const inYear = (items: readonly BridgeItem[], year: number) =>
    items.filter(({ spend_year: each }) => each === year);
  const steps: BridgeStep[] = [];
  if (earlier)
    steps.push(bridge('restated', inYear(grouped(earlier, groups), before), inYear(today, before)));
  if (after !== null) steps.push(bridge('years', inYear(today, before), inYear(today, after)));
  const isSaved = published !== undefined;
  const all = [...(then === null ? [] : [then.note]), ...notes];
  const list = now.toCorrect;
  const of = { before, after, since: since ?? null, isSaved };
  return { comparison: { steps, ...of, notes: all, list }, now };
}

/* What is compared: a year of the file, a saved footprint, or only the records of a day. */
interface Compared {
  readonly now: Calculation;
  readonly before: number;
  readonly after: number | null;
  /** The items of the earlier year as they were published. */
  readonly published: readonly LineItem[] | undefined;
  readonly notes: readonly string[];
}

async function findYears(
  file: string,
  options: CompareOptions,
  calculate: Calculate,
  read: (path: string) => Promise<Buffer>,
): Promise<Compared> {
  const { compare, year } = options;
  if (compare === undefined) {
    const now = await calculate();
    const only = onlyYear(now.fileYears, file);
    return { now, before: only, after: null, published: undefined, notes: [] };
  }
  if (!/^\d{4}$/.test(compare)) {
    const base = await readBase(compare, await read(compare), file, options);
    if (year !== undefined) checkOrder(compare, base.year, year);
    const now = await calculate({ rows: rowsOf(base) });
    const after = year ?? onlyYear(now.fileYears, file);
    checkOrder(compare, base.year, after);
    const notes = methodNotes(compare, base, { ...now.result.summary.method, year: after });
    return { now, before: base.year, after, published: base.items, notes };
  }
  const before = Number(compare);
  if (year !== undefined) checkOrder(compare, before, year);
  const now = await calculate({ years: year === undefined ? undefined : [before, year] });
  const all = now.fileYears;
  if (!all.includes(before))
    throw invalidInput(`${file} has no spend of ${before}`, hintAtYears(now, year));
  if (year !== undefined && !all.includes(year))
    throw invalidInput(
      `${file} has no spend of ${year}`,
      `Choose from its years: ${listing(yearsIn(now))}.`,
    );
  const others = all.filter((each) => each !== before);
  const after = year ?? (others.length === 0 ? before : onlyYear(others, file, all));
  checkOrder(compare, before, after);
  return { now, before, after, published: undefined, notes: [] };
}

/* Returns all years of a file, whether they were selected or not. */
function yearsIn({ fileYears, otherYears }: Calculation): readonly number[] {
  const years = new Set([...fileYears.flatMap((each) => each ?? []), ...otherYears]);
  return [...years].sort((a, b) => a - b);
}

/* Proposes the years of a file that can be compared with a year, by default with its newest one. */
function hintAtYears(now: Calculation, year: number | undefined): string {
  const years = yearsIn(now);
  const before = years.filter((each) => each < (year ?? Math.max(...years)));
  return before.length === 0
    ? 'Compare with a saved footprint: --compare <file>.'
    : `Use ${before.map((each) => `--compare ${each}`).join(' or ')}.`;
}

/* Says in which choices a saved footprint differs from this one. */
function methodNotes(
  file: string,
  { method: then, year }: SavedFootprint,
  now: FootprintSummary['method'] & { readonly year: number },
): string[] {
  const { version: by, selection: saved, max_factor_age: years } = then;
  const { version, max_factor_age: age } = now;
  const rowsIn = (selection: readonly unknown[], of: number) => {
    const chosen = selection.filter((each) => each !== yearSelection([of]));
    return chosen.length === 0 ? 'all rows' : `the rows ${chosen.join(' and ')}`;
  };
  const rows = rowsIn(now.selection, now.year);
  return [
    ...(typeof by === 'string' && by !== version
      ? [`${file} was calculated by carbon ${by}, this by ${version}`]
      : []),
    ...(Array.isArray(saved) && rowsIn(saved, year) !== rows
      ? [`${file} has ${rowsIn(saved, year)}, this run ${rows}`]
      : []),
    ...(typeof years === 'number' && years !== age
      ? [`${file} was calculated with --max-factor-age ${years}, this with ${age}`]
      : []),
  ];
}

function checkOrder(compare: string, before: number, after: number): void {
  if (before >= after)
    throw new UsageError(
      `--compare ${compare} is not before ${after}`,
      before > after && compare === String(before)
        ? `Did you mean --compare ${after} --year ${before}?`
        : 'Compare with an earlier year, or choose the later year with --year.',
    );
}

/* Returns the one year that a comparison is about. */
function onlyYear(years: readonly (number | null)[], file: string, all = years): number {
  const [year = null] = years;
  if (years.length > 1)
    throw invalidInput(
      `${file} has spend of more than one year: ${yearList(all)}`,
      `Choose the later year, such as --year ${Math.max(...all.map(Number))}.`,
    );
  if (year === null)
    throw invalidInput(
      `${file} does not name the year of its spend`,
      'Name it with --spend-year, or choose its column with --map spend_year=<column>.',
    );
  return year;
}

/* The items with the records of a day. */
async function itemsAt(day: string, year: number, calculate: Calculate) {
  const { result } = await calculate({ years: [year], isAgain: true, at: day });
  return { items: [...result.items()], note: recordsThen(day, result.summary) };
}

function grouped(items: readonly LineItem[], groups: ReadonlySet<string>): BridgeItem[] {
  return items.map((item) => {
    const group = String(item.matched_id ?? '');
    return { ...item, group: groups.has(group) ? group : null };
  });
}
