/*
 * Measures batches in real time against a server with latency or a rate limit. The client is idle
 * most of the time in each case, so all cases run at the same time.
 */
import type { Finding } from './findings.ts';
import type { LoadOptions } from './load-server.ts';
import { carbon, startServer, use, writeSuppliers } from './measure.ts';

interface Case {
  readonly what: string;
  readonly server: LoadOptions;
  readonly rows: number;
  readonly flags?: readonly string[];
  /** How long a client that knows the server takes, in milliseconds. */
  readonly idealMs: (rows: number) => number;
  readonly minShare: number;
  readonly maxRefused?: number;
}

const latencyMs = 200;
const limit = { rate: 50, burst: 10 };
const bucketMs = (rows: number) => ((rows - limit.burst) / limit.rate) * 1000;

function latency(inFlight: number, rows: number): Case {
  return {
    what: `${latencyMs} ms of latency, ${inFlight} in flight`,
    server: { latencyMs },
    rows,
    flags: ['--concurrency', `${inFlight}`],
    idealMs: () => (rows / inFlight) * latencyMs,
    minShare: 95,
  };
}

function cases(rows: number, latencyRows: readonly [few: number, many: number]): Case[] {
  const bucket = { rows, idealMs: bucketMs, minShare: 95, maxRefused: 2 };
  return [
    latency(16, latencyRows[0]),
    latency(64, latencyRows[1]),
    { ...bucket, what: '50/s, burst 10, Retry-After', server: limit },
    { ...bucket, what: '50/s, burst 10, bare 429', server: { ...limit, retryAfter: false } },
  ];
}

/** Measures what share of a server's capacity a batch uses. */
export async function* limits(
  rows: number,
  latencyRows: readonly [number, number],
): AsyncGenerator<Finding> {
  const section = 'limits, real time';
  const findings = await Promise.all(
    cases(rows, latencyRows).map(async (current): Promise<Finding[]> => {
      const server = await startServer(current.server);
      const file = await writeSuppliers(current.rows);
      await use([carbon, 'batch', file, '--no-progress', ...(current.flags ?? [])], server.env);
      const { accepted, refused, elapsedMs } = await server.counts();
      server.stop();
      if (accepted !== current.rows)
        throw new Error(`${current.what}: ${accepted} of ${current.rows} rows were registered`);
      const share = (100 * current.idealMs(current.rows)) / elapsedMs;
      const goal = ['at least', current.minShare] as const;
      const first: Finding = {
        section,
        what: `${current.what}: of the ideal`,
        value: share,
        unit: '%',
        goal,
      };
      if (current.maxRefused === undefined) return [first];
      const value = (100 * refused) / (accepted + refused);
      const maxGoal = ['at most', current.maxRefused] as const;
      return [
        first,
        { section, what: `${current.what}: refused`, value, unit: '%', goal: maxGoal },
      ];
    }),
  );
  yield* findings.flat();
}
