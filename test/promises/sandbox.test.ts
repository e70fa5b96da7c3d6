/* Promises about the sandbox. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { start } from '../support/executable.ts';
import { newFolder, run } from '../support/run.ts';
import { newList } from './scene.ts';

describe('--sandbox', () => {
  it('runs every command that talks to a service, without an account', async () => {
    const { path, folder } = newList('name\nAcme\n');
    const home = folder;
    const lines = [
      ['register', '--name', 'Acme'],
      ['get', '1'],
      ['watch', '1'],
      ['batch', path],
    ];
    for (const line of [...lines, ['sync', path], ['whoami']])
      expect([line[0], (await run([...line, '--sandbox'], { home })).exit]).toEqual([line[0], 0]);
  });

  it('chooses the files of the sandbox for commands that only read files', async () => {
    const { path, folder } = newList('name\nAcme\n');
    const home = folder;
    expect(await run(['sync', path, '--sandbox'], { home })).toMatchObject({ exit: 0 });
    expect(existsSync(`${path}.sandbox.carbon.jsonl`)).toBe(true);
    expect(existsSync(`${path}.carbon.jsonl`)).toBe(false);
    for (const command of ['list', 'report', 'check'])
      expect([command, (await run([command, path, '--sandbox'], { home })).exit]).toEqual([
        command,
        0,
      ]);
  });

  it('is a server on 127.0.0.1, which describes itself as OpenAPI', async () => {
    const server = start(['sandbox', '--port', '0'], { env: { HOME: newFolder() } });
    await server.seen('stdout', /http:\/\/127\.0\.0\.1:\d+/);
    const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(server.output.stdout) ?? [];
    const text = await (await fetch(`${url}/openapi.json`)).text();
    const found = JSON.parse(text);
    expect(found).toMatchObject({ openapi: expect.stringMatching(/^3\./) });
    expect(Object.keys(found.paths)).toContain('/organizations');
    server.child.kill('SIGTERM');
    await server.ended;
  });
});
