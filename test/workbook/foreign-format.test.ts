import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openWorkbook } from '../../src/workbook/open-workbook.ts';
import { newFolder } from '../support/run.ts';
import { relationships, workbook, zip } from './archives.ts';
import { openBook } from './read.ts';

/* Makes a compound file whose directory follows the given number of sectors. */
function compound(name: string, sectors = 100): Buffer {
  const file = Buffer.alloc(512 * (sectors + 2));
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file);
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(sectors, 48);
  file.write(name, 512 * (sectors + 1) + 128, 'utf16le');
  return file;
}

const ods = 'application/vnd.oasis.opendocument.spreadsheet';
const package_ = (part: string) => ({
  '_rels/.rels': relationships(['officeDocument', part]),
  [part]: '<w:document xmlns:w="w"/>',
});

describe('openWorkbook for another format', () => {
  it.each<readonly [what: string, content: Buffer | Promise<Buffer>, hint: string]>([
    ['an Excel 97-2003 workbook (.xls)', compound('Workbook'), 'Excel Workbook (.xlsx)'],
    ['a workbook with a password', compound('EncryptedPackage'), 'without one'],
    ['a binary Excel workbook (.xlsb)', zip(package_('xl/workbook.bin')), 'In Excel,'],
    [
      'an OpenDocument spreadsheet (.ods)',
      zip({ mimetype: ods, 'content.xml': '' }),
      'LibreOffice',
    ],
    ['a Numbers spreadsheet', zip({ 'Index/Document.iwa': 'x' }), 'In Numbers,'],
    ['a Numbers spreadsheet', zip({ 'Index.zip': 'x' }), 'In Numbers,'],
    ['another Office document', zip(package_('word/document.xml')), 'Excel Workbook (.xlsx)'],
    ['a zip archive', zip({ 'suppliers.csv': 'name\n' }), 'Extract the workbook'],
    ['a zip archive', zip({}), 'Extract the workbook'],
    ['a PDF document', Buffer.from('%PDF-1.7\n'), 'Export the table'],
    ['a gzip file', gzipSync('x'), 'with gunzip'],
    ['a web page (HTML)', Buffer.from('\n<!DOCTYPE html><html>'), 'login page'],
    ['an XML file', Buffer.from('<?xml version="1.0"?><Workbook/>'), 'Excel Workbook (.xlsx)'],
    ['a text file', Buffer.from('name,country\nAcme,DE\n'), '.csv'],
    ['a file of an unknown format', Buffer.from('\0\x01\x02'), 'Excel Workbook (.xlsx)'],
  ])('reports %s and the way out', async (what, content, hint) => {
    const path = join(newFolder(), 'suppliers.xlsx');
    writeFileSync(path, await content);
    await expect(openWorkbook(path, { name: 'suppliers.xlsx' })).rejects.toMatchObject({
      name: 'UsageError',
      code: 'invalid_input',
      message: `suppliers.xlsx is ${what}, not an .xlsx workbook`,
      hint: expect.stringContaining(hint),
    });
  });

  it('reports an empty file, a missing file and a directory', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'directory.xlsx'));
    await expect(openBook(Buffer.alloc(0), { name: 'a.xlsx' })).rejects.toThrow('a.xlsx is empty');
    const open = (name: string) => openWorkbook(join(folder, name), { name });
    await expect(open('no.xlsx')).rejects.toThrow('no.xlsx: no such file or directory');
    await expect(open('directory.xlsx')).rejects.toThrow('directory.xlsx is a directory');
  });

  it('reports a truncated workbook', async () => {
    const complete = await workbook('<row><c><v>1</v></c></row>');
    for (let length = 5; length < complete.length; length += 97) {
      await expect(openBook(complete.subarray(0, length), { name: 'a.xlsx' })).rejects.toThrow(
        'a.xlsx is truncated: the end of the archive is missing',
      );
    }
  });
});
