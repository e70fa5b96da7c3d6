import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, run } from '../../support/run.ts';
import { serve } from '../../support/server.ts';
import { readBook } from '../../workbook/read.ts';

const acme = {
  id: 1,
  name: '=HYPERLINK("http://x")\u001b[31m',
  status: 'synced',
  hq_region: 'DE',
  score: 0.25,
  cdp: { is_listed: true, last_retrieved_at: '2026-03-01' },
  performances: [{ year: 2024, revenue_currency: 'EUR', revenue: 1234567.5 }],
};
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

const rowOfAcme = {
  id: ['1', 'number'],
  name: ['=HYPERLINK("http://x")\ufffd[31m', 'text'],
  score: ['0.25', 'number'],
  cdp_is_listed: ['TRUE', 'boolean'],
  cdp_last_retrieved_at: ['2026-03-01', 'date'],
  performance_year: ['2024', 'number'],
  revenue: ['1234567.5', 'number'],
};

describe('carbon report --out book.xlsx', () => {
  it('writes the latest record of each organization with typed cells', async () => {
    const folder = newFolder();
    const records = snapshot(folder, 'records.ndjson', { ...acme, name: 'old' }, beta, acme);
    const out = join(folder, 'book.xlsx');
    const { exit, stdout, stderr } = await run(['report', records, '--out', out]);
    expect([exit, stdout, stderr]).toEqual([0, '', `Wrote ${out} (2 organizations)\n`]);
    const rows = await cellsOf(out, 'Organizations');
    expect(rows[0]).toMatchObject({ id: ['2', 'number'], external_id: ['007', 'text'] });
    expect(rows[1]).toMatchObject(rowOfAcme);
    const method = (await readBook(out, { sheet: 'Method' })).all.map(({ cells }) => cells);
    expect(method).toContainEqual(['files', 'records.ndjson']);
    expect(method).toContainEqual(['score', 'Score, 0 (worst) to 1 (best)']);
  });

  it('refuses other spreadsheet formats, and --json', async () => {
    const records = snapshot(newFolder(), 'records.ndjson', beta);
    const ods = await run(['report', records, '--out', 'book.ods']);
    expect([ods.exit, ods.stderr]).toEqual([2, expect.stringContaining('.html or .xlsx')]);
    expect((await run(['report', records, '--json', '--out', 'book.xlsx'])).exit).toBe(2);
  });
});

describe('carbon diff --out book.xlsx', () => {
  it('writes the differences and returns exit code 10', async () => {
    const folder = newFolder();
    const old = snapshot(folder, 'old.ndjson', beta, acme);
    const now = snapshot(folder, 'new.ndjson', beta, { ...acme, score: 0.5 });
    const out = join(folder, 'book.xlsx');
    const { exit, stdout } = await run(['diff', old, now, '--out', out]);
    expect([exit, stdout]).toEqual([10, '']);
    expect(await cellsOf(out, 'Differences')).toMatchObject([
      { id: ['1', 'number'], field: ['score', 'text'], old: ['0.25', 'number'] },
    ]);
  });

  it('refuses to replace a snapshot and to write another format', async () => {
    const folder = newFolder();
    const records = snapshot(folder, 'records.xlsx', beta);
    expect((await run(['diff', records, records, '--out', records])).exit).toBe(2);
    expect((await run(['diff', records, records, '--out', 'a.html'])).stderr).toContain(
      'does not end with .xlsx',
    );
  });
});

describe('carbon get --out book.xlsx', () => {
  it('writes the records instead of printing them', async () => {
    const { url } = await serve({ json: acme });
    const out = join(newFolder(), 'book.xlsx');
    const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'k' };
    const { exit, stdout, stderr } = await run(['get', '1', '--out', out], { env });
    expect([exit, stdout, stderr]).toEqual([0, '', `Wrote ${out} (1 organization)\n`]);
    expect(await cellsOf(out, 'Organizations')).toMatchObject([rowOfAcme]);
  });

  it('prints JSON too with --json, and refuses --csv', async () => {
    const { url } = await serve({ json: acme });
    const out = join(newFolder(), 'book.xlsx');
    const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'k' };
    const { stdout } = await run(['get', '1', '--json', '--out', out], { env });
    expect(JSON.parse(stdout)).toEqual(acme);
    expect(existsSync(out)).toBe(true);
    expect((await run(['get', '1', '--csv', '--out', out], { env })).exit).toBe(2);
  });
});

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
    const argv = ['footprint', spend, '--records', records, '--upstream', 'additive', '--out', out];
    const { exit, stdout } = await run(argv);
    expect([exit, stdout]).toEqual([0, '']);
    expect((await readBook(out)).sheets.map(({ name }) => name)).toEqual([
      ...['Summary', 'Categories', 'Largest suppliers', 'Register', 'Method'],
    ]);
    const [row] = await cellsOf(out, 'Register');
    expect(row).toMatchObject({
      supplier: ['Beta', 'text'],
      spend: ['100.5', 'number'],
      share: ['1', 'number'],
    });
    // The register is a workbook with spend, too.
    const again = await run([
      ...['footprint', out, '--sheet', 'register', '--records', records, '--json'],
      ...['--upstream', 'additive'],
    ]);
    expect(again.exit).toBe(0);
    expect(JSON.parse(again.stderr.split('\n')[0] ?? '')).toMatchObject({
      event: 'sheet',
      sheet: 'Register',
      others: [{ name: 'Summary', visible: true }, {}, {}, { name: 'Method' }],
    });
    expect(JSON.parse(again.stdout.split('\n')[0] ?? '')).toMatchObject({ spend: 100.5 });
  });
});
