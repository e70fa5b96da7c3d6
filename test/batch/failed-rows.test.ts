import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { RefusedError } from '../../src/errors.ts';
import { CountingService, Nightly } from './nightly.ts';

const refuses = (...names: string[]) =>
  new CountingService(({ name }) => {
    if (names.includes(name)) throw new RefusedError('=unknown "organization"', { status: 422 });
  });

it('keeps the user’s cells, columns, order, delimiter and titles', async () => {
  const content =
    'Suppliers;2026\r\n\r\nNr;Firma;LEI;Notiz\r\n1;Acme;-;"a;b"\r\n2;Beta;see contract;=1+1\r\n 3 ;Gamma;;"two\r\nlines"\r\n4;Delta\r\n5;Eta;;;x\r\n';
  const nightly = new Nightly(content, refuses('Gamma'));
  const { failed, failedRows } = await nightly.run({ skipLines: 1 });
  expect(failedRows).toBe(4);
  expect(readFileSync(failed, 'utf8')).toMatchInlineSnapshot(`
    "﻿Suppliers;2026

    Nr;Firma;LEI;Notiz;carbon_error
    2;Beta;see contract;=1+1;"lei_number ""see contract"" is not an LEI: 18 letters or digits, then 2 digits"
     3 ;Gamma;;"two
    lines";"'=unknown ""organization"""
    4;Delta;;;the row has 2 cells, the header has 4
    5;Eta;;;x;the row has 5 cells, the header has 4
    "
  `);
});

it('is itself an input: mended, it registers the rest and is gone', async () => {
  const nightly = new Nightly('name,LEI\nAcme,x\nBeta,\n');
  const { failed } = await nightly.run();
  const text = readFileSync(failed, 'utf8');
  const again = new Nightly(text, nightly.api, 'again.csv');
  const unmended = await again.run();
  expect([unmended.sent, unmended.failedRows]).toEqual([[], 1]);
  expect(readFileSync(unmended.failed, 'utf8')).toBe(text);
  again.write(text.replace(',x,', ',N/A,'));
  const mended = await again.run();
  expect([mended.sent, mended.failedRows, existsSync(mended.failed)]).toEqual([[{ name: 'Acme' }], 0, false]);
});

it('has the rows of its own shard only, and those refused in earlier runs', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `n${at}`);
  const nightly = new Nightly(`name\n${names.join('\n')}\n`, refuses(...names));
  let rows = 0;
  for (const index of [1, 2, 3]) rows += (await nightly.run({ shard: { index, count: 3 } })).failedRows;
  expect(rows).toBe(20);
  const { sent, failedRows, failed } = await nightly.run();
  expect([sent, failedRows]).toEqual([[], 20]);
  expect(readFileSync(failed, 'utf8')).toContain(`n0,"'=unknown ""organization"""`);
});

it('is UTF-8 with byte order mark whatever the input was', async () => {
  const nightly = new Nightly(Buffer.from('name,lei\nMüller,x\n', 'latin1'));
  const { failed } = await nightly.run({ encoding: 'latin1' });
  expect(readFileSync(failed, 'utf8')).toMatch(/^\ufeffname,lei,carbon_error\nMüller,x,/);
});
