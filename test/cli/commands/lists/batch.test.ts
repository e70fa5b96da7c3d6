import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lockJournal } from '../../../../src/lists/kept/journal.ts';
import { thisMachine } from '../../../../src/runtime/file-lock.ts';
import { readCells } from '../../../lists/workbook/read.ts';
import { VirtualClock } from '../../../support/clock.ts';
import { jsonLines, newFolder, run, transcript } from '../../../support/run.ts';
import { serve } from '../../../support/server.ts';

const messy = [
  'Supplier No;Company Name;Country;Notes',
  '1;Acme AG;Germany;a',
  '2;"Globex; Ltd";United Kingdom (UK);b',
  '1;Acme AG;Germany;again',
  '3;;DE;no name',
  '4;Sandbox 422;DE;refused',
  '',
].join('\r\n');

function suppliers(text = messy): { home: string; path: string; journal: string } {
  const home = newFolder();
  const path = join(home, 'suppliers.csv');
  writeFileSync(path, text);
  return { home, path, journal: `${path}.sandbox.carbon.jsonl` };
}

/* File work is no request: the virtual clock runs on meanwhile, as far as it likes. */
const timeless = (text: string, home: string) =>
  text
    .replaceAll(home, '<home>')
    .replace(/^(Done in|Finished with failures in|Stopped after) [\d hmins]+:/m, '$1 <time>:')
    .replace(/^Registering \d+ of \d+ · .*\n/gm, '')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d (?=\(UTC\)$)/m, '<time> ');

const sandboxed = (path: string, ...flags: string[]) => ['batch', path, '--sandbox', ...flags];

describe('carbon batch', () => {
  it('stops sending while the reader of standard output is slow', { tags: ['long'] }, async () => {
    const clock = new VirtualClock();
    const { url, seen } = await serve((response) =>
      response.end(JSON.stringify({ id: seen.length, status: 'created' })),
    );
    const rows = Array.from({ length: 5_000 }, (_, index) => `Supplier ${index}`).join('\n');
    const { home, path } = suppliers(`name\n${rows}\n`);
    const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'key-12345' };
    let read = () => {};
    let running: ReturnType<typeof run> | undefined;
    const reader = new Promise<void>((resolve) => {
      read = resolve;
    });
    await new Promise<void>((resolve) => {
      running = run(['batch', path, '-q'], { home, env, clock, reader, onOutput: () => resolve() });
    });
    await clock.sleep(3_600_000);
    expect(seen.length).toBeLessThan(5_000);
    read();
    expect((await running)?.stdout.trim().split('\n')).toHaveLength(5_000);
  });

  it('registers a list: check, dry run, run, resume, status and results', async () => {
    const { home, path, journal } = suppliers();
    const out = join(home, 'results.csv');
    const seen = async (...flags: string[]) =>
      timeless(await transcript(sandboxed(path, ...flags), { home }), home);
    expect(await seen()).toMatchInlineSnapshot(`
      "--- stderr
      Columns: Supplier No → external_id, Company Name → name, Country → hq_region; not used: Notes
      Checked 5 rows: 3 new, 1 duplicate, 1 invalid
      line 5: Company Name is missing: an organization needs a name
      Error: <home>/suppliers.csv has 1 invalid row; nothing was sent
      Hint: Fix the file, or send only the valid rows with --invalid skip.
      --- exit 2"
    `);
    expect(existsSync(journal)).toBe(false);
    expect(await seen('--dry-run', '--invalid', 'skip', '--json')).toMatchInlineSnapshot(`
      "{"line":2,"ok":true,"body":{"name":"Acme AG","hq_region":"DE","external_id":"1"}}
      {"line":3,"ok":true,"body":{"name":"Globex; Ltd","hq_region":"GB","external_id":"2"}}
      {"line":4,"ok":true,"duplicate_of":2}
      {"line":5,"ok":false,"error":{"code":"invalid_input","exit":2,"message":"Company Name is missing: an organization needs a name","retryable":false}}
      {"line":6,"ok":true,"body":{"name":"Sandbox 422","hq_region":"DE","external_id":"4"}}
      --- stderr
      {"level":"detail","text":"Columns: Supplier No → external_id, Company Name → name, Country → hq_region; not used: Notes"}
      {"level":"detail","text":"Checked 5 rows: 3 new, 1 duplicate, 1 invalid"}
      {"level":"result","text":"line 5: Company Name is missing: an organization needs a name"}
      --- exit 9"
    `);
    expect(await seen('--invalid', 'skip', '-o', out)).toMatchInlineSnapshot(`
      "--- stderr
      Columns: Supplier No → external_id, Company Name → name, Country → hq_region; not used: Notes
      Checked 5 rows: 3 new, 1 duplicate, 1 invalid
      line 5: Company Name is missing: an organization needs a name
      Wrote <home>/results.csv (5 rows)
      Rejected: line 6 "Sandbox 422": Unrecognized parameters: This name asks for 422
      To follow the research: carbon sync <home>/suppliers.csv --sandbox --invalid skip
      Finished with failures in <time>: 2 registered, 1 duplicate, 1 rejected, 1 invalid
      --- exit 9"
    `);
    expect(readFileSync(out, 'utf8')).toMatchInlineSnapshot(`
      "﻿Supplier No;Company Name;Country;Notes;carbon_id;carbon_status;carbon_reason;synthetic
      1;Acme AG;Germany;a;1;registered;;true
      2;"Globex; Ltd";United Kingdom (UK);b;2;registered;;true
      1;Acme AG;Germany;again;1;registered;;true
      3;;DE;no name;;invalid;Company Name is missing: an organization needs a name;true
      4;Sandbox 422;DE;refused;;rejected;Unrecognized parameters: This name asks for 422;true
      "
    `);
    expect(await seen('--invalid', 'skip', '-q')).toMatchInlineSnapshot(`
      "1
      2
      1
      --- stderr
      2 rows failed in an earlier run; -o results.xlsx shows why
      --- exit 9"
    `);
    expect(await seen('--status')).toMatchInlineSnapshot(`
      "Nothing to send: 3 of 5 rows registered, 1 rejected, 1 invalid.
      <home>/suppliers.csv: 5 rows, 3 of them registered as 2 organizations
      suppliers.csv.sandbox.carbon.jsonl, last written: <time> (UTC)

      Rows  Registered  Rejected  Invalid  Remaining
      ────  ──────────  ────────  ───────  ─────────
         5           3         1        1          0

      Correct the invalid row:
        line 5: Company Name is missing: an organization needs a name

      Rejected: line 6 "Sandbox 422": Unrecognized parameters: This name asks for 422
      Correct this row. The next run sends corrected rows, and unchanged ones only with --retry-failed.

      To send rejected rows again as they are:
        carbon batch <home>/suppliers.csv --sandbox --invalid skip --retry-failed
      --- exit 9"
    `);

    writeFileSync(path, messy.replace('3;;', '3;Initech;').replace('Sandbox 422', 'Hooli'));
    expect(await seen('-o', out, '--overwrite')).toMatchInlineSnapshot(`
      "--- stderr
      Columns: Supplier No → external_id, Company Name → name, Country → hq_region; not used: Notes
      Checked 5 rows: 2 new, 3 already registered
      Wrote <home>/results.csv (5 rows)
      To follow the research: carbon sync <home>/suppliers.csv --sandbox
      Done in <time>: 2 registered, 3 already registered
      --- exit 0"
    `);
    expect(readFileSync(out, 'utf8')).toContain('4;Hooli;DE;refused;4;registered;');
  });

  it('writes a workbook of results, with the reason of a postponed row', async () => {
    const { url, seen } = await serve((response) => {
      const isBad = seen.at(-1)?.body.includes('Bad') === true;
      response.statusCode = isBad ? 500 : 200;
      const oops = { status: 500, title: 'Oops', detail: 'Cannot read.' };
      response.end(JSON.stringify(isBad ? oops : { id: seen.length, status: 'created' }));
    });
    const { home, path } = suppliers('name,founded\nAcme,1921\nBad,2001\n');
    const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'key-12345' };
    const out = join(home, 'results.xlsx');
    const flags = ['--concurrency', '1', '-o', out];
    expect((await run(['batch', path, ...flags], { home, env })).exit).toBe(9);
    expect(await readCells(out)).toEqual([
      ['name', 'founded', 'carbon_id', 'carbon_status', 'carbon_reason', 'synthetic'],
      ['Acme', '1921', '1', 'registered'],
      ['Bad', '2001', '', 'postponed', expect.stringContaining('failed (500 Oops)')],
    ]);
    const list = await run(['batch', out], { home, env });
    expect([list.exit, list.stderr]).toEqual([2, expect.stringContaining('a table of results')]);
  });

  it('writes results into their own columns when rows have too few or too many cells', async () => {
    const { home, path } = suppliers(
      'vendor,city,note\nAlpha Ltd,Bonn,x\nBeta Ltd\nGamma, Ltd,Ulm,y\nDelta Ltd,Essen,z\n',
    );
    const reason = 'the row has 4 cells, the header has 3';
    const expected = [
      ['vendor', 'city', 'note', '', 'carbon_id', 'carbon_status', 'carbon_reason', 'synthetic'],
      ['Alpha Ltd', 'Bonn', 'x', '', '1', 'registered', '', 'yes'],
      ['Beta Ltd', '', '', '', '2', 'registered', '', 'yes'],
      ['Gamma', ' Ltd', 'Ulm', 'y', '', 'invalid', reason, 'yes'],
      ['Delta Ltd', 'Essen', 'z', '', '3', 'registered', '', 'yes'],
    ];
    const out = (name: string) => join(home, name);
    const write = (name: string) =>
      run(sandboxed(path, '--invalid', 'skip', '--concurrency', '1', '-o', out(name)), { home });
    expect([(await write('r.xlsx')).exit, (await write('r.csv')).exit]).toEqual([9, 9]);
    expect(await readCells(out('r.xlsx'))).toEqual(expected);
    const lines = readFileSync(out('r.csv'), 'utf8').slice(1).trimEnd().split('\r\n');
    expect(lines.map((line) => line.replace(`"${reason}"`, '').split(',').slice(0, 4))).toEqual(
      expected.map((cells) => cells.slice(0, 4)),
    );
    expect(lines[3]).toBe(`Gamma, Ltd,Ulm,y,,invalid,"${reason}",true`);
  });

  it('prints each row as JSON with its record', async () => {
    const { home, path } = suppliers('name\nAcme\nGlobex\nAcme\n');
    const first = await run(sandboxed(path, '--json'), { home });
    const lines = jsonLines(first.stdout);
    expect(lines.sort((a, b) => a.line - b.line)).toMatchObject([
      { line: 2, ok: true, id: 1, status: 'created', record: { id: 1, name: 'Acme' } },
      { line: 3, ok: true, id: 2, status: 'created', record: { id: 2, name: 'Globex' } },
      { line: 4, ok: true, id: 1, duplicate_of: 2 },
    ]);
  });

  it('prints everything with --no-progress when the run fails', async () => {
    const { home, path } = suppliers('name\nAcme\nSandbox 422\n');
    const failed = await transcript(sandboxed(path, '--no-progress'), { home });
    expect(timeless(failed, home)).toMatchInlineSnapshot(`
      "--- stderr
      Columns: name → name
      Checked 2 rows: 2 new
      Rejected: line 3 "Sandbox 422": Unrecognized parameters: This name asks for 422
      Finished with failures in <time>: 1 registered, 1 rejected
      --- exit 9"
    `);
  });

  it('prints the progress once a minute in a pipe, and the summary last', async () => {
    const text = `name\n${Array.from({ length: 70 }, (_, index) => `Supplier ${index}`).join('\n')}\n`;
    const { home, path } = suppliers(text);
    const { exit, stderr } = await run(sandboxed(path, '--rate', '0.35'), { home });
    expect(exit).toBe(0);
    const lines = stderr.trim().split('\n');
    const progress = lines.filter((line) =>
      /^Registering \d+ of 70 · [\d.]+\/s · about [\dhmin s]+ left$/.test(line),
    );
    // Two hundred seconds of sending, and what the check of the file takes of the virtual clock.
    expect(progress.length).toBeGreaterThanOrEqual(3);
    expect(lines.at(-1)).toMatch(/^Done in \d+ min.*: 70 registered$/);
  });

  it('stops at a failing service and prints how to resume', async () => {
    const { url, env, seen } = await serve({ text: '<html>Sign in</html>' });
    const rows = Array.from({ length: 100 }, (_, index) => `Supplier ${index}\n`);
    const { home, path } = suppliers(`name\n${rows.join('')}`);
    const { exit, stderr } = await run(['batch', path, '--restart'], { home, env });
    expect([exit, stderr]).toEqual([6, expect.stringContaining(`${url} responded 200 with a web`)]);
    expect(stderr.trim().split('\n').at(-1)).toMatch(
      /^Stopped after [\d a-z]+: 0 registered, .*Run the same command again without --restart to resume$/,
    );
    expect(seen.length).toBeLessThanOrEqual(40);
  });

  it('lists the first twenty rows of each failure, and all of them with --json', async () => {
    const { url, seen } = await serve((response) => {
      const [, kind = 'Good'] = /(Bad|Wrong) \d+/.exec(seen.at(-1)?.body ?? '') ?? [];
      const status = { Good: 200, Bad: 500, Wrong: 422 }[kind] ?? 200;
      const failure = { status, title: 'Oops', detail: `${kind}.` };
      response.statusCode = status;
      response.end(JSON.stringify(status === 200 ? { id: 1, status: 'created' } : failure));
    });
    const rows = Array.from({ length: 25 }, (_, n) => `Good,\nWrong ${n},\nBad ${n},\nX,x${n}\n`);
    const { home, path } = suppliers(`name,lei\n${rows.join('')}`);
    const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'key-12345' };
    const lines = async (...flags: string[]) => {
      const all = (await run(['batch', path, ...flags], { home, env })).stderr;
      const count = (pattern: RegExp) => all.match(pattern)?.length ?? 0;
      return [
        ...[/^line \d+: lei/gm, /^Rejected: /gm, /^Postponed: line \d+ "Bad /gm].map(count),
        ...(all.match(/^and .*/gm) ?? []),
      ];
    };
    const more = 'and 5 more invalid rows; ';
    for (const flags of [[], ['--dry-run']])
      expect(await lines(...flags)).toEqual([
        20,
        0,
        0,
        `${more}--dry-run --json lists all of them`,
      ]);
    expect(await lines('--invalid', 'skip')).toEqual([
      ...[20, 20, 20],
      `${more}-o results.xlsx lists all of them`,
      'and 5 more rows; -o results.xlsx lists them all',
      'and 5 more rows; -o results.xlsx lists them all',
    ]);
    const json = await run(['batch', path, '--invalid', 'skip', '--json', '--restart'], {
      home,
      env,
    });
    const failed = jsonLines(json.stdout).filter(({ ok }) => !ok);
    expect(failed).toHaveLength(75);
    expect(jsonLines(json.stderr).at(-1)).toMatchObject({
      summary: { registered: 1, duplicate: 24, rejected: 25, invalid: 25, postponed: 25, exit: 9 },
    });
  });

  it('postpones a row with a wrong response, and suggests the base URL only if no row was registered', async () => {
    const { url, env, seen } = await serve((response) => {
      const isBeta = seen.at(-1)?.body.includes('Beta') === true;
      response.statusCode = isBeta ? 404 : 200;
      const body = isBeta ? { detail: 'Not Found' } : { id: seen.length, status: 'new' };
      response.end(JSON.stringify(body));
    });
    const { home, path } = suppliers('name\nAcme\nBeta GmbH\nGamma\n');
    const batch = (...flags: string[]) =>
      run(['batch', path, '--restart', ...flags], { home, env });
    for (const flags of [[], ['--no-progress'], ['-q']]) {
      const { exit, stderr } = await batch(...flags);
      expect(exit).toBe(9);
      expect(stderr).toMatch(/Postponed: line 3 "Beta GmbH": .*http.*\(response text: Not Found\)/);
      expect(stderr).toContain('). The next run retries it.\n');
      expect(stderr).not.toMatch(/base URL|whoami/);
    }
    expect((await batch('--json')).stdout).toContain('(response text: Not Found)');
    writeFileSync(path, 'name\nBeta GmbH\n');
    const { stderr } = await batch();
    expect(stderr).toContain(`Postponed: line 2 "Beta GmbH": ${url} responded 404`);
    expect(stderr).toContain('Check the base URL');
  });

  it('says once which rows the service rejected, or failed on', async () => {
    const { home, path } = suppliers('name\nAcme\nSandbox 422\nSandbox 500\n');
    const { stderr } = await run(sandboxed(path, '--no-progress'), { home });
    expect(timeless(stderr, home)).toMatchInlineSnapshot(`
      "Columns: name → name
      Checked 3 rows: 3 new
      Rejected: line 3 "Sandbox 422": Unrecognized parameters: This name asks for 422
      Postponed: line 4 "Sandbox 500" (service error 500: This name asks for 500). The next run retries it.
      Finished with failures in <time>: 1 registered, 1 rejected, 1 postponed. Run the same command later to retry 1 postponed row
      "
    `);
  });

  it('rejects a second run on the same file, and suggests what to do', async () => {
    const { home, path, journal } = suppliers('name\nAcme\n');
    const lock = await lockJournal(journal, {
      clock: new VirtualClock(),
      machine: { ...thisMachine(process.pid), pid: process.ppid },
      signal: new AbortController().signal,
    });
    const { exit, stdout, stderr } = await run(sandboxed(path), { home });
    lock.release();
    expect([exit, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^Error: Another run is in progress on this file: process \d+ on .*\nHint: Wait until that run ends, or stop it. Then run the same command to resume.*\n$/,
    );
  });

  it.each<[string, string, number, string, ...string[]]>([
    ['a file with a header only', 'name,country\n', 0, 'a header but no rows'],
    ['a file without a name column', 'a,b\n1,2\n', 2, '--map name='],
    [
      'a title above the header',
      'Suppliers 2026;;\n\nSupplier;Country\nA;DE\n',
      0,
      'Header: line 3; skipped 2 lines above it\nColumns: Supplier → name, Country → hq_region\n',
    ],
    [
      'a title that is called as a column',
      'Organization;;\nName;Ort;Land\nA;Ulm;DE\n',
      2,
      'Use --skip-lines 1. If the first line is the header, use --skip-lines 0.',
    ],
    [
      'a row with commas below a header',
      'name;hq_region;notes\nAcme;DE;trademark, name, logo\n',
      0,
      'Columns: name → name',
    ],
  ])('reports %s', async (_, text, code, expected, ...flags) => {
    const { home, path } = suppliers(text);
    const { exit, stderr } = await run(sandboxed(path, ...flags), { home });
    expect(exit).toBe(code);
    expect(stderr).toContain(expected);
  });

  it('reports columns that it does not use, with --no-progress only ambiguous ones', async () => {
    const { home, path } = suppliers('name,URL,Domain,x,Spend EUR\nAcme,a.com,b.com,1,2\n');
    const warning =
      'Warning: Several columns may hold website, so carbon uses none: URL, Domain. Choose one, such as --map website=URL\n';
    const { stderr } = await run(sandboxed(path, '--dry-run'), { home });
    expect(stderr).toContain(
      `Columns: name → name; not used: URL, Domain, x, Spend EUR\n${warning}`,
    );
    const silent = () => run(sandboxed(path, '--no-progress'), { home });
    expect(await silent()).toEqual({ exit: 0, stdout: '', stderr: warning });
    expect(await silent()).toMatchObject({ stderr: '' });
  });

  it('names the rows that it leaves out, whatever the order of their columns', async () => {
    const { home, path } = suppliers('Spend;name\n100;Acme\n50;Globex\n150;Total\n');
    const { stderr } = await run(sandboxed(path, '--dry-run'), { home });
    expect(stderr).toContain('Line 4 "Total" looks like a total');
    const two = suppliers('Spend;name\n100;Acme\n100;Total\n50;Globex\n150;Grand total\n');
    const shown = await run(sandboxed(two.path, '--dry-run'), { home: two.home });
    expect(shown.stderr).toContain('(lines 3, 5): "Total", "Grand total"');
  });

  it('reports findings, and with --no-progress in a successful run only warnings', async () => {
    const { home, path } = suppliers(
      'No.,name,Country\n1,Acme,Germny\nNo.,name,Country\n2,=Globex,-\n3,Acme,Germny\n4,Beta,NA\n,Total,\n',
    );
    const flags = ['--map', 'external_id=No.'];
    const dry = await run(sandboxed(path, '--dry-run', ...flags), { home });
    expect(dry).toMatchObject({ exit: 0, stdout: '' });
    expect(dry.stderr).toMatchInlineSnapshot(`
      "Columns: No. → external_id, name → name, Country → hq_region
      Checked 4 rows: 4 new
      Warning: "NA" in column Country is treated as missing. If you mean Namibia, write "Namibia": 1 row (line 6)
      Repeated header, ignored: 1 row (line 3)
      Warning: Line 7 "Total" looks like a total and was left out; to send it, use --doubtful send
      Warning: Unknown country in column "Country", sent as free text (hq_fuzzy): 2 rows (lines 2, 5): "Germny" (2) (did you mean DE?)
      Treated as missing in column "Country": 1 row (line 4): "-"
      Warning: Same name, different No.: registered as separate organizations: 1 row (line 5): "Acme". To register each name once: --map external_id=
      "
    `);
    expect(await run(sandboxed(path, '--no-progress', ...flags), { home })).toEqual({
      exit: 0,
      stdout: '',
      stderr: dry.stderr.match(/^Warning: (?:Same name|"NA").*\n/gm)?.join(''),
    });
  });

  it('warns about damaged lines of the journal before their rows are sent again', async () => {
    const { home, path, journal } = suppliers('name\nAcme AG\nGlobex\n');
    await run(sandboxed(path), { home });
    writeFileSync(journal, readFileSync(journal, 'utf8').replace('{"key"', '\0'.repeat(6)));
    const { stderr } = await run(sandboxed(path, '--dry-run'), { home });
    expect(stderr).toContain(
      'Warning: 1 line of the journal cannot be read. Their rows are sent again',
    );
  });

  it('sends rows without their invalid identifiers with --invalid drop-ids, and lists each', async () => {
    const text =
      'name,ISIN,LEI,country\nAcme,US0378331006,,DE\nGlobex,US0378331005,x,DE\nHooli,,,XX\n';
    const { home, path } = suppliers(text);
    expect((await run(sandboxed(path), { home })).exit).toBe(2);
    const flags = ['--invalid', 'drop-ids'];
    const dry = await run(sandboxed(path, ...flags, '--dry-run', '--json'), { home });
    expect(dry.stdout.split('\n').slice(0, 2)).toEqual([
      '{"line":2,"ok":true,"body":{"name":"Acme","hq_region":"DE"},"dropped":["isin_number"]}',
      '{"line":3,"ok":true,"body":{"name":"Globex","hq_region":"DE","isin_number":"US0378331005"},"dropped":["lei_number"]}',
    ]);
    const { exit, stderr } = await run(sandboxed(path, ...flags), { home });
    expect(exit).toBe(9);
    expect(stderr).toMatch(
      /^line 2: ISIN "US0378331006" has a wrong check digit.*; will be sent without it\nline 3: LEI "x" is not an LEI.*; will be sent without it\nline 4: country "XX" is not .*\nInvalid identifiers left out: 2$/m,
    );
    expect(stderr).not.toContain('Treated as missing');
    // A row is known by its cells: without the flag it is still done, and with a fixed cell it is
    // another.
    const later = await run(sandboxed(path, '--invalid', 'skip'), { home });
    expect(later.stderr).toContain('2 already registered, 1 invalid');
    expect(later.stderr).not.toContain('identifiers left out');
  });
});

describe('carbon batch and register, when the response names another organization', () => {
  it('warn with the name and the country', async () => {
    const record = { id: 7, name: 'Beta SA', hq_region: 'FR', status: 'synced' };
    const { url } = await serve({ json: record });
    const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'k' };
    const one = await run(['register', '--name', 'Acme AG', '--hq-region', 'DE'], { env });
    expect(one.exit).toBe(0);
    expect(one.stderr).toContain('The service responded with Beta SA (FR), not with Acme AG.');
    const { home, path } = suppliers('name,country\nAcme AG,DE\nBeta,FR\nGamma,\n');
    const many = await run(['batch', path, '--no-progress'], { home, env });
    expect(many.exit).toBe(0);
    const same = 'has ID 7, as line 2 "Acme AG". Check that they are one organization';
    expect(many.stderr.match(/^Warning: .*$/gm)).toEqual([
      'Warning: Line 2 "Acme AG" has ID 7, but the response names Beta SA (FR). Check the record',
      `Warning: Line 3 "Beta" ${same}`,
      `Warning: Line 4 "Gamma" ${same}`,
    ]);
    const json = await run(['batch', path, '--json', '--restart'], { home, env });
    const rows = jsonLines(json.stdout);
    expect(rows).toMatchObject([
      { other_organization: 'Beta SA (FR)' },
      { same_id_as: { line: 2, name: 'Acme AG' } },
      { same_id_as: { line: 2, name: 'Acme AG' } },
    ]);
  });
});
