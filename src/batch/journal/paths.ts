/*
 * Computes the paths of journals, locks and failed-rows files, and takes the lock of a journal. It
 * never normalizes a path, not even with `join`: `link/../file` is beside the target of the link.
 */
import { constants, existsSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename, dirname, parse } from 'node:path';
import { LocalError } from '../../runtime/carbon-error.ts';
import { type FileLock, type LockContext, lockFile } from '../../runtime/file-lock.ts';
import { codeOf } from '../../runtime/system-error.ts';

const extension = '.carbon.jsonl';

/**
 * Returns the failed-rows file of an input file, or of a journal if the input has no name.
 * @param isWorkbook whether the input is a workbook, whose failed rows are one too
 */
export function failedFile(input: string | undefined, journal: string, isWorkbook = false): string {
  const path = input ?? split(journal).stem;
  const { name, ext } = parse(path);
  const extensions = isWorkbook ? /^\.xls[xm]$/i : /^\.(csv|tsv|tab|txt)$/i;
  const isTable = extensions.test(ext);
  const stem = isTable ? name : `${name}${ext}`;
  const failedExt = isWorkbook ? '.xlsx' : isTable ? ext : '.csv';
  return beside(path, `${stem}.failed${failedExt}`);
}

/**
 * Returns where to write failed rows: beside the input or, if that directory is read-only, beside
 * the journal that the user named.
 */
export async function failedRowsPath(
  input: string | undefined,
  journal: string,
  { isNamed, isWorkbook }: { readonly isNamed: boolean; readonly isWorkbook: boolean },
): Promise<string> {
  const path = failedFile(input, journal, isWorkbook);
  if (input === undefined || !isNamed) return path;
  const isWritable = await access(dirname(path), constants.W_OK).then(
    () => true,
    (error: unknown) => !['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error)),
  );
  return isWritable ? path : failedFile(undefined, journal, isWorkbook);
}

/** Returns the first backup name of a file that is not in use. */
export function unusedName(path: string): string {
  for (let count = 1; ; count += 1) {
    const name = `${path}.previous${count === 1 ? '' : `-${count}`}`;
    if (!existsSync(name)) return name;
  }
}

/* Returns the path of another file in the directory of a file. */
function beside(path: string, name: string): string {
  return path.slice(0, path.lastIndexOf(basename(path))) + name;
}

function split(journal: string): { stem: string; suffix: string } {
  const suffix = journal.endsWith(extension) ? extension : parse(journal).ext;
  return { stem: journal.slice(0, journal.length - suffix.length), suffix };
}

/**
 * Takes the lock of a journal.
 * @throws LocalError when another run holds it
 */
export function lockJournal(journal: string, context: LockContext): Promise<FileLock> {
  const path = `${journal}.lock`;
  const busy = (holder: string) =>
    new LocalError(`Another run is in progress on this file: ${holder}`, {
      hint: `Wait until that run ends, or stop it. Then run the same command to resume. The lock is ${path}; if its process has died, the next run replaces it.`,
    });
  const unwritable = 'The journal needs a writable directory. Use --keep to choose another one.';
  return lockFile(path, { maxWaitMs: 0, busy, unwritable }, context);
}
