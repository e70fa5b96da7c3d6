/*
 * Keeps the records of a list in two files next to it, which any program can read.
 *
 * `LIST.records.ndjson` has one line for each organization and currency, in the order of the list:
 *
 * {"id":12,"service":"https://…","currency":"EUR","valid_from":"…","retrieved_at":"…","listed":[…],
 *  "record":{…}}
 *
 * The head has `"status"` unless research is complete. `"listed"` has the days (UTC) on which a run
 * found a row of the organization in the list, no row, a row again, and so on: an even number of
 * days means that no row has it now. A run appends lines; a record that is byte for byte the same
 * gets only its head, with `"unchanged":true`, and one that the service no longer has, with
 * `"removed":true`. For every reader the last line of an id and currency counts. The end of a run
 * replaces the file atomically. `LIST.history.ndjson` has each earlier version, once for each id,
 * currency and valid_from. It is on the disk before the version leaves the other file, so that a
 * kill at any byte loses nothing.
 *
 * The record is the last member, so that the heads are read without parsing records.
 */
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { comparableId, hasEnded, isObject, type OrganizationId } from '../api/ids.ts';
import type { StorePaths } from '../list/kept-files.ts';
import {
  codeOf,
  explainSystemError,
  invalidInput,
  LocalError,
  throwUnreadable,
  UsageError,
} from '../runtime/carbon-error.ts';
import { readFileLines } from '../runtime/file-lines.ts';

/** The head of a line: what a store says about a version of a record. */
export interface StoredHead {
  readonly id: OrganizationId;
  readonly service: string;
  /** Currency of the request, ISO 4217; null for the default of the service. */
  readonly currency: string | null;
  /** Time of the retrieval that first had this version, ISO 8601. */
  readonly validFrom: string;
  /** Time of the last retrieval, ISO 8601; in the history that of the first one. */
  readonly retrievedAt: string;
  /** Status of the research; undefined if it is complete (`synced`). */
  readonly status: string | undefined;
  /** The days on which the list gained, lost and gained this organization again: `YYYY-MM-DD`. */
  readonly listed: readonly string[];
  /** Whether the service no longer has the organization. */
  readonly isRemoved: boolean;
}

/** Identifies a record: an organization, in a currency or in the service's default. */
export type RecordKey = Pick<StoredHead, 'id' | 'currency'>;

/** Checks whether the research on a stored record goes on. */
export function isInProgress({ status, isRemoved }: StoredHead): boolean {
  return status !== undefined && !hasEnded(status) && !isRemoved;
}

/** Checks whether a row of the list has an organization. */
export function isListed({ listed }: Pick<StoredHead, 'listed'>): boolean {
  return listed.length % 2 === 1;
}

/**
 * Checks whether a row of the list had an organization at the end of a day; undefined for a day
 * before the first one that the store knows.
 */
export function wasListedOn(
  { listed }: Pick<StoredHead, 'listed'>,
  day: string,
): boolean | undefined {
  const until = listed.filter((each) => each <= day);
  return until.length === 0 ? undefined : isListed({ listed: until });
}

/* Returns the days of an organization that a run on this day finds in the list or not. */
function listedOn(days: readonly string[], isFound: boolean, day: string): readonly string[] {
  // It left the list on a day that is not known.
  if (days.length === 0 && !isFound) return [day, day];
  return isListed({ listed: days }) === isFound ? days : [...days, day];
}

/** What a retrieval means for the stored record. */
export type Stored = 'new' | 'changed' | 'same';

export type OpenFile = (path: string) => Promise<FileHandle>;

export interface StoreOptions {
  readonly paths: StorePaths;
  /** Base URL of the service, or `sandbox`; undefined accepts any for reading. */
  readonly service: string | undefined;
  /** Whether the store is only read; then its files must exist. */
  readonly isReadOnly: boolean;
  /** Opens a store that is only read. */
  readonly openFile?: OpenFile | undefined;
  /** Aborted when another run has taken over; what happens afterwards is not written. */
  readonly lost?: AbortSignal | undefined;
  /**
   * Compares two records: only changes beyond retrieval dates and exchange rates make a version.
   */
  readonly isChanged?: ((older: string, newer: string) => Promise<boolean>) | undefined;
}

/** Where the text of a record is in a file, in bytes. */
export interface Span {
  readonly start: number;
  readonly length: number;
}

/** A stored version and where its record is in the file. */
export interface Entry extends StoredHead {
  readonly span: Span;
  /** False for an organization of which the service never had a record. */
  readonly hasRecord: boolean;
}

/* A version that another one replaced at a time. */
interface ReplacedVersion {
  readonly entry: Entry;
  readonly validTo: string;
}

/* What separates the head of a line from its record. */
const marker = Buffer.from(',"record":');
/* What a line has instead of a record that the service never had. */
const noRecord = 'null';
const chunkBytes = 1 << 20;

/** The records of one list. The caller holds its lock. */
export class RecordStore {
  readonly #options: StoreOptions;
  readonly #file: FileHandle;
  /* By currency, then by comparable id. */
  readonly #entries = new Map<string | null, Map<OrganizationId, Entry>>();
  /* Lines of the file with a head. */
  #lines = 0;
  #size = 0;
  /* Why nothing can be written any more: after a part of a line, further lines would be damaged. */
  #failure: LocalError | undefined;
  #isClosed = false;
  /* Appends one after the other. */
  #writes: Promise<unknown> = Promise.resolve();
  /** The versions in the file that a later line replaced. */
  readonly replaced: ReplacedVersion[] = [];

  private constructor(options: StoreOptions, file: FileHandle) {
    this.#options = options;
    this.#file = file;
  }

  /**
   * Opens the store, and creates its file if there is none.
   * @throws UsageError for the records of another service; LocalError if the file cannot be opened
   */
  static async open(options: StoreOptions): Promise<RecordStore> {
    const { paths, isReadOnly, openFile = open } = options;
    const opened = isReadOnly ? openFile(paths.records) : openToAppend(paths.records);
    const file = await opened.catch((cause: unknown) => {
      if (cause instanceof UsageError) throw cause;
      const what = `Cannot ${isReadOnly ? 'read' : 'write'} ${paths.records}`;
      throw new LocalError(`${what}: ${explainSystemError(cause)}`, {
        cause,
        hint: isReadOnly ? undefined : 'To keep the records elsewhere, use --keep <dir>.',
      });
    });
    const store = new RecordStore(options, file);
    try {
      await store.#read();
    } catch (error) {
      await file.close();
      throw error;
    }
    return store;
  }

  get path(): string {
    return this.#options.paths.records;
  }

  /** Returns what is stored of an organization; undefined if nothing is. */
  head(id: OrganizationId, currency: string | null): Entry | undefined {
    return this.#entries.get(currency)?.get(comparableId(id));
  }

  /** Yields what is stored, one currency after the other. */
  *heads(): Generator<Entry, void, void> {
    for (const entries of this.#entries.values()) yield* entries.values();
  }

  /** Returns the stored record as received; undefined if nothing is stored. */
  async record(id: OrganizationId, currency: string | null): Promise<string | undefined> {
    await this.#writes;
    const entry = this.head(id, currency);
    return entry === undefined ? undefined : this.#text(entry.span);
  }

  /**
   * Stores a retrieved record.
   * @param status status of the research in it
   * @param json the record as received, on one line
   */
  put(
    { id, currency }: RecordKey,
    retrievedAt: string,
    { status, json }: { readonly status: string | undefined; readonly json: string },
  ): Promise<Stored> {
    const { isChanged = async () => true } = this.#options;
    return this.#inTurn(async () => {
      const found = this.head(id, currency);
      const before = found && (await this.#text(found.span));
      // A damaged record is no version that the history could keep.
      const earlier = before === undefined || isRecord(before) ? found : undefined;
      if (earlier === undefined) this.#entries.get(currency)?.delete(comparableId(id));
      const isBack = earlier?.isRemoved === true;
      const listed = listedOn(found?.listed ?? [], true, dayOf(retrievedAt));
      if (earlier !== undefined && before === json && !isBack) {
        await this.#append({ ...earlier, retrievedAt, listed }, undefined);
        return 'same';
      }
      const isSame = earlier !== undefined && !isBack && !(await isChanged(before ?? '', json));
      const validFrom = isSame ? earlier.validFrom : retrievedAt;
      const ended = status === 'synced' ? undefined : (status ?? 'unknown');
      const head = { id, currency, validFrom, retrievedAt, status: ended, listed };
      await this.#append({ ...head, isRemoved: false }, json);
      if (earlier === undefined) return 'new';
      return isSame ? 'same' : 'changed';
    });
  }

  /** Records that the service has no record of an organization; its last one stays. */
  remove({ id, currency }: RecordKey, at: string): Promise<void> {
    return this.#inTurn(async () => {
      const earlier = this.head(id, currency);
      const none = { id, currency, validFrom: at, status: undefined };
      const listed = listedOn(earlier?.listed ?? [], true, dayOf(at));
      const head = { ...(earlier ?? none), retrievedAt: at, listed, isRemoved: true };
      await this.#append(head, earlier === undefined ? noRecord : undefined);
    });
  }

  /**
   * Writes the history, then replaces the file with one line for each id and currency. Nothing can
   * be stored or read afterwards.
   * @param order the ids of the list in its order; the records of other ids follow, unlisted
   * @param day today, `YYYY-MM-DD` in UTC
   */
  async finish(order: Iterable<OrganizationId>, day: string): Promise<void> {
    await this.#writes;
    this.#checkWritable();
    const entries: Entry[] = [];
    const found = new Set<OrganizationId>();
    const add = (entry: Entry | undefined, isFound: boolean) => {
      if (entry !== undefined)
        entries.push({ ...entry, listed: listedOn(entry.listed, isFound, day) });
    };
    for (const id of order) {
      const key = comparableId(id);
      found.add(key);
      for (const ofCurrency of this.#entries.values()) add(ofCurrency.get(key), true);
    }
    for (const ofCurrency of this.#entries.values())
      for (const [key, entry] of ofCurrency) if (!found.has(key)) add(entry, false);
    if (!this.#differs(entries)) return;
    await this.#writeHistory();
    await this.#rewrite(entries);
  }

  /** Closes the file. A store that was not finished keeps what was appended. */
  async close(): Promise<void> {
    await this.#writes.catch(() => undefined);
    if (!this.#isClosed) await this.#file.close();
    this.#isClosed = true;
  }

  /* Checks whether the file differs from the one with these entries in this order. */
  #differs(entries: readonly Entry[]): boolean {
    const isSame = ({ id, currency, listed, span }: Entry, index: number) =>
      this.head(id, currency)?.listed === listed &&
      span.start > (entries[index - 1]?.span.start ?? -1);
    return this.#lines !== entries.length || !entries.every(isSame);
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#writes.then(work);
    this.#writes = turn.catch(() => undefined);
    return turn;
  }

  #checkWritable(): void {
    this.#options.lost?.throwIfAborted();
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #append(described: Omit<StoredHead, 'service'>, json: string | undefined): Promise<void> {
    this.#checkWritable();
    const head = { ...described, service: this.#options.service ?? '' };
    const line = Buffer.from(formatLine(head, json));
    const { records } = this.#options.paths;
    await this.#file.appendFile(line).catch((cause: unknown) => {
      const why = `Cannot write ${records}: ${explainSystemError(cause)}`;
      this.#failure = new LocalError(why, { cause });
      throw this.#failure;
    });
    this.#lines += 1;
    const start = this.#size + line.length - Buffer.byteLength(json ?? '') - 2;
    this.#size += line.length;
    this.#take(head, json === undefined ? undefined : { start, length: Buffer.byteLength(json) });
  }

  /* Makes a line the current one of its id and currency. */
  #take(head: StoredHead, span: Span | undefined): void {
    const { currency } = head;
    const earlier = this.head(head.id, currency);
    const current = span ?? earlier?.span;
    // A head without a record cannot be the first line.
    if (current === undefined) return;
    if (earlier !== undefined && earlier.validFrom !== head.validFrom)
      this.replaced.push({ entry: earlier, validTo: head.validFrom });
    const entries = this.#entries.get(currency) ?? new Map<OrganizationId, Entry>();
    const entry = { ...head, hasRecord: current.length > noRecord.length, span: current };
    this.#entries.set(currency, entries.set(comparableId(head.id), entry));
  }

  async #read(): Promise<void> {
    const { service, paths } = this.#options;
    for await (const lines of readLines(this.#file, paths.records))
      for (const { head, span, end } of lines) {
        if (service !== undefined && head.service !== service)
          throw invalidInput(
            `${paths.records} has the records of ${head.service}, but this run uses ${service}`,
            'To keep the records of this service in another directory, use --keep <dir>.',
          );
        this.#size = end;
        this.#lines += 1;
        this.#take(head, span);
      }
    if (!this.#options.isReadOnly) await truncate(this.#file, this.#size, paths.records);
  }

  async #text({ start, length }: Span): Promise<string> {
    const { records } = this.#options.paths;
    const buffer = Buffer.allocUnsafe(length);
    // A file system on a network may read less than it was asked for.
    for (let read = 0; read < length; ) {
      const { bytesRead } = await this.#file
        .read(buffer, read, length - read, start + read)
        .catch((cause: unknown) => throwUnreadable(records, cause));
      if (bytesRead === 0) throw changedFile(records);
      read += bytesRead;
    }
    return buffer.toString('utf8');
  }

  async #writeHistory(): Promise<void> {
    if (this.replaced.length === 0) return;
    const path = this.#options.paths.history;
    const file = await openToAppend(path);
    try {
      const known = new Set<string>();
      let size = 0;
      for await (const lines of readLines(file, path))
        for (const { head, end } of lines) {
          size = end;
          known.add(versionKey(head));
        }
      await truncate(file, size, path);
      for (const { entry, validTo } of this.replaced) {
        if (known.has(versionKey(entry))) continue;
        known.add(versionKey(entry));
        const { id, currency, validFrom } = entry;
        const head = { id, currency, valid_from: validFrom, valid_to: validTo };
        await file.appendFile(withRecord(head, await this.#text(entry.span)));
      }
      await file.sync();
    } catch (cause) {
      if (codeOf(cause) === '') throw cause;
      throw new LocalError(`Cannot write ${path}: ${explainSystemError(cause)}`, { cause });
    } finally {
      await file.close();
    }
  }

  async #rewrite(entries: readonly Entry[]): Promise<void> {
    const { paths, isReadOnly } = this.#options;
    if (isReadOnly) return;
    const { writeAtomically } = await import('../runtime/atomic-file.ts');
    await writeAtomically(paths.records, async ({ handle, commit }) => {
      let lines: string[] = [];
      let length = 0;
      const flush = async () => {
        await handle.appendFile(lines.join(''));
        [lines, length] = [[], 0];
      };
      for (const entry of entries) {
        const line = formatLine(entry, await this.#text(entry.span));
        lines.push(line);
        length += line.length;
        if (length > chunkBytes) await flush();
      }
      await flush();
      // Windows does not replace an open file.
      await this.close();
      await commit();
    }).catch((cause: unknown) => {
      if (codeOf(cause) === '') throw cause;
      throw new LocalError(`Cannot write ${paths.records}: ${explainSystemError(cause)}`, {
        cause,
        hint: 'Nothing retrieved so far is lost. Run the same command again.',
      });
    });
  }
}

async function openToAppend(path: string): Promise<FileHandle> {
  const isLink = (await lstat(path).catch(() => undefined))?.isSymbolicLink();
  if (isLink) throw invalidInput(`${path} is a symbolic link`, 'Remove it, or use --keep <dir>.');
  return open(path, 'a+', 0o666);
}

/* Removes the part of a line that a kill left, so that the next line begins on its own. */
async function truncate(file: FileHandle, end: number, path: string): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(lineStart.length), { position: end });
  if (!lineStart.startsWith(buffer.toString('latin1', 0, bytesRead))) throw notOfStore(path);
  if (bytesRead > 0) await file.truncate(end);
}

/* How each line of a store begins. */
const lineStart = '{"id":';

/* Text of the user is never removed. */
function notOfStore(where: string): UsageError {
  return invalidInput(
    `${where} has text that is no record of a list`,
    'carbon keeps the records of the list under this name. Remove the text, move the file away, or use --keep <dir>.',
  );
}

/** Returns the error for a file that another program shortened or replaced meanwhile. */
export function changedFile(path: string): LocalError {
  return new LocalError(`${path} changed while carbon read it`, {
    hint: 'Run the same command again.',
  });
}

/** Returns the key of an organization and a currency. */
export function keyOf({ id, currency }: RecordKey): string {
  return `${comparableId(id)} ${currency ?? ''}`;
}

function versionKey(head: StoredHead): string {
  return `${keyOf(head)} ${head.validFrom}`;
}

/**
 * Formats a line of a store.
 * @param json the record; undefined for an unchanged or removed one
 */
export function formatLine(
  { id, service, currency, validFrom, retrievedAt, status, listed, isRemoved }: StoredHead,
  json: string | undefined,
): string {
  const head = {
    id,
    service,
    currency,
    valid_from: validFrom,
    retrieved_at: retrievedAt,
    ...(status === undefined ? {} : { status }),
    ...(listed.length === 0 ? {} : { listed }),
    ...(isRemoved ? { removed: true } : {}),
    ...(json === undefined && !isRemoved ? { unchanged: true } : {}),
  };
  return json === undefined ? `${JSON.stringify(head)}\n` : withRecord(head, json);
}

function withRecord(head: object, json: string): string {
  return `${JSON.stringify(head).slice(0, -1)}${marker}${json}}\n`;
}

/** A line of a store. */
export interface StoreLine {
  readonly head: StoredHead;
  /** Where its record is in the file; undefined for a line with only a head. */
  readonly span: Span | undefined;
  /** The bytes of the record, valid until the next lines are read. */
  readonly json: Buffer;
  /** Where the next line begins in the file. */
  readonly end: number;
}

/**
 * Yields the lines of a store with their heads; it does not parse the records. A last line without
 * its line feed, which a kill truncated or a run is writing, is left out.
 * @throws UsageError for another line that no store has
 */
export async function* readLines(
  file: FileHandle,
  path: string,
): AsyncGenerator<readonly StoreLine[], void, void> {
  let number = 0;
  for await (const lines of readFileLines(file, path))
    yield lines
      .filter(({ isOpen }) => !isOpen)
      .map(({ bytes, start, end }) => {
        number += 1;
        const at = bytes.indexOf(marker);
        const from = at < 0 ? bytes.length : at + marker.length;
        const text = at < 0 ? bytes.toString('utf8') : `${bytes.toString('utf8', 0, at)}}`;
        const head = bytes.at(-1) === 0x7d ? readHead(text) : undefined;
        if (head === undefined) throw notOfStore(`${path}, line ${number},`);
        const span = at < 0 ? undefined : { start: start + from, length: bytes.length - from - 1 };
        return { head, span, json: bytes.subarray(from, -1), end };
      });
}

/* Reads the head of a line; returns undefined if it is damaged. */
function readHead(text: string): StoredHead | undefined {
  try {
    const head: Readonly<Record<string, unknown>> = JSON.parse(text);
    const { id, service = '', currency, valid_from, retrieved_at = valid_from } = head;
    if (typeof id !== 'string' && typeof id !== 'number') return undefined;
    if (typeof service !== 'string' || typeof valid_from !== 'string') return undefined;
    if (typeof retrieved_at !== 'string') return undefined;
    const { status, removed, listed } = head;
    return {
      id,
      service,
      currency: typeof currency === 'string' ? currency : null,
      validFrom: valid_from,
      retrievedAt: retrieved_at,
      status: typeof status === 'string' ? status : undefined,
      listed: Array.isArray(listed) ? listed.map(String) : daysBefore(listed, retrieved_at),
      isRemoved: removed === true,
    };
  } catch {
    return undefined;
  }
}

/* 0.2.0 retrieved what was listed, and did not write on which day a row had left. */
function daysBefore(listed: unknown, retrievedAt: string): string[] {
  return listed === false ? [] : [dayOf(retrievedAt)];
}

/** Returns the day of a time, both in UTC. */
export function dayOf(time: string): string {
  return time.slice(0, 10);
}

function isRecord(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}
