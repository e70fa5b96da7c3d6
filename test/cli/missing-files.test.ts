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
          /needs (a file|two files)\nHint: Try .+\. Lists in this folder: a\.csv, b\.xlsx\.\n$/,
        ),
      ]);
    },
  );

  it('names three, as a command line has them, and counts the others', async () => {
    const { stderr } = await runAt(['a 1.csv', 'b.csv', 'c.xlsx', 'd.csv', 'e.csv'], 'list');
    expect(stderr).toContain('Lists in this folder: "a 1.csv", b.csv, c.xlsx and 2 more.\n');
  });

  it('names none of another kind, and no hidden files and locks of a workbook', async () => {
    const others = ['a.csv.records.ndjson', '.b.csv', '~$c.xlsx', 'd.html'];
    expect((await runAt(others, 'list')).stderr).not.toContain('this folder');
  });

  it('names none to a command that needs an ID', async () => {
    expect((await runAt(['a.csv'], 'get')).stderr).not.toContain('this folder');
  });
});
