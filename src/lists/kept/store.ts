/* Keeps the records of a list: appends versions, and replaces the file at the end of a run. */
import { existsSync, lstatSync } from 'node:fs';
import { comparableId, isObject, type OrganizationId } from '../../client/api/ids.ts';
import { type PendingFile, writeAtomically } from '../../runtime/atomic-file.ts';
import {
  CarbonError,
  codeOf,
  explainSystemError,
  invalidInput,
  LocalError,
  UsageError,
} from '../../runtime/carbon-error.ts';
import { type OpenFile, openToRead, readAt, takeTurn } from '../../runtime/file-lines.ts';
import type { FileLock } from '../../runtime/file-lock.ts';
import { AppendLog } from './append-log.ts';
import {
  dayOf,
  formatLine,
  keyOf,
  listedOn,
  type RecordKey,
  readLines,
  type Span,
  type StoredHead,
  storeFormat,
  withRecord,
} from './lines.ts';
import type { StorePaths } from './paths.ts';

export interface StoreOptions {
  readonly paths: StorePaths;
  /** Base URL of the service, or `sandbox`; undefined accepts any for reading. */
  readonly service: string | undefined;
  /** Whether the store is only read; then its files must exist. */
  readonly isReadOnly: boolean;
  /** Opens a store that is only read. */
  readonly openFile?: typeof openToRead | undefined;
  /** The lock of the list; nothing is written after another run has taken it. */
  readonly lock?: FileLock | undefined;
  /**
   * Compares two records: only changes beyond retrieval dates and exchange rates make a version.
   */
  readonly isChanged?: ((older: string, newer: string) => Promise<boolean>) | undefined;
  /** Checks whether a record has no matched organization; nobody asks without it. */
  readonly isUnmatched?: ((json: Buffer) => boolean) | undefined;
}

/** A stored version and where its record is in the file. */
export interface StoredEntry extends StoredHead {
  readonly span: Span;
  /** False for an organization of which the service never had a record. */
  readonly hasRecord: boolean;
  /** Whether `StoreOptions.isUnmatched` found no match in it. */
  readonly isUnmatched: boolean;
}

interface ReplacedVersion {
  readonly entry: StoredEntry;
  readonly validTo: string;
}

/* What a line has instead of a record that the service never had. */
const noRecord = 'null';
const chunkBytes = 1 << 20;

/** The records of one list. The caller holds its lock. */
export class RecordStore {
  readonly #options: StoreOptions;
  readonly #file: OpenFile;
  /* The same file if it is open for appending. */
  readonly #log: AppendLog | undefined;
  /* By currency, then by comparable id. */
  readonly #entries = new Map<string | null, Map<OrganizationId, StoredEntry>>();
  /* Lines of the file with a head. */
  #lines = 0;
  #isClosed = false;
  /* Appends one after the other. */
  #writes: Promise<unknown> = Promise.resolve();
  /** The versions in the file that a later line replaced. */
  readonly replaced: ReplacedVersion[] = [];

  private constructor(options: StoreOptions, file: OpenFile) {
    this.#options = options;
    this.#file = file;
    this.#log = file instanceof AppendLog ? file : undefined;
  }

  /**
   * Opens the store, and creates its file if there is none.
   * @throws UsageError for the records of another service; LocalError if the file cannot be opened
   */
  static async open(options: StoreOptions): Promise<RecordStore> {
    const { paths, isReadOnly, openFile = openToRead } = options;
    const { lock } = options;
    const opened = isReadOnly ? openFile(paths.records) : openToAppend(paths.records, lock);
    const file = await opened.catch((cause: unknown) => {
      if (cause instanceof CarbonError) throw cause;
      const what = `Cannot ${isReadOnly ? 'read' : 'write'} ${paths.records}`;
      throw new LocalError(`${what}: ${explainSystemError(cause)}`, {
        cause,
        hint: isReadOnly ? undefined : 'To keep the records elsewhere, use --keep <dir>.',
      });
    });
    const store = new RecordStore(options, file);
    try {
      await store.#read();
      if (!isReadOnly) await store.#checkHistory();
    } catch (error) {
      await file.close();
      throw error;
    }
    return store;
  }

  get path(): string {
    return this.#options.paths.records;
  }

  head(id: OrganizationId, currency: string | null): StoredEntry | undefined {
    return this.#entries.get(currency)?.get(comparableId(id));
  }

  get currencies(): readonly (string | null)[] {
    return [...this.#entries.keys()];
  }

  *heads(): Generator<StoredEntry, void, void> {
    for (const entries of this.#entries.values()) yield* entries.values();
  }

  /** Returns the stored record as received; undefined if nothing is stored. */
  async record(id: OrganizationId, currency: string | null): Promise<string | undefined> {
    await this.#writes;
    const entry = this.head(id, currency);
    return entry === undefined ? undefined : this.#text(entry.span);
  }

  /**
   * Stores a retrieved record; returns whether it differs from the one before.
   * @param status status of the research in it
   * @param json the record as received, on one line
   */
  put(
    { id, currency }: RecordKey,
    retrievedAt: string,
    { status, json }: { readonly status: string | undefined; readonly json: string },
  ): Promise<boolean> {
    const { isChanged = async () => true } = this.#options;
    return this.#inTurn(async () => {
      const found = this.head(id, currency);
      const before = found && (await this.#text(found.span));
      // A damaged record is no version that the history could keep.
      const earlier = before === undefined || parseStored(before) ? found : undefined;
      if (earlier === undefined) this.#entries.get(currency)?.delete(comparableId(id));
      const isBack = earlier?.isRemoved === true;
      const listed = listedOn(found?.listed ?? [], true, dayOf(retrievedAt));
      if (earlier !== undefined && before === json && !isBack) {
        await this.#append({ ...earlier, retrievedAt, listed }, undefined);
        return false;
      }
      const isSame = earlier !== undefined && !isBack && !(await isChanged(before ?? '', json));
      const validFrom = isSame ? earlier.validFrom : retrievedAt;
      const ended = status === 'synced' ? undefined : (status ?? 'unknown');
      const head = { id, currency, validFrom, retrievedAt, status: ended, listed };
      await this.#append({ ...head, isRemoved: false }, json);
      return earlier !== undefined && !isSame;
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
    const entries: StoredEntry[] = [];
    const found = new Set<OrganizationId>();
    let isSame = true;
    let end = -1;
    const add = (entry: StoredEntry | undefined, isFound: boolean) => {
      if (entry === undefined) return;
      const listed = listedOn(entry.listed, isFound, day);
      const hasChanged = listed !== entry.listed;
      isSame &&= !hasChanged && entry.span.start > end;
      end = entry.span.start;
      entries.push(hasChanged ? { ...entry, listed } : entry);
    };
    for (const id of order) {
      const key = comparableId(id);
      found.add(key);
      for (const ofCurrency of this.#entries.values()) add(ofCurrency.get(key), true);
    }
    for (const ofCurrency of this.#entries.values())
      for (const [key, entry] of ofCurrency) if (!found.has(key)) add(entry, false);
    if (isSame && this.#lines === entries.length) return;
    await this.#writeHistory();
    await this.#rewrite(entries);
  }

  /** Closes the file. A store that was not finished keeps what was appended. */
  async close(): Promise<void> {
    await this.#writes.catch(() => undefined);
    if (!this.#isClosed) await this.#file.close();
    this.#isClosed = true;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = this.#writes.then(work);
    this.#writes = turn.catch(() => undefined);
    return turn;
  }

  #checkWritable(): void {
    try {
      this.#log?.checkWritable();
    } catch (cause) {
      throw cannotWrite(this.path, cause);
    }
  }

  async #append(described: Omit<StoredHead, 'service'>, json: string | undefined): Promise<void> {
    const head = { ...described, service: this.#options.service ?? '' };
    await this.#log?.append(formatLine(head, json)).catch((cause: unknown) => {
      throw cannotWrite(this.path, cause);
    });
    this.#lines += 1;
    const length = Buffer.byteLength(json ?? '');
    const start = (this.#log?.size ?? 0) - length - 2;
    const bytes = this.#options.isUnmatched && Buffer.from(json ?? '');
    this.#take(head, json === undefined ? undefined : { start, length }, bytes);
  }

  /* Makes a line the current one of its id and currency. */
  #take(head: StoredHead, span: Span | undefined, json?: Buffer): void {
    const { currency } = head;
    const earlier = this.head(head.id, currency);
    const current = span ?? earlier?.span;
    // A head without a record cannot be the first line.
    if (current === undefined) return;
    if (earlier !== undefined && earlier.validFrom !== head.validFrom)
      this.replaced.push({ entry: earlier, validTo: head.validFrom });
    const entries = this.#entries.get(currency) ?? new Map<OrganizationId, StoredEntry>();
    // With a spread, Node 20 makes a hidden class for each entry.
    const entry: StoredEntry = {
      id: head.id,
      service: head.service,
      currency,
      validFrom: head.validFrom,
      retrievedAt: head.retrievedAt,
      status: head.status,
      listed: head.listed,
      isRemoved: head.isRemoved,
      hasRecord: current.length > noRecord.length,
      isUnmatched:
        span === undefined || json === undefined
          ? earlier?.isUnmatched === true
          : head.status === undefined && this.#options.isUnmatched?.(json) === true,
      span: current,
    };
    this.#entries.set(currency, entries.set(comparableId(head.id), entry));
  }

  async #read(): Promise<void> {
    const { service, paths } = this.#options;
    for await (const lines of readLines(this.#file, paths.records))
      for (const { head, span, json } of lines) {
        if (service !== undefined && head.service !== service)
          throw invalidInput(
            `${paths.records} has the records of ${head.service}, but this run uses ${service}`,
            'To keep the records of this service in another directory, use --keep <dir>.',
          );
        this.#lines += 1;
        this.#take(head, span, json);
      }
  }

  async #text({ start, length }: Span): Promise<string> {
    const { records } = this.#options.paths;
    const buffer = Buffer.allocUnsafe(length);
    // A file system on a network may read less than it was asked for.
    for (let read = 0; read < length; ) {
      const bytesRead = readAt(this.#file, records, buffer.subarray(read), start + read);
      if (bytesRead === 0) throw changedFile(records);
      read += bytesRead;
    }
    return buffer.toString('utf8');
  }

  /* Finds text of the user at the end of the history before anything is sent. */
  async #checkHistory(): Promise<void> {
    const { history } = this.#options.paths;
    if (!existsSync(history)) return;
    const log = await openToAppend(history, this.#options.lock).catch((cause: unknown) => {
      throw cannotWrite(history, cause);
    });
    await log.close();
  }

  async #writeHistory(): Promise<void> {
    if (this.replaced.length === 0) return;
    const path = this.#options.paths.history;
    let log: AppendLog | undefined;
    try {
      log = await openToAppend(path, this.#options.lock);
      const known = new Set<string>();
      for await (const lines of readLines(log, path))
        for (const { head } of lines) known.add(versionKey(head));
      for (const { entry, validTo } of this.replaced) {
        if (known.has(versionKey(entry))) continue;
        known.add(versionKey(entry));
        const { id, currency, validFrom } = entry;
        const head = { id, currency, valid_from: validFrom, valid_to: validTo };
        await log.append(withRecord(head, await this.#text(entry.span)));
      }
      await log.sync();
    } catch (cause) {
      // Something was sent, so it is too late for the exit code of a wrong input.
      if (!(cause instanceof UsageError)) throw cannotWrite(path, cause);
      const { message, hint } = cause;
      throw new LocalError(message, { cause, hint });
    } finally {
      await log?.close();
    }
  }

  async #rewrite(entries: readonly StoredEntry[]): Promise<void> {
    const { paths, lock } = this.#options;
    const work = async ({ write, commit }: PendingFile) => {
      let lines: string[] = [];
      let length = 0;
      const flush = () => {
        write(lines.join(''));
        const turn = takeTurn(length);
        [lines, length] = [[], 0];
        return turn;
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
    };
    const guard = lock && {
      aside: lock.aside,
      confirm: () => {
        lock.confirm();
        this.#log?.checkUnchanged();
      },
    };
    try {
      await writeAtomically(paths.records, work, guard);
    } catch (cause) {
      // The next holder removes the file that this run would have renamed.
      lock?.check();
      throw cannotWrite(paths.records, cause);
    }
  }
}

/* Converts the error of a system call; returns others as they are. */
function cannotWrite(path: string, cause: unknown): unknown {
  if (cause instanceof CarbonError || codeOf(cause) === '') return cause;
  return new LocalError(`Cannot write ${path}: ${explainSystemError(cause)}`, {
    cause,
    hint: 'Nothing retrieved so far is lost. Run the same command again.',
  });
}

async function openToAppend(path: string, lock: FileLock | undefined): Promise<AppendLog> {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  if (isLink) throw invalidInput(`${path} is a symbolic link`, 'Remove it, or use --keep <dir>.');
  return AppendLog.open(path, storeFormat, 0o666, lock);
}

/** Returns the error for a file that another program shortened or replaced meanwhile. */
export function changedFile(path: string): LocalError {
  return new LocalError(`${path} changed while carbon read it`, {
    hint: 'Run the same command again.',
  });
}

function versionKey(head: StoredHead): string {
  return `${keyOf(head)} ${head.validFrom}`;
}

/** Parses the text of a record; returns undefined if it is damaged. */
export function parseStored(text: string): object | undefined {
  try {
    const record: unknown = JSON.parse(text);
    return isObject(record) ? record : undefined;
  } catch {
    return undefined;
  }
}
