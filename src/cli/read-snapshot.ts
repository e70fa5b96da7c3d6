import { comparableId } from '../api/ids.ts';
import { chooseKept, isComplete } from '../list/kept-files.ts';
import { type InputRecords, openInputs } from '../records/files.ts';
import {
  type Counts,
  LatestRecords,
  type OnRecord,
  type Reduce,
  readSnapshot,
  requireRecords,
} from '../records/records.ts';
import { CarbonError } from '../runtime/carbon-error.ts';
import type { StoredFacts, StoredRecords, ViewOptions } from '../sync/view.ts';
import { dateText, naming, plural } from '../terminal/format.ts';
import { fileWord } from './input-table.ts';
import { keepWords } from './options.ts';
import type { Session } from './session.ts';

export type StoreView = ViewOptions;

/** Opens files of records and lists; `-` is standard input. */
export function openRecords(
  { context, flags }: Session,
  paths: readonly string[],
  view: StoreView = {},
): Promise<InputRecords[]> {
  const { signal, env } = context;
  const currency = env['CARBON_CURRENCY'] || undefined;
  const options = { currency, sandbox: flags.sandbox, ...view };
  return openInputs(paths, { ...options, stdin: () => context.stdin, signal });
}

/**
 * Reads records, and reports from when those of a list are, and what it skips.
 * @param take receives each record in the order of the input
 * @throws UsageError if there is no record
 */
export async function readRecords(
  session: Session,
  inputs: readonly InputRecords[],
  take: OnRecord,
  view: StoreView = {},
): Promise<Counts> {
  const { context, messages } = session;
  for (const { name, stored } of inputs)
    if (stored !== undefined) await reportStored(session, name, stored, view);
  context.expectFewRecords(true);
  let records = 0;
  const counts = await readSnapshot(inputs, (record, key, source) => {
    records += 1;
    if (records === 1_000) context.expectFewRecords(false);
    if (records % 1_000 === 0) context.limitYoungGeneration(16);
    return take(record, key, source);
  });
  for (const where of counts.truncated)
    messages.warn(`carbon skipped ${where}: the input ends in the middle of it.`);
  if (counts.unexpected > 0)
    messages.warn(
      `carbon skipped values of an unexpected type in ${plural(counts.unexpected, 'record')}.`,
    );
  requireRecords(counts, inputs);
  return counts;
}

/**
 * Reads what a command needs of the latest record of each organization, and warns where the input
 * does not say which one that is.
 * @param reduce returns what to keep of a record
 * @throws UsageError if there is no record
 */
export async function readLatest<Value>(
  session: Session,
  paths: readonly string[],
  reduce: Reduce<Value>,
  view: StoreView = {},
): Promise<{ readonly latest: LatestRecords<Value>; readonly counts: Counts }> {
  const latest = new LatestRecords<Value>();
  const inputs = await openRecords(session, paths, view);
  const counts = await readRecords(session, inputs, latest.taking(reduce), view);
  const { undecided } = latest;
  if (undecided.length > 0)
    session.messages.warn(
      `${plural(undecided.length, 'organization has', 'organizations have')} different records without a time of retrieval; the last one is used: ${naming(undecided.map(String))}.`,
    );
  return { latest, counts };
}

/** Returns the time of the records of a list, unless a day was given, and how many there are. */
export function describeStored(facts: StoredFacts, at?: string): string[] {
  const { in_progress: inProgress, removed } = facts;
  const times = [facts.oldest, facts.newest];
  const [first, last] = times.map((time) => dateText(time.slice(0, 10)) ?? time);
  const organizations = plural(facts.organizations, 'organization');
  return [
    ...(at === undefined
      ? [`records from ${first === last ? last : `${first} to ${last}`} (UTC)`]
      : []),
    inProgress > 0 ? `${inProgress} of ${organizations} in progress` : organizations,
    ...(removed > 0 ? [`${removed} no longer at the service`] : []),
  ];
}

/* Says from when the records of a list are, and which rows have none. */
async function reportStored(
  session: Session,
  list: string,
  stored: StoredRecords,
  view: StoreView,
): Promise<void> {
  const { messages } = session;
  const { facts, currencies } = stored;
  const { currency } = facts;
  const others = currencies
    .filter((each) => each !== currency)
    .map((each) => each ?? 'the default');
  // What a terminal shows says so itself, under the result.
  const says = session.format === 'human' && session.view.terminal;
  const parts = [
    ...(stored.service === 'sandbox' && !says ? ['synthetic data'] : []),
    ...describeStored(facts, view.at),
    ...(others.length > 0 && currency !== null
      ? [`in ${currency} (also: ${others.join(', ')})`]
      : []),
  ];
  messages.print({
    level: 'progress',
    text: `${list}${view.at === undefined ? '' : ` at the end of ${view.at} (UTC)`}: ${parts.join(', ')}`,
  });
  const { listing_unknown: unknown = 0 } = facts;
  if (unknown > 0)
    messages.warn(
      `${list}: carbon does not know whether ${unknown} of these organizations were listed on ${view.at}, and includes them.`,
    );
  const missing = view.at === undefined ? await rowsWithoutRecord(session, list, stored, view) : 0;
  if (missing > 0)
    messages.print({
      level: 'finding',
      text: `${plural(missing, 'row')} of ${list} ${missing === 1 ? 'has' : 'have'} no record. To retrieve missing records, or to see why they are missing: ${syncCommand(session, list, stored, view)}`,
    });
}

/**
 * Returns the command that retrieves the records of a list, from the service of those it has.
 * @param words further options
 */
export function syncCommand(
  session: Session,
  list: string,
  stored: Pick<StoredRecords, 'service'> | undefined,
  { keep }: StoreView,
  words: readonly string[] = [],
): string {
  const sandbox = stored?.service === 'sandbox' ? ['--sandbox'] : [];
  return session.quote('carbon', 'sync', fileWord(list), ...words, ...keepWords(keep), ...sandbox);
}

/* The list may be gone, or need options that only `carbon sync` has. */
async function rowsWithoutRecord(
  { context, flags: { sandbox } }: Session,
  path: string,
  { ids }: StoredRecords,
  { keep }: StoreView,
): Promise<number> {
  if (isComplete(path, chooseKept(path, { keep, sandbox }))) return 0;
  const { openOrganizationList } = await import('../list/ids.ts');
  let missing = 0;
  try {
    const { rows } = await openOrganizationList({ path, keep, sandbox, signal: context.signal });
    for await (const group of rows())
      for (const { id } of group) if (id === undefined || !ids.has(comparableId(id))) missing += 1;
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof CarbonError)) throw error;
  }
  return missing;
}
