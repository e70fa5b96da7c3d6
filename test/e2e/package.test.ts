/* The package as npm installs it: its files, the executable, the library and the manual pages. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { root } from '../support/documents.ts';
import { node } from '../support/executable.ts';
import { itNeeds } from '../support/programs.ts';
import { newFolder } from '../support/run.ts';

/* Packs and installs carbon below a directory, as `npm install --global` does. */
function installPackage(folder: string, prefix: string): void {
  // npm uses its own Node: that of the test comes first.
  const PATH = [dirname(node), process.env['PATH']].join(delimiter);
  const env = { ...process.env, PATH, npm_config_update_notifier: 'false' };
  const npm = (...words: string[]) => {
    const { status, stdout, stderr } = spawnSync('npm', words, {
      cwd: root,
      env,
      encoding: 'utf8',
    });
    expect({ words, status, stderr }).toMatchObject({ words, status: 0 });
    // npm pack lists the files on standard error.
    if (words[0] === 'install') expect(stderr).toBe('');
    return stdout.trim().split('\n').at(-1) ?? '';
  };
  const file = join(folder, npm('pack', '--pack-destination', folder));
  // Text compresses well, and a binary file would not belong into a package of text.
  expect(statSync(file).size).toBeLessThan(2_000_000);
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund'];
  npm('install', '--global', '--prefix', prefix, ...quiet, file);
}

describe.skipIf(process.platform === 'win32')('npm install --global', { tags: ['long'] }, () => {
  let folder = '';
  let prefix = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'carbon-test-'));
    prefix = join(folder, 'prefix');
    installPackage(folder, prefix);
  }, 400_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('installs an executable and a library that work', () => {
    const home = newFolder();
    const env = { HOME: home, PATH: [dirname(node), '/usr/bin', '/bin'].join(delimiter) };
    const execute = (program: string, ...words: string[]) =>
      spawnSync(program, words, { cwd: home, env, encoding: 'utf8' });
    const carbon = join(prefix, 'bin/carbon');
    expect(execute(carbon, '--version').stdout).toBe(`${packageJson.version}\n`);
    writeFileSync(join(home, 'suppliers.csv'), 'name,country\nAcme,Deutschland\n');
    const batch = execute(carbon, 'batch', 'suppliers.csv', '--sandbox', '-q');
    expect(batch).toMatchObject({ status: 0, stdout: '1\n' });
    const listed = 'CHANGELOG.md LICENSE README.md bin dist docs man node_modules package.json';
    const installed = readdirSync(join(prefix, 'lib/node_modules/carbon-data'));
    expect(installed.sort().join(' ')).toBe(listed);
    const program = join(prefix, 'lib/library.mjs');
    const load = "import { CarbonClient } from 'carbon-data';";
    writeFileSync(program, `${load}\nconsole.log(typeof CarbonClient);\n`);
    expect(execute(node, program)).toMatchObject({ status: 0, stdout: 'function\n' });
  });

  itNeeds('man', 'installs pages that man finds and formats without a warning', () => {
    const MANPATH = join(prefix, 'share/man');
    const env = { PATH: process.env['PATH'], MANPATH, LC_ALL: 'C.UTF-8', MANWIDTH: '80' };
    const names = readdirSync(join(MANPATH, 'man1')).map((page) => page.replace(/\.1$/, ''));
    expect(names).toHaveLength(packageJson.man.length);
    const words = ['--warnings', '--pager=cat', ...names];
    const { status, stdout, stderr } = spawnSync('man', words, { env, encoding: 'utf8' });
    expect([status, stderr, stdout.match(/^SYNOPSIS$/gm)?.length]).toEqual([0, '', names.length]);
  });
});
