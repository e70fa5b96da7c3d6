/* Promises about lists: no row is lost, altered or registered twice. */
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readText } from '../support/documents.ts';
import { execute, start } from '../support/executable.ts';
import { jsonLines, newFolder, run } from '../support/run.ts';
import { serveSilence } from '../support/server.ts';
import { newList, serveOrganizations } from './scene.ts';

const manyRows = (count: number) =>
  `name\n${Array.from({ length: count }, (_, row) => `Supplier ${row}\n`).join('')}`;

describe('the rows of a list', () => {
  it('are all registered after kill -9, and only rows in flight or just answered twice', async () => {
    let kill = () => {};
    const service = await serveOrganizations(undefined, (count) => void (count === 25 && kill()));
    const { path, folder } = newList(manyRows(60));
    const env = { HOME: folder, ...service.env };
    const words = ['batch', path, '--no-progress', '--concurrency', '4', '--rate', '40'];
    const first = start(words, { env });
    kill = () => first.child.kill('SIGKILL');
    expect(await first.ended).toMatchObject({ signal: 'SIGKILL' });
    kill = () => {};
    expect(await execute(words, { env })).toMatchObject({ exit: 0, stdout: '' });
    expect([...service.names].sort()).toEqual(
      Array.from({ length: 60 }, (_, row) => `Supplier ${row}`).sort(),
    );
    // Four in flight, and those of the last 100 ms at 40 per second.
    expect(service.sent().length - 60).toBeLessThanOrEqual(4 + 4);
  });

  it('are sent again only where a kill truncated the journal, at any byte', async () => {
    const service = await serveOrganizations();
    const { path, folder, readJournal } = newList('name\nAcme\nGlobex\n');
    const world = { env: service.env, home: folder };
    expect(await run(['batch', path], world)).toMatchObject({ exit: 0 });
    const whole = readJournal();
    const last = whole.indexOf('\n', whole.indexOf('"line":2')) + 1;
    expect(whole.slice(last)).toContain('"line":3');
    const length = whole.indexOf('\n', last) - last;
    for (const cut of [1, 20, length - 1]) {
      writeFileSync(`${path}.carbon.jsonl`, whole);
      truncateSync(`${path}.carbon.jsonl`, last + cut);
      const before = service.sent().length;
      expect(await run(['batch', path], world)).toMatchObject({ exit: 0 });
      expect(service.sent().slice(before)).toEqual(['Globex']);
    }
  });

  it('are in the journal before standard output shows their result', async () => {
    const service = await serveOrganizations();
    const { path, folder, readJournal } = newList(manyRows(5));
    const missing: unknown[] = [];
    const onOutput = (text: string) => {
      for (const { id, line } of jsonLines(text).filter((each) => 'id' in each)) {
        const recorded = jsonLines(readJournal()).some((each) => each.line === line && each.id);
        if (!recorded) missing.push(id);
      }
    };
    const { stdout } = await run(['batch', path, '--json'], {
      env: service.env,
      home: folder,
      onOutput,
    });
    expect(jsonLines(stdout)).toHaveLength(5);
    expect(missing).toEqual([]);
  });

  it('have the same key on every Node, and another one for every identifying field', async () => {
    const values: Readonly<Record<string, string>> = {
      name: 'Other',
      hq_region: 'FR',
      hq_subregion: 'HH',
      hq_fuzzy: 'Hamburg',
      external_id: 'S-1',
      website: 'other.example',
      lei_number: '529900T8BM49AURSDO55',
      isin_number: 'DE0007164600',
      duns_number: '150483782',
      industry_name: 'Steel',
      industry_id: '7',
      sp_global_number: '12',
      is_legal_entity_name: 'true',
    };
    const schema = JSON.parse(readText('docs/reference/registration.schema.json'));
    const fields = Object.keys(schema.properties).filter((name) => name !== 'currency');
    const advice = 'give every field a value above, which the service would accept';
    expect(fields.sort(), advice).toEqual(Object.keys(values).sort());
    const base = { name: 'Acme AG', hq_region: 'DE' };
    const rows = [base, ...fields.map((field) => ({ ...base, [field]: values[field] }))];
    const lines = rows.map((row) =>
      fields.map((field) => (row as Record<string, string>)[field] ?? ''),
    );
    const { path, folder } = newList(`${[fields, ...lines].join('\n')}\n`);
    const { exit } = await run(['batch', path, '--sandbox'], { home: folder });
    expect(exit).toBe(0);
    const journal = jsonLines(readFileSync(`${path}.sandbox.carbon.jsonl`, 'utf8'));
    const keys = journal.filter(({ line, id }) => line !== undefined && id).map(({ key }) => key);
    expect(new Set(keys).size).toBe(rows.length);
    expect(keys).toContain('8fc1b9a403e00f0ef8c74576f4abc803');
  });

  it('are sent once if they are equal', async () => {
    const service = await serveOrganizations();
    const { path, folder } = newList('name\nAcme\nGlobex\nAcme\n');
    const { stdout } = await run(['batch', path, '--json'], { env: service.env, home: folder });
    expect(service.sent().sort()).toEqual(['Acme', 'Globex']);
    const ids = jsonLines(stdout).map(({ line, id }) => [line, id]);
    expect(new Map(ids as [number, number][]).get(4)).toBe(
      new Map(ids as [number, number][]).get(2),
    );
  });

  it('are all checked before the first request', async () => {
    const service = await serveOrganizations();
    const { path, folder } = newList(`name,lei\n${'Acme,\n'.repeat(500)}Acme,1\n`);
    const { exit, stderr } = await execute(['batch', path], {
      env: { HOME: folder, ...service.env },
    });
    expect([exit, service.seen]).toEqual([2, []]);
    expect(stderr).toContain('line 502: lei');
  });
});

describe('what carbon understood of a list', () => {
  it('is on the screen before anything is sent', async () => {
    let shown = '';
    const atFirst: string[] = [];
    const service = await serveOrganizations(undefined, () => void atFirst.push(shown));
    const text = 'Supplier,Country,Note\nAcme,DE,a\nAcme,DE,b\nTotal,,\n';
    const { path, folder } = newList(text);
    await run(['sync', path], {
      env: service.env,
      home: folder,
      onOutput: (text) => {
        shown += text;
      },
    });
    expect(atFirst[0]).toContain('Columns: Supplier → name, Country → hq_region; not used: Note');
    expect(atFirst[0]).toContain('1 duplicate');
    expect(atFirst[0]).toContain('Line 4 "Total" looks like a total and was left out');
  });

  it('is what the dry run shows, with the same requests', async () => {
    const service = await serveOrganizations();
    const { path, folder } = newList('Supplier,Country\nAcme,Germany\nGlobex,UK\nAcme,Germany\n');
    const world = { env: service.env, home: folder };
    const plan = await run(['batch', path, '--dry-run', '--json'], world);
    expect([plan.exit, service.seen]).toEqual([0, []]);
    await run(['batch', path], world);
    const bodies = jsonLines(plan.stdout).flatMap(({ body, request }) => body ?? request ?? []);
    expect(bodies).toEqual(service.seen.map(({ body }) => JSON.parse(body)));
  });
});

describe('the files of a user', () => {
  it.each([
    ['sync', 'results.csv'],
    ['report', 'report.html'],
    ['list', 'list.xlsx'],
  ])('are not replaced by carbon %s -o %s without --overwrite', async (command, file) => {
    const { path, folder, read } = newList('name\nAcme\n');
    const home = folder;
    expect(await run(['sync', path, '--sandbox'], { home })).toMatchObject({ exit: 0 });
    writeFileSync(join(folder, file), 'mine');
    const words = [command, path, '--sandbox', '-o', join(folder, file)];
    expect(await run(words, { home })).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--overwrite'),
    });
    expect(read(file)).toBe('mine');
    expect(await run([...words, '--overwrite'], { home })).toMatchObject({ exit: 0 });
    expect(read(file)).not.toBe('mine');
  });
});

describe('two runs of one list', () => {
  it('never write its files at the same time', async () => {
    const { env, asked } = await serveSilence();
    const { path, folder } = newList('name\nAcme\n');
    const home = { HOME: folder, ...env };
    const first = start(['batch', path], { env: home });
    await asked;
    for (const command of ['batch', 'sync']) {
      const second = await execute([command, path], { env: home, cwd: newFolder() });
      expect(second).toMatchObject({
        exit: 1,
        stderr: expect.stringContaining('Another run is in progress'),
      });
    }
    first.child.kill('SIGTERM');
    await first.ended;
  });
});
