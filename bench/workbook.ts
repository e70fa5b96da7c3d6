import { join } from 'node:path';
import type { Finding } from './findings.ts';
import { carbon, program, startServer, temporaryDirectory, type Used, use } from './measure.ts';

/**
 * Measures time and peak memory of writing and reading a workbook with 12 columns, with inline
 * strings as carbon writes them and with shared strings as Excel does, and `carbon batch` for it.
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
  yield* batches(rows, path, section);
}

/* Measures `carbon batch` for the workbook with shared strings and for the same rows as CSV. */
async function* batches(rows: number, book: string, section: string): AsyncGenerator<Finding> {
  const csv = book.replace(/\.xlsx$/, '.csv');
  await use([program('workbook-work.cjs'), 'csv', csv, String(rows)]);
  const server = await startServer();
  try {
    for (const [what, env, ...words] of [
      ['check', {}, '--dry-run', '--sandbox'],
      ['register', server.env],
    ] as const) {
      const ofCsv = await use([carbon, 'batch', csv, '--no-progress', ...words], env);
      const ofBook = await use([carbon, 'batch', book, '--no-progress', ...words], env);
      const time = (format: string, { cpuMs }: Used) =>
        ({
          section,
          what: `batch, ${what}, ${format}, processor time`,
          value: cpuMs / 1000,
          unit: 's',
        }) as const;
      yield time('CSV', ofCsv);
      yield { ...time('workbook', ofBook), ratio: ofBook.cpuMs / ofCsv.cpuMs };
      yield { section, what: `batch, ${what}, CSV`, value: ofCsv.peakMiB, unit: 'MiB' };
      yield {
        section,
        what: `batch, ${what}, workbook`,
        value: ofBook.peakMiB,
        unit: 'MiB',
        goal: ['at most', 200],
      };
    }
  } finally {
    server.stop();
  }
}
