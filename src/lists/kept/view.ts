/*
 * Reads the records that `carbon sync` keeps of a list, for the commands that use records: of all
 * sheets or of one, organizations of the list only, each in one currency, as they were on a day.
 */
import { isUtf8 } from 'node:buffer';
import { comparableId, type OrganizationId } from '../../client/api/ids.ts';
import { codeOf, invalidInput } from '../../runtime/carbon-error.ts';
import { type OpenFile, openToRead } from '../../runtime/file-lines.ts';
import { throwUnreadable } from '../../runtime/unreadable-file.ts';
import {
  dayOf,
  isInProgress,
  isListed,
  keyOf,
  notOfStore,
  readLines,
  type StoredHead,
  wasListedOn,
} from './lines.ts';
import { checkKept, chooseKept, findStores, type Keeping, type StorePaths } from './paths.ts';
import { changedFile, parseStored, RecordStore, type StoredEntry } from './store.ts';

export interface ViewOptions extends Keeping {
  /** Reads the records of the end of this day, `YYYY-MM-DD` in UTC. */
  readonly at?: string | undefined;
  /** The currency of an organization with records in several, ISO 4217. */
  readonly currency?: string | undefined;
  /** The sheet of a workbook; by default, all synced ones. */
  readonly sheet?: string | undefined;
  readonly allCurrencies?: boolean | undefined;
  /** Yields the earlier versions of the records as well. */
  readonly withEarlier?: boolean | undefined;
  readonly openFile?: typeof openToRead | undefined;
}

/** From when stored records are, and how far the research on them is, as in events and tools. */
export interface StoredFacts {
  readonly organizations: number;
  /** Organizations whose research is in progress, and those that the service no longer has. */
  readonly in_progress: number;
  readonly removed: number;
  /** Organizations of which it is not known whether the list had them on the day of `at`. */
  readonly listing_unknown?: number;
  /** Times of the first and the last retrieval, ISO 8601. */
  readonly oldest: string;
  readonly newest: string;
  /** The currency of most records, or the only one; null for the service's default. */
  readonly currency: string | null;
  /** The number of organizations in each currency, if there are several. */
  readonly organizations_by_currency?: Readonly<Record<string, number>>;
}

export interface StoredRecords {
  readonly service: string;
  /** The ids of the organizations, as `comparableId` returns them. */
  readonly ids: ReadonlySet<OrganizationId>;
  readonly facts: StoredFacts;
  /** All currencies that the store has; null for the service's default. */
  readonly currencies: readonly (string | null)[];
  /** The number of organizations whose record in a currency is used. */
  readonly used: ReadonlyMap<string | null, number>;
  /**
   * Yields the records; can be called several times.
   * @throws UsageError for a damaged record; LocalError if a run replaced them meanwhile
   */
  records(): AsyncGenerator<StoredRecord, void, void>;
  /**
   * Reads since when each organization has one of them or an earlier version: days, `YYYY-MM-DD` in
   * UTC, by ID as `comparableId` returns it.
   * @throws UsageError for a damaged history
   */
  firstDays(): Promise<ReadonlyMap<OrganizationId, string>>;
}

export interface StoredRecord {
  readonly head: StoredHead;
  readonly record: object;
  /** As received. */
  readonly json: string;
  /** The file and its line, for messages. */
  readonly where: string;
}

interface Version {
  readonly path: string;
  readonly entry: StoredEntry;
}

/**
 * Opens the records that are stored of a list, those of the sandbox if there are no others; returns
 * undefined if there are none. If several sheets have an organization, the last retrieval counts.
 * Of several currencies, the given one counts, otherwise the first one of the list, otherwise any.
 * @throws UsageError for a sheet without records, and for a day before the first retrieval;
 * LocalError if a file cannot be read
 */
export async function openStoredRecords(
  list: string,
  options: ViewOptions,
): Promise<StoredRecords | undefined> {
  const { at, openFile = openToRead } = options;
  const { versions, current, unknown, histories } = await readVersions(list, options);
  const hasHistory = at !== undefined || options.withEarlier === true;
  const [first] = current;
  if (first === undefined) return undefined;
  const currencies = [...new Set(current.map(({ entry }) => entry.currency))];
  const currency = currencies.find((each) => each === options.currency) ?? first.entry.currency;
  const chosen = options.allCurrencies === true ? current : inOneCurrency(current, currency);
  const shown = at === undefined ? chosen : asOf(at, versions, chosen);
  const yielded = options.withEarlier ? withEarlier(versions, shown) : shown;
  const heads = shown.map(({ entry }) => entry);
  const used = new Map<string | null, number>();
  for (const head of heads) used.set(head.currency, (used.get(head.currency) ?? 0) + 1);
  return {
    service: first.entry.service,
    ids: idsOf(heads),
    facts: {
      ...factsOf(heads, at === undefined ? undefined : unknown),
      currency,
      ...(used.size > 1 ? { organizations_by_currency: byCode(used) } : {}),
    },
    async firstDays() {
      const all = [...versions];
      if (!hasHistory) for (const path of histories) await readHistory(path, openFile, all);
      return firstDaysOf(all, new Set(shown.map(({ entry }) => keyOf(entry))));
    },
    currencies,
    used,
    async *records() {
      for (const path of new Set(yielded.map((version) => version.path))) {
        const ofFile = yielded.filter((version) => version.path === path);
        yield* recordsOf(await openFile(path), path, ofFile);
      }
    },
  };
}

interface FoundVersions {
  /** All versions, with those of the history only if earlier ones matter. */
  readonly versions: readonly Version[];
  /** The current version of each record that the list has, or had on the day of `at`. */
  readonly current: readonly Version[];
  /** Keys of the records of which it is not known whether the list had them on that day. */
  readonly unknown: ReadonlySet<string>;
  /** The files of the earlier versions. */
  readonly histories: readonly string[];
}

/* Reads the heads of the records in all stores of a list. */
async function readVersions(list: string, options: ViewOptions): Promise<FoundVersions> {
  const { at, openFile = openToRead } = options;
  const keeping = chooseKept(list, options);
  checkKept(list, keeping);
  const versions: Version[] = [];
  const current = new Map<string, Version>();
  const unknown = new Set<string>();
  const histories: string[] = [];
  for (const { records: path, history } of await storesOf(list, keeping, options)) {
    const paths = { records: path, history };
    histories.push(history);
    const store = await RecordStore.open({ paths, service: undefined, isReadOnly: true, openFile });
    for (const entry of store.heads()) {
      const key = keyOf(entry);
      versions.push({ path, entry });
      const isShown = at === undefined ? isListed(entry) : wasListedOn(entry, at);
      if (isShown === undefined) unknown.add(key);
      const known = current.get(key)?.entry.retrievedAt ?? '';
      if (isShown !== false && entry.hasRecord && entry.retrievedAt > known)
        current.set(key, { path, entry });
    }
    versions.push(...store.replaced.map(({ entry }) => ({ path, entry })));
    await store.close();
    if (at !== undefined || options.withEarlier) await readHistory(history, openFile, versions);
  }
  return { versions, current: [...current.values()], unknown, histories };
}

/** @param unknown keys of the records of which it is not known whether the list had them */
function factsOf(heads: readonly StoredEntry[], unknown: ReadonlySet<string> | undefined) {
  const isUnknown = (entry: StoredEntry) => unknown?.has(keyOf(entry)) === true;
  const times = heads.map(({ retrievedAt }) => retrievedAt).sort();
  return {
    organizations: idsOf(heads).size,
    in_progress: idsOf(heads.filter(isInProgress)).size,
    removed: idsOf(heads.filter(({ isRemoved }) => isRemoved)).size,
    ...(unknown && { listing_unknown: idsOf(heads.filter(isUnknown)).size }),
    oldest: times[0] ?? '',
    newest: times.at(-1) ?? '',
  };
}

/* Chooses one record of each organization: in this currency, otherwise in any. */
function inOneCurrency(listed: readonly Version[], currency: string | null): Version[] {
  const chosen = new Map<OrganizationId, Version>();
  for (const version of listed) {
    const key = comparableId(version.entry.id);
    if (!chosen.has(key) || version.entry.currency === currency) chosen.set(key, version);
  }
  return [...chosen.values()];
}

function byCode(used: ReadonlyMap<string | null, number>): Readonly<Record<string, number>> {
  return Object.fromEntries([...used].map(([code, count]) => [code ?? 'default', count]));
}

/* Returns the stores of a list, or of a sheet. */
async function storesOf(
  list: string,
  keeping: Keeping,
  { sheet, openFile }: ViewOptions,
): Promise<readonly StorePaths[]> {
  const stores = findStores(list, keeping);
  const parts = new Set(stores.map(({ part }) => part));
  if (sheet === undefined && (parts.size < 2 || !parts.has(undefined))) return stores;
  const { findKeptSheets, syncedSheets } = await import('./choose-list.ts');
  // Throws if a sheet has two stores.
  await findKeptSheets(list, keeping, openFile);
  if (sheet === undefined) return stores;
  const sheets = await syncedSheets(list, keeping);
  const fold = (text: string) => text.normalize('NFC').trim().toLowerCase();
  const found = sheets.find(({ name }) => fold(name) === fold(sheet));
  if (found !== undefined) return stores.filter(({ part }) => found.parts.includes(part));
  const names = sheets.map(({ name }) => `"${name}"`).join(', ');
  throw invalidInput(
    `${list} has no records of sheet "${sheet}"`,
    names === '' ? 'Remove --sheet.' : `Sheets with records: ${names}.`,
  );
}

/* An organization has several records if it has several currencies. */
function idsOf(heads: readonly StoredEntry[]): Set<OrganizationId> {
  return new Set(heads.map(({ id }) => comparableId(id)));
}

/* Adds the versions of a history; a store without replaced versions has none. */
async function readHistory(
  path: string,
  openFile: typeof openToRead,
  versions: Version[],
): Promise<void> {
  const file = await openFile(path).catch((cause: unknown) =>
    codeOf(cause) === 'ENOENT' ? undefined : throwUnreadable(path, cause),
  );
  if (file === undefined) return;
  try {
    for await (const lines of readLines(file, path))
      for (const { head, span } of lines)
        if (span !== undefined)
          versions.push({ path, entry: { ...head, hasRecord: true, isUnmatched: false, span } });
  } finally {
    await file.close();
  }
}

/* Returns all versions of these records, with the service, which a history does not repeat. */
function withEarlier(versions: readonly Version[], chosen: readonly Version[]): Version[] {
  const services = new Map(chosen.map(({ entry }) => [keyOf(entry), entry.service]));
  return versions.flatMap(({ path, entry }) => {
    const service = services.get(keyOf(entry));
    return service === undefined || !entry.hasRecord ? [] : { path, entry: { ...entry, service } };
  });
}

/* Returns the versions at the end of a day: of each record, the last one that began before. */
function asOf(day: string, versions: readonly Version[], chosen: readonly Version[]): Version[] {
  const until = `${day}T23:59:59.999Z`;
  // Of the retrievals that had a version, only the first one and the last one are known.
  const asRetrieved = ({ path, entry }: Version): Version => {
    const isLater = entry.retrievedAt > until;
    return { path, entry: isLater ? { ...entry, retrievedAt: entry.validFrom } : entry };
  };
  const keys = new Set(chosen.map(({ entry }) => keyOf(entry)));
  const found = new Map<string, Version>();
  for (const version of versions) {
    const { entry } = version;
    const key = keyOf(entry);
    if (!keys.has(key) || !entry.hasRecord) continue;
    const known = found.get(key)?.entry.validFrom ?? '';
    if (entry.validFrom <= until && entry.validFrom > known) found.set(key, version);
  }
  if (found.size > 0) return [...keys].flatMap((key) => found.get(key) ?? []).map(asRetrieved);
  const first = beginOf(versions, keys);
  throw invalidInput(
    `There are no records of ${day}: they begin on ${first}`,
    `Use ${first} or a later day.`,
  );
}

/* Returns the first day of which there is a version of some of these records. */
function beginOf(versions: readonly Version[], keys: ReadonlySet<string>): string | undefined {
  let first: string | undefined;
  for (const { entry } of versions)
    if (entry.hasRecord && keys.has(keyOf(entry)))
      if (first === undefined || entry.validFrom < first) first = entry.validFrom;
  return first?.slice(0, 10);
}

/* Returns the first day of a version of each organization, of some of these records. */
function firstDaysOf(versions: readonly Version[], keys: ReadonlySet<string>) {
  const days = new Map<OrganizationId, string>();
  for (const { entry } of versions) {
    if (!entry.hasRecord || !keys.has(keyOf(entry))) continue;
    const id = comparableId(entry.id);
    const day = dayOf(entry.validFrom);
    if (day < (days.get(id) ?? '~')) days.set(id, day);
  }
  return days;
}

/*
 * Yields the records of these versions, with their current heads, and closes the file. The end of a
 * run may have replaced it after its heads were read; records would be missing or belong to others.
 */
async function* recordsOf(
  file: OpenFile,
  path: string,
  versions: readonly Version[],
): AsyncGenerator<StoredRecord> {
  const byStart = new Map(versions.map(({ entry }) => [entry.span.start, entry]));
  try {
    for await (const lines of readLines(file, path))
      for (const { head, span, json: bytes, line } of lines) {
        const entry = span && byStart.get(span.start);
        if (entry === undefined) continue;
        const isOther = keyOf(head) !== keyOf(entry) || span?.length !== entry.span.length;
        if (isOther) throw changedFile(path);
        byStart.delete(entry.span.start);
        const where = `${path}, line ${line}`;
        const json = bytes.toString('utf8');
        const record = isUtf8(bytes) ? parseStored(json) : undefined;
        if (record === undefined) throw notOfStore(`${where},`);
        yield { head: entry, record, json, where };
      }
    if (byStart.size > 0) throw changedFile(path);
  } finally {
    await file.close();
  }
}
