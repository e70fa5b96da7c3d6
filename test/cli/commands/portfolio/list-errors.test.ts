import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCells } from '../../../lists/workbook/read.ts';
import { newFolder, run, transcript } from '../../../support/run.ts';

const year = (number: number, scope1: number) => ({
  year: number,
  region: 'GLOBAL',
  emissions: { scope_1: { total: scope1 } },
});

const match = { id: 7, name: 'Zeta', names: [] };

const records = [
  { id: 1, name: 'Acme', performances: [year(2024, 10), year(2023, -5)], score: 0.5 },
  { id: 2, name: 'Berg', performances: [year(2024, -1), year(2023, 4)] },
  { id: 3, name: 'Canal', performances: [year(2024, 5)], score: 48 },
  { id: 4, name: 'Delta', performances: [year(2024, 7)], matching_organization: match },
  { id: 5, name: 'Echo', performances: [year(2024, 7)], matching_organization: match },
  { id: 6, name: 'Foxtrot', performances: [year(2024, 3)], score: 0.7 },
  { id: 7, name: 'Golf', performances: [] },
].map((record) => ({ status: 'synced', ...record }));

const days = ['2026-01-02', '2026-01-05', '2026-01-03'];

function snapshot(all: readonly { readonly id: number }[] = records): string {
  const path = join(newFolder(), 'records.ndjson');
  const lines = all.map((record, index) => {
    const retrieved_at = `${days[index % days.length]}T08:00:00Z`;
    return JSON.stringify({ ok: true, id: record.id, retrieved_at, record });
  });
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

const list = (...words: readonly string[]) => run(['list', snapshot(), ...words]);
const right = records.filter(({ id }) => id > 5);
const named =
  '5 companies whose records cannot be right, Acme, Berg, Canal and 2 more (carbon check)';

describe('carbon list with records that cannot be right', () => {
  it('marks them on a terminal, says what the mark means, and names them', async () => {
    const shown = await transcript(['list', snapshot()], { terminal: 80 });
    expect(shown).toMatchInlineSnapshot(`
      "ID  Name           Score  Scope 1  Scope 2  Total  Scope 1+2  Target
      ──  ───────  ───────────  ───────  ───────  ─────  ─────────  ───────────
       1  ! Acme          50.0       10        –      –          –  –
       2  ! Berg             –       −1        –      –          –  –
       3  ! Canal  invalid: 48        5        –      –          –  –
       4  ! Delta            –        7        –      –          –  –
       5  ! Echo             –        7        –      –          –  –
       6  Foxtrot         70.0        3        –      –          –  –
       7  Golf               –        –        –      –          –  not matched
      ! cannot be right, see carbon check
      No room for country, scope 3, year. For all columns, add -o list.xlsx
      --- stderr
      7 companies, 6 of them with emissions.
        Missing: 1 of 7 companies has no emissions (not matched).
        How sure: Quote no amount before its unit is known: compare one with the
          company's own report, then add --unit. 5 companies whose records cannot be
          right, Acme, Berg, Canal and 2 more (carbon check).
        As of: Records retrieved 2 Jan to 5 Jan 2026.
      --- exit 0"
    `);
    const [, , ...rows] = shown.split('\n');
    expect(rows.slice(0, 7).map((row) => /! /.test(row))).toEqual(records.map(({ id }) => id <= 5));
  });

  it('names only those of the rows that it shows', async () => {
    const argv = ['list', snapshot(), '--sort', '-id', '--top', '3'];
    const { stdout, stderr } = await run(argv, { terminal: 80 });
    expect(stdout).toContain('! Echo');
    const said = stderr.replaceAll(/\s+/g, ' ');
    expect(said).toContain(' First 3 of 7, by ID. ');
    expect(said).toContain(' 1 company whose record cannot be right, Echo (carbon check). ');
  });

  it('has no mark and no legend without an error', async () => {
    const { stdout, stderr } = await run(['list', snapshot(right)], { terminal: 80 });
    expect(stdout + stderr).not.toMatch(/!|cannot be right/);
  });

  it('has the rule in the column check, only if it was asked for', async () => {
    expect((await list('--columns', 'id,check')).stdout).toBe(
      '1\tnegative\n2\tnegative\n3\tpercent_score\n4\tmatch_shared\n5\tmatch_shared\n6\t\n7\t\n',
    );
    const shown = await run(['list', snapshot(), '--columns', 'id,check'], { terminal: 80 });
    expect(shown.stdout).toMatch(/^ 1 +below 0\n 2 +below 0\n 3 +score above 1\n/m);
    const { stdout } = await list('--years', '--columns', 'id,year,check', '--csv');
    expect(stdout.split('\r\n').slice(1, 5)).toEqual([
      ...['1,2024,,', '1,2023,negative,', '2,2024,negative,', '2,2023,,'],
    ]);
    const usual = await list('--csv');
    expect(usual.stdout).not.toContain('negative');
    expect(usual.stdout.split('\r\n')[0]?.split(',')).not.toContain('check');
    expect((await list('--json')).stdout).toBe(
      records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    );
  });

  it.each([
    ['--where', 'check=negative'],
    ['--sort', 'check'],
    ['--group-by', 'check'],
  ])('does not select by what it knows only at the end: %s %s', async (option, value) => {
    const { exit, stdout, stderr } = await list(option, value);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(`${option} cannot use the column check`);
    expect(stderr).toContain('`carbon check`');
  });

  it('leaves their figures out of sums, and names them', async () => {
    const words = ['--group-by', 'year', '--sum', 'scope_1'];
    const { stdout, stderr } = await list(...words);
    expect(stdout).toBe('2024\t6\t18\t3\t2024\n\t1\t\t0\t\n');
    expect(stderr).toBe(
      '7 companies, 6 of them with emissions. Left out: 3 companies whose records cannot be right, Berg, Delta, Echo (carbon check). Unit unknown (if you know it: --unit t or --unit kg). Records retrieved 2 Jan to 5 Jan 2026.\n',
    );
    const byYear = await list('--years', ...words);
    expect(byYear.stdout).toBe('2024\t6\t18\t3\t2024\n2023\t2\t4\t1\t2023\n');
    expect(byYear.stderr).toContain('4 companies whose records cannot be right, Acme, Berg, ');
  });

  it('leaves nothing out of numbers of organizations', async () => {
    const { stdout, stderr } = await list('--group-by', 'status');
    expect([stdout, stderr]).toEqual([
      'synced\t7\n',
      '7 companies, 6 of them with emissions. Records retrieved 2 Jan to 5 Jan 2026.\n',
    ]);
  });

  it('says in the summary of JSON, and on the first sheet, what it has and of when it is', async () => {
    const dates = {
      records_from: '2026-01-02',
      records_to: '2026-01-05',
      as_of: null,
      written_at: '2026-01-15T09:30:00.000Z',
    };
    const { stderr } = await list('--group-by', 'year', '--sum', 'scope_1', '--json');
    expect(JSON.parse(stderr)).toEqual({
      summary: {
        statements: [
          {
            rule: 'count',
            text: '7 companies, 6 of them with emissions',
            ...{ base: 7, of: 7, disclosing: 6 },
          },
          {
            rule: 'errors',
            text: 'Left out: 3 companies whose records cannot be right, Berg, Delta, Echo (carbon check)',
            ...{ base: 7, of: 7, left_out: 3 },
          },
        ],
        unit: null,
        ...dates,
        organizations: 7,
        matching: 7,
      },
    });
    const out = join(newFolder(), 'list.xlsx');
    await list('-o', out);
    const sheet = await readCells(out, { sheet: 'Summary' });
    expect(sheet.slice(0, 4)).toEqual([
      ['7 companies, 6 of them with emissions'],
      [
        expect.stringMatching(
          /^Organizations in records\.ndjson · Records retrieved from 2 Jan to 5 Jan 2026 · Written /,
        ),
      ],
      ['Missing', '1 of 7 companies has no emissions (not matched)'],
      ['How sure', named],
    ]);
    expect((await readCells(out, { sheet: 'Organizations' }))[0]).not.toContain('check');
  });
});
