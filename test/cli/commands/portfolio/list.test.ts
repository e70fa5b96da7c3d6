import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCells } from '../../../lists/workbook/read.ts';
import { stopped } from '../../../support/program.ts';
import { newFolder, run, transcript } from '../../../support/run.ts';

const records = [
  { id: 1, name: 'Alpenwerk', hq_region: 'AT', score: 0.5, sbti: { data: [] } },
  { id: 2, name: 'Berg AG', hq_region: 'DE', score: 0.31, emissions: 200, target: 'set' },
  { id: 3, name: 'Canal SA', hq_region: 'FR', emissions: 1_234_567.5 },
  { id: 4, name: '=Delta', hq_region: 'DE', score: 0.9, emissions: 50, target: 'committed' },
].map(({ emissions, target, ...record }) => ({
  ...record,
  ...(emissions && { performances: [{ year: 2024, emissions: { sum: emissions } }] }),
  ...(target && {
    sbti: { data: [{ created_at: '2024-01-01', near_term: { target_status: target } }] },
  }),
}));

function snapshot(...lines: readonly (object | string)[]): string {
  const path = join(newFolder(), 'records.ndjson');
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(path, `${text.join('\n')}\n`);
  return path;
}

const list = (...words: readonly string[]) => run(['list', snapshot(...records), ...words]);

describe('carbon list', () => {
  it('says no unit without a row', async () => {
    const { stderr } = await list('--where', 'score<0');
    expect(stderr).toBe('None of 4 companies meets score<0.\n');
  });

  it('begins with the largest emitters for people, and keeps the order of the list for programs', async () => {
    const folder = newFolder();
    const emitting = (id: number, total?: number) => ({
      id,
      name: `Company ${id}`,
      performances:
        total === undefined ? [] : [{ year: 2024, emissions: { scope_1_and_2: { total } } }],
    });
    const path = snapshot(emitting(1, 5), emitting(2), emitting(3, 70), emitting(4, 9));
    const idsIn = (text: string) =>
      [...text.matchAll(/^ *"?(\d)\b/gm)].map(([, id]) => id).join('');
    const shown = async (...words: readonly string[]) => {
      const { stdout, stderr } = await run(['list', path, ...words], { terminal: 80 });
      return [idsIn(stdout), /Largest\s+scope\s+1\s+\+\s+2\s+first/.test(stderr)];
    };
    expect(await shown()).toEqual(['3412', true]);
    expect(await shown('--where', 'id<=2')).toEqual(['12', true]);
    expect(await shown('--where', 'id=2')).toEqual(['2', false]);
    expect(await shown('--sort', 'id')).toEqual(['1234', false]);
    expect(await shown('--top', '2')).toEqual(['12', false]);
    expect(await shown('--columns', 'id,name')).toEqual(['1234', false]);
    for (const words of [[], ['--csv'], ['-q']]) {
      const { stdout, stderr } = await run(['list', path, ...words]);
      expect([idsIn(stdout), stderr]).toEqual(['1234', expect.not.stringContaining('first')]);
    }
    const json = await run(['list', path, '--json']);
    expect([...json.stdout.matchAll(/"id":(\d)/g)].map(([, id]) => id).join('')).toBe('1234');
    const [book, csv] = [join(folder, 'list.xlsx'), join(folder, 'list.csv')];
    await run(['list', path, '-o', book]);
    await run(['list', path, '-o', csv]);
    const [, ...rows] = await readCells(book, { sheet: 'Organizations' });
    expect(rows.map(([id]) => id).join('')).toBe('3412');
    expect(idsIn(readFileSync(csv, 'utf8'))).toBe('1234');
  });

  it('proposes the short names that begin with an unknown one, whatever the value is', async () => {
    const { stderr } = await list('--where', 'sbt=1');
    expect(stderr).toContain('Did you mean sbti_near_term or sbti_long_term or sbti_net_zero?');
  });

  it('takes the words of its columns in a terminal as names', async () => {
    const { stdout } = await list('--columns', 'Name,Target,Scope 1+2,scope_3', '--csv');
    expect(stdout.split('\r\n', 1)).toEqual(['name,target,scope_1_and_2,scope_3,synthetic']);
    expect((await list('--where', 'target=validated')).exit).toBe(0);
  });

  it('takes the name of a country for its code, as sync does', async () => {
    const ids = async (condition: string) => {
      const { stdout, stderr } = await list('--where', condition, '--csv');
      return [stdout, stderr.includes(condition)];
    };
    const [german] = await ids('hq_region=DE');
    expect(await ids('hq_region=Germany')).toEqual([german, false]);
    expect(await ids('country=Deutschland')).toEqual([german, false]);
    expect((await ids('country!=Germany'))[0]).toBe((await ids('country!=DE'))[0]);
  });

  it('finds the suppliers without a target', async () => {
    const words = ['--where', 'sbti_near_term!=set', '--columns', 'id,name,sbti_near_term'];
    expect(
      await transcript(['list', snapshot(...records), ...words], { terminal: 80 }),
    ).toMatchInlineSnapshot(`
      "id  name       sbti_near_term
      ──  ─────────  ──────────────
       1  Alpenwerk  no target
       3  Canal SA   –
       4  =Delta     committed
      --- stderr
      3 of 4 companies meet sbti_near_term!=set (Near-term target: 1 no target, 1
        unknown, 1 committed).
        Missing: 1 of 3 companies has no emissions (in research).
      --- exit 0"
    `);
    expect((await list(...words)).stdout).toBe(
      '1\tAlpenwerk\tnone\n3\tCanal SA\t\n4\t=Delta\tcommitted\n',
    );
  });

  it('names no column that has no room if a condition says what it has', async () => {
    const noRoom = async (...words: string[]) => {
      const { stdout } = await run(['list', snapshot(...records), ...words], { terminal: 60 });
      return /^No room for .*(\n.*)?/m.exec(stdout)?.[0] ?? '';
    };
    expect(await noRoom()).toContain(' country,');
    expect(await noRoom('--where', 'country=DE')).toMatch(/^No room for (?!.*country)/);
    expect(await noRoom('--where', 'country!=DE')).toContain(' country,');
  });

  it.each([
    ['the same', 0.9, ''],
    ['another score', 0.8, 'Warning: 1 company has different records without a time'],
  ])(
    'says of two records in a workbook that they differ only if they do: %s',
    async (_, score, warning) => {
      const [last = {}] = records.slice(-1);
      const scored = (other: number) => ({ ...last, score: other });
      const path = snapshot(scored(0.9), scored(score));
      const { exit, stderr } = await run(['list', path, '-o', join(newFolder(), 'out.xlsx')]);
      expect(exit).toBe(0);
      if (warning === '') expect(stderr).not.toContain('Warning');
      else expect(stderr).toContain(warning);
    },
  );

  it.each([
    ['status=snced', '"snced"; the values are created, synced. Did you mean synced?'],
    ['status!=snced', '"snced"; the values are created, synced. Did you mean synced?'],
    ['country=XX', 'No record has the country "XX"; the values are AT, DE, FR\n'],
    [
      'name=berg',
      'No record has the name "berg"; the values are =Delta, Alpenwerk, Berg AG, Canal SA. Did you mean Berg AG?',
    ],
    ['name=werk', '. Did you mean Alpenwerk?\n'],
    ['cdp_url=x', 'No record has the cdp_url "x"\n'],
  ])('says which values there are if no record has that of %s', async (condition, expected) => {
    const followed = records.map((each, index) => ({
      ...each,
      status: index ? 'synced' : 'created',
    }));
    const { exit, stderr } = await run(['list', snapshot(...followed), '--where', condition]);
    expect(exit).toBe(0);
    expect(stderr).toContain(`Warning: `);
    expect(stderr).toContain(expected);
    const known = await list('--where', 'country=de', '--where', 'name!=Alpenwerk');
    expect(known.stderr).not.toContain('Warning');
  });

  it.each([
    ['set', 'sbti_near_term=target validated', '1\n'],
    ['set', 'sbti_near_term=Set', '1\n'],
    ['set', 'sbti_near_term=validated', '1\n'],
    ['set', 'sbti_near_term!=Validated', '2\n'],
    ['set', 'sbti_near_term!=TARGET VALIDATED', '2\n'],
    ['errored', 'status=research failed', '1\n'],
    ['errored', 'status=failed', '1\n'],
    ['errored', 'status=errored', '1\n'],
    ['set', 'sbti_near_term>=target validated', '1\n'],
    ['errored', 'status<=failed', '1\n'],
  ])('finds the code %s by the condition %s', async (code, condition, expected) => {
    const isStatus = condition.startsWith('status');
    const sbti = { data: [{ near_term: { has_target: true, target_status: code } }] };
    const path = snapshot({ id: 1, ...(isStatus ? { status: code } : { sbti }) }, { id: 2 });
    expect(await run(['list', path, '-q', '--where', condition])).toMatchObject({
      exit: 0,
      stdout: expected,
      stderr: expect.not.stringContaining('Warning'),
    });
    const unknown = await run(['list', path, '--where', 'sbti_near_term=validated target']);
    expect(unknown.stderr).toContain('is not a value of sbti_near_term\n');
  });

  it('finds the largest emitters, and marks sums of parts', async () => {
    const words = ['--sort', '-emissions', '--top', '2', '--columns', 'id,name,score,year,total'];
    expect(
      await transcript(['list', snapshot(...records), ...words], { terminal: 80 }),
    ).toMatchInlineSnapshot(`
      "id  name      score  year         total
      ──  ────────  ─────  ────  ────────────
       3  Canal SA      –  2024  1,234,567.5†
       2  Berg AG    31.0  2024          200†
      † sum of the disclosed parts, no total disclosed
      --- stderr
      1 of 4 companies has a validated near-term target (1 unknown). The 2 largest
        of 4 by total emissions (scopes 1 to 3).
        Missing: 1 of 4 companies has no emissions (in research).
        How sure: Quote no amount before its unit is known: compare one with the
          company's own report, then add --unit.
      --- exit 0"
    `);
  });

  it('prints a table of all organizations without options, and sorts missing values last', async () => {
    expect((await list('-q')).stdout).toBe('1\n2\n3\n4\n');
    expect((await list()).stdout.split('\n')[2]).toBe(
      '3\tCanal SA\t\t\tFR\t\t2024\t\t\t\t1234567.5\ttotal sum',
    );
    expect((await list('-q', '--sort', '-score')).stdout).toBe('4\n1\n2\n3\n');
  });

  it('marks scores and percentiles that are out of range, which meet no condition', async () => {
    const given = [
      { id: 1, score: 73.6, industry_score_percentile: 80 },
      { id: 2, score: -0.2, industry_score_percentile: 140, industry: { mean_score: 0.736 } },
    ];
    const words = ['--columns', 'score,percentile,industry_mean_score'];
    const shown = await run(['list', snapshot(...given), ...words], { terminal: 80 });
    expect(shown.stdout.split('\n').slice(2, 4)).toEqual([
      'invalid: 73.6            80                    –',
      'invalid: -0.2  invalid: 140                 73.6',
    ]);
    const { stdout } = await run(['list', snapshot(...given), ...words, '--csv']);
    expect(stdout.split('\r\n').slice(1, 3)).toEqual([
      'invalid: 73.6,80,,',
      'invalid: -0.2,invalid: 140,73.6,',
    ]);
    const found = await run(['list', snapshot(...given), '-q', '--where', 'score<100']);
    expect(found.stdout).toBe('');
  });

  it('has one order of preference for scope 2: market-based, location-based, total', async () => {
    const [market, location, total] = [5, 500, 501];
    const of = (id: number, scope2: object, joint: object = {}) => ({
      id,
      performances: [
        {
          year: 2024,
          emissions: { scope_1: { total: 10 }, scope_2: scope2, scope_1_and_2: joint },
        },
      ],
    });
    const methods = { total_market_based: market, total_location_based: location, total };
    const path = snapshot(
      of(1, methods),
      of(2, { total_location_based: location, total }),
      of(3, { total }, { total: 511 }),
      of(4, methods, { total: 511 }),
      of(5, methods, { total_market_based: 14.9 }),
    );
    const words = ['--columns', 'scope_2,scope_2_method,scope_1_and_2,scope_1_and_2_method'];
    expect((await run(['list', path, ...words])).stdout.split('\n')).toEqual([
      '5\ttotal_market_based\t15\ttotal_market_based',
      '500\ttotal_location_based\t510\ttotal_location_based',
      '501\ttotal\t511\ttotal',
      '5\ttotal_market_based\t15\ttotal_market_based',
      '5\ttotal_market_based\t14.9\ttotal_market_based',
      '',
    ]);
  });

  describe('with amounts of several currencies', () => {
    const of = (id: number, revenue: number | undefined, revenue_currency?: string) => ({
      id,
      hq_region: revenue_currency === 'EUR' ? 'DE' : 'US',
      performances: [{ year: 2024, revenue, revenue_currency, emission_factor: 0.5 }],
    });
    const path = () =>
      snapshot(of(1, 30, 'EUR'), of(2, 40, 'USD'), of(3, undefined, 'JPY'), of(4, 50));
    const listIds = async (...words: readonly string[]) => {
      const { exit, stdout, stderr } = await run(['list', path(), '--columns', 'id', ...words]);
      return [exit, stdout.trimEnd().split('\n').join(), stderr.trimEnd()];
    };

    it('sorts them with a warning', async () => {
      const said =
        '4 companies, none of them with emissions. All 4 companies have no emissions (in research).';
      expect(await listIds('--sort', 'hq_region,-revenue')).toEqual([
        0,
        '1,4,2,3',
        `Warning: --sort compares revenue in EUR and USD, and carbon converts no currencies. To sort one: --where revenue_currency=EUR\n${said}`,
      ]);
      const one = ['--sort', '-revenue', '--where', 'revenue_currency=eur'];
      expect((await listIds(...one)).slice(0, 2)).toEqual([0, '1']);
      expect((await listIds(...one))[2]).not.toContain('Warning');
      expect((await listIds('--sort', '-emission_factor'))[2]).toContain('in EUR and JPY and USD');
      expect((await listIds('--sort', 'id'))[2]).toBe(said);
    });

    it('refuses a condition on them, unless the other conditions leave one currency', async () => {
      expect(await listIds('--where', 'revenue>10', '--where', 'revenue<45')).toEqual([
        2,
        '',
        'Error: --where compares revenue in EUR and USD, and carbon converts no currencies\nHint: Add --where revenue_currency=EUR.',
      ]);
      expect((await listIds('--where', 'emission_factor>0.1'))[0]).toBe(2);
      expect((await listIds('--where', 'revenue>10', '--where', 'id<2'))[1]).toBe('1');
      expect((await listIds('--where', 'revenue>10', '--where', 'revenue_currency=USD'))[1]).toBe(
        '2',
      );
      expect((await listIds('--where', 'revenue!=', '--where', 'score='))[1]).toBe('1,2,4');
    });
  });

  it('passes the selected records on unchanged', async () => {
    const exact = '{"id":7,"z":1.0,"big":12345678901234567890,"name":"A","z":"\\u0041"}';
    const wrapped = `{"line":2,"ok":true,"id":8,"status":"synced","record":{"id":8,"x":1e2,"s":"a]}\\""}}`;
    const path = snapshot(exact, wrapped);
    const { stdout } = await run(['list', path, '--json']);
    expect(stdout.split('\n')).toEqual([exact, '{"id":8,"x":1e2,"s":"a]}\\""}', '']);
    const sorted = await run(['list', path, '--json', '--sort', '-id', '--where', 'id<9']);
    expect(sorted.stdout.split('\n')).toEqual(['{"id":8,"x":1e2,"s":"a]}\\""}', exact, '']);
  });

  it('uses the latest record of an organization, even if only an earlier one meets the conditions', async () => {
    const stdin = '{"id":1,"score":0.1}\n{"id":2,"score":0.2}\n{"id":1,"score":0.9}\n';
    const { stdout, stderr } = await run(['list', '-', '-q', '--where', 'score<50'], { stdin });
    expect([stdout, stderr]).toEqual(['2\n', '']);
  });

  it('prints no further row after Ctrl-C', async () => {
    const stop = new AbortController();
    const many = Array.from({ length: 10_000 }, (_, index) => ({ id: index + 1 }));
    const { exit, stdout } = await run(['list', snapshot(...many), '-q'], {
      signal: stop.signal,
      onOutput: () => stop.abort(stopped('SIGINT')),
    });
    expect([exit, stdout.startsWith('1\n2\n'), stdout.length < 40_000]).toEqual([130, true, true]);
  });

  it.each([
    [['--columns', 'id', '--json'], '--columns cannot be combined with JSON'],
    [
      ['--where', 'hq_region=Germny'],
      '"Germny" is no country, which hq_region contains\nHint: Did you mean DE?',
    ],
    [['--where', 'country DE'], 'Did you mean --where "country=DE"?'],
    [['--where', 'hq_region=Xyzzy'], 'Use a code of two letters, such as DE.'],
    [
      ['--where', 'sbti_near_term=valid'],
      'Use one of set (validated), committed, removed, none (no target), with_target (without a status).',
    ],
    [['--top', '0'], '--top: "0" is not a whole number from 1 to 1000000'],
    [['--sum', 'scope_1'], '--sum needs --group-by'],
    [['--group-by', 'country', '--sum', 'scope_3'], 'counts emissions twice'],
    [['--group-by', 'country', '--sum', 'total'], 'a total contains scope 3'],
    [['--group-by', 'country', '--sum', 'score'], 'a sum of scores or factors has no meaning'],
    [['--group-by', 'country', '--sum', 'name'], 'it is not an amount'],
  ])('refuses %j', async (words, message) => {
    const { exit, stdout, stderr } = await list(...words);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});

describe('carbon list of several years', () => {
  const disclosing = (id: number, year: number, market: number) => ({
    ...{ id, name: `Company ${id}`, status: 'synced' },
    performances: [
      { year, emissions: { scope_2: { total_market_based: market }, total: 10 * market } },
    ],
  });
  const path = () =>
    snapshot(
      ...[disclosing(1, 2025, 70), disclosing(2, 2019, 90), disclosing(3, 2025, 80)],
      ...[
        disclosing(4, 2022, 60),
        { id: 5, name: 'Company 5', status: 'synced', performances: [{ year: 2020 }] },
      ],
    );

  it.each([[], ['--columns', 'name,scope_2,total']])(
    'marks figures of another year than most in a terminal (%s %s)',
    async (...words) => {
      const sorted = ['list', path(), '--sort', '-total', ...words];
      const { stdout, stderr } = await run(sorted, { terminal: 80 });
      expect(stdout).toMatch(/Company 2 .* 90\*§ .*900§/);
      expect(stdout).toMatch(/Company 3 .* 80\* {2}.*800( {2}.*)?$/m);
      expect(stdout).toMatch(/^\* market-based · § of 2019 to 2022, not 2025$/m);
      expect(stderr.replace(/\n */g, ' ')).toContain(
        'Figures are of 2025, those of 2 companies of 2019 to 2022.',
      );
    },
  );

  it('speaks of the years of what it shows alone', async () => {
    const said = async (...words: string[]) => (await run(['list', path(), ...words])).stderr;
    expect(await said('--top', '2')).toContain('those of 1 company of 2019.');
    for (const words of [
      ['--where', 'year=2025'],
      ['--columns', 'name,score'],
      ['--group-by', 'hq_region'],
      ['--years'],
    ])
      expect(await said(...words)).not.toContain('Figures are of');
    const { statements } = JSON.parse(await said('--json')).summary;
    expect(statements.at(-1)).toMatchObject({ year: 2025, others: 2, from: 2019, to: 2022 });
  });
});

describe('carbon list --years', () => {
  const record = {
    id: 1,
    name: 'A',
    hq_region: 'DE',
    performances: [
      { year: 2023, region: 'FR', emissions: { scope_1: { total: 1 } } },
      { year: 2024, region: 'DE', emissions: { scope_1: { total: 2 }, scope_2: { sum: 3 } } },
      { year: 2023, region: 'DE', emissions: {} },
    ],
  };

  it('has a row for each year and region, the latest year first', async () => {
    const words = ['--years', '--columns', 'year,region,scope_1,scope_2,scope_2_method'];
    expect((await run(['list', snapshot(record), ...words, '--csv'])).stdout).toBe(
      'year,region,scope_1,scope_2,scope_2_method,synthetic\r\n2024,DE,2,3,sum,\r\n2023,DE,,,,\r\n2023,FR,1,,,\r\n',
    );
    const selection = ['--where', 'year<2024', '--sort', '-scope_1', '--columns', 'region'];
    const { stdout, stderr } = await run([
      ...['list', snapshot(record), '--years', '--csv'],
      ...selection,
    ]);
    expect([stdout, stderr]).toEqual([
      'region,synthetic\r\nFR,\r\nDE,\r\n',
      '2 of 3 rows meet year<2024.\n',
    ]);
  });
});

describe('carbon list --group-by', () => {
  const of = (
    id: number,
    region: string | null,
    scope1?: number,
    currency?: string,
    year = 2024,
  ) => ({
    id,
    hq_region: region,
    performances: [
      {
        year,
        revenue: 10,
        revenue_currency: currency,
        emissions: { scope_1: { total: scope1 } },
      },
    ],
  });
  const path = () =>
    snapshot(
      of(1, 'DE', 5, 'EUR'),
      of(2, 'de', 7, 'USD', 2023),
      of(3, 'AT', 7, 'EUR'),
      of(4, null),
    );

  it('adds up what is of no year without years', async () => {
    const records = snapshot(
      { ...of(1, 'DE', 5), sources: [{ url: 'a' }] },
      of(2, 'DE', 7, 'EUR', 2023),
    );
    const words = ['--group-by', 'country', '--sum', 'sources_count', '--csv'];
    const { stdout, stderr } = await run(['list', records, ...words]);
    expect(stdout.split('\r\n').slice(0, 2)).toEqual([
      'hq_region,organizations,sources_count,sources_count_organizations,sources_count_years,synthetic',
      'DE,2,1,1,,',
    ]);
    expect(stderr).not.toContain('figures of');
  });

  it('counts and sums, with the number of organizations behind each sum', async () => {
    const words = ['--group-by', 'country', '--sum', 'scope_1,scope_2'];
    expect((await run(['list', path(), ...words, '--csv'])).stdout.split('\r\n')).toEqual([
      'hq_region,organizations,scope_1,scope_1_organizations,scope_1_years,scope_2,scope_2_organizations,scope_2_years,synthetic',
      'DE,2,12,2,2023 to 2024,,0,,',
      'AT,1,7,1,2024,,0,,',
      ',1,,0,,,0,,',
      '',
    ]);
    expect(
      await transcript(['list', path(), ...words, '--where', 'id<4'], { terminal: 80 }),
    ).toMatchInlineSnapshot(`
      "country  companies  scope_1  years         scope_2  years
      ───────  ─────────  ───────  ────────────  ───────  ─────
      DE               2   12 (2)  2023 to 2024    – (0)  –
      AT               1    7 (1)  2024            – (0)  –
      in parentheses: how many have the figure
      --- stderr
      3 of 4 companies meet id<4.
        How sure: Quote no amount before its unit is known: compare one with the
          company's own report, then add --unit. The sums add up figures of 2023 to
          2024: for one year, use --years --where year=2024.
      --- exit 0"
    `);
    expect((await run(['list', path(), ...words, '--json', '--top', '1'])).stdout).toBe(
      '{"hq_region":"DE","organizations":2,"scope_1":12,"scope_1_organizations":2,"scope_1_years":"2023 to 2024","scope_2":null,"scope_2_organizations":0,"scope_2_years":null,"synthetic":null}\n',
    );
  });

  it('fits in a terminal with short numbers, and equal years once', async () => {
    const years = (id: number, region: string, scope_1: number) => ({
      id,
      hq_region: region,
      performances: [
        { year: 2024, emissions: { scope_1: { total: scope_1 }, scope_2: { total: 7.5e9 } } },
      ],
    });
    const path = snapshot(years(1, 'DE', 12_345_678_901), years(2, 'DE', 1e9), years(3, 'AT', 7));
    const words = ['list', path, '--group-by', 'country', '--sum', 'scope_1,scope_2'];
    const { stdout } = await run(words, { terminal: 60 });
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      'country  companies    scope_1    scope_2  years',
      '───────  ─────────  ─────────  ─────────  ─────',
      'DE               2  13.3B (2)  15.0B (2)  2024',
      'AT               1      7 (1)  7.50B (1)  2024',
    ]);
    expect((await run(words)).stdout).toContain('DE\t2\t13345678901\t2\t2024\t15000000000');
  });

  it('shows words of codes in a terminal and a workbook, and codes in a pipe', async () => {
    const record = (id: number, target_status: string, status = 'synced') => ({
      id,
      status,
      sbti: { data: [{ near_term: { has_target: target_status === 'set', target_status } }] },
    });
    const path = snapshot(record(1, 'set'), record(2, 'committed', 'errored'));
    const words = ['list', path, '--group-by'];
    const targets = await run([...words, 'sbti_near_term'], { terminal: 80 });
    expect(targets.stdout).toMatch(/^validated +1$/m);
    const states = await run([...words, 'status'], { terminal: 80 });
    expect(states.stdout).toMatch(/^✗ errored +1$/m);
    expect((await run([...words, 'sbti_near_term'])).stdout).toMatch(/^set\t1$/m);
    const out = join(newFolder(), 'groups.xlsx');
    await run([...words, 'sbti_near_term', '-o', out]);
    expect((await readCells(out)).flat()).toContain('target validated');
    const all = await run(['list', path, '--columns', 'id,sbti_near_term'], { terminal: 80 });
    expect(all.stdout).toMatch(/^ 1 +validated$/m);
  });

  it('says the unit of emissions once, and only where there are any', async () => {
    const words = ['list', path(), '--group-by', 'country', '--sum', 'scope_1', '--top', '1'];
    const piped = await run([...words, '--unit', 't']);
    expect(piped.stderr).toMatch(/\. Emissions in t\.\n$/);
    expect(piped.stdout).toBe('DE\t2\t12\t2\t2023 to 2024\n');
    const shown = await run([...words, '--unit', 't'], { terminal: 80 });
    expect(shown.stdout).toMatch(/^country {2}companies {2}scope_1 \(t\) /);
    const usual = await run(['list', path(), '--unit', 't'], { terminal: 80 });
    expect(usual.stdout).not.toContain('(t)');
    const json = await run([...words, '--unit', 'kg', '--json']);
    expect(JSON.parse(json.stderr).summary.unit).toBe('kg');
    for (const others of [['--columns', 'id,name'], ['-q']])
      expect((await run(['list', path(), ...others])).stderr).not.toContain('Unit');
  });

  it('never mixes currencies in a sum of revenue', async () => {
    const words = ['--group-by', 'country', '--sum', 'revenue', '--csv', '--where', 'country=DE'];
    expect((await run(['list', path(), ...words])).stdout.split('\r\n')).toEqual([
      'hq_region,revenue_currency,organizations,revenue,revenue_organizations,revenue_years,synthetic',
      'DE,EUR,1,10,1,2024,',
      'de,USD,1,10,1,2023,',
      '',
    ]);
  });

  it('adds up the newest record of a matched organization, and counts every organization', async () => {
    const member = (id: number, scope1: number, day: string) => ({
      ...{ ok: true, id, retrieved_at: `${day}T00:00:00Z` },
      record: { ...of(id, 'DE', scope1, 'EUR'), matching_organization: { id: 7 } },
    });
    const records = [member(1, 9, '2026-02-01'), member(2, 8, '2026-01-01'), of(3, 'DE', 1, 'EUR')];
    const words = ['--group-by', 'country', '--sum', 'scope_1,revenue'];
    const { stdout, stderr } = await run(['list', snapshot(...records), ...words]);
    expect(stdout).toBe('DE\tEUR\t3\t10\t2\t2024\t20\t2\t2024\n');
    expect(stderr).toBe(
      '3 companies, all of them with emissions. The sums leave out 1 company whose matched organization has a newer record here. Unit unknown (if you know it: --unit t or --unit kg). Records retrieved 1 Jan to 1 Feb 2026.\n',
    );
  });

  describe('--years --sum', () => {
    const scope1 = (region: string, total?: number, year = 2024) => ({
      year,
      region,
      revenue: 1,
      revenue_currency: 'EUR',
      emissions: { scope_1: { total } },
    });
    const several = () =>
      snapshot(
        { id: 1, hq_region: 'DE', performances: [scope1('DE', 40), scope1('GLOBAL', 100)] },
        { id: 2, hq_region: 'DE', performances: [scope1('GLOBAL'), scope1('DE', 7)] },
        { id: 3, hq_region: 'DE', performances: [scope1('FR', 3), scope1('DE', 2, 2023)] },
      );
    const group = async (...words: readonly string[]) => {
      const { stdout, stderr } = await run(['list', several(), '--years', '--group-by', ...words]);
      return [...stdout.trimEnd().split('\n'), stderr.trimEnd()];
    };

    it('adds up one region of each organization and year, the one that report uses', async () => {
      expect(await group('hq_region', '--sum', 'scope_1', '--where', 'year=2024')).toEqual([
        'DE\t3\t110\t3\t2024',
        '5 of 6 rows meet year=2024. One region counts for each company and year: 2 rows of other regions left out. Unit unknown (if you know it: --unit t or --unit kg).',
      ]);
    });

    it('chooses the region after --where, and adds up by region', async () => {
      expect(await group('hq_region', '--sum', 'scope_1', '--where', 'region=DE')).toEqual([
        'DE\t3\t49\t3\t2023 to 2024',
        '3 of 6 rows meet region=DE. The sums add up figures of 2023 to 2024: for one year, use --years --where year=2024. Unit unknown (if you know it: --unit t or --unit kg).',
      ]);
      expect(await group('region', '--sum', 'scope_1')).toEqual([
        'GLOBAL\t2\t100\t1\t2024',
        'DE\t3\t49\t3\t2023 to 2024',
        'FR\t1\t3\t1\t2024',
        '3 companies, all of them with emissions. The sums add up figures of 2023 to 2024: for one year, use --years --where year=2024. Unit unknown (if you know it: --unit t or --unit kg).',
      ]);
    });

    it('counts all rows without a sum', async () => {
      expect(await group('year')).toEqual([
        ...['2024\t5', '2023\t1', '3 companies, all of them with emissions.'],
      ]);
    });
  });
});
