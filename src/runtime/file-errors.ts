/* Errors of files that the command line names. */
import { platform as hostPlatform } from 'node:os';
import { win32 } from 'node:path';
import { LocalError, UsageError } from './carbon-error.ts';
import { codeOf, explainSystemError } from './system-error.ts';

/*
 * File names that Windows opens as something else than a file: devices such as NUL, streams of
 * another file (after a colon), and names whose last periods and blanks it removes. Source: "Naming
 * Files, Paths, and Namespaces" of the Windows documentation.
 */

/* Windows 11 reserves fewer of these names, but files with them cannot be passed on. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?=\.| *$| +\.)/i;

/**
 * Checks that Windows opens a file of this name; accepts any name on other systems.
 *
 * @param flag the option that names the file; none for an argument
 * @throws UsageError that names the reserved part
 */
export function checkFileName(
  path: string,
  flag?: string,
  platform: NodeJS.Platform = hostPlatform(),
): void {
  const problem = platform === 'win32' ? findProblem(path) : undefined;
  if (problem === undefined) return;
  throw new UsageError(
    `${flag === undefined ? '' : `${flag}: `}${path} ${problem}`,
    'Choose another file name.',
    'invalid_input',
  );
}

function findProblem(path: string): string | undefined {
  const base = win32.basename(path);
  const reserved = device.exec(base)?.[0];
  if (reserved !== undefined)
    return `is not a file: Windows reserves the name ${reserved.toUpperCase()} for a device`;
  // A path such as \\?\C:\directory has its colon in the root.
  const { root } = win32.parse(path);
  const sign = /[<>:"|?*]/.exec(path.slice(root.length))?.[0];
  if (sign !== undefined) return `is not a file name on Windows, because it contains ${sign}`;
  return /[^./\\][. ]+$/.test(base)
    ? 'ends with a period or a blank, which Windows removes'
    : undefined;
}

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
