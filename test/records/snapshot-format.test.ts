import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newFolder, run } from '../support/run.ts';
import { workbook } from '../workbook/archives.ts';

const record = '{"id":1,"name":"Acme","status":"synced"}\n';
const csv = 'Supplier;Country\nAcme AG;DE\n';
const journal = '{"carbon":"journal","version":1}\n{"key":"0","id":1,"status":"created"}\n';

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

const listHint = (path: string) => `For a list of organizations: carbon sync ${path}.`;

describe('carbon report, list and diff', () => {
  it.each([
    ['suppliers.csv', csv, 'is a CSV file'],
    ['suppliers.csv', '\ufeffSupplier\nAcme\n', 'is a CSV file'],
    ['suppliers.txt', csv, 'is a CSV file'],
    ['suppliers.csv.gz', gzipSync(csv), 'is a gzip file'],
  ])('names a list of organizations in %s and the command for it', async (name, content, what) => {
    const path = fileOf(name, content);
    for (const error of await errorsOf(path)) {
      expect(error).toContain(`${path} ${what}, not a file of records`);
      expect(error).toContain(listHint(path));
    }
  });

  it('read UTF-16 as PowerShell 5 writes it', async () => {
    const path = fileOf('records.ndjson', Buffer.from(`\ufeff${record}`, 'utf16le'));
    for (const words of commands)
      expect(await run([...words, path])).toMatchObject({ exit: 0, stderr: '' });
  });

  it('names a workbook and the command for a list of organizations', async () => {
    const path = fileOf('suppliers.xlsx', await workbook(''));
    for (const error of await errorsOf(path)) {
      expect(error).toContain(`${path} is an Excel workbook, not a file of records`);
      expect(error).toContain(listHint(path));
    }
  });

  it.each(['suppliers.csv.carbon.jsonl', 'suppliers.csv.2-of-8.carbon.jsonl'])(
    'names the journal %s and the command for its list',
    async (name) => {
      const path = fileOf(name, journal);
      for (const error of await errorsOf(path)) {
        expect(error).toContain('is a journal of carbon batch');
        expect(error).toContain(listHint(join(path, '..', 'suppliers.csv')));
      }
    },
  );

  it('recognizes a file that --csv printed', async () => {
    const path = fileOf('records.csv', 'id,name,status,hq_region\r\n1,Acme,synced,DE\r\n');
    for (const error of await errorsOf(path)) expect(error).toContain('that carbon wrote');
  });

  it('recommends gunzip for compressed records', async () => {
    const path = fileOf('records.ndjson.gz', gzipSync(record));
    for (const error of await errorsOf(path))
      expect(error).toContain('Decompress the file with gunzip');
  });

  it('reads records from a file with any name', async () => {
    const { exit, stdout } = await run(['list', fileOf('records.csv', `\ufeff\n ${record}`), '-q']);
    expect([exit, stdout]).toEqual([0, '1\n']);
  });

  it('explains a list of ids', async () => {
    const { exit, stderr } = await run(['report', fileOf('ids.txt', '1\n2\n')]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('carbon get - --json')]);
  });
});
