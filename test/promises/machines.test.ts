/* Promises about machines, terminals and names. */
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { carbon, execute, startNode } from '../support/executable.ts';
import { run } from '../support/run.ts';
import { badLines, withoutColors } from '../support/screen.ts';
import { serve } from '../support/server.ts';
import { newList, recordOf, serveOrganizations } from './scene.ts';

describe('carbon', () => {
  it('starts on Node 20.19 and later, and says so on an older one', async () => {
    expect(packageJson.engines.node).toBe('^20.19 || >=22.2');
    const older = `Object.defineProperty(process, 'version', { value: 'v18.20.0' });
      Object.defineProperty(process.versions, 'node', { value: '18.20.0' });
      require(${JSON.stringify(carbon)});`;
    const { exit, stderr } = await startNode(['-e', older]).ended;
    expect([exit, stderr]).toEqual([1, expect.stringMatching(/Node\.js 20\.19/)]);
  });

  it('works in the environment of cron, and prints nothing after a success', async () => {
    const service = await serveOrganizations();
    const { path, folder } = newList('name\nAcme\n');
    const env = {
      HOME: folder,
      PATH: '/usr/bin:/bin',
      LOGNAME: 'me',
      SHELL: '/bin/sh',
      ...service.env,
    };
    const words = ['sync', path, '--no-progress', '--invalid', 'skip'];
    expect(await execute(words, { env, cwd: '/' })).toMatchObject({
      exit: 0,
      stdout: '',
      stderr: '',
    });
  });

  it('needs no home directory if everything is in the environment', async () => {
    const { env } = await serve({ json: recordOf(1, 'Acme') });
    const words = ['get', '1', '-q'];
    const { exit, stdout } = await execute(words, {
      env: { ...env, HOME: '/nonexistent' },
      cwd: '/',
    });
    expect([exit, stdout]).toEqual([0, '1\n']);
  });
});

describe('a terminal', () => {
  const names = ['東京電力ホールディングス', 'شركة الاتصالات السعودية', 'Žižka & Söhne'];
  const records = names.map((name, index) => JSON.stringify(recordOf(index + 1, name))).join('\n');

  it.each([40, 60, 80, 120, 200])(
    'of %i columns shows every name in lines that fit',
    async (columns) => {
      const { path } = newList(`${records}\n`, 'records.ndjson');
      for (const command of ['list', 'report', 'check']) {
        const { stdout, stderr } = await run([command, path], { terminal: columns });
        expect(badLines(withoutColors(stdout + stderr), columns)).toEqual([]);
        if (command === 'list')
          for (const name of names)
            expect(stdout.replace(/\s+/g, '')).toContain(name.slice(0, 4).trim());
      }
    },
  );

  it.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('gets no color with %j', async (env) => {
    const { path } = newList(`${records}\n`, 'records.ndjson');
    const { stdout, stderr } = await run(['list', path], { terminal: 80, env });
    expect(stdout + stderr).not.toContain('\u001b');
  });
});

it('a list of a million rows fits in 400 MB', { tags: ['long'] }, async () => {
  const text = Array.from({ length: 1_000_000 }, (_, row) => `Supplier ${row}\n`).join('');
  const { path, folder } = newList(`name\n${text}`);
  const script = `process.argv.splice(1, 0, ${JSON.stringify(carbon)});
    process.on('exit', () => console.error('RSS ' + process.resourceUsage().maxRSS));
    require(${JSON.stringify(carbon)});`;
  const words = ['-e', script, '--', 'batch', path, '--dry-run', '-q', '--sandbox'];
  const { stderr, exit } = await startNode(words, { env: { HOME: folder } }).ended;
  const [, kilobytes = ''] = /RSS (\d+)/.exec(stderr) ?? [];
  expect(exit, stderr).toBe(0);
  expect(Number(kilobytes)).toBeLessThan(400_000);
});
