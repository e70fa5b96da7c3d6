/* Errors of files that the command line names. */
import { LocalError, UsageError } from './carbon-error.ts';
import { codeOf, explainSystemError } from './system-error.ts';

/**
 * Throws the error for an input file that cannot be opened or read.
 *
 * @param name the name of the file in messages
 * @param cause the error of the system call
 * @throws UsageError if the file does not exist, else LocalError
 */
export function throwUnreadable(name: string, cause: unknown): never {
  if (codeOf(cause) === 'ENOENT') throw new UsageError(`${name}: no such file or directory`);
  throw new LocalError(`${name} cannot be read: ${explainSystemError(cause)}`, { cause });
}
