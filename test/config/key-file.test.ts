import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readKeyFile } from '../../src/config/read-key.ts';
import { newFolder } from '../support/run.ts';

const from = 'CARBON_API_KEY_FILE';
const userId = process.getuid?.();
const isRoot = userId === 0;
const read = (path: string, id = userId) =>
  readKeyFile({ process: { id: process.pid, userId: id } }, { value: path, from });

function newFile(text: string | Buffer, mode = 0o600): string {
  const file = join(newFolder(), 'key');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

/* The volume of a Kubernetes secret: a sticky directory with links that an update replaces. */
function newSecretVolume(): string {
  const volume = newFolder();
  chmodSync(volume, 0o1777);
  mkdirSync(join(volume, '..2026_11_22'));
  writeFileSync(join(volume, '..2026_11_22/key'), 'key-1', { mode: 0o444 });
  symlinkSync('..2026_11_22', join(volume, '..data'));
  symlinkSync('..data/key', join(volume, 'key'));
  return join(volume, 'key');
}

describe('readKeyFile', () => {
  it.each<[string, string | Buffer, number?]>([
    ['a line break', 'key-1\n'],
    ['a Windows line break', 'key-1\r\n'],
    ['blank lines', '\n\nkey-1\n \n'],
    ['UTF-16, as PowerShell 5 writes it', Buffer.from('\ufeffkey-1\r\n', 'utf16le')],
    ['a byte order mark', Buffer.from('\ufeffkey-1\r\n')],
    ['a mode that lets others read it', 'key-1', 0o444],
  ])('returns the key of a file with %s', (_, text, mode) => {
    expect(read(newFile(text, mode))).toBe('key-1');
  });

  it('reads a Kubernetes secret through its links', () => {
    expect(read(newSecretVolume())).toBe('key-1');
  });

  it.skipIf(!isRoot)('reads a file of root as another user (skipped unless root)', () => {
    expect(read(newSecretVolume(), 4711)).toBe('key-1');
  });

  it.each([0o620, 0o602])('refuses a file of mode %o, which others can change', (mode) => {
    const file = newFile('canary-1', mode);
    const problem = `is not used: other users can change ${file} (mode 0${mode.toString(8)})`;
    expect(() => read(file)).toThrow(`The key file ${file} (${from}) ${problem}`);
  });

  it.each([0o770, 0o2707])('refuses a file in a directory of mode %o', (mode) => {
    const folder = newFolder();
    const open = join(folder, 'open');
    mkdirSync(join(open, 'inner'), { recursive: true });
    writeFileSync(join(open, 'inner/key'), 'canary-1');
    chmodSync(open, mode);
    // Whoever can replace a link chooses the file.
    symlinkSync(newFile('canary-1'), join(open, 'link'));
    symlinkSync(join(open, 'inner/key'), join(folder, 'link'));
    for (const path of [join(open, 'inner/key'), join(open, 'link'), join(folder, 'link')])
      expect(() => read(path)).toThrow(`other users can change ${open}`);
  });

  it.skipIf(!isRoot)(
    'refuses a file, a link or a directory of another user (skipped unless root)',
    () => {
      const problem = 'belongs to another user (uid 4711)';
      const file = newFile('canary-1', 0o444);
      chownSync(file, 4711, 4711);
      expect(() => read(file)).toThrow(problem);
      expect(read(file, 4711)).toBe('canary-1');
      const folder = newFolder();
      const link = join(folder, 'link');
      symlinkSync(newFile('canary-1'), link);
      lchownSync(link, 4711, 4711);
      expect(() => read(link)).toThrow(problem);
      writeFileSync(join(folder, 'key'), 'canary-1');
      chownSync(folder, 4711, 4711);
      expect(() => read(join(folder, 'key'))).toThrow(`${folder} ${problem}`);
    },
  );

  it('checks no owner and no mode on Windows, which has neither', () => {
    const context = { process: { id: process.pid, userId: undefined } };
    expect(readKeyFile(context, { value: newFile('key-1', 0o666), from })).toBe('key-1');
  });

  it.each([
    ['is empty', ''],
    ['is empty', ' \n\n'],
    ['has 2 lines, but an API key is one line', 'canary-1\ncanary-2\n'],
  ])('reports a file that %s and never quotes it', (problem, text) => {
    const file = newFile(text);
    expect(() => read(file)).toThrow(`The key file ${file} (${from}) ${problem}`);
    expect(() => read(file)).not.toThrow('canary');
  });

  it('reports a missing file, a directory, a device, a pipe and a loop of links', () => {
    const folder = newFolder();
    const [none, pipe, loop] = [join(folder, 'none'), join(folder, 'pipe'), join(folder, 'loop')];
    execFileSync('mkfifo', [pipe]);
    symlinkSync('loop', loop);
    const problems = {
      [none]: 'cannot be read: no such file or directory',
      [join(newFile('x'), 'key')]: 'cannot be read: not a directory',
      [loop]: 'cannot be read: ELOOP',
      [folder]: 'is not a file',
      '/dev/null': 'is not a file',
      [pipe]: 'is not a file',
    };
    for (const [path, problem] of Object.entries(problems))
      expect(() => read(path)).toThrow(`The key file ${path} (${from}) ${problem}`);
  });
});
