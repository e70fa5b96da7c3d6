import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
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
  it.each([
    ['a line break', 'key-1\n'],
    ['a Windows line break', 'key-1\r\n'],
    ['blank lines', '\n\nkey-1\n \n'],
    ['UTF-16, as PowerShell 5 writes it', Buffer.from('\ufeffkey-1\r\n', 'utf16le')],
    ['a byte order mark', Buffer.from('\ufeffkey-1\r\n')],
  ])('returns the key of a file with %s', (_, text) => {
    expect(read(newFile(text))).toBe('key-1');
  });

  it.each([0o400, 0o444, 0o644])('reads a file of mode %o', (mode) => {
    expect(read(newFile('key-1', mode))).toBe('key-1');
  });

  it('reads a Kubernetes secret through its links', () => {
    expect(read(newSecretVolume())).toBe('key-1');
  });

  it.skipIf(!isRoot)('reads a file of root as another user (skipped unless root)', () => {
    expect(read(newSecretVolume(), 4711)).toBe('key-1');
  });

  it.each([0o620, 0o602])('refuses a file of mode %o, which others can change', (mode) => {
    const file = newFile('canary-1', mode);
    expect(() => read(file)).toThrow(
      `The key file ${file} (${from}) is not used: other users can change it (mode 0${mode.toString(8)})`,
    );
  });

  it.each([0o770, 0o2707])('refuses a file in a directory of mode %o', (mode) => {
    const folder = newFolder();
    mkdirSync(join(folder, 'open/inner'), { recursive: true });
    writeFileSync(join(folder, 'open/inner/key'), 'canary-1');
    chmodSync(join(folder, 'open'), mode);
    const problem = `${join(folder, 'open')}: other users can change it`;
    expect(() => read(join(folder, 'open/inner/key'))).toThrow(problem);
    // Whoever can replace a link chooses the file.
    symlinkSync(newFile('canary-1'), join(folder, 'open/link'));
    expect(() => read(join(folder, 'open/link'))).toThrow(problem);
    symlinkSync(join(folder, 'open/inner/key'), join(folder, 'link'));
    expect(() => read(join(folder, 'link'))).toThrow(problem);
  });

  it.skipIf(!isRoot)(
    'refuses a file, a link or a directory of another user (skipped unless root)',
    () => {
      const problem = 'it belongs to another user (uid 4711)';
      const file = newFile('canary-1', 0o444);
      chownSync(file, 4711, 4711);
      expect(() => read(file)).toThrow(problem);
      expect(() => read(file, 4712)).toThrow(problem);
      expect(read(file, 4711)).toBe('canary-1');
      const folder = newFolder();
      writeFileSync(join(folder, 'key'), 'canary-1');
      execFileSync('ln', ['-s', newFile('canary-1'), join(folder, 'link')]);
      execFileSync('chown', ['-h', '4711', join(folder, 'link')]);
      expect(() => read(join(folder, 'link'))).toThrow(problem);
      chownSync(folder, 4711, 4711);
      expect(() => read(join(folder, 'key'))).toThrow(`${folder}: ${problem}`);
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
    ['is larger than 64 KiB', Buffer.alloc(65_537, 'canary')],
  ])('reports a file that %s and never quotes it', (problem, text) => {
    const file = newFile(text);
    expect(() => read(file)).toThrow(`The key file ${file} (${from}) ${problem}`);
    expect(() => read(file)).not.toThrow('canary');
  });

  it('reports a missing file, a directory, a device, a pipe and a loop of links', () => {
    const folder = newFolder();
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    symlinkSync('loop', join(folder, 'loop'));
    expect(() => read(join(folder, 'none'))).toThrow(
      `The key file ${join(folder, 'none')} (${from}) cannot be read: no such file or directory`,
    );
    expect(() => read(join(newFile('x'), 'key'))).toThrow('not a directory (ENOTDIR)');
    for (const other of [folder, '/dev/null', pipe])
      expect(() => read(other)).toThrow(`The key file ${other} (${from}) is not a file`);
    expect(() => read(join(folder, 'loop'))).toThrow('cannot be read: ELOOP');
  });
});
