import { randomUUID } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { LocalError, UsageError } from '../errors.ts';

/**
 * Refuses a path that no file can be written to.
 * @throws UsageError for a folder, a device and the like
 */
export async function checkTarget(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.isFile()) return;
  const what = found.isDirectory() ? 'is a folder' : 'is no ordinary file';
  throw new UsageError(`--out: ${path} ${what}`, 'Name a file, such as report.html.');
}

/**
 * Writes a file aside and puts it in its place at once, so that a reader never sees half of it. Others may read it, as far as the
 * umask lets them: a report is made to be shared.
 * @throws LocalError when it cannot be written
 */
export async function writePage(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const aside = `${target}.${randomUUID()}`;
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
    throw new LocalError(`${path} cannot be written: ${(cause as Error).message}`, { cause });
  } finally {
    await rm(aside, { force: true }).catch(() => undefined);
  }
}
