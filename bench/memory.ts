import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Finding } from './findings.ts';
import { carbon, startServer, use, writeRecords, writeSuppliers } from './measure.ts';

const many = 100_000;

/**
 * Measures the peak memory of a batch for several file sizes, and how long a run takes when all
 * rows are already registered.
 */
export async function* memory(sizes: readonly number[]): AsyncGenerator<Finding> {
  const server = await startServer();
  const peaks = new Map<number, number>();
  for (const rows of sizes) {
    const file = await writeSuppliers(rows);
    const words = [carbon, 'batch', file, '--no-progress'];
    const name = `${rows.toLocaleString('en')} rows`;
    const first = await use(words, server.env);
    peaks.set(rows, first.peakMiB);
    yield {
      section: 'memory',
      what: `first run, ${name}`,
      value: first.peakMiB,
      unit: 'MiB',
      goal: ['at most', 381],
    };
    const again = await use(words, server.env);
    yield { section: 'memory', what: `fixture run, ${name}`, value: again.peakMiB, unit: 'MiB' };
    if (rows > many) {
      yield {
        section: 'memory',
        what: `fixture run, ${name}, all registered`,
        value: again.wallMs / 1000,
        unit: 's',
      };
    }
    rmSync(dirname(file), { recursive: true });
  }
  server.stop();
}

/** Measures the peak memory of a report for several portfolio sizes, as a summary and as a page. */
export async function* reportMemory(sizes: readonly number[]): AsyncGenerator<Finding> {
  for (const records of sizes) {
    const file = await writeRecords(records);
    const name = `${records.toLocaleString('en')} records`;
    const summary = await use([carbon, 'report', file, '--json']);
    const page = await use([carbon, 'report', file, '--no-progress', '--out', `${file}.html`]);
    const finding = { section: 'memory of a report', unit: 'MiB' } as const;
    yield { ...finding, what: `summary, ${name}`, value: summary.peakMiB, goal: ['at most', 381] };
    yield { ...finding, what: `page, ${name}`, value: page.peakMiB };
    if (records >= many)
      yield { ...finding, what: `summary, ${name}`, value: summary.wallMs / 1000, unit: 's' };
    rmSync(dirname(file), { recursive: true });
  }
}
