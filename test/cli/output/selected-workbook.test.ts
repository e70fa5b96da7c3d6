import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Stopped } from '../../../src/runtime/context.ts';
import { newFolder, run } from '../../support/run.ts';
import { serve } from '../../support/server.ts';
import { readCells } from '../../workbook/read.ts';

const records = [
  { id: 1, name: 'Alpenwerk', status: 'synced', hq_region: 'AT', score: 0.5 },
  { id: 2, name: 'Berg', status: 'synced', hq_region: 'DE', score: 0.25 },
  { id: 3, name: 'Canal', status: 'synced', hq_region: 'FR' },
  { id: 4, name: 'Delta', status: 'synced', hq_region: 'DE', score: 0.75 },
];

const query = ['--where', 'score!=', '--sort', '-score', '--columns', 'name,country,score'];
const table = [
  ['name', 'hq_region', 'score'],
  ['Delta', 'DE', '0.75'],
  ['Alpenwerk', 'AT', '0.5'],
  ['Berg', 'DE', '0.25'],
];

function snapshot(folder: string, lines: readonly object[] = records): string {
  const path = join(folder, 'records.ndjson');
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return path;
}

async function service() {
  const { url } = await serve((response, { url = '' }) => {
    const record = records.find(({ id }) => url.endsWith(`/${id}`));
    response.end(JSON.stringify(record));
  });
  return { CARBON_BASE_URL: url, CARBON_API_KEY: 'k' };
}

const rowsOf = (path: string) => readCells(path, { sheet: 'Organizations' });

describe.each(['list', 'report'])('carbon %s --out book.xlsx with a query', (command) => {
  it('writes the selected rows and columns in their order', async () => {
    const folder = newFolder();
    const out = join(folder, 'book.xlsx');
    const { exit, stdout, stderr } = await run([command, snapshot(folder), '--out', out, ...query]);
    expect([exit, stdout]).toEqual([0, '']);
    expect(stderr).toBe(
      `3 of 4 organizations meet the conditions.\nWrote ${out} (3 organizations)\n`,
    );
    expect(await rowsOf(out)).toEqual(table);
  });

  it('explains the selection and only its columns on the sheet Method', async () => {
    const folder = newFolder();
    const out = join(folder, 'book.xlsx');
    await run([command, snapshot(folder), '--out', out, ...query, '--top', '2']);
    const method = await readCells(out, { sheet: 'Method' });
    expect(method.slice(3)).toEqual([
      ['files', 'records.ndjson'],
      ['records', 'the latest record of each organization'],
      ['lines without a record', '0'],
      ['condition', 'score!='],
      ['order', '-score'],
      ['maximum rows', '2'],
      ['selected', '2 of 4 organizations'],
      ['name', expect.any(String)],
      ['hq_region', expect.any(String)],
      ['score', 'Score, 0 (worst) to 1 (best)'],
    ]);
  });

  it('leaves out an organization whose latest record does not meet the conditions', async () => {
    const folder = newFolder();
    const [first = {}] = records;
    const path = snapshot(folder, [...records, { ...first, score: null }]);
    const out = join(folder, 'book.xlsx');
    await run([command, path, '--out', out, '--where', 'score!=', '--columns', 'name']);
    expect(await rowsOf(out)).toEqual([['name'], ['Berg'], ['Delta']]);
  });
});

describe('carbon list --out', () => {
  it('writes all records and columns without a query', async () => {
    const folder = newFolder();
    const out = join(folder, 'book.xlsx');
    const { stderr } = await run(['list', snapshot(folder), '--out', out]);
    expect(stderr).toBe(`Wrote ${out} (4 organizations)\n`);
    const [header, ...rows] = await rowsOf(out);
    expect(header?.slice(0, 3)).toEqual(['id', 'name', 'status']);
    expect(rows.map(([id]) => id)).toEqual(['1', '2', '3', '4']);
  });

  it.each([
    [['--out', 'book.html'], 'book.html does not end with .xlsx'],
    [
      ['--out', 'book.xlsx', '--csv'],
      '--csv cannot be combined with --out\nHint: Redirect standard output, such as --csv > records.csv, or remove --csv: --out writes a workbook.',
    ],
    [['--out', 'book.xlsx', '--json'], '--json cannot be combined with a workbook'],
    [['--out', 'book.xlsx', '-q'], '--ids cannot be combined with a workbook'],
    [['--out', 'book.xlsx', '--where', 'scroe<1'], 'Did you mean score?'],
  ])('refuses %j', async (words, message) => {
    const folder = newFolder();
    const { exit, stderr } = await run(['list', snapshot(folder), ...words]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(existsSync('book.xlsx')).toBe(false);
  });

  it('refuses to replace its input', async () => {
    const path = join(newFolder(), 'records.xlsx');
    writeFileSync(path, JSON.stringify(records[0]));
    const { exit, stderr } = await run(['list', path, '--out', path]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('is one of the inputs')]);
  });
});

describe('carbon report --out report.html with a query', () => {
  it('is a usage error that names the outputs that accept one', async () => {
    const folder = newFolder();
    const out = join(folder, 'report.html');
    const { exit, stderr } = await run(['report', snapshot(folder), '--out', out, '--top', '1']);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('need --csv or a workbook')]);
  });
});

describe.each(['get', 'watch'])('carbon %s --out book.xlsx with a query', (command) => {
  const ids = ['1', '2', '3', '4'];

  it('writes the selected rows and columns in their order', async () => {
    const out = join(newFolder(), 'book.xlsx');
    const argv = [command, ...ids, '--out', out, ...query, '--no-progress'];
    const { exit, stdout, stderr } = await run(argv, { env: await service() });
    expect([exit, stdout, stderr]).toEqual([0, '', '']);
    expect(await rowsOf(out)).toEqual(table);
  });

  it('prints the selected records with --json, too, and reports the selection once', async () => {
    const out = join(newFolder(), 'book.xlsx');
    const argv = [command, ...ids, '--out', out, '--json', '--where', 'score<0.6'];
    const { stdout, stderr } = await run(argv, { env: await service() });
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).name)
        .sort(),
    ).toEqual(['Alpenwerk', 'Berg']);
    expect(await rowsOf(out)).toHaveLength(3);
    const events = stderr.split('\n').filter((line) => line.includes('"selected"'));
    expect(events).toHaveLength(1);
  });

  it('writes only the header when no organization meets the conditions', async () => {
    const out = join(newFolder(), 'book.xlsx');
    const argv = [command, '1', '--out', out, '--where', 'hq_region=JP', '--columns', 'id'];
    const { exit } = await run(argv, { env: await service() });
    expect(exit).toBe(0);
    expect(await rowsOf(out)).toEqual([['id']]);
  });

  it('writes no file when no record arrives', async () => {
    const { url } = await serve({ status: 401, json: { status: 401, title: 'T', detail: 'D' } });
    const out = join(newFolder(), 'book.xlsx');
    const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'k' };
    const { exit } = await run([command, '1', '--out', out, '--top', '1'], { env });
    expect(exit).toBe(4);
    expect(existsSync(out)).toBe(false);
  });

  it('writes the selected records that arrived before an interrupt', async () => {
    const stop = new AbortController();
    const { url } = await serve((response, { url }) => {
      if (url?.endsWith('/1')) response.end(JSON.stringify(records[0]));
    });
    const out = join(newFolder(), 'book.xlsx');
    const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'k' };
    await run([command, '1', '2', '-q', '--out', out, '--where', 'id<9'], {
      env,
      signal: stop.signal,
      onOutput: () => stop.abort(new Stopped('SIGINT')),
    });
    const rows = await rowsOf(out);
    expect(rows.map(([id]) => id)).toEqual(['id', '1']);
  });

  it('checks the query and the path before the first request', async () => {
    const { url, seen } = await serve({ json: records[0] });
    const env = { CARBON_BASE_URL: url, CARBON_API_KEY: 'k' };
    const missing = join(newFolder(), 'missing', 'book.xlsx');
    const [badQuery, badPath] = [
      await run([command, '1', '--out', 'book.xlsx', '--sort', 'nme'], { env }),
      await run([command, '1', '--out', missing], { env }),
    ];
    expect([badQuery.exit, badPath.exit, seen.length]).toEqual([2, 1, 0]);
  });
});
