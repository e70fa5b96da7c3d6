/*
 * Where `carbon` keeps what it stores, and how those folders are made.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LocalError } from '../runtime/carbon-error.ts';
import type { Context } from '../runtime/context.ts';
import { codeOf, explainSystemError } from '../runtime/system-error.ts';

type JsonMembers = Pick<Context, 'env' | 'home' | 'platform'>;

/**
 * Folder of the configuration file: CARBON_CONFIG_DIR, or as the XDG base directories say;
 * undefined without a home.
 */
export function configFolder(places: JsonMembers): string | undefined {
  return (
    places.env['CARBON_CONFIG_DIR'] || ownFolder(places, 'APPDATA', 'XDG_CONFIG_HOME', '.config')
  );
}

/**
 * Folder of the sandbox's state: CARBON_DATA_DIR, or as the XDG base directories say; undefined
 * without a home.
 */
export function dataFolder(places: JsonMembers): string | undefined {
  return (
    places.env['CARBON_DATA_DIR'] ||
    ownFolder(places, 'LOCALAPPDATA', 'XDG_DATA_HOME', join('.local', 'share'))
  );
}

function ownFolder(
  { env, home, platform }: JsonMembers,
  windows: string,
  xdg: string,
  inHome: string,
): string | undefined {
  const base = (platform === 'win32' && env[windows]) || env[xdg] || (home && join(home, inHome));
  return base ? join(base, 'carbon') : undefined;
}

/**
 * Makes a folder for this user alone, and those above it, where they are missing. Not with Node's
 * own recursive mkdir, which on some versions never returns where nothing can be made, as below
 * /proc.
 * @param hint how to choose another folder
 * @throws LocalError when it cannot be made
 */
export function makeFolder(path: string, hint: string): void {
  try {
    makeWithParents(path);
  } catch (cause) {
    throw new LocalError(`${path} cannot be created: ${explainSystemError(cause)}`, { hint });
  }
}

function makeWithParents(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT' && dirname(path) !== path;
    if (!isMissing && isFolder(path)) return;
    if (!isMissing) throw error;
    makeWithParents(dirname(path));
    if (!isFolder(path)) mkdirSync(path, { mode: 0o700 });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
