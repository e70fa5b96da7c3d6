/* The processor time that a shared pace takes. */
import { rmSync } from 'node:fs';
import type { Finding } from './findings.ts';
import type { LoadOptions } from './load-server.ts';
import { carbon, median, startServer, type Used, use, writeSuppliers } from './measure.ts';

const rows = 100_000;
/* 32 requests in flight, and a response after 10 ms: two processes send about 5,000 per second. */
const latencyMs = 10;
const concurrency = 32;
/* Half of 5,000 requests per second for each of two processes. */
const limit = { rate: 2_500, burst: 250 };

/**
 * Compares a process with a shared pace and one without, which run at the same time, so that the
 * load of the machine affects both alike. Together they send about 5,000 requests per second.
 */
export async function* sharedPaceOverhead(
  section: string,
  pace: string,
  pairs: number,
): AsyncGenerator<Finding> {
  const files = [await writeSuppliers(rows), await writeSuppliers(rows)] as const;
  for (const [name, options] of [['no limit', {}] as const, ['limit', limit] as const]) {
    const cpu: number[] = [];
    const rates: number[] = [];
    for (let pair = 0; pair < pairs; pair += 1) {
      const used = await Promise.all([
        register(files[0], options, {}),
        register(files[1], options, { CARBON_PACE: pace }),
      ]);
      const [alone, shared] = used;
      cpu.push(100 * (shared.cpuMs / alone.cpuMs - 1));
      rates.push(used.reduce((sum, { wallMs }) => sum + (1_000 * rows) / wallMs, 0));
    }
    const what = `${name}, shared beside alone`;
    yield { section, what: `${what}: both`, value: median(rates), unit: 'rows/s' };
    const value = median(cpu);
    const goal = ['at most', 5] as const;
    yield { section, what: `${what}: more processor time`, value, unit: '%', goal };
  }
}

/* Each process has its own server, whose address names a bucket of its own. */
async function register(
  file: string,
  options: LoadOptions,
  env: Readonly<Record<string, string>>,
): Promise<Used> {
  const server = await startServer({ latencyMs, ...options });
  rmSync(`${file}.carbon.jsonl`, { force: true });
  const argv = [carbon, 'batch', file, '--no-progress', '--concurrency', String(concurrency)];
  const used = await use(argv, { ...server.env, ...env });
  server.stop();
  return used;
}
