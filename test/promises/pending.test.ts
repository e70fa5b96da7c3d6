/* Promises that carbon makes, but that no test can prove yet. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/* The file that will contain the test of each; add the test, then remove the line here. */
const pending: Readonly<Record<string, string>> = {
  'one label means one population in list, check and diff': 'populations-of-tables.test.ts',
};

it.each(Object.entries(pending))('%s (no test yet)', (_, file) => {
  const path = join(import.meta.dirname, file);
  expect(existsSync(path), `${file} exists: remove its line from pending.test.ts`).toBe(false);
});
