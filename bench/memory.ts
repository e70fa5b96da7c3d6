import type { Finding } from './findings.ts';
import { carbon, startServer, use, writeSuppliers } from './measure.ts';

/** Measures the peak memory of a batch. */
export async function* memory(rows: number): AsyncGenerator<Finding> {
  const server = await startServer();
  const file = await writeSuppliers(rows);
  const { peakMb } = await use([carbon, 'batch', file, '--no-progress'], server.env);
  server.stop();
  const what = `carbon batch, ${rows.toLocaleString('en')} rows`;
  yield { section: 'memory', what, value: peakMb, unit: 'MB', goal: ['at most', 400] };
}
