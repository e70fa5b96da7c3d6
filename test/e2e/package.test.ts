/* The package as npm installs it: its files, the executable, the library and the manual pages. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { root } from '../support/documents.ts';
import { node } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';

const isInstalled = (program: string) => spawnSync(program, ['--version']).status === 0;

/* Packs and installs carbon below a directory, as `npm install --global` does. */
function installPackage(folder: string): string {
  // npm uses its own Node: that of the test comes first.
  const env = {
    ...process.env,
    PATH: [dirname(node), process.env['PATH']].join(delimiter),
    npm_config_update_notifier: 'false',
  };
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
  const file = npm('pack', '--pack-destination', folder);
  // Text compresses well, and a binary file would not belong into a package of text.
  expect(statSync(join(folder, file)).size).toBeLessThan(2_000_000);
  const prefix = join(folder, 'prefix');
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund'];
  npm('install', '--global', '--prefix', prefix, ...quiet, join(folder, file));
  return prefix;
}

describe.skipIf(process.platform === 'win32')('npm install --global', { tags: ['long'] }, () => {
  let folder = '';
  let prefix = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'carbon-test-'));
    prefix = installPackage(folder);
  }, 400_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('installs an executable, a library and manual pages that work', () => {
    const home = newFolder();
    const env = { HOME: home, PATH: [dirname(node), '/usr/bin', '/bin'].join(delimiter) };
    const execute = (program: string, ...words: string[]) =>
      spawnSync(program, words, { cwd: home, env, encoding: 'utf8' });

    const carbon = join(prefix, 'bin/carbon');
    expect(execute(carbon, '--version')).toMatchObject({
      status: 0,
      stdout: `${packageJson.version}\n`,
    });
    writeFileSync(join(home, 'suppliers.csv'), 'name\nAcme\n');
    expect(execute(carbon, 'batch', 'suppliers.csv', '--sandbox', '-q')).toMatchObject({
      status: 0,
      stdout: '1\n',
    });

    const installed = join(prefix, 'lib/node_modules/carbon-data');
    const listed = 'CHANGELOG.md LICENSE README.md bin dist docs man node_modules package.json';
    expect(readdirSync(installed).sort().join(' ')).toBe(listed);
    const files = readdirSync(installed, {
      recursive: true,
      encoding: 'utf8',
      withFileTypes: true,
    });
    const binaries = files
      .filter((each) => each.isFile() && !each.parentPath.includes('carbon-data/node_modules'))
      .filter((each) => readFileSync(join(each.parentPath, each.name)).includes(0));
    expect(binaries.map(({ name }) => name)).toEqual([]);
    writeFileSync(
      join(prefix, 'lib/library.mjs'),
      "import { CarbonClient } from 'carbon-data';\nconsole.log(typeof CarbonClient);\n",
    );
    const library = execute(node, join(prefix, 'lib/library.mjs'));
    expect(library).toMatchObject({ status: 0, stdout: 'function\n' });
  });

  it.skipIf(!isInstalled('man'))(
    'installs pages that man finds and formats without a warning (skipped without man)',
    () => {
      const env = {
        PATH: process.env['PATH'],
        MANPATH: join(prefix, 'share/man'),
        LC_ALL: 'C.UTF-8',
        MANWIDTH: '80',
      };
      const pages = readdirSync(join(prefix, 'share/man/man1'));
      expect(pages).toHaveLength(packageJson.man.length);
      for (const page of pages) {
        const name = page.replace(/\.1$/, '');
        const words = ['--warnings', '--pager=cat', name];
        const { status, stdout, stderr } = spawnSync('man', words, { env, encoding: 'utf8' });
        expect({ name, status, stderr }).toEqual({ name, status: 0, stderr: '' });
        expect(stdout).toContain('SYNOPSIS');
      }
    },
  );
});
