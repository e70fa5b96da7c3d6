import {
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { access } from 'node:fs/promises';
import { basename, dirname, parse, resolve } from 'node:path';
import { codeOf } from '../../runtime/system-error.ts';
import type { Shard } from '../shard.ts';

const ending = '.carbon.jsonl';

/*
 * Paths are not normalized, not even by `join`: `link/../file` is beside what the link leads to.
 */

/** The journal of an input file: beside it, unless the user names another. */
export function journalFile(input: string, journal?: string, shard?: Shard): string {
  const whole = journal ?? `${input}${ending}`;
  if (shard === undefined) return whole;
  const { stem, suffix } = split(whole);
  return `${stem}.${part(shard)}${suffix}`;
}

/**
 * The file of failed rows that belongs to an input file, or to a journal where the input has no
 * name.
 */
export function failedFile(input: string | undefined, journal: string, shard?: Shard): string {
  const path = input ?? split(journal).stem;
  const { name, ext } = parse(path);
  const isTable = /^\.(csv|tsv|tab|txt)$/i.test(ext);
  const stem = isTable ? name : `${name}${ext}`;
  return beside(path, `${stem}${shard ? `.${part(shard)}` : ''}.failed${isTable ? ext : '.csv'}`);
}

/** The name under which a file is kept when another takes its place: the count-th one, from 1. */
export function previousName(path: string, count: number): string {
  return `${path}.previous${count === 1 ? '' : `-${count}`}`;
}

/**
 * Where failed rows are written: beside the input or, where nothing can be written there, beside
 * the journal that the user named.
 */
export async function failedPlace(
  input: string | undefined,
  whole: string,
  { journal, shard }: { readonly journal?: string | undefined; readonly shard?: Shard | undefined },
): Promise<string> {
  const place = failedFile(input, whole, shard);
  if (input === undefined || journal === undefined) return place;
  const isWritable = await access(dirname(place), constants.W_OK).then(
    () => true,
    (error: unknown) => !['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error)),
  );
  return isWritable ? place : failedFile(undefined, whole, shard);
}

/** The first name under which a file can be kept and nothing is yet. */
export function unusedName(path: string): string {
  for (let count = 1; ; count += 1) {
    const name = previousName(path, count);
    if (!existsSync(name)) return name;
  }
}

/** A journal of the same input: the whole one, or that of a shard. */
export interface JournalFile {
  readonly path: string;
  readonly shard: Shard | undefined;
}

/**
 * The journals of an input that are in the folder, or whose lock is: the whole one, and those of
 * shards, whatever their count.
 * @param whole path of the journal of an unsharded run
 */
export function journalFiles(whole: string, kind: 'journals' | 'locks'): JournalFile[] {
  const { stem, suffix } = split(basename(whole));
  const end = kind === 'locks' ? `${suffix}${lockEnding}` : suffix;
  return listFolder(dirname(whole)).flatMap((name) => {
    if (!name.startsWith(stem) || !name.endsWith(end)) return [];
    const between = name.slice(stem.length, name.length - end.length);
    const [, index, count] = /^\.(\d+)-of-(\d+)$/.exec(between) ?? [];
    if (between !== '' && index === undefined) return [];
    const shard = index === undefined ? undefined : { index: Number(index), count: Number(count) };
    return [{ path: beside(whole, `${stem}${between}${suffix}`), shard }];
  });
}

const lockEnding = '.lock';

/** The lock of a journal. */
export function lockFile(journal: string): string {
  return `${journal}${lockEnding}`;
}

/**
 * The journal that a symbolic link names, also where there is none yet; any other path as it is.
 */
export function linkedJournal(path: string, links = 40): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (!isLink || links === 0) return path;
  return linkedJournal(resolve(realpathSync(dirname(path)), readlinkSync(path)), links - 1);
}

/** The other names of a journal in its folder, which are hard links to it. */
export interface OtherNames {
  readonly paths: readonly string[];
  /** Whether it has names elsewhere too, which nobody can find. */
  readonly hasMore: boolean;
}

/** Looks for the hard links to a journal in its folder. */
export function otherNames(journal: string): OtherNames {
  const found = statSync(journal, { throwIfNoEntry: false });
  // The disk counts the folders in a folder, too.
  if (!found?.isFile() || found.nlink <= 1) return { paths: [], hasMore: false };
  const names = listFolder(dirname(journal)).map((name) => beside(journal, name));
  // A symbolic link is no name of its own: it is not among those that the disk counts.
  const same = names.filter((path) => {
    const other = lstatSync(path, { throwIfNoEntry: false });
    return other?.ino === found.ino && other.dev === found.dev;
  });
  return { paths: same.filter((path) => path !== journal), hasMore: same.length < found.nlink };
}

/* Another file in the folder of a file. */
function beside(path: string, name: string): string {
  return path.slice(0, path.lastIndexOf(basename(path))) + name;
}

function part({ index, count }: Shard): string {
  return `${index}-of-${count}`;
}

function split(journal: string): { stem: string; suffix: string } {
  const suffix = journal.endsWith(ending) ? ending : parse(journal).ext;
  return { stem: journal.slice(0, journal.length - suffix.length), suffix };
}

/* A folder that is not there or not ours is the matter of the one who writes into it. */
function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
