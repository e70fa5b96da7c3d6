/* The promise that every result says of when it is: here, report and footprint. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../support/clock.ts';
import { jsonLines, run } from '../support/run.ts';
import { newList, serveOrganizations } from './scene.ts';

const dayMs = 86_400_000;

/* A list that was synced on 15 January, when Globex had other figures, and on 25 January 2026. */
async function syncedTwice() {
  let scope1 = 100;
  const service = await serveOrganizations((name) => ({
    performances: [
      {
        year: 2025,
        revenue: 1_000,
        revenue_currency: 'EUR',
        emissions: {
          scope_1: { total: name === 'Globex' ? scope1 : 50 },
          scope_2: { total_market_based: 10 },
        },
      },
    ],
  }));
  const list = newList('name,spend,currency,year\nAcme,1000,EUR,2025\nGlobex,1000,EUR,2025\n');
  const clock = new VirtualClock();
  const world = { env: service.env, home: list.folder, clock };
  const sync = () => run(['sync', list.path, '--currency', 'EUR', '--max-age', '0'], world);
  expect((await sync()).exit).toBe(0);
  await clock.sleep(10 * dayMs);
  scope1 = 200;
  expect((await sync()).exit).toBe(0);
  await clock.sleep(10 * dayMs);
  const { path, folder, read } = list;
  const carbon = (...argv: readonly string[]) => run(argv, world);
  const shown = (...argv: readonly string[]) => run(argv, { ...world, terminal: 80 });
  const report = async (...words: readonly string[]) =>
    JSON.parse((await carbon('report', path, ...words, '--json')).stdout);
  const footprint = async (...words: readonly string[]) =>
    jsonLines(
      (await carbon('footprint', path, ...words, '--boundary', 'scope-1-2', '--json')).stdout,
    ).at(-1)?.summary;
  return { carbon, shown, path, folder, read, report, footprint };
}

const dates = (document: Readonly<Record<string, unknown>>) =>
  ['records_from', 'records_to', 'as_of', 'written_at'].map((key) => document[key]);
const written = expect.stringMatching(/^2026-02-04T/);

describe('report and footprint', () => {
  it('have the days of their records, and when they were written', async () => {
    const { report, footprint } = await syncedTwice();
    const today = ['2026-01-25', '2026-01-25', null, written];
    expect(dates(await report())).toEqual(today);
    expect(dates(await footprint())).toEqual(today);
  });

  it.each(['report', 'footprint'])('%s says the days once in a terminal', async (command) => {
    const { path, shown } = await syncedTwice();
    const words = command === 'footprint' ? ['--boundary', 'scope-1-2'] : [];
    const { stdout, stderr } = await shown(command, path, ...words);
    expect(stdout).toContain('records retrieved 25 Jan 2026');
    expect(stderr).not.toContain('records retrieved');
    // Each of several lists has its own days.
    const two = await shown('report', path, path);
    const lines = two.stderr.replace(/\s+/g, ' ');
    expect(lines.match(/: records retrieved 25 Jan 2026, 2 companies/g)).toHaveLength(2);
  });

  it.each([
    ['list', [], '(?:Globex makes up .* )?2 companies, .* Records retrieved 25 Jan 2026\\.\n'],
    [
      'list',
      ['--at', '2026-01-20'],
      '(?:Globex makes up .* )?2 companies, .* Records retrieved 15 Jan 2026, the latest at the end of 20 Jan 2026\\.\n',
    ],
    ['check', [], 'No errors .* Records retrieved 25 Jan 2026\\. Compared with 2 rows'],
    [
      'diff',
      ['--since', '2026-01-20'],
      '.* 1 of 2 companies changed .* Records retrieved 25 Jan 2026\\. Compared with records retrieved 15 Jan 2026, the latest at the end of 20 Jan 2026\\.\n',
    ],
  ] as const)('%s %j says the days once, after what it found', async (command, words, said) => {
    const { path, carbon, shown } = await syncedTwice();
    for (const run of [carbon, shown]) {
      const { stderr } = await run(command, path, ...words);
      expect(stderr.replace(/\n {2}/g, ' ')).toMatch(new RegExp(`^${said}`));
      expect(stderr.replace(/\s+/g, ' ').match(/records retrieved/gi)).toHaveLength(
        command === 'diff' ? 2 : 1,
      );
      expect(stderr).not.toContain(`${path}: `);
    }
  });

  it('of a day have no record from after it', async () => {
    const { report, footprint } = await syncedTwice();
    // The record of Acme was retrieved again on 25 January, and was the same.
    const then = ['2026-01-15', '2026-01-15', '2026-01-20', written];
    const early = await report('--at', '2026-01-20');
    expect(dates(early)).toEqual(then);
    expect(early.emissions.both_scopes.sum).toBe(170);
    expect(dates(await footprint('--at', '2026-01-20'))).toEqual(then);
    const late = ['2026-01-25', '2026-01-25', '2026-01-26', written];
    expect(dates(await report('--at', '2026-01-26'))).toEqual(late);
  });

  it('say so in a terminal, a pipe and a page', async () => {
    const { carbon, path, folder, read } = await syncedTwice();
    for (const words of [['report'], ['footprint', '--boundary', 'scope-1-2']]) {
      const argv = [words[0] ?? '', path, ...words.slice(1), '--at', '2026-01-20'];
      const { stdout } = await carbon(...argv);
      expect(stdout).toContain('records from: 2026-01-15\n');
      expect(stdout).toContain('records to: 2026-01-15\n');
      expect(stdout).toContain('as of: 2026-01-20\n');
      expect(stdout).toMatch(/^written: 2026-02-04T/m);
      await carbon(...argv, '-o', join(folder, `${words[0]}.html`));
      const page = read(`${words[0]}.html`);
      expect(page).toMatch(/records retrieved 15 Jan 2026/i);
      expect(page).toContain('as of 20 Jan 2026');
      expect(page).toContain('written 4 Feb 2026');
    }
  });

  it('a footprint says the year of its spend next to the total', async () => {
    const { footprint } = await syncedTwice();
    const { statements } = await footprint();
    expect(statements[0].text).toMatch(
      /^Your purchases of 2025 caused emissions of 270\. From 2 of 2 suppliers;/,
    );
  });
});
