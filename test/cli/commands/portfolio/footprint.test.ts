import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { read } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import type { LineItem } from '../../../../src/portfolio/footprint/footprint.ts';
import { withoutOptions } from '../../../support/markup.ts';
import { newFolder, run } from '../../../support/run.ts';

/* A purchasing export of a German system. */
const exported = [
  'Einkaufsauswertung 2024;;;;;',
  'Lieferant;Land;Lieferantennr.;Betrag;Währung;Warengruppe',
  'Müller Maschinenbau GmbH;Deutschland;1001;1.234.567,89;EUR;Maschinen',
  'Müller Maschinenbau GmbH;Deutschland;1001;-34.567,89;EUR;Maschinen',
  'Acme Inc;USA;1002;250.000,00;USD;IT',
  'Globex plc;Vereinigtes Königreich;1003;99.500,50;GBP;Beratung',
  'Umbrella AG;Schweiz;1005;(12.000,00);EUR;Pharma',
  'Papier Weber;Österreich;1009;;EUR;Büro',
  'Summe;;;1.537.500,50;;',
  '',
].join('\n');

function write(text: string, name = 'suppliers.csv', folder = newFolder()): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const record = (id: number, name: string, others: object = {}) => ({
  id,
  name,
  hq_region: 'DE',
  status: 'synced',
  performances: [
    {
      year: 2024,
      region: 'DE',
      revenue_currency: 'EUR',
      revenue: 1000,
      scope_1_and_2_emission_factor: 0.2,
      total_upstream_emission_factor: 0.3,
    },
  ],
  ...others,
});

function snapshot(...records: readonly object[]): string {
  return write(records.map((each) => `${JSON.stringify(each)}\n`).join(''), 'records.ndjson');
}

async function footprint(argv: readonly string[], stdin = '') {
  const { exit, stdout, stderr } = await run(['footprint', ...argv, '--json'], { stdin });
  const lines = stdout.trim() === '' ? [] : stdout.trim().split('\n');
  const parsed = lines.map((line) => JSON.parse(line));
  return { exit, stderr, rows: parsed.slice(0, -1) as LineItem[], summary: parsed.at(-1)?.summary };
}

const upstream = ['--upstream-factor', 'additive'];
const eur = ['--spend-currency', 'EUR'];

describe('carbon footprint', () => {
  it('prints what it understood of a purchasing export', async () => {
    const path = write(exported);
    const records = snapshot(record(1, 'Müller Maschinenbau GmbH'));
    const { stderr, exit } = await run([
      ...['footprint', path, '--skip-lines', '1', '--records', records],
      ...['--spend-year', '2024', ...upstream],
    ]);
    expect(stderr).toMatchInlineSnapshot(`
      "Columns: Lieferant → name, Land → hq_region, Lieferantennr. → external_id, Betrag → spend, Währung → spend_currency, Warengruppe → category
      Amounts: decimal comma, as in line 3: 1.234.567,89 is 1234567.89
      Read 5 rows with spend: EUR 1,234,568 purchases, −46,568 credit notes, 4%; USD 250,000 purchases; GBP 99,501 purchases; 5 in 2024
      Credit notes, which reduce the spend: 2 rows (lines 4, 7)
      Totals, not counted: 1 row (line 9)
      Rows without spend, not counted: 1 row (line 8)
      Not found by Lieferantennr.: 4 suppliers. To find suppliers by name: --map external_id=
      Records of 3 line items: found none; without emissions: no record (3)
      "
    `);
    expect(exit).toBe(9);
  });

  it('leaves how the file was read to --full in a terminal, unless it fails', async () => {
    const text = exported.replace('1.537.500,50', '1.537.000,50');
    const records = snapshot(record(1, 'Müller Maschinenbau GmbH'));
    const argv = ['footprint', write(text), '--skip-lines', '1', '--spend-year', '2024'];
    const words = [...argv, '--records', records, ...upstream];
    const { stdout, stderr, exit } = await run(words, { terminal: 80 });
    expect(stderr).toMatchInlineSnapshot(`
      "Totals, not counted: 1 row (line 9)
      Rows without spend, not counted: 1 row (line 8)
      Not found by Lieferantennr.: 4 suppliers. To find suppliers by name:
        --map external_id=
      "
    `);
    // The view repeats the warning.
    expect(stdout).toContain('! Your total in line 9, 1.54M, is not the sum of your rows');
    expect(stdout).toContain(
      '\nFor targets, more tables and how the file was read, add --full; for all digits,\n--csv\n',
    );
    const pieces: string[] = [];
    const onOutput = (text: string) => void pieces.push(text);
    const full = await run([...words, '--full'], { terminal: 80, onOutput });
    // What it means comes first.
    const inOrder = pieces.join('');
    expect(inOrder).toMatch(/^[^\n]+ emissions/);
    expect(inOrder.indexOf('Columns: ')).toBeGreaterThan(inOrder.lastIndexOf('\nSensitivity'));
    const [piped, written] = await Promise.all([
      run(words),
      run([...words, '-o', join(newFolder(), 'a.html')], { terminal: 80 }),
    ]);
    for (const all of [full, piped, written]) {
      expect(all.stderr).toContain('Columns: Lieferant → name');
      expect(all.stderr).toContain('Amounts: decimal comma');
      expect(all.stderr).toContain('Read 5 rows with spend');
      expect(all.stderr).toContain('Credit notes, which reduce the spend');
      expect(all.stderr).toContain('Records of 3 line items');
      expect(all.exit).toBe(exit);
    }
    expect(full.stdout).toMatch(/^Sensitivity|^Spend with known emissions/m);
    expect(full.stdout).not.toContain('add --full');
    const unread = [...argv, '--year', '1999'];
    const failed = await run(unread, { terminal: 80 });
    expect(failed.exit).toBe(2);
    expect(failed.stderr).toMatch(/^Error: .*\nHint: .*\nColumns: Lieferant → name/s);
    // A program reads them in their order.
    const { stderr: plain } = await run(unread);
    expect(plain).toMatch(/^Columns: Lieferant → name.*\nError: /s);
    // How the file was read does not explain that there are no records.
    for (const world of [{ terminal: 80 }, {}]) {
      const { stderr } = await run(argv, world);
      expect(stderr).toMatch(/^Error: There are no records of .*\nHint: /);
      expect(stderr).not.toContain('Columns: ');
    }
  });

  it('uses the records that sync keeps of the file, in the currencies of its rows', async () => {
    const home = newFolder();
    const path = write(exported.replace(/^Summe.*\n/m, ''), 'suppliers.csv', home);
    const words = ['--skip-lines', '1'];
    const argv = ['footprint', path, ...words, ...upstream, '--json'];
    const missing = await run(argv, { home });
    expect(missing.exit).toBe(2);
    const currencies = ['EUR', 'USD', 'GBP'].flatMap((currency) => ['--currency', currency]);
    expect(missing.stderr).toContain(`carbon sync ${path} --skip-lines 1`);
    await run(['sync', path, ...words, '--sandbox', '--currency', 'EUR'], { home });
    const partial = await run(argv, { home });
    expect(partial.exit).toBe(2);
    expect(partial.stderr).toContain('has spend in USD, GBP, but no records in these currencies');
    const command = `carbon sync ${path} --skip-lines 1 --currency USD --currency GBP --sandbox`;
    expect(partial.stderr).toContain(`To retrieve them: ${command}"`);
    await run(['sync', path, ...words, '--sandbox', ...currencies], { home });
    const { stdout } = await run(argv, { home });
    const lines = stdout.trim().split('\n');
    const rows: LineItem[] = lines.slice(0, -1).map((line) => JSON.parse(line));
    expect(rows.map((row) => [row.supplier, row.currency, row.spend])).toEqual([
      ['Müller Maschinenbau GmbH', 'EUR', 1_200_000],
      ['Acme Inc', 'USD', 250_000],
      ['Globex plc', 'GBP', 99_500.5],
      ['Umbrella AG', 'EUR', -12_000],
    ]);
    expect(rows.map((row) => row.matched_by)).toEqual(Array(4).fill('journal'));
    expect(rows.map(({ excluded }) => excluded)).toEqual([null, null, null, 'negative_net_spend']);
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      summary: { method: { service: 'sandbox' } },
    });
    const named = await run([...argv, '--records', path], { home });
    expect(named.stdout.split('\n').slice(0, -2)).toEqual(stdout.split('\n').slice(0, -2));
  });

  it("needs no other currency if the records of the service's default are in that of the spend", async () => {
    const home = newFolder();
    const text = 'name,Land,Betrag,Währung\nAcme,US,10,USD\nSandbox currency,US,5,USD\n';
    const path = write(text, 'suppliers.csv', home);
    await run(['sync', path, '--sandbox', '--map', 'currency=Währung'], { home });
    const argv = ['footprint', path, ...upstream, '--json'];
    const { stdout, exit } = await run(argv, { home });
    const [acme, other] = stdout.split('\n').map((line) => line && JSON.parse(line));
    expect([acme.uncovered, other.uncovered, exit]).toEqual([null, 'other_currency', 9]);
  });

  it('says how to retrieve records in the currency of the spend, wherever it shows items', async () => {
    const home = newFolder();
    const list = write('Name\nAcme AG\n', 'list.csv');
    expect((await run(['sync', list, '--sandbox'], { home })).exit).toBe(0);
    const path = write('Supplier,Spend,Currency,Year\nAcme AG,10,EUR,2024\nAcme AG,5,,2024\n');
    const words = ['footprint', path, '--records', list];
    const command = `carbon sync ${list} --currency EUR --sandbox`;
    const all = await run(words, { home });
    expect(all.exit).toBe(9);
    for (const text of [all.stderr, all.stdout]) expect(text).toContain(command);
    expect(all.stdout).toContain('the record is in USD; retrieve it in EUR');
    expect(all.stdout).toContain('no currency: none in the row\n');
    const screen = await run(words, { home, terminal: 200 });
    expect(screen.stdout).toContain(command);
    const page = join(newFolder(), 'a.html');
    await run([...words, '-o', page], { home });
    expect(withoutOptions(readFileSync(page, 'utf8'))).toContain(command);
    const goal = await run([...words, '--goal', '67'], { home });
    expect(goal.stdout).toContain('retrieve it in EUR');
    expect(goal.stderr).toContain(command);
    // After the command, nothing is proposed.
    await run(['sync', list, '--currency', 'EUR', '--sandbox'], { home });
    const after = await run(words, { home });
    expect(after.stdout + after.stderr).not.toContain('carbon sync');
  });

  it('names the rule of a warning by its code for programs, in words for people', async () => {
    const path = write('name,spend,year\nFirst,10,2024\n');
    const figures = {
      ...{ year: 2024, region: 'global', revenue_currency: 'EUR', revenue: 1000 },
      emissions: {
        scope_1: { total: 1 },
        scope_2: { total: 2 },
        scope_1_and_2: { total: 4 },
        scope_3: { purchased_goods_and_services: 1 },
      },
    };
    const records = snapshot(record(1, 'First', { performances: [figures] }));
    const words = ['footprint', path, '--records', records, ...eur];
    const folder = newFolder();
    for (const file of ['a.html', 'a.csv', 'a.xlsx'])
      expect(await run([...words, '-o', join(folder, file)])).toMatchObject({ exit: 0 });
    const sums = 'scope 1 plus scope 2 is 3, scope 1 and 2 together is 4';
    const text = (file: string) => readFileSync(join(folder, file), 'utf8');
    expect(text('a.csv')).toContain(`joint: ${sums}`);
    expect(text('a.html')).toContain(`wrong sum of scopes 1 and 2: ${sums}`);
    const { Sheets: sheets } = read(readFileSync(join(folder, 'a.xlsx')));
    expect(JSON.stringify(sheets['Line items'])).toContain(`wrong sum of scopes 1 and 2: ${sums}`);
  });

  it('proposes names if no record has the identifiers', async () => {
    const path = write('Vendor,Name,LEI,spend\n100,First,,10\n101,Second,,10\n');
    const argv = [path, '--records', snapshot(record(1, 'First'), record(2, 'Second')), ...eur];
    const { stderr } = await footprint([...argv, ...upstream]);
    expect(stderr).toContain(
      'Not found by Vendor, LEI: 2 suppliers. To find suppliers by name: --map external_id=,lei_number=',
    );
    const named = await footprint([...argv, ...upstream, '--map', 'external_id=,lei_number=']);
    expect([named.exit, named.stderr]).toEqual([0, expect.not.stringContaining('Not found by')]);
  });

  it('never chooses between several organizations', async () => {
    const path = write('name,spend\nTwin,10\nBoth,10\n');
    const records = snapshot(
      record(1, 'Twin'),
      record(2, 'TWIN'),
      record(3, 'Both'),
      record(3, 'Both', { status: 'errored', performances: [] }),
    );
    const { rows } = await footprint([path, '--records', records, ...eur]);
    expect(rows).toMatchObject([
      {
        id: null,
        uncovered: 'ambiguous_match',
        uncovered_detail: 'several organizations match: 1, 2',
      },
      { id: 3, name: 'Both', uncovered: 'errored' },
    ]);
  });

  it('reads standard input', async () => {
    const records = snapshot(record(1, 'Acme'));
    const { rows, exit } = await footprint(
      ['-', '--records', records, ...eur, ...upstream],
      'carbon_id,spend\n1,10\n',
    );
    expect(rows).toMatchObject([{ emissions: 5, spend: 10 }]);
    expect(exit).toBe(0);
  });

  it('asks for the reading of the upstream factor when no record decides it', async () => {
    const path = write('carbon_id,spend,currency\n1,10,EUR\n');
    const argv = ['footprint', path, '--records', snapshot(record(1, 'Acme')), '--no-progress'];
    const { exit, stderr } = await run(argv);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('--upstream-factor additive')]);
    const chosen = await run([...argv, ...upstream]);
    expect([chosen.exit, chosen.stderr]).toEqual([0, '']);
  });

  it('reads the year before in the same pass, even with records on standard input', async () => {
    const rows = ['1,10,2024', '1,40,2022', '2,30,2023', '1,20,2023', '1,5,2021', '1,7,2025'];
    const path = write(`carbon_id,spend,Year\n${rows.join('\n')}\n`);
    const records = [record(1, 'Acme'), record(2, 'Globex')].map((each) => JSON.stringify(each));
    const argv = [path, '--records', '-', '--year', '2024', ...eur, ...upstream];
    const { summary } = await footprint(argv, records.join('\n'));
    expect([summary.emissions, summary.previous.year, summary.previous.emissions]).toEqual([
      5, 2023, 25,
    ]);
    const first = await footprint(argv.toSpliced(4, 1, '2021'), records.join('\n'));
    expect([first.summary.emissions, first.summary.previous]).toEqual([2.5, null]);
  });

  it('gives no direction from a year that cannot be calculated', async () => {
    const path = write('carbon_id,spend,Year\n1,10,2024\n1,-40,2023\n1,20,2022\n');
    const records = snapshot(record(1, 'Acme'));
    const argv = [path, '--records', records, '--year', '2024', ...eur, ...upstream];
    const { exit, summary } = await footprint(argv);
    expect([exit, summary.emissions, summary.previous]).toEqual([0, 5, null]);
  });

  it.each([
    ['name,spend\nAcme,10\n', [], 'There are no records of'],
    [
      'Export\nWho,Sum,Land\nAcme,10,DE\n',
      ['--skip-lines', '1', '--map', 'name=Who,spend=Sum'],
      '.csv --map name=Who --skip-lines 1.',
    ],
    [
      'carbon_id,spend,Year\n1,1,2023\n2,1,2022\n',
      ['--year', '2024'],
      ' has no spend of 2024\nHint: Choose from its years: 2022 and 2023.',
    ],
    ['carbon_id,spend\n1,10\nx1,10\n', [], 'line 3: "x1" in column "carbon_id" is not'],
    ['carbon_id,spend\n1,10\n', ['--spend-currency', 'EURO'], '--spend-currency: "EURO"'],
    [
      'carbon_id,spend\n1,1\n',
      ['--boundary', 'scope-3'],
      'not one of cradle-to-gate, scope-1-2, total',
    ],
    ['carbon_id,spend,currency\n1,1,EUR\n', [], '--currency EUR'],
  ])('rejects %j with %j', async (text, argv, message) => {
    const path = write(text);
    const { exit, stderr, stdout } = await run(['footprint', path, ...argv]);
    expect(stderr).toContain(message);
    expect([exit, stdout]).toEqual([2, '']);
  });

  it('does not take a column ID for the ids of the service', async () => {
    const path = write('ID,name,spend\n1,Acme,10\n');
    const records = snapshot(record(1, 'Other'), record(2, 'Acme'));
    const options = ['--records', records, ...eur, ...upstream];
    const own = await footprint([path, ...options]);
    expect(own.rows).toMatchObject([{ id: 2, matched_by: 'name', emissions: 5 }]);
    const mapped = await footprint([path, ...options, '--map', 'id=ID']);
    expect(mapped.rows).toMatchObject([{ id: 1, name: 'Other', uncovered: 'match_differs' }]);
    expect(mapped.stderr).toContain('leave it out: --map id=');
  });

  it('uses the journal of a file whose column ID holds other numbers', async () => {
    const home = newFolder();
    const path = write('ID,name,spend\nV-1,Acme,10\n7,Globex,10\n');
    await run(['sync', path, '--sandbox', '--currency', 'EUR'], { home });
    const argv = ['footprint', path, ...eur, '--json'];
    const { stdout } = await run(argv, { home });
    const rows = stdout.split('\n').filter(Boolean).slice(0, -1);
    expect(rows.map((line) => JSON.parse(line).matched_by)).toEqual(['journal', 'journal']);
  });

  it('rejects an ID column that contradicts the journal', async () => {
    const home = newFolder();
    const path = write('ID,name,spend\n99,Acme,10\n');
    await run(['sync', path, '--sandbox', '--currency', 'EUR'], { home });
    const { exit, stderr } = await run(['footprint', path, ...eur, '--map', 'id=ID'], { home });
    expect(exit).toBe(2);
    expect(stderr).toMatch(/line 2: the journal has ID \d+, and column "ID" has 99/);
  });
});
