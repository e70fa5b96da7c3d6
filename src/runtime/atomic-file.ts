/*
 * Files that are written aside and take their place at once, so that no reader ever sees half of
 * one and a power cut leaves the old file or the new one. What a killed process left aside is
 * removed by the next one that writes in the folder.
 */
import { createHash, randomBytes } from 'node:crypto';
import { type FileHandle, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { MachineIdentity, ProcessIdentity } from './machine.ts';
import { codeOf } from './system-error.ts';

/** A file that is not in its place yet. */
export interface PendingFile {
  readonly path: string;
  readonly handle: FileHandle;
  /**
   * Puts the file in its place and waits until file and folder are on the disk. Without it nothing
   * changes.
   */
  commit(): Promise<void>;
}

/**
 * Lets `work` write a file aside, in the folder of the target, and removes it afterwards unless
 * `commit` was called.
 *
 * @param target the place of the file; a symbolic link there is replaced, not followed
 * @param machine tells which files aside belong to processes that are alive
 * @returns what `work` returns
 * @throws whatever the failed system call throws
 */
export async function writeAtomically<Result>(
  target: string,
  machine: MachineIdentity,
  work: (file: PendingFile) => Promise<Result>,
): Promise<Result> {
  const folder = dirname(target);
  const path = asidePath(target, machine.self);
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
    await removeAbandoned(folder, machine, { target, mtimeMs });
    return await work({ path, handle, commit });
  } finally {
    if (isOpen) await handle.close();
    if (isPending) await rm(path, { force: true }).catch(() => undefined);
  }
}

/**
 * Replaces a file by one that is complete, and waits until file and folder are on the disk.
 *
 * @param handle the complete file, which is closed in any case
 * @param path where it was written, on the same disk
 * @throws whatever the failed system call throws
 */
export async function replaceFile(handle: FileHandle, path: string, target: string): Promise<void> {
  await handle.sync().finally(() => handle.close());
  await rename(path, target);
  await syncFolder(dirname(target));
}

/**
 * A new name for a file beside another one until it is renamed. It tells which process writes the
 * file. It is not the other's name and more, because that may be as long as a name can be. The path
 * is not normalized: `link/../file` is beside what the link leads to.
 */
export function asidePath(target: string, { space, pid, started }: ProcessIdentity): string {
  const name = `.carbon-${digest(space)}-${pid}-${digest(started)}-${randomBytes(4).toString('hex')}`;
  return `${dirname(target)}/${name}`;
}

const asideName = /^\.carbon-([0-9a-f]{8})-(\d+)-([0-9a-f]{8})-[0-9a-f]{8}$/;
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Removes the files aside of processes that are dead: those that this machine knows to have ended,
 * and those that nobody wrote to for a day before `newest`. Both times are of the folder's own
 * disk, so no clocks of machines are compared. Files of other processes stay, and what cannot be
 * removed too.
 *
 * @param newest the file aside that was just made; without one, no file is removed for its age
 */
export async function removeAbandoned(
  folder: string,
  machine: MachineIdentity,
  newest?: { readonly target: string; readonly mtimeMs: number },
): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const path = `${folder}/${name}`;
    const [, space, pid, started] = asideName.exec(name) ?? [];
    const isKnown = space !== digest() && started !== digest();
    const isNear = space !== undefined && isKnown && space === digest(machine.self.space);
    const isOurs = space !== undefined || isOfVersion1(name, newest?.target);
    const isDead = isNear
      ? digest(machine.startOf(Number(pid))) !== started
      : isOurs && newest !== undefined && (await isOlder(path, newest.mtimeMs - dayMs));
    if (isDead) await rm(path, { force: true }).catch(() => undefined);
  }
}

/* Version 0.1 named its files by a UUID, so nothing is known of who wrote them. */
function isOfVersion1(name: string, target: string | undefined): boolean {
  if (new RegExp(`^\\.carbon-${uuid}$`).test(name)) return true;
  const own = target === undefined ? undefined : `${basename(target)}.`;
  return (
    own !== undefined &&
    name.startsWith(own) &&
    new RegExp(`^${uuid}$`).test(name.slice(own.length))
  );
}

async function isOlder(path: string, mtimeMs: number): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found !== undefined && found.mtimeMs < mtimeMs;
}

function digest(text = ''): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/**
 * Waits until the names in a folder are on the disk: a new file, or one that was renamed, may be
 * gone after a power cut although its content is not. Some systems cannot do that for folders
 * (Windows, some network disks); there it does nothing.
 *
 * @throws the system's error when the disk failed or is full
 */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  try {
    await handle?.sync();
  } catch (error) {
    if (['EIO', 'ENOSPC', 'EDQUOT'].includes(codeOf(error))) throw error;
  } finally {
    await handle?.close();
  }
}
