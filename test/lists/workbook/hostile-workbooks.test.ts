import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CarbonError } from '../../../src/runtime/carbon-error.ts';
import { runs } from '../../support/seed.ts';
import { relationships, sheetPart, stringsPart, workbook } from './archives.ts';
import { readCells } from './read.ts';

const cell = '<row><c><v>1</v></c></row>';
const sheet = 'xl/worksheets/sheet1.xml';
const mebibyte = 2 ** 20;

async function errorOf(book: Buffer | Promise<Buffer>): Promise<CarbonError> {
  const thrown = await readCells(await book, { name: 'book.xlsx' }).catch(
    (error: unknown) => error,
  );
  expect(thrown).toMatchObject({ name: 'UsageError', code: 'invalid_input' });
  return thrown as CarbonError;
}

describe('openWorkbook for a hostile workbook', () => {
  it('rejects a part that inflates to more than 250 times its size', {
    tags: ['long'],
  }, async () => {
    const row = `<row><c t="inlineStr"><is><t>${'x'.repeat(mebibyte)}</t></is></c></row>`;
    const bomb = workbook(row.repeat(65));
    expect((await errorOf(bomb)).message).toBe(
      'book.xlsx is too large: xl/worksheets/sheet1.xml inflates to more than 250 times its compressed size',
    );
  });

  it('rejects a text, a tag and a row of more than four million characters', {
    tags: ['long'],
  }, async () => {
    const long = 'x'.repeat(5 * mebibyte);
    const text = `<row><c t="inlineStr"><is><t>${long}</t></is></c></row>`;
    expect((await errorOf(workbook(text))).message).toContain('longer than four million');
    expect((await errorOf(workbook(`<row a="${long}">`))).message).toContain('longer than four');
    const cells = '<c t="s"><v>0</v></c>'.repeat(200);
    const strings = { 'xl/sharedStrings.xml': stringsPart(`<t>${'x'.repeat(32_767)}</t>`) };
    expect((await errorOf(workbook(`<row>${cells}</row>`, strings))).message).toBe(
      'book.xlsx is damaged: xl/worksheets/sheet1.xml: row 1 is longer than four million characters',
    );
  });

  it('rejects a document type, so no entity expands and no file is read', async () => {
    const types = [
      '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>',
      '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>',
      '<!DOCTYPE a SYSTEM "http://evil.example/a.dtd">',
    ];
    for (const type of types) {
      const row = '<row><c t="inlineStr"><is><t>&b;</t></is></c></row>';
      for (const part of [sheet, 'xl/workbook.xml', '_rels/.rels', 'xl/sharedStrings.xml']) {
        const book = workbook('', { [part]: type + sheetPart(row) });
        expect((await errorOf(book)).message).toBe(
          `book.xlsx is damaged: ${part}: it has a document type, which workbooks do not allow`,
        );
      }
    }
    const entity = workbook('<row><c t="inlineStr"><is><t>&b;</t></is></c></row>');
    expect((await errorOf(entity)).message).toContain('undefined entity');
  });

  it('rejects a sheet with values far away in many rows, but reads a few of them', {
    tags: ['long'],
  }, async () => {
    const rows = (count: number) =>
      Array.from(
        { length: count },
        (_, index) =>
          `<row r="${index + 1}"><c r="A${index + 1}"><v>1</v></c><c r="XFD${index + 1}"><v>1</v></c></row>`,
      ).join('');
    expect(await errorOf(workbook(rows(200)))).toMatchObject({
      message: 'book.xlsx has values far from its table, such as in cell XFD123',
      hint: 'Delete the columns to the right of the table, and save the workbook.',
    });
    expect(await readCells(await workbook(rows(50)))).toHaveLength(50);
  });

  it.each([
    [
      'a row below the last one',
      '<row r="1048577"/>',
      'row number 1048577 is not from 1 to 1048576',
    ],
    ['row 0', '<row r="0"/>', 'row number 0 is not from 1 to 1048576'],
    ['a cell beside the last column', '<row><c r="XFE1"/></row>', 'row 1 has a cell XFE1'],
    ['too many cells', `<row>${'<c/>'.repeat(16_385)}</row>`, 'a cell in column 16385'],
    [
      'an unknown shared string',
      '<row><c t="s"><v>0</v></c></row>',
      'A1 refers to a shared string',
    ],
    ['a row that is not closed', '<row>', 'unexpected close tag'],
    ['deep elements', '<a>'.repeat(200), 'elements are nested more than 100 deep'],
  ])('rejects %s', async (_, rows, why) => {
    const { message } = await errorOf(workbook(rows));
    expect(message).toContain('book.xlsx is damaged: xl/worksheets/sheet1.xml: ');
    expect(message).toContain(why);
  });

  it('rejects text that is not UTF-8', async () => {
    const latin1 = Buffer.from(sheetPart('<row>\xfc</row>'), 'latin1');
    const { message } = await errorOf(workbook('', { [sheet]: latin1 }));
    expect(message).toBe('book.xlsx is damaged: xl/worksheets/sheet1.xml is not UTF-8 text');
  });

  it('never leaves the archive for the path of a part', async () => {
    const relations = relationships(['worksheet', '../../../../../../etc/passwd']);
    const book = workbook('', { 'xl/_rels/workbook.xml.rels': relations });
    expect((await errorOf(book)).message).toBe('book.xlsx is damaged: etc/passwd is missing');
  });

  it('rejects two parts with the same name', async () => {
    const book = await workbook(cell, { 'xl/worksheets/sheet2.xml': sheetPart('') });
    const text = book.toString('latin1').replaceAll('sheet2.xml', 'sheet1.xml');
    expect((await errorOf(Buffer.from(text, 'latin1'))).message).toBe(
      'book.xlsx is damaged: it has xl/worksheets/sheet1.xml twice',
    );
  });

  it('reports any changed byte or reads the workbook', { tags: ['property'] }, async () => {
    const strings = { 'xl/sharedStrings.xml': stringsPart('<t>Acme</t>') };
    const book = await workbook(`<row><c t="s"><v>0</v></c></row>${cell}`, strings);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(book.length - 1),
        fc.integer({ min: 0, max: 255 }),
        async (offset, byte) => {
          const changed = Buffer.from(book);
          changed[offset] = byte;
          const read = await readCells(changed).catch((error: unknown) => error);
          if (read instanceof Error) expect(read).toBeInstanceOf(CarbonError);
          else expect(read).toEqual([['Acme'], ['1']]);
        },
      ),
      { numRuns: runs(120) },
    );
  });
});
