import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { workbook } from '../../lists/workbook/archives.ts';
import { newFolder, run } from '../../support/run.ts';

const record = '{"id":1,"name":"Acme","status":"synced"}\n';
const csv = 'Supplier;Country\nAcme AG;DE\n';

function fileOf(name: string, content: string | Buffer): string {
  const path = join(newFolder(), name);
  writeFileSync(path, content);
  return path;
}

const commands: readonly (readonly string[])[] = [['report'], ['list'], ['report', '--csv']];

async function errorsOf(path: string): Promise<string[]> {
  const records = fileOf('records.ndjson', record);
  const argvs = [...commands.map((words) => [...words, path]), ['diff', records, path]];
  const outcomes = await Promise.all(argvs.map((argv) => run(argv)));
  expect(outcomes.map(({ exit, stdout }) => [exit, stdout])).toEqual(argvs.map(() => [2, '']));
  return outcomes.map(({ stderr }) => stderr);
}

const listHint = (path: string) =>
  `To retrieve them: \`carbon sync ${path}\`. Records are lines of JSON`;
const latin1 = Buffer.from('Geschäft, Zürich', 'latin1');
const book = await workbook('');

describe('carbon report, list and diff', () => {
  it.each<[name: string, content: string | Buffer, what: string, hint: (path: string) => string]>([
    ['suppliers.csv', csv, '', listHint],
    ['suppliers.csv', '\ufeffSupplier\nAcme\n', '', listHint],
    ['suppliers.xlsx', book, '', listHint],
    ['broken.xlsx', latin1, 'is not a readable workbook', () => 'Export or download it again'],
    [
      'list.csv.sandbox.carbon.jsonl',
      '{"carbon":"journal","version":1}\n{"key":"a","id":1}\n',
      'is the journal of a list, not its records',
      (path) => `Use the list itself: ${path.replace('.sandbox.carbon.jsonl', '')}. `,
    ],
    [
      'list.csv.history.ndjson',
      '{"id":1,"currency":"EUR","valid_from":"2026-01-01T00:00:00.000Z","valid_to":"2026-01-02T00:00:00.000Z","record":{"id":1}}\n',
      'is the history of a list, not its records',
      (path) => `Use the list itself: ${path.replace('.history.ndjson', '')}. `,
    ],
    ['records.ndjson.gz', gzipSync(record), 'is a binary file', () => 'Records are lines of JSON'],
  ])('name what %s is, and the command for it: %#', async (name, content, what, hint) => {
    const path = fileOf(name, content);
    for (const error of await errorsOf(path)) {
      expect(error).toContain(
        what === '' ? `There are no records of ${path}\n` : `${path} ${what}`,
      );
      expect(error).toContain(hint(path));
    }
  });

  it.each(['xlsx', 'csv'])('name what carbon wrote from a list as .%s', async (type) => {
    const records = fileOf('records.ndjson', record);
    const path = join(newFolder(), `made.${type}`);
    const made = await run([type === 'xlsx' ? 'report' : 'list', records, '-o', path]);
    expect(made.exit).toBe(0);
    const others = [
      ['sync', path],
      ['footprint', path],
    ] as const;
    const errors = await Promise.all(others.map(async (words) => (await run(words)).stderr));
    for (const error of [...(await errorsOf(path)), ...errors])
      expect(error).toContain(
        `${path} is a table of results that carbon wrote, not a list of organizations\nHint: Use the list that it was made from.\n`,
      );
  });

  it('read UTF-16 as PowerShell 5 writes it, and a file with any name', async () => {
    const path = fileOf('records.ndjson', Buffer.from(`\ufeff${record}`, 'utf16le'));
    for (const words of commands) {
      const stderr = words[0] === 'list' || words[1] ? '1 company without emissions.\n' : '';
      expect(await run([...words, path])).toMatchObject({ exit: 0, stderr });
    }
    const { exit, stdout } = await run(['list', fileOf('records.csv', `\ufeff\n ${record}`), '-q']);
    expect([exit, stdout]).toEqual([0, '1\n']);
  });
});
