/* A batch against a service with a rate limit, from event to event on a virtual clock. */
import { Pacer } from '../../src/client/pace/pacer.ts';
import { readRateLimit } from '../../src/client/pace/rate-limit-headers.ts';
import type { AdvertisedLimit, Limiter } from './pacing-limiters.ts';
import { Timeline } from './timeline.ts';

/** How the service announces its limit, besides a 429. */
export type Announcement = 'Retry-After' | 'nothing' | 'RateLimit' | 'X-RateLimit' | 'full reset';

/** Times are in milliseconds. */
export interface Scenario {
  readonly seed?: number;
  /** Creates the rate limit; `random` decides where a window begins. */
  readonly limiter: (random: () => number) => Limiter;
  /** Rows of all processes together. */
  readonly rows?: number;
  /** When each process starts (default: one process, at 0). */
  readonly starts?: readonly number[];
  readonly concurrency?: number;
  /** Mean time from request to response, half of it each way. */
  readonly latencyMs?: number;
  /** Maximum deviation of the time of each way, as a share of it. */
  readonly jitter?: number;
  readonly announcement?: Announcement;
  /** Mean of an exponential delay of each way, in addition. */
  readonly delayMs?: number;
  /** Share of the allowed requests that fail with a 500. */
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
}

const defaults = {
  seed: 1,
  rows: 2_000,
  starts: [0],
  concurrency: 16,
  latencyMs: 50,
  jitter: 0.2,
  announcement: 'Retry-After' as Announcement,
  failing: 0,
};

const startedAt = 1_790_000_000_000;

/** Runs a scenario. */
export function simulate(scenario: Scenario): Result {
  const { seed, rows, starts, concurrency, latencyMs, jitter, announcement, failing } = {
    ...defaults,
    ...scenario,
  };
  const { delayMs = 0 } = scenario;
  const random = randomNumbers(seed);
  const limiter = scenario.limiter(random);
  const events = new Timeline<() => void>();
  const result: Result = { share: 0, refused: 0, sent: 0, done: 0, finishMs: 0, stopped: 0 };
  let now = 0;
  const oneWayMs = () =>
    (latencyMs / 2) * (1 + jitter * (2 * random() - 1)) - delayMs * Math.log(1 - random());

  const receive = () => {
    const freeInMs = limiter.freeAt(now) - now;
    const headers = headersOf(announcement, limiter.advertised(now));
    if (freeInMs <= 0) {
      limiter.take(now);
      return { kind: random() < failing ? 'failed' : 'accepted', headers } as const;
    }
    const seconds = Math.ceil(Math.min(freeInMs / 1000, 3600));
    const retryAfterMs = announcement === 'nothing' ? undefined : seconds * 1000;
    return { kind: 'refused', headers, retryAfterMs } as const;
  };

  const start = (process: number) => {
    const pacer = new Pacer({ concurrency });
    const waiting = new Timeline<number>();
    /* Refused rows without a Retry-After, which need not wait when no other row is left. */
    const refused = new Timeline<number>();
    let fresh = Math.ceil((rows - process) / starts.length);
    let wakesAt = Infinity;
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
      events.add(at + 1.5 * random(), () => {
        if (wakesAt === at) pump();
      });
    };
    const send = (attempts: number) => {
      const ticket = pacer.sent(now);
      result.sent += 1;
      events.add(now + oneWayMs(), () => {
        const { kind, headers, retryAfterMs } = receive();
        events.add(now + oneWayMs(), () => {
          const limit = readRateLimit(headers, startedAt + now);
          const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
          pacer.responded(ticket, now, { kind, limit, ...wait });
          if (kind === 'accepted') result.done += 1;
          else {
            const waitMs = retryAfterMs ?? random() * Math.min(8_000, 500 * 2 ** attempts);
            const isPaced = kind === 'refused' && retryAfterMs === undefined;
            (isPaced ? refused : waiting).add(now + waitMs, attempts + 1);
          }
          if (kind === 'refused') result.refused += 1;
          if (pacer.exhausted || kind === 'accepted') result.finishMs = now;
          if (pacer.exhausted && kind === 'refused') result.stopped += 1;
          pump();
        });
      });
    };
    pump();
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

function headersOf(
  announcement: Announcement,
  { quota, windowS, left, resetS }: AdvertisedLimit,
): Record<string, string> {
  if (announcement === 'RateLimit')
    return {
      ratelimit: `"default";r=${left};t=${resetS}`,
      'ratelimit-policy': `"default";q=${quota};w=${windowS}`,
    };
  if (announcement !== 'X-RateLimit' && announcement !== 'full reset') return {};
  return {
    'x-ratelimit-limit': `${quota}`,
    'x-ratelimit-remaining': `${left}`,
    // Some services count the time until everything is allowed again.
    'x-ratelimit-reset': `${announcement === 'full reset' ? windowS : resetS}`,
  };
}

/**
 * Returns when a sender that knows the limit has its last response: it sends each row as soon as
 * limit and latency allow.
 */
function idealMs(scenario: Scenario): number {
  const { seed, starts, concurrency, rows, latencyMs, failing } = { ...defaults, ...scenario };
  const limiter = scenario.limiter(randomNumbers(seed));
  const spacingMs = latencyMs / concurrency / starts.length;
  let at = 0;
  for (let left = rows / (1 - failing); left >= 1; left -= 1) {
    at = limiter.freeAt(at);
    limiter.take(at);
    if (left >= 2) at += spacingMs;
  }
  return at + latencyMs;
}

/** Shares and refusals in percent, each the median of several seeds, and the rows always done. */
export interface Medians {
  readonly share: number;
  readonly refused: number;
  readonly done: number;
}

/** Runs a scenario with the seeds 1 to `seeds`. */
export function simulateSeeds(scenario: Scenario, seeds: number): Medians {
  const results = Array.from({ length: seeds }, (_, index) =>
    simulate({ ...scenario, seed: index + 1 }),
  );
  const median = (values: number[]) => values.sort((a, b) => a - b)[seeds >> 1] ?? Number.NaN;
  return {
    share: 100 * median(results.map(({ share }) => share)),
    refused: 100 * median(results.map(({ refused }) => refused)),
    done: Math.min(...results.map(({ done }) => done)),
  };
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
