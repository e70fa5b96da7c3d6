import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/documents.ts';
import { newFolder } from '../support/run.ts';

const sources = [
  'src/main.ts',
  'src/cli/program.ts',
  'build/build.js',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
const outputs = [
  'dist/main.cjs',
  'dist/index.js',
  'dist/types/index.d.ts',
  'dist/prerendered.json',
];
const buildTime = 1_700_000_000;

/* Creates a project in which everything but the build is a minute old when the build starts. */
function builtProject(): string {
  const project = newFolder();
  for (const file of [...sources, ...outputs]) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), file === 'package.json' ? '{"type":"module"}' : '');
  }
  copyFileSync(join(root, 'build/is-fresh.js'), join(project, 'build/is-fresh.js'));
  for (const path of [...sources, 'build/is-fresh.js', 'src/cli', 'src', 'build'])
    setTime(project, path, buildTime - 60);
  for (const path of outputs) setTime(project, path, buildTime);
  return project;
}

function setTime(project: string, path: string, seconds: number): void {
  utimesSync(join(project, path), seconds, seconds);
}

function isFresh(project: string): boolean {
  const script = join(project, 'build/is-fresh.js');
  const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return status === 0;
}

describe('build/is-fresh.js', () => {
  it('exits with 0 when no source changed since the build started', () => {
    expect(isFresh(builtProject())).toBe(true);
  });

  it.each(sources)('exits with 1 when %s changed after the build started', (source) => {
    const project = builtProject();
    setTime(project, source, buildTime + 1);
    expect(isFresh(project)).toBe(false);
  });

  it('exits with 1 when a source was removed', () => {
    const project = builtProject();
    rmSync(join(project, 'src/cli/program.ts'));
    expect(isFresh(project)).toBe(false);
  });

  it.each(outputs)('exits with 1 when %s is missing', (output) => {
    const project = builtProject();
    rmSync(join(project, output));
    expect(isFresh(project)).toBe(false);
  });
});
