import { describe, expect, it } from 'vitest';
import { relationships, workbook, zip } from './archives.ts';
import { openBook } from './read.ts';

const ods = 'application/vnd.oasis.opendocument.spreadsheet';
const package_ = (part: string) => ({
  '_rels/.rels': relationships(['officeDocument', part]),
  [part]: '<w:document xmlns:w="w"/>',
});

describe('openWorkbook for another format', () => {
  it.each([
    ['a binary workbook', package_('xl/workbook.bin')],
    ['an OpenDocument spreadsheet', { mimetype: ods, 'content.xml': '' }],
    ['another Office document', package_('word/document.xml')],
    ['a zip archive', { 'suppliers.csv': 'name\n' }],
    ['an empty zip archive', {}],
  ])('rejects %s', async (_, parts) => {
    const archive = await zip(parts as Record<string, string>);
    await expect(openBook(archive, { name: 'suppliers.xlsx' })).rejects.toMatchObject({
      name: 'UsageError',
      code: 'invalid_input',
      message: 'suppliers.xlsx is neither CSV nor an .xlsx workbook',
      hint: expect.stringContaining('save it as .xlsx'),
    });
  });

  it('reports a truncated workbook', async () => {
    const complete = await workbook('<row><c><v>1</v></c></row>');
    for (let length = 5; length < complete.length; length += 97) {
      await expect(
        openBook(complete.subarray(0, length), { name: 'a.xlsx' }),
      ).rejects.toMatchObject({
        message: 'a.xlsx is not a readable workbook: its end is missing',
        hint: expect.stringContaining('Export or download it again'),
      });
    }
  });
});
