import { writeFileSync } from 'node:fs';
import type { Finding } from './findings.ts';
import { carbon, inTurns, program, startServer, temporaryDirectory, use } from './measure.ts';

const inFlight = '8';

/**
 * Measures the processor time of `carbon get -`, next to a loop that parses and prints each record
 * in any order. The server shares the processors, so durations would mean nothing.
 */
export async function* retrieval(organizations: number, turns: number): AsyncGenerator<Finding> {
  const server = await startServer();
  const ids = Array.from({ length: organizations }, (_, index) => `${index + 1}\n`).join('');
  const file = `${temporaryDirectory}/ids.txt`;
  writeFileSync(file, ids);
  const get =
    (...format: string[]) =>
    () =>
      use([carbon, 'get', '-', ...format, '--no-progress'], server.env, 'inherit', [0], ids);
  const pool = () => use([program('bare-retrieval.js'), server.url, file, inFlight]);
  const [, ...own] = await inTurns(turns, [pool, get('--json'), get('--csv'), get()]);
  server.stop();
  const section = 'get, processor time of 10,000 records of 6 kB';
  for (const [index, what] of ['--json', '--csv', 'as text'].entries()) {
    const { cpuMs = Number.NaN, cpuRatio: ratio } = own[index] ?? {};
    const value = (cpuMs / organizations) * 10;
    const goal = ['at most', what === '--json' ? 1.4 : 1.6] as const;
    yield { section, what: `carbon get - ${what}`, value, unit: 's', ratio, goal };
  }
}
