/*
 * Changes the stored profiles and removes the files that killed processes left.
 */
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../runtime/atomic-file.ts';
import { LocalError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
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
import type { ProfilesLock } from './profiles-lock.ts';

/** Checks for files that a killed `carbon login` or `logout` left; they may contain keys. */
export function hasLeftovers(context: Context): boolean {
  const file = configFile(context);
  return file !== undefined && leftoversIn(dirname(file)).length > 0;
}

function leftoversIn(directory: string): string[] {
  try {
    return readdirSync(directory).filter(
      (name) => temporaryFile.test(name) || name.startsWith('config.json.lock'),
    );
  } catch {
    return [];
  }
}

/*
 * Matches the temporary files of conf. Version 0.1 wrote them beside the configuration file, today
 * they are in the directory of the lock.
 */
const temporaryFile = /^config\.json\.tmp-\d{10}[\da-f]{6}$/;

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
  // Loads modules before it takes the lock, so that it holds the lock as briefly as possible.
  const [{ lockProfiles }, { default: Conf }] = await Promise.all([
    import('./profiles-lock.ts'),
    import('conf'),
  ]);
  let lock: ProfilesLock | undefined;
  try {
    chmodSync(directory, 0o700);
    if (accessOfOthers(context, directoryMode) === 'change') {
      warn(
        `Other users could change ${directory}. Now only you can; check the stored profiles with \`carbon whoami\`.`,
      );
    }
    lock = await lockProfiles(context, file, warn);
    for (const name of leftoversIn(directory)) {
      if (temporaryFile.test(name)) rmSync(join(directory, name), { force: true });
    }
    const profiles = change(readProfiles(context, () => undefined));
    if (profiles === undefined) return file;
    const conf = new Conf<Record<string, unknown>>({
      cwd: lock.directory,
      configName: lock.name,
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
    lock?.release();
  }
  return file;
}
