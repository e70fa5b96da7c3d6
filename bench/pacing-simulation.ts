import { readRateLimit } from '../src/api/rate-limit/headers.ts';
import { Pacer } from '../src/api/rate-limit/pacer.ts';
import type { Limiter } from './pacing-limiters.ts';

/** A batch against a service with a rate limit. Times are milliseconds. */
export interface Scenario {
  readonly seed: number;
  /** Builds the limit anew; `random` decides where a window begins. */
  readonly limiter: (random: () => number) => Limiter;
  /** Rows of all processes together. */
  readonly rows: number;
  /** When each process starts; by default there is one. */
  readonly starts?: readonly number[];
  /**
   * Rows that the last process has beyond its share, and sends alone when the others have ended.
   */
  readonly rowsOfLast?: number;
  readonly concurrency?: number;
  readonly maxRate?: number;
  /** Mean time from sending to the answer, half of it each way. */
  readonly latencyMs?: number;
  /** Each way takes longer or shorter by up to this share. */
  readonly jitter?: number;
  /**
   * Whether the machines have too much to do, as measured beside nginx with 10 other programs on
   * two cores: everything is sometimes late, and the first round trip of a process takes seconds.
   */
  readonly busy?: boolean;
  /**
   * Retry-After of a 429: the time until one would pass in whole seconds, none, or always so many
   * seconds.
   */
  readonly retryAfter?: boolean | number;
  /** Whether answers carry RateLimit headers. */
  readonly headers?: boolean;
  /** The share of the requests let through that are answered with a 500. */
  readonly failing?: number;
}

/** What became of a simulated batch. */
export interface Result {
  /** The finishing time of a sender that knows the limit, divided by the finishing time. */
  share: number;
  /** Requests refused, divided by requests sent. */
  refused: number;
  sent: number;
  /** Rows done. */
  done: number;
  finishMs: number;
  /** How many processes stopped, because their pacer called the refusals a quota. */
  stopped: number;
  /** When each process had a row accepted. */
  accepted: number[][];
  /** When each request was sent. */
  sentAt: number[];
}

const defaults = {
  starts: [0],
  concurrency: 16,
  latencyMs: 50,
  jitter: 0.2,
  retryAfter: true,
  failing: 0,
  rowsOfLast: 0,
  busy: false,
};

/** Runs a scenario from event to event. */
export function simulate(scenario: Scenario): Result {
  const { starts, concurrency, rows, latencyMs, jitter, retryAfter, failing, rowsOfLast, busy } = {
    ...defaults,
    ...scenario,
  };
  const { maxRate, headers } = scenario;
  const random = randomNumbers(scenario.seed);
  const limiter = scenario.limiter(random);
  const events = new Timeline<() => void>();
  const result: Result = {
    share: 0,
    refused: 0,
    sent: 0,
    done: 0,
    finishMs: 0,
    stopped: 0,
    accepted: [],
    sentAt: [],
  };
  let now = 0;
  /* Of 100 events, 15 are some 3 ms late and one some 30 ms. */
  const lateMs = () => {
    if (!busy || random() < 0.84) return 0;
    return -Math.log(1 - random()) * (random() < 1 / 16 ? 30 : 3);
  };
  const oneWayMs = () => (latencyMs / 2) * (1 + jitter * (2 * random() - 1)) + lateMs();

  const start = (process: number) => {
    const pacer = new Pacer({ concurrency, ...(maxRate === undefined ? {} : { maxRate }) });
    const accepted: number[] = [];
    result.accepted[process] = accepted;
    const waiting = new Timeline<number>();
    let fresh = Math.ceil((rows - rowsOfLast - process) / starts.length);
    if (process === starts.length - 1) fresh += rowsOfLast;
    let wakesAt = Infinity;
    const startsUntil = busy ? now + 500 + 4_000 * random() : now;

    const pump = () => {
      while (!pacer.exhausted && (fresh > 0 || waiting.firstAt < Infinity)) {
        const dueMs = fresh > 0 ? 0 : waiting.firstAt - now;
        const delayMs = Math.max(pacer.delay(now), dueMs);
        if (delayMs > 0) return wakeAt(now + delayMs);
        const tried = waiting.firstAt <= now ? waiting.take() : undefined;
        if (tried === undefined) fresh -= 1;
        send(tried ?? 0);
      }
    };
    // Timers round up to a millisecond, and the process has other things to do.
    const wakeAt = (at: number) => {
      if (at === Infinity || (wakesAt > now && wakesAt <= at)) return;
      wakesAt = at;
      events.add(at + 1.5 * random() + lateMs(), () => {
        if (wakesAt === at) pump();
      });
    };
    const send = (tried: number) => {
      const ticket = pacer.sent(now);
      result.sent += 1;
      result.sentAt.push(now);
      events.add(now + oneWayMs(), () => {
        const answer = receive();
        events.add(Math.max(startsUntil, now + oneWayMs()), () => {
          const wait =
            answer.retryAfterMs === undefined ? {} : { retryAfterMs: answer.retryAfterMs };
          const limit = readRateLimit(answer.headers, now);
          pacer.answered(ticket, now, { kind: answer.kind, ...wait, ...(limit ? { limit } : {}) });
          if (answer.kind === 'accepted') accepted.push(now);
          else
            waiting.add(
              now + (answer.retryAfterMs ?? random() * Math.min(8_000, 500 * 2 ** tried)),
              tried + 1,
            );
          if (answer.kind === 'accepted') result.done += 1;
          if (answer.kind === 'refused') result.refused += 1;
          if (pacer.exhausted || answer.kind === 'accepted') result.finishMs = now;
          if (pacer.exhausted && answer.kind === 'refused') result.stopped += 1;
          pump();
        });
      });
    };
    pump();
  };

  const receive = () => {
    const freeInMs = limiter.freeAt(now) - now;
    const told = headers ? limiter.told(now) : undefined;
    const told1 = told && {
      ratelimit: `"default";r=${told.left};t=${told.resetS}`,
      'ratelimit-policy': `"default";q=${told.quota};w=${told.windowS}`,
    };
    if (freeInMs <= 0) {
      limiter.take(now);
      return { kind: random() < failing ? 'failed' : 'accepted', headers: told1 ?? {} } as const;
    }
    const seconds =
      typeof retryAfter === 'number' ? retryAfter : Math.ceil(Math.min(freeInMs / 1000, 3600));
    return {
      kind: 'refused',
      headers: told1 ?? {},
      retryAfterMs: retryAfter === false ? undefined : seconds * 1000,
    } as const;
  };

  for (const [process, at] of starts.entries()) events.add(at, () => start(process));
  while (events.firstAt < Infinity) {
    now = events.firstAt;
    events.take()?.();
  }
  result.refused /= result.sent;
  result.share = idealMs(scenario) / result.finishMs;
  return result;
}

/**
 * When a sender that knows the limit has its last answer: each row as soon as limit and latency
 * permit.
 */
export function idealMs(scenario: Scenario): number {
  const { starts, concurrency, rows, latencyMs, failing } = { ...defaults, ...scenario };
  const limiter = scenario.limiter(randomNumbers(scenario.seed));
  const spacingMs = Math.max(
    latencyMs / concurrency / starts.length,
    1000 / (scenario.maxRate ?? Infinity),
  );
  let at = 0;
  for (let left = rows / (1 - failing); left >= 1; left -= 1) {
    at = limiter.freeAt(at);
    limiter.take(at);
    if (left >= 2) at += spacingMs;
  }
  return at + latencyMs;
}

/** Numbers from 0 inclusive to 1 exclusive, the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Things with a time, first things first; few at a time. */
class Timeline<Thing> {
  readonly #entries: { at: number; thing: Thing }[] = [];

  get firstAt(): number {
    return this.#entries[0]?.at ?? Infinity;
  }

  add(at: number, thing: Thing): void {
    const before = this.#entries.findLastIndex((entry) => entry.at <= at);
    this.#entries.splice(before + 1, 0, { at, thing });
  }

  take(): Thing | undefined {
    return this.#entries.shift()?.thing;
  }
}
