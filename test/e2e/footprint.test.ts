import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { execute } from '../support/executable.ts';
import { newFolder, run } from '../support/run.ts';

const record = {
  id: 1,
  name: 'Acme AG',
  status: 'synced',
  performances: [
    {
      year: 2024,
      revenue_currency: 'EUR',
      revenue: 1000,
      scope_1_and_2_emission_factor: 0.2,
      total_upstream_emission_factor: 0.3,
    },
  ],
};

/* A directory with a purchasing export and a snapshot. */
function prepare(): string {
  const home = newFolder();
  writeFileSync(join(home, 'spend.csv'), 'Supplier;Betrag;Währung\nAcme AG;1.234,50;EUR\n');
  writeFileSync(join(home, 'records.ndjson'), `${JSON.stringify(record)}\n`);
  return home;
}

const words = ['footprint', 'spend.csv', '--records', 'records.ndjson', '--upstream', 'additive'];

/* Spend in several currencies and years with ids, external ids and names, some of them equal. */
function manySpends(years: number): string {
  const lines = Array.from({ length: 3_000 }, (_, row) => {
    const id = row % 3 === 0 ? row : '';
    const external = row % 3 === 1 ? `E-${row % 700}` : '';
    return `${id},${external},Supplier ${row % 2_500},${row}.5,${row % 7 ? 'EUR' : 'USD'},${2020 - (row % years)}`;
  });
  return `carbon_id,external_id,supplier,spend,currency,year\n${lines.join('\n')}\n`;
}

/* More than 4 MiB, from where a second thread reads, too. */
function manyRecords(): string {
  const filler = 'x'.repeat(2_000);
  const recordOf = (row: number) => ({
    ...record,
    id: row % 11 === 0 ? undefined : row % 4_500,
    name: `Supplier ${row % 2_600}`,
    external_id: row % 5 === 0 ? `E-${row % 800}` : null,
    performances: record.performances.map((performance) => ({
      ...performance,
      year: 2019 + (row % 4),
      revenue_currency: row % 13 ? 'EUR' : undefined,
      emission_factor: row,
    })),
    industry: { performances: [{ year: 2020, emission_factor: row % 9 }] },
    sbti: { data: [{ near_term: { target_status: row % 2 ? 'set' : 'removed' } }] },
    score: filler,
  });
  const lines = Array.from({ length: 2_800 }, (_, row) => {
    if (row % 997 === 0) return JSON.stringify({ ok: false, error: { code: 'x', exit: 1 } });
    if (row === 2_400) return JSON.stringify([recordOf(row), recordOf(1)]);
    if (row === 2_700) return JSON.stringify(recordOf(row), null, 2);
    if (row % 17 > 0) return JSON.stringify(recordOf(row));
    const retrieved_at = '2024-05-01T00:00:00Z';
    return JSON.stringify({
      ok: true,
      id: row,
      currency: 'EUR',
      retrieved_at,
      record: recordOf(row),
    });
  });
  return `\ufeff${lines.join('\r\n')}\r\n`;
}

describe('carbon footprint', () => {
  it('prints the register into a pipe', async () => {
    const env = { HOME: prepare() };
    const { stdout, stderr, exit } = await execute([...words, '--csv', '--no-progress'], { env });
    expect([stderr, exit]).toEqual(['', 0]);
    const [header = '', row = ''] = stdout.split('\r\n').map((line) => line.split(','));
    const cell = (name: string) => row[header.indexOf(name)];
    expect(['supplier', 'matched_by', 'spend', 'factor', 'emissions'].map(cell)).toEqual([
      ...['Acme AG', 'name', '1234.5', '0.5', '617.25'],
    ]);
  });

  it('writes a page', async () => {
    const home = prepare();
    const { stdout, exit } = await execute([...words, '--out', 'footprint.html'], {
      env: { HOME: home },
    });
    expect([stdout, exit]).toEqual(['', 0]);
    expect(readFileSync(join(home, 'footprint.html'), 'utf8')).toMatch(
      /^<!doctype html>.*Acme AG/is,
    );
  });

  it.each([
    ['the same register', 3, '', 9],
    ['the same register for ten currencies and years', 5, '', 9],
    ['the same error', 3, '\n{"id":', 2],
  ])('prints %s with two threads as with one', async (_, years, broken, code) => {
    const home = newFolder();
    const [spend, records] = [join(home, 'spend.csv'), join(home, 'records.ndjson')];
    writeFileSync(spend, manySpends(years));
    writeFileSync(records, `${manyRecords()}${broken}\n`);
    const argv = ['footprint', spend, '--records', records, '--upstream', 'nested', '--csv'];
    const one = await run(argv, { home });
    const { stdout, stderr, exit } = await execute(argv, { env: { HOME: home } });
    expect([one.exit, /line \d+ is not JSON/.test(one.stderr)]).toEqual([code, code === 2]);
    expect({ stdout, stderr, exit }).toEqual(one);
  });
});
