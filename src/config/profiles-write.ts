/*
 * Changes the stored profiles and removes the files that killed processes left.
 */
import { chmodSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  isTemporary,
  type PendingFile,
  removeTemporaryFiles,
  writeAtomically,
} from '../runtime/atomic-file.ts';
import { LocalError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { type FileLock, type LockPurpose, lockFile } from '../runtime/file-lock.ts';
import { thisMachine } from '../runtime/machine.ts';
import { explainSystemError } from '../runtime/system-error.ts';
import { createDirectory } from './paths.ts';
import {
  accessOfOthers,
  checkOwner,
  configFile,
  fileVersion,
  type Profiles,
  readProfiles,
} from './profiles.ts';

/** Checks for files that a killed `carbon login` or `logout` left; they may contain keys. */
export function hasLeftovers(context: Context): boolean {
  const file = configFile(context);
  if (file === undefined) return false;
  try {
    return readdirSync(dirname(file)).some((name) => isTemporary(name) || name === lockName);
  } catch {
    return false;
  }
}

const lockName = 'config.json.lock';

/**
 * Changes the stored profiles atomically, one writer at a time, and returns the path of the file.
 *
 * Sets the mode of the directory to 0700 and of the file to 0600, and removes the files that killed
 * processes left.
 * @param change returns the new profiles, or undefined to leave them unchanged
 * @param warn called for a long wait and for a directory that other users could change
 */
export async function changeProfiles(
  context: Context,
  change: (profiles: Profiles) => Profiles | undefined,
  warn: (text: string) => void,
): Promise<string> {
  const file = configFile(context);
  if (file === undefined) {
    throw new LocalError('Cannot store the key: there is no home directory', {
      hint: 'Set CARBON_CONFIG_DIR to a directory, or use CARBON_API_KEY and CARBON_BASE_URL instead.',
    });
  }
  const directory = dirname(file);
  createDirectory(
    directory,
    'Set CARBON_CONFIG_DIR to another directory, or use CARBON_API_KEY and CARBON_BASE_URL instead.',
  );
  const directoryMode = checkOwner(context, directory, 'isDirectory') ?? 0;
  let lock: FileLock | undefined;
  try {
    chmodSync(directory, 0o700);
    if (accessOfOthers(context, directoryMode) === 'change') {
      warn(
        `Other users could change ${directory}. Now only you can; check the stored profiles with \`carbon whoami\`.`,
      );
    }
    lock = await lockProfiles(context, file, warn);
    // Only the holder of the lock writes here, so any temporary file is that of a killed process.
    await removeTemporaryFiles(directory, Number.POSITIVE_INFINITY);
    const profiles = change(readProfiles(context, () => undefined));
    if (profiles === undefined) return file;
    const write = async ({ handle, commit }: PendingFile) => {
      // The completion of shells reads this form.
      await handle.writeFile(
        `${JSON.stringify({ version: fileVersion, profiles }, undefined, '\t')}\n`,
      );
      await commit();
    };
    await writeAtomically(file, write, 0o600);
  } catch (cause) {
    if (cause instanceof LocalError || context.signal.aborted) throw cause;
    throw new LocalError(`${file} cannot be written: ${explainSystemError(cause)}`);
  } finally {
    lock?.release();
  }
  return file;
}

const maxWaitMs = 30_000;

function lockProfiles(
  { clock, process, signal }: Context,
  file: string,
  warn: (text: string) => void,
): Promise<FileLock> {
  const path = join(dirname(file), lockName);
  const purpose: LockPurpose = {
    maxWaitMs,
    busy: (holder) =>
      new LocalError(`Another carbon process has been changing ${file} for too long: ${holder}`, {
        hint: `Wait until it ends, or stop it, then run the same command again. Its lock is ${path}.`,
      }),
    unwritable: 'Set CARBON_CONFIG_DIR to a writable directory.',
  };
  const onWait = (holder: string) =>
    warn(
      `Another carbon process is changing ${file} (${holder}). Waiting for it, up to ${maxWaitMs / 1_000} s.`,
    );
  const machine = thisMachine(process.id);
  return lockFile(path, purpose, { clock, machine, signal, onWait });
}
