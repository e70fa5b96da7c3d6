import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RefusedError } from '../../src/api/errors.ts';
import { book } from '../table/book.ts';
import { readBook } from '../workbook/read.ts';
import { BatchFixture, CountingService } from './batch-fixture.ts';

const refuses = (...names: string[]) =>
  new CountingService(({ name }) => {
    if (names.includes(name)) throw new RefusedError('=1+1\u001b[31m', { status: 422 });
  });

const titles = [['Suppliers 2026'], [], ['As of', new Date('2026-05-01')]];
const header = ['Firma', 'LEI', 'DUNS', 'Since', 'Key'];
const rows = [
  ['Acme', undefined, undefined, undefined, true],
  ['Beta', 'see contract', undefined, new Date('2020-02-29'), 0.1],
  [],
  ['Gamma', undefined, 1234567, undefined, '=A1', 'a note'],
];

describe('writeFailedWorkbook', () => {
  it('keeps the cells, columns, title rows and types of the workbook', async () => {
    const content = await book({ 'Lieferanten 2026': [...titles, header, ...rows] });
    const fixture = new BatchFixture(content, refuses('Gamma'), 'suppliers.xlsx');
    const { failed, failedRows } = await fixture.run({ skipLines: 3 });
    expect([failed, failedRows]).toEqual([join(fixture.folder, 'suppliers.failed.xlsx'), 2]);
    const { name, all } = await readBook(failed);
    expect(name).toBe('Lieferanten 2026');
    expect(all.map(({ number, cells }) => [number, ...cells])).toEqual([
      [1, 'Suppliers 2026'],
      [3, 'As of', '2026-05-01'],
      [4, ...header, 'carbon_line', 'carbon_error'],
      ...[
        [5, 'Beta', 'see contract', '', '2020-02-29', '0.1'],
        [6, 'Gamma', '', '1234567', '', '=A1'],
      ].map((row, index) => [
        ...row,
        ['6', '8'][index],
        ['LEI "see contract" is not an LEI: 18 letters or digits, then 2 digits', '=1+1\ufffd[31m'][
          index
        ],
        ...(index === 1 ? ['a note'] : []),
      ]),
    ]);
    expect(all[3]?.kinds.slice(3, 5)).toEqual(['date', 'number']);
    expect(all[4]?.kinds).toEqual([
      'text',
      'blank',
      'number',
      'blank',
      'text',
      'number',
      'text',
      'text',
    ]);
  });

  it('is a valid input, which registers the remaining rows once they are fixed', async () => {
    const content = await book({ S: [header, ...rows] });
    const fixture = new BatchFixture(content, new CountingService(), 'suppliers.xlsx');
    const { failed } = await fixture.run();
    const again = new BatchFixture(readFileSync(failed), fixture.api, 'again.xlsx');
    const unfixed = await again.run();
    expect([unfixed.sent, unfixed.failedRows]).toEqual([[], 1]);
    const { all } = await readBook(unfixed.failed);
    expect(all.map(({ cells }) => cells.length)).toEqual([7, 7]);
    const fixed = all.map(({ cells }) =>
      cells.map((cell) => (cell === 'see contract' ? '' : cell)),
    );
    again.write(await book({ S: fixed }));
    const done = await again.run();
    expect([done.sent, done.failedRows, existsSync(unfixed.failed)]).toEqual([
      [{ name: 'Beta' }],
      0,
      false,
    ]);
  });

  it('replaces its own file, and keeps one that the user edited', async () => {
    const content = await book({ S: [header, ...rows] });
    const fixture = new BatchFixture(content, new CountingService(), 'suppliers.xlsx');
    const { failed } = await fixture.run();
    const first = readFileSync(failed);
    await fixture.run();
    expect(readFileSync(failed).equals(first)).toBe(true);
    expect(existsSync(`${failed}.previous`)).toBe(false);
    const edited = await book({ S: [['edited']] });
    writeFileSync(failed, edited);
    await fixture.run();
    expect(readFileSync(`${failed}.previous`).equals(edited)).toBe(true);
    expect(readFileSync(failed).equals(first)).toBe(true);
  });

  it('keeps errors of cells, so that rows keep their keys', async () => {
    const content = await book({
      S: [
        ['name', 'LEI', 'website'],
        ['Acme', 'x', '#REF!'],
      ],
    });
    const fixture = new BatchFixture(content, new CountingService(), 'suppliers.xlsx');
    const { failed } = await fixture.run();
    expect((await readBook(failed)).all[1]?.cells.slice(0, 3)).toEqual(['Acme', 'x', '#REF!']);
  });
});
