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
  readFileSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { LocalError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { explainSystemError } from '../runtime/system-error.ts';

type UserEnvironment = Pick<Context, 'env' | 'home' | 'platform'>;

/** Returns the directory of the sandbox log; undefined without a home directory. */
export function dataDirectory(user: UserEnvironment): string | undefined {
  const inHome = join('.local', 'share');
  return userDirectory(user, 'CARBON_DATA_DIR', 'LOCALAPPDATA', 'XDG_DATA_HOME', inHome);
}

/** Returns the path of the configuration file; undefined without a home directory. */
export function configFile(user: UserEnvironment): string | undefined {
  const directory = userDirectory(
    user,
    'CARBON_CONFIG_DIR',
    'APPDATA',
    'XDG_CONFIG_HOME',
    '.config',
  );
  return directory && join(directory, 'config.json');
}

/* The variable of carbon overrides that of Windows or the XDG base directory. */
function userDirectory(
  { env, home, platform }: UserEnvironment,
  carbonVariable: string,
  windowsVariable: string,
  xdgVariable: string,
  pathInHome: string,
): string | undefined {
  const given = env[carbonVariable];
  if (given) return given;
  const xdg = env[xdgVariable];
  const base =
    (platform === 'win32' && env[windowsVariable]) ||
    // The XDG specification ignores a relative path, which any directory could serve.
    (xdg !== undefined && isAbsolute(xdg) && xdg) ||
    (home && join(home, pathInHome));
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

const fileVersion = 1;

/**
 * Reads the stored profiles; returns none if there is no file.
 * @param warn called if other users can read or change the file, or change its directory
 * @throws LocalError if the file belongs to another user, is a symbolic link or is invalid
 */
export function readProfiles(context: Context, warn: (text: string) => void): Profiles {
  const file = configFile(context);
  if (file === undefined) return {};
  const directory = dirname(file);
  const directoryMode = checkOwner(context, directory, 'isDirectory');
  const mode = directoryMode === undefined ? undefined : checkOwner(context, file, 'isFile');
  if (directoryMode === undefined || mode === undefined) return {};
  const login = 'or `carbon login`.';
  if (isOpenTo(context, directoryMode, 'change'))
    warn(`Other users can change ${directory}; run \`chmod 700\` on it, ${login}`);
  const access = (['change', 'read'] as const).find((kind) => isOpenTo(context, mode, kind));
  if (access !== undefined)
    warn(`Other users can ${access} ${file}; run \`chmod 600\` on it, ${login}`);
  return parse(file);
}

/**
 * Changes the stored profiles and returns the path of their file. Of two changes at the same time,
 * the last one wins.
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
  if (isOpenTo(context, checkOwner(context, directory, 'isDirectory') ?? 0, 'change'))
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
  const file = configFile(context);
  if (file === undefined || !existsSync(dirname(file))) return;
  const directory = dirname(file);
  for (const name of readdirSync(directory))
    if (/^(?:config\.json\.tmp-|\.carbon-)/.test(name))
      rmSync(join(directory, name), { force: true });
}

/* Whether other users can change or read a path of this mode. */
function isOpenTo({ platform }: Context, mode: number, kind: 'change' | 'read'): boolean {
  return platform !== 'win32' && (mode & (kind === 'change' ? 0o022 : 0o044)) !== 0;
}

/** Returns the configuration file or its directory if other users can change it. */
export function findChangeable(context: Context): string | undefined {
  const file = configFile(context);
  const paths = file === undefined ? [] : [dirname(file), file];
  return paths.find((path) => isOpenTo(context, statOf(path)?.mode ?? 0, 'change'));
}

function parse(file: string): Profiles {
  const invalid = (problem: string) =>
    new LocalError(`The configuration file ${file} ${problem}`, {
      hint: 'Update carbon, fix the file, or remove it and run `carbon login` again.',
    });
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new LocalError(`${file} cannot be read: ${explainSystemError(cause)}`);
  }
  let stored: unknown;
  try {
    stored = JSON.parse(text);
  } catch {
    // Omits the cause, whose message quotes the file with its keys.
    throw invalid('is not JSON');
  }
  const { version, profiles } = (isRecord(stored) ? stored : {}) as Record<string, unknown>;
  if (typeof version === 'number' && version > fileVersion)
    throw invalid('was written by a later version of carbon');
  if (version !== fileVersion || !isProfiles(profiles))
    throw invalid('does not have the expected format');
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

/*
 * Returns the mode of a path, which must belong to this user and not be a symbolic link; undefined
 * if it does not exist.
 */
function checkOwner(
  context: Context,
  path: string,
  kind: 'isFile' | 'isDirectory',
): number | undefined {
  const stat = statOf(path);
  if (stat === undefined) return undefined;
  const refuse = (problem: string) =>
    new LocalError(problem, {
      hint: 'carbon stores keys only in your own files and directories. Set CARBON_CONFIG_DIR to another directory.',
    });
  if (stat.isSymbolicLink()) throw refuse(`carbon does not use ${path}: it is a symbolic link`);
  if (!stat[kind]()) throw refuse(`${path} is not a ${kind === 'isFile' ? 'file' : 'directory'}`);
  const { userId } = context.process;
  if (userId !== undefined && stat.uid !== userId)
    throw refuse(`carbon does not use ${path}: it belongs to another user`);
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
