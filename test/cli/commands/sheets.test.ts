import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { book } from '../../lists/table/book.ts';
import { VirtualClock } from '../../support/clock.ts';
import { newFolder, run } from '../../support/run.ts';

type Rows = readonly (readonly (string | number)[])[];

/* A workbook with these sheets, and runs of commands on it in the sandbox. */
async function workbook(sheets: Readonly<Record<string, Rows>>) {
  const path = join(newFolder(), 'firms.xlsx');
  const home = newFolder();
  const clock = new VirtualClock();
  const write = async (others: Readonly<Record<string, Rows>>) =>
    writeFileSync(path, await book(others));
  await write(sheets);
  return {
    path,
    write,
    files: () => readdirSync(dirname(path)).filter((name) => name !== 'firms.xlsx'),
    put: (end: string, lines: readonly string[]) =>
      writeFileSync(`${path}.sandbox.${end}`, lines.map((line) => `${line}\n`).join('')),
    run: (command: string, ...words: string[]) =>
      run([command, path, ...words, ...(/batch|sync/.test(command) ? ['--sandbox'] : [])], {
        home,
        clock,
      }),
  };
}

const europe: Rows = [
  ['Name', 'Land', 'Spend (EUR)'],
  ['Alpha GmbH', 'DE', 5],
  ['Beta SA', 'FR', 6],
  ['Gamma', 'IT', 7],
];
const america: Rows = [
  ['Company', 'Country', 'Spend (EUR)'],
  ['Delta Inc', 'US', 5],
  ['Alpha GmbH', 'DE', 6],
];
const names = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => line.split('\t').slice(1).join(' '));

describe('the sheets of a workbook', () => {
  it('are lists of their own, with their own columns', async () => {
    const { run: carbon, files } = await workbook({ EU: europe, US: america });
    expect((await carbon('batch')).stderr).toContain('3 registered');
    const second = await carbon('batch', '--sheet', 'us');
    expect(second.stderr).toContain('Columns: Company → name, Country → hq_region');
    // A row of another sheet is the same organization.
    expect(second.stderr).toContain('Checked 2 rows: 1 new, 1 already registered');
    expect(files()).toEqual([
      'firms.xlsx.sandbox.US.carbon.jsonl',
      'firms.xlsx.sandbox.carbon.jsonl',
    ]);
    const third = await carbon('batch', '--sheet', 'EU');
    expect(third.stderr).toContain('Checked 3 rows: 0 new, 3 already registered');
  });

  it('have the same files whether or not --sheet names the first one', async () => {
    const { run: carbon, files } = await workbook({ EU: europe, US: america });
    await carbon('sync');
    expect((await carbon('sync', '--sheet', 'eu')).stderr).toContain('3 of 3 organizations');
    expect(files().filter((name) => name.includes('.EU.'))).toEqual([]);
    expect(files()).toContain('firms.xlsx.sandbox.records.ndjson');
  });

  it('stay chosen for the next run, even if another one becomes the first', async () => {
    const { run: carbon, write } = await workbook({ EU: europe, US: america });
    await carbon('batch', '--sheet', 'US');
    const { stderr } = await carbon('batch');
    expect(stderr).toContain('Sheet "US", as in the last run\n');
    expect(stderr).toContain('2 already registered');
    await carbon('batch', '--sheet', 'EU');
    await write({
      Cover: [
        ['Company', 'Country'],
        ['Nope', 'DE'],
      ],
      EU: europe,
    });
    expect((await carbon('batch')).stderr).toContain('3 already registered');
  });

  it('keep their files if the first one has another name', async () => {
    const { run: carbon, write, files } = await workbook({ EU: europe });
    await carbon('batch');
    await write({ Suppliers: europe, Notes: [['Note']] });
    expect((await carbon('batch')).stderr).toContain('3 already registered');
    expect(files()).toEqual(['firms.xlsx.sandbox.carbon.jsonl']);
  });

  it('are asked for if the chosen one is missing', async () => {
    const { run: carbon, write } = await workbook({ EU: europe, US: america });
    await carbon('batch', '--sheet', 'US');
    await write({ EU: europe, USA: america });
    const { exit, stderr } = await carbon('batch');
    expect(exit).toBe(2);
    expect(stderr).toContain('has no sheet "US", which the last run read');
    expect(stderr).toContain('Choose one with --sheet: "EU", "USA"');
    expect((await carbon('batch', '--sheet', 'USA')).stderr).toContain('2 already registered');
  });

  it('use the columns of a sheet that was renamed', async () => {
    const firms: Rows = [
      ['Company', 'Legal name'],
      ['Acme', 'Acme Holding SE'],
    ];
    const { run: carbon, write } = await workbook({ EU: europe, US: firms });
    await carbon('batch', '--sheet', 'US', '--map', 'name=Legal name');
    await write({ EU: europe, USA: firms });
    const { stderr } = await carbon('batch', '--sheet', 'USA');
    expect(stderr).toContain('Columns: Legal name → name');
    expect(stderr).toContain('1 already registered');
  });

  it('are all read by list, report, check and diff, each organization in one currency', async () => {
    const { run: carbon } = await workbook({ EU: europe, US: america });
    await carbon('sync', '--currency', 'EUR');
    await carbon('sync', '--sheet', 'US', '--currency', 'USD');
    const columns = ['--columns', 'id,name,revenue_currency'];
    const all = await carbon('list', ...columns);
    expect(names(all.stdout).sort()).toEqual([
      'Alpha GmbH EUR',
      'Beta SA EUR',
      'Delta Inc USD',
      'Gamma EUR',
    ]);
    expect(all.stderr).toContain('4 organizations, 3 in EUR, 1 in USD\n');
    const inDollars = await carbon('list', ...columns, '--currency', 'usd');
    expect(names(inDollars.stdout)).toContain('Alpha GmbH USD');
    expect(inDollars.stderr).toContain('4 organizations, 2 in USD, 2 in EUR\n');
    expect((await carbon('list', '--currency', 'CHF')).stderr).toContain('none in CHF');
    const one = await carbon('list', '--sheet', 'us', ...columns);
    expect(names(one.stdout).sort()).toEqual(['Alpha GmbH USD', 'Delta Inc USD']);
    expect((await carbon('report', '--json')).stdout).toContain('"organizations":4');
    const check = await carbon('check');
    expect(check.stderr).toContain('4 organizations: ');
    expect(check.stderr).toContain('Compared with 5 rows');
    expect((await carbon('check', '--sheet', 'US')).stderr).toContain('Compared with 2 rows');
    const diff = await carbon('diff', '--since', '2026-01-15', '--currency', 'USD');
    expect([diff.exit, diff.stderr.includes('2 in USD, 2 in EUR')]).toEqual([0, true]);
    const none = await carbon('list', '--sheet', 'Asia');
    expect([none.exit, none.stderr]).toEqual([
      2,
      expect.stringContaining(
        'has no records of sheet "Asia"\nHint: Sheets with records: "EU", "US".',
      ),
    ]);
  });

  it('are named by footprint if several have records', async () => {
    const { run: carbon } = await workbook({ EU: europe, US: america });
    await carbon('sync', '--currency', 'EUR');
    await carbon('sync', '--sheet', 'US', '--currency', 'EUR');
    const words = ['--spend-year', '2024', '--unit', 'kg'];
    const { exit, stderr } = await carbon('footprint', ...words);
    expect(exit).toBe(2);
    expect(stderr).toContain('has several sheets with records: "EU", "US"');
    const chosen = await carbon('footprint', '--sheet', 'US', ...words);
    expect(chosen.exit).toBe(0);
    expect(chosen.stderr).toContain('Matched 2 line items: 2 by journal');
  });

  it('are counted apart if rows have no record', async () => {
    const { run: carbon, write } = await workbook({ EU: europe, US: america });
    await carbon('sync');
    await carbon('sync', '--sheet', 'US');
    await write({ EU: [...europe, ['New AG', 'DE', 1]], US: america });
    const { stderr } = await carbon('list');
    expect(stderr).toMatch(/1 row of \S+, sheet "EU", has no record\. .*--sheet EU/);
    expect(stderr).not.toContain('sheet "US"');
  });
});

/* Written by 0.2.0 for the rows Alpha GmbH, Beta SA (columns Name, Land), and Delta Inc. */
const shared = [
  '{"carbon":"journal","version":1,"keys":1,"service":"sandbox","profile":"sandbox","mapping":{"name":"Name","hq_region":"Land"}}',
  '{"key":"0e0c9af0c334b0cb741a283b74bb62b6","id":                 12,"line":2,"status":"created","at":"2026-01-10T01:02:52.250Z"}',
  '{"key":"6b81732a20baf96558d4d75591d8dd34","id":                 13,"line":3,"status":"created","at":"2026-01-10T01:02:52.264Z"}',
];
const ofDelta =
  '{"key":"7bbdf93842d5ab0a7bfa8e7b20cd84e9","id":                 18,"line":2,"status":"created","at":"2026-01-10T01:03:11.796Z"}';

function stored(id: number, name: string, day: string, currency = 'EUR'): string {
  const at = `2026-01-${day}T08:00:00.000Z`;
  const head = { id, service: 'sandbox', currency, valid_from: at, retrieved_at: at };
  const record = { id, name, status: 'synced' };
  return JSON.stringify({ ...head, listed: [at.slice(0, 10)], record });
}

describe('the files of 0.2.0, whose sheets shared one journal', () => {
  const head = ['Name', 'Land'];
  const eu: Rows = [head, ['Alpha GmbH', 'DE'], ['Beta SA', 'FR']];
  const us: Rows = [head, ['Delta Inc', 'US'], ['Alpha GmbH', 'DE']];

  it('register no row of any sheet again', async () => {
    const { run: carbon, put } = await workbook({ EU: eu, US: us });
    put('carbon.jsonl', [...shared, ofDelta]);
    for (const words of [['--sheet', 'US'], ['--sheet', 'EU'], []])
      expect((await carbon('batch', ...words)).stderr).toContain(
        'Checked 2 rows: 0 new, 2 already registered',
      );
  });

  it('are those of the sheet whose columns the journal has', async () => {
    const other: Rows = [
      ['Company', 'Country'],
      ['Zeta', 'DE'],
    ];
    const { run: carbon, put, files } = await workbook({ Other: other, EU: eu });
    put('carbon.jsonl', shared);
    const { stderr } = await carbon('batch', '--sheet', 'Other');
    expect(stderr).toContain('Columns: Company → name, Country → hq_region');
    expect(files()).toContain('firms.xlsx.sandbox.Other.carbon.jsonl');
    expect((await carbon('batch', '--sheet', 'EU')).stderr).toContain('2 already registered');
  });

  it('do not count rows of other sheets as removed', async () => {
    const far: Rows = [head, ...Array.from({ length: 12 }, (_, at) => [`Firm ${at} Ltd`, 'GB'])];
    const { run: carbon, put, path } = await workbook({ EU: eu, UK: far });
    put('carbon.jsonl', shared);
    await carbon('batch', '--sheet', 'UK');
    const kept = readFileSync(`${path}.sandbox.UK.carbon.jsonl`, 'utf8').split('\n');
    put('carbon.jsonl', [...shared, ...kept.filter((line) => line.startsWith('{"key"'))]);
    rmSync(`${path}.sandbox.UK.carbon.jsonl`);
    for (const words of [
      ['--sheet', 'EU'],
      ['--sheet', 'UK'],
      ['--sheet', 'EU'],
    ]) {
      const { exit, stderr } = await carbon('batch', ...words);
      expect([exit, stderr]).toEqual([0, expect.stringContaining(' 0 new')]);
    }
  });

  it('choose that sheet without an option', async () => {
    const other: Rows = [
      ['Company', 'Country'],
      ['Zeta', 'DE'],
    ];
    const { run: carbon, put } = await workbook({ Other: other, EU: eu });
    put('carbon.jsonl', shared);
    expect((await carbon('batch')).stderr).toContain('0 new, 2 already registered');
  });

  it('still end with an error if no sheet has the columns of the journal', async () => {
    const { run: carbon, put } = await workbook({
      EU: [
        ['Firm', 'Land'],
        ['Alpha GmbH', 'DE'],
      ],
    });
    put('carbon.jsonl', shared);
    const { exit, stderr } = await carbon('batch');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('"Name" (name)')]);
  });

  it('are found under both names of a sheet, and become one', async () => {
    const { run: carbon, put, path } = await workbook({ EU: eu, US: us });
    put('carbon.jsonl', shared);
    put('records.ndjson', [stored(12, 'Alpha GmbH', '14')]);
    put('EU.records.ndjson', [stored(12, 'Alpha', '13'), stored(13, 'Beta SA', '15')]);
    const dry = await carbon('sync', '--dry-run', '--max-age', 'never');
    expect(dry.stderr).toContain('A run would register 0 organizations and retrieve 0 records.');
    const before = await carbon('list', '--sheet', 'EU', '--columns', 'id,name');
    expect(names(before.stdout)).toEqual(['Alpha GmbH', 'Beta SA']);
    const { stderr } = await carbon('sync', '--max-age', 'never');
    expect(stderr).toContain('2 of 2 organizations up to date');
    expect(names((await carbon('list', '--columns', 'id,name')).stdout)).toHaveLength(2);
    // A row that leaves the list leaves it under both names.
    writeFileSync(path, await book({ EU: [head, ['Alpha GmbH', 'DE']], US: us }));
    expect((await carbon('sync', '--max-age', 'never')).exit).toBe(0);
    expect(names((await carbon('list', '--columns', 'id,name')).stdout)).toEqual(['Alpha GmbH']);
    expect(existsSync(`${path}.sandbox.EU.records.ndjson`)).toBe(true);
    expect(readFileSync(`${path}.sandbox.records.ndjson`, 'utf8')).toContain('"Beta SA"');
  });

  it('continue those of a sheet that --sheet named', async () => {
    const { run: carbon, put, files } = await workbook({ EU: eu, US: us });
    put('carbon.jsonl', shared);
    put('EU.records.ndjson', [stored(12, 'Alpha GmbH', '15'), stored(13, 'Beta SA', '15')]);
    const { stderr } = await carbon('sync', '--max-age', 'never');
    expect(stderr).toContain('2 of 2 organizations up to date');
    expect(files()).not.toContain('firms.xlsx.sandbox.records.ndjson');
  });
});
