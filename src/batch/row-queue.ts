/*
 * Decides which row is sent next: a row of the file, a row that waits for another attempt, or a row
 * that earlier runs failed on. Those come last, so that they cannot stop the others.
 */
import { DelayQueue } from '../runtime/delay-queue.ts';
import {
  type IdentifiedGroup,
  type IdentifiedRow,
  type IdentifiedTable,
  identifyRows,
} from './identified-rows.ts';
import type { JournalWriter } from './journal/journal.ts';
import type { Job, RowTracker } from './rows.ts';

/* While more rows wait for another attempt, no new row starts. */
const maxWaitingRows = 1_000;

/** Dependencies of a row queue. */
export interface RowQueueOptions {
  readonly table: IdentifiedTable;
  readonly rows: RowTracker;
  readonly writer: JournalWriter;
  random(): number;
}

/** Reads the rows of the file and queues those that must be sent. */
export class RowQueue {
  readonly #options: RowQueueOptions;
  readonly #groups: AsyncGenerator<IdentifiedGroup, void, void>;
  readonly #retries = new DelayQueue<Job>();
  /* Rows that the rate limit refused without a Retry-After, for which the pacer alone waits. */
  readonly #refused = new DelayQueue<Job>();
  /* Rows that earlier runs failed on, the next one last. */
  #failedBefore: Job[] = [];
  #group: readonly IdentifiedRow[] = [];
  #nextInGroup = 0;
  #isFileRead = false;
  #isEmpty = false;

  constructor(options: RowQueueOptions) {
    this.#options = options;
    this.#groups = identifyRows(options.table);
  }

  /** Whether every row of the file was taken once. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** When the next retry is due, Infinity without one. */
  get dueAt(): number {
    return Math.min(this.#retries.due, this.#refused.due);
  }

  /** Whether `take` needs `read` to continue. */
  get needsRead(): boolean {
    return this.#mayStart && !this.#isEmpty;
  }

  get #mayStart(): boolean {
    return this.#retries.size + this.#refused.size < maxWaitingRows;
  }

  /**
   * Takes the next row to send, undefined when none is due or `read` must come first.
   *
   * @param prefersNew whether a row without an attempt goes before one that is due again
   * @throws LocalError when the file has changed since the check
   */
  take(now: number, prefersNew: boolean): Job | undefined {
    const isRetryDue = this.dueAt <= now && !(prefersNew && this.needsRead);
    if (isRetryDue)
      return (this.#retries.due <= this.#refused.due ? this.#retries : this.#refused).take();
    const started = this.#mayStart ? this.#takeNew() : undefined;
    return started ?? (this.needsRead ? undefined : this.#refused.take());
  }

  #takeNew(): Job | undefined {
    const { rows, writer } = this.#options;
    while (this.#nextInGroup < this.#group.length && !writer.isFull) {
      const row = this.#group[this.#nextInGroup] as IdentifiedRow;
      this.#nextInGroup += 1;
      const job = rows.start(row);
      if (job?.firstRequest === 0) this.#failedBefore.push(job);
      else if (job !== undefined) return job;
    }
    return this.#isFileRead && !writer.isFull ? this.#failedBefore.pop() : undefined;
  }

  /**
   * Reads the next rows of the file.
   *
   * @throws LocalError when the file has changed since the check
   */
  async read(): Promise<void> {
    if (this.#nextInGroup < this.#group.length) return;
    const { value } = await this.#groups.next();
    this.#group = value?.rows ?? [];
    this.#nextInGroup = 0;
    if (value !== undefined) return;
    if (!this.#isFileRead) this.#rotateFailedBefore();
    this.#isFileRead = true;
    this.#isEmpty = this.#failedBefore.length === 0;
  }

  /* If the first twenty of these rows end each run, the next run must start with others. */
  #rotateFailedBefore(): void {
    const jobs = this.#failedBefore;
    const from = Math.floor(this.#options.random() * jobs.length);
    this.#failedBefore = [...jobs.slice(from), ...jobs.slice(0, from)].reverse();
  }

  /** Queues a row for another attempt. */
  retry(job: Job, dueAt: number): void {
    this.#retries.add(job, dueAt);
  }

  /**
   * Queues a refused row for another attempt: at `dueAt`, so that it cannot delay the other rows,
   * or earlier if no new row is left.
   */
  retryRefused(job: Job, dueAt: number): void {
    this.#refused.add(job, dueAt);
  }

  /** Removes and returns all rows that wait for another attempt. */
  drainRetries(): Job[] {
    return [...this.#retries.drain(), ...this.#refused.drain()];
  }

  /** Closes the file. */
  async close(): Promise<void> {
    await this.#groups.return();
  }
}
