import { realpath, stat } from 'node:fs/promises';
import { writeAtomically } from '../../runtime/atomic-file.ts';
import { LocalError, UsageError } from '../../runtime/carbon-error.ts';
import type { MachineIdentity } from '../../runtime/machine.ts';
import { explainSystemError } from '../../runtime/system-error.ts';

/**
 * Checks that carbon may write a page to a path.
 * @param inputs input files, which the page must not replace; `-` is standard input
 * @throws UsageError for an input file, a directory, a device and the like
 */
export async function checkTarget(path: string, inputs: readonly string[]): Promise<void> {
  const refused = (reason: string) =>
    new UsageError(`--out: ${path} ${reason}`, 'Name another file, such as report.html.');
  if (path === '-') throw refused('is standard output, but the page is a file');
  const target = await stat(path).catch(() => undefined);
  if (target === undefined) return;
  if (target.isDirectory()) throw refused('is a directory');
  if (!target.isFile()) throw refused('is not a regular file');
  for (const input of inputs) {
    const source = input === '-' ? undefined : await stat(input).catch(() => undefined);
    if (source?.ino === target.ino && source.dev === target.dev)
      throw refused('is one of the inputs');
  }
}

/**
 * Writes the page atomically, so that a reader never sees a part of it. Other users may read it if
 * the umask allows it: a report is made to be shared.
 * @throws LocalError when writing fails
 */
export async function writePage(
  path: string,
  text: string,
  machine: MachineIdentity,
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  try {
    await writeAtomically(target, machine, async ({ handle, commit }) => {
      await handle.writeFile(text);
      await commit();
    });
  } catch (cause) {
    throw new LocalError(`cannot write ${path}: ${explain(cause)}`);
  }
}

/* Omits the name of the temporary file, which would confuse the reader. */
function explain(cause: unknown): string {
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  return isMissing ? 'its directory does not exist' : explainSystemError(cause);
}
