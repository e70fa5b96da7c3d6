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
  const screenOf = (command: string) => run([command, path], { home, clock, terminal: 100 });
  return { write, carbon, sync, path, screenOf };
}

describe('rows that the service rejected', () => {
  it.each(['list', 'report', 'check'])(
    'are named by %s with what sends them again',
    async (command) => {
      const { carbon } = await syncedList([`Acme,${bought}`, ...rejected, rejected[0] as string]);
      const { stderr } = await carbon(command);
      expect(stderr).toMatch(
        /The service rejected 5 rows of \S+list\.csv \(4 names\): Sandbox 404 A, Sandbox 404 B, Sandbox 404 C and 1 more\. Correct the name or country, then run carbon sync \S+list\.csv --sandbox\. Or fill a new column Website \(or LEI\) for these rows, then run carbon sync \S+list\.csv --map website=Website --sandbox\n/,
      );
      expect(stderr).not.toContain('no record');
    },
  );

  it('are not counted against no organization at all', async () => {
    const { sync } = await syncedList(rejected);
    expect((await sync()).stderr).toMatch(
      /^No organization registered in \S+ s, 4 rejected\. Synthetic sandbox data\.$/m,
    );
  });

  it('are corrected in general when the service rejects a value', async () => {
    const { carbon } = await syncedList([`Acme,${bought}`, `Sandbox 422,${bought}`]);
    expect((await carbon('list')).stderr).toMatch(
      /rejected 1 row of \S+: Sandbox 422\. Correct it, then run carbon sync \S+ --sandbox \(with -o/,
    );
  });

  it.each(['--status', '--dry-run'])(
    'are named by sync %s with why and what to do',
    async (flag) => {
      const { sync } = await syncedList([`Acme,${bought}`, ...rejected]);
      const { stdout, stderr } = await sync(flag);
      expect(stdout + stderr).toMatch(
        /^Rejected: line 3 "Sandbox 404 A": \S.+\nRejected: line 4 .+\nRejected: line 5 .+\nand 1 more rejected row; --dry-run --json, or -o results\.xlsx in the next run, lists all of them\nCorrect the name or country of these rows\. Or fill a new column Website \(or LEI\) for these rows, then run carbon sync \S+list\.csv --sandbox --map website=Website\. The next run sends corrected rows, and unchanged ones only with --retry-failed\.\n/m,
      );
    },
  );

  it.each([
    ['Web site', 'new', '--map "website=Web site"'],
    ['Website', 'new', '--map website=Website'],
    ['LEI code', 'new', '--map "lei_number=LEI code"'],
    ['Web site', 'used', undefined],
  ])('are corrected in the column %s that the list has (%s)', async (column, how, option) => {
    const { carbon, sync, write } = await syncedList([`Acme,${bought}`]);
    const rows = [`Acme,${bought},`, `Sandbox 404 A,${bought},`];
    write(rows, `${header},${column}`);
    await sync('--currency', 'EUR', ...(how === 'used' ? ['--map', `website=${column}`] : []));
    for (const { stdout, stderr } of [await carbon('report'), await sync('--status')]) {
      const step = /Or (fill column .*), then run carbon sync \S+ (.*?)(\. The next|\n)/;
      const [, fill, words = ''] = step.exec(stdout + stderr) ?? [];
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
    expect(stderr).toMatch(/The service rejected 1 row of \S+: Sandbox 404 A\. Correct/);
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
    expect((await carbon('list')).stderr).toContain('rejected 2 rows of');
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
