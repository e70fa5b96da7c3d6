import type { RateLimit } from './rate-limit.ts';

export const P = { c: 0.06, n0: 15, t0: 1600, p: 2.7, skip: 4, dec: 0.9, up: 1.3, min: 0.06, barren: 3, N: 20, est: 0, plus: 2, credit: 10, k: 0, ...((globalThis as any).P ?? {}) };

export interface Ticket {
  readonly sentAt: number;
  readonly sequence: number;
  pace: number;
}
export interface Result {
  kind: 'accepted' | 'refused' | 'failed';
  retryAfterMs?: number;
  limit?: RateLimit;
}

export class Pacer {
  concurrency: number;
  window: number;
  rampAt = 0; // sequence that ends the round trip
  inFlight = 0;
  sequence = 0;
  nextAt = 0;
  rate = Infinity; // per ms, base
  ceiling = Infinity;
  evidence = 0;
  accepted = 0;
  edgeAt = -Infinity;
  quietFrom = 0;
  decided = 0;
  decidedAt = 0;
  first = false;
  barren = 0;
  exhausted = false;
  constructor(o: { concurrency: number; maxRate?: number; random: () => number }) {
    this.concurrency = o.concurrency;
    this.window = Math.min(4, o.concurrency);
    this.ceiling = (o.maxRate ?? Infinity) / 1000;
  }
  pace(now: number): number {
    if (this.rate === Infinity) return this.ceiling;
    const hold = (P.t0 + P.n0 / this.rate) * Math.max(P.min, Math.min(1, this.evidence / P.N));
    const x = Math.max(0, (now - this.quietFrom) / hold - 1);
    return Math.min(this.ceiling, this.rate * (1 + P.c * x ** P.p));
  }
  delay(now: number): number {
    if (this.inFlight >= this.window) return Infinity;
    return Math.max(0, this.nextAt - now);
  }
  sent(now: number): Ticket {
    this.inFlight++;
    const pace = this.pace(now);
    const late = now - this.nextAt - P.credit;
    if (late > 0) {
      this.quietFrom += late;
      this.nextAt += late;
    }
    this.nextAt += 1 / pace;
    return { sentAt: now, sequence: this.sequence++, pace };
  }
  hold(at: number) {
    this.nextAt = Math.max(this.nextAt, at);
    this.quietFrom = this.nextAt;
  }
  answered(t: Ticket, now: number, r: Result): void {
    this.inFlight--;
    if (r.kind !== 'refused') {
      this.barren = 0;
      if (t.sentAt > this.edgeAt) this.accepted++;
      if (P.est && this.first && t.sequence < this.decided)
        this.rate = (P.est * (this.accepted + P.plus)) / (this.decidedAt - this.edgeAt);
      if (t.sequence >= this.rampAt && this.window < this.concurrency) {
        this.window = Math.min(this.concurrency, this.window < 8 ? this.window * 2 : this.window + 4);
        this.rampAt = this.sequence;
      }
      return;
    }
    if (r.retryAfterMs !== undefined && r.retryAfterMs > 2000) this.hold(now + r.retryAfterMs);
    if (t.sequence < this.decided) return;
    this.decided = this.sequence;
    if (this.rate === Infinity) {
      const rtt = now - t.sentAt;
      this.rate = P.plus / rtt;
      this.first = true;
      this.decidedAt = now;
      this.edgeAt = t.sentAt;
      this.accepted = 0;
      this.hold(now + rtt);
      return;
    }
    const T = t.sentAt - this.edgeAt;
    const n = this.accepted;
    if (n === 0) {
      this.barren++;
      const pause =
        this.barren >= P.barren && r.retryAfterMs !== undefined ? r.retryAfterMs : Math.min(T, 30_000);
      this.hold(now + pause);
      return;
    }
    this.first = false;
    const M = (n + 1) / T; this.rate = P.k ? Math.min(t.pace * P.dec, M + P.k * (t.pace - M)) : Math.min(t.pace * P.dec, P.up * M);
    this.evidence = n;
    if (n >= P.N) {
      this.edgeAt = t.sentAt;
      this.accepted = 0;
    }
    this.hold(now + P.skip / this.rate);
  }
}
