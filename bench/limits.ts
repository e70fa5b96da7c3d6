/*
 * Against a server that answers late or permits only so much, in real time: in each case the client
 * is idle, so all run side by side.
 */
import type { Finding } from './findings.ts';
import type { LoadOptions } from './load-server.ts';
import { carbon, startServer, use, writeSuppliers } from './measure.ts';

interface Case {
  readonly what: string;
  readonly server: LoadOptions;
  readonly rows: number;
  readonly flags?: readonly string[];
  /** Milliseconds of a client that knows the server. */
  readonly idealMs: (rows: number) => number;
  readonly least: number;
  readonly mostRefused?: number;
}

const latencyMs = 200;
const permitted = { rate: 50, burst: 10 };
const bucketMs = (rows: number) => ((rows - permitted.burst) / permitted.rate) * 1000;

function latency(inFlight: number, rows: number): Case {
  return {
    what: `${latencyMs} ms of latency, ${inFlight} in flight`,
    server: { latencyMs },
    rows,
    flags: ['--concurrency', `${inFlight}`],
    idealMs: () => (rows / inFlight) * latencyMs,
    least: 97,
  };
}

function cases(rows: number, latencyRows: readonly [few: number, many: number]): Case[] {
  const bucket = { rows, idealMs: bucketMs, least: 98, mostRefused: 1.5 };
  return [
    latency(16, latencyRows[0]),
    latency(64, latencyRows[1]),
    { ...bucket, what: '50/s, burst 10, Retry-After', server: permitted },
    { ...bucket, what: '50/s, burst 10, bare 429', server: { ...permitted, retryAfter: false } },
  ];
}

/** How near a batch comes to what a server lets through. */
export async function* limits(
  rows: number,
  latencyRows: readonly [number, number],
): AsyncGenerator<Finding> {
  const section = 'limits, real time';
  const found = await Promise.all(
    cases(rows, latencyRows).map(async (one): Promise<Finding[]> => {
      const server = await startServer(one.server);
      const file = await writeSuppliers(one.rows);
      await use([carbon, 'batch', file, '--no-progress', ...(one.flags ?? [])], server.env);
      const { accepted, refused, elapsedMs } = await server.counts();
      server.stop();
      if (accepted !== one.rows)
        throw new Error(`${one.what}: ${accepted} of ${one.rows} rows were registered`);
      const share = (100 * one.idealMs(one.rows)) / elapsedMs;
      const least = ['at least', one.least] as const;
      const first: Finding = {
        section,
        what: `${one.what}: of the ideal`,
        value: share,
        unit: '%',
        goal: least,
      };
      if (one.mostRefused === undefined) return [first];
      const value = (100 * refused) / (accepted + refused);
      const most = ['at most', one.mostRefused] as const;
      return [first, { section, what: `${one.what}: refused`, value, unit: '%', goal: most }];
    }),
  );
  yield* found.flat();
}
