/* The promise that list, check and diff say of when their records are. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCells } from '../lists/workbook/read.ts';
import { jsonLines, newFolder, run } from '../support/run.ts';
import { recordOf } from './scene.ts';

function records(name: string, ...days: readonly string[]): string {
  const path = join(newFolder(), name);
  const lines = days.map((day, index) => {
    const id = index + 1;
    const record = recordOf(id, `Company ${id}`);
    return `${JSON.stringify({ ok: true, id, retrieved_at: `${day}T08:00:00Z`, record })}\n`;
  });
  writeFileSync(path, lines.join(''));
  return path;
}

const older = () => records('old.ndjson', '2026-01-02');
const newer = () => records('new.ndjson', '2026-01-09', '2026-01-05');

describe.each([
  ['list', () => ['list', newer()], '5 Jan to 9 Jan 2026', '2026-01-05', '2026-01-09'],
  ['check', () => ['check', newer()], '5 Jan to 9 Jan 2026', '2026-01-05', '2026-01-09'],
  ['diff', () => ['diff', older(), newer()], '2 Jan to 9 Jan 2026', '2026-01-02', '2026-01-09'],
])('%s', (_, argv, words, from, to) => {
  it.each([80, undefined])(
    'says so on standard error, at a terminal and in a pipe: %s',
    async (terminal) => {
      const { stderr } = await run(argv(), terminal === undefined ? {} : { terminal });
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`Records retrieved ${words}.`);
    },
  );

  it('says so in the summary of --json', async () => {
    const { stderr } = await run([...argv(), '--json']);
    expect(jsonLines(stderr).at(-1)?.summary).toMatchObject({
      ...{ records_from: from, records_to: to, as_of: null },
      written_at: '2026-01-15T09:30:00.000Z',
    });
  });

  it('says so on the first sheet of its workbook', async () => {
    const out = join(newFolder(), 'out.xlsx');
    await run([...argv(), '-o', out]);
    const sheet = await readCells(out, { sheet: 'Summary' });
    expect(sheet).toContainEqual([
      expect.stringContaining(` · Records retrieved from ${words} · `),
    ]);
  });
});
