/*
 * The stored profiles: base URL and API key by name, in one JSON file that only its owner can read.
 * Reading is plain and never writes; `profiles-write.ts` writes.
 */
import { lstatSync, readFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { LocalError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { explainSystemError } from '../runtime/system-error.ts';
import { configFolder } from './paths.ts';

/** What is stored under the name of a profile. */
export interface Profile {
  readonly baseUrl?: string | undefined;
  /** Goes only to the origin of `baseUrl`. */
  readonly apiKey?: string | undefined;
}

/** The stored profiles by name. */
export type Profiles = Readonly<Record<string, Profile>>;

/** The version of the file's form that this program reads and writes. */
export const fileVersion = 1;

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
    warn(
      `Other users can change ${dirname(file)}; \`chmod 700\` or \`carbon login\` corrects that.`,
    );
  }
  const fileAccess = accessOfOthers(context, mode);
  if (fileAccess !== undefined) {
    warn(`Other users can ${fileAccess} ${file}; \`chmod 600\` or \`carbon login\` corrects that.`);
  }
  return parse(file, readText(file));
}

/** What the mode of a path lets other users do. That they may list a folder does no harm. */
export function accessOfOthers({ platform }: Context, mode: number): 'change' | 'read' | undefined {
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
    throw new LocalError(
      `The configuration file ${file} was written by a later version of carbon`,
      {
        hint: 'Update carbon, or choose another folder with CARBON_CONFIG_DIR.',
      },
    );
  }
  if (version !== fileVersion || !isProfiles(profiles)) {
    throw new LocalError(`The configuration file ${file} does not have the expected form`, {
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
      (item) => isRecord(item) && isText(item['baseUrl']) && isText(item['apiKey']),
    )
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Checks that a path is ours and what it shall be; its mode, or undefined when it does not exist.
 */
export function checkOwner(
  context: Context,
  path: string,
  kind: 'isFile' | 'isDirectory',
): number | undefined {
  const stat = statOf(path);
  if (stat === undefined) return undefined;
  const hint =
    'carbon keeps keys only in files and folders of your own; CARBON_CONFIG_DIR chooses another folder.';
  if (stat.isSymbolicLink())
    throw new LocalError(`${path} is a symbolic link and is not used`, { hint });
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
