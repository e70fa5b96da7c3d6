/*
 * Where `carbon` keeps what it stores, and how those folders are made.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Context } from './context.ts';
import { LocalError } from './errors.ts';

type Places = Pick<Context, 'env' | 'home' | 'platform'>;

/** Folder of the configuration file: CARBON_CONFIG_DIR, or as the XDG base directories say; undefined without a home. */
export function configFolder(places: Places): string | undefined {
  return places.env['CARBON_CONFIG_DIR'] || ownFolder(places, 'APPDATA', 'XDG_CONFIG_HOME', '.config');
}

/** Folder of the sandbox's state: CARBON_DATA_DIR, or as the XDG base directories say; undefined without a home. */
export function dataFolder(places: Places): string | undefined {
  return (
    places.env['CARBON_DATA_DIR'] ||
    ownFolder(places, 'LOCALAPPDATA', 'XDG_DATA_HOME', join('.local', 'share'))
  );
}

function ownFolder(
  { env, home, platform }: Places,
  windows: string,
  xdg: string,
  inHome: string,
): string | undefined {
  const base = (platform === 'win32' && env[windows]) || env[xdg] || (home && join(home, inHome));
  return base ? join(base, 'carbon') : undefined;
}

/**
 * Makes a folder for this user alone, and those above it, where they are missing. Not with Node's own recursive mkdir,
 * which on some versions never returns where nothing can be made, as below /proc.
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

const systemErrors: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'it is not permitted',
  ENOENT: 'the system has no place for it',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'there is a file of this name',
  EROFS: 'the file system is read-only',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of disk space is used up',
};

/** Says in words why the system refused, with its code; any other error as it is. */
export function explainSystemError(error: unknown): string {
  const words = systemErrors[codeOf(error)];
  return words === undefined ? (error as Error).message : `${words} (${codeOf(error)})`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
