import type { Ticket } from './outcome.ts';

/** The first requests of a run are sent at once. */
export const initialWindow = 4;
/**
 * With a burst of three or more, more of them are accepted, unless other processes have used it up.
 */
const maxAccepted = 2;
/** Processes that start together have found their rates by then, and leave something of a burst. */
const doubtMs = 2_000;
const atOnce = 3;

/**
 * Finds out whether a limit has a burst, by three requests at once: without a burst, no more than
 * one of them passes.
 */
export class BurstTest {
  #sentAtOnce = 0;
  #isAnswered = false;
  #accepted = 0;
  #doubtSince = Infinity;
  #from = Infinity;
  #unsent = 0;
  #passed = 0;

  /** Whether the next request belongs to those that are sent with the one before. */
  get isUnderWay(): boolean {
    return this.#unsent > 0 && this.#unsent < atOnce;
  }

  /** Whether the next request is one of those that others follow at once. */
  get hasMore(): boolean {
    return this.#unsent > 1;
  }

  get isPassed(): boolean {
    return this.#passed === atOnce;
  }

  /** Whether it is not known yet that the limit has a burst. */
  get hasDoubt(): boolean {
    return (
      this.#doubtSince < Infinity && this.#accepted <= maxAccepted && this.#sentAtOnce >= atOnce
    );
  }

  /** Whether it is time for the first test. */
  isDue(now: number): boolean {
    return this.hasDoubt && now - this.#doubtSince >= doubtMs;
  }

  /** A request was answered, whatever the answer. */
  answered(): void {
    this.#isAnswered = true;
  }

  /** A request was refused for the first time. */
  begin(now: number): void {
    this.#doubtSince = now;
  }

  /** There is no doubt, or nothing to gain from an answer. */
  end(): void {
    this.#doubtSince = Infinity;
  }

  /** Makes a test of the next three requests. */
  start(sequence: number): void {
    this.end();
    this.#from = sequence;
    this.#unsent = atOnce;
    this.#passed = 0;
  }

  sent(): void {
    if (!this.#isAnswered) this.#sentAtOnce += 1;
    if (this.#unsent > 0) this.#unsent -= 1;
  }

  accepted(ticket: Ticket): void {
    if (ticket.sequence < initialWindow) this.#accepted += 1;
    if (this.includes(ticket)) this.#passed += 1;
  }

  includes({ sequence }: Ticket): boolean {
    return sequence >= this.#from && sequence < this.#from + atOnce;
  }

  /** Whether a request was sent for the test alone, so that its refusal says nothing else. */
  isExtra(ticket: Ticket): boolean {
    return this.includes(ticket) && ticket.sequence > this.#from;
  }
}
