import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../support/clock.ts';
import { newFolder, run, transcript, type World } from '../../../support/run.ts';

const lines = (...records: object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
const year = (number: number, emissions: object) => ({ year: number, emissions });

const before = lines(
  { id: 1, name: 'Acme AG', status: 'researching' },
  { id: 2, name: 'Globex', status: 'synced', score: 0.5 },
  { id: 3, name: 'Initech', status: 'synced', website: 'old.example' },
  { id: 4, name: 'Umbrella', status: 'created' },
  {
    id: 4,
    name: 'Umbrella',
    status: 'synced',
    industry_rank: 'high',
    sbti: { data: [{ near_term: { has_target: true, target_status: 'committed' } }] },
    performances: [year(2024, { scope_1: { total: 100 }, total: 200 }), year(2023, { total: 9 })],
  },
);
const after = lines(
  { id: 5, name: '=Hooli', status: 'created' },
  { id: 1, name: 'Acme AG', status: 'synced', score: 0.634 },
  { id: 3, name: 'Initech', status: 'synced', website: 'new.example' },
  {
    id: 4,
    name: 'Umbrella',
    status: 'synced',
    industry_rank: 'low',
    sbti: { data: [{ near_term: { has_target: true, target_status: 'set' } }] },
    performances: [
      year(2024, { scope_1: { total: 90 }, total: 200 }),
      year(2025, { total: 8 }),
      year(2023, { total: 9 }),
    ],
  },
);

function files(old = before, now = after): [string, string] {
  const folder = newFolder();
  writeFileSync(join(folder, 'old.ndjson'), old);
  writeFileSync(join(folder, 'new.ndjson'), now);
  return [join(folder, 'old.ndjson'), join(folder, 'new.ndjson')];
}

const diff = (flags: string[] = [], world: World = {}) =>
  transcript(['diff', ...files(), ...flags], world);

describe('carbon diff', () => {
  it('shows what changed, organization by organization, and exits 10', async () => {
    expect(await diff([], { terminal: 80, env: { NO_COLOR: '1' } })).toMatchInlineSnapshot(`
      "
      + 5 =Hooli new

      ~ 1 Acme AG changed
        Status          researching → synced
        Score           no data → 63.4

      ~ 4 Umbrella changed
        Rank of the industry among all          high → low
        industries
        SBTi near-term target                   committed → validated
        2025 total                              no data → 8
        2024 scope 1                            100 → 90 −10.0%

      − 2 Globex removed
      --- stderr
      Warning: 1 company has different records without a time of retrieval; the last
        one is used: 4.
      1 target now validated (Umbrella). 1 company with new figures of 2025, 1 with
        changed figures, 1 with changes in other fields (some in several ways). 1
        company joined, 1 left (4 → 4), 2 of 5 changed. Unit unknown (if you know it:
        --unit t or --unit kg).
      --- exit 10"
    `);
  });

  it('counts every change of a target, and compares one year of both', async () => {
    const side = (status: string | null, id: number, ...years: object[]) => ({
      ...{ id, name: `Company ${id}`, matching_organization: { id: 1_000_000 + years.length } },
      sbti: { data: [{ created_at: '2024-01-01', near_term: { target_status: status } }] },
      performances: years,
    });
    const both = (number: number, amount: number) =>
      year(number, { scope_1: { total: amount }, scope_2: { total: 0 } });
    const [old, now] = files(
      lines(side('set', 1, both(2024, 100)), side('set', 2), side('none', 3), side('removed', 4)),
      lines(
        side('committed', 1, both(2025, 900), both(2024, 90)),
        side('none', 2),
        side('set', 3),
        side(null, 4),
      ),
    );
    const { stdout, stderr } = await run(['diff', old, now], { terminal: 200 });
    expect(stderr.replaceAll('\n  ', ' ')).toBe(
      '1 target now validated (Company 3), 3 changed otherwise (1 validated → committed, 1 validated → none, 1 removed → unknown). 1 company with new figures of 2025 (largest rise by amount: Company 1, +900.0%), 1 with changed figures, 1 with another match. The largest change by amount is Company 1, −10.0% (scope 1 + 2 of 2024). 4 of 4 companies changed. Unit unknown (if you know it: --unit t or --unit kg).\n',
    );
    expect(stdout).toMatch(/ID of the matched organization +1000001 → 1000002\n/);
  });

  describe('of many changes', () => {
    /* A company whose emissions grow from year to year. */
    const company = (id: number, target: string, years: readonly number[], factor = 1) => ({
      ...{ id, name: `Company ${id}`, status: 'synced', score: years.length / 10 },
      sbti: { data: [{ near_term: { target_status: target } }] },
      performances: years.map((of) =>
        year(of, {
          scope_1: { total: 1_000 * id * factor * (of - 2_000) },
          scope_2: { total_market_based: id },
          scope_3: { total: factor },
        }),
      ),
    });
    const ids = Array.from({ length: 20 }, (_, index) => index + 1);
    const many = () =>
      files(
        lines(...ids.map((id) => company(id, id === 4 ? 'set' : 'none', [2023, 2024]))),
        lines(
          ...ids.slice(2, 12).map((id) => company(id, 'none', [2023, 2024, 2025])),
          ...ids.slice(12, 19).map((id) => company(id, 'set', [2023, 2024], 1 - id / 100)),
          { ...company(20, 'none', [2023, 2024]), website: 'b', industry: { name: 'Steel' } },
          ...[21, 22].map((id) => company(id, 'none', [2024])),
        ),
      );

    it('shows on one screen of a terminal which matter, and says what it leaves out', async () => {
      const world = { terminal: 80, env: { NO_COLOR: '1' } };
      expect(await transcript(['diff', ...many(), '--unit', 't'], world)).toMatchInlineSnapshot(`
        "
          Joined          Company 21, Company 22
          Left            Company 1, Company 2

        Near-term targets
          No target → validated  Company 13, Company 14, Company 15, Company 16, Company
                                 17, Company 18 and 1 more
          Validated → no target  Company 4

        Changed emissions
          emissions in t · scope 1 + 2 · 5 of 7 companies, the largest changes
          Company     Year  Before   Now  Change
          ──────────  ────  ──────  ────  ──────
          Company 19  2024    456K  369K  −19.0%
          Company 18  2024    432K  354K  −18.0%
          Company 17  2024    408K  339K  −17.0%
          Company 16  2024    384K  323K  −16.0%
          Company 15  2024    360K  306K  −15.0%

        Emissions of a new year
          emissions in t · scope 1 + 2 · 5 of 10 companies, the largest changes
          Company     Year  Year before  New year  Change
          ──────────  ────  ───────────  ────────  ──────
          Company 12  2025         288K      300K   +4.2%
          Company 11  2025         264K      275K   +4.2%
          Company 10  2025         240K      250K   +4.2%
          Company 9   2025         216K      225K   +4.2%
          Company 8   2025         192K      200K   +4.2%

        Other changes
          Company 20      industry name

        For all 81 changes, company by company, add --full
        --- stderr
        7 targets now validated (Company 13, Company 14, Company 15 and 4 more), 1
          changed otherwise (1 validated → none). 10 companies with new figures of 2025
          (largest rise by amount: Company 12, +4.2%), 7 with changed figures, 1 with
          changes in other fields. The largest change by amount is Company 19, −19.0%
          (scope 1 + 2 of 2024). 2 companies joined, 2 left (20 → 20), 18 of 22 changed.
          Emissions in t.
        --- exit 10"
      `);
    });

    it('shows every change with --full', async () => {
      const world = { terminal: 80, env: { NO_COLOR: '1' } };
      const { stdout } = await run(['diff', ...many(), '--full'], world);
      expect(stdout.match(/^[~+−] /gm)).toHaveLength(22);
      expect(stdout).toMatch(/^ {2}2024 scope 1 +456,000 → 369,360 −19\.0%$/m);
    });

    it('gives a pipe every change in the same rows, whatever the unit', async () => {
      const pair = many();
      const { stdout } = await run(['diff', ...pair]);
      for (const words of [['--unit', 'kg'], ['--full']])
        expect((await run(['diff', ...pair, ...words])).stdout).toBe(stdout);
      expect(stdout.split('\n').length).toBeGreaterThan(80);
    });
  });

  it('writes days in words in a terminal, and as they came in a pipe', async () => {
    const side = (day: string) =>
      lines({ id: 1, name: 'Acme', climate_pledge: { signed_at: day } });
    const pair = files(side('2025-12-02'), side('2026-01-15'));
    const { stdout } = await run(['diff', ...pair], { terminal: 80 });
    expect(stdout).toMatch(/Climate pledge signed on +2 Dec 2025 → 15 Jan 2026\n/);
    expect((await run(['diff', ...pair])).stdout).toContain('\t2025-12-02\t2026-01-15\n');
  });

  it('begins with what it found in a terminal, and ends with it elsewhere', async () => {
    const firstOf = async (command: readonly string[], world: { terminal?: number }) => {
      let text = '';
      await run(command, { ...world, onOutput: (part) => (text += part) });
      return text.indexOf('Globex') < text.search(/ of \d+ (changed|record)\b/);
    };
    const path = join(newFolder(), 'records.ndjson');
    writeFileSync(path, lines({ id: 1, name: 'Globex', score: 7 }));
    for (const command of [
      ['diff', ...files()],
      ['check', path],
    ]) {
      expect(await firstOf(command, { terminal: 80 })).toBe(false);
      expect(await firstOf(command, {})).toBe(true);
    }
  });

  it('prints a line for each field in a pipe', async () => {
    expect((await diff()).replaceAll('\t', '|')).toMatchInlineSnapshot(`
      "5|=Hooli|new|||||
      1|Acme AG|changed|status|||researching|synced
      1|Acme AG|changed|score||||63.4
      4|Umbrella|changed|industry_rank|||high|low
      4|Umbrella|changed|sbti_near_term_target_status|||committed|set
      4|Umbrella|changed|emissions_total|2025|||8
      4|Umbrella|changed|emissions_scope_1|2024||100|90
      2|Globex|removed|||||
      --- stderr
      Warning: 1 company has different records without a time of retrieval; the last one is used: 4.
      1 target now validated (Umbrella). 1 company with new figures of 2025, 1 with changed figures, 1 with changes in other fields (some in several ways). 1 company joined, 1 left (4 → 4), 2 of 5 changed. Unit unknown (if you know it: --unit t or --unit kg).
      --- exit 10"
    `);
  });

  it('prints JSON, CSV and ids', async () => {
    const json = (await run(['diff', ...files(), '--json'])).stdout.split('\n');
    expect(json.slice(0, 2)).toEqual([
      '{"id":5,"name":"=Hooli","change":"new","synthetic":false,"fields":[]}',
      '{"id":1,"name":"Acme AG","change":"changed","synthetic":false,"fields":[{"field":"status","year":null,"region":null,"old":"researching","new":"synced"},{"field":"score","year":null,"region":null,"old":null,"new":0.634}]}',
    ]);
    const csv = (await run(['diff', ...files(), '--csv'])).stdout.split('\r\n');
    expect(csv).toHaveLength(10);
    expect(csv.slice(0, 3)).toEqual([
      'id,name,change,field,year,region,old,new,synthetic',
      "5,'=Hooli,new,,,,,,",
      '1,Acme AG,changed,status,,,researching,synced,',
    ]);
    expect((await run(['diff', ...files(), '-q'])).stdout).toBe('5\n1\n4\n2\n');
  });

  it('exits 0 when nothing differs, in any order', async () => {
    const [old, now] = files(
      lines({ id: 1, score: 0.5 }, { id: 2 }),
      lines({ id: 2 }, { score: 0.5, id: '1' }),
    );
    expect(await transcript(['diff', old, now])).toBe(
      '--- stderr\nNone of 2 companies changed.\n--- exit 0',
    );
    expect(await transcript(['diff', old, now], { terminal: 80 })).toBe(
      '--- stderr\nNone of 2 companies changed.\n--- exit 0',
    );
  });

  it('reports records that it cannot compare', async () => {
    const { stderr } = await run(['diff', ...files(lines({ name: 'A' }), lines({ id: 1 }))]);
    expect(stderr).toBe(
      'Warning: carbon ignored 1 record without an ID.\n1 company joined (0 → 1).\n',
    );
  });

  it('refuses a day for a file of records, which has no history, as list and report do', async () => {
    const [old] = files();
    const commands = [
      ['diff', old, '--since'],
      ...['list', 'report'].map((command) => [command, old, '--at']),
      ['report', '-', '--csv', '--at'],
    ];
    for (const words of commands) {
      const { exit, stdout, stderr } = await run([...words, '2026-01-01'], { stdin: after });
      const [, file] = words;
      const name = file === '-' ? 'standard input' : file;
      expect([exit, stdout, stderr]).toEqual([
        2,
        '',
        expect.stringContaining(
          `${name} has no history, so its records of 2026-01-01 are not known\nHint: Use a list that carbon sync keeps`,
        ),
      ]);
    }
  });

  it('rejects a day in the future, as list, report and footprint do', async () => {
    const [old] = files();
    const clock = new VirtualClock();
    const day = (days: number) =>
      new Date(clock.now() + days * 86_400_000).toISOString().slice(0, 10);
    const commands = [
      ['diff', old, '--since'],
      ...['list', 'report', 'footprint'].map((command) => [command, old, '--at']),
      ['footprint', old, '--since'],
      ['report', old, '--csv', '--at'],
    ];
    for (const words of commands) {
      const { exit, stderr } = await run([...words, day(2)], { clock });
      expect([exit, stderr]).toEqual([
        2,
        `Error: ${words.at(-1)}: ${day(2)} is in the future\nHint: Use today or an earlier day.\n`,
      ]);
      expect((await run([...words, day(0)], { clock })).stderr).not.toContain('in the future');
    }
  });

  it('names the day since when there are records, if it is given only a list', async () => {
    const list = join(newFolder(), 'my list.csv');
    writeFileSync(list, 'name,country\nAcme,DE\n');
    const world = { clock: new VirtualClock() };
    await run(['sync', list, '--sandbox', '--timeout', '60s'], world);
    const { exit, stderr } = await run(['diff', list, '--unit', 't'], world);
    const day = new Date(world.clock.now()).toISOString().slice(0, 10);
    expect([exit, stderr]).toEqual([
      2,
      `Error: carbon diff needs two files, or a list and --since\nHint: Its records begin on ${day}: \`carbon diff "${list}" --since ${day}\`\n`,
    ]);
    const [old] = files(lines({ id: 6 }));
    expect((await run(['diff', old])).stderr).toContain(`\`carbon diff ${old} new.ndjson\``);
  });

  it('answers for a synced list without any change', async () => {
    const list = join(newFolder(), 'list.csv');
    writeFileSync(list, 'name,country\nAcme,DE\n');
    const world = { clock: new VirtualClock() };
    await run(['sync', list, '--sandbox', '--timeout', '60s'], world);
    rmSync(`${list}.sandbox.history.ndjson`, { force: true });
    const day = new Date(world.clock.now()).toISOString().slice(0, 10);
    const { exit, stdout } = await run(['diff', list, '--since', day], world);
    expect([exit, stdout]).toEqual([0, '']);
    expect((await run(['list', list, '--at', day, '--columns', 'name'], world)).stdout).toBe(
      'Acme\n',
    );
  });

  it('reads one side from standard input', async () => {
    const [old] = files(lines({ id: 6 }));
    expect(await transcript(['diff', old, '-', '-q'], { stdin: lines({ id: 6 }, { id: 7 }) })).toBe(
      '7\n--- exit 10',
    );
    const { exit, stderr } = await run(['diff', '-', '-']);
    expect(exit).toBe(2);
    expect(stderr).toContain('- was given twice');
  });
});
