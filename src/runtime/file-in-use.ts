/*
 * Repeats changes of files that another program has open. Windows refuses to replace or remove such
 * a file: for a moment while a virus scanner reads it, and as long as Excel shows it.
 */
import { platform as hostPlatform } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './system-error.ts';

/* ERROR_ACCESS_DENIED and ERROR_SHARING_VIOLATION, as Node names them. */
const inUseCodes = ['EPERM', 'EACCES', 'EBUSY'];

/* Waits between the attempts in milliseconds, 1.27 s in total: scanners need less. */
const waitsMs = [10, 20, 40, 80, 160, 320, 640];

/** The outside world of `whileInUse`; tests replace it. */
export interface InUseOptions {
  readonly platform?: NodeJS.Platform;
  readonly wait?: (ms: number) => Promise<unknown>;
}

/** Reports that a file stayed open in another program. Its message needs no further explanation. */
export class FileInUseError extends Error {
  override readonly name = 'FileInUseError';
  /* No code of the system, whose explanation would replace this message. */
  readonly code = 'EINUSE';
  readonly syscall: string;
  constructor(cause: NodeJS.ErrnoException) {
    const open = `another program, such as Excel, has the file open (${cause.code})`;
    // Windows reports missing permissions with the same code as some open files.
    super(cause.code === 'EBUSY' ? open : `permission denied, or ${open}`, { cause });
    this.syscall = cause.syscall ?? 'rename';
  }
}

/** Returns whether Windows refused a change of a file that may be open in another program. */
export function isInUse(error: unknown, platform: NodeJS.Platform = hostPlatform()): boolean {
  if (error instanceof FileInUseError) return true;
  return platform === 'win32' && inUseCodes.includes(codeOf(error));
}

/**
 * Changes a file, on Windows up to eight times while another program has it open.
 *
 * @param change changes nothing if it fails
 * @throws FileInUseError if the file stays open; any other error of `change` at once
 */
export async function whileInUse<Result>(
  change: () => Result | Promise<Result>,
  { platform = hostPlatform(), wait = sleep }: InUseOptions = {},
): Promise<Result> {
  for (const ms of [...waitsMs, undefined]) {
    try {
      return await change();
    } catch (error) {
      if (!isInUse(error, platform)) throw error;
      if (ms === undefined) throw new FileInUseError(error as NodeJS.ErrnoException);
      await wait(ms);
    }
  }
  throw new Error('unreachable');
}
