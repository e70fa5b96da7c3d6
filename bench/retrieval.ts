import { writeFileSync } from 'node:fs';
import type { Finding } from './findings.ts';
import {
  carbon,
  median,
  program,
  startServer,
  temporaryDirectory,
  type Used,
  use,
} from './measure.ts';

/* As `carbon get` and `carbon watch` have it. */
const inFlight = 8;

const formats = ['--json', '-q', '', '--csv'] as const;

/**
 * Measures how fast `carbon get -` retrieves and prints records, side by side with a loop that
 * parses and prints each record in any order.
 *
 * The goal concerns processor time, because the server shares the processors.
 */
export async function* retrieval(organizations: number, turns: number): AsyncGenerator<Finding> {
  const server = await startServer();
  const ids = Array.from({ length: organizations }, (_, index) => `${index + 1}\n`).join('');
  const file = `${temporaryDirectory}/ids.txt`;
  writeFileSync(file, ids);
  const used = new Map<string, Used[]>();
  const take = (name: string, one: Used) => used.set(name, [...(used.get(name) ?? []), one]);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [name, parses] of [
      ['parses', 'true'] as const,
      ['parses nothing', 'false'] as const,
    ])
      take(
        name,
        await use([program('bare-retrieval.js'), server.url, file, `${inFlight}`, parses]),
      );
    for (const format of formats) {
      const argv = [carbon, 'get', '-', ...(format === '' ? [] : [format]), '--no-progress'];
      take(format, await use(argv, server.env, 'inherit', 0, ids));
    }
  }
  server.stop();
  const secondsOf = (name: string) =>
    (median((used.get(name) ?? []).map(({ cpuMs }) => cpuMs)) / organizations) * 10;
  const yardstick = secondsOf('parses');
  const finding = (what: string, name: string, goal?: Finding['goal']): Finding => {
    const value = secondsOf(name);
    const section = 'get, processor time of 10,000 records of 6 kB';
    return { section, what, value, unit: 's', ratio: value / yardstick, goal };
  };
  yield finding('bare undici Pool, parses and prints', 'parses');
  yield finding('bare undici Pool, prints', 'parses nothing');
  for (const format of formats)
    yield finding(`carbon get - ${format}`.trim(), format, ['at most', 1.3]);
}
