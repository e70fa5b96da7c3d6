/* The promise that results have the user's own cells as they were. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { run } from '../support/run.ts';
import { newList, serveOrganizations } from './scene.ts';

it('CSV results keep numbers, signs, quotes, zeros and line breaks of a CSV list', async () => {
  const service = await serveOrganizations();
  const rows = [
    ['Company', 'Amount', 'Rating', 'Address', 'Postal code', 'Reference'],
    ['Acme', '-400,25', '-', '1 High Street\nNewtown', '01234', '12345678901234567'],
    ['Globex', '-5', '+', 'He said "yes"', '00000', '=A1'],
  ];
  const quoted = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';'));
  const { path, folder } = newList(`${quoted.join('\n')}\n`);
  const out = join(folder, 'results.csv');
  const world = { env: service.env, home: folder };
  expect(await run(['sync', path, '-o', out], world)).toMatchObject({ exit: 0 });
  const written: string[][] = parse(readFileSync(out, 'utf8'), { delimiter: ';', bom: true });
  expect(written.map((row) => row.slice(0, 6))).toEqual(rows);
});
