import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, run } from '../../support/run.ts';
import { readBook } from '../../workbook/read.ts';

const beta = { id: 2, name: 'Beta', status: 'synced', external_id: '007' };

function snapshot(folder: string, name: string, ...records: readonly object[]): string {
  const path = join(folder, name);
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return path;
}

async function cellsOf(path: string, sheet: string) {
  const { all } = await readBook(path, { sheet });
  const [header, ...rows] = all;
  return rows.map(({ cells, kinds }) =>
    Object.fromEntries(
      (header?.cells ?? []).flatMap((name, index) =>
        cells[index] ? [[name, [cells[index], kinds[index]]]] : [],
      ),
    ),
  );
}

describe('carbon footprint --out book.xlsx', () => {
  it('writes summary, register and method, and reads a workbook as input', async () => {
    const folder = newFolder();
    const spend = join(folder, 'spend.csv');
    writeFileSync(spend, 'Supplier,Spend (EUR),Spend year,id\nBeta,100.5,2024,2\n');
    const records = snapshot(folder, 'records.ndjson', {
      ...beta,
      performances: [
        {
          year: 2024,
          revenue_currency: 'EUR',
          revenue: 1000,
          scope_1_and_2_emission_factor: 0.2,
          total_upstream_emission_factor: 0.3,
        },
      ],
    });
    const out = join(folder, 'footprint.xlsx');
    const argv = [
      'footprint',
      spend,
      '--records',
      records,
      '--upstream-factor',
      'additive',
      '-o',
      out,
    ];
    const { exit, stdout } = await run(argv);
    expect([exit, stdout]).toEqual([0, '']);
    expect((await readBook(out)).sheets.map(({ name }) => name)).toEqual([
      ...['Line items', 'Summary', 'Spend covered', 'Origin of the emissions', 'Sensitivity'],
      ...['SBTi near-term targets', 'Largest suppliers', 'Method'],
    ]);
    const [row] = await cellsOf(out, 'Line items');
    expect(row).toMatchObject({
      supplier: ['Beta', 'text'],
      spend: ['100.5', 'number'],
      share: ['1', 'number'],
    });
    // The register is a workbook with spend, too.
    const again = await run([
      ...['footprint', out, '--sheet', 'line items', '--records', records, '--json'],
      ...['--upstream-factor', 'additive'],
    ]);
    expect(again.exit).toBe(0);
    expect(JSON.parse(again.stderr.split('\n')[0] ?? '')).toMatchObject({
      event: 'sheet',
      sheet: 'Line items',
      others: expect.arrayContaining([expect.objectContaining({ name: 'Method' })]),
    });
    expect(JSON.parse(again.stdout.split('\n')[0] ?? '')).toMatchObject({ spend: 100.5 });
  });
});
