import { rmSync } from 'node:fs';
import type { Finding } from './findings.ts';
import {
  carbon,
  inTurns,
  program,
  startServer,
  type UsedInTurns,
  use,
  writeSuppliers,
} from './measure.ts';

const inFlight = '16';

/** Measures how fast `carbon batch` registers rows, next to a loop that does less. */
export async function* throughput(rows: number, turns: number): AsyncGenerator<Finding> {
  const server = await startServer();
  const file = await writeSuppliers(rows);
  const quoted = await writeSuppliers(rows, true);
  const batch = (path: string) => () => {
    rmSync(`${path}.carbon.jsonl`, { force: true });
    return use([carbon, 'batch', path, '--no-progress'], server.env);
  };
  const pool = () => use([program('bare-pool.js'), server.url, file, inFlight]);
  const [pooled, own, messy] = await inTurns(turns, [pool, batch(file), batch(quoted)]);
  server.stop();
  const section = 'batch';
  const rate = (what: string, { wallMs, wallRatio }: UsedInTurns) => {
    const value = (rows / wallMs) * 1000;
    return { section, what, value, unit: 'rows/s', ratio: 1 / wallRatio } as const;
  };
  yield rate('bare undici Pool', pooled);
  yield { ...rate('carbon batch', own), goal: ['at least', 0.55] };
  yield rate('carbon batch, a file with quotes and CRLF', messy);
  yield {
    section,
    what: 'carbon batch, processor time',
    value: own.cpuMs / 1000,
    unit: 's',
    ratio: own.cpuRatio,
    goal: ['at most', 1.9],
  };
}
