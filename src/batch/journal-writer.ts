/*
 * Commits outcomes in groups, with one write and one disk flush for up to 1,024 lines. The writer
 * has no callbacks: a run puts outcomes in, and receives each group from `groups` when its lines
 * are durable.
 */
import type { Journal } from '../list/journal.ts';
import type { Clock } from '../runtime/clock.ts';
import { WakeUp } from '../runtime/clock.ts';
import type { RowEvent } from './rows.ts';

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
