/*
 * Paces one process with permits that all processes of an account share. Leases of permits arrive
 * before they are needed. Without the server, a local pacer continues at the last share.
 */

import type { Clock } from '../runtime/clock.ts';
import { AdvertisedLimit } from './advertised-limit.ts';
import { Lease } from './lease.ts';
import { LeaseTests } from './lease-tests.ts';
import { OutcomeReport } from './outcome-report.ts';
import type { PaceBucket, PaceError, PaceReply } from './pace-bucket.ts';
import { PaceExchange } from './pace-exchange.ts';
import type { PaceNotice } from './pace-notice.ts';
import type { PacingOutcome, RequestPacer, Ticket } from './pacer.ts';
import { maxSingleRetryAfterMs, maxWaitMs, type RefusalStreak } from './pacer.ts';
import { PermitDemand } from './permit-demand.ts';
import { SharePacer } from './share-pacer.ts';

/** Maximum delay, after which the pacer looks for news, such as a used-up quota. */
const maxDelayMs = 500;
/** Time before the end of a lease at which the next one is requested. */
const leadMs = 25;
/** Part of its last share that a process uses alone, so that a burst can refill. */
const shareAlone = 0.97;
/** Timers are late by up to this. */
const maxSpinMs = 1.3;

/** Configures a shared pacer. */
export interface SharedPacerOptions {
  readonly bucket: PaceBucket;
  /** Maximum requests in flight. */
  readonly concurrency: number;
  /** Maximum requests per second that this process sends. */
  readonly maxRate?: number | undefined;
  readonly clock: Clock;
  readonly random: () => number;
  readonly onNotice: (notice: PaceNotice) => void;
}

interface SharedTicket extends Ticket {
  readonly lease?: Lease;
  /** The pacer and ticket of a request without the server. */
  readonly local?: { readonly pacer: SharePacer; readonly ticket: Ticket };
}

/** Paces the requests of one process; `close` ends its part in the shared pace. */
export class SharedPacer implements RequestPacer {
  readonly #options: SharedPacerOptions;
  readonly #report = new OutcomeReport();
  readonly #exchange: PaceExchange;
  readonly #advertised = new AdvertisedLimit();
  readonly #leases: Lease[] = [];
  readonly #tests = new LeaseTests(this.#report);
  #last: Lease | undefined;
  #sequence = 0;
  #inFlight = 0;
  /** Earliest time that respects `maxRate`. */
  #tooEarlyUntil = Number.NEGATIVE_INFINITY;
  readonly #demand: PermitDemand;
  #retryAt = Number.NEGATIVE_INFINITY;
  #local: SharePacer | undefined;
  #hasJoined = false;
  #share: number | undefined;
  /** Mean lateness of requests, which a busy machine causes. */
  #lateMs = 0;
  #acceptedAt = Number.NEGATIVE_INFINITY;
  #isExhausted = false;
  #streak: RefusalStreak | undefined;

  constructor(options: SharedPacerOptions) {
    this.#options = options;
    this.#demand = new PermitDemand(options.concurrency);
    this.#exchange = new PaceExchange({
      bucket: options.bucket,
      clock: options.clock,
      report: this.#report,
      onReply: (reply, now, want) => this.#apply(reply, now, want),
      onLost: (error) => this.#lose(error),
    });
  }

  /** Joins the bucket, or starts the local pacer. Returns the error of a wrong address or login. */
  open(): Promise<PaceError | undefined> {
    return this.#exchange.open();
  }

  /** Whether the refusals mean a used-up quota; see `Pacer.exhausted`. */
  get exhausted(): boolean {
    return this.#local?.exhausted ?? this.#isExhausted;
  }

  /** Series of refusals of all processes. */
  get refusalStreak(): RefusalStreak | undefined {
    return this.#local === undefined ? this.#streak : this.#local.refusalStreak;
  }

  /** Requests per second of this process while the limit of the service delays requests. */
  get permitted(): number | undefined {
    return this.#local === undefined ? this.#share : (this.#local.permitted ?? this.#share);
  }

  delay(now: number): number {
    if (this.#inFlight >= this.#options.concurrency) return Infinity;
    const local = this.#local;
    if (local !== undefined) return local.delay(now);
    const lease = this.#current(now);
    this.#refill(now);
    if (lease === undefined) return this.#delayWithoutLease(now);
    const waitMs = Math.max(lease.nextAt, this.#tooEarlyUntil) - now;
    const spinMs = lease.isPrecise ? maxSpinMs : 0;
    return Math.min(maxDelayMs, Math.max(0, waitMs - spinMs));
  }

  sent(now: number): SharedTicket {
    this.#inFlight += 1;
    const sequence = this.#sequence++;
    const local = this.#local;
    if (local !== undefined) {
      const ticket = local.sent(now);
      return { ...ticket, sequence, local: { pacer: local, ticket } };
    }
    const lease = this.#leases[0];
    if (lease === undefined) return { sequence, sentAt: now, rate: Infinity };
    const sentAt = this.#spin(lease, now);
    this.#lateMs = 0.9 * this.#lateMs + 0.1 * Math.max(0, sentAt - lease.nextAt);
    lease.take(sentAt);
    if (lease.left === 0) this.#demand.ended(lease);
    const { maxRate } = this.#options;
    if (maxRate !== undefined)
      this.#tooEarlyUntil = Math.max(this.#tooEarlyUntil, sentAt - 10) + 1_000 / maxRate;
    const rate = lease.spacing > 0 ? 1 / lease.spacing : Infinity;
    return { sequence, sentAt, rate, lease };
  }

  responded(ticket: Ticket, now: number, outcome: PacingOutcome): void {
    this.#inFlight -= 1;
    const { local, lease, sentAt } = ticket as SharedTicket;
    local?.pacer.responded(local.ticket, now, outcome);
    const { kind, retryAfterMs = 0, limit } = outcome;
    const resetMs = limit ? this.#advertised.apply(limit) : 0;
    if (limit) this.#report.advertised(this.#advertised.rate);
    const isPassed = kind === 'accepted';
    const ignoresReset = kind !== 'refused' && resetMs > maxWaitMs;
    const waitMs = Math.max(isPassed ? 0 : retryAfterMs, ignoresReset ? 0 : resetMs);
    const at = this.#exchange.toServer(sentAt);
    const roundTripMs = now - sentAt;
    this.#demand.responded(roundTripMs);
    // Only a refusal can mean a used-up quota.
    if (waitMs > maxSingleRetryAfterMs)
      this.#report.stopped(kind === 'failed' ? Math.min(waitMs, maxWaitMs) : waitMs);
    if (isPassed) {
      this.#report.accepted(at, lease?.spacing ?? 0, roundTripMs);
      this.#acceptedAt = Math.max(this.#acceptedAt, sentAt);
      this.#isExhausted = false;
    } else if (kind === 'failed') this.#report.failed();
    else {
      if (waitMs > maxWaitMs) this.#isExhausted = true;
      const { gen = 0, spacing = 0, countsFrom = Infinity } = lease ?? {};
      const gap = this.#acceptedAt < countsFrom ? -1 : sentAt - this.#acceptedAt;
      if (lease?.test === undefined || lease.size === 1)
        this.#report.refused({ at, gen, gap, spacing, wait: waitMs }, roundTripMs);
      if (spacing === 0 && lease?.test === undefined) lease?.end();
    }
    if (lease !== undefined) this.#tests.add(lease, { at, passed: isPassed });
    this.#exchange.reportDue(now);
  }

  /** Reports the last outcomes and leaves, so that the others get this process's share. */
  close(): Promise<void> {
    return this.#exchange.close();
  }

  /* Returns the lease with the next permit, without those that are over. */
  #current(now: number): Lease | undefined {
    for (;;) {
      const lease = this.#leases[0];
      if (lease === undefined || !lease.isOver(now)) return lease;
      if (lease.left > 0) {
        this.#demand.ended(lease);
        this.#tests.drop(lease);
      }
      this.#leases.shift();
    }
  }

  get #leadMs(): number {
    const lateMs = Math.min(maxDelayMs, 2 * this.#lateMs);
    return leadMs + lateMs + Math.min(maxDelayMs, 1.5 * this.#exchange.roundTripMs);
  }

  /* Requests the next lease shortly before the last one ends. */
  #refill(now: number): void {
    if (this.#exchange.isCalling || now < this.#retryAt || this.#leases.length > 1) return;
    const lease = this.#leases[0];
    if (lease !== undefined && !lease.isLow(now, this.#leadMs)) return;
    const taken = this.#leases.reduce((sum, { left }) => sum + left, this.#inFlight);
    void this.#exchange.call(this.#demand.next(this.#last, taken, this.#leadMs));
  }

  #delayWithoutLease(now: number): number {
    if (!this.#exchange.isCalling) return Math.max(1, Math.min(maxDelayMs, this.#retryAt - now));
    return Math.max(1, Math.min(20, (now - this.#exchange.calledAt) / 4));
  }

  /* Waits without a timer for the last part of a millisecond. */
  #spin(lease: Lease, now: number): number {
    let sentAt = now;
    // A clock that stands still must not cause an endless loop.
    for (let turns = 0; lease.isPrecise && sentAt < lease.nextAt && turns < 1e5; turns += 1)
      sentAt = this.#options.clock.elapsed();
    return sentAt;
  }

  #apply(reply: PaceReply, now: number, want: number): void {
    const { members, rate, isNew, exhausted, since, untilMs, retry } = reply;
    if (isNew && this.#hasJoined) this.#options.onNotice({ kind: 'flushed' });
    this.#hasJoined = true;
    this.#share = rate === undefined ? undefined : (1_000 * rate) / members;
    // One request must confirm a used-up quota soon, even if the last reply asked for a long wait.
    if (exhausted && !this.#isExhausted) this.#retryAt = now;
    this.#isExhausted = exhausted;
    this.#streak =
      since === undefined ? undefined : { since: now + since, until: now + (untilMs ?? 0) };
    if (want > 0) this.#retryAt = now + this.#spread(retry ?? 0);
    if (reply.count !== undefined) {
      this.#last = new Lease(reply, now, this.#last, this.#options.clock.elapsed());
      this.#leases.push(this.#last);
    }
    if (this.#local === undefined) return;
    this.#local = undefined;
    this.#options.onNotice({ kind: 'back' });
  }

  /* Processes must not all call at the same moment. */
  #spread(ms: number): number {
    return ms < 20 ? ms : ms * (0.85 + 0.3 * this.#options.random());
  }

  #lose({ message }: PaceError): void {
    const { concurrency, maxRate, clock, random, onNotice } = this.#options;
    const share = this.#share ? shareAlone * this.#share : undefined;
    const start = { share, isNewcomer: !this.#hasJoined, now: clock.elapsed() };
    this.#local = new SharePacer({ concurrency, maxRate, random, ...start });
    this.#leases.length = 0;
    onNotice({ kind: 'lost', reason: message, perSecond: share });
  }
}
