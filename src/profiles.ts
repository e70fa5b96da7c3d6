/*
 * The stored profiles: base URL and API key by name, in one JSON file that only its owner can read.
 * Reading is plain and never writes; `conf` is loaded only to write.
 */
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Context } from './context.ts';
import { LocalError } from './errors.ts';
import { configFolder, explainSystemError, makeFolder, syncFolder } from './folders.ts';
import type { ProfilesLock } from './profiles-lock.ts';

/** What is stored under the name of a profile. */
export interface Profile {
  readonly baseUrl?: string | undefined;
  /** Goes only to the origin of `baseUrl`. */
  readonly apiKey?: string | undefined;
}

/** The stored profiles by name. */
export type Profiles = Readonly<Record<string, Profile>>;

const fileVersion = 1;

/** Path of the configuration file, undefined without a home. */
export function configFile(context: Context): string | undefined {
  const folder = configFolder(context);
  return folder === undefined ? undefined : join(folder, 'config.json');
}

/**
 * Reads the stored profiles; none where there is no file.
 * @param warn told when others may read the file
 * @throws LocalError when the file is not ours, a symbolic link, broken, or of a later version
 */
export function readProfiles(context: Context, warn: (text: string) => void): Profiles {
  const file = configFile(context);
  if (file === undefined) return {};
  const folderMode = checkOwner(context, dirname(file), 'isDirectory');
  const mode = folderMode === undefined ? undefined : checkOwner(context, file, 'isFile');
  if (mode === undefined) return {};
  const folderAccess = accessOfOthers(context, folderMode ?? 0);
  if (folderAccess === 'change') {
    warn(`Other users can change ${dirname(file)}; \`chmod 700\` or \`carbon login\` corrects that.`);
  }
  const fileAccess = accessOfOthers(context, mode);
  if (fileAccess !== undefined) {
    warn(`Other users can ${fileAccess} ${file}; \`chmod 600\` or \`carbon login\` corrects that.`);
  }
  return parse(file, readText(file));
}

/* That they may list the folder does no harm. */
function accessOfOthers({ platform }: Context, mode: number): 'change' | 'read' | undefined {
  if (platform === 'win32' || (mode & 0o077) === 0) return undefined;
  return (mode & 0o022) === 0 ? 'read' : 'change';
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new LocalError(`${file} cannot be read: ${explainSystemError(cause)}`);
  }
}

function parse(file: string, text: string): Profiles {
  const repair = `Mend it, or remove it and run \`carbon login\` again.`;
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    // Without the cause: its message quotes the file, which has keys.
    throw new LocalError(`The configuration file ${file} is not JSON`, { hint: repair });
  }
  const { version, profiles } = (stored ?? {}) as { version?: unknown; profiles?: unknown };
  if (typeof version === 'number' && version > fileVersion) {
    throw new LocalError(`The configuration file ${file} was written by a later version of carbon`, {
      hint: 'Update carbon, or choose another folder with CARBON_CONFIG_DIR.',
    });
  }
  if (version !== fileVersion || !isProfiles(profiles)) {
    throw new LocalError(`The configuration file ${file} does not have the expected form`, { hint: repair });
  }
  return profiles;
}

function isProfiles(value: unknown): value is Profiles {
  const isText = (item: unknown) => item === undefined || typeof item === 'string';
  return (
    isRecord(value) &&
    Object.values(value).every((item) => isRecord(item) && isText(item['baseUrl']) && isText(item['apiKey']))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Checks that a path is ours and what it shall be; its mode, or undefined when it does not exist. */
function checkOwner(context: Context, path: string, kind: 'isFile' | 'isDirectory'): number | undefined {
  const stat = statOf(path);
  if (stat === undefined) return undefined;
  const hint =
    'carbon keeps keys only in files and folders of your own; CARBON_CONFIG_DIR chooses another folder.';
  if (stat.isSymbolicLink()) throw new LocalError(`${path} is a symbolic link and is not used`, { hint });
  if (!stat[kind]())
    throw new LocalError(`${path} is not a ${kind === 'isFile' ? 'file' : 'folder'}`, { hint });
  const { userId } = context.process;
  if (userId !== undefined && stat.uid !== userId) {
    throw new LocalError(`${path} belongs to another user and is not used`, { hint });
  }
  return stat.mode;
}

/* Below a file, as with HOME=/dev/null, there is nothing either. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw new LocalError(`${path} cannot be read: ${explainSystemError(cause)}`);
  }
}

/** Whether a killed `carbon login` or `logout` left files beside the configuration file, which may have keys. */
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

/* As conf names them. Version 0.1 wrote them beside the file; today they are in the folder of the lock. */
const temporaryFile = /^config\.json\.tmp-\d{10}[\da-f]{6}$/;

/**
 * Changes the stored profiles: one writer at a time, all or nothing, folder 0700 and file 0600. Removes what killed
 * processes left.
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
  makeFolder(folder, 'CARBON_CONFIG_DIR names another folder; CARBON_API_KEY and CARBON_BASE_URL need none.');
  const folderMode = checkOwner(context, folder, 'isDirectory') ?? 0;
  // Before the lock is taken: whoever holds it waits for nothing.
  const [{ takeLock }, { default: Conf }] = await Promise.all([import('./profiles-lock.ts'), import('conf')]);
  let lock: ProfilesLock | undefined;
  try {
    chmodSync(folder, 0o700);
    if (accessOfOthers(context, folderMode) === 'change') {
      warn(
        `Other users could change ${folder}. Now only you can; check the stored profiles with \`carbon whoami\`.`,
      );
    }
    lock = await takeLock(context, `${file}.lock`, (holder, atMostMs) =>
      warn(waitingText(file, holder, atMostMs)),
    );
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
    replaceFile(conf.path, file);
  } catch (cause) {
    if (cause instanceof LocalError || context.signal.aborted) throw cause;
    throw new LocalError(`${file} cannot be written: ${explainSystemError(cause)}`);
  } finally {
    lock?.release();
  }
  return file;
}

function waitingText(file: string, holder: string | undefined, atMostMs: number): string {
  const who = holder === undefined ? 'Another carbon' : `Another carbon (${holder})`;
  return `${who} is changing ${file}. If it was killed, this one continues within ${atMostMs / 1_000} s.`;
}

/* Not left to conf, which neither syncs the folder nor, in a snap, replaces the file at once. */
function replaceFile(from: string, to: string): void {
  const written = openSync(from, 'r+');
  try {
    fsyncSync(written);
  } finally {
    closeSync(written);
  }
  renameSync(from, to);
  syncFolder(dirname(to));
}
