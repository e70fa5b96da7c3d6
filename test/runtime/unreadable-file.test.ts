import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingFile } from '../../src/runtime/unreadable-file.ts';
import { newFolder, run } from '../support/run.ts';

describe('the error of a missing file', () => {
  it('names files with almost the same name', async () => {
    const folder = newFolder();
    for (const name of ['am26.csv', 'spend.csv', 'am.xlsx']) writeFileSync(join(folder, name), '');
    const hintOf = (path: string) => missingFile(path).hint;
    expect(hintOf(join(folder, 'am25.csv'))).toBe(`Did you mean ${join(folder, 'am26.csv')}?`);
    expect(hintOf(join(folder, 'other.csv'))).toBe('Check the path and its spelling.');
    expect(hintOf(join(folder, 'none', 'spend.csv'))).toBe('Check the path and its spelling.');
    expect(hintOf(join(folder, 'am26'))).toBe(`Did you mean ${join(folder, 'am26.csv')}?`);
    expect(hintOf(join(folder, 'spend.xlsx'))).toBe(`Did you mean ${join(folder, 'spend.csv')}?`);
    expect(hintOf(join(folder, 'spend.cvs'))).toBe(`Did you mean ${join(folder, 'spend.csv')}?`);
    // Three of seven letters are another name.
    expect(hintOf(join(folder, 'spindle.csv'))).toBe('Check the path and its spelling.');
    const [a, b] = [join(folder, 'am26.csv'), join(folder, 'spend.csv')];
    expect(hintOf(`${a},${b}`)).toBe(
      'Name each file by itself: separate files with spaces, or repeat the option.',
    );
    for (const command of ['footprint', 'list', 'sync', 'check', 'report'])
      expect((await run([command, join(folder, 'spendd.csv'), '--sandbox'])).stderr).toContain(
        `: no such file or directory\nHint: Did you mean ${join(folder, 'spend.csv')}?\n`,
      );
  });
});
