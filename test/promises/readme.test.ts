/* What README.md promises. Other tests run its examples, and check its numbers and links. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readText } from '../support/documents.ts';
import { jsonLines, run } from '../support/run.ts';
import { newList, recordOf, serveOrganizations } from './scene.ts';

const parse = (csv: string) =>
  csv
    .replace('\ufeff', '')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));

describe('carbon sync', () => {
  it('gives the list back with emissions, a score and targets behind its own columns', async () => {
    const { path, folder, read } = newList('Supplier,Country\nAcme AG,Germany\nGlobex,UK\n');
    const home = folder;
    const out = join(folder, 'results.csv');
    await run(['sync', path, '--sandbox', '-o', out], { home });
    const [header = [], ...rows] = parse(read('results.csv'));
    expect(header.slice(0, 2)).toEqual(['Supplier', 'Country']);
    const [, columns = ''] =
      /^\| Supplier \| Country \| (.*) \|$/m.exec(readText('README.md')) ?? [];
    for (const column of columns.split(' | ')) expect(header).toContain(column);
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      ['Acme AG', 'Germany'],
      ['Globex', 'UK'],
    ]);
    for (const column of ['carbon_score', 'carbon_scope_1', 'carbon_sbti_near_term'])
      for (const row of rows) expect(row[header.indexOf(column)]).not.toBe('');
  });

  it('registers new rows, updates old records and counts the changes in a later run', async () => {
    let scope1 = 100;
    const service = await serveOrganizations(() => ({
      performances: [{ year: 2024, emissions: { scope_1: { total: scope1 } } }],
    }));
    const { path, folder } = newList('name\nAcme\nGlobex\n');
    const world = { env: service.env, home: folder };
    await run(['sync', path], world);
    expect(service.sent()).toEqual(['Acme', 'Globex']);
    writeFileSync(path, 'name\nAcme\nGlobex\nInitech\n');
    scope1 = 90;
    const { stdout } = await run(['sync', path, '--max-age', '0', '--json'], world);
    expect(service.sent()).toEqual(['Acme', 'Globex', 'Initech']);
    expect(jsonLines(stdout).at(-1)?.summary).toMatchObject({
      registered: 1,
      changed: 2,
      synced: 3,
    });
    const list = await run(['list', path, '--csv', '--columns', 'name,scope_1'], world);
    expect(parse(list.stdout).slice(1)).toEqual([
      ['Acme', '90', ''],
      ['Globex', '90', ''],
      ['Initech', '90', ''],
    ]);
  });

  it('follows research that takes days', async () => {
    let requests = 0;
    const service = await serveOrganizations(() => {
      requests += 1;
      return requests < 60 ? { status: 'created' } : {};
    });
    const { path, folder } = newList('name\nAcme\n');
    const words = ['sync', path, '--timeout', '0'];
    const { exit } = await run(words, { env: service.env, home: folder });
    expect([exit, requests]).toEqual([0, 60]);
  });
});

describe('a mistake in a list', () => {
  it.each([
    ['wrong check digits of an LEI', 'name,lei\nAcme,529900T8BM49AURSDO56\n', 'lei'],
    ['wrong check digits of an ISIN', 'name,isin\nAcme,DE0007164601\n', 'isin'],
  ])('is found before anything is sent: %s', async (_, text, column) => {
    const service = await serveOrganizations();
    const { path, folder } = newList(text);
    const { exit, stderr } = await run(['sync', path], { env: service.env, home: folder });
    expect([exit, service.seen]).toEqual([2, []]);
    for (const part of ['line 2', column, 'Hint: ']) expect(stderr).toContain(part);
  });

  it('is found in an option: "UK" instead of "GB"', async () => {
    const service = await serveOrganizations();
    const words = ['register', '--name', 'Acme', '--hq-region', 'UK'];
    const { exit, stderr } = await run(words, { env: service.env });
    expect([exit, service.seen, stderr]).toEqual([2, [], expect.stringContaining('GB')]);
  });

  it('is a row called "Total", which is left out with its line', async () => {
    const service = await serveOrganizations();
    const { path, folder } = newList('name\nAcme\nTotal\n');
    const { stderr } = await run(['sync', path], { env: service.env, home: folder });
    expect([service.sent(), stderr]).toEqual([['Acme'], expect.stringContaining('Line 3 "Total"')]);
  });
});

describe('numbers that you can defend', () => {
  it('are those without findings of carbon check: records that cannot be right', async () => {
    const wrong = { performances: [{ year: 2024, emissions: { scope_1: { total: -5 } } }] };
    const lines = [recordOf(1, 'Acme'), recordOf(2, 'Globex', wrong)].map((each) =>
      JSON.stringify(each),
    );
    const { path } = newList(`${lines.join('\n')}\n`, 'records.ndjson');
    const { exit, stdout } = await run(['check', path, '--json']);
    const errors = jsonLines(stdout).filter(({ severity }) => severity === 'error');
    expect([exit, errors.map(({ id }) => id)]).toEqual([10, [2]]);
  });

  it('have their source in every line of a footprint', async () => {
    const performances = [
      {
        year: 2024,
        revenue: 1000,
        revenue_currency: 'EUR',
        emission_factor: 0.5,
        emission_factor_unit: 'kg CO2e/EUR',
      },
    ];
    const { path, folder, read } = newList('supplier,amount,currency\nAcme,1000,EUR\n', 'buy.csv');
    const records = join(folder, 'records.ndjson');
    writeFileSync(records, `${JSON.stringify(recordOf(1, 'Acme', { performances }))}\n`);
    const out = join(folder, 'footprint.csv');
    await run(['footprint', path, '--records', records, '--boundary', 'total', '-o', out]);
    const [header = [], row = []] = parse(read('footprint.csv'));
    const item = Object.fromEntries(header.map((name, index) => [name, row[index]]));
    expect(item).toMatchObject({
      lines: '2',
      id: '1',
      matched_by: 'name',
      basis: 'service',
      factor: '0.5',
      factor_year: '2024',
      inputs_emission_factor: '0.5',
      emissions: '500',
    });
  });
});

it('a report is one page about all organizations', async () => {
  const lines = ['Acme', 'Globex'].map((name, index) => JSON.stringify(recordOf(index + 1, name)));
  const { path, folder } = newList(`${lines.join('\n')}\n`, 'records.ndjson');
  const out = join(folder, 'report.html');
  await run(['report', path, '-o', out]);
  const page = readFileSync(out, 'utf8');
  for (const text of ['Acme', 'Globex', '<!doctype html>'])
    expect(page.toLowerCase()).toContain(text.toLowerCase());
  expect(page).not.toMatch(/(?:src|href)="https?:\/\/(?!.*example)/);
});
