import type { FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../runtime/carbon-error.ts';
import type { FileLock, LockContext } from '../runtime/file-lock.ts';
import { type CsvDialectOptions, detectDialect } from '../table/dialect.ts';
import { InputFile, withSheetHint } from '../table/input-file.ts';
import { type ChosenColumns, chooseColumns } from './columns.ts';
import { ForeignRows } from './foreign-rows.ts';
import type { IdentifiedTable } from './identified-rows.ts';
import { KeyIndex } from './journal/key-index.ts';
import { lockJournal } from './journal/lock.ts';
import { failedRowsPath, type JournalFile, journalFile, journalFiles } from './journal/paths.ts';
import { JournalState } from './journal/reader.ts';
import { sortByStart } from './journal/start-order.ts';
import { type Preflight, type PreflightOptions, preflight } from './preflight.ts';
import type { RowActionOptions } from './row-action.ts';
import type { Shard } from './shard.ts';

/* Maximum number of problems that the check keeps. */
const maxProblems = 1_000;

/** Options of a batch: the file, how to read it, and the journals that belong to it. */
export interface BatchOptions
  extends CsvDialectOptions,
    RowActionOptions,
    LockContext,
    Pick<PreflightOptions, 'onRows'> {
  /** Path of the input file. */
  readonly path: string;
  /** The path, or `standard input`, which needs `journal`. */
  readonly name: string;
  /** The open file if it has no path, such as a copy of standard input. */
  readonly file?: FileHandle | undefined;
  /** Values of `--map`, unchanged. */
  readonly map?: readonly string[] | undefined;
  /** The base URL, or `sandbox`. */
  readonly service: string;
  /** Name of the profile; `env` when base URL and key are from the environment. */
  readonly profile: string;
  /** Path of the journal of an unsharded run; beside the input by default. */
  readonly journal?: string | undefined;
  readonly shard?: Shard | undefined;
  /** Sends rows without their invalid D-U-N-S number, LEI or ISIN. */
  readonly dropInvalidIds?: boolean | undefined;
  /** Registers rows whose name is only the label of a total. */
  readonly includeTotals?: boolean | undefined;
  /** Ignores earlier runs and renames their journal. */
  readonly restart?: boolean | undefined;
  /** Only checks: takes no lock and writes nothing. */
  readonly dryRun?: boolean | undefined;
}

/** A file that may be sent, and what the check found. */
export interface CheckedFile {
  readonly table: IdentifiedTable;
  readonly mapping: ChosenColumns;
  readonly preflight: Preflight;
  readonly journal: string;
  readonly failed: string;
  readonly journals: JournalState;
  readonly lock: FileLock | undefined;
}

/**
 * Takes the lock, reads the journals and checks the complete file. Sends nothing, and writes
 * nothing but the lock.
 *
 * @throws UsageError when the file, its mapping or its journals cannot be used; LocalError when
 * another run is in progress
 */
export async function checkFile(options: BatchOptions): Promise<CheckedFile> {
  const { path, name, file, map, service, profile, shard } = options;
  const { restart = false, dryRun = false, retryFailed, dropInvalidIds, includeTotals } = options;
  const { clock, machine, signal, onRows, onWait } = options;
  const { encoding, skipLines, header, sheet } = options;
  const source = new InputFile(path, name, file);
  const dialect = await detectDialect(source, { encoding, skipLines, header, sheet });
  const paths = await outputPaths(options, dialect.sheet !== undefined);
  const { unsharded, journal } = paths;
  // Only a journal may know the columns better, and reading one takes the lock first.
  const isFirstRun = restart || journalFiles(unsharded, 'journals').length === 0;
  if (isFirstRun) withSheetHint(source, sheet, () => chooseColumns(dialect, map));
  const lockContext = { clock, machine, signal, onWait };
  const lock = dryRun ? undefined : await lockJournal(unsharded, journal, shard, lockContext);
  try {
    const journals = new JournalState(new KeyIndex(), { service, profile }, shard);
    const files = await sortByStart(journalFiles(unsharded, 'journals'));
    if (restart) await collectDigests(files, journals);
    else for (const { path: recorded } of files) await journals.read(recorded);
    const mapping = chooseColumns(dialect, map, journals.mappings(journal));
    const table: IdentifiedTable = {
      source,
      // The sample is the beginning of the file, which is not needed any more.
      dialect: { ...dialect, sample: [] },
      mapping,
      service,
      shard,
      foreign: shard && new ForeignRows(),
      dropsInvalidIds: dropInvalidIds,
      leavesOutTotals: includeTotals !== true,
    };
    const checkOptions = { retryFailed, signal, onRows, maxProblems };
    const result = await preflight(table, journals.index, checkOptions);
    return { table, mapping, preflight: result, journal, failed: paths.failed, journals, lock };
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/* Chooses the files that a run writes. */
async function outputPaths(
  { path, name, journal: given, shard }: BatchOptions,
  isWorkbook: boolean,
) {
  const unsharded = journalFile(path, given);
  const journal = journalFile(path, given, shard);
  const input = name === path ? path : undefined;
  const failed = await failedRowsPath(input, unsharded, { journal: given, shard, isWorkbook });
  if (resolve(failed) === resolve(journal))
    throw new UsageError(
      `${failed} is the failed-rows file`,
      'Use --journal to name another file.',
    );
  return { unsharded, journal, failed };
}

/*
 * A run that starts over still recognizes its failed-rows files. An unreadable journal names none.
 */
async function collectDigests(files: readonly JournalFile[], journals: JournalState) {
  const earlier = new JournalState(new KeyIndex(), journals.current, journals.shard);
  for (const file of files) await earlier.read(file.path).catch(() => undefined);
  for (const digest of [...earlier.failedRowsDigests, ...earlier.supersededDigests])
    journals.supersededDigests.add(digest);
}
