/*
 * The files of a user: the directories of the configuration and of the sandbox, and the stored
 * profiles with base URL and API key, in one JSON file that only its owner can read.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { codeOf, explainSystemError, LocalError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import type { FileLock } from '../runtime/file-lock.ts';

type UserEnvironment = Pick<Context, 'env' | 'home' | 'platform'>;

/** Returns the directory of the sandbox log; undefined without a home directory. */
export function dataDirectory(user: UserEnvironment): string | undefined {
  return userDirectory(user, {
    carbon: 'CARBON_DATA_DIR',
    windows: 'LOCALAPPDATA',
    xdg: 'XDG_DATA_HOME',
    inHome: join('.local', 'share'),
  });
}

/** Returns the path of the configuration file; undefined without a home directory. */
export function configFile(user: UserEnvironment): string | undefined {
  const directory = userDirectory(user, {
    carbon: 'CARBON_CONFIG_DIR',
    windows: 'APPDATA',
    xdg: 'XDG_CONFIG_HOME',
    inHome: '.config',
  });
  return directory && join(directory, 'config.json');
}

/* The variables that set a directory, and its place in the home directory. */
interface DirectoryPlaces {
  readonly carbon: string;
  readonly windows: string;
  readonly xdg: string;
  readonly inHome: string;
}

/* The variable of carbon overrides that of Windows or the XDG base directory. */
function userDirectory(
  { env, home, platform }: UserEnvironment,
  { carbon, windows, xdg, inHome }: DirectoryPlaces,
): string | undefined {
  const given = env[carbon];
  if (given) return given;
  const ofXdg = env[xdg];
  const base =
    (platform === 'win32' && env[windows]) ||
    // The XDG specification ignores a relative path, which any directory could serve.
    (ofXdg !== undefined && isAbsolute(ofXdg) && ofXdg) ||
    (home && join(home, inHome));
  return base ? join(base, 'carbon') : undefined;
}

/**
 * Creates a private directory (0700) and its missing parents.
 * @param hint how to choose another directory
 * @throws LocalError if the directory cannot be created
 */
export function createDirectory(path: string, hint: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new LocalError(`${path} cannot be created: ${explainSystemError(cause)}`, { hint });
  }
}

export interface Profile {
  readonly baseUrl?: string | undefined;
  /** Sent only to the origin of `baseUrl`. */
  readonly apiKey?: string | undefined;
  /** Command that prints the API key, instead of `apiKey`. */
  readonly keyCommand?: string | undefined;
}

export type Profiles = Readonly<Record<string, Profile>>;

/** Reads the profiles of the configuration file. */
export type ReadFile = (file: string) => Profiles;

/** Loads what reads the configuration file; undefined if there is no file. */
export async function loadProfileReader(context: Context): Promise<ReadFile | undefined> {
  const file = configFile(context);
  if (file === undefined || !existsSync(file)) return undefined;
  const { readProfileFile } = await import('./profile-file.ts');
  return readProfileFile;
}

/**
 * Reads the stored profiles; returns none if there is no file.
 * @param warn called if other users can read or change the file, or change its directory
 * @param read what `loadProfileReader` returns
 * @throws LocalError if the file belongs to another user, is a symbolic link or is invalid
 */
export function readProfiles(
  context: Context,
  warn: (text: string) => void,
  read: ReadFile | undefined,
): Profiles {
  const file = configFile(context);
  if (file === undefined || !isOwn(context, dirname(file), 'isDirectory')) return {};
  if (!isOwn(context, file, 'isFile')) return {};
  const exposed = findExposed(context, 0o066);
  if (exposed !== undefined)
    warn(
      `Other users can read or change ${exposed}. \`carbon login\` makes it private; check the stored profiles with \`carbon whoami\`.`,
    );
  // Another process has created the file in the meantime.
  if (read === undefined) return {};
  return read(file);
}

const patienceMs = 30_000;

/**
 * Stores a profile, or removes it if it is undefined, and waits for other processes that do the
 * same. Removes the files that a killed login or logout left; they may contain keys.
 * @param warn as for `readProfiles`
 * @returns the path of the file, and the earlier profile of this name
 * @throws LocalError if the file cannot be read or written, or is in use for half a minute
 */
export async function changeProfile(
  context: Context,
  name: string,
  profile: Profile | undefined,
  warn: (text: string) => void,
): Promise<{ readonly file: string; readonly replaced: Profile | undefined }> {
  const file = configFile(context);
  const hint =
    'Set CARBON_CONFIG_DIR to another directory, or use CARBON_API_KEY and CARBON_BASE_URL instead.';
  if (file === undefined)
    throw new LocalError('There is no home directory for the profiles', { hint });
  const directory = dirname(file);
  // Before conf, which writes through a symbolic link.
  const read = await loadProfileReader(context);
  const known = readProfiles(context, warn, read);
  const isKnown = profile !== undefined || known[name] !== undefined;
  if (!isKnown && findLeftovers(directory).length === 0) return { file, replaced: undefined };
  createDirectory(directory, hint);
  const { readProfileFile, writeProfileFile } = await import('./profile-file.ts');
  const lock = await lockProfiles(context, file, hint);
  try {
    for (const path of findLeftovers(directory))
      if (path !== lockOf(file)) rmSync(path, { force: true });
    const stored = new Map(Object.entries(readProfiles(context, () => undefined, readProfileFile)));
    const replaced = stored.get(name);
    if (profile === undefined && replaced === undefined) return { file, replaced };
    stored.delete(name);
    if (profile !== undefined) stored.set(name, profile);
    chmodSync(directory, 0o700);
    lock.confirm();
    writeProfileFile(file, Object.fromEntries(stored));
    return { file, replaced };
  } catch (cause) {
    if (cause instanceof LocalError) throw cause;
    throw new LocalError(`${file} cannot be written: ${explainSystemError(cause)}`);
  } finally {
    lock.release();
  }
}

function lockOf(file: string): string {
  return `${file}.lock`;
}

async function lockProfiles(context: Context, file: string, unwritable: string): Promise<FileLock> {
  const { clock, process, signal } = context;
  const path = lockOf(file);
  const busy = (holder: string) =>
    new LocalError(`Another process is changing ${file}: ${holder}`, {
      hint: `Wait until it ends, or stop it. Then run the same command again. Its lock is ${path}.`,
    });
  const { lockFile, thisMachine } = await import('../runtime/file-lock.ts');
  const machine = thisMachine(process.id);
  return lockFile(path, { busy, unwritable, patienceMs }, { clock, machine, signal });
}

/* Finds the files of a login or logout that was killed, or that another process does now. */
function findLeftovers(directory: string): string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => /^(?:config\.json\.(?:tmp-|lock$)|\.carbon-)/.test(name))
    .map((name) => join(directory, name));
}

/**
 * Returns the configuration file if other users have access to it, or its directory if they can
 * change it.
 * @param access permissions of the file that others must not have
 */
export function findExposed(context: Context, access: number): string | undefined {
  const file = configFile(context);
  if (file === undefined || context.platform === 'win32') return undefined;
  const isExposed = (path: string, mask: number) => ((statOf(path)?.mode ?? 0) & mask) !== 0;
  return isExposed(dirname(file), 0o022)
    ? dirname(file)
    : isExposed(file, access)
      ? file
      : undefined;
}

/* Returns whether a path exists, which must belong to this user and not be a symbolic link. */
function isOwn(context: Context, path: string, kind: 'isFile' | 'isDirectory'): boolean {
  const stat = statOf(path);
  if (stat === undefined) return false;
  const { userId } = context.process;
  const isForeign = userId !== undefined && stat.uid !== userId;
  if (stat[kind]() && !isForeign) return true;
  const problem = stat.isSymbolicLink()
    ? 'is a symbolic link'
    : isForeign
      ? 'belongs to another user'
      : `is not a ${kind === 'isFile' ? 'file' : 'directory'}`;
  throw new LocalError(`carbon does not use ${path}: it ${problem}`, {
    hint: 'carbon stores keys only in your own files and directories. Set CARBON_CONFIG_DIR to another directory.',
  });
}

/* Treats a path below a file, such as with HOME=/dev/null, as missing. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    if (codeOf(cause) === 'ENOTDIR') return undefined;
    throw new LocalError(`${path} cannot be read: ${explainSystemError(cause)}`);
  }
}
