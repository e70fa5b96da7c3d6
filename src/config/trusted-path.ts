/*
 * Finds out whether other users could change a file, by the rule of OpenSSH: the file and every
 * directory above it belong to this user or to root, and nobody else can write to them.
 *
 * Unlike OpenSSH, carbon follows symbolic links itself and checks the directories of each link,
 * because whoever can replace a link chooses the file. It accepts a directory with the sticky bit,
 * such as /tmp or the volume of a Kubernetes secret: there, only owners can replace their entries.
 */
import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

const sticky = 0o1000;
/* As in Linux (path_resolution(7)). */
const maxLinks = 40;

/** Names the part of a path that other users could change, and why. */
export interface Untrusted {
  readonly path: string;
  readonly problem: string;
  /** Octal mode, if the mode is the problem. */
  readonly mode?: string;
}

/**
 * Follows a path to its file; returns the file without symbolic links, or the part of the path that
 * other users could change.
 * @param userId this user; every other user except root counts as another one
 * @throws the system's error for a path that does not exist or cannot be read
 */
export function findTrustedFile(path: string, userId: number): string | Untrusted {
  // Does not normalize the path: after a symbolic link, .. is the directory above its target.
  const pending = namesOf(isAbsolute(path) ? path : `${resolve('.')}/${path}`);
  let place = '/';
  let links = 0;
  let found = checkEntry(place, lstatSync(place), userId);
  while (found === undefined && pending.length > 0) {
    const name = pending.shift() ?? '';
    const entry = name === '..' ? dirname(place) : join(place, name);
    const stat = lstatSync(entry);
    found = checkEntry(entry, stat, userId);
    if (!stat.isSymbolicLink()) {
      place = entry;
      continue;
    }
    links += 1;
    if (links > maxLinks) return { path, problem: 'it has too many symbolic links' };
    const target = readlinkSync(entry);
    pending.unshift(...namesOf(target));
    if (isAbsolute(target)) place = '/';
  }
  return found ?? place;
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function checkEntry(path: string, stat: Stats, userId: number): Untrusted | undefined {
  if (stat.uid !== userId && stat.uid !== 0)
    return { path, problem: `it belongs to another user (uid ${stat.uid})` };
  // The mode of a symbolic link has no meaning.
  if (stat.isSymbolicLink() || (stat.mode & 0o022) === 0) return undefined;
  if (stat.isDirectory() && (stat.mode & sticky) !== 0) return undefined;
  const mode = (stat.mode & 0o7777).toString(8).padStart(4, '0');
  return { path, problem: `other users can change it (mode ${mode})`, mode };
}
