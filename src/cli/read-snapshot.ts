import { comparableId } from '../client/api/ids.ts';
import { dateText, naming, plural } from '../display/terminal/format.ts';
import { chooseKept, findStores, isComplete } from '../lists/kept/paths.ts';
import type { StoredFacts, StoredRecords, ViewOptions } from '../lists/kept/view.ts';
import type { IdentifyingColumn } from '../lists/list/columns.ts';
import {
  type Correction,
  correctionAt,
  newColumnWords,
} from '../portfolio/organizations/correction.ts';
import { recordDays } from '../portfolio/records/dates.ts';
import { type InputRecords, openInputs } from '../portfolio/records/files.ts';
import type { FindRows, ListedRows } from '../portfolio/records/listed-rows.ts';
import {
  type Counts,
  LatestRecords,
  type OnRecord,
  type Reduce,
  readSnapshot,
  requireRecords,
} from '../portfolio/records/records.ts';
import { CarbonError } from '../runtime/carbon-error.ts';
import { flattenString } from '../runtime/flatten-string.ts';
import { fileWord } from './input-table.ts';
import type { Notice } from './messages.ts';
import { keepWords, readCurrency } from './options.ts';
import type { OutFile } from './output/out-file.ts';
import { isForm } from './output/show.ts';
import type { Session } from './session.ts';

export type StoreView = ViewOptions & {
  /** The file of -o, which a terminal does not show. */
  readonly out?: OutFile | undefined;
  /** Whether the same records were read before, so that nothing is reported again. */
  readonly isReported?: boolean | undefined;
  /** Whether the result has no revenue and no factor, so that no currency matters. */
  readonly hasNoMoney?: boolean | undefined;
  /** Whether the result itself says from when the records are. */
  readonly saysDays?: boolean | undefined;
  /**
   * Tells whether the result says what to do about rows that the service rejected, or cannot have
   * them; asked when it is shown in a terminal, otherwise before.
   * @param areNotFound whether it found no organization for any of them
   */
  readonly saysRejected?: ((areNotFound: boolean) => boolean) | undefined;
  /** Receives what to say about the lists after the result, which otherwise comes before it. */
  readonly later?: AboutList[] | undefined;
};

/** What is unusual about the records of a list. */
export interface AboutList {
  /** The list, and the day that was chosen. */
  readonly list: string;
  readonly text: string;
}

/** Prints what is unusual about lists. */
export function printAbout({ messages }: Session, lists: readonly AboutList[]): void {
  for (const { list, text } of lists)
    messages.print({ level: 'progress', text: `${list}: ${text}` });
}

/** Opens files of records and lists; `-` is standard input. */
export async function openRecords(
  session: Session,
  paths: readonly string[],
  view: StoreView = {},
): Promise<InputRecords[]> {
  const { context, flags } = session;
  const { signal } = context;
  const currency = await readCurrency(session, view.currency);
  const options = { sandbox: flags.sandbox, ...view, currency };
  return openInputs(paths, { ...options, stdin: () => context.stdin, signal });
}

/** What was counted in the input, and which rows of its lists have no record. */
interface ReadCounts extends Counts {
  readonly missing: readonly string[];
  readonly missingRows: number;
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
): Promise<ReadCounts> {
  const { context, messages } = session;
  const { isReported = false } = view;
  const missing: string[] = [];
  let missingRows = 0;
  for (const { name, stored } of isReported ? [] : inputs)
    if (stored !== undefined) {
      const isOnly = inputs.length === 1;
      const without = await reportStored(session, name, stored, { ...view, isOnly });
      missing.push(...without.texts);
      missingRows += without.rows;
    }
  context.expectFewRecords(true);
  let records = 0;
  const counts = await readSnapshot(inputs, (record, key, source) => {
    records += 1;
    if (records === 1_000) context.expectFewRecords(false);
    if (records % 1_000 === 0) context.limitYoungGeneration(16);
    return take(record, key, source);
  });
  for (const where of isReported ? [] : counts.truncated)
    messages.warn(`carbon skipped ${where}: the input ends in the middle of it.`);
  if (counts.unexpected > 0 && !isReported)
    messages.warn(
      `carbon skipped values of an unexpected type in ${plural(counts.unexpected, 'record')}.`,
    );
  requireRecords(counts, inputs);
  return { ...counts, missing, missingRows };
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
): Promise<LatestResult<Value>> {
  const latest = new LatestRecords<Value>(await readCurrency(session, view.currency));
  const inputs = await openRecords(session, paths, view);
  const counts = await readRecords(session, inputs, latest.taking(reduce), view);
  const { undecided } = latest;
  if (undecided.length > 0)
    session.messages.warn(
      `${plural(undecided.length, 'company has', 'companies have')} different records without a time of retrieval; the last one is used: ${naming(undecided.map(String))}.`,
    );
  const areLists = inputs.every(({ stored }) => stored !== undefined);
  const isSaidLater = view.saysDays === true && inputs.length === 1;
  const saidDays = view.at === undefined && areLists && !isSaidLater;
  const { missing, missingRows } = counts;
  return { latest, counts, saidDays, missing, missingRows };
}

/** The latest records, and what else is known of them. */
export interface LatestResult<Value> {
  readonly latest: LatestRecords<Value>;
  readonly counts: Counts;
  /** Whether a line about each list has said of which days its records are. */
  readonly saidDays: boolean;
  /** Which rows of the lists have no record, and what retrieves it. */
  readonly missing: readonly string[];
  /** How many these are. */
  readonly missingRows: number;
}

/** What is read of lists besides their records. */
interface RowsOfLists {
  /** Undefined without a list. */
  readonly rowsOf: FindRows | undefined;
  /** The lists that were read: their services and sheets. */
  readonly lists: readonly Pick<ListedRows, 'service' | 'sheets' | 'identifying'>[];
  /**
   * What to warn of after the records were read, because the same may end with an error there.
   */
  readonly warnings: readonly string[];
}

/**
 * Reads the rows of those files that are lists, to compare their names with the matches of the
 * records.
 */
export async function readRowsOfLists(
  { context, flags }: Session,
  paths: readonly string[],
  { keep, sheet }: StoreView,
): Promise<RowsOfLists> {
  const options = { keep, sandbox: flags.sandbox, sheet, signal: context.signal };
  const lists = paths.filter(
    (path) => path !== '-' && findStores(path, chooseKept(path, options)).length > 0,
  );
  if (lists.length === 0) return { rowsOf: undefined, lists: [], warnings: [] };
  const { readListedRows, rowsIn } = await import('../portfolio/records/listed-rows.ts');
  const read: ListedRows[] = [];
  const warnings: string[] = [];
  for (const path of lists) {
    try {
      read.push(await readListedRows({ path, ...options }));
    } catch (error) {
      context.signal.throwIfAborted();
      if (!(error instanceof CarbonError)) throw error;
      warnings.push(`carbon did not compare names with the list: ${error.message}`);
    }
  }
  return { rowsOf: rowsIn(read), lists: read, warnings };
}

/*
 * Returns the time of the records of a list, unless a day was given, and how many there are; every
 * result begins with the number of an only list.
 */
function describeStored(
  facts: StoredFacts,
  { isOnly, at }: { readonly isOnly: boolean; readonly at?: string | undefined },
): string[] {
  const [records_from, records_to] = [facts.oldest.slice(0, 10), facts.newest.slice(0, 10)];
  const all = plural(facts.organizations, 'company', 'companies');
  const isSaid = isOnly && at === undefined;
  return [
    ...(at === undefined ? [recordDays({ records_from, records_to })] : []),
    ...(isSaid || facts.in_progress > 0 ? [] : [all]),
    ...describeRest(facts),
  ];
}

/* Says what is unusual about the records of a list. */
function describeRest({ organizations, in_progress: inProgress, removed }: StoredFacts): string[] {
  const all = plural(organizations, 'company', 'companies');
  return [
    ...(inProgress > 0 ? [`${inProgress} of ${all} in progress`] : []),
    ...(removed > 0 ? [`${removed} no longer at the service`] : []),
  ];
}

/* Says in which currencies the records are, if the list has several, or not the wanted one. */
function describeCurrencies(
  { currencies, used }: StoredRecords,
  wanted: string | undefined,
): string[] {
  const codes = (all: readonly (string | null)[]) =>
    all.map((each) => each ?? 'the default').join(', ');
  const others = currencies.filter((each) => !used.has(each));
  const also = others.length > 0 ? ` (also: ${codes(others)})` : '';
  const none = wanted === undefined || used.has(wanted) ? '' : `, none in ${wanted}`;
  if (used.size > 1) {
    const numbers = [...used].map(([code, number]) => `${number} in ${codes([code])}`);
    return [`revenue and factors: ${numbers.join(', ')}${none}${also}`];
  }
  const [code = null] = used.keys();
  return others.length > 0 || none !== ''
    ? [`revenue and factors in ${codes([code])}${none}${also}`]
    : [];
}

/* Says from when the records of a list are, and returns which rows have none, in words. */
async function reportStored(
  session: Session,
  list: string,
  stored: StoredRecords,
  view: StoreView & { readonly isOnly: boolean },
): Promise<{ readonly texts: readonly string[]; readonly rows: number }> {
  const { messages } = session;
  const { facts } = stored;
  const wanted = await readCurrency(session, view.currency);
  // What a terminal shows says so itself, under the result.
  const says = isForm(session, 'terminal', view.out);
  const parts = [
    ...(stored.service === 'sandbox' && !says ? ['synthetic data'] : []),
    ...(view.saysDays && view.isOnly ? describeRest(facts) : describeStored(facts, view)),
    ...(view.allCurrencies || view.hasNoMoney ? [] : describeCurrencies(stored, wanted)),
  ];
  if (parts.length > 0) {
    const day = view.at === undefined ? '' : ` at the end of ${dateText(view.at)} (UTC)`;
    const about = { list: `${list}${day}`, text: parts.join(', ') };
    if (view.later === undefined) printAbout(session, [about]);
    else view.later.push(about);
  }
  const { listing_unknown: unknown = 0 } = facts;
  if (unknown > 0)
    messages.warn(
      `${list}: carbon does not know whether ${unknown} of these companies were listed on ${dateText(view.at)}, and includes them.`,
    );
  const texts: string[] = [];
  let rows = 0;
  if (view.at !== undefined) return { texts, rows };
  for (const each of await rowsWithoutRecord(session, list, stored, view)) {
    rows += each.missing + each.rejected;
    const described = describeMissing(session, list, each, { keep: view.keep, ...stored });
    for (const { text, line = text } of described) {
      const notice: Notice = { level: 'finding', text: line };
      const isSaid = () =>
        line !== text && view.saysRejected?.(each.notFound === each.rejected) === true;
      // What the result means is the first line of a screen.
      if (says && view.saysDays) messages.printLast(notice, isSaid);
      else if (!isSaid()) messages.print(notice);
      texts.push(text);
    }
  }
  return { texts, rows };
}

/*
 * Says which rows have no record, and what retrieves it: in a text that a reader has without the
 * list, and in a line if that is long. A rejected row is not sent as it is.
 */
function describeMissing(
  session: Session,
  list: string,
  { sheet, missing, rejected, notFound, names, identifying }: MissingRows,
  { keep, service }: Pick<SyncWords, 'keep' | 'service'>,
): readonly { readonly text: string; readonly line?: string }[] {
  const words = sheet === undefined ? [] : ['--sheet', sheet];
  const of = sheet === undefined ? list : `${list}, sheet "${sheet}"`;
  const sync = syncCommandLine(session, list, { keep, service, words });
  const sheets = sheet === undefined ? [] : [sheet];
  const corrected = correctionIn(session, list, { keep, service, sheets, identifying });
  const distinct = names.length === rejected ? '' : ` (${plural(names.length, 'name')})`;
  const which = names.length === 0 ? '' : `${distinct}: ${naming(names)}`;
  const step =
    notFound === rejected
      ? `Correct the name or country, then run ${sync}. Or ${correctionAt(rejected === 1 ? 'this row' : 'these rows', corrected)}`
      : `Correct ${rejected === 1 ? 'it' : 'them'}, then run ${sync} (with -o results.xlsx it shows why)`;
  const status = syncCommandLine(session, list, { keep, service, words: [...words, '--status'] });
  const without = (rows: number) =>
    `${plural(rows, 'row')} of ${of}${sheet === undefined ? '' : ','} ${rows === 1 ? 'has' : 'have'} no record`;
  return [
    ...(rejected === 0
      ? []
      : [
          {
            text: `The service rejected ${plural(rejected, 'row')} of ${of}${which}. ${step}`,
            line: `${without(rejected)} (rejected): ${status}`,
          },
        ]),
    ...(missing === 0
      ? []
      : [
          {
            text: `${without(missing)}. To retrieve missing records, or to see why they are missing: ${sync}`,
          },
        ]),
  ];
}

/** What retrieves the records of a list besides its name. */
interface SyncWords extends Pick<StoreView, 'keep'> {
  /** The service of the records that it has. */
  readonly service?: string | undefined;
  /** Further options. */
  readonly words?: readonly string[];
}

/** Returns the command that retrieves the records of a list. */
export function syncCommandLine(
  session: Session,
  list: string,
  { keep, service, words = [] }: SyncWords,
): string {
  const sandbox = service === 'sandbox' ? ['--sandbox'] : [];
  return session.quote('carbon', 'sync', fileWord(list), ...words, ...keepWords(keep), ...sandbox);
}

const maxSheets = 3;

/** Returns how the rows of a list are corrected: with a command for each sheet. */
export function correctionIn(
  session: Session,
  list: string,
  {
    sheets,
    identifying,
    ...others
  }: Pick<SyncWords, 'keep' | 'service'> & Pick<ListedRows, 'sheets' | 'identifying'>,
): Correction {
  const used = identifying?.words ?? newColumnWords;
  const words = sheets.map((sheet) => ['--sheet', sheet]);
  const shown = (words.length === 0 ? [[]] : words.slice(0, maxSheets)).map((each) =>
    syncCommandLine(session, list, { ...others, words: [...each, ...used] }),
  );
  const rest = sheets.length - maxSheets;
  const command =
    rest > 0
      ? `${shown.join(', ')}, and the same for ${plural(rest, 'more sheet')}`
      : shown.join(', then ');
  return { column: identifying?.column, command };
}

interface MissingRows {
  /** Undefined for a list of one sheet. */
  readonly sheet: string | undefined;
  /** Number of rows without a record that the service did not reject. */
  readonly missing: number;
  readonly rejected: number;
  /** Number of the rejected rows for which the service found no organization. */
  readonly notFound: number;
  /** The names of rejected rows, each once. */
  readonly names: readonly string[];
  readonly identifying: IdentifyingColumn | undefined;
}

/* Counts the rows without a record, of each sheet that is read. The list may be gone. */
async function rowsWithoutRecord(
  { context, flags }: Session,
  path: string,
  { ids }: StoredRecords,
  { keep, sheet: only }: StoreView,
): Promise<MissingRows[]> {
  const { sandbox } = chooseKept(path, { keep, sandbox: flags.sandbox });
  const kept = { keep, sandbox };
  const words = findStores(path, kept).map(({ part }) => part);
  if (words.every((part) => isComplete(path, { ...kept, part }))) return [];
  const [{ openOrganizationList }, { presentSheets }] = await Promise.all([
    import('../lists/kept/listed-ids.ts'),
    import('../lists/kept/choose-list.ts'),
  ]);
  const counts: MissingRows[] = [];
  try {
    const several = await presentSheets(path, kept);
    const sheets = only === undefined ? (several.length > 1 ? several : [undefined]) : [only];
    for (const sheet of sheets) {
      const list = await openOrganizationList({ path, ...kept, sheet, signal: context.signal });
      const { identifying } = list;
      let [missing, rejected, notFound] = [0, 0, 0];
      const names = new Set<string>();
      for await (const group of list.rows())
        for (const { id, rejection, values } of group) {
          if (id !== undefined && ids.has(comparableId(id))) continue;
          if (id !== undefined || rejection === undefined) {
            missing += 1;
            continue;
          }
          rejected += 1;
          if (rejection.status === 404) notFound += 1;
          if (values.name !== undefined) names.add(flattenString(values.name));
        }
      if (missing + rejected > 0)
        counts.push({ sheet, missing, rejected, notFound, names: [...names], identifying });
    }
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof CarbonError)) throw error;
  }
  return counts;
}
