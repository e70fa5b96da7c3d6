import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { workbook } from '../../../lists/workbook/archives.ts';
import { readCells } from '../../../lists/workbook/read.ts';
import { codeBlocks } from '../../../support/documents.ts';
import { jsonLines, newFolder, run, transcript } from '../../../support/run.ts';
import { serve } from '../../../support/server.ts';

const sources = [{ url: 'https://example.com' }];
const acme = {
  id: 1,
  name: 'Acme AG',
  sources,
  matching_organization: { id: 7, name: 'Acme' },
  performances: [
    {
      year: 2025,
      revenue: 1,
      revenue_currency: 'EUR',
      emission_factor: 500,
      emissions: { total: 500 },
    },
  ],
  industry: { performances: [{ year: 2025, emission_factor: 0.5 }] },
};
const globex = { id: 2, name: '=Globex', score: 48, matching_organization: { id: 7 } };
const initech = { id: 3, name: 'Initech', status: 'synced' };

function newFiles(files: Readonly<Record<string, string | readonly object[]>>) {
  const folder = newFolder();
  const paths = Object.entries(files).map(([name, content]) => {
    const path = join(folder, name);
    const text =
      typeof content === 'string'
        ? content
        : content.map((record) => `${JSON.stringify(record)}\n`).join('');
    writeFileSync(path, text);
    return path;
  });
  return { folder, paths };
}

describe('carbon check', () => {
  it('lists what cannot be right, and exits with 10', async () => {
    const { paths } = newFiles({ 'records.ndjson': [acme, globex, initech] });
    expect(await transcript(['check', ...paths])).toMatchInlineSnapshot(`
      "2	=Globex	match_shared	error	7			matched to Acme (7), as is ID 1	correct the list
      2	=Globex	percent_score	error	48	1		score is 48, not from 0 to 1	ask the service
      1	Acme AG	match_shared	warning	7			matched to Acme (7), as is ID 2	correct the list
      1	Acme AG	benchmark	warning	1000	10	2025	factor 500 is 1,000 times the industry average, 0.5 (2025)	ask the service
      3	Initech	match_none	notice				the service found no organization that fits	correct the list
      --- stderr
      1 of 3 records cannot be right, 1 should be looked at (2 errors, 2 warnings); 1 more has a notice. No total uses figures with an error. Totals use the figures with a warning. Names were not compared: --list reads the list that you registered.
      match_shared: find out which of the rows is the matched organization, and correct the others
      percent_score: ask the service whether the score is a percentage
      benchmark: ask the service whether unit and industry are right
      match_none: fill a new column Website for all their rows, then run carbon sync --map website=Website
      --- exit 10"
    `);
    expect(
      await transcript(['check', ...paths], { terminal: 80, env: { NO_COLOR: '1' } }),
    ).toMatchInlineSnapshot(`
      "Same match as another (error, 1 company)
        2  =Globex        matched to Acme (7), as is ID 1
      Score above 1 (error, 1 company)
        2  =Globex        score is 48, not from 0 to 1
      Same match as another (warning, 1 company)
        1  Acme AG        matched to Acme (7), as is ID 2
      Unlike industry (warning, 1 company)
        1  Acme AG  2025  factor 500 is 1,000 times the industry average, 0.5 (2025)
      No match (notice, 1 company)
        3  Initech        the service found no organization that fits
      --- stderr
      1 of 3 records cannot be right, 1 should be looked at (2 errors, 2 warnings);
        1 more has a notice.
        How sure: No total uses figures with an error. Totals use the figures with a
          warning. Names were not compared: --list reads the list that you registered.
      Hint: Same match as another: find out which of the rows is the matched
        organization, and correct the others. Score above 1: ask the service whether
        the score is a percentage. Unlike industry: ask the service whether unit and
        industry are right. No match: fill a new column Website for all their rows,
        then run carbon sync --map website=Website.
      --- exit 10"
    `);
  });

  it('shows the finding of several years once in a terminal, and each elsewhere', async () => {
    const of = (year: number, total: number) => {
      return { year, revenue: 10, emission_factor: 90, emissions: { total } };
    };
    const years = [of(2025, 900), of(2024, 1_000), of(2023, 980), of(2021, 300)];
    const { paths } = newFiles({
      'records.ndjson': [
        { ...acme, industry: undefined, performances: years },
        { id: 3, name: 'Initech', sources, performances: years.slice(2) },
      ],
    });
    const { stdout } = await run(['check', ...paths], { terminal: 100, env: { NO_COLOR: '1' } });
    expect(stdout).toMatchInlineSnapshot(`
      "Factor and emissions disagree (warning, 2 companies)
        1  Acme AG  2021, 2023 and 2024  emission factor × revenue is 10.0% below the emissions (2024)
        3  Initech  2021 and 2023        emission factor × revenue is 8.2% below the emissions (2023)
      For each year of a finding, add --json or --csv
      "
    `);
    const found = jsonLines((await run(['check', ...paths, '--json'])).stdout);
    expect(found.map(({ id, year, value }) => [id, year, value])).toEqual([
      [1, 2024, 0.9],
      [1, 2023, 0.9184],
      [1, 2021, 3],
      [3, 2023, 0.9184],
      [3, 2021, 3],
    ]);
  });

  it('finds a match that changed in the history of a synced list', async () => {
    const { paths } = newFiles({ 'list.csv': 'name,country\nAcme,DE\n' });
    const [list = ''] = paths;
    await run(['sync', list, '--sandbox', '--timeout', '60s']);
    const { id, record } = JSON.parse(readFileSync(`${list}.sandbox.records.ndjson`, 'utf8'));
    const other = { ...record, matching_organization: { id: 'x', name: 'Other' } };
    const head = `"id":${id},"currency":null,"valid_from":"2020-01-05T00:00:00.000Z"`;
    writeFileSync(
      `${list}.sandbox.history.ndjson`,
      `{${head},"record":${JSON.stringify(other)}}\n`,
    );
    const { stdout, exit } = await run(['check', list, '--json']);
    const [found] = stdout.split('\n').filter((line) => line.includes('match_changed'));
    expect([exit, JSON.parse(found ?? '')]).toEqual([
      0,
      {
        id,
        name: record.name,
        rule: 'match_changed',
        severity: 'warning',
        value: record.matching_organization.id,
        limit: 'x',
        year: null,
        evidence: expect.stringMatching(
          /^matched to .* since \d+ [A-Z][a-z]{2} \d{4}, before that to Other \(x\)$/,
        ),
        action: 'accept if acquired',
        synthetic: true,
      },
    ]);
  });

  it('shows the whole evidence in a terminal', async () => {
    const name = 'Kessler '.repeat(12).trim();
    const { folder, paths } = newFiles({
      'list.csv': `carbon_id,name\n1,Other GmbH\n`,
      'records.ndjson': [{ id: 1, name: 'Other GmbH', matching_organization: { id: 2, name } }],
    });
    const [list = '', records = ''] = paths;
    const words = ['check', records, '--list', list, '--map', 'id=carbon_id'];
    const { stdout } = await run(words, { home: folder, terminal: 80 });
    const { evidence } = JSON.parse((await run([...words, '--json'])).stdout);
    const namesIn = (text: string) => text.match(/Kessler/g)?.length;
    expect(namesIn(stdout)).toBe(namesIn(evidence));
  });

  describe('with --list', () => {
    const matched = (id: number, name: string, more: object = {}) => ({
      id,
      name,
      matching_organization: { id: id + 100, name },
      ...more,
    });
    const check = async (list: string, records: readonly object[], ...options: string[]) => {
      const { folder, paths } = newFiles({ 'list.csv': list, 'records.ndjson': records });
      const [path = '', input = ''] = paths;
      const result = await run(['check', input, '--list', path, ...options]);
      return { ...result, stderr: result.stderr.replaceAll(folder, '.') };
    };

    it('compares every row of an organization, and counts what it could not compare', async () => {
      const list = [
        'Supplier;Country;carbon_id;LEI',
        'Siemens;DE;1;529900T8BM49AURSDO55',
        'Siemens;DE;01;529900T8BM49AURSDO55',
        'Siemens Energy;US;1;',
        'Alphabet;US;2;',
        'Initech;;;',
        'Bank of China;CN;9;',
        'Total;;;',
      ];
      const records = [
        matched(1, 'Siemens AG', { hq_region: 'DE' }),
        matched(2, 'Google LLC'),
        matched(3, 'Umbrella'),
      ];
      const { exit, stdout, stderr } = await check(`${list.join('\n')}\n`, records);
      expect([exit, stdout, stderr]).toMatchInlineSnapshot(`
        [
          10,
          "2	Google LLC	match_differs	error	Google LLC	Alphabet		Alphabet was matched to Google LLC	correct the list
        1	Siemens AG	match_review	warning	Siemens AG	Siemens Energy		Siemens Energy was matched to Siemens AG	correct the list
        1	Siemens AG	match_country	warning	DE	US		the list has US, the record DE	correct the list
        ",
          "1 of 3 records cannot be right, 1 should be looked at (1 error, 2 warnings). No total uses figures with an error. Totals use the figures with a warning. Compared with 4 rows of ./list.csv. Not compared: 1 row without an ID, 1 row without a record, 1 record without a row.
        match_differs, match_review: compare the names, and correct the row if it is another organization
        match_country: correct the country of the row, if your supplier is in another one
        ",
        ]
      `);
    });

    it('treats an ID cell of a workbook with an error as empty', async () => {
      const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
      const cells = [
        text('name') + text('carbon_id'),
        `${text('Acme')}<c><v>1</v></c>`,
        `${text('Globex')}<c t="e"><v>#REF!</v></c>`,
      ];
      const list = join(newFolder(), 'list.xlsx');
      writeFileSync(list, await workbook(cells.map((row) => `<row>${row}</row>`).join('')));
      const { paths } = newFiles({ 'records.ndjson': [matched(1, 'Acme')] });
      const { exit, stderr } = await run(['check', ...paths, '--list', list]);
      expect([exit, stderr]).toEqual([
        0,
        expect.stringContaining('Not compared: 1 row without an ID'),
      ]);
    });

    it('finds the ids in the journal of the list', async () => {
      const { paths } = newFiles({ 'list.csv': 'name,country\nAcme,DE\nGlobex,US\n' });
      const [list = ''] = paths;
      const { stdout } = await run(['batch', list, '--sandbox', '-q']);
      const [first = 0, second = 0] = stdout.trim().split('\n').map(Number);
      const synthetic = { sandbox: 'synthetic' };
      const records = [matched(first, 'Acme', synthetic), matched(second, 'Hooli', synthetic)];
      const { paths: files } = newFiles({
        'records.ndjson': records,
        'other.ndjson': records.map((record) => ({ ...record, sandbox: undefined })),
      });
      const [own = '', other = ''] = files;
      const found = await run(['check', own, '--list', list]);
      expect(found).toMatchObject({ exit: 10, stdout: expect.stringContaining('match_differs') });
      expect(found.stdout.trim().split('\n')).toHaveLength(1);
      expect(await run(['check', other, '--list', list])).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('was registered with sandbox'),
      });
    });

    it.each([
      [
        'no journal and no column with ids',
        'name\nAcme\n',
        'the list has neither a journal nor an ID',
      ],
      ['ids of no record', 'name,carbon_id\nAcme,7\n', 'no row belongs to a record'],
      ['other ids', 'name,carbon_id\nAcme,S-7\n', 'line 2: "S-7" in column "carbon_id"'],
      ['no name', 'price\n12\n', 'name'],
    ])('ends with an error for a list with %s', async (_, list, message) => {
      const { exit, stderr } = await check(list, [matched(1, 'Acme')]);
      expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
    });

    it.each(['Report,,\nWho,Where,What\nAcme,DE,1\nB,FR,2\n', 'Country\nName,Country\nA,DE\n'])(
      'takes the option that it proposes for a header below other lines: %j',
      async (list) => {
        const { exit, stderr } = await check(list, []);
        expect([exit, stderr]).toEqual([2, expect.stringContaining('--skip-lines 1')]);
        const again = await check(list, [], '--skip-lines', '1');
        expect(again.stderr).not.toContain('--skip-lines');
      },
    );

    it('takes the column with ids from --map, which needs the list', async () => {
      const records = [matched(1, 'Acme')];
      const { exit } = await check('name,id\nAcme,1\n', records, '--map', 'id=id');
      expect(exit).toBe(0);
      const { paths } = newFiles({ 'records.ndjson': records });
      expect(await run(['check', ...paths, '--map', 'id=id'])).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('--map needs --list'),
      });
    });
  });

  it('prints what the documentation shows of a synced list', async () => {
    const [example = ''] = codeBlocks('text', ['docs/report.md']);
    const figures = { year: 2025, revenue: 1000, emission_factor: 500, emissions: { total: 500 } };
    const recordOf = (id: number, name: string, match: string, performances: object[]) => ({
      ...{ id, name, status: 'synced', matching_organization: { name: match }, performances },
    });
    const siemens = recordOf(1, 'Siemens AG', 'Siemens Energy AG', []);
    const acmeLtd = recordOf(2, 'Acme', 'Acme Ltd', [figures]);
    const { env, seen } = await serve((response) => {
      const { path, body = '' } = seen.at(-1) ?? {};
      const isOfSiemens = body.includes(siemens.name) || path?.endsWith('/1');
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(isOfSiemens ? siemens : acmeLtd));
    });
    const { folder: home } = newFiles({ 'suppliers.csv': 'Supplier\nSiemens AG\nAcme\n' });
    const before = process.cwd();
    process.chdir(home);
    onTestFinished(() => process.chdir(before));
    const world = { home, env: { ...env, NO_COLOR: '1' } };
    await run(['sync', 'suppliers.csv'], world);
    let printed = '';
    const onOutput = (text: string) => {
      printed += text;
    };
    await run(['check', 'suppliers.csv'], { ...world, terminal: 80, onOutput });
    const [command, findings = ''] = example.split('...\n');
    expect(command).toBe('$ carbon check suppliers.csv\n');
    expect(findings).toContain('warning');
    expect(printed).toContain(findings);
  });

  it('says that the records of the sandbox are synthetic, even without findings', async () => {
    const match = { id: 8, name: 'Initech' };
    const record = { ...initech, matching_organization: match, sandbox: 'synthetic' };
    const { paths } = newFiles({ 'records.ndjson': [record] });
    const { exit, stderr } = await run(['check', ...paths], { terminal: 160 });
    expect([exit, stderr]).toEqual([
      0,
      expect.stringMatching(/in 1 record \(no findings\)\.\n {2}How sure: Names were not compared/),
    ]);
    expect(stderr.replace(/\s+/g, ' ')).toContain('Synthetic sandbox data, not real research.');
  });

  it('finds records of one matched organization with different emissions', async () => {
    const line = (id: number, day: string, scope1: number) => ({
      ...{ ok: true, id, retrieved_at: `2026-01-${day}T00:00:00Z` },
      record: {
        ...{ id, name: 'Acme', matching_organization: { id: 7, name: 'Acme' } },
        performances: [{ year: 2024, emissions: { scope_1: { total: scope1 } } }],
      },
    });
    const { paths } = newFiles({ 'records.ndjson': [line(1, '02', 5), line(2, '03', 6)] });
    const { exit, stdout, stderr } = await run(['check', ...paths, '--json']);
    expect(exit).toBe(0);
    expect(jsonLines(stdout)).toContainEqual({
      ...{ id: 1, name: 'Acme', rule: 'match_figures', severity: 'warning' },
      ...{ value: '7', limit: null, year: null, action: 'sync the list', synthetic: false },
      evidence:
        'emissions differ from those of Acme (2), the newest record of matched organization 7',
    });
    expect(jsonLines(stdout).filter(({ rule }) => rule === 'match_figures')).toHaveLength(1);
    expect(jsonLines(stderr).at(-1)).toMatchObject({
      summary: { records_from: '2026-01-02', records_to: '2026-01-03', as_of: null },
    });
  });

  it('prints the ids of organizations with findings, and writes a file', async () => {
    const { folder, paths } = newFiles({ 'records.ndjson': [acme, globex, { id: 4 }] });
    expect((await run(['check', ...paths, '-q'])).stdout).toBe('2\n1\n');
    const out = join(folder, 'findings.csv');
    expect(await run(['check', ...paths, '-o', out])).toMatchObject({ exit: 10, stdout: '' });
    expect(readFileSync(out, 'utf8')).toContain("'=Globex");
    const workbook = join(folder, 'findings.xlsx');
    await run(['check', ...paths, '-o', workbook]);
    const [header, ...rows] = await readCells(workbook, { sheet: 'Findings' });
    expect(header).toEqual([
      'ID',
      'Name',
      'Finding',
      'Severity',
      'Compared',
      'Found',
      'Expected',
      'Year',
      'What the record says',
      'What to do',
      'Synthetic',
    ]);
    expect(rows.map((row) => row[2])).toContain('score above 1');
    expect(readFileSync(out, 'utf8')).toContain(',percent_score,');
    const columns = (await readCells(workbook, { sheet: 'Columns' })).flat().join(' ');
    expect(columns).toMatch(/Score above 1 a score above 1\. .*\(percent_score in CSV\)/);
  });
});
