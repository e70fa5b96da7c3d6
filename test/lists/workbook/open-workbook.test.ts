import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storedNumber } from '../../../src/lists/workbook/cells.ts';
import { newFolder } from '../../support/run.ts';
import {
  relationships,
  sheetPart,
  stringsPart,
  stylesPart,
  workbook,
  workbookPart,
} from './archives.ts';
import { readBook, readCells } from './read.ts';

const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;

describe('openWorkbook', () => {
  it('reads every kind of cell as the text of a CSV export', async () => {
    const row = `<row r="3">
      <c r="A3" t="s"><v>0</v></c><c r="B3" t="s"><v>1</v></c>${inline('a &amp; b')}
      <c r="D3" t="str"><f>UPPER("x")</f><v>X</v></c><c r="E3"><f>6*7</f><v>42</v></c>
      <c r="F3" t="b"><v>1</v></c><c r="G3" t="b"><v>0</v></c>
      <c r="I3" t="d"><v>2026-01-31T00:00:00Z</v></c><c r="J3"><v>0.125</v></c></row>`;
    const strings = stringsPart(
      '<t>Acme_x000D_</t>',
      '<r><t>rich</t></r><r><rPr><b/></rPr><t xml:space="preserve"> text</t></r><rPh sb="0" eb="1"><t>ふり</t></rPh>',
    );
    const { all } = await readBook(await workbook(row, { 'xl/sharedStrings.xml': strings }));
    const cells = 'Acme\r|rich text|a & b|X|42|TRUE|FALSE||2026-01-31|0.125'.split('|');
    const kinds = 'text text text text number boolean boolean blank date number'.split(' ');
    expect(all).toEqual([{ number: 3, cells, kinds }]);
  });

  it.each([
    ['42.0', '42'],
    ['-0', '0'],
    ['1.3700000000000001', '1.37'],
    ['0.30000000000000004', '0.3'],
    ['1E-7', '0.0000001'],
    ['123456789012', '123456789012'],
    ['1.2345678901E+11', '123456789010'],
    ['12345678901234567', '12345678901234567'],
    ['1e300', '1E+300'],
    ['1e-300', '1E-300'],
  ])('reads the number %s as %s', async (stored, text) => {
    expect(await readCells(await workbook(`<row><c><v>${stored}</v></c></row>`))).toEqual([[text]]);
  });

  it('reads any number so that its text has the value, to 15 digits', {
    tags: ['property'],
  }, () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const text = storedNumber(String(value)) ?? '';
        expect(Number(text)).toBe(
          Number.isInteger(value) && Math.abs(value) < 1e21
            ? value + 0
            : Number(value.toPrecision(15)) + 0,
        );
        if (Math.abs(value) >= 1e-14 && Math.abs(value) < 1e20) expect(text).not.toMatch(/e/i);
      }),
    );
  });

  it.each<[serial: string, format: string | number, text: string]>([
    ['45292', 'yyyy\\-mm\\-dd', '2024-01-01'],
    ['45292', 'd. mmmm yyyy', '2024-01-01'],
    ['45292', 'mmm', '2024-01-01'],
    ['45292', '[$-411]ge.m.d', '2024-01-01'],
    ['45292.604166666664', 22, '2024-01-01T14:30:00'],
    ['45292', 22, '2024-01-01'],
    ['45292.604166666664', 14, '2024-01-01'],
    ['0.604166666664', 'hh:mm', '14:30:00'],
    ['1.5', '[h]:mm:ss', '36:00:00'],
    ['60', 14, '60'],
    ['61', 14, '1900-03-01'],
    ['2958465', 14, '9999-12-31'],
    ['2958466', 14, '2958466'],
    ['-1', 14, '-1'],
    ['45292', 'General', '45292'],
    ['45292', '0.00E+00', '45292'],
    ['45292', '[Red]0;[Blue]-0', '45292'],
    ['45292', '_-* #,##0\\ [$EUR]_-', '45292'],
    ['45292', '@', '45292'],
  ])('reads %s with the number format %s as %s', async (serial, format, text) => {
    const styles = stylesPart(
      typeof format === 'string' ? [format.replaceAll('"', '&quot;')] : [],
      [0, typeof format === 'string' ? 164 : format],
    );
    const row = `<row><c s="1"><v>${serial}</v></c></row>`;
    expect(await readCells(await workbook(row, { 'xl/styles.xml': styles }))).toEqual([[text]]);
  });

  it('counts days from 1904 if the workbook does', async () => {
    const book = await workbook('<row><c s="0"><v>0</v></c><c s="0"><v>43830</v></c></row>', {
      'xl/workbook.xml': workbookPart(['S'], '<workbookPr date1904="1"/>'),
      'xl/styles.xml': stylesPart([], [14]),
    });
    expect(await readCells(book)).toEqual([['1904-01-01', '2024-01-01']]);
  });

  it('reports cells with errors and formulas without a result', async () => {
    const { all, findings } = await readBook(
      await workbook(
        `<row r="7">${inline('Acme')}<c r="B7" t="e"><v>#N/A</v></c><c><f>1+1</f></c><c><f>1+1</f><v/></c><c t="str"><f>""</f><v></v></c><c><v>NaN</v></c></row>`,
      ),
    );
    expect(all).toEqual([
      {
        number: 7,
        cells: ['Acme', '#N/A', '', '', '', 'NaN'],
        kinds: 'text missing missing missing blank missing'.split(' '),
      },
    ]);
    expect(findings).toMatchObject({ missing: 4, mergedRanges: 0, hiddenRows: 0 });
    expect(findings.firstMissing.map(({ cell, value }) => `${cell} ${value}`)).toEqual([
      'B7 #N/A',
      'C7 formula without a result',
      'D7 formula without a result',
      'F7 NaN',
    ]);
  });

  it('keeps the row numbers and columns of the sheet around empty rows and cells', async () => {
    const rows = `<row r="1"><c r="B1" s="0"/></row><row r="4" spans="2:3"><c r="C4"><v>1</v></c><c r="XFD4" s="0"/></row>
      <row><c/><c><v>2</v></c></row><row r="1000000"><c r="A1000000" t="inlineStr"><is><t></t></is></c></row>`;
    const { all } = await readBook(await workbook(rows));
    expect(all.map(({ number, cells }) => [number, cells])).toEqual([
      [4, ['', '', '1']],
      [5, ['', '2']],
    ]);
  });

  it('reads the escapes of characters that XML cannot contain', async () => {
    const texts = ['a_x000D_b', '_x005F_x000D_', '_X000D_ _x00e9_', '_x00_', '_xD83D__xDE00_'];
    const row = `<row>${texts.map(inline).join('')}</row>`;
    expect(await readCells(await workbook(row))).toEqual([
      ['a\rb', '_x000D_', '_X000D_ é', '_x00_', '😀'],
    ]);
  });

  it('reads parts with namespace prefixes and from any path', async () => {
    const book = await workbook('', {
      '_rels/.rels': relationships(['officeDocument', '/book/main.xml']),
      'book/main.xml':
        '<x:workbook xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:rel="r"><x:sheets><x:sheet name="S" sheetId="1" rel:id="rId1"/></x:sheets></x:workbook>',
      'book/_rels/main.xml.rels': relationships(['worksheet', '../../cells/s.xml']),
      'cells/s.xml':
        '\ufeff<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>',
    });
    expect(await readCells(book)).toEqual([['7']]);
  });

  it('reads an open file again', async () => {
    const path = join(newFolder(), 'book.xlsx');
    writeFileSync(path, await workbook(`<row>${inline('Acme')}</row>`));
    const handle = await open(path);
    for (let time = 0; time < 2; time += 1) expect(await readCells(handle)).toEqual([['Acme']]);
    await handle.close();
  });
});

describe('openWorkbook with several sheets', () => {
  const rows = (text: string) => sheetPart(`<row>${inline(text)}</row>`);
  const names = ['Data!veryHidden', 'Chart', 'Notes', 'Größe &amp; mehr', 'Old!hidden'];
  const target = (part: string) =>
    [part === 'b' ? 'chartsheet' : 'worksheet', `${part}.xml`] as const;
  const parts = ['a', 'b', 'c', 'd', 'e'];
  const book = () =>
    workbook('', {
      'xl/workbook.xml': workbookPart(names),
      'xl/_rels/workbook.xml.rels': relationships(...parts.map(target)),
      ...Object.fromEntries(parts.map((part) => [`xl/${part}.xml`, rows(part)])),
    });

  it('reads the first visible worksheet and lists the others', async () => {
    const { name, others, all } = await readBook(await book());
    expect(all[0]?.cells).toEqual(['c']);
    expect(name).toBe('Notes');
    expect(others.map(({ name, isVisible }) => [name, isVisible])).toEqual([
      ['Data', false],
      ['Größe & mehr', true],
      ['Old', false],
    ]);
  });

  it.each([
    ['Größe & mehr', 'd'],
    ['größe & MEHR', 'd'],
    ['old', 'e'],
  ])('reads the sheet %s by its name in any case, even if it is hidden', async (sheet, text) => {
    expect(await readCells(await book(), { sheet })).toEqual([[text]]);
  });

  it('lists the sheets in the error for an unknown one', async () => {
    await expect(
      readCells(await book(), { sheet: 'Suppliers', name: 'b.xlsx' }),
    ).rejects.toMatchObject({
      message: 'b.xlsx has no sheet "Suppliers"',
      hint: 'Sheets: "Data" (hidden), "Notes", "Größe & mehr", "Old" (hidden).',
      code: 'usage',
    });
  });

  it.each([
    ['2', 'Did you mean --sheet "Notes"? Sheets: '],
    ['notess', 'Did you mean --sheet "Notes"? Sheets: '],
    ['3', 'Did you mean --sheet "Größe & mehr"? Sheets: '],
    ['9', 'Sheets: '],
  ])('proposes the sheet that someone numbers or mistypes: %s', async (sheet, begin) => {
    await expect(readCells(await book(), { sheet })).rejects.toMatchObject({
      hint: `${begin}"Data" (hidden), "Notes", "Größe & mehr", "Old" (hidden).`,
    });
  });

  it('reports a workbook without worksheets', async () => {
    const empty = await workbook('', { 'xl/workbook.xml': workbookPart([]) });
    await expect(readCells(empty)).rejects.toThrow('the workbook has no worksheet');
  });
});
