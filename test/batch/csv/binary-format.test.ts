import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { detectDialect } from '../../../src/batch/csv/dialect.ts';
import { InputFile } from '../../../src/batch/csv/input-file.ts';
import type { UsageError } from '../../../src/runtime/carbon-error.ts';
import { newFolder } from '../../support/run.ts';

async function errorOf(content: Buffer, name = 'suppliers.csv'): Promise<UsageError> {
  const path = join(newFolder(), name);
  writeFileSync(path, content);
  const thrown = await detectDialect(new InputFile(path, name)).catch((error: unknown) => error);
  expect(thrown).toMatchObject({ name: 'UsageError', code: 'invalid_input' });
  return thrown as UsageError;
}

/* Makes the beginning of a zip archive with uncompressed files. */
function zip(...files: readonly (readonly [name: string, content: string])[]): Buffer {
  return Buffer.concat(
    files.map(([name, content]) => {
      const head = Buffer.alloc(30);
      head.writeUInt32LE(0x04034b50, 0);
      head.writeUInt32LE(content.length, 18);
      head.writeUInt32LE(content.length, 22);
      head.writeUInt16LE(name.length, 26);
      return Buffer.concat([head, Buffer.from(name + content)]);
    }),
  );
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

const ods = ['mimetype', 'application/vnd.oasis.opendocument.spreadsheet'] as const;

describe('detectDialect for a binary file', () => {
  it.each<readonly [string, Buffer, string]>([
    [
      'an Excel workbook (.xlsx)',
      zip(['[Content_Types].xml', '<Types/>'], ['xl/workbook.xml', '']),
      'In Excel,',
    ],
    ['an OpenDocument spreadsheet (.ods)', zip(ods, ['content.xml', '']), 'In LibreOffice,'],
    [
      'a Numbers spreadsheet',
      zip(['Index/Document.iwa', 'x'], ['preview.jpg', 'x']),
      'In Numbers,',
    ],
    ['a zip archive', zip(['suppliers.csv', 'name\nAcme\n']), 'Extract the CSV file'],
    ['an Excel workbook (.xls)', compound('Workbook', 100), 'In Excel,'],
    ['an Excel workbook with a password', compound('EncryptedPackage', 100), 'with its password'],
    ['a PDF document', Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'), 'Export the table'],
  ])('recognizes %s by its content and explains how to get CSV', async (what, content, hint) => {
    for (const name of ['suppliers.csv', 'suppliers']) {
      const error = await errorOf(content, name);
      expect(error.message).toBe(`${name} is ${what}, not a CSV file`);
      expect(error.hint).toContain(hint);
    }
  });

  it('prints the command that decompresses a gzip file and keeps a journal', async () => {
    const gzip = gzipSync('name\nAcme\n');
    const named = await errorOf(gzip, "our suppliers' list.csv.gz");
    expect(named.message).toBe("our suppliers' list.csv.gz is a gzip file, not a CSV file");
    expect(named.hint).toMatch(
      /^gunzip -c '.*our suppliers'\\'' list\.csv\.gz' \| carbon batch - --journal 'our suppliers'\\'' list\.csv\.carbon\.jsonl'$/,
    );
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
