import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { UsageError } from '../../src/runtime/carbon-error.ts';
import { detectDialect } from '../../src/table/dialect.ts';
import { InputFile } from '../../src/table/input-file.ts';
import { newFolder } from '../support/run.ts';
import { zip } from '../workbook/archives.ts';

async function errorOf(content: Buffer, name = 'suppliers.csv'): Promise<UsageError> {
  const path = join(newFolder(), name);
  writeFileSync(path, content);
  const thrown = await detectDialect(new InputFile(path, name)).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ name: 'UsageError', code: 'invalid_input' });
  return thrown as UsageError;
}

const ods = { mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '' };

/* openWorkbook recognizes further formats in the same way. */
describe('detectDialect for a binary file', () => {
  it.each(['suppliers.csv', 'suppliers'])('recognizes it by its content: %s', async (name) => {
    const error = await errorOf(await zip(ods), name);
    expect(error.message).toContain(`${name} is an OpenDocument spreadsheet (.ods), not a`);
    expect(error.hint).toContain('In LibreOffice,');
  });

  it('rejects a workbook that was compressed once more', async () => {
    const error = await errorOf(gzipSync(await zip({ 'xl/workbook.xml': '' })), 'a.xlsx.gz');
    expect(error.message).toBe('a.xlsx.gz is a compressed workbook or archive');
  });

  it.each([
    ['a bzip2 file', 'BZh91AY&SY\xb1\xf7'],
    ['an xz file', '\xfd7zXZ\0\0\x04'],
    ['a Zstandard file', '\x28\xb5\x2f\xfd\x24'],
    ['a 7-Zip archive', '7z\xbc\xaf\x27\x1c\0\x04'],
  ])('recognizes %s', async (what, bytes) => {
    expect((await errorOf(Buffer.from(bytes, 'latin1'))).message).toContain(`is ${what},`);
  });

  it('accepts text that begins like a binary file', async () => {
    for (const header of ['PK,name', 'BZh9,name', '7z,name', '%PDF,name']) {
      const path = join(newFolder(), 'a.csv');
      writeFileSync(path, `${header}\n1,Acme\n`);
      expect((await detectDialect(new InputFile(path))).header).toEqual(header.split(','));
    }
  });
});
