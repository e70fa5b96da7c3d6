import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Whether dist/ is newer than its sources. */
    isBuilt: boolean;
    /** Directory that all workers share until the end of the run. */
    runFolder: string;
  }
}

/** Runs once, before the workers start; returns what runs after them. */
export default function setup({ provide }: TestProject): () => void {
  const isFresh = join(import.meta.dirname, '../../build/is-fresh.js');
  provide('isBuilt', spawnSync(process.execPath, [isFresh]).status === 0);
  const folder = mkdtempSync(join(tmpdir(), 'carbon-test-run-'));
  provide('runFolder', folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
