import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCells } from '../../lists/workbook/read.ts';
import { VirtualClock } from '../../support/clock.ts';
import { newFolder, run } from '../../support/run.ts';

const header = 'name,country,spend,currency,year';
const bought = 'DE,1000,EUR,2024';
const rejected = ['A', 'B', 'C', 'D'].map((each) => `Sandbox 404 ${each},${bought}`);

/* A list that was synced with the sandbox, and can be changed. */
async function syncedList(rows: readonly string[]) {
  const home = newFolder();
  const path = join(home, 'list.csv');
  const clock = new VirtualClock();
  const write = (all: readonly string[], head = header) =>
    writeFileSync(path, `${[head, ...all].join('\n')}\n`);
  const carbon = (command: string, ...flags: string[]) =>
    run([command, path, ...flags], { home, clock });
  const sync = (...flags: string[]) => carbon('sync', '--sandbox', ...flags);
  write(rows);
  await sync('--currency', 'EUR');
  const screenOf = (command: string, ...flags: string[]) =>
    run([command, path, ...flags], { home, clock, terminal: 200 });
  return { write, carbon, sync, path, screenOf };
}

/* What the summary of a workbook says, which is sent on without the list. */
async function sentOn({
  carbon,
  path,
}: Pick<Awaited<ReturnType<typeof syncedList>>, 'carbon' | 'path'>) {
  const workbook = path.replace('.csv', '.xlsx');
  await carbon('report', '-o', workbook);
  return (await readCells(workbook, { sheet: 'Summary' })).flat().join('\n');
}

describe('rows that the service rejected', () => {
  it.each(['list', 'report', 'check'])(
    'are counted by %s with what shows why, in a line',
    async (command) => {
      const { carbon, sync, path } = await syncedList([
        `Acme,${bought}`,
        ...rejected,
        rejected[0] as string,
      ]);
      const text = `5 rows of ${path} have no record (rejected): carbon sync ${path} --status --sandbox`;
      expect((await carbon(command)).stderr).toContain(`Warning: ${text}\n`);
      const { stderr } = await carbon(command, '--json');
      expect(stderr).toContain(JSON.stringify({ level: 'finding', text }));
      const shown = await sync('--status');
      expect(shown.stdout).toContain('"Sandbox 404 A": No organization matches');
      expect(shown.stdout).toContain('Correct the name or country of these rows. Or fill a new');
    },
  );

  it('are no matter of a list of those that meet a condition', async () => {
    const { carbon, write } = await syncedList([`Acme,${bought}`, ...rejected]);
    expect((await carbon('list', '--where', 'id>0')).stderr).not.toContain('rejected');
    write([`Acme,${bought}`, ...rejected, `New AG,${bought}`]);
    const { stderr } = await carbon('list', '--where', 'id>0');
    expect(stderr).not.toContain('rejected');
    expect(stderr).toMatch(/1 row of \S+ has no record\. To retrieve missing records/);
  });

  it('are counted after a screen unless it says what to do about them', async () => {
    const step = 'Sandbox sparse';
    const flags = ['--upstream-factor', 'additive', '--unit', 'kg'];
    const shown = async (rows: readonly string[], command: string, ...words: string[]) => {
      const { screenOf } = await syncedList(rows);
      const { stdout, stderr } = await screenOf(command, ...words);
      return { said: stdout, warned: /\(rejected\): .*/.exec(stderr.replace(/\n\s*/g, ' '))?.[0] };
    };
    const rows = [`Acme,${bought}`, ...rejected];
    const one = /^\(rejected\): carbon sync \S+list\.csv --status --sandbox/;
    expect((await shown(rows, 'report')).warned).toMatch(one);
    const matched = await shown([...rows, `${step},${bought}`], 'report');
    expect(matched.said).toContain('and the 4 rows without a record');
    expect(matched.warned).toBeUndefined();
    // Their first steps are about those with emissions.
    expect((await shown(rows, 'footprint', ...flags)).warned).toMatch(one);
    expect((await shown(rows, 'footprint', ...flags, '--goal', '67')).warned).toMatch(one);
    const years = ['2023', '2024'].flatMap((year) => rows.map((row) => row.replace('2024', year)));
    expect((await shown(years, 'footprint', ...flags, '--compare', '2023')).warned).toMatch(one);
    // What to do about a row that has a wrong value is another matter.
    const wrong = [`Acme,${bought}`, `Sandbox 422,${bought}`, `${step},${bought}`];
    for (const words of [['report'], ['footprint', ...flags]])
      expect((await shown(wrong, ...(words as [string]))).warned).toMatch(one);
  });

  it('are not counted against no organization at all', async () => {
    const { sync } = await syncedList(rejected);
    expect((await sync()).stderr).toMatch(
      /^No organization registered in \S+ s\. Rows: 4 rejected\. Synthetic sandbox data\.$/m,
    );
  });

  it('are corrected in general when the service rejects a value', async () => {
    const list = await syncedList([`Acme,${bought}`, `Sandbox 422,${bought}`]);
    expect(await sentOn(list)).toMatch(
      /rejected 1 row of \S+: Sandbox 422\. Correct it, then run carbon sync \S+ --sandbox \(with -o/,
    );
  });

  it.each(['--status', '--dry-run'])(
    'are named by sync %s with why and what to do',
    async (flag) => {
      const { sync } = await syncedList([`Acme,${bought}`, ...rejected]);
      const { stdout, stderr } = await sync(flag);
      expect(stdout + stderr).toMatch(
        /^Rejected: line 3 "Sandbox 404 A": \S.+\nRejected: line 4 .+\nRejected: line 5 .+\nand 1 more rejected row; --dry-run --json, or -o results\.xlsx in the next run, lists all of them\nCorrect the name or country of these rows\. Or fill a new column Website for these rows, then run carbon sync \S+list\.csv --sandbox --map website=Website\. The next run sends corrected rows, and unchanged ones only with --retry-failed\.\n/m,
      );
    },
  );

  it.each([
    ['Web site', 'new', '--map "website=Web site"'],
    ['Website', 'new', '--map website=Website'],
    ['LEI code', 'new', '--map "lei_number=LEI code"'],
    ['Web site', 'used', undefined],
  ])('are corrected in the column %s that the list has (%s)', async (column, how, option) => {
    const { carbon, sync, write, path } = await syncedList([`Acme,${bought}`]);
    const rows = [`Acme,${bought},`, `Sandbox 404 A,${bought},`];
    write(rows, `${header},${column}`);
    await sync('--currency', 'EUR', ...(how === 'used' ? ['--map', `website=${column}`] : []));
    const { stdout, stderr } = await sync('--status');
    for (const text of [await sentOn({ carbon, path }), stdout + stderr]) {
      const step = /Or (fill column .*), then run carbon sync \S+ (.*?)(\. The next|\n)/;
      const [, fill, words = ''] = step.exec(text) ?? [];
      expect(fill).toBe(`fill column "${column}" for this row`);
      const options = words.split(/ ?--sandbox ?/).filter(Boolean);
      expect(options).toEqual(option === undefined ? [] : [option]);
    }
  });

  it('get no command that fails because of a column that the list lacks', async () => {
    const { sync, write } = await syncedList([`Acme,${bought}`, ...rejected]);
    const { stderr } = await sync('--map', 'website=Website');
    expect(stderr).toContain('If the column is a new one, add it to the file first.');
    write([`Acme,${bought},`], `${header},LEI`);
    const other = await sync('--map', 'website=Website');
    expect(other.stderr).toContain('Did you mean --map lei_number=LEI?');
  });

  it('are not named by a run that sends them again', async () => {
    const { sync } = await syncedList([`Acme,${bought}`, ...rejected]);
    const { stderr } = await sync('--dry-run', '--retry-failed');
    expect(stderr).not.toContain('Rejected:');
  });

  it('stand on the page and in the workbook of a report, which are sent on without it', async () => {
    const { carbon, path, screenOf } = await syncedList([
      `Acme,${bought}`,
      ...rejected.slice(0, 2),
    ]);
    const text = 'Besides the company, the service rejected 2 rows of ';
    const page = path.replace('.csv', '.html');
    await carbon('report', '-o', page);
    const [top = ''] = readFileSync(page, 'utf8').split('<section');
    expect(top).toMatch(new RegExp(`>Missing</dt><dd[^>]*>(?:<p>)?${text}`));
    const besides = '1 company, besides 2 rows without a record';
    expect(top).toContain(`list.csv · ${besides}`);
    expect((await screenOf('report')).stdout).toContain(`\n  ${besides} · `);
    const workbook = path.replace('.csv', '.xlsx');
    await carbon('report', '-o', workbook);
    expect(JSON.stringify(await readCells(workbook, { sheet: 'Summary' }))).toContain(text);
  });

  it('are counted apart from rows that were never sent', async () => {
    const { carbon, write } = await syncedList([`Acme,${bought}`, rejected[0] as string]);
    write([`Acme,${bought}`, rejected[0] as string, `New AG,${bought}`]);
    const { stderr } = await carbon('list');
    expect(stderr).toMatch(/1 row of \S+ has no record \(rejected\): carbon sync /);
    expect(stderr).toMatch(/1 row of \S+ has no record\. To retrieve missing records, or to see/);
  });

  it('are sent again by the commands of the warning', async () => {
    const { carbon, sync, write } = await syncedList([`Acme,${bought}`, ...rejected.slice(0, 2)]);
    expect((await sync('--dry-run')).stderr).toContain(
      'A run would send nothing; 2 rows stay rejected.',
    );
    write([`Acme,${bought}`, `Globex,${bought}`, rejected[1] as string]);
    expect((await sync('--dry-run')).stderr).toContain('1 new, 1 already registered, 1 rejected');
    const rows = [`Acme,${bought},`, `${rejected[0]},https://a.example`, `${rejected[1]},`];
    write(rows, `${header},Website`);
    const words = ['--map', 'website=Website', '--dry-run'];
    expect((await sync(...words)).stderr).toContain('1 new, 1 already registered, 1 rejected');
    expect((await carbon('list')).stderr).toMatch(/2 rows of \S+ have no record \(rejected\)/);
  });

  it('are "rejected by the service" in a footprint, unless a row was never sent', async () => {
    const rows = [`Acme,${bought}`, ...rejected.slice(0, 2)];
    const { carbon, write } = await syncedList(rows);
    write([...rows, 'Sandbox 404 B,DE,5,EUR,2025', `New AG,${bought}`]);
    const flags = ['--upstream-factor', 'additive', '--unit', 'kg'];
    const { stdout } = await carbon('footprint', ...flags, '--json');
    const items = stdout.trim().split('\n').slice(0, -1);
    const reasons = items.map((line) => {
      const { supplier, uncovered } = JSON.parse(line) as Record<string, string | null>;
      return [supplier, uncovered];
    });
    expect(reasons).toEqual(
      expect.arrayContaining([
        ['Sandbox 404 A', 'rejected'],
        ['Sandbox 404 B', 'rejected'],
        ['New AG', 'not_registered'],
      ]),
    );
    const screen = await carbon('footprint', ...flags);
    expect(screen.stdout).toContain(
      'rejected by the service: correct the name or country, or add a website or LEI',
    );
  });
});
