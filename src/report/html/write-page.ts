import { realpath, stat } from 'node:fs/promises';
import { writeAtomically } from '../../runtime/atomic-file.ts';
import { LocalError, UsageError } from '../../runtime/carbon-error.ts';
import type { MachineIdentity } from '../../runtime/machine.ts';
import { explainSystemError } from '../../runtime/system-error.ts';

/**
 * Refuses a path that no page is to be written to.
 * @param inputs the files that the page is made from, which it must not replace; `-` is standard
 * input
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
 * Writes a file aside and puts it in its place at once, so that a reader never sees half of it.
 * Others may read it, as far as the umask lets them: a report is made to be shared.
 * @throws LocalError when it cannot be written
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
    throw new LocalError(`${path} cannot be written: ${explain(cause)}`);
  }
}

/* Without the name of the file aside, which nobody knows. */
function explain(cause: unknown): string {
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  return isMissing ? 'its folder does not exist' : explainSystemError(cause);
}
