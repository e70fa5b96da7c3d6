/*
 * Commits row outcomes to the journal in groups, with one write and one disk flush for up to 1,024
 * lines. The writer has no callbacks: a run puts outcomes in, and receives each group from `groups`
 * when its lines are durable.
 */
import type { Clock } from '../../runtime/clock.ts';
import { WakeUp } from '../../runtime/wake-up.ts';
import type { RowEvent } from '../outcome.ts';
import type { Journal } from './journal.ts';

/** Maximum age of an outcome before carbon writes its journal line, in milliseconds. */
export const commitIntervalMs = 100;
/*
 * A fast service fills a group sooner. While a slow disk or reader is busy, twice as many outcomes
 * may wait before sending pauses. Records use most of the memory, so fewer of them may wait.
 */
const maxGroupLines = 1024;
const maxGroupRecords = 256;

/** Outcomes whose journal lines are durable. */
export interface CommittedGroup {
  readonly events: readonly RowEvent[];
  /** The lines of refused rows, with their offsets in the journal. */
  readonly refusals: readonly RefusalLine[];
}

/** Collects row outcomes and commits them in groups. */
export class JournalWriter {
  readonly #journal: Journal;
  readonly #clock: Clock;
  readonly #wakeUp: WakeUp;
  /* One buffer collects lines while the other is written. */
  #lines = new LineBuffer();
  #spareLines = new LineBuffer();
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

  /**
   * Adds an outcome and its journal line, if it has one.
   *
   * @param refused the entry of the row, for the line of a refused row
   */
  put(event: RowEvent, line?: string, refused?: number): void {
    if (line !== undefined) this.note(line, refused);
    this.#events.push(event);
    if (event.kind === 'registered' && event.json !== undefined) this.#records += 1;
    if (this.#isDue) return;
    if (this.#groupCount >= 1) this.#makeDue();
    else this.#cancelTimer ??= this.#clock.after(commitIntervalMs, () => this.#makeDue());
  }

  /** Adds a journal line without an outcome, to be written with the next group. */
  note(line: string, refused?: number): void {
    this.#lines.add(line, refused);
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
  async *groups(): AsyncGenerator<CommittedGroup, void, void> {
    for (;;) {
      while (!this.#isDue) await this.#wakeUp.wait(Number.POSITIVE_INFINITY);
      this.#isDue = this.#isEnded;
      if (this.#events.length + this.#lines.bytes.length > 0) yield await this.#commit();
      else if (this.#isEnded) return;
    }
  }

  #makeDue(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#isDue = true;
    this.#wakeUp.wake();
  }

  async #commit(): Promise<CommittedGroup> {
    const lines = this.#lines;
    const events = this.#events;
    this.#lines = this.#spareLines;
    this.#spareLines = lines;
    this.#events = [];
    this.#records = 0;
    const start = lines.bytes.length > 0 ? await this.#journal.append(lines.bytes) : 0;
    const refusals = lines.refusals.map(({ entry, offset }) => ({ entry, offset: start + offset }));
    lines.clear();
    return { events, refusals };
  }
}

/** Locates the journal line with the error of a refused row. */
export interface RefusalLine {
  readonly entry: number;
  /** Offset of the line in bytes. */
  readonly offset: number;
}

const usualBytes = 256 * 1024;

/**
 * Collects journal lines as bytes until they are written.
 *
 * Strings would live long enough to reach the old generation of the heap; the batch benchmark of
 * `npm run bench` shows the cost in memory.
 */
export class LineBuffer {
  #room = Buffer.allocUnsafeSlow(usualBytes);
  #length = 0;
  #refusals: RefusalLine[] = [];

  /** The collected lines, valid until the next `clear`. */
  get bytes(): Buffer {
    return this.#room.subarray(0, this.#length);
  }

  /** The lines of refused rows, with their offsets in `bytes`. */
  get refusals(): readonly RefusalLine[] {
    return this.#refusals;
  }

  /**
   * Adds a line.
   *
   * @param refused the entry of the row, for the line of a refused row
   */
  add(line: string, refused?: number): void {
    if (refused !== undefined) this.#refusals.push({ entry: refused, offset: this.#length });
    const atMost = this.#length + 3 * line.length;
    if (atMost > this.#room.length) {
      const room = Buffer.allocUnsafeSlow(2 * atMost);
      this.#room.copy(room, 0, 0, this.#length);
      this.#room = room;
    }
    this.#length += this.#room.write(line, this.#length);
  }

  /** Removes all lines. */
  clear(): void {
    if (this.#room.length > 4 * usualBytes) this.#room = Buffer.allocUnsafeSlow(usualBytes);
    this.#length = 0;
    this.#refusals = [];
  }
}
