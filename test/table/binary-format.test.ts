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
function compound(name: string, sectors: number): Buffer {
  const file = Buffer.alloc(512 * (sectors + 2));
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file);
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(sectors, 48);
  file.write(name, 512 * (sectors + 1) + 128, 'utf16le');
  return file;
}

const ods = { mimetype: 'application/vnd.oasis.opendocument.spreadsheet', 'content.xml': '' };

describe('detectDialect for a binary file', () => {
  it.each<readonly [string, Buffer | Promise<Buffer>, string]>([
    ['an OpenDocument spreadsheet (.ods)', zip(ods), 'In LibreOffice,'],
    ['a Numbers spreadsheet', zip({ 'Index/Document.iwa': 'x' }), 'In Numbers,'],
    ['a zip archive', zip({ 'suppliers.csv': 'name\nAcme\n' }), 'Extract the workbook'],
    ['a binary Excel workbook (.xlsb)', zip({ 'xl/workbook.bin': '' }), 'In Excel,'],
    ['an Excel 97-2003 workbook (.xls)', compound('Workbook', 100), 'In Excel or LibreOffice,'],
    ['a workbook with a password', compound('EncryptedPackage', 100), 'with its password'],
    ['a PDF document', Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'), 'Export the table'],
  ])('recognizes %s by its content and names the way out', async (what, content, hint) => {
    for (const name of ['suppliers.csv', 'suppliers']) {
      const error = await errorOf(await content, name);
      expect(error.message.startsWith(`${name} is ${what}, not a`)).toBe(true);
      expect(error.hint).toContain(hint);
    }
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
