import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolder, run } from '../support/run.ts';

const at = ['--base-url', 'https://api.example.com'];
const service = "A registration at api.example.com uses quota and can't be undone. To register";

describe('a dry run in a terminal', () => {
  it.each([
    ['sync', at, service],
    ['batch', at, service],
    ['sync', ['--sandbox'], 'To register in the sandbox'],
    ['batch', [], 'No service is set: carbon login sets one. To register in the sandbox'],
  ])('of %s %j says where a run registers, and how', async (command, options, text) => {
    const home = newFolder();
    const path = join(home, 'list.csv');
    writeFileSync(path, 'name\nAcme\n');
    const words = [command, path, '--dry-run', ...options];
    const { stderr } = await run(words, { home, terminal: 200 });
    const given = options.length > 0 ? options : ['--sandbox'];
    expect(stderr).toContain(`${text}, run:\n  ${['carbon', command, path, ...given].join(' ')}\n`);
    const inPipe = await run(words, { home });
    expect(inPipe.stderr).not.toContain('To register');
  });

  it('says nothing of registering when all rows are registered', async () => {
    const home = newFolder();
    const path = join(home, 'list.csv');
    writeFileSync(path, 'name\nAcme\n');
    await run(['sync', path, '--sandbox'], { home });
    for (const command of ['sync', 'batch']) {
      const words = [command, path, '--sandbox', '--dry-run'];
      expect((await run(words, { home, terminal: 200 })).stderr).not.toContain('To register');
    }
  });

  it('of register leaves standard output as it is', async () => {
    const words = ['register', '--name', 'Acme', '--dry-run', ...at];
    const { stdout, stderr } = await run(words, { terminal: 200 });
    expect(JSON.parse(stdout)).toEqual({ name: 'Acme' });
    expect(stderr).toBe(`${service}, run:\n  carbon register --name Acme ${at.join(' ')}\n`);
  });
});

describe('the help', () => {
  it.each(['register', 'sync', 'batch'])('of %s says that a registration is final', async (of) => {
    const { stdout } = await run(['help', of]);
    expect(stdout).toContain(
      "A registration uses quota and can't be undone: check with --dry-run first.",
    );
  });
});
