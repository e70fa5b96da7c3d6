/*
 * Changes the stored profiles and removes the files that killed processes left.
 */
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  isTemporary,
  removeTemporaryFiles,
  replaceFile,
  temporaryPath,
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
  // conf loads before the lock is taken, so that other processes wait as briefly as possible.
  const { default: Conf } = await import('conf');
  const aside = temporaryPath(file);
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
    const conf = new Conf<Record<string, unknown>>({
      cwd: aside,
      configName: 'config',
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    });
    conf.store = { version: fileVersion, profiles };
    // conf neither syncs the directory nor, in a snap, replaces the file atomically.
    await replaceFile(await open(conf.path, 'r+'), conf.path, file);
  } catch (cause) {
    if (cause instanceof LocalError || context.signal.aborted) throw cause;
    throw new LocalError(`${file} cannot be written: ${explainSystemError(cause)}`);
  } finally {
    rmSync(aside, { recursive: true, force: true });
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
