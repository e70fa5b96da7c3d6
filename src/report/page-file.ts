import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LocalError, UsageError } from '../errors.ts';
import { explainSystemError } from '../folders.ts';

/**
 * Refuses a path that no page is to be written to.
 * @param inputs the files that the page is made from, which it must not replace; `-` is standard input
 * @throws UsageError for an input, a folder, a device and the like
 */
export async function checkTarget(path: string, inputs: readonly string[]): Promise<void> {
  const refused = (what: string) =>
    new UsageError(`--out: ${path} ${what}`, 'Name another file, such as report.html.');
  if (path === '-') throw refused('is standard output, and the page is a file');
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return;
  if (found.isDirectory()) throw refused('is a folder');
  if (!found.isFile()) throw refused('is no ordinary file');
  for (const input of inputs) {
    const read = input === '-' ? undefined : await stat(input).catch(() => undefined);
    if (read?.ino === found.ino && read.dev === found.dev) throw refused('is one of the inputs');
  }
}

/**
 * Writes a file aside and puts it in its place at once, so that a reader never sees half of it. Others may read it, as far as the
 * umask lets them: a report is made to be shared.
 * @throws LocalError when it cannot be written
 */
export async function writePage(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  // Not the page's name and more: that may be as long as a name can be.
  const aside = join(dirname(target), `.carbon-${randomUUID()}`);
  try {
    const file = await open(aside, 'wx', 0o666);
    try {
      await file.writeFile(text);
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(aside, target);
  } catch (cause) {
    throw new LocalError(`${path} cannot be written: ${explain(cause)}`);
  } finally {
    await rm(aside, { force: true }).catch(() => undefined);
  }
}

/* Without the name of the file aside, which nobody knows. */
function explain(cause: unknown): string {
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  return isMissing ? 'its folder does not exist' : explainSystemError(cause);
}
