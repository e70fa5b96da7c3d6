import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RefusedError } from '../../src/api/errors.ts';
import { detectDialect } from '../../src/table/dialect.ts';
import { InputFile } from '../../src/table/input-file.ts';
import { readRows } from '../../src/table/rows.ts';
import { isRoot, mountDisk } from '../support/disk.ts';
import { newFolder, run } from '../support/run.ts';
import { runs } from '../support/seed.ts';
import { BatchFixture, CountingService } from './batch-fixture.ts';

const refuses = (...names: string[]) =>
  new CountingService(({ name }) => {
    if (names.includes(name)) throw new RefusedError('=unknown "organization"', { status: 422 });
  });

describe('writeFailedRows', () => {
  it('keeps the cells, columns, order, delimiter and title lines of the input', async () => {
    const content =
      'Suppliers;2026\r\n\r\nNr;Firma;LEI;Notiz\r\n1;Acme;-;"a;b"\r\n2;Beta;see contract;=1+1\r\n 3 ;Gamma;;"two\r\nlines"\r\n4;Delta\r\n5;Eta;;;x\r\n';
    const fixture = new BatchFixture(content, refuses('Gamma'));
    const { failed, failedRows } = await fixture.run({ skipLines: 1 });
    expect(failedRows).toBe(4);
    expect(readFileSync(failed, 'utf8')).toMatchInlineSnapshot(`
      "﻿Suppliers;2026

      Nr;Firma;LEI;Notiz;carbon_line;carbon_error
      2;Beta;see contract;=1+1;5;"LEI ""see contract"" is not an LEI: 18 letters or digits, then 2 digits"
       3 ;Gamma;;"two
      lines";6;"'=unknown ""organization"""
      4;Delta;;;8;"the row has 2 cells, the header has 4"
      5;Eta;;;x;9;"the row has 5 cells, the header has 4"
      "
    `);
  });

  it('writes a valid input, which registers the remaining rows once they are fixed', async () => {
    const fixture = new BatchFixture('name,LEI\nAcme,x\nBeta,\n');
    const { failed } = await fixture.run();
    const text = readFileSync(failed, 'utf8');
    const again = new BatchFixture(text, fixture.api, 'again.csv');
    const unfixed = await again.run();
    expect([unfixed.sent, unfixed.failedRows]).toEqual([[], 1]);
    expect(readFileSync(unfixed.failed, 'utf8')).toBe(text);
    again.write(text.replace(',x,', ',N/A,'));
    const fixed = await again.run();
    expect([fixed.sent, fixed.failedRows, existsSync(fixed.failed)]).toEqual([
      [{ name: 'Acme' }],
      0,
      false,
    ]);
  });

  it.runIf(isRoot)(
    'fails when the disk is full (runs where tests can mount a disk)',
    async (test) => {
      const disk = mountDisk('size=12k');
      if (disk === undefined) return test.skip('this container may not mount a tmpfs');
      const path = join(disk, 'suppliers.csv');
      writeFileSync(path, `name,LEI,note\nAcme,x,${'n'.repeat(6_000)}\n`);
      const env = { CARBON_BASE_URL: 'http://127.0.0.1:1', CARBON_API_KEY: 'k' };
      const argv = ['batch', path, '--keep', newFolder(), '--invalid', 'skip'];
      const { exit, stderr } = await run(argv, { env });
      expect([exit, stderr]).toEqual([1, expect.stringContaining('no space left on device')]);
      expect(readdirSync(disk)).toEqual(['suppliers.csv']);
    },
  );

  it('writes UTF-8 with a byte order mark when the input has another encoding', async () => {
    const fixture = new BatchFixture(Buffer.from('name,lei\nMüller,x\n', 'latin1'));
    const { failed } = await fixture.run({ encoding: 'latin1' });
    expect(readFileSync(failed, 'utf8')).toMatch(
      /^\ufeffname,lei,carbon_line,carbon_error\nMüller,x,2,/,
    );
  });

  /* The cells of a CSV file below its header, as `carbon batch` reads them. */
  async function cellsOf(path: string): Promise<string[][]> {
    const source = new InputFile(path);
    const layout = await detectDialect(source);
    const cells: string[][] = [];
    for await (const { rows } of readRows(source, layout))
      cells.push(...rows.map((row) => [...row.cells]));
    return cells;
  }

  it('quotes line breaks inside cells', async () => {
    const text = 'name,note\r\n"Acme\nAG","two\nlines"\r\n"Be\rta",x\r\n';
    const fixture = new BatchFixture(text, refuses('Acme AG', 'Be ta'));
    const { failed, failedRows } = await fixture.run();
    expect(failedRows).toBe(2);
    expect((await cellsOf(failed)).map((cells) => cells.slice(0, 2))).toEqual([
      ['Acme\nAG', 'two\nlines'],
      ['Be\rta', 'x'],
    ]);
  });

  it('uses the line end of the input when a header cell spans lines', async () => {
    const fixture = new BatchFixture('name,"two\nlines"\r\nAcme,x\r\n', refuses('Acme'));
    const { failed } = await fixture.run();
    expect(readFileSync(failed, 'utf8')).toBe(
      '\ufeffname,"two\nlines",carbon_line,carbon_error\r\nAcme,x,3,"\'=unknown ""organization"""\r\n',
    );
  });

  it('writes cells that carbon reads back unchanged, for every line end and delimiter', {
    tags: ['property'],
  }, async () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', '東', ' ', '"', ',', ';', '\t', '|', '\n', '\r', '\r\n', '=', "'"),
      maxLength: 8,
    });
    const table = fc.record({
      rows: fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 6 }),
      title: cell,
      delimiter: fc.constantFrom(',', ';', '\t', '|'),
      ends: fc.constantFrom<readonly string[]>(['\n'], ['\r\n'], ['\r'], ['\r\n', '\n', '\r']),
      allQuoted: fc.boolean(),
    });
    const refusesAll = new CountingService(() => {
      throw new RefusedError('no', { status: 422 });
    });
    await fc.assert(
      fc.asyncProperty(table, async ({ rows, title, delimiter, ends, allQuoted }) => {
        const quote = (text: string) =>
          allQuoted || /[",;\t|\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
        // The name has a number, so that no row is blank or repeats another one.
        const cells = rows.map(([name, ...rest], index) => [`${index} ${name}`, ...rest]);
        const text = [['name', `a${title}`, 'b'], ...cells]
          .map((row, index) => row.map(quote).join(delimiter) + ends[index % ends.length])
          .join('');
        const fixture = new BatchFixture(text, refusesAll);
        const { failed, failedRows } = await fixture.run();
        expect(failedRows).toBe(rows.length);
        expect((await cellsOf(failed)).map((row) => row.slice(0, 3))).toEqual(cells);
        // The file is itself an input, and stays as it is when its rows fail again.
        const again = new BatchFixture(readFileSync(failed), refusesAll, 'again.csv');
        const second = await again.run();
        expect(second.failedRows).toBe(rows.length);
        expect(readFileSync(second.failed, 'utf8')).toBe(readFileSync(failed, 'utf8'));
      }),
      { numRuns: runs(25) },
    );
  });
});
