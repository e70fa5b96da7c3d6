import type { Ticket } from './request-pacer.ts';

/** Number of requests that a run sends immediately. */
export const initialWindow = 4;
/**
 * A limit with a burst of three or more accepts more of the initial requests, unless other
 * processes have used up the burst.
 */
const maxAcceptedWithoutBurst = 2;
/** Time in which processes that start together find their rates and leave some of the burst. */
const minDoubtMs = 2_000;
/** Round trip after which the initial requests may have arrived far apart. */
const maxInitialRoundTripMs = 250;
/** Edges after which a test decides whether such requests passed without a burst. */
const edgesBeforeTest = 3;
/** Number of requests in a test. */
const testSize = 3;

/**
 * Tests whether a limit has a burst, by sending three requests together: without a burst, the limit
 * accepts at most one.
 */
export class BurstTest {
  #initialRequests = 0;
  #hasResponse = false;
  #accepted = 0;
  #doubtSince = Infinity;
  #firstSequence = Infinity;
  #unsent = 0;
  #initialRoundTripMs = 0;
  #edges = 0;
  #passed = 0;

  /** Whether the next request must follow the previous one immediately. */
  get isInProgress(): boolean {
    return this.#unsent > 0 && this.#unsent < testSize;
  }

  /** Whether another request follows the next one immediately. */
  get hasMore(): boolean {
    return this.#unsent > 1;
  }

  /** Whether all requests of the test were accepted. */
  get isPassed(): boolean {
    return this.#passed === testSize;
  }

  /** Whether the limit may have no burst. */
  get hasDoubt(): boolean {
    return (
      this.#doubtSince < Infinity &&
      this.#accepted <= maxAcceptedWithoutBurst &&
      this.#initialRequests >= testSize
    );
  }

  /** Checks whether it is time for the first test. */
  isDue(now: number): boolean {
    return this.hasDoubt && now - this.#doubtSince >= minDoubtMs;
  }

  /** Records a response or failure of any request. */
  responded({ sequence, sentAt }: Ticket, now: number): void {
    this.#hasResponse = true;
    if (sequence >= initialWindow) return;
    this.#initialRoundTripMs = Math.max(this.#initialRoundTripMs, now - sentAt);
  }

  /** Starts to doubt that there is a burst, after the first refusal. */
  begin(now: number): void {
    this.#doubtSince = now;
  }

  /** Records an edge; starts to doubt again if the initial requests may have arrived far apart. */
  edge(now: number): void {
    this.#edges += 1;
    const isSlow = this.#initialRoundTripMs > maxInitialRoundTripMs;
    const isUncertain = this.#accepted < initialWindow || isSlow;
    const hasTested = this.#firstSequence < Infinity;
    if (this.#edges !== edgesBeforeTest || !isUncertain || hasTested || this.hasDoubt) return;
    this.#accepted = 0;
    this.#doubtSince = now - minDoubtMs;
  }

  /** Ends the doubt. */
  end(): void {
    this.#doubtSince = Infinity;
  }

  /** Starts a test with the next three requests. */
  start(sequence: number): void {
    this.end();
    this.#firstSequence = sequence;
    this.#unsent = testSize;
    this.#passed = 0;
  }

  /** Records a sent request. */
  sent(): void {
    if (!this.#hasResponse) this.#initialRequests += 1;
    if (this.#unsent > 0) this.#unsent -= 1;
  }

  /** Records an accepted request. */
  accepted(ticket: Ticket): void {
    if (ticket.sequence < initialWindow) this.#accepted += 1;
    if (this.includes(ticket)) this.#passed += 1;
  }

  /** Checks whether a request belongs to the latest test. */
  includes({ sequence }: Ticket): boolean {
    return sequence >= this.#firstSequence && sequence < this.#firstSequence + testSize;
  }

  /** Checks whether a request was sent only for the test; the pacer ignores its refusal. */
  isExtra(ticket: Ticket): boolean {
    return this.includes(ticket) && ticket.sequence > this.#firstSequence;
  }
}
