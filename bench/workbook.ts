import { join } from 'node:path';
import type { Finding } from './findings.ts';
import { program, temporaryDirectory, use } from './measure.ts';

/**
 * Measures time and peak memory of writing and reading a workbook with 12 columns, with inline
 * strings as carbon writes them and with shared strings as Excel does.
 */
export async function* workbook(rows: number): AsyncGenerator<Finding> {
  const path = join(temporaryDirectory, `suppliers-${rows}.xlsx`);
  const section = `workbook of ${rows.toLocaleString('en')} × 12 cells`;
  const run = (work: string) => use([program('workbook-work.cjs'), work, path, String(rows)]);
  for (const [what, prepare, work] of [
    ['write', undefined, 'write'],
    ['read, inline strings', undefined, 'read'],
    ['read, shared strings', 'share', 'read'],
  ] as const) {
    if (prepare !== undefined) await run(prepare);
    const { wallMs, cpuMs, peakMiB } = await run(work);
    yield { section, what, value: wallMs / 1000, unit: 's' };
    yield { section, what: `${what}, processor time`, value: cpuMs / 1000, unit: 's' };
    yield { section, what, value: peakMiB, unit: 'MiB', goal: ['at most', 120] };
  }
}
