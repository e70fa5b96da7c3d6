import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { relationships, sheetPart, workbook, workbookPart } from '../../lists/workbook/archives.ts';
import { stopped } from '../../support/program.ts';
import { newFolder, run, type World } from '../../support/run.ts';
import { type Seen, serve } from '../../support/server.ts';

const names = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => `Firm ${first + index}`);

/* A list that a command registered with 12 organizations, and a service that can fail. */
async function newList(command: 'batch' | 'sync') {
  const home = newFolder();
  const path = join(home, 'suppliers.csv');
  const metrics = join(home, 'nightly.prom');
  const state: { isDown: boolean; onRequest?: (count: number) => void } = { isDown: false };
  const ids = new Map<string, number>();
  const { env, seen } = await serve((response) => {
    const { method, path: requested, body } = seen.at(-1) as Seen;
    state.onRequest?.(seen.length);
    if (state.isDown) {
      response.writeHead(503);
      return response.end('{}');
    }
    const { name = '' } = method === 'POST' ? JSON.parse(body) : {};
    if (method === 'POST' && !ids.has(name)) ids.set(name, ids.size + 1);
    const id = method === 'POST' ? ids.get(name) : Number(/\d+$/.exec(requested)?.[0]);
    response.writeHead(200, { 'Content-Type': 'application/json' });
    return response.end(JSON.stringify({ id, name, status: 'synced' }));
  });
  const write = (lines: readonly string[]) =>
    writeFileSync(path, `${['name', ...lines].join('\n')}\n`);
  const carbon = (flags: readonly string[] = [], world: World = {}) =>
    run([command, path, '--metrics-file', metrics, '--no-progress', ...flags], {
      home,
      env,
      ...world,
    });
  const samples = () => readFileSync(metrics, 'utf8').match(/^carbon_(?:listed|last_succ).*$/gm);
  const night = async (lines: readonly string[], ...flags: string[]) => {
    write(lines);
    const requests = seen.length;
    const { exit, stderr } = await carbon(flags);
    return { exit, stderr, sent: seen.length - requests };
  };
  write(names(1, 12));
  return { path, home, env, state, write, carbon, night, samples, ids };
}

describe.each(['batch', 'sync'] as const)(
  'carbon %s with a list that lost organizations',
  (command) => {
    it('sends nothing, every night, until --accept-removed accepts the list once', async () => {
      const { path, night, samples } = await newList(command);
      expect(await night(names(1, 12))).toMatchObject({ exit: 0, stderr: '' });
      const [success = '', listed] = samples() ?? [];
      expect(listed).toBe('carbon_listed{task="nightly"} 12');
      const again = `carbon ${command} ${path} --metrics-file`;
      for (const lines of [names(1, 5), names(1, 5), [...names(1, 5), ...names(20, 40)]]) {
        const { exit, stderr, sent } = await night(lines);
        expect([exit, sent]).toEqual([2, 0]);
        expect(stderr).toContain(
          `Error: ${path} has ${lines.length} rows, with 5 of the 12 organizations that it had; nothing was sent\n`,
        );
        expect(stderr).toContain(`once: ${again}`);
        expect(stderr).toMatch(/ --accept-removed\n$/);
        expect(samples()).toEqual([success, 'carbon_listed{task="nightly"} 5']);
      }
      expect((await night(names(1, 5), '--dry-run')).exit).toBe(2);
      expect((await night(names(1, 5), '--dry-run', '--accept-removed')).exit).toBe(0);
      expect((await night(names(1, 5))).exit).toBe(2);
      expect(await night(names(1, 5), '--accept-removed')).toMatchObject({ exit: 0, stderr: '' });
      expect(samples()?.[1]).toBe('carbon_listed{task="nightly"} 5');
      expect(await night(names(1, 5))).toMatchObject({ exit: 0, stderr: '' });
    });

    it('sends nothing if no row is left, whatever the number', async () => {
      const { path, night, samples } = await newList(command);
      await night(['Acme']);
      const [success = ''] = samples() ?? [];
      const emptied = await night([]);
      expect(emptied.exit).toBe(2);
      expect(emptied.stderr).toContain(
        `${path} has no rows, but it had 1 organization; nothing was`,
      );
      expect(samples()).toEqual([success, 'carbon_listed{task="nightly"} 0']);
      const replaced = await night(['Other', 'More']);
      expect([replaced.exit, replaced.sent]).toEqual([2, 0]);
      expect(replaced.stderr).toContain('has 2 rows, without the only organization that it had');
      expect((await night([], '--accept-removed')).exit).toBe(0);
      expect((await night([])).exit).toBe(0);
      expect((await night(['Other', 'More'])).exit).toBe(0);
    });

    it('names invalid rows first if they can be the organizations that are missing', async () => {
      const { path, carbon } = await newList(command);
      const rows = (countries: readonly string[]) => [
        'name,country',
        ...countries.map((country, index) => `Firm ${index + 1},${country}`),
      ];
      const file = async (countries: readonly string[], ...flags: string[]) => {
        writeFileSync(path, `${rows(countries).join('\n')}\n`);
        const { exit, stderr } = await carbon(flags);
        return { exit, stderr };
      };
      const twelve: readonly string[] = Array.from({ length: 12 }, () => 'DE');
      for (const [before, mistyped] of [
        [['DE'], ['XX']],
        [twelve, twelve.map((code, index) => (index < 8 ? 'XX' : code))],
      ] as const) {
        expect((await file(before, '--accept-removed')).exit).toBe(0);
        for (const flags of [[], ['--accept-removed']]) {
          const { exit, stderr } = await file(mistyped, ...flags);
          expect(exit).toBe(2);
          expect(stderr).toMatch(/ has \d invalid rows?; nothing was sent\n/);
          expect(stderr).not.toMatch(/that it had|accept/i);
        }
        // Without the invalid rows, they are missing all the same.
        const skipped = await file(mistyped, '--invalid', 'skip');
        expect([skipped.exit, skipped.stderr]).toEqual([
          2,
          expect.stringContaining('that it had; nothing was sent'),
        ]);
        expect((await file(before)).exit).toBe(0);
      }
      const lost = await file(['XX', 'DE']);
      expect(lost.stderr).toContain('has 2 rows, with 1 of the 12 organizations that it had;');
    });

    it('continues if half of the organizations remain, or at least one of fewer than ten', async () => {
      const { night } = await newList(command);
      await night(names(1, 12));
      expect(await night(names(1, 6))).toMatchObject({ exit: 0, stderr: '' });
      const few = await night(names(1, 1));
      expect(few.exit).toBe(0);
      expect(few.stderr).toContain('has 1 row, with 1 of the 6 organizations that it had. If the');
      expect(await night(names(1, 1))).toMatchObject({ exit: 0, stderr: '' });
      // Those that return are no news, and count again.
      expect(await night(names(1, 12))).toMatchObject({ exit: 0, stderr: '' });
      expect((await night(names(1, 5))).exit).toBe(2);
    });

    it('keeps what was accepted although the run then fails', async () => {
      const { night, state } = await newList(command);
      await night(names(1, 12));
      state.isDown = true;
      expect((await night([...names(1, 5), 'New'], '--accept-removed')).exit).toBe(6);
      expect((await night([...names(1, 5), 'New'])).exit).toBe(6);
      state.isDown = false;
      expect((await night([...names(1, 5), 'New'])).exit).toBe(0);
      expect((await night([...names(1, 2), 'New'])).exit).toBe(0);
    });

    it('measures by the last run that finished', async () => {
      const { night, carbon, write, state } = await newList(command);
      write(names(1, 30));
      const stop = new AbortController();
      state.onRequest = (count) => {
        if (count === 12) stop.abort(stopped('SIGTERM'));
      };
      expect((await carbon(['--concurrency', '1'], { signal: stop.signal })).exit).toBe(143);
      expect((await night(names(1, 2))).exit).toBe(0);
      await night(names(1, 12));
      expect((await night(names(1, 3))).exit).toBe(2);
    });

    it('counts organizations, not rows', async () => {
      const { night, ids } = await newList(command);
      for (const name of names(1, 9)) ids.set(`${name} Ltd`, ids.size + 1);
      for (const [index, name] of names(1, 9).entries()) ids.set(name, index + 1);
      await night([...names(1, 9), ...names(1, 9).map((name) => `${name} Ltd`)]);
      expect(await night(names(1, 9))).toMatchObject({ exit: 0, stderr: '' });
      expect((await night(names(1, 1))).exit).toBe(0);
    });

    it('compares each sheet of a workbook with itself', async () => {
      const { home, env } = await newList(command);
      const path = join(home, 'book.xlsx');
      const cell = (value: string) => `<row><c t="inlineStr"><is><t>${value}</t></is></c></row>`;
      const book = async (...sheets: (readonly string[])[]) => {
        const parts = sheets.map((lines, index) => [
          `xl/worksheets/sheet${index + 1}.xml`,
          sheetPart(['name', ...lines].map(cell).join('')),
        ]);
        writeFileSync(
          path,
          await workbook('', {
            'xl/workbook.xml': workbookPart(['North', 'South']),
            'xl/_rels/workbook.xml.rels': relationships(
              ['worksheet', 'worksheets/sheet1.xml'],
              ['worksheet', 'worksheets/sheet2.xml'],
            ),
            ...Object.fromEntries(parts),
          }),
        );
      };
      const night = async (sheet: string, ...flags: string[]) =>
        (await run([command, path, '--sheet', sheet, ...flags], { home, env })).exit;
      await book(names(1, 12), names(7, 20));
      expect([await night('North'), await night('South'), await night('North')]).toEqual([0, 0, 0]);
      await book(names(1, 4), names(7, 20));
      expect([await night('North'), await night('South')]).toEqual([2, 0]);
      await book(names(1, 4), names(7, 10));
      expect([await night('North', '--accept-removed'), await night('South')]).toEqual([0, 2]);
      expect([await night('North'), await night('South')]).toEqual([0, 2]);
    });
  },
);

describe('carbon batch with a list that lost organizations', () => {
  it('compares numbers of rows if another column is used', async () => {
    const { path, carbon, ids } = await newList('batch');
    const list = (lines: readonly string[]) =>
      writeFileSync(path, ['name,Ort', ...lines.map((name) => `${name},Bonn`), ''].join('\n'));
    list(names(1, 12));
    expect((await carbon()).exit).toBe(0);
    expect((await carbon(['--map', 'hq_fuzzy=Ort'])).exit).toBe(0);
    expect(ids.size).toBe(12);
    list(names(1, 5));
    expect((await carbon(['--map', 'hq_fuzzy='])).exit).toBe(2);
  });

  it('shares the measure with sync', async () => {
    const { path, home, env, night } = await newList('batch');
    const sync = (...flags: string[]) => run(['sync', path, ...flags], { home, env });
    expect((await night(names(1, 12))).exit).toBe(0);
    expect((await sync()).exit).toBe(0);
    expect((await night(names(1, 2))).exit).toBe(2);
    expect((await sync()).exit).toBe(2);
    expect((await sync('--accept-removed')).exit).toBe(0);
    expect((await night(names(1, 2))).exit).toBe(0);
    expect((await run(['list', path, '-q'], { home, env })).stdout).toBe('1\n2\n');
  });

  it('writes nothing with --dry-run, or if nothing was registered', async () => {
    const { path, night } = await newList('batch');
    expect((await night([])).exit).toBe(0);
    expect((await night([], '--dry-run')).exit).toBe(0);
    expect(existsSync(`${path}.carbon.jsonl`)).toBe(false);
  });
});
