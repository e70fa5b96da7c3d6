/*
 * The journal is an append-only file with the outcome of each row, one per line. A line is durable
 * when `append` has resolved; carbon reports no outcome before. A kill leaves at most one truncated
 * line. The next run ends that line with a line feed and ignores it.
 *
 * The writer commits outcomes in groups, with one write and one disk flush for up to 1,024 lines.
 * It has no callbacks: a run puts outcomes in, and receives each group from `groups` when its lines
 * are durable.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, realpath, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory, whileInUse } from '../../runtime/atomic-file.ts';
import { LocalError } from '../../runtime/carbon-error.ts';
import type { Clock } from '../../runtime/clock.ts';
import { WakeUp } from '../../runtime/clock.ts';
import { explainSystemError } from '../../runtime/system-error.ts';
import type { RowEvent } from '../rows.ts';
import { isTruncatedHeader, truncatedLine } from './format.ts';

const feed = 10;

/** A journal open for appending. */
export class Journal {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #inode: number;
  #size = 0;

  private constructor(path: string, file: FileHandle, inode: number) {
    this.path = path;
    this.#file = file;
    this.#inode = inode;
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
      const journal = new Journal(path, file, ino);
      journal.#size = size;
      if (size > 0) await journal.#repair();
      // After a power cut, a journal with durable lines must still have its name.
      if (journal.isEmpty) await syncDirectory(dirname(await realpath(path)));
      return journal;
    } catch (error) {
      await file?.close().catch(() => undefined);
      throw toJournalError(path, error);
    }
  }

  /*
   * Ends a last line that a kill cut. A header that was cut is removed, because no row follows it.
   */
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
    if (last[0] !== feed) await this.append(`\n${truncatedLine}`);
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
      const now = await stat(this.path).catch(() => undefined);
      // Another run may use the journal by another name, whose lock is elsewhere.
      if (now?.ino !== this.#inode || now.size !== this.#size) {
        const what = now?.ino === this.#inode ? 'changed' : 'removed or replaced';
        throw new LocalError(`The journal ${this.path} was ${what} during the run`, {
          hint: 'Restore the file and run the same command again. Without it, carbon sends every row again; no organization is registered twice.',
        });
      }
    } catch (error) {
      throw toJournalError(this.path, error);
    }
  }

  /** Whether the journal has no header yet. */
  get isEmpty(): boolean {
    return this.#size === 0;
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/**
 * Renames a journal so that a new one can start. Does nothing when there is no journal.
 */
export async function setJournalAside(path: string, aside: string): Promise<void> {
  await whileInUse(() => rename(path, aside)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw toJournalError(path, error);
  });
}

/**
 * Converts the error of a system call on a journal to a LocalError; returns other errors as is.
 */
export function toJournalError(
  path: string,
  error: unknown,
  operation: 'read' | 'write' = 'write',
): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  return new LocalError(`Cannot ${operation} the journal ${path}: ${explainSystemError(error)}`, {
    hint: 'Nothing recorded so far is lost. Fix the cause and run the same command again.',
    cause: error,
  });
}

/** Maximum age of an outcome before carbon writes its journal line, in milliseconds. */
export const commitIntervalMs = 100;
/*
 * A fast service fills a group sooner. While a slow disk or reader is busy, twice as many outcomes
 * may wait before sending pauses. Records use most of the memory, so fewer of them may wait.
 */
const maxGroupLines = 1024;
const maxGroupRecords = 256;

/** Collects row outcomes and commits them in groups. */
export class JournalWriter {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #wakeUp: WakeUp;
  #lines: string[] = [];
  #events: RowEvent[] = [];
  /* Number of events with a record. */
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

  /* How many groups of maximum size wait. */
  get #groupCount(): number {
    return Math.max(this.#events.length / maxGroupLines, this.#records / maxGroupRecords);
  }

  /** Adds an outcome and its journal line, if it has one. */
  put(event: RowEvent, line?: string): void {
    if (line !== undefined) this.note(line);
    this.#events.push(event);
    if (event.kind === 'registered' && event.json !== undefined) this.#records += 1;
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
   * Commits group after group and yields each when it is durable, until `end` is called.
   *
   * While the caller handles a group, no other one is written.
   * @throws LocalError when the journal cannot be written
   */
  async *groups(): AsyncGenerator<readonly RowEvent[], void, void> {
    for (;;) {
      while (!this.#isDue) await this.#wakeUp.wait(Number.POSITIVE_INFINITY);
      this.#isDue = this.#isEnded;
      if (this.#events.length + this.#lines.length > 0) yield await this.#commit();
      else if (this.#isEnded) return;
    }
  }

  #makeDue(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isDue = true;
    this.#wakeUp.wake();
  }

  async #commit(): Promise<readonly RowEvent[]> {
    const lines = this.#lines;
    const events = this.#events;
    this.#lines = [];
    this.#events = [];
    this.#records = 0;
    if (lines.length > 0) await this.#journal.append(lines.join(''));
    return events;
  }
}
