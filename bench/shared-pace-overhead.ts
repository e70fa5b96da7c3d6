/* The processor time that a shared pace takes. */
import { rmSync } from 'node:fs';
import type { Finding } from './findings.ts';
import { carbon, median, startServer, type Used, use, writeSuppliers } from './measure.ts';

const rows = 50_000;
/* 64 requests in flight, and a response after 10 ms, are about 5,000 requests per second. */
const latencyMs = 10;
const concurrency = 64;

/** Compares runs with and without a shared pace at about 5,000 requests per second, in pairs. */
export async function* sharedPaceOverhead(
  section: string,
  pace: string,
  pairs: number,
): AsyncGenerator<Finding> {
  const server = await startServer({ latencyMs });
  const file = await writeSuppliers(rows);
  const argv = [carbon, 'batch', file, '--no-progress', '--concurrency', String(concurrency)];
  const run = async (env: Readonly<Record<string, string>>): Promise<Used> => {
    rmSync(`${file}.carbon.jsonl`, { force: true });
    return use(argv, { ...server.env, ...env });
  };
  const alone: Used[] = [];
  const shared: Used[] = [];
  for (let pair = 0; pair < pairs; pair += 1) {
    // The order changes, because the machine may become slower meanwhile.
    if (pair % 2 === 0) alone.push(await run({}));
    shared.push(await run({ CARBON_PACE: pace }));
    if (pair % 2 === 1) alone.push(await run({}));
  }
  server.stop();
  const seconds = median(shared.map(({ wallMs }) => wallMs)) / 1_000;
  yield { section, what: 'no limit, shared', value: rows / seconds, unit: 'rows/s' };
  const more = (of: (used: Used) => number) =>
    100 * (median(shared.map((used, at) => of(used) / of(alone[at] as Used))) - 1);
  const cpu = more(({ cpuMs }) => cpuMs);
  yield { section, what: 'more processor time', value: cpu, unit: '%', goal: ['at most', 5] };
  yield { section, what: 'more duration', value: more(({ wallMs }) => wallMs), unit: '%' };
}
