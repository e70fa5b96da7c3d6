import { NewcomerRate } from './newcomer-rate.ts';
import type { PacingOutcome, Ticket } from './pacer.ts';
import { Pacer } from './pacer.ts';

const maxDelayMs = 500;

/** Configures the pacer of a process that continues alone. */
export interface SharePacerOptions {
  /** Maximum requests in flight. */
  readonly concurrency: number;
  /** Maximum requests per second of this process. */
  readonly maxRate: number | undefined;
  /** Its last share of the learned rate, in requests per second; undefined if none is known. */
  readonly share: number | undefined;
  /** Whether it has never reached the server, so that others may use the limit completely. */
  readonly isNewcomer: boolean;
  readonly now: number;
  readonly random: () => number;
}

/**
 * Paces one process at its last share of the rate. Without one, it learns the rate alone, carefully
 * if it is a newcomer.
 */
export class SharePacer extends Pacer {
  /* Many processes lose the server at the same moment and must not all send then. */
  readonly #startsAt: number;
  #newcomer: NewcomerRate | undefined;

  constructor(options: SharePacerOptions) {
    const { concurrency, maxRate = Infinity, share, isNewcomer, now, random } = options;
    const bound = Math.min(maxRate, share ?? Infinity);
    super(bound === Infinity ? { concurrency } : { concurrency, maxRate: bound });
    this.#startsAt = share === undefined ? now : now + (random() * 1_000) / share;
    this.#newcomer = isNewcomer ? new NewcomerRate(now, random()) : undefined;
  }

  override delay(now: number): number {
    if (this.#newcomer?.isOver(now)) this.#newcomer = undefined;
    const nextAt = this.#newcomer?.nextAt ?? this.#startsAt;
    const delayMs = Math.max(super.delay(now), nextAt - now);
    // The server may be back before a long delay ends. A response ends an infinite one.
    return delayMs === Infinity ? Infinity : Math.min(maxDelayMs, delayMs);
  }

  override sent(now: number): Ticket {
    this.#newcomer?.sent(now);
    return super.sent(now);
  }

  override responded(ticket: Ticket, now: number, outcome: PacingOutcome): void {
    if (outcome.kind !== 'failed')
      this.#newcomer?.responded(ticket.sentAt, now, outcome.kind === 'refused');
    super.responded(ticket, now, outcome);
  }
}
