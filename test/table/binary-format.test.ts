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

  it('accepts text that begins like a binary file', async () => {
    for (const header of ['PK,name', '%PDF,name']) {
      const path = join(newFolder(), 'a.csv');
      writeFileSync(path, `${header}\n1,Acme\n`);
      expect((await detectDialect(new InputFile(path))).header).toEqual(header.split(','));
    }
  });
});
