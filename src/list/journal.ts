/*
 * Writes the journal of a list: an append-only file with the outcome of each row. A line is durable
 * when `append` has resolved; carbon reports no outcome before. A kill leaves at most one truncated
 * line, which the next run ends with a line feed and ignores.
 *
 * Each line is one JSON object. The first one names the service, the profile and the columns of the
 * lines that follow; a later run with another mapping adds one of the same kind:
 *
 *   {"carbon":"journal","version":1,"keys":1,"service":"...","profile":"...","mapping":{...}}
 *
 * The line of a row has its key ([…] stands for 32 hexadecimal digits) and an id, padded to a fixed
 * width. A rejected row has the id null, then the status, title and detail of the response:
 *
 * {"key":"[…]","id":
 * 12,"line":2,"status":"created","at":"2026-01-15T09:30:00.000Z"}
 *
 * Lines of other kinds are notes; a version of carbon that does not know one ignores it:
 *
 *   {"carbon":"failed","key":"[…]",...}                 a row failed, and was not rejected
 *   {"carbon":"pending","key":"[…]",...}                the outcome of a row does not count
 *   {"carbon":"truncated line"}                         the line before it was cut by a kill
 */
import { constants, existsSync } from 'node:fs';
import { type FileHandle, open, realpath, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { OrganizationId } from '../api/ids.ts';
import { syncDirectory, whileInUse } from '../runtime/atomic-file.ts';
import {
  type CarbonError,
  explainSystemError,
  HintedError,
  LocalError,
} from '../runtime/carbon-error.ts';
import { type Clock, WakeUp } from '../runtime/clock.ts';
import { type FileLock, type LockContext, lockFile } from '../runtime/file-lock.ts';
import { isTruncatedHeader, journalVersion, keyVersion } from './journals.ts';

/** What the first line of a journal says about those that follow. */
export interface JournalHeader {
  /** The base URL, or `sandbox`. */
  readonly service: string;
  /** Name of the profile, `env` when base URL and key are from the environment. */
  readonly profile: string;
  readonly mapping: Readonly<Record<string, string>>;
  /** The path of the list, if the journal is in another directory. */
  readonly list?: string | undefined;
}

export function headerLine({ service, profile, mapping, list }: JournalHeader): string {
  const versions = { version: journalVersion, keys: keyVersion };
  return `${JSON.stringify({ carbon: 'journal', ...versions, service, profile, list, mapping })}\n`;
}

/** A row in the journal. */
export interface JournalRow {
  readonly key: string;
  readonly line: number;
}

const idWidth = 19;

export function registeredLine(
  { key, line, id, status }: JournalRow & { id: OrganizationId; status: string | undefined },
  atMs: number,
): string {
  return `{"key":"${key}","id":${JSON.stringify(id).padStart(idWidth)},"line":${line},"status":${JSON.stringify(status ?? null)},"at":"${time(atMs)}"}\n`;
}

export function refusedLine({ key, line }: JournalRow, error: CarbonError, atMs: number): string {
  return `{"key":"${key}","id":${'null'.padStart(idWidth)},"line":${line},"at":"${time(atMs)}",${reason(error)}\n`;
}

/** Formats the note that a row failed, or that its outcome does not count. */
export function rowNote(
  kind: 'failed' | 'pending',
  { key, line }: JournalRow,
  error: CarbonError,
  atMs: number,
): string {
  return `{"carbon":"${kind}","key":"${key}","line":${line},"at":"${time(atMs)}",${reason(error)}\n`;
}

/* Formats the recorded members of an error and the end of the object. */
function reason(error: CarbonError): string {
  const { status, title, detail, message, code, reason } = error;
  const hint = error instanceof HintedError ? error.hint : undefined;
  return JSON.stringify({ code, reason, status, title, detail, message, hint }).slice(1);
}

function time(ms: number): string {
  return new Date(ms).toISOString();
}

/** A journal open for appending. */
export class Journal {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #inode: number;
  #size: number;

  private constructor(path: string, file: FileHandle, inode: number, size: number) {
    this.path = path;
    this.#file = file;
    this.#inode = inode;
    this.#size = size;
  }

  /**
   * Opens a journal and checks that it can be written; a new one is readable by this user only.
   *
   * @throws LocalError when it cannot be written
   */
  static async open(path: string): Promise<Journal> {
    const { O_RDWR, O_APPEND, O_CREAT } = constants;
    let file: FileHandle | undefined;
    try {
      file = await open(path, O_RDWR | O_APPEND | O_CREAT, 0o600);
      const { size, ino } = await file.stat();
      const journal = new Journal(path, file, ino, size);
      if (size > 0) await journal.#repair();
      // After a power cut, a journal with durable lines must still have its name.
      if (journal.#size === 0) await syncDirectory(dirname(await realpath(path)));
      return journal;
    } catch (error) {
      await file?.close().catch(() => undefined);
      throw toJournalError(path, error);
    }
  }

  /* Ends a last line that a kill cut. A header that was cut is removed; no row follows it. */
  async #repair(): Promise<void> {
    const { buffer, bytesRead } = await this.#file.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, 0);
    const head = buffer.toString('utf8', 0, bytesRead);
    if (!head.includes('\n') && isTruncatedHeader(head)) {
      await this.#file.truncate(0);
      this.#size = 0;
      return;
    }
    const last = Buffer.alloc(1);
    await this.#file.read(last, 0, 1, this.#size - 1);
    if (last.toString() !== '\n') await this.append('\n{"carbon":"truncated line"}\n');
  }

  /**
   * Appends complete lines and waits until they are on the disk.
   *
   * @throws LocalError when the disk is full, or the file was removed or replaced
   */
  async append(lines: string): Promise<void> {
    try {
      const bytes = Buffer.from(lines);
      for (let offset = 0; offset < bytes.length; ) {
        const { bytesWritten } = await this.#file.write(bytes, offset);
        offset += bytesWritten;
        this.#size += bytesWritten;
      }
      await this.#file.datasync();
    } catch (error) {
      throw toJournalError(this.path, error);
    }
    const now = await stat(this.path).catch(() => undefined);
    // Another run may use the journal by another name, whose lock is elsewhere.
    if (now?.ino === this.#inode && now.size === this.#size) return;
    const what = now?.ino === this.#inode ? 'changed' : 'removed or replaced';
    throw new LocalError(`The journal ${this.path} was ${what} during the run`, {
      hint: 'Restore the file and run the same command again. Without it, carbon sends every row again; no organization is registered twice.',
    });
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** Maximum age of an outcome before carbon writes its journal line, in milliseconds. */
export const commitIntervalMs = 100;
/*
 * A fast service fills a group sooner. While a slow disk or reader is busy, twice as many outcomes
 * may wait before sending pauses. Records use most of the memory, so fewer of them may wait.
 */
const maxGroupLines = 1024;
const maxGroupRecords = 256;

/**
 * Commits outcomes in groups, with one write and one disk flush for each group. A run puts outcomes
 * in, and receives each group from `groups` when its lines are durable.
 */
export class JournalWriter<Event extends object> {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #wakeUp: WakeUp;
  #lines: string[] = [];
  #events: Event[] = [];
  #records = 0;
  #cancelTimer: (() => void) | undefined;
  #isDue = false;
  #isEnded = false;

  constructor(journal: Journal, clock: Clock) {
    this.#journal = journal;
    this.#clock = clock;
    this.#wakeUp = new WakeUp(clock);
  }

  /** Whether sending must pause until the disk and the reader have caught up. */
  get isFull(): boolean {
    return this.#groupCount >= 2;
  }

  get #groupCount(): number {
    return Math.max(this.#events.length / maxGroupLines, this.#records / maxGroupRecords);
  }

  /** Adds an outcome, perhaps with a record as `json`, and its journal line, if it has one. */
  put(event: Event, line?: string): void {
    if (line !== undefined) this.note(line);
    this.#events.push(event);
    if ('json' in event && event.json !== undefined) this.#records += 1;
    if (this.#isDue) return;
    if (this.#groupCount >= 1) this.#makeDue();
    else this.#cancelTimer ??= this.#clock.after(commitIntervalMs, () => this.#makeDue());
  }

  /** Adds a journal line without an outcome, to be written with the next group. */
  note(line: string): void {
    this.#lines.push(line);
  }

  /** Ends `groups` after what was added so far. */
  end(): void {
    this.#isEnded = true;
    this.#makeDue();
  }

  /**
   * Commits group after group and yields each when it is durable, until `end` is called. While the
   * caller handles a group, no other one is written.
   * @throws LocalError when the journal cannot be written
   */
  async *groups(): AsyncGenerator<readonly Event[], void, void> {
    for (;;) {
      while (!this.#isDue) await this.#wakeUp.wait(Number.POSITIVE_INFINITY);
      this.#isDue = this.#isEnded;
      const [lines, events] = [this.#lines, this.#events];
      if (events.length + lines.length === 0) {
        if (this.#isEnded) return;
        continue;
      }
      this.#lines = [];
      this.#events = [];
      this.#records = 0;
      if (lines.length > 0) await this.#journal.append(lines.join(''));
      yield events;
    }
  }

  #makeDue(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isDue = true;
    this.#wakeUp.wake();
  }
}

/** Renames a journal to a backup name that is not in use, so that a new one can start. */
export async function setJournalAside(path: string): Promise<void> {
  let aside = `${path}.previous`;
  for (let count = 2; existsSync(aside); count += 1) aside = `${path}.previous-${count}`;
  await whileInUse(() => rename(path, aside)).catch((error: unknown) => {
    throw toJournalError(path, error);
  });
}

/** Converts the error of a system call on a journal to a LocalError; returns others as they are. */
export function toJournalError(path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  return new LocalError(`Cannot write the journal ${path}: ${explainSystemError(error)}`, {
    hint: 'Nothing recorded so far is lost. Fix the cause and run the same command again.',
    cause: error,
  });
}

/**
 * Takes the lock of a journal.
 * @throws LocalError when another run holds it
 */
export function lockJournal(journal: string, context: LockContext): Promise<FileLock> {
  const path = `${journal}.lock`;
  const busy = (holder: string) =>
    new LocalError(`Another run is in progress on this file: ${holder}`, {
      hint: `Wait until that run ends, or stop it. Then run the same command to resume. The lock is ${path}; if its process has died, the next run replaces it.`,
    });
  const unwritable = 'The journal needs a writable directory. Use --keep to choose another one.';
  return lockFile(path, { busy, unwritable }, context);
}
