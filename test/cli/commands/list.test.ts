import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Stopped } from '../../../src/runtime/context.ts';
import { newFolder, run, transcript } from '../../support/run.ts';

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
  it('finds the suppliers without a target', async () => {
    const words = ['--where', 'sbti_near_term!=set', '--columns', 'id,name,sbti_near_term'];
    expect(
      await transcript(['list', snapshot(...records), ...words], { terminal: 80 }),
    ).toMatchInlineSnapshot(`
      "id  name       sbti_near_term
      ──  ─────────  ──────────────
      1   Alpenwerk  none
      3   Canal SA   –
      4   =Delta     committed
      --- stderr
      3 of 4 organizations meet the conditions.
      --- exit 0"
    `);
    expect((await list(...words)).stdout).toBe(
      '1\tAlpenwerk\tnone\n3\tCanal SA\t\n4\t=Delta\tcommitted\n',
    );
  });

  it('finds the largest emitters', async () => {
    expect(
      await transcript(['list', snapshot(...records), '--sort', '-emissions', '--top', '2'], {
        terminal: 80,
      }),
    ).toMatchInlineSnapshot(`
      "Id  Name      Status       Score           Country       Year      Total
      ──  ────────  ───────────  ──────────────  ────────────  ────  ──────────
       3  Canal SA  ◐ no status  –               France (FR)   2024  1,234,568†
       2  Berg AG   ◐ no status   31.0 ██▌·····  Germany (DE)  2024        200†
      † sum of the disclosed parts, no total disclosed
      --- stderr
      carbon shows the first 2 of 4 organizations.
      --- exit 0"
    `);
  });

  it('keeps the column of --sort on a narrow terminal', async () => {
    expect(
      await transcript(['list', snapshot(...records), '--sort', '-emissions', '--top', '1'], {
        terminal: 50,
      }),
    ).toMatchInlineSnapshot(`
      "Id  Name      Status       Score      Total
      ──  ────────  ───────────  ─────  ──────────
       3  Canal SA  ◐ no status  –      1,234,568†
      † sum of the disclosed parts, no total disclosed
      --- stderr
      carbon shows the first of 4 organizations.
      --- exit 0"
    `);
  });

  it('refuses a second --sort, which would replace the first one', async () => {
    const { stderr, exit } = await list('--sort', 'score', '--sort', '-name');
    expect(stderr).toContain('--sort was given twice: "score" and "-name"');
    expect(stderr).toContain('--sort score,-name');
    expect(exit).toBe(2);
  });

  it('lists the organizations of a country by score', async () => {
    const { stdout, stderr } = await list(
      ...['--where', 'hq_region=DE', '--sort', 'score', '--csv', '--columns', 'id,name,score'],
    );
    expect(stdout).toBe("id,name,score\r\n2,Berg AG,0.31\r\n4,'=Delta,0.9\r\n");
    expect(stderr).toBe('2 of 4 organizations meet the conditions.\n');
  });

  it('prints a table of all organizations without options, and sorts missing values last', async () => {
    expect((await list('-q')).stdout).toBe('1\n2\n3\n4\n');
    expect((await list()).stdout.split('\n')[2]).toBe(
      '3\tCanal SA\t\tFR\t\t\t2024\t\t\t\t1234567.5\ttotal sum',
    );
    expect((await list('-q', '--sort', 'score')).stdout).toBe('2\n1\n4\n3\n');
    expect((await list('-q', '--sort', '-score')).stdout).toBe('4\n1\n2\n3\n');
  });

  it('passes the selected records on unchanged', async () => {
    const exact = '{"id":7,"z":1.0,"big":12345678901234567890,"name":"A","z":"\\u0041"}';
    const wrapped = `{"line":2,"ok":true,"id":8,"status":"synced","record":{"id":8,"x":1e2,"s":"a]}\\""}}`;
    const path = snapshot(exact, wrapped, `[ {"id":9, "x":2.50}, {"id":10} ]`);
    const { stdout } = await run(['list', path, '--json']);
    expect(stdout.split('\n')).toEqual([
      exact,
      '{"id":8,"x":1e2,"s":"a]}\\""}',
      '{"id":9,"x":2.50}',
      '{"id":10}',
      '',
    ]);
    const sorted = await run(['list', path, '--json', '--sort', '-id', '--where', 'id<9']);
    expect(sorted.stdout.split('\n')).toEqual(['{"id":8,"x":1e2,"s":"a]}\\""}', exact, '']);
  });

  it('uses the latest record of an organization, even if only an earlier one meets the conditions', async () => {
    const stdin = '{"id":1,"score":0.1}\n{"id":2,"score":0.2}\n{"id":1,"score":0.9}\n';
    const { stdout, stderr } = await run(['list', '-', '-q', '--where', 'score<0.5'], { stdin });
    expect([stdout, stderr]).toEqual(['2\n', '']);
  });

  it('orders only the latest records', async () => {
    const stdin = '{"id":1,"score":0.9}\n{"id":2,"score":0.2}\n{"id":3}\n{"id":1,"score":0.1}\n';
    const ids = async (...words: readonly string[]) =>
      (await run(['list', '-', '-q', '--sort', '-score', ...words], { stdin })).stdout;
    expect(await ids()).toBe('2\n1\n3\n');
    expect(await ids('--top', '1')).toBe('2\n');
  });

  it('prints no further row after Ctrl-C', async () => {
    const stop = new AbortController();
    const { exit, stdout } = await run(['list', snapshot(...records), '-q', '--sort', 'id'], {
      signal: stop.signal,
      onOutput: () => stop.abort(new Stopped('SIGINT')),
    });
    expect([exit, stdout]).toEqual([130, '1\n']);
  });

  it('marks only the records of the sandbox as synthetic in a pipe', async () => {
    const synthetic = { id: 1, name: 'A', sandbox: 'synthetic' };
    const path = snapshot(synthetic, { id: 2, name: 'B' });
    const fields = (await run(['list', path])).stdout.split('\n').map((line) => line.split('\t'));
    expect(fields.map((line) => [line[0], line[12]])).toEqual([
      ['1', 'synthetic'],
      ['2', undefined],
      ['', undefined],
    ]);
  });

  it.each([
    ['the first rows', ['--sort', '-score', '--top', '3']],
    ['all rows', ['--sort', '-score', '--csv']],
    ['a table', ['--sort', 'score', '--where', 'score>0.3']],
    ['records', ['--sort', 'score,-id', '--json', '--top', '9']],
  ])('orders %s by the latest records if organizations have several', async (_, words) => {
    const line = (index: number) => ({
      id: index % 7,
      name: 'A',
      score: ((index * 37) % 100) / 100,
    });
    const all = Array.from({ length: 40 }, (_, index) => line(index));
    const latest = all.slice(-7);
    const expected = await run(['list', snapshot(...latest), ...words]);
    expect(await run(['list', snapshot(...all), ...words])).toEqual(expected);
    expect(expected.stdout).toContain('A');
  });

  it.each([
    [['--columns', 'id', '--json'], '--columns cannot be combined with --json'],
    [['--columns', 'id', '-q'], '--columns cannot be combined with --ids'],
    [['--where', 'hq_region=Germany'], 'Did you mean DE?'],
    [['--sort', '-emisions'], 'Did you mean emissions?'],
    [['--top', '0'], '--top: "0" is not a whole number from 1 to 1000000'],
    [['--where', ''], '--where'],
    [['--excel'], '--excel needs --csv'],
    [['--sandbox'], '--sandbox does not apply to carbon list'],
  ])('refuses %j', async (words, message) => {
    const { exit, stdout, stderr } = await list(...words);
    expect([exit, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  it('shortens text, then omits columns, until the table fits the terminal', async () => {
    const path = snapshot({ id: 1, name: 'N'.repeat(50), website: 'w'.repeat(50), score: 0.25 });
    const columns = 'id,name,website,score,industry,hq_region,external_id,status,year,cdp';
    for (const terminal of [120, 80, 40]) {
      const { stdout } = await run(['list', path, '--columns', columns], {
        terminal,
        env: { NO_COLOR: '1' },
      });
      const widths = stdout.split('\n').map((line) => line.length);
      expect(Math.max(...widths)).toBeLessThanOrEqual(terminal);
      expect(stdout).toContain('0.25');
    }
  });

  it('prints every row of a sorted snapshot that does not fit into a block of memory', {
    tags: ['long'],
  }, async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => ({
      id: index + 1,
      name: 'x'.repeat(5_000),
      score: ((index * 7_919) % 3_000) / 3_000,
    }));
    const { stdout } = await run(['list', snapshot(...many), '--csv', '--sort', '-score']);
    const ids = stdout
      .split('\r\n')
      .slice(1, -1)
      .map((line) => Number(line.split(',')[0]));
    const scores = ids.map((id) => many[id - 1]?.score ?? -1);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(ids).toHaveLength(3_000);
  });
});
