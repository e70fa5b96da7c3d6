import { Pacer } from '../src/pace/pacer.ts';
import { readRateLimit } from '../src/pace/rate-limit-headers.ts';
import type { Limiter } from './pacing-limiters.ts';
import { Timeline } from './timeline.ts';

/** A batch against a service with a rate limit. Times are in milliseconds. */
export interface Scenario {
  readonly seed: number;
  /** Creates the rate limit; `random` decides where a window begins. */
  readonly limiter: (random: () => number) => Limiter;
  /** Rows of all processes together. */
  readonly rows: number;
  /** When each process starts (default: one process, at 0). */
  readonly starts?: readonly number[];
  /** Extra rows of the last process, which it sends alone after the others have ended. */
  readonly rowsOfLast?: number;
  readonly concurrency?: number;
  readonly maxRate?: number;
  /** Mean time from request to response, half of it each way. */
  readonly latencyMs?: number;
  /** Maximum deviation of the time of each way, as a share of it. */
  readonly jitter?: number;
  /**
   * Whether the machines are overloaded, as measured with nginx and 10 other programs on two cores:
   * any event may be late, the first four requests arrive up to 150 ms apart, and the first round
   * trip of a process takes seconds.
   */
  readonly busy?: boolean;
  /**
   * Retry-After of a 429: true for the time until a request would pass, false for none, a number
   * for a fixed count of seconds.
   */
  readonly retryAfter?: boolean | number;
  /** Whether responses have RateLimit headers. */
  readonly headers?: boolean;
  /** Share of the permitted requests that fail with a 500. */
  readonly failing?: number;
}

/** Result of a simulated batch. */
export interface Result {
  /** Duration of a sender that knows the limit, divided by the duration of the batch. */
  share: number;
  /** Requests refused, divided by requests sent. */
  refused: number;
  sent: number;
  /** Rows done. */
  done: number;
  finishMs: number;
  /** Number of processes that stopped because their pacer assumed a quota. */
  stopped: number;
  /** Times at which the service accepted a row, by process. */
  accepted: number[][];
  /** Time of each request. */
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
  /* Of 100 events, 15 are about 3 ms late and one is about 30 ms late. */
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
    /* Refused rows without a Retry-After, which need not wait when no other row is left. */
    const refused = new Timeline<number>();
    let fresh = Math.ceil((rows - rowsOfLast - process) / starts.length);
    if (process === starts.length - 1) fresh += rowsOfLast;
    let wakesAt = Infinity;
    const startsUntil = busy ? now + 500 + 4_000 * random() : now;

    const pump = () => {
      for (;;) {
        const isReady = fresh > 0 || refused.firstAt < Infinity;
        if (pacer.exhausted || (!isReady && waiting.firstAt === Infinity)) return;
        const delayMs = Math.max(pacer.delay(now), isReady ? 0 : waiting.firstAt - now);
        if (delayMs > 0) return wakeAt(now + delayMs);
        const due = [waiting, refused].find(({ firstAt }) => firstAt <= now);
        if (due === undefined && fresh > 0) {
          fresh -= 1;
          send(0);
        } else send((due ?? refused).take() ?? 0);
      }
    };
    // Timers round up to a millisecond, and the process is busy with other work.
    const wakeAt = (at: number) => {
      if (at === Infinity || (wakesAt > now && wakesAt <= at)) return;
      wakesAt = at;
      events.add(at + 1.5 * random() + lateMs(), () => {
        if (wakesAt === at) pump();
      });
    };
    const send = (attempts: number) => {
      const ticket = pacer.sent(now);
      result.sent += 1;
      result.sentAt.push(now);
      const connectMs = busy && ticket.sequence < 4 ? 150 * random() : 0;
      events.add(now + connectMs + oneWayMs(), () => {
        const response = receive();
        events.add(Math.max(startsUntil, now + oneWayMs()), () => {
          const wait =
            response.retryAfterMs === undefined ? {} : { retryAfterMs: response.retryAfterMs };
          const limit = readRateLimit(response.headers, now);
          pacer.responded(ticket, now, {
            kind: response.kind,
            ...wait,
            ...(limit ? { limit } : {}),
          });
          if (response.kind === 'accepted') accepted.push(now);
          else {
            const waitMs = response.retryAfterMs ?? random() * Math.min(8_000, 500 * 2 ** attempts);
            const isPaced = response.kind === 'refused' && response.retryAfterMs === undefined;
            (isPaced ? refused : waiting).add(now + waitMs, attempts + 1);
          }
          if (response.kind === 'accepted') result.done += 1;
          if (response.kind === 'refused') result.refused += 1;
          if (pacer.exhausted || response.kind === 'accepted') result.finishMs = now;
          if (pacer.exhausted && response.kind === 'refused') result.stopped += 1;
          pump();
        });
      });
    };
    pump();
  };

  const receive = () => {
    const freeInMs = limiter.freeAt(now) - now;
    const advertised = headers ? limiter.advertised(now) : undefined;
    const limitHeaders = advertised && {
      ratelimit: `"default";r=${advertised.left};t=${advertised.resetS}`,
      'ratelimit-policy': `"default";q=${advertised.quota};w=${advertised.windowS}`,
    };
    if (freeInMs <= 0) {
      limiter.take(now);
      return {
        kind: random() < failing ? 'failed' : 'accepted',
        headers: limitHeaders ?? {},
      } as const;
    }
    const seconds =
      typeof retryAfter === 'number' ? retryAfter : Math.ceil(Math.min(freeInMs / 1000, 3600));
    return {
      kind: 'refused',
      headers: limitHeaders ?? {},
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
 * Returns when a sender that knows the limit has its last response: it sends each row as soon as
 * limit and latency permit.
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

/** Creates a seeded generator of numbers in [0, 1) (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
