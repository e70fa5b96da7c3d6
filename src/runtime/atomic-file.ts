/*
 * Atomic file writes: a temporary file beside the target, fsync, rename. No reader ever sees a
 * partial file, and a power cut leaves either the old file or the new one. Each write removes the
 * temporary files that killed processes left in the directory.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { platform as hostPlatform } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MachineIdentity, ProcessIdentity } from './machine.ts';
import { codeOf } from './system-error.ts';

/** A temporary file that becomes the target on commit. */
export interface PendingFile {
  readonly path: string;
  readonly handle: FileHandle;
  /** Replaces the target and waits until file and directory are on the disk. */
  commit(): Promise<void>;
}

/**
 * Replaces a file atomically with what `work` writes.
 *
 * `work` gets a temporary file in the same directory. The target changes only if `work` calls
 * `commit`; otherwise the temporary file is removed.
 *
 * @param target path of the file; a symbolic link is replaced, not followed
 * @param machine identifies the processes that are alive, whose temporary files must stay
 * @returns the result of `work`
 * @throws the system's error
 */
export async function writeAtomically<Result>(
  target: string,
  machine: MachineIdentity,
  work: (file: PendingFile) => Promise<Result>,
): Promise<Result> {
  const path = temporaryPath(target, machine.self);
  const handle = await open(path, 'wx', 0o666);
  let isOpen = true;
  let isPending = true;
  const commit = async () => {
    isOpen = false;
    await replaceFile(handle, path, target);
    isPending = false;
  };
  try {
    const { mtimeMs } = await handle.stat();
    await removeStaleFiles(dirname(target), machine, mtimeMs);
    return await work({ path, handle, commit });
  } finally {
    if (isOpen) await handle.close();
    if (isPending) await rm(path, { force: true }).catch(() => undefined);
  }
}

/**
 * Replaces a file with a complete one and waits until file and directory are on the disk.
 *
 * @param handle the complete file; always closed
 * @param path its path, on the same file system as the target
 * @throws the system's error; FileInUseError if another program on Windows has the target open
 */
export async function replaceFile(handle: FileHandle, path: string, target: string): Promise<void> {
  await handle.sync().finally(() => handle.close());
  await whileInUse(() => rename(path, target));
  await syncDirectory(dirname(target));
}

/**
 * Returns a new path in the directory of `target` for a temporary file.
 *
 * The name identifies the process that writes the file. It does not extend the target's name, which
 * may already have the maximum length. The path is not normalized, because `link/../file` is in the
 * directory that contains the link's target.
 */
export function temporaryPath(target: string, { space, pid, started }: ProcessIdentity): string {
  const name = `.carbon-${digest(space)}-${pid}-${digest(started)}-${randomBytes(4).toString('hex')}`;
  return `${dirname(target)}/${name}`;
}

const temporaryName = /^\.carbon-([0-9a-f]{8})-(\d+)-([0-9a-f]{8})-[0-9a-f]{8}$/;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Removes the temporary files and directories of dead processes from a directory.
 *
 * A process is dead if this machine knows that it ended, or if its file is a day older than
 * `newestMs`. Both times come from the file system of the directory, so clock differences between
 * machines do not matter. Files that cannot be removed stay.
 *
 * @param newestMs when the newest file was created; without it, age is ignored
 */
export async function removeStaleFiles(
  directory: string,
  machine: MachineIdentity,
  newestMs?: number,
): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    const path = `${directory}/${name}`;
    const [, space, pid, started] = temporaryName.exec(name) ?? [];
    const isKnown = space !== digest() && started !== digest();
    const isLocal = space !== undefined && isKnown && space === digest(machine.self.space);
    const isDead = isLocal
      ? digest(machine.startOf(Number(pid))) !== started
      : space !== undefined && newestMs !== undefined && (await isOlder(path, newestMs - dayMs));
    if (isDead) await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function isOlder(path: string, mtimeMs: number): Promise<boolean> {
  const stat = await lstat(path).catch(() => undefined);
  return stat !== undefined && stat.mtimeMs < mtimeMs;
}

function digest(text = ''): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/**
 * Waits until the file names in a directory are on the disk.
 *
 * Without it, a new or renamed file may disappear in a power cut although its content is on the
 * disk. Does nothing on systems that cannot sync directories (Windows, some network disks).
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

/*
 * Repeats changes of files that another program has open. Windows refuses to replace or remove such
 * a file: for a moment while a virus scanner reads it, and as long as Excel shows it.
 */

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
