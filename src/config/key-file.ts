/*
 * Reads the API key from a file such as a Docker or Kubernetes secret. Errors name the file and
 * never quote it.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { HintedError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { explainSystemError } from '../runtime/system-error.ts';
import type { Sourced } from './settings.ts';

/** Maximum size of a file or of standard input with an API key, in bytes. */
export const maxKeyBytes = 65_536;

/**
 * Returns the lines that are not blank; an API key is the only one.
 *
 * Reads UTF-8 and, after a byte order mark, UTF-16, which PowerShell 5 writes.
 */
export function keyLines(bytes: Uint8Array): string[] {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes);
  return text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
}

/**
 * Reads the only line of a file that is not blank.
 *
 * Follows symbolic links. On systems with user ids, neither the file nor a directory on the way to
 * it may be writable for users other than this one and root. Others may read it, as Kubernetes
 * mounts secrets with the mode 0444.
 * @throws HintedError that names the file
 */
export function readKeyFile(
  context: Pick<Context, 'process'>,
  { value: path, from }: Sourced<string>,
): string {
  const name = `The key file ${path} (${from})`;
  const unreadable = (cause: unknown) =>
    noKey(
      `${name} cannot be read: ${explainSystemError(cause)}`,
      path.startsWith('~')
        ? `carbon does not expand ~. Set ${from} to an absolute path.`
        : `Check ${from} and the permissions of the file.`,
    );
  let bytes: Buffer;
  try {
    checkKind(name, statSync(path));
    const { userId } = context.process;
    if (userId !== undefined) checkWritable(userId, name, path);
    bytes = readStart(path, name);
  } catch (cause) {
    throw cause instanceof HintedError ? cause : unreadable(cause);
  }
  if (bytes.length > maxKeyBytes)
    throw noKey(`${name} is larger than ${maxKeyBytes / 1_024} KiB`, keyOnly);
  const lines = keyLines(bytes);
  if (lines.length > 1)
    throw noKey(`${name} has ${lines.length} lines, but an API key is one line`, keyOnly);
  if (lines.length === 0) throw noKey(`${name} is empty`, keyOnly);
  return lines[0] ?? '';
}

const keyOnly = 'The file must contain only the API key.';

function noKey(message: string, hint: string): HintedError {
  return new HintedError('no_key', message, { hint });
}

/* A pipe can be read only once, and nothing shows who writes to it. */
function checkKind(name: string, stat: Stats): void {
  if (stat.isFile()) return;
  const isPipe = stat.isFIFO() || stat.isSocket();
  const kind = stat.isDirectory() ? 'a directory' : isPipe ? 'a pipe' : 'a device';
  throw noKey(
    `${name} is ${kind}, not a file`,
    isPipe
      ? 'Instead, set CARBON_API_KEY_COMMAND to a command that prints the key.'
      : 'Name a file that contains only the API key.',
  );
}

/*
 * Neither the file nor a directory or link on the way to it may be writable for other users than
 * this one and root. In a directory with the sticky bit, such as /tmp or the volume of a Kubernetes
 * secret, only owners can replace their entries.
 */
function checkWritable(userId: number, name: string, path: string): void {
  for (const start of [resolve(path), realpathSync.native(path)]) {
    for (let entry = start, last = ''; entry !== last; last = entry, entry = dirname(entry)) {
      // A path with .. after a link exists only as the real path.
      const stat = lstatSync(entry, { throwIfNoEntry: false });
      if (stat === undefined) continue;
      const where = entry === path ? '' : `${entry}: `;
      if (stat.uid !== userId && stat.uid !== 0) {
        throw noKey(
          `${name} is not used: ${where}it belongs to another user (uid ${stat.uid})`,
          'The file and the directories above it must belong to you or to root.',
        );
      }
      const isSticky = stat.isDirectory() && (stat.mode & 0o1000) !== 0;
      // The mode of a symbolic link has no meaning.
      if (stat.isSymbolicLink() || isSticky || (stat.mode & 0o022) === 0) continue;
      const mode = (stat.mode & 0o7777).toString(8).padStart(4, '0');
      throw noKey(
        `${name} is not used: ${where}other users can change it (mode ${mode})`,
        `Run \`chmod go-w\` on ${entry}.`,
      );
    }
  }
}

/* Reads at most one byte more than a key file may have. Opening a pipe must not wait. */
function readStart(path: string, name: string): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    checkKind(name, fstatSync(descriptor));
    const buffer = Buffer.alloc(maxKeyBytes + 1);
    let length = 0;
    for (;;) {
      const read = readSync(descriptor, buffer, length, buffer.length - length, null);
      length += read;
      if (read === 0 || length === buffer.length) return buffer.subarray(0, length);
    }
  } finally {
    closeSync(descriptor);
  }
}
