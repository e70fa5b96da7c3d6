import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { executables, writeChecksums } from '../../build/checksums.js';
import { newFolder } from '../support/run.ts';

it('writeChecksums lists every file of a release, and throws when an executable is missing', () => {
  const folder = newFolder();
  const [missing = '', ...others] = executables;
  for (const file of [...others, 'notes.md']) writeFileSync(join(folder, file), file);
  expect(() => writeChecksums(folder)).toThrow(`missing: ${missing}`);
  writeFileSync(join(folder, missing), missing);
  writeChecksums(folder);
  expect(readFileSync(join(folder, 'SHA256SUMS'), 'utf8')).toBe(
    [...executables]
      .sort()
      .map((file) => `${createHash('sha256').update(file).digest('hex')}  ${file}\n`)
      .join(''),
  );
});
