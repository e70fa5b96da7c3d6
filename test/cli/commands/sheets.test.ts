import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
    world: { home, clock },
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
    expect(all.stderr).toContain('data, revenue and factors: 3 in EUR, 1 in USD\n');
    const inDollars = await carbon('list', ...columns, '--currency', 'usd');
    expect(names(inDollars.stdout)).toContain('Alpha GmbH USD');
    expect(inDollars.stderr).toContain('data, revenue and factors: 2 in USD, 2 in EUR\n');
    expect((await carbon('list', '--currency', 'CHF')).stderr).toContain('none in CHF');
    const one = await carbon('list', '--sheet', 'us', ...columns);
    expect(names(one.stdout).sort()).toEqual(['Alpha GmbH USD', 'Delta Inc USD']);
    expect((await carbon('report', '--json')).stdout).toContain('"organizations":4');
    const check = await carbon('check');
    expect(check.stderr).toContain('No errors or warnings in 4 records (no findings)');
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
    expect(chosen.stderr).toContain('Records of 2 line items: found 2 by registration');
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

  it('warn of rows without a record below what a terminal shows', async () => {
    const { run: carbon, write, path, world } = await workbook({ EU: europe });
    await carbon('sync', '--currency', 'EUR');
    await write({ EU: [...europe, ['New AG', 'DE', 1]] });
    const words = { footprint: ['--spend-year', '2024', '--unit', 'kg'] };
    for (const command of ['list', 'report', 'footprint'] as const) {
      const argv = [command, path, ...(command === 'footprint' ? words.footprint : [])];
      const isBelow = async (terminal?: number) => {
        let text = '';
        const onOutput = (part: string) => (text += part);
        await run(argv, { ...world, ...(terminal && { terminal }), onOutput });
        const warned = text.indexOf('1 row of ');
        expect(warned).not.toBe(-1);
        return warned > text.lastIndexOf('Alpha GmbH');
      };
      expect([command, await isBelow(80)]).toEqual([command, true]);
      expect([command, await isBelow()]).toEqual([command, false]);
    }
  });
});

describe('a journal of a workbook that does not say which sheet its rows are from', () => {
  const journal = [
    '{"carbon":"journal","version":1,"keys":1,"service":"sandbox","profile":"sandbox","mapping":{"name":"Name","hq_region":"Land"}}',
    '{"key":"0e0c9af0c334b0cb741a283b74bb62b6","id":                 12,"line":2,"status":"created","at":"2026-01-10T01:02:52.250Z"}',
    '{"key":"6b81732a20baf96558d4d75591d8dd34","id":                 13,"line":3,"status":"created","at":"2026-01-10T01:02:52.264Z"}',
  ];

  it('ends every run with an error, until it has a line with the sheet', async () => {
    const { run: carbon, put, path } = await workbook({ EU: europe, US: america });
    put('carbon.jsonl', journal);
    const line = '{"carbon":"options","sheet":"EU"}';
    for (const words of [[], ['--sheet', 'US'], ['--restart'], ['--dry-run'], ['--status']])
      expect(await carbon('batch', ...words)).toEqual({
        exit: 2,
        stdout: '',
        stderr: `Error: ${path}.sandbox.carbon.jsonl does not say which sheet its rows are from\nHint: If all are from one sheet, add a line with its name to the end of the file: ${line}. Otherwise move the file away: carbon sends every row again, and each gets the same ID.\n`,
      });
    put('carbon.jsonl', [...journal, line]);
    expect((await carbon('batch')).stderr).toContain('1 new, 2 already registered');
    expect((await carbon('batch', '--sheet', 'US')).stderr).toContain(
      '1 new, 1 already registered',
    );
  });
});

describe('a second file of records of a sheet', () => {
  it('ends with an error that says how to go on', async () => {
    const { run: carbon, path } = await workbook({ EU: europe, US: america });
    await carbon('sync');
    const [own, second] = [`${path}.sandbox.records.ndjson`, `${path}.sandbox.EU.records.ndjson`];
    writeFileSync(second, readFileSync(own));
    for (const command of ['sync', 'list', 'report']) {
      const { exit, stderr } = await carbon(command);
      expect([command, exit, stderr]).toEqual([
        command,
        2,
        `Error: ${second} has records of sheet "EU", which carbon keeps in ${own}\nHint: Move it away; carbon sync retrieves what is missing: mv ${second} ${second}.previous\n`,
      ]);
    }
    rmSync(second);
    expect((await carbon('sync')).stderr).toContain('3 of 3 organizations up to date');
  });
});
