import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorkbook } from '../../src/workbook/open-workbook.ts';
import { newFolder } from '../support/run.ts';
import { relationships, workbook, zip } from './archives.ts';
import { openBook } from './read.ts';

const ods = 'application/vnd.oasis.opendocument.spreadsheet';
const package_ = (part: string) => ({
  '_rels/.rels': relationships(['officeDocument', part]),
  [part]: '<w:document xmlns:w="w"/>',
});

describe('openWorkbook for another format', () => {
  it.each<readonly [what: string, content: Promise<Buffer>, hint: string]>([
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
  ])('reports %s and the way out', async (what, content, hint) => {
    const path = join(newFolder(), 'suppliers.xlsx');
    writeFileSync(path, await content);
    await expect(openWorkbook(path, 'suppliers.xlsx')).rejects.toMatchObject({
      name: 'UsageError',
      code: 'invalid_input',
      message: `suppliers.xlsx is ${what}, not an .xlsx workbook`,
      hint: expect.stringContaining(hint),
    });
  });

  it('reports a missing file', async () => {
    const path = join(newFolder(), 'no.xlsx');
    await expect(openWorkbook(path, 'no.xlsx')).rejects.toThrow(
      'no.xlsx: no such file or directory',
    );
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
