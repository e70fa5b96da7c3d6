import { access, constants, type FileHandle, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeAtomically } from '../runtime/atomic-file.ts';
import { LocalError, UsageError } from '../runtime/carbon-error.ts';
import { checkFileName } from '../runtime/file-errors.ts';
import type { MachineIdentity } from '../runtime/machine.ts';
import { explainSystemError } from '../runtime/system-error.ts';

/** The flag that names an output file, and an example of such a file. */
export interface TargetFlag {
  readonly flag: string;
  readonly example: string;
}

/**
 * Checks that carbon may write a file to a path.
 * @param inputs input files, which the output must not replace; `-` is standard input
 * @throws UsageError for an input file, a directory, a device and the like; LocalError for a path
 * in a directory that does not exist or in which carbon cannot write
 */
export async function checkTarget(
  path: string,
  inputs: readonly string[],
  { flag, example }: TargetFlag,
): Promise<void> {
  const refused = (reason: string) =>
    new UsageError(`${flag}: ${path} ${reason}`, `Choose another file, such as ${example}.`);
  if (path === '-') throw refused(`is standard output, but ${flag} writes a file`);
  checkFileName(path, flag);
  const target = await stat(path).catch(() => undefined);
  if (target?.isDirectory()) throw refused('is a directory');
  if (target !== undefined && !target.isFile()) throw refused('is not a regular file');
  for (const input of inputs) {
    const source = input === '-' ? undefined : await stat(input).catch(() => undefined);
    if (target !== undefined && source?.ino === target.ino && source.dev === target.dev)
      throw refused('is one of the inputs');
  }
  await checkDirectory(path);
}

/*
 * The error would otherwise follow the retrieval of all records. A link is written where it leads,
 * as `writeTarget` does.
 */
async function checkDirectory(path: string): Promise<void> {
  const directory = dirname(await realpath(path).catch(() => path));
  await access(directory, constants.W_OK).catch((cause: unknown) => {
    throw new LocalError(`Cannot write ${path}: ${explain(cause)}`);
  });
}

/**
 * Replaces a file atomically with what `write` writes. If `write` fails, the file does not change.
 * @throws LocalError when writing fails; the error of `write` if carbon threw it
 */
export async function writeTarget(
  path: string,
  machine: MachineIdentity,
  write: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  try {
    await writeAtomically(target, machine, async ({ handle, commit }) => {
      await write(handle);
      await commit();
    });
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new LocalError(`Cannot write ${path}: ${explain(cause)}`);
  }
}

/* Omits the name of the temporary file, which would confuse the reader. */
function explain(cause: unknown): string {
  const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
  return isMissing ? 'its directory does not exist' : explainSystemError(cause);
}
