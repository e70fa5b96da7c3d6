import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/documents.ts';
import { newFolder } from '../support/run.ts';

const sources = ['src/cli/program.ts', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
const outputs = [
  'dist/main.cjs',
  'dist/index.js',
  'dist/types/index.d.ts',
  'dist/prerendered.json',
];

it('build/is-fresh.js exits with 0 unless a source changed or is missing since the build', {
  tags: ['long'],
}, () => {
  const project = newFolder();
  const started = 1_700_000_000;
  const touch = (path: string, seconds: number) =>
    utimesSync(join(project, path), seconds, seconds);
  const write = (path: string, seconds: number) => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), path === 'package.json' ? '{"type":"module"}' : '');
    touch(path, seconds);
  };
  const script = 'build/is-fresh.js';
  for (const file of [...sources, 'package.json', script]) write(file, started - 60);
  for (const file of outputs) write(file, started);
  copyFileSync(join(root, script), join(project, script));
  for (const path of [script, 'build', 'src/cli', 'src']) touch(path, started - 60);
  const status = () => spawnSync(process.execPath, [join(project, script)], { env: {} }).status;
  expect(status()).toBe(0);
  for (const source of sources.slice(0, 2)) {
    touch(source, started + 1);
    expect([source, status()]).toEqual([source, 1]);
    touch(source, started - 60);
  }
  rmSync(join(project, 'dist/main.cjs'));
  expect(status()).toBe(1);
  write('dist/main.cjs', started);
  rmSync(join(project, 'src/cli/program.ts'));
  expect(status()).toBe(1);
});
