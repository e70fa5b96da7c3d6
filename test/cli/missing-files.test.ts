import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newFolder, run } from '../support/run.ts';

/* Runs a command line in a new folder with these files. */
async function runAt(names: readonly string[], ...argv: string[]) {
  const folder = newFolder();
  const before = process.cwd();
  for (const name of names) writeFileSync(join(folder, name), '');
  mkdirSync(join(folder, 'folder.csv'));
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  return run(argv);
}

describe('a command without the file that it needs', () => {
  it.each(['report', 'list', 'check', 'footprint', 'sync', 'batch', 'diff'])(
    'names the lists of the folder: %s',
    async (command) => {
      const { exit, stderr } = await runAt(['b.xlsx', 'a.csv', 'notes.txt'], command);
      expect([exit, stderr]).toEqual([
        2,
        expect.stringMatching(
          /needs (a file|two files, or a list and --since)\nHint: Try `carbon \w+ a\.csv.+\. Lists in this folder: a\.csv, b\.xlsx\.\n$/,
        ),
      ]);
    },
  );

  it('begins with the list that an example has, or one that was registered', async () => {
    const tried = async (...names: string[]) =>
      /`carbon \S+ (.*?)`/.exec((await runAt(names, 'report')).stderr)?.[1];
    expect(await tried('a.csv', 'suppliers.csv')).toBe('suppliers.csv');
    expect(await tried('a.csv', 'b b.csv', 'b b.csv.carbon.jsonl')).toBe('"b b.csv"');
    const all = ['a.csv', 'b.csv', 'c.csv', 'd.csv', 'd.csv.carbon.jsonl'];
    expect((await runAt(all, 'report')).stderr).toContain('folder: d.csv, a.csv, b.csv and 1 more');
    expect(await tried('a.csv', '-c.csv')).toBe('./-c.csv');
    expect(await tried()).toBe('suppliers.csv');
    expect((await runAt(['a.csv'], 'search', 'Acme')).stderr).toContain('`carbon list a.csv --c');
  });

  it('names three, as a command line has them, and counts the others', async () => {
    const { stderr } = await runAt(['a 1.csv', 'b.csv', 'c.xlsx', 'd.csv', 'e.csv'], 'list');
    expect(stderr).toContain('Lists in this folder: "a 1.csv", b.csv, c.xlsx and 2 more.\n');
  });

  it('names the file of the folder that a path ends with, or that lacks its extension', async () => {
    const hintOf = async (path: string) => (await runAt(['a.csv', 'b.xlsx'], 'list', path)).stderr;
    expect(await hintOf('C:\\Users\\me\\a.csv')).toContain('\nHint: Did you mean a.csv?\n');
    expect(await hintOf('/data/b.xlsx')).toContain('\nHint: Did you mean b.xlsx?\n');
    expect(await hintOf('desc')).toMatch(
      /it belongs to the value of an option, put all of that in /,
    );
    expect(await hintOf('b')).toContain('\nHint: Did you mean b.xlsx?\n');
  });

  it.each(['list', 'report', 'check', 'diff'])(
    'says what to do about an empty file and a directory: %s',
    async (command) => {
      const words = command === 'diff' ? ['b.csv'] : [];
      const errorOf = async (path: string) =>
        (await runAt(['a.csv', 'b.csv'], command, path, ...words)).stderr;
      expect(await errorOf('a.csv')).toBe(
        'Error: a.csv is empty\nHint: Use a list with a header line, and sync it first.\n',
      );
      expect(await errorOf('folder.csv')).toBe(
        'Error: folder.csv is a directory\nHint: Use the path of a list or of a file of records.\n',
      );
    },
  );

  it('is told of an empty list before a missing service', async () => {
    const { exit, stderr } = await runAt(['a.csv'], 'sync', 'a.csv');
    expect([exit, stderr]).toEqual([
      2,
      'Error: a.csv is empty\nHint: Use a CSV file or workbook with a header line.\n',
    ]);
  });

  it('names none of another kind, and no hidden files and locks of a workbook', async () => {
    const others = ['a.csv.records.ndjson', '.b.csv', '~$c.xlsx', 'd.html'];
    expect((await runAt(others, 'list')).stderr).not.toContain('this folder');
  });

  it('names none to a command that needs an ID', async () => {
    expect((await runAt(['a.csv'], 'get')).stderr).not.toContain('this folder');
  });
});
