/* Promises about exit codes and errors. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { execute, start } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';
import { type Reply, serve, serveSilence } from '../support/server.ts';
import { newList, recordOf, serveOrganizations } from './scene.ts';

const problem = (status: number, more: object = {}): Reply => ({
  status,
  json: { status, title: 'No', detail: 'Because.', ...more },
});
const records = (...lines: object[]) => `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
const absurd = recordOf(2, 'Globex', {
  performances: [{ year: 2024, emissions: { scope_1: { total: -5 } } }],
});

/* Runs a command in a folder with these files; each request gets this reply. */
async function exitOf(
  words: readonly string[],
  reply: Reply | readonly Reply[] = problem(500),
  files: Readonly<Record<string, string>> = {},
) {
  const { env } = await serve(...[reply].flat());
  const cwd = newFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return (await execute(words, { env: { HOME: cwd, ...env }, cwd })).exit;
}

describe('the exit code', () => {
  const down = problem(500);
  const cases: readonly [number, string, string[], Reply | Reply[], string][] = [
    [0, 'the command did everything', ['get', '1'], { json: recordOf(1, 'Acme') }, ''],
    [1, 'a file cannot be written', ['get', '1', '-o', 'none/x.csv'], down, ''],
    [2, 'the command line is invalid', ['get', 'one'], down, ''],
    [2, 'the input is invalid', ['batch', 'list'], down, 'name,lei\nAcme,1\n'],
    [3, 'the service rejects the data', ['register', '--name', 'A'], problem(422), ''],
    [4, 'the service rejects the key', ['get', '1'], problem(401), ''],
    [5, 'there is no such organization', ['get', '1'], problem(404, { id: '1' }), ''],
    [6, 'the service is down', ['get', '1'], down, ''],
    [7, 'research failed', ['watch', '1'], { json: recordOf(1, 'A', { status: 'errored' }) }, ''],
    [
      8,
      'research is in progress at the time limit',
      ['watch', '1', '--timeout', '100ms', '--interval', '100ms'],
      { json: recordOf(1, 'A', { status: 'created' }) },
      '',
    ],
    [
      9,
      'some rows failed',
      ['batch', 'list', '--concurrency', '1'],
      [{ json: recordOf(1, 'Acme') }, problem(422)],
      'name\nAcme\nGlobex\n',
    ],
    [10, 'check found an error', ['check', 'list'], down, records(absurd)],
  ];
  it.each(cases)('is %i if %s', async (exit, _, words, reply, text) => {
    expect(await exitOf(words, reply, { list: text })).toBe(exit);
  });

  it('is 10 if diff found changes', async () => {
    const files = { old: records(recordOf(1, 'Acme')), new: records(recordOf(1, 'Acme AG')) };
    expect(await exitOf(['diff', 'old', 'new'], undefined, files)).toBe(10);
    expect(await exitOf(['diff', 'old', 'old'], undefined, files)).toBe(0);
  });

  it.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)(
    'is the signal itself after %s',
    async (signal) => {
      const { env, asked } = await serveSilence();
      const running = start(['get', '1'], { env });
      await asked;
      running.child.kill(signal);
      expect(await running.ended).toMatchObject({ exit: null, signal });
    },
  );
});

describe('an error', () => {
  it("names the file, the line, the user's column, the value and what to do", async () => {
    const { path, folder } = newList('Firma,LEI-Code\nAcme,\nGlobex,5299\n');
    const { exit, stdout, stderr } = await execute(['sync', path, '--sandbox'], {
      env: { HOME: folder },
    });
    expect([exit, stdout]).toEqual([2, '']);
    for (const part of [path, 'line 3', 'LEI-Code', '5299', 'Hint: ', '--invalid skip'])
      expect(stderr).toContain(part);
  });

  it('gives a command that can be pasted', async () => {
    const service = await serveOrganizations();
    const env = { CARBON_BASE_URL: service.url };
    const { exit, stderr } = await execute(['get', '1'], { env });
    expect([exit, service.seen]).toEqual([4, []]);
    expect(stderr).toMatch(/carbon login/);
  });
});
