/* `carbon footprint --compare` and `--since`: why a footprint differs from an earlier one. */
import type { BridgeItem, BridgeStep } from '../../../../portfolio/footprint/bridge.ts';
import type { LineItem } from '../../../../portfolio/footprint/footprint.ts';
import type { SpendInput } from '../../../../portfolio/footprint/spend/spend-file.ts';
import type { Comparison } from '../../../../portfolio/footprint/views/bridge.ts';
import { invalidInput, UsageError } from '../../../../runtime/carbon-error.ts';
import { emit } from '../../../output/emit.ts';
import type { OutFile } from '../../../output/out-file.ts';
import type { Session } from '../../../session.ts';
import { matchNotice } from './notices.ts';
import { calculate, type FootprintFlags } from './read-input.ts';

type Calculation = Awaited<ReturnType<typeof calculate>>;

/** What is compared: a year of the file, a saved footprint, or only the records of a day. */
interface Compared {
  readonly now: Calculation;
  readonly before: number;
  readonly after: number | null;
  /** The items of the earlier year as they were published. */
  readonly published: readonly LineItem[] | undefined;
  readonly notes: readonly string[];
}

/**
 * Shows the difference to an earlier year, and to earlier records, and returns the exit code of a
 * footprint: 0 if all line items are covered, otherwise 9.
 * @throws UsageError if the years cannot be compared
 */
export async function showBridge(
  session: Session,
  input: SpendInput,
  options: FootprintFlags,
  target: OutFile | undefined,
): Promise<number> {
  const { bridge } = await import('../../../../portfolio/footprint/bridge.ts');
  const compared = await read(session, input, options);
  const { now, before, after, published, notes } = compared;
  const today = itemsOf(now);
  const earlier = published ?? (await earlierItems(session, input, options, before));
  const groups = new Set(today.flatMap(({ group }) => group ?? []));
  const inYear = (items: readonly BridgeItem[], year: number) =>
    items.filter(({ spend_year: each }) => each === year);
  const steps: BridgeStep[] = [];
  if (earlier !== undefined)
    steps.push(bridge('restated', inYear(grouped(earlier, groups), before), inYear(today, before)));
  if (after !== null) steps.push(bridge('years', inYear(today, before), inYear(today, after)));
  const { since = null } = options;
  const isSaved = published !== undefined;
  await output(session, { steps, before, after, since, isSaved, notes }, now, target);
  const { summary } = now.result;
  session.messages.print(matchNotice(summary));
  return summary.line_items === summary.covered_line_items ? 0 : 9;
}

/* Reads the file once, with the rows of a saved footprint as well. */
async function read(
  session: Session,
  input: SpendInput,
  options: FootprintFlags,
): Promise<Compared> {
  const { compare, year } = options;
  const { name } = input;
  if (compare === undefined) {
    const now = await calculate(session, input, options);
    const only = onlyYear(now.fileYears, name);
    return { now, before: only, after: null, published: undefined, notes: [] };
  }
  if (!/^\d{4}$/.test(compare)) return readSaved(session, input, options, compare);
  const before = Number(compare);
  const years = year === undefined ? undefined : [before, year];
  const now = await calculate(session, input, options, { years });
  const all = now.fileYears;
  if (!all.includes(before))
    throw invalidInput(
      `${name} has no spend of ${before}`,
      `It has ${listing(all.map((each) => String(each ?? 'spend without a year')))}.`,
    );
  const others = all.filter((each) => each !== before);
  const after = year ?? (others.length === 0 ? before : onlyYear(others, name, all));
  checkOrder(compare, before, after);
  return { now, before, after, published: undefined, notes: [] };
}

async function readSaved(
  session: Session,
  input: SpendInput,
  options: FootprintFlags,
  path: string,
): Promise<Compared> {
  const { readBase, rowsOf } = await import('../../../../portfolio/footprint/base.ts');
  const base = await readBase(path, options);
  const now = await calculate(session, input, options, { rows: rowsOf(base) });
  const after = options.year ?? onlyYear(now.fileYears, input.name);
  checkOrder(path, base.year, after);
  const { version } = now.result.summary.method;
  const isOther = base.version !== null && base.version !== version;
  const notes = isOther
    ? [`${path} was calculated by carbon ${base.version}, this by ${version}`]
    : [];
  return { now, before: base.year, after, published: base.items, notes };
}

function checkOrder(compare: string, before: number, after: number): void {
  if (before >= after)
    throw new UsageError(
      `--compare ${compare} is not before ${after}`,
      'Compare with an earlier year, or choose the later one with --year.',
    );
}

/* Returns the one year that a comparison is about. */
function onlyYear(
  years: readonly (number | null)[],
  name: string,
  all: readonly (number | null)[] = years,
): number {
  const [year = null] = years;
  if (years.length > 1)
    throw invalidInput(
      `${name} has spend of ${listing(all.map((each) => String(each ?? 'no year')))}`,
      'Choose the later one with --year.',
    );
  if (year === null)
    throw invalidInput(
      `${name} does not name the year of its spend`,
      'Name it with --spend-year, or choose its column with --map spend_year=<column>.',
    );
  return year;
}

function listing(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/* The items with the records of the day of `--since`; undefined without one. */
async function earlierItems(
  session: Session,
  input: SpendInput,
  options: FootprintFlags,
  year: number,
): Promise<readonly LineItem[] | undefined> {
  const { since } = options;
  if (since === undefined) return undefined;
  const reading = { years: [year], isAgain: true };
  const { result } = await calculate(session, input, { ...options, at: since }, reading);
  return [...result.items()];
}

/* The items with the group of each: suppliers of one matched organization. */
function itemsOf({ result }: Calculation): BridgeItem[] {
  const items = [...result.items()];
  return result.entries.flatMap(({ group: { supplier, record } }, at) => {
    const item = items[at];
    const group = supplier.members === undefined ? null : String(record?.matched?.id ?? '');
    return item === undefined ? [] : [{ ...item, group: group || null }];
  });
}

function grouped(items: readonly LineItem[], groups: ReadonlySet<string>): BridgeItem[] {
  return items.map((item) => {
    const group = String(item.matched_id ?? '');
    return { ...item, group: groups.has(group) ? group : null };
  });
}

async function output(
  session: Session,
  comparison: Comparison,
  { result: { summary } }: Calculation,
  target: OutFile | undefined,
): Promise<void> {
  const views = await import('../../../../portfolio/footprint/views/bridge.ts');
  if (target === undefined && session.format === 'human')
    return session.print(await views.renderBridge(comparison, summary, session.view));
  const columns = views.comparedColumns;
  await emit(session, { name: 'Changes', columns }, views.comparedRows(comparison), target);
  if (session.format === 'json')
    session.printJson(
      JSON.stringify({ summary: { ...summary, ...views.bridgeMembers(comparison) } }),
    );
}
