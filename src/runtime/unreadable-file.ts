/* What an input file that cannot be read is called. */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, extname, join, parse } from 'node:path';
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
    meant.length > 0 ? `Did you mean ${meant.join(' or ')}?` : hintAtPath(path),
    code,
  );
}

/* A word without an extension may belong to an option: `--sort score desc`. */
function hintAtPath(path: string): string {
  const check = 'Check the path and its spelling.';
  if (path.split(/[,;]/).some((part) => part !== path && existsSync(part)))
    return 'Name each file by itself: separate files with spaces, or repeat the option.';
  return /[./\\]/.test(path)
    ? check
    : `${check} If it belongs to the value of an option, put all of that in double quotes.`;
}

const maxNames = 1_000;
const maxMeant = 3;

/* The extensions that people leave out, as a folder may hide them. */
const tables: ReadonlySet<string> = new Set(['.csv', '.xlsx', '.xlsm', '.tsv', '.ndjson']);

/*
 * Returns the files with the same extension whose names are almost the same, those that only lack
 * the extension or have another one, or the one with that name in the current folder.
 */
function filesLike(path: string): string[] {
  const own = path.split(/[/\\]/).at(-1) ?? '';
  if (own !== path && existsSync(own)) return [own];
  try {
    const all = readdirSync(dirname(path));
    const others = all.filter((name) => extname(name) === extname(path));
    const isTable = (name: string) => tables.has(extname(name).toLowerCase());
    const isMisspelled = nearestNames(extname(path).toLowerCase(), [...tables]).length > 0;
    const word = isTable(path) || isMisspelled ? parse(path).name : basename(path);
    const same = all.filter((name) => isTable(name) && parse(name).name === word);
    if (same.length > 0) return same.slice(0, maxMeant).map((name) => join(dirname(path), name));
    // Equal extensions make no names alike.
    const stems = others.slice(0, maxNames).map((name) => parse(name).name);
    const near = new Set(nearestNames(parse(path).name, stems).slice(0, maxMeant));
    const meant = others.filter((name) => near.has(parse(name).name)).slice(0, maxMeant);
    return meant.map((name) => (dirname(path) === '.' ? name : join(dirname(path), name)));
  } catch {
    return [];
  }
}
