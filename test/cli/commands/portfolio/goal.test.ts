/* carbon footprint --goal, --compare, --since and --at */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../support/clock.ts';
import { jsonLines, newFolder, run, transcript } from '../../../support/run.ts';
import { serve } from '../../../support/server.ts';

function write(name: string, text: string, folder = newFolder()): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/* A record with own figures, by year: emissions of scope 1 and of category 1, and revenue. */
function record(
  id: number,
  name: string,
  figures: Readonly<Record<number, readonly [scope1: number, category1: number, revenue: number]>>,
  status?: string,
) {
  return {
    id,
    name,
    hq_region: 'DE',
    status: 'synced',
    retrieved_at: '2026-01-10T08:00:00Z',
    ...(status === undefined
      ? {}
      : { sbti: { data: [{ near_term: { has_target: true, target_status: status } }] } }),
    performances: Object.entries(figures).map(([year, [scope1, category1, revenue]]) => ({
      year: Number(year),
      region: 'GLOBAL',
      revenue_currency: 'EUR',
      revenue,
      emissions: {
        scope_1: { total: scope1 },
        scope_2: { total_market_based: 0 },
        scope_3: { purchased_goods_and_services: category1 },
      },
    })),
  };
}

const lines = (records: readonly object[]) =>
  records.map((each) => `${JSON.stringify(each)}\n`).join('');

const purchases = `Supplier,carbon_id,Amount,Currency,Year
Forge AG,1,400,EUR,2025
Glass SE,2,300,EUR,2025
Paper NV,3,200,EUR,2025
Lone KG,,100,EUR,2025
`;
const targets = lines([
  record(1, 'Forge AG', { 2025: [5, 5, 10] }, 'set'),
  record(2, 'Glass SE', { 2025: [5, 5, 10] }, 'committed'),
  record(3, 'Paper NV', { 2025: [5, 5, 10] }, 'removed'),
]);

function folderOf(list = purchases, records = targets) {
  const folder = newFolder();
  return [
    'footprint',
    write('buy.csv', list, folder),
    '--records',
    write('records.ndjson', records, folder),
  ];
}

describe('carbon footprint --goal', () => {
  it('shows the share, the fewest suppliers to ask, and exits 10 below the goal', async () => {
    const argv = [...folderOf(), '--goal', '60% by 2028'];
    expect(await transcript(argv)).toMatchInlineSnapshot(`
      "statement: Goal not reached yet: 40.0% of the emissions you buy are from suppliers with a validated target; the goal is 60% by 2028, 20.0 points to go.
      statement: How much: 40.0% by your records; 70.0% if every commitment is validated.
      statement: Trend: No direction: a file of records has no history. Use a list that carbon sync keeps.
      statement: Who: One supplier with a validated target makes up the 40.0%: Forge AG. The largest emissions without one: Glass SE 30.0% (committed) and Paper NV 20.0% (target removed).
      statement: How sure: No part of it rests on industry averages.
      statement: How sure: Even if every supplier of unknown status or without known emissions had a target, it would be 50.0%, below the goal: others must set one.
      statement: How sure: All emissions bought from a supplier with a target count, whatever scopes it covers.
      statement: How sure: Of the known emissions it is 44.4%, but 1 supplier has no known emissions yet (10% of the spend). Their spend counts with average emissions and no target.
      statement: First steps: Ask Glass SE when SBTi validates it: 70.0% if it gets a validated target.
      goal: 60% by 2028
      reached: no
      share: 40.0%
      share of known emissions: 44.4%
      share of spend: 40.0%
      percentage points to go: 20.0
      if every commitment is validated: 70.0%
      if everyone that can be asked had a target: 90.0%
      removed at any time: 20.0%
      suppliers: 4
      spend in EUR without emissions: 10.0%
      written: 2026-01-15T09:30:00.000Z
      target set: suppliers 1, with_emissions 1, emissions 40.0%, spend 40.0%
      target committed: suppliers 1, with_emissions 1, emissions 30.0%, spend 30.0%
      target removed: suppliers 1, with_emissions 1, emissions 20.0%, spend 20.0%
      target unknown: suppliers 1, with_emissions 0, spend 10.0%
      target emissions unknown: emissions 10.0%
      ask next 1: Glass SE, share 30.0%, then 70.0%, target committed, next step ask when SBTi validates it
      removed 1: Paper NV, share 20.0%
      note: Only validated near-term targets count. A target is a promise, not a cut
      --- stderr
      Columns: Supplier → name, carbon_id → id, Amount → spend, Currency → spend_currency, Year → spend_year
      Read 4 rows with spend: EUR 1,000 purchases; 4 in 2025
      --- exit 10"
    `);
    const screen = await transcript(argv, { terminal: 80, env: pictures });
    expect(screen.replace(/(?<=To work with it:)[\s\S]*(?=\n\n)/, ' ...')).toMatchInlineSnapshot(`
      "Goal not reached yet: 40.0% of the emissions you buy are from suppliers with a
      validated target; the goal is 60% by 2028, 20.0 points to go.
        Suppliers with science-based targets · spend of 2025 · cradle-to-gate
        records without dates
        How much: 40.0% by your records; 70.0% if every commitment is validated.
        Trend: No direction: a file of records has no history. Use a list that
          carbon sync keeps.
        Who: One supplier with a validated target makes up the 40.0%: Forge AG. The
          largest emissions without one: Glass SE 30.0% (committed) and Paper NV 20.0%
          (target removed).
        How sure: No part of it rests on industry averages.
          Even if every supplier of unknown status or without known emissions had a
          target, it would be 50.0%, below the goal: others must set one.
        First steps: Ask Glass SE when SBTi validates it: 70.0% if it gets a
          validated target.

      SBTi near-term targets  if every commitment is validated: 70.0%
        Target             Suppliers  In share  Emissions                Spend
        ─────────────────  ─────────  ────────  ─────────  ────────────  ─────
        target validated           1         1      40.0%  ████████████  40.0%
        committed                  1         1      30.0%  █████████     30.0%
        target removed             1         1      20.0%  ██████        20.0%
        target unknown             1         0          –                10.0%
        emissions unknown          –         –      10.0%  ███               –

      Ask next  if it gets a validated target: 70.0%
           Supplier  Share  Reached then  Target     Next step
        ─  ────────  ─────  ────────────  ─────────  ──────────────────────────
        1  Glass SE  30.0%         70.0%  committed  ask when SBTi validates it

      For removed targets, how to read it and how the file was read, add --full; for a
      list to work with, -o goal.xlsx
      --- exit 10"
    `);
  });

  it('proposes the whole command line, with an output file that does not exist', async () => {
    const argv = [...folderOf(purchases.replace('300,EUR', '300,JPY')), '--year', '2025'];
    argv.push('--rows', 'Currency=EUR', '--boundary', 'scope-1-2', '--unit', 't');
    const goal = ['--goal', '60 of spend'];
    const folder = dirname(argv[1] ?? '');
    const first = await run([...argv, ...goal, '--full'], { terminal: 600 });
    // A shell reads the lines as one command line.
    expect(first.stdout.replace(/ \\\n +/g, ' ')).toContain(
      `To work with it: carbon ${argv.join(' ')} --goal "60 of spend" -o ${folder}/buy-goal.xlsx\n`,
    );
    write('buy-goal.xlsx', '', folder);
    write('buy-goal-2.xlsx', '', folder);
    const second = await run([...argv, ...goal, '--full'], { terminal: 600 });
    expect(second.stdout).toContain(` -o ${folder}/buy-goal-3.xlsx\n`);
  });

  it('wraps what to do next rather than leaving it out of a narrow terminal', async () => {
    const { stdout } = await run([...folderOf(), '--goal', '60'], { terminal: 60 });
    const table = /^ +Supplier .*Next step\n.*\n +1 {2}Glass SE .* ask when SBTi\n +validates it$/m;
    expect(stdout).toMatch(table);
    expect(stdout).not.toContain('No room for');
  });

  it('exits 0 once the goal is reached', async () => {
    const { exit, stdout } = await run([...folderOf(), '--goal', '40']);
    expect(exit).toBe(0);
    expect(stdout).toContain('reached: yes\nshare: 40.0%\n');
  });

  it('prints a row for each supplier, then the goal in the summary', async () => {
    const { stdout } = await run([...folderOf(), '--goal', '60', '--json']);
    const all = jsonLines(stdout);
    expect(
      all
        .slice(0, -1)
        .map(({ supplier, share, ask, next_step }) => [supplier, share, ask, next_step]),
    ).toEqual([
      ['Forge AG', 0.4, null, null],
      ['Glass SE', 0.3, 1, 'ask when SBTi validates it'],
      ['Paper NV', 0.2, null, 'ask why it was removed, and for a new near-term target'],
      ['Lone KG', null, null, 'register it'],
    ]);
    expect(all.at(-1)?.summary).toMatchObject({
      goal: { percent: 60, of: 'emissions', year: null },
      reached: false,
      share: 0.4,
      ask: [{ supplier: 'Glass SE', share_after: 0.7 }],
      since: null,
      line_items: 4,
    });
  });

  it('writes the list of suppliers as CSV', async () => {
    const { stdout } = await run([...folderOf(), '--goal', '60', '--csv']);
    const [head = '', first = ''] = stdout.split('\r\n');
    expect(head.split(',').slice(0, 9)).toEqual(
      'rank supplier id members website hq_region share cumulative_share ask'.split(' '),
    );
    expect(head.endsWith(',synthetic')).toBe(true);
    expect(first).toContain('1,Forge AG,1,');
  });

  it.each([
    [['--goal', 'two thirds'], '--goal: "two thirds" is not a share'],
    [['--goal', '67 by 2020'], '--goal: 2020 is before 2025, the year of the spend'],
    [['--goal', '67', '--compare', '2024'], '--goal and --compare answer different questions'],
    [['--goal', '67', '--since', '2026-01-15'], '--since 2026-01-15 is not before today'],
    [['--goal', '67', '--since', '2026-01-01'], 'has no history'],
  ])('rejects %j', async (words, why) => {
    const { exit, stderr } = await run([...folderOf(), ...words]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(why)]);
  });

  it('needs one year of spend', async () => {
    const two = `${purchases}Forge AG,1,10,EUR,2024\n`;
    const { exit, stderr } = await run([...folderOf(two), '--goal', '67']);
    expect(exit).toBe(2);
    expect(stderr).toContain('has spend of 2024 and 2025, but a goal is for one year');
    expect(stderr).toMatch(/^Hint: Run: carbon footprint .*--goal 67 --year 2025$/m);
  });
});

const years = `Supplier,carbon_id,Amount,Currency,Year
Forge AG,1,100,EUR,2023
Forge AG,1,100,EUR,2024
Glass SE,2,100,EUR,2023
Paper NV,3,50,EUR,2024
`;
const today = lines([
  record(1, 'Forge AG', { 2023: [10, 10, 10], 2024: [10, 10, 20] }),
  record(2, 'Glass SE', { 2023: [5, 5, 10] }),
  record(3, 'Paper NV', { 2024: [5, 5, 10] }),
]);

const pictures = { LANG: 'en_US.UTF-8' };

describe.each([
  ['--goal', '60'],
  ['--compare', '2023'],
])('carbon footprint %s %s', (option, value) => {
  /* A goal of 60% needs twelve of these suppliers. */
  const all = Array.from({ length: 20 }, (_, index) => index + 1);
  const bought = (year: number) => all.map((id) => `Supplier ${id},${id},100,EUR,${year}\n`);
  const list = ['Supplier,carbon_id,Amount,Currency,Year\n', ...bought(2024)];
  const text = [...list, ...(option === '--goal' ? [] : bought(2023))].join('');
  const figures = { 2023: [5, 5, 10], 2024: [5, 5, 10] } as const;
  const records = all.map((id) => ({
    id,
    retrieved_at: '2026-01-10T08:00:00Z',
    record: { ...record(id, `Supplier ${id}`, figures, 'removed'), sandbox: 'synthetic' },
  }));

  it('says of when it is, and marks synthetic figures', async () => {
    const argv = [...folderOf(text, lines(records)), option, value];
    const { stdout: screen } = await run(argv, { terminal: 100 });
    const [title = '', ...below] = screen.split(/\n(?= )/);
    expect(title).toMatch(option === '--goal' ? /^Goal not reached/ : /^The footprint of 2024/);
    const rows = below.findIndex(
      (line) => line.startsWith('  How ') || line.startsWith('  Trend:'),
    );
    const about = below.slice(0, rows).join(' ');
    expect(about).toContain('records retrieved 10 Jan 2026');
    expect(about).toContain('Synthetic sandbox data, not real research');
    const { stdout: piped } = await run(argv);
    expect(piped).toContain('\nrecords from: 2026-01-10\n');
    expect(piped).toContain('\nwritten: 2026-01-15T09:30:00.000Z\n');
    expect(piped).toContain('\nnote: Synthetic sandbox data, not real research\n');
  });

  it('shows how the file was read, and all suppliers to ask, with --full', async () => {
    const argv = [...folderOf(text, lines(records)), option, value];
    const screen = await run(argv, { terminal: 80 });
    const full = await run([...argv, '--full'], { terminal: 80 });
    expect(screen.stderr).toBe('');
    expect(screen.stdout).toMatch(/\n\nFor .*how the file was read, add\s--full/s);
    expect(full.stderr).toContain('Columns: Supplier → name');
    expect(full.stdout).not.toContain('add --full');
    const asked = (shown: string) => shown.match(/ask why it was removed/g)?.length ?? 0;
    const isGoal = option === '--goal';
    expect([asked(screen.stdout), asked(full.stdout)]).toEqual(isGoal ? [10, 12] : [0, 0]);
  });
});

describe('carbon footprint --compare', () => {
  it('explains the difference between two years of the file', async () => {
    const argv = [...folderOf(years, today), '--compare', '2023', '--unit', 't'];
    expect(await transcript(argv)).toMatchInlineSnapshot(`
      "statement: The footprint of 2024 is 150 t (implausible: check the unit), −50.0% since 2023 (300 t), mainly because of your suppliers' emissions and revenue.
      statement: Trend: −50.0%, none of it from data changes (of method, data or coverage).
      statement: Why: −16.7 percentage points from your spend (EUR −25.0%, including prices, new suppliers and suppliers that left), of which +16.7 from new suppliers and −33.4 from suppliers that left.
      statement: Why: −33.3 points from your suppliers' emissions per revenue: nothing from its emissions (only one has own figures of both years), −33.3 from its revenue, which rose, so the same spend stands for less of its emissions.
      statement: Who: Largest changes: Forge AG −100 t (its higher revenue), Glass SE −100 t (left), Paper NV +50 t (new).
      statement: Who: Largest supplier of 2024: Forge AG 100 t, 66.7% of the footprint.
      statement: How sure: Quote no amount before its unit is checked.
      statement: How sure: None of the emissions are from industry averages.
      statement: How sure: Only 1 of 3 suppliers has own figures of both years (67% of the footprint of 2023). Of the other 2 (without comparable figures), no change of their own is known.
      statement: First steps: Check the unit before you use any amount: compare Forge AG with its own report (carbon get 1 --full lists its sources), or ask the service for its unit; then correct --unit t.
      written: 2026-01-15T09:30:00.000Z
      2023: total 300 t, spend_EUR 200
      2024: total 150 t, change -50.0%, spend_EUR 150
      change From your spend: emissions -50 t, share -16.7%, suppliers 2
      change New suppliers: emissions 50 t, share +16.7%, suppliers 1
      change Suppliers left: emissions -100 t, share -33.4%, suppliers 1
      change Suppliers' higher revenue: emissions -100 t, share -33.3%, suppliers 1
      change All changes: emissions -150 t, share -50.0%
      change Largest changes, all causes together: Forge AG −100 t, Glass SE −100 t, Paper NV +50 t
      change Largest supplier of 2024: Forge AG 100 t, 66.7% of the footprint
      note: Implausible: 1,286 kg per EUR (2023 and 2024 together); even cement has about 4 kg per USD (US EPA); with --unit kg it would be 300 kg in 2023 and 150 kg in 2024, 1.29 kg per EUR. The records have no unit: check --unit t. Shares, ranks and changes in percent hold if all amounts are wrong by the same factor
      note: In the part of the footprint from the only supplier with own figures of both years, its own emissions changed nothing, its higher revenue takes off 50.0%
      note: A percentage point is 1% of the footprint of 2023
      note: Changes of spend and revenue include prices
      note: Parts are rounded so that they add up: any may be off by 0.1
      --- stderr
      Columns: Supplier → name, carbon_id → id, Amount → spend, Currency → spend_currency, Year → spend_year
      Read 4 rows with spend: EUR 350 purchases; 2 in 2023, 2 in 2024
      Records of 4 line items: found 4 by ID
      --- exit 0"
    `);
    expect(await transcript(argv, { terminal: 80, env: pictures })).toMatchInlineSnapshot(`
      "The footprint of 2024 is 150 t (implausible: check the unit), −50.0% since 2023
      (300 t), mainly because of your suppliers' emissions and revenue.
        Footprint of 2024 compared with 2023 · cradle-to-gate
        emissions in t (by --unit), unknown whether CO2 or CO2e
        records without dates
        own figures of 2023 and 2024 · SBTi targets play no part
        ! Implausible: 1,286 kg per EUR (2023 and 2024 together); even cement has
          about 4 kg per USD (US EPA); with --unit kg it would be 300 kg in 2023 and
          150 kg in 2024, 1.29 kg per EUR. The records have no unit: check --unit t.
          Shares, ranks and changes in percent hold if all amounts are wrong by the
          same factor
        Trend: −50.0%, none of it from data changes (of method, data or coverage).
        Why: −16.7 percentage points from your spend (EUR −25.0%, including prices,
          new suppliers and suppliers that left), of which +16.7 from new suppliers
          and −33.4 from suppliers that left.
          −33.3 points from your suppliers' emissions per revenue: nothing from its
          emissions (only one has own figures of both years), −33.3 from its revenue,
          which rose, so the same spend stands for less of its emissions.
        Who: Largest changes: Forge AG −100 t (its higher revenue), Glass SE −100 t
          (left), Paper NV +50 t (new).
          Largest supplier of 2024: Forge AG 100 t, 66.7% of the footprint.
        How sure: Quote no amount before its unit is checked.
          None of the emissions are from industry averages.
          Only 1 of 3 suppliers has own figures of both years (67% of the footprint of
          2023). Of the other 2 (without comparable figures), no change of their own
          is known.
        First steps: Check the unit before you use any amount: compare Forge AG with
          its own report (carbon get 1 --full lists its sources), or ask the service
          for its unit; then correct --unit t.

        Footprint  Total                        Change  Spend EUR
        ─────────  ─────  ────────────────────  ──────  ─────────
        2023         300  ████████████████████       –        200
        2024         150  ██████████            −50.0%        150

      What changed from 2023 to 2024  emissions in t
        Effect                     Emissions  % of 2023  Suppliers
        ─────────────────────────  ─────────  ─────────  ─────────
        From your spend                  −50     −16.7%          2
          New suppliers                  +50     +16.7%          1
          Suppliers left                −100     −33.4%          1
        Suppliers' higher revenue       −100     −33.3%          1
        All changes                     −150     −50.0%          –

      For how to read it and how the file was read, add --full
      --- exit 0"
    `);
  });

  it('shows a restatement against a saved footprint first', async () => {
    const folder = newFolder();
    const path = write('buy.csv', years, folder);
    const old = write(
      'old-records.ndjson',
      lines([
        record(1, 'Forge AG', { 2023: [10, 20, 10] }),
        record(2, 'Glass SE', { 2023: [5, 5, 10] }),
      ]),
      folder,
    );
    const records = write('records.ndjson', today, folder);
    const saved = await run(['footprint', path, '--records', old, '--year', '2023', '--json']);
    const base = write('base.ndjson', saved.stdout, folder);
    const argv = ['footprint', path, '--records', records, '--year', '2024', '--compare', base];
    const { exit, stdout } = await run([...argv, '--json']);
    expect(exit).toBe(0);
    const { bridge } = jsonLines(stdout).at(-1)?.summary ?? {};
    expect(bridge).toMatchObject({
      before: 2023,
      after: 2024,
      steps: [
        { step: 'restated', before: 400, after: 300, together: -100 },
        { step: 'years', before: 300, after: 150, together: -150 },
      ],
    });
    const all = jsonLines(stdout).at(-1)?.summary;
    expect(all.statements).toEqual([
      { rule: 'restated', text: expect.stringContaining('400') },
      { rule: 'years', text: expect.stringContaining('150') },
      {
        rule: 'direction',
        text: '−50.0%, none of it from data changes (of method, data or coverage).',
      },
      {
        rule: 'spend',
        text: '−16.7 percentage points from your spend (EUR −25.0%, including prices, new suppliers and suppliers that left), of which +16.7 from new suppliers and −33.4 from suppliers that left.',
      },
      {
        rule: 'suppliers',
        text: "−33.3 points from your suppliers' emissions per revenue: nothing from its emissions (only one has own figures of both years), −33.3 from its revenue, which rose, so the same spend stands for less of its emissions.",
      },
      {
        rule: 'largest',
        text: 'Largest changes: Forge AG −100 (its higher revenue), Glass SE −100 (left), Paper NV +50 (new).',
      },
      { rule: 'largest', text: 'Largest supplier of 2024: Forge AG 100, 66.7% of the footprint.' },
      {
        rule: 'limit',
        text: "Quote no amount before its unit is known: compare one with the company's own report, then add --unit.",
      },
      { rule: 'certainty', text: 'None of the emissions are from industry averages.' },
      {
        rule: 'own',
        text: 'Only 1 of 3 suppliers has own figures of both years (67% of the footprint of 2023). Of the other 2 (without comparable figures), no change of their own is known.',
      },
    ]);
    expect(all.notes.join()).not.toContain('base.ndjson');
    for (const [name, text, why] of [
      ['list.csv', 'name\nAcme\n', 'is not a footprint'],
      [
        'cut.ndjson',
        saved.stdout.trim().split('\n').slice(0, -1).join('\n'),
        'has no summary, so it may be incomplete',
      ],
    ] as const) {
      const broken = await run([...argv.slice(0, -1), write(name, text, folder)]);
      expect([broken.exit, broken.stderr]).toEqual([2, expect.stringContaining(why)]);
    }
    const { stderr: hint } = await run([...argv.slice(0, -1), join(folder, 'list.csv')]);
    // No file that exists is overwritten, and the list is that of the command line.
    expect(hint).toContain(
      `Hint: Save one of an earlier year, such as: carbon footprint ${argv[1]} --year 2024 --json > ${join(folder, 'list.footprint.ndjson')}\n`,
    );
    // Windows PowerShell 5 writes UTF-16.
    const wide = write('wide.ndjson', '', folder);
    writeFileSync(wide, Buffer.from(`\ufeff${saved.stdout}`, 'utf16le'));
    const fromWide = await run([...argv.slice(0, -1), wide, '--json']);
    expect(fromWide.stderr).not.toContain('Error:');
    expect(fromWide.stdout).toBe((await run([...argv, '--json'])).stdout);
    const unit = await run([...argv, '--unit', 'kg']);
    expect([unit.exit, unit.stderr]).toEqual([
      2,
      expect.stringContaining('has the unit unknown, this run kg'),
    ]);
  });

  it('is proposed for a footprint of one of the years, or of a file without the other', async () => {
    const argv = [...folderOf(years, today), '--year'];
    const { stdout: later, stderr } = await run([...argv, '2024']);
    expect(later).toContain(
      "statement: Trend: −50.0% from 2023 to 2024, none of it from data changes (of method, data or coverage), mainly because of your suppliers' emissions and revenue; for all causes, add --compare 2023\n",
    );
    expect(stderr.match(/^(?:Columns|Read|Records of)/gm)).toHaveLength(3);
    const { stdout: earlier } = await run([...argv, '2023']);
    expect(earlier).toContain(
      'statement: Trend: No earlier spend, so no direction: save a footprint of 2022 ',
    );
    const uncovered = years.replaceAll(/(Forge|Glass)(.*)2023/g, 'Other$2 2023');
    const open = uncovered.replaceAll(/Other(.*),\d,(.*)/g, 'Other$1,,$2');
    const { stdout: hint } = await run([...folderOf(open, today), '--year', '2024']);
    expect(hint).toContain(
      'statement: Trend: To see what changed since 2023, add --compare 2023\n',
    );
  });

  it('names both years whose rows it uses', async () => {
    const argv = [...folderOf(years, today), '--compare', '2023', '--year', '2024', '--json'];
    const { method } = jsonLines((await run(argv)).stdout).at(-1)?.summary ?? {};
    expect(method.selection).toEqual(['spend of 2023 and 2024']);
  });

  it('says in what other than records and spend a saved footprint differs', async () => {
    const folder = newFolder();
    const path = write('buy.csv', years, folder);
    const records = write('records.ndjson', today, folder);
    const argv = ['footprint', path, '--records', records];
    const choices = ['--rows', 'Supplier=Forge AG', '--max-factor-age', '3'];
    const saved = await run([...argv, ...choices, '--year', '2023', '--json']);
    const base = write('base.ndjson', saved.stdout.replaceAll('"0.2.0"', '"0.1.9"'), folder);
    const { stdout } = await run([...argv, '--year', '2024', '--compare', base]);
    expect(stdout.split('\n').filter((line) => line.includes(base))).toEqual([
      `note: ${base} was calculated by carbon 0.1.9, this by 0.2.0`,
      `note: ${base} has the rows Supplier=Forge AG, this run all rows`,
      `note: ${base} was calculated with --max-factor-age 3, this with 5`,
    ]);
  });

  it('rejects years in the wrong order before it reads anything', async () => {
    const missing = ['footprint', join(newFolder(), 'missing.csv')];
    const early = await run([...missing, '--goal', '67% by 2020', '--year', '2024']);
    expect(early.stderr).toMatch(/^Error: --goal: 2020 is before 2024, the year of the spend\n/);
    const { stderr, exit } = await run([...missing, '--compare', '2025', '--year', '2024']);
    expect(stderr).toMatch(/^Error: --compare 2025 is not before 2024\nHint: Did you mean /);
    expect(exit).toBe(2);
  });

  it.each([
    [['--compare', '2022'], 'has no spend of 2022\nHint: Use --compare 2023.'],
    [['--compare', '2022', '--year', '2024'], 'has no spend of 2022\nHint: Use --compare 2023.'],
    [
      ['--compare', '2022', '--year', '2023'],
      'has no spend of 2022\nHint: Compare with a saved footprint: --compare <file>.',
    ],
    [
      ['--compare', '2024', '--year', '2025'],
      'has no spend of 2025\nHint: Choose from its years: 2023 and 2024.',
    ],
    [['--compare', '2024', '--year', '2024'], '--compare 2024 is not before 2024'],
    [
      ['--compare', '2024', '--year', '2023'],
      'is not before 2023\nHint: Did you mean --compare 2023 --year 2024?',
    ],
    [['--compare', '2024'], 'is not before 2023\nHint: Did you mean --compare 2023 --year 2024?'],
    [['--since', '2026-01-01'], 'Choose the later year, such as --year 2024.'],
  ])('rejects %j', async (words, why) => {
    const { exit, stderr } = await run([...folderOf(years, today), ...words]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(why)]);
  });
});

describe('carbon footprint with the records of a day', () => {
  const day = 86_400_000;

  /* A synced list of two suppliers, one of which sets a target ten days later. */
  async function twoSyncs(later: readonly string[] = ['set', 'removed']) {
    const home = newFolder();
    const path = write(
      'buy.csv',
      'Supplier,Amount,Currency,Year\nForge AG,70,EUR,2025\nGlass SE,30,EUR,2025\n',
      home,
    );
    const clock = new VirtualClock();
    let statuses = ['committed', 'set'];
    const ids = ['Forge AG', 'Glass SE'];
    const server = await serve((response) => {
      const { path: asked = '', body = '' } = server.seen.at(-1) ?? {};
      const id =
        body === ''
          ? Number.parseInt(asked.split('/').at(-1) ?? '', 10)
          : ids.indexOf(JSON.parse(body).name) + 1;
      const { retrieved_at: _, ...sent } = record(
        id,
        ids[id - 1] ?? '',
        { 2025: [5, 5, 10] },
        statuses[id - 1],
      );
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(sent));
    });
    const { env } = server;
    const sync = () => run(['sync', path, '--currency', 'EUR', '--yes'], { home, env, clock });
    expect(await sync()).toMatchObject({ exit: 0 });
    await clock.sleep(10 * day);
    statuses = [...later];
    expect(await sync()).toMatchObject({ exit: 0 });
    return { argv: ['footprint', path], world: { home, env, clock } };
  }

  it('reports the records once, although a chosen year is compared with the one before', async () => {
    const { argv, world } = await twoSyncs();
    writeFileSync(argv[1] ?? '', `${readFileSync(argv[1] ?? '')}Forge AG,140,EUR,2024\n`);
    const { stdout, stderr } = await run([...argv, '--year', '2025'], world);
    expect(stdout).toContain('statement: Trend: −28.6% from 2024 to 2025, ');
    expect(stderr.match(/: records retrieved/g)).toHaveLength(1);
  });

  it('needs no history for the goal itself, so that a damaged one fails with --since', async () => {
    const { argv, world } = await twoSyncs();
    const goal = [...argv, '--goal', '67'];
    const { stdout, exit } = await run(goal, world);
    const history = `${argv[1]}.history.ndjson`;
    const proposed = /, add (--since .*)$/m.exec(stdout)?.[1] ?? '';
    writeFileSync(history, `${readFileSync(history, 'utf8')}garbage\n`);
    const damaged = await run(goal, world);
    expect(damaged.exit).toBe(exit);
    expect(damaged.stdout).toContain('share: 70.0%\n');
    expect(damaged.stdout).not.toContain(proposed);
    expect(damaged.stdout).toContain('No direction: carbon cannot read the earlier records.\n');
    expect(damaged.stderr).toMatch(
      /^Warning: carbon does not know which way the share moved: .*history\.ndjson, line 3, has text that is not a record of a list\. To see how to fix it, add --since <date>\.$/m,
    );
    expect(await run([...goal, ...proposed.split(' ')], world)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('history.ndjson, line '),
    });
  });

  it('shows whose targets changed since, weighted with the figures of today', async () => {
    const { argv, world } = await twoSyncs();
    const { stdout: now } = await run([...argv, '--goal', '67'], world);
    const [, proposed = ''] = /^note: To see who changed .*, add (--since .*)$/m.exec(now) ?? [];
    expect((await run([...argv, '--goal', '67', ...proposed.split(' ')], world)).exit).toBe(0);
    const words = [...argv, '--goal', '67', '--since', '2026-01-16'];
    const { stdout, exit } = await run([...words, '--json'], world);
    expect(exit).toBe(0);
    const { since, share } = jsonLines(stdout).at(-1)?.summary ?? {};
    expect(share).toBe(0.7);
    expect(since).toMatchObject({
      day: '2026-01-16',
      newly_set: 0.7,
      lost: -0.3,
      changes: [
        { supplier: 'Forge AG', status_then: 'committed', change: 'newly_set' },
        { supplier: 'Glass SE', status_then: 'set', change: 'lost' },
      ],
    });
    expect(since.share_then).toBeCloseTo(0.3, 12);
    const [, lost] = jsonLines(stdout);
    expect(lost).toMatchObject({ supplier: 'Glass SE', status_then: 'set', change: 'lost' });
    const screen = await run(words, { ...world, terminal: 100 });
    expect(screen.stdout.replace(/\s+/g, ' ')).toContain(
      'since 16 Jan 2026 (records retrieved 15 Jan 2026), when it was 30.0%',
    );
    expect(screen.stderr).toBe('');
  });

  it('says which way the share moved since the first day, as --since that day does', async () => {
    const { argv, world } = await twoSyncs();
    const words = [...argv, '--goal', '67', '--json'];
    const [byDefault, since] = await Promise.all(
      [[], ['--since', '2026-01-15']].map(async (more) => {
        const { stdout, stderr } = await run([...words, ...more], world);
        return { stderr, ...jsonLines(stdout).at(-1)?.summary };
      }),
    );
    const textOf = ({ statements }: { statements: readonly { rule: string; text: string }[] }) =>
      statements.filter(({ rule }) => rule === 'since').map(({ text }) => text);
    const change =
      'when it was 30.0% (set a target +70.0: Forge AG; lost a target −30.0: Glass SE).';
    expect(textOf(byDefault)).toEqual([
      `+40.0 percentage points since 15 Jan 2026, the first day of your records, ${change}`,
    ]);
    expect(textOf(since)).toEqual([
      `+40.0 percentage points since the records of 15 Jan 2026, ${change}`,
    ]);
    expect(byDefault.direction).toEqual(since.direction);
    expect(byDefault.direction).toMatchObject({ day: '2026-01-15', newly_set: 0.7, lost: -0.3 });
    expect(byDefault.direction.change).toBeCloseTo(0.4, 12);
    expect([byDefault.since, since.since.day]).toEqual([null, '2026-01-15']);
    // What is read again is not reported again.
    expect(byDefault.stderr.match(/: records retrieved/g)).toHaveLength(1);
    expect(byDefault.stderr).not.toContain('at the end of');
  });

  it('has no direction before a second day', async () => {
    const { argv, world } = await twoSyncs();
    const { stdout } = await run([...argv, '--goal', '67', '--at', '2026-01-15'], world);
    expect(stdout).toContain('No direction: no record is from before 15 Jan 2026.\n');
    const path = write('again.csv', readFileSync(argv[1] ?? '', 'utf8'), world.home);
    await run(['sync', path, '--currency', 'EUR', '--yes'], world);
    const first = await run(['footprint', path, '--goal', '67'], world);
    expect(first.stdout).toContain(
      'No direction yet: no record is from before 25 Jan 2026. Run carbon sync again on a later day, then this command shows the change.\n',
    );
  });

  it('proposes to ask why a target is no longer set, in the list and in the plan', async () => {
    const { argv, world } = await twoSyncs(['committed', 'committed']);
    const words = [...argv, '--goal', '90', '--json'];
    const stepsOf = async (more: readonly string[]) => {
      const { stdout } = await run([...words, ...more], world);
      const [first, second, { summary }] = jsonLines(stdout);
      const asked = summary.ask.map((each: { next_step: string }) => each.next_step);
      return [[first.next_step, second.next_step], asked];
    };
    const usual = 'ask when SBTi validates it';
    const lost = [usual, 'ask why, and when SBTi validates it'];
    expect(await stepsOf([])).toEqual([
      [usual, usual],
      [usual, usual],
    ]);
    expect(await stepsOf(['--since', '2026-01-16'])).toEqual([lost, lost]);
  });

  it('calculates as of a day', async () => {
    const { argv, world } = await twoSyncs();
    const then = await run([...argv, '--goal', '67', '--at', '2026-01-16'], world);
    expect([then.exit, then.stdout]).toEqual([10, expect.stringContaining('share: 30.0%')]);
    const same = await run([...argv, '--since', '2026-01-16', '--json'], world);
    expect(jsonLines(same.stdout).at(-1)?.summary.bridge).toMatchObject({
      before: 2025,
      after: null,
      steps: [{ step: 'restated', before: 100, after: 100, together: 0, effects: [] }],
    });
    const compared =
      'Compared with records retrieved 15 Jan 2026, the latest at the end of 16 Jan 2026';
    expect(jsonLines(same.stdout).at(-1)?.summary.notes).toContain(compared);
    const goal = await run([...argv, '--goal', '67', '--since', '2026-01-16', '--json'], world);
    expect(jsonLines(goal.stdout).at(-1)?.summary).toMatchObject({
      notes: expect.arrayContaining([compared]),
      since: { records_from: '2026-01-15', records_to: '2026-01-15' },
    });
  });
});
