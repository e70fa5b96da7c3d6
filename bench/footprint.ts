import { rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Finding } from './findings.ts';
import { carbon, median, program, use, writeRecords, writeSpend } from './measure.ts';

/* The goal is for large files: with fewer rows, the start of the process decides. */
const minGoalRows = 100_000;

/**
 * Measures a footprint of as many rows as records, without the network, beside a loop that only
 * reads and parses both files.
 */
export async function* footprint(sizes: readonly number[], turns: number): AsyncGenerator<Finding> {
  for (const rows of sizes) {
    const spend = await writeSpend(rows);
    const records = await writeRecords(rows);
    const words = [carbon, 'footprint', spend, '--records', records, '--no-progress'];
    const section = 'footprint';
    const name = `${rows.toLocaleString('en')} rows and records`;
    const bareMs: number[] = [];
    const ownMs: number[] = [];
    const summaryMs: number[] = [];
    let peakMiB = 0;
    for (let turn = 0; turn < turns; turn += 1) {
      bareMs.push((await use([program('bare-footprint.js'), spend, records])).wallMs);
      // Some organizations of the sandbox have no factor.
      const own = await use([...words, '--csv'], {}, 'inherit', 9);
      ownMs.push(own.wallMs);
      const summary = await use(words, {}, 'inherit', 9);
      summaryMs.push(summary.wallMs);
      peakMiB = Math.max(peakMiB, own.peakMiB, summary.peakMiB);
    }
    const [bare, own, summary] = [median(bareMs), median(ownMs), median(summaryMs)];
    yield { section, what: `bare loop, ${name}`, value: bare / 1000, unit: 's' };
    for (const [what, ms] of [
      ['summary', summary],
      ['line items', own],
    ] as const) {
      yield {
        section,
        what: `${what}, ${name}`,
        value: ms / 1000,
        unit: 's',
        ratio: ms / bare,
        ...(rows >= minGoalRows && { goal: ['at most', 2.5] as const }),
      };
    }
    yield { section, what: name, value: peakMiB, unit: 'MiB', goal: ['at most', 381] };
    for (const file of [spend, records]) rmSync(dirname(file), { recursive: true });
  }
}
