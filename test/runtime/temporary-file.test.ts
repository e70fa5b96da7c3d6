import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ValueFile } from '../../src/runtime/temporary-file.ts';
import { newFolder } from '../support/run.ts';

afterEach(() => void vi.unstubAllEnvs());

describe('ValueFile', () => {
  it('returns values in any order, from memory and from the disk, and leaves no file', () => {
    const folder = newFolder();
    vi.stubEnv('TMPDIR', folder);
    vi.stubEnv('TEMP', folder);
    const file = new ValueFile();
    const values = [null, ['ä', 1.5], 'x'.repeat(3 << 20), {}, '日本'.repeat(200_000), 0, 'last'];
    const stored = values.map((value) => [file.add([value, [value]]), value] as const);
    for (const [each, value] of [...stored, ...stored.toReversed()])
      expect([file.get(each, 0), file.get(each, 1)]).toEqual([value, [value]]);
    expect(isDeepStrictEqual(file.add(['same', 1]), file.add(['same', 1]))).toBe(true);
    expect(isDeepStrictEqual(file.add(['same', 1]), file.add(['same', 2]))).toBe(false);
    file.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('says which variable to set if the disk cannot be used', () => {
    const missing = join(newFolder(), 'missing');
    vi.stubEnv('TMPDIR', missing);
    vi.stubEnv('TEMP', missing);
    const add = () => new ValueFile().add(['x'.repeat(2 << 20)]);
    expect(add).toThrow(
      expect.objectContaining({
        message: 'Cannot keep records in a temporary file: no such file or directory (ENOENT)',
        hint: expect.stringMatching(
          /^Set (?:TMPDIR|TEMP) to a directory with enough free space\.$/,
        ),
      }),
    );
    mkdirSync(missing);
    expect(add).not.toThrow();
  });
});
