import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readBook, readCells } from '../../lists/workbook/read.ts';
import { stopped } from '../../support/program.ts';
import { newFolder, run } from '../../support/run.ts';
import { serve } from '../../support/server.ts';

const acme = {
  id: 1,
  name: '=HYPERLINK("http://x")\u001b[31m',
  status: 'synced',
  hq_region: 'DE',
  score: 0.25,
  cdp: { is_listed: true, last_retrieved_at: '2026-03-01' },
  performances: [
    { year: 2023, region: 'DE', emissions: { scope_1: { sum: 7 } } },
    { year: 2024, revenue_currency: 'EUR', revenue: 1234567.5, emissions: { total: 3 } },
  ],
  sources: [{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }],
};
const beta = { id: 2, name: 'Beta', status: 'synced', hq_region: 'AT', external_id: '007' };

function snapshot(folder = newFolder(), records: readonly object[] = [acme, beta]): string {
  const path = join(folder, 'records.ndjson');
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  return path;
}

const list = (out: string, ...words: readonly string[]) =>
  run(['list', snapshot(), '-o', out, ...words]);

async function cellsOf(path: string, sheet: string) {
  const { all } = await readBook(path, { sheet });
  const [header, ...rows] = all;
  return rows.map(({ cells, kinds }) =>
    Object.fromEntries(
      (header?.cells ?? []).flatMap((name, index) =>
        cells[index] ? [[name, [cells[index], kinds[index]]]] : [],
      ),
    ),
  );
}

describe('carbon list -o', () => {
  it('writes a workbook with typed cells, and sheets for years and sources', async () => {
    const out = join(newFolder(), 'book.xlsx');
    const { exit, stdout, stderr } = await list(out);
    const said = `2 companies, 1 of them with emissions. 1 of 2 companies has no emissions (not matched). Unit unknown (if you know it: --unit t or --unit kg).\nWrote ${out} (2 rows)\n`;
    expect([exit, stdout, stderr]).toEqual([0, '', said]);
    const [first, second] = await cellsOf(out, 'Organizations');
    expect(first).toMatchObject({
      ID: ['1', 'number'],
      Name: ['=HYPERLINK("http://x")\ufffd[31m', 'text'],
      Score: ['25', 'number'],
      'Listed by CDP': ['yes', 'text'],
      'CDP last retrieved at': ['2026-03-01', 'date'],
      Year: ['2024', 'number'],
      Revenue: ['1234567.5', 'number'],
      Total: ['3', 'number'],
    });
    expect(second).toMatchObject({ 'External ID': ['007', 'text'] });
    const years = await cellsOf(out, 'Years');
    expect(years).toMatchObject([
      { ID: ['1', 'number'], Year: ['2024', 'number'] },
      { ID: ['1', 'number'], Year: ['2023', 'number'], 'Scope 1 basis': ['sum of parts', 'text'] },
    ]);
    expect(await readCells(out, { sheet: 'Sources' })).toEqual([
      ['ID', 'Name', 'URL', 'Mirror URL', 'Synthetic'],
      ['1', expect.any(String), 'https://a.example/1'],
      ['1', expect.any(String), 'https://a.example/2'],
    ]);
    const summary = await readCells(out, { sheet: 'Summary' });
    const command = summary.find(([label]) => label === 'Command')?.[1];
    expect(command).toMatch(/^carbon list /);
    // Another run would ask where to write.
    expect(command).not.toContain('-o ');
    const columns = await readCells(out, { sheet: 'Columns' });
    expect(columns).toContainEqual(['Score', 'Score, 0 (worst) to 100 (best) · in CSV: score']);
  });

  it('writes the chosen rows and columns, and explains them', async () => {
    const out = join(newFolder(), 'book.xlsx');
    await list(out, '--where', 'score!=', '--columns', 'name,country,score', '--top', '9');
    expect(await readCells(out, { sheet: 'Organizations' })).toEqual([
      ['Name', 'Country', 'Score', 'Synthetic'],
      [expect.any(String), 'DE', '25'],
    ]);
    expect(await readCells(out, { sheet: 'Summary' })).toEqual([
      ['1 of 2 companies meets score!= (any value)'],
      [
        expect.stringMatching(
          /^Organizations .*· Written \d+ [A-Z][a-z]{2} \d{4}, \d\d:\d\d UTC by carbon \d/,
        ),
      ],
      ['Missing', '1 of 2 companies has no emissions'],
      ['First steps', expect.stringMatching(/^1\. See who matters most, .*: carbon report /)],
      ['', expect.stringMatching(/^2\. Check the figures .*: carbon check /)],
      ['Figures'],
      ['Companies', '2'],
      ['Of these with emissions', '1'],
      ['Rows of the table', '1'],
      ['Notes'],
      ['Command', expect.stringMatching(/^carbon list .* --columns name,country,score --top 9$/)],
      ['Rows', 'The latest record of each organization'],
      ['Empty cells', 'An empty cell means unknown, not zero: the service has no value.'],
    ]);
    expect(await readCells(out, { sheet: 'Columns' })).toEqual([
      ['Column', 'Meaning'],
      ['Name', 'Name of the organization · in CSV: name'],
      ['Country', expect.stringMatching(/ · in CSV: country$/)],
      ['Score', expect.stringMatching(/ · in CSV: score$/)],
      ['Synthetic', expect.any(String)],
    ]);
  });

  it('writes CSV with a byte order mark, and NDJSON with the records as received', async () => {
    const folder = newFolder();
    const [csv, ndjson] = [join(folder, 'a.csv'), join(folder, 'a.ndjson')];
    await list(csv, '--columns', 'id,score');
    expect(readFileSync(csv, 'utf8')).toBe('\ufeffid,score,synthetic\r\n1,25,\r\n2,,\r\n');
    await list(ndjson);
    expect(readFileSync(ndjson, 'utf8')).toBe(
      [acme, beta].map((each) => `${JSON.stringify({ id: each.id, record: each })}\n`).join(''),
    );
    expect((await run(['list', ndjson, '-q'])).stdout).toBe('1\n2\n');
  });

  it.each([
    [['-o', 'a.pdf'], '-o: a.pdf does not end with .xlsx, .csv or .ndjson'],
    [['-o', 'a.pdf'], 'Write -o a.xlsx: the extension selects the format.'],
    [['-o', 'my list'], 'Write -o "my list.xlsx": the extension selects the format.'],
    [['-o', 'a.html'], 'Write -o a.xlsx. carbon report and carbon footprint make pages.'],
    [['-o', 'a.json'], 'Write -o a.xlsx, or use --json > a.json.'],
    [['-o', '-'], '-o - is not a file name'],
    [['-o', 'a.csv', '--csv'], '-o cannot be combined with --csv'],
    [['-o', 'a.csv', '-q'], '-o cannot be combined with -q'],
    [['-o', 'a.xlsx', '--where', 'scroe<1'], 'Did you mean score?'],
    [['-o', 'a.ndjson', '--years'], '--years cannot be combined with JSON'],
  ])('refuses %j', async (words, message) => {
    const { exit, stdout, stderr } = await run(['list', snapshot(), ...words]);
    expect([exit, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });
});

describe('-o and an existing file', () => {
  it.each([
    ['crm.csv', 'name,hq_region,status\nA,DE,active\n'],
    ['scores.csv', 'name,score\nA,1\n'],
    ['tickets.ndjson', '{"id":1,"status":"open"}\n'],
    ['empty.html', ''],
  ])(
    'keeps %s without --overwrite, and prints the line that replaces it',
    async (name, content) => {
      const path = join(newFolder(), name);
      writeFileSync(path, content);
      const command = name.endsWith('.html') ? 'report' : 'list';
      const words = [command, snapshot(), '-o', path];
      const { exit, stdout, stderr } = await run(words);
      expect([exit, stdout, readFileSync(path, 'utf8')]).toEqual([2, '', content]);
      expect(stderr).toContain(`such as -o ${path.replace(/(\.\w+)$/, '-2$1')}.`);
      expect(stderr).toContain(`To replace it, run: carbon ${words.join(' ')} --overwrite\n`);
      expect((await run([...words, '--overwrite'])).exit).toBe(0);
      expect(readFileSync(path, 'utf8')).not.toBe(content);
    },
  );

  it('proposes the first free name', async () => {
    const folder = newFolder();
    for (const name of ['a.csv', 'a-2.csv']) writeFileSync(join(folder, name), '');
    const { stderr } = await list(join(folder, 'a.csv'));
    expect(stderr).toContain(`such as -o ${join(folder, 'a-3.csv')}.`);
  });

  it.each([
    ['a directory', (path: string) => mkdirSync(path)],
    ['a pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a symbolic link', (path: string) => symlinkSync('other.csv', path)],
  ])('never replaces %s', async (_, create) => {
    const path = join(newFolder(), 'a.csv');
    create(path);
    const { exit, stderr } = await list(path, '--overwrite');
    expect([exit, stderr]).toEqual([2, expect.stringContaining('this is not a regular file')]);
  });

  it('never replaces an input, nor a list or its records', async () => {
    const path = snapshot();
    const { exit, stderr } = await run(['list', path, '-o', path, '--overwrite']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('this is one of the inputs')]);
    const other = await list(join(newFolder(), 'l.csv.records.ndjson'), '--overwrite');
    expect([other.exit, other.stderr]).toEqual([2, expect.stringContaining('carbon sync keeps')]);
    const suppliers = join(newFolder(), 'suppliers.csv');
    for (const end of ['', '.carbon.jsonl']) writeFileSync(suppliers + end, 'name\n');
    const third = await list(suppliers, '--overwrite');
    expect([third.exit, third.stderr]).toEqual([2, expect.stringContaining('this is a list')]);
    expect(readFileSync(suppliers, 'utf8')).toBe('name\n');
  });

  it('keeps a file that appears during the run, and uses a free name', async () => {
    const folder = newFolder();
    const out = join(folder, 'a.csv');
    const { env } = await serve((response) => {
      for (const name of ['a.csv', 'a-2.csv']) writeFileSync(join(folder, name), 'mine');
      response.end(JSON.stringify(acme));
    });
    const { exit, stderr } = await run(['get', '1', '-o', out], { env });
    expect([exit, stderr]).toEqual([
      0,
      `Warning: ${out} appeared during the run, so the result is in ${folder}/a-3.csv\nWrote ${folder}/a-3.csv (1 row)\n`,
    ]);
    expect(readFileSync(out, 'utf8')).toBe('mine');
    expect(readdirSync(folder).sort()).toEqual(['a-2.csv', 'a-3.csv', 'a.csv']);
  });

  it('checks the file before the first request', async () => {
    const { env, seen } = await serve({ json: acme });
    const missing = join(newFolder(), 'missing', 'a.csv');
    for (const command of ['get', 'watch']) {
      const { exit, stderr } = await run([command, '1', '-o', missing], { env });
      expect([exit, stderr]).toEqual([
        1,
        `Error: Cannot write ${missing}: its directory does not exist\nHint: Create the directory ${dirname(missing)}, or use another path.\n`,
      ]);
    }
    const path = join(newFolder(), 'l.csv');
    writeFileSync(path, 'name,hq_region\nAcme,DE\n');
    const results = `${path}.results.csv`;
    writeFileSync(results, '');
    for (const words of ['get 1', 'watch 1', `sync ${path}`])
      expect((await run([...words.split(' '), '-o', results], { env })).exit).toBe(2);
    expect(existsSync(`${path}.carbon.jsonl`)).toBe(false);
    expect(seen).toHaveLength(0);
  });
});

describe('the column synthetic', () => {
  it('marks data of the sandbox in CSV and in files of every command', async () => {
    const folder = newFolder();
    const synthetic = snapshot(folder, [{ ...acme, sandbox: 'synthetic' }]);
    const real = snapshot(newFolder(), [beta]);
    const marked = /(?:,|^)synthetic\r\n.*,true\r\n/s;
    for (const words of ['list', 'list --columns id', 'list --years', 'check', `diff ${real}`])
      expect((await run([...words.split(' '), synthetic, '--csv'])).stdout).toMatch(marked);
    const path = join(folder, 'l.csv');
    writeFileSync(path, 'name,lei\nAcme,\nBeta,529\n');
    // A second run sends nothing.
    for (const command of ['batch', 'batch', 'sync', 'sync']) {
      const out = join(folder, `${command}.csv`);
      const flags = ['--sandbox', '--invalid', 'skip', '--overwrite', '-o', out];
      await run([command, path, ...flags]);
      const lines = readFileSync(out, 'utf8').trimEnd().split('\r\n');
      const last = lines.map((line) => line.split(',').at(-1));
      expect(last).toEqual(['synthetic', 'true', 'true']);
    }
  });
});

describe('results that carbon wrote', () => {
  it('are not accepted as a list', async () => {
    // A mark of synthetic data stands before the columns that are folded away.
    for (const records of [[acme, beta], [{ ...acme, sandbox: 'synthetic' }]]) {
      const folder = newFolder();
      const out = join(folder, 'a.xlsx');
      await run(['list', snapshot(folder, records), '-o', out]);
      const { exit, stderr } = await run(['sync', out, '--sandbox']);
      expect([exit, stderr]).toEqual([2, expect.stringContaining('that carbon wrote')]);
    }
  });
});

describe.each(['get', 'watch'])('carbon %s -o', (command) => {
  it('writes the records instead of printing them', async () => {
    const { env } = await serve((response, { url = '' }) =>
      response.end(JSON.stringify(url.includes('/2') ? beta : acme)),
    );
    const out = join(newFolder(), 'book.xlsx');
    const argv = [command, '1', '2', '-o', out, '--no-progress'];
    const { exit, stdout, stderr } = await run(argv, { env });
    expect([exit, stdout, stderr]).toEqual([0, '', '']);
    expect(await cellsOf(out, 'Organizations')).toHaveLength(2);
  });

  it('writes NDJSON with service, currency and time around each record', async () => {
    const out = join(newFolder(), 'a.ndjson');
    const { env } = await serve({ json: acme });
    await run([command, '1', '-o', out, '--currency', 'EUR'], { env });
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual({
      id: 1,
      service: env.CARBON_BASE_URL,
      currency: 'EUR',
      retrieved_at: expect.stringMatching(/^20\d\d-\d\d-\d\dT[\d:.]+Z$/),
      record: acme,
    });
  });

  it('writes no file when no record arrives', async () => {
    const { env } = await serve({ status: 401, json: { status: 401, title: 'T', detail: 'D' } });
    const out = join(newFolder(), 'book.xlsx');
    expect((await run([command, '1', '-o', out], { env })).exit).toBe(4);
    expect(existsSync(out)).toBe(false);
  });

  it('writes the records that arrived before an interrupt', async () => {
    const stop = new AbortController();
    // More organizations than requests in flight, so that the last requests follow the first
    // record.
    const ids = Array.from({ length: 40 }, (_, index) => String(index + 1));
    const { env } = await serve((response, { url }) => {
      const id = Number(url?.split('/').at(-1));
      if (id < 30) response.end(JSON.stringify({ ...acme, id }));
      else stop.abort(stopped('SIGINT'));
    });
    const out = join(newFolder(), 'book.csv');
    await run([command, ...ids, '-o', out], { env, signal: stop.signal });
    const lines = readFileSync(out, 'utf8').trimEnd().split('\n');
    expect(lines[1]).toMatch(/^\d+,/);
    expect(lines.length).toBeGreaterThan(10);
  });
});

describe('carbon diff -o', () => {
  it('writes the differences, also none, and returns exit code 10', async () => {
    const old = snapshot();
    const now = snapshot(newFolder(), [{ ...acme, score: 0.5 }, beta]);
    const out = join(newFolder(), 'book.xlsx');
    const { exit, stdout } = await run(['diff', old, now, '-o', out]);
    expect([exit, stdout]).toEqual([10, '']);
    expect(await cellsOf(out, 'Differences')).toMatchObject([
      { ID: ['1', 'number'], Field: ['Score', 'text'] },
    ]);
    expect((await run(['diff', old, old, '-o', out, '--overwrite'])).exit).toBe(0);
    expect(await cellsOf(out, 'Differences')).toEqual([]);
  });
});

describe('carbon footprint -o', () => {
  it('writes a summary, line items and tables, and reads its own workbook as input', async () => {
    const folder = newFolder();
    const spend = join(folder, 'spend.csv');
    writeFileSync(spend, 'Supplier,Spend (EUR),Spend year,id\nBeta,100.5,2024,2\n');
    const factors = {
      year: 2024,
      revenue_currency: 'EUR',
      revenue: 1000,
      scope_1_and_2_emission_factor: 0.2,
      total_upstream_emission_factor: 0.3,
    };
    const records = snapshot(folder, [{ ...beta, performances: [factors] }]);
    const words = ['--records', records, '--upstream-factor', 'additive'];
    const out = join(folder, 'footprint.xlsx');
    const { exit, stdout } = await run(['footprint', spend, ...words, '-o', out]);
    expect([exit, stdout]).toEqual([0, '']);
    const { name: first, others } = await readBook(out);
    // The first name is that of the sheet that carbon reads.
    expect([first, ...others.map(({ name }) => name)].join(', ')).toBe(
      'Line items, Summary, Tables, Columns',
    );
    const row = { Supplier: ['Beta', 'text'], Spend: ['100.5', 'number'], Share: ['1', 'number'] };
    expect(await cellsOf(out, 'Line items')).toMatchObject([row]);
    const again = await run(['footprint', out, ...words, '--json']);
    expect(again.exit).toBe(0);
    expect(again.stderr).toMatch(/^{"level":"detail","text":"Sheet: \\"Line items\\"/);
    expect(JSON.parse(again.stdout.split('\n')[0] ?? '')).toMatchObject({ spend: 100.5 });
  });
});
