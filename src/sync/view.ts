/*
 * Reads the records that `carbon sync` keeps of a list, for the commands that use records: all
 * shards and sheets, organizations of the list only, in one currency, and as they were on a day.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { comparableId, type OrganizationId } from '../api/ids.ts';
import { LocalError, UsageError } from '../runtime/carbon-error.ts';
import { isInProgress } from './refresh.ts';
import {
  type Entry,
  findStores,
  formatLine,
  keyOf,
  marker,
  type OpenFile,
  type ReadHead,
  RecordStore,
  readHead,
  readHeads,
  recordSpan,
  type StorePaths,
} from './store.ts';

/** Which stored records to read. */
export interface ViewOptions {
  /** Directory of the store; by default that of the list. */
  readonly store?: string | undefined;
  /** Reads the records of the end of this day, `YYYY-MM-DD` in UTC. */
  readonly at?: string | undefined;
  /** Prefers the records in this currency. */
  readonly currency?: string | undefined;
  /** Reads the records in every currency. */
  readonly allCurrencies?: boolean | undefined;
  /** Opens each file of the store; by default any file. */
  readonly openFile?: OpenFile | undefined;
}

/** The stored records of a list. */
export interface StoredRecords {
  /** The base URL of the service, or `sandbox`. */
  readonly service: string;
  /** The ids of the organizations, as `comparableId` returns them. */
  readonly ids: ReadonlySet<OrganizationId>;
  /** Number of organizations whose research is in progress. */
  readonly inProgress: number;
  /** The organizations that the service no longer has. */
  readonly removed: readonly OrganizationId[];
  /** Times of the first and the last retrieval, ISO 8601. */
  readonly oldest: string;
  readonly newest: string;
  /** The currency that was chosen, and all that the store has; null for the service's default. */
  readonly currency: string | null;
  readonly currencies: readonly (string | null)[];
  /** Lines that cannot be read, such as `suppliers.csv.records.ndjson, line 7`. */
  readonly damaged: readonly string[];
  /**
   * Yields the lines of the records; can be called several times.
   * @throws LocalError if a run replaced them meanwhile
   */
  bytes(): AsyncGenerator<Buffer, void, void>;
}

/* A version to read: the line that starts here, or a version of the history. */
interface Chosen {
  readonly paths: StorePaths;
  readonly heads: ReadonlyMap<string, Entry>;
}

/**
 * Opens the records that are stored of a list; returns undefined if there are none.
 *
 * @throws UsageError for a day before the first retrieval; LocalError if a file cannot be read
 */
export async function openStoredRecords(
  list: string,
  options: ViewOptions,
): Promise<StoredRecords | undefined> {
  const { openFile = open } = options;
  const stores: Chosen[] = [];
  const damaged: string[] = [];
  for (const paths of findStores(list, options.store)) {
    const how = { service: undefined, machine: undefined, openFile };
    const store = await RecordStore.open({ paths, ...how });
    await store.close();
    const heads = new Map([...store.heads()].map((head) => [keyOf(head.id, head.currency), head]));
    stores.push({ paths, heads });
    damaged.push(...store.damagedLines.map((line) => `${paths.records}, line ${line}`));
  }
  const listed = stores.flatMap(({ heads }) => [...heads.values()]).filter((head) => head.isListed);
  const [first] = listed;
  if (first === undefined) return undefined;
  const currencies = [...new Set(listed.map(({ currency }) => currency))];
  const currency = currencies.find((each) => each === options.currency) ?? first.currency;
  const isChosen = (head: Pick<Entry, 'currency' | 'isListed'>) =>
    head.isListed && (options.allCurrencies === true || head.currency === currency);
  const until = options.at === undefined ? undefined : `${options.at}T23:59:59.999Z`;
  const shown =
    until === undefined ? listed.filter(isChosen) : await asOf(stores, until, isChosen, openFile);
  const ids = idsOf(shown);
  const times = shown.map(({ retrievedAt }) => retrievedAt).sort();
  return {
    service: first.service,
    ids,
    inProgress: idsOf(shown.filter(isInProgress)).size,
    removed: [...idsOf(shown.filter(({ isRemoved }) => isRemoved))],
    oldest: times[0] ?? '',
    newest: times.at(-1) ?? '',
    currency,
    currencies,
    damaged,
    async *bytes() {
      for (const { paths, heads } of stores) {
        const isShown = (head: Entry) => isChosen(head) && isBy(head, until);
        yield* currentLines(paths.records, openFile, heads, isShown);
        if (until === undefined) continue;
        const versions = historyOf(paths.history, isChosenIn(heads, isChosen), openFile);
        for await (const { head, line } of versions) if (isValidAt(head, until)) yield line;
      }
    },
  };
}

/* An organization has several records if it has several currencies. */
function idsOf(heads: readonly Pick<Entry, 'id'>[]): Set<OrganizationId> {
  return new Set(heads.map(({ id }) => comparableId(id)));
}

function isBy({ validFrom }: Pick<Entry, 'validFrom'>, until: string | undefined): boolean {
  return until === undefined || validFrom <= until;
}

/* An earlier version belongs to the list if the current one does. */
function isChosenIn(heads: ReadonlyMap<string, Entry>, isChosen: (head: Entry) => boolean) {
  return ({ id, currency }: ReadHead) => {
    const current = heads.get(keyOf(id, currency));
    return current !== undefined && isChosen(current);
  };
}

/* Returns the heads of the versions that were valid at a time. */
async function asOf(
  stores: readonly Chosen[],
  until: string,
  isChosen: (head: Entry) => boolean,
  openFile: OpenFile,
): Promise<Omit<Entry, 'span'>[]> {
  const found: Omit<Entry, 'span'>[] = [];
  let first: string | undefined;
  for (const { paths, heads } of stores) {
    const current = [...heads.values()].filter(isChosen);
    found.push(...current.filter((head) => isBy(head, until)));
    const isOf = isChosenIn(heads, isChosen);
    for await (const { head } of historyOf(paths.history, isOf, openFile)) {
      if (isValidAt(head, until)) found.push(head);
      if (first === undefined || head.validFrom < first) first = head.validFrom;
    }
    for (const { validFrom } of current)
      if (first === undefined || validFrom < first) first = validFrom;
  }
  if (found.length > 0) return found;
  throw new UsageError(
    `There are no records of ${until.slice(0, 10)}: the first ones are of ${first?.slice(0, 10)}`,
    `Use a day from ${first?.slice(0, 10)} on.`,
    'invalid_input',
  );
}

function isValidAt({ validFrom, validTo }: ReadHead, until: string): boolean {
  return validFrom <= until && validTo !== undefined && validTo > until;
}

/*
 * Yields the records that are current, with the head that counts. The end of a run may replace the
 * file after its heads were read; then records would be missing or belong to others.
 */
async function* currentLines(
  path: string,
  openFile: OpenFile,
  heads: ReadonlyMap<string, Entry>,
  isShown: (head: Entry) => boolean,
): AsyncGenerator<Buffer> {
  const byStart = new Map(
    [...heads.values()].filter(isShown).map((head) => [head.span.start, head]),
  );
  const changed = () =>
    new LocalError(`${path} changed while carbon read it`, { hint: 'Run the same command again.' });
  for await (const { head, bytes, span } of readLines(path, openFile)) {
    const record = recordSpan(head, span);
    const entry = record && byStart.get(record.start);
    if (entry === undefined || record === undefined) continue;
    const read = readHead(head);
    if (read === undefined || keyOf(read.id, read.currency) !== keyOf(entry.id, entry.currency))
      throw changed();
    byStart.delete(record.start);
    const [start, end] = [record.start - span.start, record.start - span.start + record.length];
    const text = formatLine(entry, '');
    yield Buffer.concat([Buffer.from(text.slice(0, -2)), bytes.subarray(start, end), closing]);
  }
  if (byStart.size > 0) throw changed();
}

const closing = Buffer.from('}\n');

async function* historyOf(
  path: string,
  isOf: (head: ReadHead) => boolean,
  openFile: OpenFile,
): AsyncGenerator<{ readonly head: ReadHead; readonly line: Buffer }> {
  for await (const { head: text, bytes } of readLines(path, openFile)) {
    const head = readHead(text);
    if (head === undefined || !isOf(head) || bytes.indexOf(marker) < 0) continue;
    yield { head, line: Buffer.concat([bytes, Buffer.from('\n')]) };
  }
}

/* A store without replaced versions has no history. */
async function* readLines(path: string, openFile: OpenFile): ReturnType<typeof readHeads> {
  const file: FileHandle | undefined = await openFile(path).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    },
  );
  if (file === undefined) return;
  try {
    for await (const line of readHeads(file)) if (line.isComplete) yield line;
  } finally {
    await file.close();
  }
}
