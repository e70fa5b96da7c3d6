/* The promise that each sheet of a workbook is a list of its own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { book } from '../lists/table/book.ts';
import { newFolder, run } from '../support/run.ts';
import { serveOrganizations } from './scene.ts';

it('each sheet of a workbook keeps its own columns, rows and records', async () => {
  const service = await serveOrganizations();
  const folder = newFolder();
  const path = join(folder, 'suppliers.xlsx');
  const europe = [
    ['Name', 'Land'],
    ['Acme', 'DE'],
    ['Globex', 'FR'],
  ];
  const america = [
    ['Company', 'Country'],
    ['Initech', 'US'],
  ];
  writeFileSync(path, await book({ EU: europe, US: america }));
  const world = { env: service.env, home: folder };
  for (const sheet of ['EU', 'US', 'EU'])
    expect(await run(['sync', path, '--sheet', sheet], world)).toMatchObject({ exit: 0 });
  expect(service.sent()).toEqual(['Acme', 'Globex', 'Initech']);
  const names = async (...flags: string[]) =>
    (await run(['list', path, '--columns', 'name', ...flags], world)).stdout.trim().split('\n');
  expect(await names('--sheet', 'US')).toEqual(['Initech']);
  expect((await names()).sort()).toEqual(['Acme', 'Globex', 'Initech']);
});
