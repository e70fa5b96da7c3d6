/*
 * Reads and changes the stored profiles: base URL and API key by profile name, in one JSON file
 * that only its owner can read.
 */
import { chmodSync, lstatSync, readdirSync, readFileSync, rmSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { LocalError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { explainSystemError } from '../runtime/system-error.ts';
import { configDirectory, createDirectory } from './paths.ts';

export interface Profile {
  readonly baseUrl?: string | undefined;
  /** API key; sent only to the origin of `baseUrl`. */
  readonly apiKey?: string | undefined;
  /** Command that prints the API key, instead of `apiKey`. */
  readonly keyCommand?: string | undefined;
}

export type Profiles = Readonly<Record<string, Profile>>;

/* Version of the file format that carbon reads and writes. */
const fileVersion = 1;

/** Returns the path of the configuration file; undefined without a home directory. */
export function configFile(context: Context): string | undefined {
  const directory = configDirectory(context);
  return directory === undefined ? undefined : join(directory, 'config.json');
}

/**
 * Reads the stored profiles; returns none if there is no file.
 * @param warn called if other users can read or change the file
 * @throws LocalError if the file belongs to another user, is a symbolic link, is invalid, or was
 * written by a later version
 */
export function readProfiles(context: Context, warn: (text: string) => void): Profiles {
  const file = configFile(context);
  if (file === undefined) return {};
  const directoryMode = checkOwner(context, dirname(file), 'isDirectory');
  const mode = directoryMode === undefined ? undefined : checkOwner(context, file, 'isFile');
  if (mode === undefined) return {};
  const directoryAccess = accessOfOthers(context, directoryMode ?? 0);
  if (directoryAccess === 'change') {
    warn(`Other users can change ${dirname(file)}; run \`chmod 700\` on it, or \`carbon login\`.`);
  }
  const fileAccess = accessOfOthers(context, mode);
  if (fileAccess !== undefined) {
    warn(`Other users can ${fileAccess} ${file}; run \`chmod 600\` on it, or \`carbon login\`.`);
  }
  return parse(file, readText(file));
}

/**
 * Changes the stored profiles and returns the path of their file. Of two changes at the same time,
 * the last one wins.
 * @param change returns the new profiles
 * @param warn called for a directory that other users could change
 */
export async function changeProfiles(
  context: Context,
  change: (profiles: Profiles) => Profiles,
  warn: (text: string) => void,
): Promise<string> {
  const file = configFile(context);
  const hint =
    'Set CARBON_CONFIG_DIR to another directory, or use CARBON_API_KEY and CARBON_BASE_URL instead.';
  if (file === undefined)
    throw new LocalError('Cannot store the key: there is no home directory', { hint });
  const directory = dirname(file);
  createDirectory(directory, hint);
  const mode = checkOwner(context, directory, 'isDirectory') ?? 0;
  if (accessOfOthers(context, mode) === 'change')
    warn(
      `Other users could change ${directory}. Now only you can; check the stored profiles with \`carbon whoami\`.`,
    );
  const { default: Conf } = await import('conf');
  // conf would write through a symbolic link, which reading rejects.
  const profiles = change(readProfiles(context, () => undefined));
  try {
    chmodSync(directory, 0o700);
    const conf = new Conf<Record<string, unknown>>({
      cwd: directory,
      configName: 'config',
      configFileMode: 0o600,
      accessPropertiesByDotNotation: false,
    });
    conf.store = { version: fileVersion, profiles };
  } catch (cause) {
    throw new LocalError(`${file} cannot be written: ${explainSystemError(cause)}`);
  }
  return file;
}

/** Removes the files that a killed login or logout left; they may contain keys. */
export function removeLeftovers(context: Context): void {
  const directory = configDirectory(context);
  if (directory === undefined) return;
  try {
    for (const name of readdirSync(directory))
      if (/^(?:config\.json\.tmp-|\.carbon-)/.test(name))
        rmSync(join(directory, name), { recursive: true, force: true });
  } catch {
    // Without a directory, there is nothing to remove.
  }
}

/**
 * Returns what other users can do with a path of this mode.
 *
 * The caller ignores `read` of a directory: listing it does no harm.
 */
function accessOfOthers({ platform }: Context, mode: number): 'change' | 'read' | undefined {
  if (platform === 'win32' || (mode & 0o077) === 0) return undefined;
  return (mode & 0o022) === 0 ? 'read' : 'change';
}

/** Returns the configuration file or its directory if other users can change it. */
export function findChangeable(context: Context): string | undefined {
  const file = configFile(context);
  if (file === undefined) return undefined;
  return [dirname(file), file].find(
    (path) => accessOfOthers(context, statOf(path)?.mode ?? 0) === 'change',
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new LocalError(`${file} cannot be read: ${explainSystemError(cause)}`);
  }
}

function parse(file: string, text: string): Profiles {
  const repair = 'Fix the file, or remove it and run `carbon login` again.';
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    // Omits the cause, whose message quotes the file with its keys.
    throw new LocalError(`The configuration file ${file} is not JSON`, { hint: repair });
  }
  const { version, profiles } = (stored ?? {}) as { version?: unknown; profiles?: unknown };
  if (typeof version === 'number' && version > fileVersion) {
    throw new LocalError(
      `The configuration file ${file} was written by a later version of carbon`,
      {
        hint: 'Update carbon, or set CARBON_CONFIG_DIR to another directory.',
      },
    );
  }
  if (version !== fileVersion || !isProfiles(profiles)) {
    throw new LocalError(`The configuration file ${file} does not have the expected format`, {
      hint: repair,
    });
  }
  return profiles;
}

function isProfiles(value: unknown): value is Profiles {
  const isText = (item: unknown) => item === undefined || typeof item === 'string';
  return (
    isRecord(value) &&
    Object.values(value).every(
      (item) =>
        isRecord(item) && ['baseUrl', 'apiKey', 'keyCommand'].every((name) => isText(item[name])),
    )
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Checks that a path is of the expected kind, belongs to this user and is not a symbolic link.
 *
 * Returns its mode; undefined if it does not exist.
 */
function checkOwner(
  context: Context,
  path: string,
  kind: 'isFile' | 'isDirectory',
): number | undefined {
  const stat = statOf(path);
  if (stat === undefined) return undefined;
  const hint =
    'carbon stores keys only in your own files and directories. Set CARBON_CONFIG_DIR to another directory.';
  if (stat.isSymbolicLink())
    throw new LocalError(`carbon does not use ${path}: it is a symbolic link`, { hint });
  if (!stat[kind]())
    throw new LocalError(`${path} is not a ${kind === 'isFile' ? 'file' : 'directory'}`, { hint });
  const { userId } = context.process;
  if (userId !== undefined && stat.uid !== userId) {
    throw new LocalError(`carbon does not use ${path}: it belongs to another user`, { hint });
  }
  return stat.mode;
}

/* Treats a path below a file, such as with HOME=/dev/null, as missing. */
function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw new LocalError(`${path} cannot be read: ${explainSystemError(cause)}`);
  }
}
