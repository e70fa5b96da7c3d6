/*
 * Computes the paths of journals, locks and failed-rows files, and takes the lock of a journal. It
 * never normalizes a path, not even with `join`: `link/../file` is beside the target of the link.
 */
import { constants, existsSync, readdirSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename, dirname, parse } from 'node:path';
import { LocalError } from '../../runtime/carbon-error.ts';
import { type FileLock, type LockContext, lockFile } from '../../runtime/file-lock.ts';
import { codeOf } from '../../runtime/system-error.ts';
import type { Shard } from '../shard.ts';

const extension = '.carbon.jsonl';
const lockExtension = '.lock';

/** Returns the journal of an input file: beside it, unless the user names another. */
export function journalFile(input: string, journal?: string, shard?: Shard): string {
  const unsharded = journal ?? `${input}${extension}`;
  if (shard === undefined) return unsharded;
  const { stem, suffix } = split(unsharded);
  return `${stem}.${shardSuffix(shard)}${suffix}`;
}

/** The parts of a run that its file names contain. */
export interface NamedRun {
  readonly shard?: Shard | undefined;
  /** Whether the input is a workbook, whose failed rows are one too. */
  readonly isWorkbook?: boolean | undefined;
}

/** Returns the failed-rows file of an input file, or of a journal if the input has no name. */
export function failedFile(
  input: string | undefined,
  journal: string,
  { shard, isWorkbook = false }: NamedRun = {},
): string {
  const path = input ?? split(journal).stem;
  const { name, ext } = parse(path.replace(/\.gz$/i, ''));
  const extensions = isWorkbook ? /^\.xls[xm]$/i : /^\.(csv|tsv|tab|txt)$/i;
  const isTable = extensions.test(ext);
  const stem = isTable ? name : `${name}${ext}`;
  const failedExt = isWorkbook ? '.xlsx' : isTable ? ext : '.csv';
  return beside(path, `${stem}${shard ? `.${shardSuffix(shard)}` : ''}.failed${failedExt}`);
}

/**
 * Returns where to write failed rows: beside the input or, if that directory is read-only, beside
 * the journal that the user named.
 */
export async function failedRowsPath(
  input: string | undefined,
  unsharded: string,
  { journal, ...run }: NamedRun & { readonly journal?: string | undefined },
): Promise<string> {
  const path = failedFile(input, unsharded, run);
  if (input === undefined || journal === undefined) return path;
  const isWritable = await access(dirname(path), constants.W_OK).then(
    () => true,
    (error: unknown) => !['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error)),
  );
  return isWritable ? path : failedFile(undefined, unsharded, run);
}

/** Returns the first backup name of a file that is not in use. */
export function unusedName(path: string): string {
  for (let count = 1; ; count += 1) {
    const name = `${path}.previous${count === 1 ? '' : `-${count}`}`;
    if (!existsSync(name)) return name;
  }
}

/** A journal of the same input, unsharded or of one shard. */
export interface JournalFile {
  readonly path: string;
  readonly shard: Shard | undefined;
}

/**
 * Lists the journals of an input in a directory, or those with a lock there.
 *
 * The list includes the unsharded journal and those of shards of any count.
 * @param unsharded path of the journal of an unsharded run
 */
export function journalFiles(unsharded: string, kind: 'journals' | 'locks'): JournalFile[] {
  const { stem, suffix } = split(basename(unsharded));
  const end = kind === 'locks' ? `${suffix}${lockExtension}` : suffix;
  return listDirectory(dirname(unsharded)).flatMap((name) => {
    if (!name.startsWith(stem) || !name.endsWith(end)) return [];
    const between = name.slice(stem.length, name.length - end.length);
    const [, index, count] = /^\.(\d+)-of-(\d+)$/.exec(between) ?? [];
    if (between !== '' && index === undefined) return [];
    const shard = index === undefined ? undefined : { index: Number(index), count: Number(count) };
    return [{ path: beside(unsharded, `${stem}${between}${suffix}`), shard }];
  });
}

function lockPath(journal: string): string {
  return `${journal}${lockExtension}`;
}

/* Returns the path of another file in the directory of a file. */
function beside(path: string, name: string): string {
  return path.slice(0, path.lastIndexOf(basename(path))) + name;
}

function shardSuffix({ index, count }: Shard): string {
  return `${index}-of-${count}`;
}

function split(journal: string): { stem: string; suffix: string } {
  const suffix = journal.endsWith(extension) ? extension : parse(journal).ext;
  return { stem: journal.slice(0, journal.length - suffix.length), suffix };
}

/* Treats an unreadable directory as empty: writing into it reports the error. */
function listDirectory(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}

/**
 * Takes the lock of a journal.
 *
 * Shards of the same count may run at the same time; any other two runs on one input exclude each
 * other. A run takes its lock before it tries the others, so that at least one of two simultaneous
 * runs sees the other. Several shards may try the lock of a killed run at the same time, so each
 * waits for the others.
 *
 * @param unsharded path of the journal of an unsharded run
 * @throws LocalError when another run holds this lock or one that excludes this run
 */
export async function lockJournal(
  unsharded: string,
  journal: string,
  shard: Shard | undefined,
  context: LockContext,
): Promise<FileLock> {
  const lock = await take(lockPath(journal), 0, context);
  try {
    for (const other of journalFiles(unsharded, 'locks')) {
      const mayRun =
        other.path === journal || (shard !== undefined && other.shard?.count === shard.count);
      if (!mayRun) (await take(lockPath(other.path), maxTryMs, context)).release();
    }
    return lock;
  } catch (error) {
    lock.release();
    throw error;
  }
}

/* Longer than another shard holds a lock that it only tries. */
const maxTryMs = 1_000;

function take(path: string, maxWaitMs: number, context: LockContext): Promise<FileLock> {
  const busy = (holder: string) =>
    new LocalError(`Another run is in progress on this file: ${holder}`, {
      hint: `Wait until that run ends, or stop it. Then run the same command to resume. The lock is ${path}; if its process has died, the next run replaces it.`,
    });
  const unwritable =
    'The journal needs a writable directory. Use --journal to name a file in another directory.';
  return lockFile(path, { maxWaitMs, busy, unwritable }, context);
}
