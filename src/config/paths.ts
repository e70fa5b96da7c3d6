/*
 * Locates and creates the directories of the configuration and the sandbox.
 */
import { mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { LocalError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { explainSystemError } from '../runtime/system-error.ts';

type UserEnvironment = Pick<Context, 'env' | 'home' | 'platform'>;

/**
 * Returns the directory of the configuration file; undefined without a home directory.
 *
 * CARBON_CONFIG_DIR overrides the XDG base directory, or APPDATA on Windows.
 */
export function configDirectory(user: UserEnvironment): string | undefined {
  return userDirectory(user, 'CARBON_CONFIG_DIR', 'APPDATA', 'XDG_CONFIG_HOME', '.config');
}

/**
 * Returns the directory of the sandbox log; undefined without a home directory.
 *
 * CARBON_DATA_DIR overrides the XDG base directory, or LOCALAPPDATA on Windows.
 */
export function dataDirectory(user: UserEnvironment): string | undefined {
  const inHome = join('.local', 'share');
  return userDirectory(user, 'CARBON_DATA_DIR', 'LOCALAPPDATA', 'XDG_DATA_HOME', inHome);
}

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
 * @param hint hint of the error, such as how to choose another directory
 * @throws LocalError if the directory cannot be created
 */
export function createDirectory(path: string, hint: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new LocalError(`${path} cannot be created: ${explainSystemError(cause)}`, { hint });
  }
}
