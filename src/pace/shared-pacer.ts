/*
 * Paces one process with permits that all processes of an account share. Each permit is a time of
 * sending, and arrives shortly before it. While no limit is known, and without the server, a pacer
 * of this process decides.
 */
import type { Clock } from '../runtime/clock.ts';
import {
  boundsOf,
  maxSingleRetryAfterMs,
  maxWaitMs,
  Pacer,
  type PacerOptions,
  type PacingOutcome,
  type RefusalStreak,
  type RequestPacer,
  type Ticket,
} from './pacer.ts';

/** Outcomes since the last call, and the permits that the process wants. */
export interface Report {
  readonly want: number;
  readonly accepted: number;
  /** The refused request that was permitted last. */
  readonly refused?: { readonly edges: number; readonly rate: number } | undefined;
  /** Longest Retry-After or reset. */
  readonly wait: number;
  /** Longest recent round trip to the service. */
  readonly rtt: number;
  /** Rate in the headers of the service; 0 without one. */
  readonly advertised: number;
  /** Rate of all processes at the last call; 0 if there is none. */
  readonly known: number;
  /** Whether this is the last call of this process. */
  readonly leaves: boolean;
}

/** What the server decides. */
export interface Reply {
  readonly members: number;
  /** Number of decisions so far. */
  readonly edges: number;
  readonly exhausted: boolean;
  /** Requests per millisecond of all processes; 0 while no limit is known. */
  readonly rate: number;
  /** Number of permits, and time until the first one; undefined without permits. */
  readonly count?: number | undefined;
  readonly first?: number | undefined;
  /** Time until the next call for permits. */
  readonly retry?: number | undefined;
  /** Start and end of a refusal streak, from now. */
  readonly since?: number | undefined;
  readonly untilMs?: number | undefined;
}

/** Hands out permits for one account and operation. */
export interface Bucket {
  /** @throws PaceError if the server cannot be used */
  call(report: Report): Promise<Reply>;
}

/** Explains in one clause why the shared pace cannot be used. */
export class PaceError extends Error {
  override readonly name = 'PaceError';
  /** Whether the address or the login is wrong, so that waiting does not help. */
  readonly isConfiguration: boolean;

  constructor(message: string, isConfiguration = false) {
    super(message);
    this.isConfiguration = isConfiguration;
  }
}

/** Reports that the server is lost, with the rate of this process if it has one, or is back. */
export type PaceNotice =
  | { readonly kind: 'lost'; readonly reason: string; readonly perSecond: number | undefined }
  | { readonly kind: 'back' };

/** Configures the pacer of one process. */
export interface SharedPacerOptions extends PacerOptions {
  readonly bucket: Bucket;
  readonly clock: Clock;
  onNotice(notice: PaceNotice): void;
}

interface Lease {
  readonly edges: number;
  readonly rate: number;
  readonly endsAt: number;
  nextAt: number;
  left: number;
}

interface SharedTicket extends Ticket {
  readonly local: Pacer;
  readonly localTicket: Ticket;
  /** Permits that the request used one of; undefined if this process decided alone. */
  readonly lease: Lease | undefined;
}

/** Time between two calls that keep the membership and find a server that is back. */
const heartbeatMs = 500;
/** Maximum delay, after which the pacer looks for news, such as a used-up quota. */
const maxDelayMs = 500;
/** Time before the last permit at which the next ones are requested. */
const leadMs = 60;
/** Maximum lateness that a sender may catch up, and after which permits are void. */
const maxCatchUpMs = 10;
const maxLateMs = 1_000;
/** Part of its last share that a process uses alone, so that a burst can refill. */
const shareAlone = 0.97;

const nothing = { accepted: 0, refused: undefined, wait: 0, rtt: 0, advertised: 0 };

/** Shares the limit of an account with other processes. */
export class SharedPacer implements RequestPacer {
  readonly #options: SharedPacerOptions;
  /** Limits the requests in flight, and decides alone while there are no permits. */
  #local: Pacer;
  #leases: Lease[] = [];
  #report: Omit<Report, 'want' | 'known' | 'leaves'> = nothing;
  #reply: Reply | undefined;
  #sequence = 0;
  #inFlight = 0;
  /** Earliest time that respects `maxRate`. */
  #rateAt = 0;
  #calling: Promise<void> | undefined;
  #calledAt = Number.NEGATIVE_INFINITY;
  #roundTripMs = 0;
  #retryAt = 0;
  #lost: PaceError | undefined;
  #isExhausted = false;
  #streak: RefusalStreak | undefined;
  #isClosed = false;
  #cancelBeat: () => void = () => undefined;

  constructor(options: SharedPacerOptions) {
    this.#options = options;
    this.#local = new Pacer({ concurrency: options.concurrency });
  }

  /**
   * Makes the first call and starts the heartbeat.
   *
   * Returns the error if the address or the login is wrong.
   */
  async open(): Promise<PaceError | undefined> {
    await this.#call(0);
    if (this.#lost?.isConfiguration) return this.#lost;
    this.#beat();
    return undefined;
  }

  get exhausted(): boolean {
    return this.#isShared ? this.#isExhausted : this.#local.exhausted;
  }

  get refusalStreak(): RefusalStreak | undefined {
    return this.#isShared ? this.#streak : this.#local.refusalStreak;
  }

  get permitted(): number | undefined {
    const { rate = 0, members = 1 } = this.#reply ?? {};
    if (!this.#isShared) return this.#local.permitted;
    return this.#isExhausted || this.#streak ? undefined : (1_000 * rate) / members;
  }

  delay(now: number): number {
    if (this.#inFlight >= this.#options.concurrency) return Infinity;
    const local = Math.max(this.#local.delay(now), this.#rateAt - now);
    if (!this.#isShared) return local;
    const lease = this.#current(now);
    this.#refill(now, lease);
    if (lease !== undefined) return Math.min(maxDelayMs, Math.max(local, lease.nextAt - now));
    const waitMs = this.#calling ? (now - this.#calledAt) / 4 : this.#retryAt - now;
    return Math.max(local, 1, Math.min(this.#calling ? 20 : maxDelayMs, waitMs));
  }

  sent(now: number): SharedTicket {
    const { maxRate = Infinity } = this.#options;
    this.#rateAt = Math.max(this.#rateAt, now - maxCatchUpMs) + 1_000 / maxRate;
    this.#inFlight += 1;
    const lease = this.#isShared ? this.#current(now) : undefined;
    if (lease !== undefined) {
      lease.left -= 1;
      lease.nextAt = Math.max(lease.nextAt, now - maxCatchUpMs) + 1 / lease.rate;
      this.#refill(now, this.#current(now));
    }
    const local = this.#local;
    const localTicket = local.sent(now);
    return {
      sequence: this.#sequence++,
      sentAt: now,
      rate: lease?.rate ?? localTicket.rate,
      local,
      localTicket,
      lease,
    };
  }

  responded(ticket: Ticket, now: number, outcome: PacingOutcome): void {
    const { local, localTicket, lease, sentAt } = ticket as SharedTicket;
    const { kind, retryAfterMs = 0, limit } = outcome;
    this.#inFlight -= 1;
    // With permits, only the bucket learns.
    const passed = { kind: kind === 'refused' ? 'failed' : kind } as const;
    local.responded(localTicket, now, lease === undefined ? outcome : passed);
    const { rate = Infinity, stopMs = 0 } = limit ? boundsOf(limit) : {};
    const wait =
      kind === 'refused' ? Math.max(retryAfterMs, stopMs) : kind === 'failed' ? retryAfterMs : 0;
    const report = { ...this.#report };
    report.rtt = Math.max(now - sentAt, 0.9 * report.rtt);
    if (limit) report.advertised = rate === Infinity ? 0 : rate;
    // Only a refusal can mean a used-up quota.
    report.wait = Math.max(report.wait, kind === 'failed' ? Math.min(wait, maxWaitMs) : wait);
    if (kind === 'accepted') {
      report.accepted += 1;
      this.#isExhausted = false;
    } else if (kind === 'refused') {
      const { edges = 0, rate: tried = 0 } = lease ?? {};
      if (wait > maxWaitMs) this.#isExhausted = true;
      if (edges >= (report.refused?.edges ?? 0)) report.refused = { edges, rate: tried };
    }
    this.#report = report;
    const isUrgent = kind === 'refused' || wait > maxSingleRetryAfterMs;
    if (isUrgent && this.#lost === undefined) void this.#call(0);
  }

  /** Reports the last outcomes and leaves, so that the others get this process's share. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelBeat();
    await this.#calling;
    if (this.#lost !== undefined) return;
    await this.#options.bucket.call(this.#take(0, true)).catch(() => undefined);
  }

  /** Whether the permits of the bucket decide. */
  get #isShared(): boolean {
    const { rate = 0, exhausted = false, retry } = this.#reply ?? {};
    return this.#lost === undefined && (rate > 0 || exhausted || retry !== undefined);
  }

  /** Returns the permits that are next, without void ones. */
  #current(now: number): Lease | undefined {
    this.#leases = this.#leases.filter(({ left, endsAt }) => left > 0 && now < endsAt + maxLateMs);
    return this.#leases[0];
  }

  /** Requests permits shortly before the last one. */
  #refill(now: number, lease: Lease | undefined): void {
    if (this.#calling !== undefined || now < this.#retryAt || this.#leases.length > 1) return;
    if (lease !== undefined && lease.endsAt - now > leadMs + 1.5 * this.#roundTripMs) return;
    void this.#call(Math.max(1, this.#options.concurrency - this.#inFlight - (lease?.left ?? 0)));
  }

  /** Calls the bucket, one call at a time. */
  #call(want: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#calling ??= this.#exchange(want).finally(() => {
      this.#calling = undefined;
      // A refusal that came during the call must not wait.
      if (this.#report.refused !== undefined && this.#lost === undefined) void this.#call(0);
    });
    return this.#calling;
  }

  async #exchange(want: number): Promise<void> {
    const { bucket, clock } = this.#options;
    this.#calledAt = clock.elapsed();
    try {
      const reply = await bucket.call(this.#take(want, false));
      const now = clock.elapsed();
      this.#roundTripMs = now - this.#calledAt;
      this.#apply(reply, now, want);
    } catch (error) {
      if (!(error instanceof PaceError)) throw error;
      this.#lose(error);
    }
  }

  #take(want: number, leaves: boolean): Report {
    const report = { ...this.#report, want, leaves, known: this.#reply?.rate ?? 0 };
    this.#report = { ...nothing, rtt: report.rtt };
    return report;
  }

  #apply(reply: Reply, now: number, want: number): void {
    const { members, edges, exhausted, rate, count = 0, first = 0, retry, since, untilMs } = reply;
    const wasShared = this.#isShared;
    const wasLost = this.#lost !== undefined;
    const isFirst = this.#reply === undefined;
    this.#reply = reply;
    this.#lost = undefined;
    // A wait without a permit may only be news.
    if (want > 0 || retry !== undefined) this.#retryAt = now + (retry ?? 0);
    if (exhausted && !this.#isExhausted) this.#retryAt = now;
    this.#isExhausted = exhausted;
    this.#streak =
      since === undefined ? undefined : { since: now + since, until: now + (untilMs ?? 0) };
    if (count > 0) {
      const nextAt = now + first;
      // One request must confirm a used-up quota, even without a rate.
      const pace = rate > 0 ? rate : 1;
      this.#leases.push({
        edges,
        rate: pace,
        nextAt,
        left: count,
        endsAt: nextAt + (count - 1) / pace,
      });
    }
    const { concurrency } = this.#options;
    if (isFirst || wasLost || wasShared !== this.#isShared)
      this.#local = new Pacer({ concurrency, processes: this.#isShared ? 1 : members });
    if (wasLost) this.#options.onNotice({ kind: 'back' });
  }

  #lose(error: PaceError): void {
    const isNews = this.#lost === undefined;
    this.#lost = error;
    if (!isNews || this.#isClosed || (this.#reply === undefined && error.isConfiguration)) return;
    const { concurrency, processes, onNotice } = this.#options;
    const { rate = 0, members = processes ?? 1 } = this.#reply ?? {};
    const maxRate = rate > 0 ? (1_000 * shareAlone * rate) / members : undefined;
    this.#local = new Pacer({ concurrency, maxRate, processes: members });
    this.#leases = [];
    onNotice({ kind: 'lost', reason: error.message, perSecond: maxRate });
  }

  #beat(): void {
    this.#cancelBeat = this.#options.clock.after(heartbeatMs, () => {
      if (this.#options.clock.elapsed() - this.#calledAt > 0.9 * heartbeatMs) void this.#call(0);
      if (!this.#isClosed) this.#beat();
    });
  }
}
