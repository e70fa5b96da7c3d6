/*
 * Atomic file writes: a temporary file next to the target, fsync, rename. No reader ever sees a
 * partial file, and a power cut leaves either the old file or the new one.
 */
import {
  closeSync,
  fsync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { platform as hostPlatform } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from './carbon-error.ts';
import { realRandom } from './clock.ts';

export interface PendingFile {
  readonly path: string;
  /** Appends to the file. */
  write(data: string | Buffer): void;
  /** Replaces the target and waits until file and directory are on the disk. */
  commit(): Promise<void>;
  /** Gives the file the first of these paths that is free, and returns it. */
  commitAs(paths: Iterable<string>): Promise<string>;
}

/** Lets only the holder of a lock replace a file. */
export interface ReplaceGuard {
  /** Path of the temporary file. */
  readonly aside: string;
  /** Called just before the rename; throws if the file must stay as it is. */
  confirm(): void;
}

/**
 * Replaces a file atomically with what `work` writes to a temporary file in the same directory. The
 * target changes only if `work` calls `commit` or `commitAs`.
 *
 * @param target path of the file; a symbolic link is replaced, not followed
 * @param guard that of the file if it belongs to a lock
 * @throws the system's error; FileInUseError if another program on Windows has the target open
 */
export async function writeAtomically<Result>(
  target: string,
  work: (file: PendingFile) => Promise<Result>,
  guard?: ReplaceGuard,
): Promise<Result> {
  const path = guard?.aside ?? temporaryPath(target);
  const fd = openSync(path, 'wx', 0o666);
  let isOpen = true;
  const write = (data: string | Buffer) => writeFileSync(fd, data);
  const close = () => {
    isOpen = false;
    return syncFile(fd).finally(() => closeSync(fd));
  };
  const commit = async () => {
    await close();
    await whileInUse(() => {
      guard?.confirm();
      renameSync(path, target);
    });
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
    return await work({ path, write, commit, commitAs });
  } finally {
    if (isOpen) closeSync(fd);
    try {
      rmSync(path, { force: true });
    } catch {
      // The file stays.
    }
  }
}

/*
 * Waits until the bytes of an open file are on the disk. It is asynchronous, because the heartbeat
 * of a lock must continue on a slow disk.
 */
function syncFile(file: number): Promise<void> {
  return new Promise((resolve, reject) =>
    fsync(file, (error) => (error ? reject(error) : resolve())),
  );
}

/* Gives a file another path, unless that is taken; a link never replaces a file. */
async function placeFile(path: string, free: string): Promise<boolean> {
  try {
    linkSync(path, free);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // The file system has no hard links.
    if (lstatSync(free, { throwIfNoEntry: false }) !== undefined) return false;
    await whileInUse(() => renameSync(path, free));
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
  let fd: number;
  try {
    fd = openSync(directory, 'r');
  } catch {
    return;
  }
  try {
    await syncFile(fd);
  } catch (error) {
    if (['EIO', 'ENOSPC', 'EDQUOT'].includes(codeOf(error))) throw error;
  } finally {
    closeSync(fd);
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
