import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CsvDialectOptions } from '../../../src/lists/table/dialect.ts';
import { detectDialect } from '../../../src/lists/table/dialect.ts';
import { InputFile } from '../../../src/lists/table/input-file.ts';
import { type Row, readRows } from '../../../src/lists/table/rows.ts';
import { RowScanner, type ScannedRow } from '../../../src/lists/table/text-rows.ts';
import { newFolder } from '../../support/run.ts';
import { runs } from '../../support/seed.ts';

async function read(
  content: string | Buffer,
  options: CsvDialectOptions = {},
  path = join(newFolder(), 'a.csv'),
  name = 'a.csv',
) {
  writeFileSync(path, content);
  const source = new InputFile(path, name);
  const layout = await detectDialect(source, options);
  const rows: Row[] = [];
  let headers = 0;
  for await (const group of readRows(source, layout)) {
    rows.push(...group.rows);
    headers += group.headers.length;
  }
  return {
    ...layout,
    rows,
    headers,
    cells: rows.map((row) => row.cells),
    lines: rows.map(({ line }) => line),
  };
}

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const latin1 = Buffer.from('name,hq_region\nAcme,DE\nMüller & Söhne,DE\n', 'latin1');
const shiftJis = Buffer.concat([Buffer.from('name\nAcme\n'), Buffer.from('83678388835e0a', 'hex')]);

describe('detectDialect', () => {
  it.each([
    ['semicolon', 'a;b;c,d\n1;2;3\n', ';'],
    ['tab', 'a\tb\n1\t2\n', '\t'],
    ['pipe', 'a|b\n1|2\n', '|'],
    ['delimiters within quotes do not count', '"a;b;c",d\n1,2\n', ','],
    ['one column', 'name\nAcme\nBeta\n', ','],
    ['the separator line of a spreadsheet', 'sep=;\na;b\n1;2\n', ';'],
    ['more commas in the header', 'Supplier (Name, City);Country (ISO, 2)\nA;DE\nB;GB\n', ';'],
    ['commas in a header of tabs', 'Name, legal, short\tLand\nA\tDE\n\nB\tGB\n', '\t'],
    ['one in ten rows is short', `a (b, c);d\n${'1;2\n'.repeat(9)}3\n`, ';'],
    ['two in ten rows are short', `a (b, c);d\n${'1;2\n'.repeat(8)}3\n4\n`, ','],
    ['one row has the width of the header', 'a, b;c\n1;2\n1;2\n1, 2\n', ','],
    ['two delimiters fit', 'a,b,c;d|e\n1;2|3\n', ','],
    ['no delimiter fits', 'a,b\n1\n2\n', ','],
    ['a separator line decides', 'sep=,\na, b;c\n1;2\n', ','],
  ])('detects the delimiter: %s', async (_, content, delimiter) => {
    expect(await read(content)).toMatchObject({ delimiter });
  });

  it('finds any delimiter, whatever others the header has', { tags: ['property'] }, () => {
    const delimiters = [',', ';', '\t', '|'];
    const word = fc.stringMatching(/^[a-z]{1,5}$/);
    const value = fc.stringMatching(/^\d[a-z]{0,4}$/);
    const table = fc.record({
      delimiter: fc.constantFrom(...delimiters),
      header: fc.array(fc.tuple(word, fc.constantFrom(...delimiters), word), {
        minLength: 2,
        maxLength: 5,
      }),
      rows: fc.array(fc.array(value, { minLength: 5, maxLength: 5 }), {
        minLength: 1,
        maxLength: 9,
      }),
    });
    return fc.assert(
      fc.asyncProperty(table, async ({ delimiter, header, rows }) => {
        const names = header.map(([a, other, b]) => (other === delimiter ? a : `${a}${other}${b}`));
        const lines = [names, ...rows.map((cells) => cells.slice(0, names.length))];
        const found = await read(lines.map((cells) => `${cells.join(delimiter)}\n`).join(''));
        expect(found.header).toEqual(names);
        expect(found.cells).toEqual(lines.slice(1));
      }),
    );
  });

  it('skips titles and blank lines above the header, and counts their lines', async () => {
    const found = await read('Suppliers; of 2026\r\n\r\nname;hq_region\r\nAcme;DE\r\n', {
      skipLines: 1,
    });
    expect(found).toMatchObject({
      titles: 'Suppliers; of 2026\r\n\r\n',
      header: ['name', 'hq_region'],
      headerLine: 3,
      lines: [4],
    });
  });

  it.each(['', '\ufeff', ' \r\n\n', '\n'])('reports that %j is empty', async (content) => {
    await expect(read(content)).rejects.toMatchObject({
      name: 'UsageError',
      message: 'a.csv is empty',
    });
  });

  it('reports a header that is too long', async () => {
    for (const header of ['column,'.repeat(40_000), `"name\n${'Acme,1\n'.repeat(40_000)}`]) {
      await expect(read(`${header}\nAcme,1\n`)).rejects.toMatchObject({
        name: 'UsageError',
        message: 'a.csv, line 1: the header is longer than 256 KiB',
        hint: expect.stringContaining('each quote in the header is closed'),
      });
    }
  });

  it('rejects a missing file and a directory', async () => {
    await expect(detectDialect(new InputFile('/nowhere/a.csv'))).rejects.toThrow('no such file');
    await expect(detectDialect(new InputFile(newFolder(), 'x'))).rejects.toThrow('is a directory');
  });
});

describe('decode', () => {
  it.each([
    ['UTF-8 with byte order mark', Buffer.from('\ufeffname\nAçme\n')],
    ['UTF-16, little endian', utf16('name\nAçme\n')],
    ['UTF-16, big endian', utf16('name\nAçme\n').swap16()],
  ])('recognizes %s by its byte order mark', async (_, bytes) => {
    expect(await read(bytes)).toMatchObject({ header: ['name'], cells: [['Açme']] });
  });

  it('uses the given encoding, and names the first line that is not in UTF-8', async () => {
    expect((await read(latin1, { encoding: 'latin1' })).cells[1]).toEqual(['Müller & Söhne', 'DE']);
    expect((await read(shiftJis, { encoding: 'Shift_JIS' })).cells[1]).toEqual(['トヨタ']);
    for (const bytes of [latin1, shiftJis])
      await expect(read(bytes)).rejects.toMatchObject({
        name: 'UsageError',
        message: 'a.csv, line 3: not UTF-8 text',
        hint: expect.stringContaining('--encoding windows-1252 (Western European), windows-1250'),
      });
  });

  it.each([
    ['bytes that are no text', latin1],
    ['NUL characters', Buffer.from('PK\0\0\0')],
    ['part of a zip archive', Buffer.from('xl/workbook.xmlPK\x05\x06\0\0\0\0')],
  ])('says that a file called .xlsx is no workbook: %s', async (_, bytes) => {
    const error = { name: 'UsageError', message: 'a.xlsx is not a readable workbook' };
    await expect(read(bytes, {}, undefined, 'a.xlsx')).rejects.toMatchObject({
      ...error,
      hint: 'Export or download it again, or save it as .xlsx in Excel or LibreOffice. If it is CSV, call it .csv.',
    });
    // With an encoding, the user has said that it is text.
    const encoding = { encoding: 'shift_jis' };
    await expect(read(bytes, encoding, undefined, 'a.xlsx')).rejects.not.toMatchObject(error);
  });

  it.each(['utf-8', 'latin1', 'shift_jis'])(
    'names the line of a NUL character far into a file, in %s',
    async (encoding) => {
      const text = `name,n\r\n${'Acme,1\r\n'.repeat(4_000)}Be\0ta,1\r\n`;
      const message = 'a.csv, line 4002: NUL character';
      await expect(read(text, { encoding })).rejects.toMatchObject({ name: 'UsageError', message });
      await expect(read(utf16(text))).rejects.toMatchObject({ message });
    },
  );

  it.each([
    ['utf-16le', (text: string) => Buffer.from(text, 'utf16le')],
    ['utf-16be', (text: string) => Buffer.from(text, 'utf16le').swap16()],
  ])('names %s without a byte order mark', async (label, encode) => {
    const error = {
      message: 'a.csv seems to be UTF-16 without a byte order mark',
      hint: `Use --encoding ${label}, or save the list as .xlsx or as CSV UTF-8.`,
    };
    for (const text of ['name\nA\n', '公司\r\n阿尔法\r\n', `name\n${'Müller\n'.repeat(9_000)}`]) {
      await expect(read(encode(text))).rejects.toMatchObject(error);
      await expect(read(encode(text), { encoding: 'latin1' })).rejects.toMatchObject(error);
      expect((await read(encode(text), { encoding: label })).header).toEqual([
        text.split(/\r?\n/)[0],
      ]);
    }
  });

  it('rejects unknown encodings', async () => {
    for (const encoding of ['klingon', 'constructor', 'ibm999'])
      await expect(read('name\n', { encoding })).rejects.toMatchObject({ name: 'UsageError' });
  });

  it.each([
    ['ibm850', '4d81'],
    ['cp850', '4d81'],
    ['IBM437', '4d81'],
    ['850', '4d81'],
    ['ibm866', '4d81'],
  ])('reads MS-DOS text with --encoding %s', async (encoding, hex) => {
    const { cells } = await read(Buffer.from(`${hex}0a${hex}0a`, 'hex'), { encoding });
    expect(cells).toEqual([]);
    const text = Buffer.concat([Buffer.from('n\n'), Buffer.from(`${hex}6c0a`, 'hex')]);
    expect((await read(text, { encoding })).cells).toEqual([
      [encoding === 'ibm866' ? 'MБl' : 'Mül'],
    ]);
  });

  it('knows every character of the code pages', async () => {
    const bytes = Buffer.from(Array.from({ length: 128 }, (_, index) => 128 + index));
    const line = Buffer.concat([Buffer.from('n\n'), bytes, Buffer.from('\n')]);
    const textOf = async (encoding: string) => (await read(line, { encoding })).cells[0]?.[0];
    // Python: bytes(range(128, 256)).decode('cp437')
    expect(await textOf('ibm437')).toMatch(
      /^ÇüéâäàåçêëèïîìÄÅ.{80}αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0$/,
    );
    expect(await textOf('ibm850')).toMatch(
      /^ÇüéâäàåçêëèïîìÄÅ.{80}ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0$/,
    );
  });

  it.each([
    ['a byte without a character', 'S\u0081\u00e1waren', 'S\u0081\u00e1waren'],
    ['a quotation mark within a word', 'Maison Brul\u201ae', 'Brul\u201ae'],
    ['a dagger within a word', 'gro\u2021e', 'gro\u2021e'],
    ['a capital between small letters', 'Su\u0160de', 'Su\u0160de'],
  ])('rejects windows-1252 with %s', async (_, text, word) => {
    const high: Record<string, number> = { '\u201a': 0x82, '\u2021': 0x87, '\u0160': 0x8a };
    const encode = (lines: string) =>
      Buffer.from([...lines].map((letter) => high[letter] ?? letter.charCodeAt(0)));
    for (const lines of [2, 20_000]) {
      const content = encode(`name,n\r\n${'Acme,1\r\n'.repeat(lines)}${text},2\r\n`);
      await expect(read(content, { encoding: 'windows-1252' })).rejects.toMatchObject({
        message: `a.csv, line ${lines + 2}: "${word}" is not windows-1252 text`,
        hint: expect.stringContaining('--encoding ibm850'),
      });
    }
  });

  it('finds what windows-1252 cannot be at the border of two chunks', async () => {
    for (let length = 16_380; length < 16_390; length += 1) {
      const content = Buffer.concat([
        Buffer.from(`name\n${'x'.repeat(length)}\nBrul`),
        Buffer.from([0x82]),
        Buffer.from('e\n'),
      ]);
      await expect(read(content, { encoding: 'latin1' })).rejects.toMatchObject({
        message: expect.stringContaining('a.csv, line 3: '),
      });
    }
  });

  it('reads windows-1252 with capitals and quotation marks where they belong', async () => {
    const bytes = [0x8a, 0x6f, 0x0a, 0x4b, 0x4f, 0x8a, 0x49, 0x0a, 0x84, 0x8c, 0x75, 0x93, 0x0a];
    const content = Buffer.concat([Buffer.from('name\n'), Buffer.from(bytes)]);
    const { cells } = await read(content, { encoding: 'windows-1252' });
    expect(cells).toEqual([['Šo'], ['KOŠI'], ['„Œu“']]);
  });
});

describe('readRows', () => {
  it('counts a lone CR in a cell as a line, in the message about an encoding too', async () => {
    const lines = '"na\rme",note\r\n"Ac\rme","a\rb"\r\n';
    const { rows, header } = await read(`${lines}Beta,x\r\n`);
    expect(header).toEqual(['na\rme', 'note']);
    expect(rows.map(({ line, cells }) => [line, cells[0]])).toEqual([
      [3, 'Ac\rme'],
      [6, 'Beta'],
    ]);
    const bytes = Buffer.from(`${lines}M\u00fcller,1\r\n`, 'latin1');
    await expect(read(bytes)).rejects.toMatchObject({ message: 'a.csv, line 6: not UTF-8 text' });
  });

  it.each([
    ['a quote that is never closed', 'name,n\nAcme,1\n"a\nb",2\nBeta,"3\nGamma,4\n', 5, 'a quoted'],
    ['one in a long file', `name\n"Acme\n${'Beta\n'.repeat(1_000_000)}`, 2, 'a quoted cell begins'],
    ['a row that does not end', `name\nAcme\n${'x'.repeat(5_000_000)}`, 3, 'the row has more than'],
  ])('names the line of %s', { tags: ['long'] }, async (_, text, line, problem) => {
    await expect(read(text)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(`a.csv, line ${line}: ${problem}`),
    });
  });

  it('reports a row whose quote is closed by the quote of another row', async () => {
    const { rows } = await read('name,n\n"Acme,1\n"Beta",2\nGamma,3\n');
    expect(rows[0]).toMatchObject({ line: 2, problem: expect.stringContaining('opens on line 2') });
    expect(rows[1]).toMatchObject({ line: 4, problem: undefined });
  });

  it('reports rows with too few or too many cells, except blank cells at the end', async () => {
    const { rows } = await read('name,hq_region\nTotal: 3\nAcme,DE,x\nBeta,DE,,\n');
    expect(rows.map(({ line, problem }) => [line, problem])).toEqual([
      [2, 'has 1 cell, the header has 2'],
      [3, 'has 3 cells, the header has 2'],
      [4, undefined],
    ]);
  });

  it('throws when the file changes between two readings', async () => {
    const path = join(newFolder(), 'a.csv');
    await read('name\nAcme\n', {}, path);
    const source = new InputFile(path);
    const layout = await detectDialect(source);
    for await (const _ of readRows(source, layout));
    writeFileSync(path, 'name\nBeta AG\n');
    await expect(readRows(source, layout).next()).rejects.toMatchObject({ name: 'LocalError' });
  });
});

const delimiter = fc.constantFrom(',', ';', '\t', '|');
const noise = fc.string({
  unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', 'ü'),
  maxLength: 40,
});

/* The rows that csv-parse finds. */
function parsed(text: string, delimiter: string): string[][] {
  return parse(text, {
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_quotes: true,
    relax_column_count: true,
  });
}

describe('readRows, of short rows', () => {
  const problems = ({ rows }: { rows: readonly Row[] }) => rows.map(({ problem }) => problem);

  it.each([
    [
      'a row has only a name',
      'a,b,c\n1,2,3\n4\n',
      [
        ['1', '2', '3'],
        ['4', '', ''],
      ],
    ],
    [
      'neighbors add up to less',
      'a,b,c,d\n1,2\n3,4\n',
      [
        ['1', '2', '', ''],
        ['3', '4', '', ''],
      ],
    ],
    [
      'an empty row is between',
      'a,b,c\n1,2,3\n\n4\n',
      [
        ['1', '2', '3'],
        ['4', '', ''],
      ],
    ],
    [
      'quotes are in the file',
      'a,b,c\n"1",2,"3"\n"4",5\n',
      [
        ['1', '2', '3'],
        ['4', '5', ''],
      ],
    ],
  ])('completes them when %s', async (_, text, cells) => {
    const found = await read(text);
    expect(found.cells).toEqual(cells);
    expect(problems(found)).toEqual(cells.map(() => undefined));
  });

  it.each([
    ['a full row ends with an empty cell', 'a,b,c\n1,2\n3,4,\n'],
    ['the file ends without a line break', 'a,b,c\n1,2,3\n4,5'],
    ['neighbors add up to one row', 'a,b,c\n1,2,3\n4,5\n6,7\n'],
    ['a cell has several lines', 'a,b,c\n1,2,3\n4,5\nline\nlast,7\n'],
    ['one is in a later chunk', `a,b,c\n1,2\n${'1,2,3\n'.repeat(9_000)}4,5,\n`],
  ])('leaves them invalid when %s', async (_, text) => {
    const found = await read(text);
    expect(problems(found)[found.cells.findIndex(({ length }) => length < 3)]).toMatch(/^has \d/);
  });

  it('completes neighbors that add up to one row if the second is certainly one', async () => {
    const path = join(newFolder(), 'a.csv');
    writeFileSync(path, 'a,b,c\n1,2,3\n4,5\n6,FR\n');
    const source = new InputFile(path, 'a.csv');
    const rows: Row[] = [];
    const isOwnRow = (cells: readonly string[]) => cells[1] === 'FR';
    for await (const group of readRows(source, await detectDialect(source), { isOwnRow }))
      rows.push(...group.rows);
    expect(problems({ rows })).toEqual([undefined, undefined, undefined]);
  });

  it('leaves rows with too many cells invalid', async () => {
    const found = await read('a,b,c\n1\n1,2,3,4\n');
    expect(problems(found)).toEqual([undefined, 'has 4 cells, the header has 3']);
  });

  const value = fc.stringMatching(/^[0-9][a-z]{0,3}$/);
  const width = fc.integer({ min: 3, max: 7 });

  it('reads a table without its empty last cells as the table', { tags: ['property'] }, () => {
    const table = width.chain((cells) =>
      fc.record({
        header: fc.constant(Array.from({ length: cells }, (_, n) => `h${n}`)),
        rows: fc.array(fc.array(value, { minLength: 1, maxLength: cells }), { minLength: 1 }),
        end: fc.constantFrom('\n', '\r\n', '\r'),
      }),
    );
    return fc.assert(
      fc.asyncProperty(table, async ({ header, rows, end }) => {
        const lengths = rows.map(({ length }) => length);
        const first = (at: number) => lengths.slice(0, at).findLast((length) => length > 1) ?? 1;
        const areHalves = (length: number, at: number) =>
          length < header.length &&
          first(at) < header.length &&
          first(at) + length === header.length + 1;
        fc.pre(!lengths.some(areHalves));
        const text = [header, ...rows].map((cells) => cells.join(',') + end).join('');
        const found = await read(text);
        expect(problems(found)).toEqual(rows.map(() => undefined));
        expect(found.cells).toEqual(rows.map((cells) => header.map((_, at) => cells[at] ?? '')));
      }),
    );
  });

  it('never makes two rows of one with a line break in it', { tags: ['property'] }, () => {
    const table = width.chain((cells) => {
      const row = fc.array(value, { minLength: cells, maxLength: cells });
      return fc.record({
        rows: fc.array(row, { minLength: 1, maxLength: 9 }),
        at: fc.nat(8),
        // A line break in the first or last cell leaves a full row next to a short one.
        column: fc.integer({ min: 1, max: cells - 2 }),
        lines: fc.array(value, { minLength: 2, maxLength: 4 }),
      });
    });
    return fc.assert(
      fc.asyncProperty(table, async ({ rows, at, column, lines }) => {
        const [row = []] = rows.splice(at % rows.length, 1);
        const broken = row.map((cell, index) => (index === column ? lines.join('\n') : cell));
        const all = [row.map((_, n) => `h${n}`), ...rows, broken, ...rows];
        const found = await read(all.map((cells) => `${cells.join(',')}\n`).join(''));
        const full = found.rows.filter(({ problem }) => problem === undefined);
        expect(full.map(({ cells }) => cells)).toEqual([...rows, ...rows]);
      }),
    );
  });
});

describe('RowScanner', () => {
  it.each([
    ['a quote', 'name,c\nA,B\n"The \\"Best\\" Ltd",DE\n', 3],
    ['the whole cell', 'name,c\n"\\"X\\"",DE\n', 2],
    ['a comma behind it', 'name,c\n"A","Hello \\"W\\", Inc"\n', 2],
    ['a cell that swallows a row', 'name,c\n"Say \\"",DE\n"Beta",FR\n', 2],
  ])('rejects \\" within a quoted cell: %s', async (_, text, line) => {
    await expect(read(text)).rejects.toMatchObject({
      code: 'invalid_input',
      message: `a.csv, line ${line}: \\" within a quoted cell is not CSV`,
    });
  });

  it('reads a backslash at the end of a cell, and before a doubled quote', async () => {
    const text = 'name,path\nA,"C:\\dir\\"\nB,"""a\\""b"""\nC,5\\" pipe\nD,"""a\\""b\nc"""\n';
    expect((await read(text)).cells).toEqual([
      ['A', 'C:\\dir\\'],
      ['B', '"a\\"b"'],
      ['C', '5\\" pipe'],
      ['D', '"a\\"b\nc"'],
    ]);
  });

  it('finds the rows of any text, and their lines, in any chunks', { tags: ['property'] }, () => {
    return fc.assert(
      fc.asyncProperty(
        noise,
        delimiter,
        fc.integer({ min: 1, max: 9 }),
        async (text, delimiter, size) => {
          const scanner = new RowScanner(delimiter, 1, 'x');
          const rows: ScannedRow[] = [];
          try {
            for (let start = 0; start < text.length; start += size)
              rows.push(...(await scanner.push(text.slice(start, start + size), false)));
            rows.push(...(await scanner.push('', true)));
          } catch {
            expect(() => parsed(text, delimiter)).toThrow();
            return;
          }
          expect(rows.map(({ cells }) => cells)).toEqual(parsed(text, delimiter));
          let line = 1;
          for (const row of rows) {
            expect(row.line).toBe(line);
            line += 1 + (row.cells.join('|').match(/\r\n|\n|\r/g)?.length ?? 0);
          }
        },
      ),
      { numRuns: runs(2_000) },
    );
  });
});

describe('detectDialect for other formats', () => {
  it.each([
    ['an older or protected workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['PDF', '%PDF-1.7\n'],
    ['a gzip file', gzipSync('name\nAcme\n')],
  ])('rejects %s', async (_, text) => {
    await expect(read(text)).rejects.toMatchObject({
      name: 'UsageError',
      message: 'a.csv is neither CSV nor an .xlsx workbook',
      hint: expect.stringContaining('save it as .xlsx, without a password'),
    });
  });

  it.each([
    ['[\n  {"name": "Acme", "country": "DE"}\n]\n', 'is JSON', 'Export the list as CSV'],
    ['{"name":"Acme"}\n{"name":"Beta"}\n', 'is JSON', 'Export the list as CSV'],
    ['\ufeff<!DOCTYPE html>\n<html><body>Sign in</body></html>', 'is a web page', 'sign in and'],
    ['<?xml version="1.0"?><a/>', 'is neither CSV nor an .xlsx workbook', 'save it as .xlsx'],
  ])('says what %j is', async (text, what, remedy) => {
    await expect(read(text)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(`a.csv ${what}`),
      hint: expect.stringContaining(remedy),
    });
  });

  it.each(['[x],name\n1,Acme\n', '{id},name\n1,Acme\n', '%PDF,name\n1,Acme\n'])(
    'reads %j as a table',
    async (text) => expect((await read(text)).cells).toEqual([['1', 'Acme']]),
  );
});

describe('readRows for rows that are not organizations', () => {
  it('leaves out blank rows, and repeated headers in another case and with blanks', async () => {
    const found = await read('Name,N\n\n , \nAcme,1\n\u3000,\u00a0\nName,N\nNAME, n \nBeta,2\n');
    expect([found.lines, found.headers]).toEqual([[4, 8], 2]);
  });

  it('reports separator lines', async () => {
    const { rows } = await read('name,n\n---,---\n====,\nAcme,-\n,---+--\n♥,-\n');
    expect(rows.map(({ line, problem }) => [line, problem?.includes('separator')])).toEqual([
      [2, true],
      [3, true],
      [4, undefined],
      [5, true],
      [6, undefined],
    ]);
  });
});

describe('detectDialect for titles above the header', () => {
  it.each([
    ['one cell', 'Suppliers 2026\n\nFirma;Ort\nAcme;Ulm\nBeta;Bonn\n', 3],
    ['far above', `Suppliers 2026\n${'\n'.repeat(60)}Firma;Ort\nAcme;Ulm\nBeta;Bonn\n`, 62],
    ['padded by a spreadsheet', 'List;;\n;;\nName;Ort;Land\nAcme;Ulm;DE\nBeta;Bonn;DE\n', 3],
    [
      'with another delimiter',
      'Lieferanten, Stand 2026, Europa\nName;Ort\nAcme;Ulm, Donau, Neu, x\nBeta;Bonn\n',
      2,
    ],
  ])('skips them: %s', async (_, text, headerLine) => {
    const { rows, ...dialect } = await read(text);
    expect(dialect).toMatchObject({ headerLine, delimiter: ';' });
    expect(rows.map(({ cells }) => cells[0])).toEqual(['Acme', 'Beta']);
    expect((await read(text, { skipLines: 0 })).headerLine).toBe(1);
  });

  it('only reports the line of a header without a known name', async () => {
    const { headerLine, below } = await read('Suppliers 2026\nBezeichnung;Ort\nAcme;Ulm\nB;Bonn\n');
    expect([headerLine, below?.line]).toEqual([1, 2]);
  });
});
