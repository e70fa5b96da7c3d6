/* What an input file that cannot be read is called. */
import { readdirSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { codeOf, explainSystemError, LocalError, UsageError } from './carbon-error.ts';
import { nearestNames } from './nearest.ts';

/** Throws a UsageError for an input file that does not exist, otherwise a LocalError. */
export function throwUnreadable(name: string, cause: unknown): never {
  if (codeOf(cause) === 'ENOENT') throw missingFile(name);
  throw new LocalError(`${name} cannot be read: ${explainSystemError(cause)}`, { cause });
}

/** Returns the error for an input file that does not exist. */
export function missingFile(path: string, code?: 'usage' | 'invalid_input'): UsageError {
  if (path === '')
    return new UsageError(
      'The name of the file is empty',
      'Write its path. If it is in a variable, the variable may be unset.',
      code,
    );
  const meant = filesLike(path);
  return new UsageError(
    `${path}: no such file or directory`,
    meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : 'Check the path and its spelling.',
    code,
  );
}

const maxNames = 1_000;
const maxMeant = 3;

/* Returns the files with the same extension whose names are almost the same. */
function filesLike(path: string): string[] {
  try {
    const others = readdirSync(dirname(path)).filter((name) => extname(name) === extname(path));
    const near = nearestNames(basename(path), others.slice(0, maxNames)).slice(0, maxMeant);
    return near.map((name) => (dirname(path) === '.' ? name : join(dirname(path), name)));
  } catch {
    return [];
  }
}
