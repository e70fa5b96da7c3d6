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

/* Makes a compound file whose directory follows the given number of sectors. */
function compound(name: string, sectors = 100): Buffer {
  const file = Buffer.alloc(512 * (sectors + 2));
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file);
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(sectors, 48);
  file.write(name, 512 * (sectors + 1) + 128, 'utf16le');
  return file;
}

const ods = { mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '' };

describe('detectDialect for a binary file', () => {
  it.each([
    ['an Excel 97-2003 workbook (.xls)', compound('Workbook'), 'Excel Workbook (.xlsx)'],
    ['a workbook with a password', compound('EncryptedPackage'), 'without one'],
    ['a PDF document', Buffer.from('%PDF-1.7\n'), 'Export the table'],
    ['a gzip file', gzipSync(gzipSync('x')), 'with gunzip'],
  ])('reports %s and the way out', async (what, content, hint) => {
    const error = await errorOf(content, 'suppliers.xlsx');
    expect(error.message).toBe(`suppliers.xlsx is ${what}, not a CSV file or workbook`);
    expect(error.hint).toContain(hint);
  });

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
