/*
 * Changes the stored profiles, and removes what killed processes left beside them.
 */
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../runtime/atomic-file.ts';
import { LocalError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { explainSystemError } from '../runtime/system-error.ts';
import { makeFolder } from './paths.ts';
import {
  accessOfOthers,
  checkOwner,
  configFile,
  fileVersion,
  type Profiles,
  readProfiles,
} from './profiles.ts';
import type { ProfilesLock } from './profiles-lock.ts';

/**
 * Whether a killed `carbon login` or `logout` left files beside the configuration file, which may
 * have keys.
 */
export function hasLeftovers(context: Context): boolean {
  const file = configFile(context);
  return file !== undefined && leftoversIn(dirname(file)).length > 0;
}

function leftoversIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter(
      (name) => temporaryFile.test(name) || name.startsWith('config.json.lock'),
    );
  } catch {
    return [];
  }
}

/*
 * As conf names them. Version 0.1 wrote them beside the file; today they are in the folder of the
 * lock.
 */
const temporaryFile = /^config\.json\.tmp-\d{10}[\da-f]{6}$/;

/**
 * Changes the stored profiles: one writer at a time, all or nothing, folder 0700 and file 0600.
 * Removes what killed processes left.
 * @param change returns the new profiles; undefined when they stay as they are
 * @param warn told of a long wait for another process, and of a folder that others could change
 * @returns the path of the file
 */
export async function changeProfiles(
  context: Context,
  change: (profiles: Profiles) => Profiles | undefined,
  warn: (text: string) => void,
): Promise<string> {
  const file = configFile(context);
  if (file === undefined) {
    throw new LocalError('There is no home directory to keep the key in', {
      hint: 'CARBON_CONFIG_DIR names a folder; without one, use CARBON_API_KEY and CARBON_BASE_URL.',
    });
  }
  const folder = dirname(file);
  makeFolder(
    folder,
    'CARBON_CONFIG_DIR names another folder; CARBON_API_KEY and CARBON_BASE_URL need none.',
  );
  const folderMode = checkOwner(context, folder, 'isDirectory') ?? 0;
  // Before the lock is taken: whoever holds it waits for nothing.
  const [{ takeLock }, { default: Conf }] = await Promise.all([
    import('./profiles-lock.ts'),
    import('conf'),
  ]);
  let lock: ProfilesLock | undefined;
  try {
    chmodSync(folder, 0o700);
    if (accessOfOthers(context, folderMode) === 'change') {
      warn(
        `Other users could change ${folder}. Now only you can; check the stored profiles with \`carbon whoami\`.`,
      );
    }
    lock = await takeLock(context, file, warn);
    for (const name of leftoversIn(folder)) {
      if (temporaryFile.test(name)) rmSync(join(folder, name), { force: true });
    }
    const profiles = change(readProfiles(context, () => undefined));
    if (profiles === undefined) return file;
    const conf = new Conf<Record<string, unknown>>({
      cwd: lock.folder,
      configName: lock.name,
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    });
    conf.store = { version: fileVersion, profiles };
    // Not left to conf, which neither syncs the folder nor, in a snap, replaces the file at once.
    await replaceFile(await open(conf.path, 'r+'), conf.path, file);
  } catch (cause) {
    if (cause instanceof LocalError || context.signal.aborted) throw cause;
    throw new LocalError(`${file} cannot be written: ${explainSystemError(cause)}`);
  } finally {
    lock?.release();
  }
  return file;
}
