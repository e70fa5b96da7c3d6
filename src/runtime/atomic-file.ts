/*
 * Atomic file writes: a temporary file next to the target, fsync, rename. No reader ever sees a
 * partial file, and a power cut leaves either the old file or the new one.
 */
import { type FileHandle, link, lstat, open, rename, rm } from 'node:fs/promises';
import { platform as hostPlatform } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './carbon-error.ts';
import { realRandom } from './clock.ts';

export interface PendingFile {
  readonly path: string;
  readonly handle: FileHandle;
  /** Replaces the target and waits until file and directory are on the disk. */
  commit(): Promise<void>;
  /** Gives the file the first of these paths that is free, and returns it. */
  commitAs(paths: Iterable<string>): Promise<string>;
}

/**
 * Replaces a file atomically with what `work` writes to a temporary file in the same directory. The
 * target changes only if `work` calls `commit` or `commitAs`.
 *
 * @param target path of the file; a symbolic link is replaced, not followed
 * @param mode permissions of the new file, less the umask
 * @throws the system's error; FileInUseError if another program on Windows has the target open
 */
export async function writeAtomically<Result>(
  target: string,
  work: (file: PendingFile) => Promise<Result>,
  mode = 0o666,
): Promise<Result> {
  const path = temporaryPath(target);
  const handle = await open(path, 'wx', mode);
  let isOpen = true;
  const close = () => {
    isOpen = false;
    return handle.sync().finally(() => handle.close());
  };
  const commit = async () => {
    await close();
    await whileInUse(() => rename(path, target));
    await syncDirectory(dirname(target));
  };
  const commitAs = async (paths: Iterable<string>) => {
    await close();
    for (const free of paths)
      if (await placeFile(path, free)) {
        await syncDirectory(dirname(free));
        return free;
      }
    throw new Error('unreachable');
  };
  try {
    return await work({ path, handle, commit, commitAs });
  } finally {
    if (isOpen) await handle.close();
    await rm(path, { force: true }).catch(() => undefined);
  }
}

/* Gives a file another path, unless that is taken; a link never replaces a file. */
async function placeFile(path: string, free: string): Promise<boolean> {
  try {
    await link(path, free);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // The file system has no hard links.
    if ((await lstat(free).catch(() => undefined)) !== undefined) return false;
    await whileInUse(() => rename(path, free));
  }
  return true;
}

/**
 * Returns a new path for a temporary file in the directory of `target`, whose name may already have
 * the maximum length. It is not normalized: `link/../file` is next to the target of the link. Open
 * it with the flag `wx`.
 */
export function temporaryPath(target: string): string {
  return `${dirname(target)}/.carbon-${realRandom().toString(36).slice(2)}`;
}

/**
 * Waits until the file names in a directory are on the disk: otherwise, a new file may disappear in
 * a power cut. Does nothing where directories cannot be synced (Windows, some network disks).
 *
 * @throws the system's error if the disk fails or is full
 */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r').catch(() => undefined);
  try {
    await handle?.sync();
  } catch (error) {
    if (['EIO', 'ENOSPC', 'EDQUOT'].includes(codeOf(error))) throw error;
  } finally {
    await handle?.close();
  }
}

/* ERROR_ACCESS_DENIED and ERROR_SHARING_VIOLATION, as Node names them. */
const inUseCodes = ['EPERM', 'EACCES', 'EBUSY'];

/* Waits between the attempts in milliseconds, 1.27 s in total: virus scanners need less. */
const waitsMs = [10, 20, 40, 80, 160, 320, 640];

/* Its message needs no explanation of its code. */
class FileInUseError extends Error {
  override readonly name = 'FileInUseError';
  readonly syscall = 'rename';
  constructor(cause: unknown) {
    // Windows reports missing permissions with the same codes as some open files.
    const why = 'permission denied, or another program, such as Excel, has the file open';
    super(`${why} (${codeOf(cause)})`, { cause });
  }
}

/** Returns whether Windows refused a change of a file that may be open in another program. */
export function isInUse(error: unknown, platform: NodeJS.Platform = hostPlatform()): boolean {
  if (error instanceof FileInUseError) return true;
  return platform === 'win32' && inUseCodes.includes(codeOf(error));
}

/**
 * Changes a file, on Windows up to eight times while another program has it open: for a moment
 * while a virus scanner reads it, and as long as Excel shows it.
 *
 * @param change changes nothing if it fails
 * @throws FileInUseError if the file stays open; any other error of `change` at once
 */
export async function whileInUse<Result>(
  change: () => Result | Promise<Result>,
  { platform = hostPlatform(), wait = sleep as (ms: number) => Promise<unknown> } = {},
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await change();
    } catch (error) {
      if (!isInUse(error, platform)) throw error;
      const ms = waitsMs[failures];
      if (ms === undefined) throw new FileInUseError(error);
      await wait(ms);
    }
  }
}
