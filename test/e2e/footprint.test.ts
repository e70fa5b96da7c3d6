import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { execute } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';

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

const words = [
  'footprint',
  'spend.csv',
  '--records',
  'records.ndjson',
  '--upstream-factor',
  'additive',
];

describe('carbon footprint', () => {
  it('prints the line items into a pipe', async () => {
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
    const { stdout, exit } = await execute([...words, '-o', 'footprint.html'], {
      env: { HOME: home },
    });
    expect([stdout, exit]).toEqual(['', 0]);
    expect(readFileSync(join(home, 'footprint.html'), 'utf8')).toMatch(
      /^<!doctype html>.*Acme AG/is,
    );
  });
});
