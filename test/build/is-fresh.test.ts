import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/documents.ts';
import { newFolder } from '../support/run.ts';

it('build/is-fresh.js exits with 0 unless a source changed or is missing since the build', {
  tags: ['long'],
}, () => {
  const project = newFolder();
  const started = 1_700_000_000;
  const touch = (seconds: number, ...paths: readonly string[]) => {
    for (const path of paths) utimesSync(join(project, path), seconds, seconds);
  };
  const write = (path: string, text = '') => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  const script = 'build/is-fresh.js';
  cpSync(join(root, script), join(project, script));
  write('package.json', '{"type":"module"}');
  const sources = ['src/main.ts', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
  const outputs = ['main.cjs', 'index.js', 'types/index.d.ts', 'prerendered.json'];
  for (const path of [...sources, ...outputs.map((name) => `dist/${name}`)]) write(path);
  touch(started - 60, ...sources, 'src', 'build', script, 'package.json');
  touch(started, 'dist/prerendered.json');
  const status = () => spawnSync(process.execPath, [join(project, script)], { env: {} }).status;
  expect(status()).toBe(0);
  touch(started + 1, 'package-lock.json');
  expect(status()).toBe(1);
  touch(started - 60, 'package-lock.json');
  rmSync(join(project, 'dist/main.cjs'));
  expect(status()).toBe(1);
  write('dist/main.cjs');
  rmSync(join(project, 'src/main.ts'));
  expect(status()).toBe(1);
});
