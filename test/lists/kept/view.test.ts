import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatLine } from '../../../src/lists/kept/lines.ts';
import { openStoredRecords, type StoredRecords } from '../../../src/lists/kept/view.ts';
import { newFolder } from '../../support/run.ts';

const line = (id: number, currency: string | null, record: string, more = '') =>
  `{"id":${id},"service":"sandbox","currency":${JSON.stringify(currency)},"valid_from":"2026-11-01T02:00:00.000Z","retrieved_at":"2026-11-01T02:00:00.000Z"${more},"record":${record}}\n`;

async function openStore(...lines: (string | Buffer)[]) {
  const list = join(newFolder(), 'list.csv');
  const path = `${list}.records.ndjson`;
  writeFileSync(path, Buffer.concat(lines.map((each) => Buffer.from(each))));
  const stored = await openStoredRecords(list, { allCurrencies: true });
  return { path, stored: stored as StoredRecords };
}

/* Reads the records as the lines of the store, with the heads that count. */
async function textOf({ records }: StoredRecords): Promise<string> {
  let text = '';
  for await (const { head, json } of records()) text += formatLine({ ...head, listed: [] }, json);
  return text;
}

it('counts an organization once that has records in two currencies', async () => {
  const status = ',"status":"researching"';
  const lines = [line(1, 'EUR', '{"id":1}', status), line(1, 'USD', '{"id":1}', status)];
  const { stored } = await openStore(...lines);
  expect([stored.facts.organizations, stored.facts.in_progress]).toEqual([1, 1]);
  expect(await textOf(stored)).toBe(lines.join(''));
});

it('shows an organization that is still in one sheet, and has left another one', async () => {
  const list = join(newFolder(), 'list.xlsx');
  writeFileSync(`${list}.First.records.ndjson`, line(1, null, '{"id":1}'));
  const newer = line(1, null, '{"id":1,"a":1}', ',"listed":["2026-11-01","2026-11-02"]').replaceAll(
    '11-01T',
    '11-02T',
  );
  writeFileSync(`${list}.Second.records.ndjson`, newer + line(2, null, '{"id":2}'));
  const stored = (await openStoredRecords(list, {})) as StoredRecords;
  expect(await textOf(stored)).toBe(line(1, null, '{"id":1}') + line(2, null, '{"id":2}'));
});

it('reads on while a run appends', async () => {
  const { path, stored } = await openStore(line(1, null, '{"id":1}'), line(2, null, '{"id":2}'));
  const before = readFileSync(path, 'utf8');
  appendFileSync(path, line(1, null, '{"id":1,"score":0.5}'));
  expect(await textOf(stored)).toBe(before);
});

it.each([
  ['in another order', [line(2, null, '{"id":2}'), line(1, null, '{"id":1}')]],
  ['with records of another length', [line(1, null, '{"id":1,"a":1}'), line(2, null, '{"id":2}')]],
  ['with fewer records', [line(1, null, '{"id":1}')]],
])('refuses a file that a run has replaced %s, instead of mixing records up', async (_, lines) => {
  const { path, stored } = await openStore(line(1, null, '{"id":1}'), line(2, null, '{"id":2}'));
  writeFileSync(`${path}.new`, lines.join(''));
  renameSync(`${path}.new`, path);
  await expect(textOf(stored)).rejects.toMatchObject({
    code: 'local',
    message: expect.stringMatching(/records\.ndjson changed while carbon read it$/),
  });
});

it.each([['{"id":2'], ['[{"id":2}]'], ['{"id":2,"name":"\xfc"}'], ['{"id":2},"note":{}']])(
  'names the file and the line of a damaged record: %s',
  async (record) => {
    const lines = [line(1, null, '{"id":1}'), line(2, null, record)];
    const { path, stored } = await openStore(...lines.map((each) => Buffer.from(each, 'latin1')));
    await expect(textOf(stored)).rejects.toThrow(
      `${path}, line 2, has text that is not a record of a list`,
    );
  },
);
