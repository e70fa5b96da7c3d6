/* The promise that text which is no company is never registered silently. */
import { expect, it } from 'vitest';
import { run } from '../support/run.ts';
import { newList, serveOrganizations } from './scene.ts';

const companies = ['Acme,DE,10', 'Globex,FR,20', 'Initech,US,30', 'Hooli,GB,40'].join('\n');

it.each([
  ['a note', '\nThe weights are those of the last day of the month.,,\n', 'The weights are'],
  ['a total', 'Total,,100\n', 'Total'],
  ['the heading of a second table', '\nMeans by industry,,\n', 'Means by industry'],
])('%s below a table is held back and reported, or sent on request', async (_, below, text) => {
  const service = await serveOrganizations();
  const { path, folder } = newList(`Company,Country,Weight\n${companies}\n${below}`);
  const world = { env: service.env, home: folder };
  const { exit, stderr } = await run(['batch', path], world);
  expect([exit, service.sent()]).toEqual([0, ['Acme', 'Globex', 'Initech', 'Hooli']]);
  expect(stderr).toContain(text);
  expect(stderr).toContain('--doubtful send');
  expect(await run(['batch', path, '--doubtful', 'send'], world)).toMatchObject({ exit: 0 });
  expect(service.sent()).toHaveLength(5);
});

it('a second line of the header is held back and reported', async () => {
  const service = await serveOrganizations();
  const { path, folder } = newList(`Company,Country,Weight\nName,Code,%\n${companies}\n`);
  const { stderr } = await run(['batch', path], { env: service.env, home: folder });
  expect(service.sent()).toEqual(['Acme', 'Globex', 'Initech', 'Hooli']);
  expect(stderr).toMatch(/line 2.*Name/);
});

it('headings that alternate with companies stop before anything is sent', async () => {
  const service = await serveOrganizations();
  const rows = ['Domestic shares,,', 'Acme,DE,10', 'Globex,FR,20', 'Foreign shares,,'];
  const more = ['Initech,US,30', 'Hooli,GB,40', 'Bonds,,', 'Umbrella,US,50', 'Vandelay,US,5'];
  const { path, folder } = newList(`Company,Country,Weight\n${[...rows, ...more].join('\n')}\n`);
  const { exit, stderr } = await run(['batch', path], { env: service.env, home: folder });
  expect([exit, service.sent()]).toEqual([2, []]);
  expect(stderr).toMatch(/Domestic shares[\s\S]*--doubtful skip/);
});
