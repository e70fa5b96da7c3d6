/*
 * Reads the state of a file and all its journals: which rows are done, failed or left, in total and
 * for each shard. It takes no lock and writes nothing, so it works during runs and in read-only
 * directories. Only the journals' entries stay in memory, at about 40 bytes each.
 */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CarbonError } from '../../runtime/carbon-error.ts';
import { detectDialect } from '../../table/dialect.ts';
import { InputFile } from '../../table/input-file.ts';
import type { BatchOptions } from '../check-file.ts';
import { chooseMapping } from '../choose-mapping.ts';
import { type IdentifiedTable, identifyRows } from '../identified-rows.ts';
import { KeyIndex, State } from '../journal/key-index.ts';
import { failedRowsPath, type JournalFile, journalFile, journalFiles } from '../journal/paths.ts';
import { JournalState } from '../journal/reader.ts';
import { rowProblems } from '../preflight.ts';
import { checkLost } from '../recorded-mapping.ts';
import { chooseAction } from '../row-action.ts';
import { type Shard, shardIndexOf } from '../shard.ts';
import { choosePartition, type DatedJournal, dateJournals } from './partition.ts';
import type { RecordedService } from './recorded-service.ts';
import { LockObserver } from './running.ts';

/** Options of reading the state: those that determine how a batch reads its file. */
export type StateOptions = Omit<BatchOptions, 'restart' | 'dryRun' | 'retryFailed' | 'onWatch'>;

/** Counts rows by what their last run recorded. */
export interface RowCounts {
  rows: number;
  registered: number;
  /** Refused by the service, or failed in too many runs. */
  failed: number;
  /** Rows that a run does not send until they are fixed. */
  invalid: number;
  /** Rows that the next run sends, with the postponed ones. */
  left: number;
  /** Rows that an earlier run failed on, and that the next run retries. */
  postponed: number;
}

/** The state of one shard, or of a file without shards. */
export interface ShardState extends RowCounts {
  readonly shard: Shard | undefined;
  /** Path of its journal, which may not exist. */
  readonly journal: string;
  /** Path of its failed-rows file, if it exists. */
  readonly failedRows: string | undefined;
  /** When its journal changed last, in milliseconds since 1970; undefined without a journal. */
  readonly writtenMs: number | undefined;
  /** Whether a run writes its journal now. */
  readonly isRunning: boolean;
  /** Whether its journal cannot be read. */
  readonly isUnreadable: boolean;
}

/** The file to which an unsharded run writes the failed rows of all shards. */
export interface AllFailedRows {
  readonly path: string;
  /** Whether no journal has changed since carbon wrote the file. */
  readonly isCurrent: boolean;
}

/** A journal that the next run of its shard renames. */
export type SupersededJournal = RecordedService & { readonly path: string };

/** The state of a file and its journals. */
export interface FileState extends RowCounts {
  readonly shards: readonly ShardState[];
  /** The file with all failed rows, if it exists. */
  readonly allFailedRows: AllFailedRows | undefined;
  /** Journals with rows that are not those of the shards: of another number of shards. */
  readonly others: readonly JournalFile[];
  /** Journals of other divisions that runs write now. */
  readonly otherRuns: readonly JournalFile[];
  /** Registered organizations in the journals that are no rows of this file. */
  readonly unmatched: number;
  /** Journals that cannot be read; their rows count as left. */
  readonly problems: readonly { readonly path: string; readonly error: CarbonError }[];
  /** Journals of the shards for another service, without registrations: runs start new ones. */
  readonly superseded: readonly SupersededJournal[];
  /** Number of unreadable lines by journal, and the line number of the first one. */
  readonly unreadable: JournalState['unreadable'];
}

/**
 * Reads the state of a file and its journals.
 *
 * @throws UsageError when carbon cannot use the file or its mapping; LocalError when it cannot read
 * the file
 */
export async function readState(options: StateOptions): Promise<FileState> {
  const { path, name, file, map, service, profile, machine, clock, signal } = options;
  const { encoding, skipLines, header, sheet, dropInvalidIds } = options;
  const source = new InputFile(path, name, file);
  const dialect = await detectDialect(source, { encoding, skipLines, header, sheet });
  const unsharded = journalFile(path, options.journal);
  const files = journalFiles(unsharded, 'journals');
  const locked = journalFiles(unsharded, 'locks');
  const known = [...files, ...locked.filter((lock) => files.every((it) => it.path !== lock.path))];
  const locks = new LockObserver(
    known.map((journal) => journal.path),
    machine,
    clock,
  );
  const journals = new JournalState(new KeyIndex(), { service, profile }, options.shard);
  const problems = await readJournals(journals, files);
  const dated = await dateJournals(known);
  const hasRows = (journal: string) => journals.isSettled(journal);
  const { count, shards } = choosePartition(dated, hasRows, options.shard);
  const own = journalFile(path, options.journal, shards[0]);
  const chosen = chooseMapping(dialect, map, journals.mappings(own));
  const table: IdentifiedTable = {
    source,
    dialect: { ...dialect, sample: [] },
    mapping: chosen.mapping,
    service,
    shard: options.shard,
    dropsInvalidIds: dropInvalidIds,
  };
  const counts = shards.map(() => emptyCounts());
  await countRows(table, journals.index, options, (key) =>
    counts.length > 1 && count !== undefined ? counts[shardIndexOf(key, count) - 1] : counts[0],
  );
  const total = sum(counts);
  if (total.left > 0) checkLost(chosen.lost);
  const running = await locks.finish(signal);
  const failedOf = (shard: Shard | undefined) =>
    failedRowsPath(name === path ? path : undefined, unsharded, {
      journal: options.journal,
      shard,
      isWorkbook: dialect.sheet !== undefined,
    });
  const states = shards.map(async (shard, at): Promise<ShardState> => {
    const journal = journalFile(path, options.journal, shard);
    const failed = await failedOf(shard);
    const writtenMs = dated.find((each) => each.path === journal)?.writtenMs;
    const failedRows = existsSync(failed) ? failed : undefined;
    const isRunning = running.has(journal);
    const isUnreadable = problems.some(({ path }) => path === journal);
    const files = { journal, failedRows, writtenMs };
    return { ...(counts[at] ?? emptyCounts()), shard, ...files, isRunning, isUnreadable };
  });
  const shown = await Promise.all(states);
  const isOther = (journal: JournalFile) => journal.shard?.count !== count;
  const superseded = shown.flatMap(({ journal }): SupersededJournal[] => {
    const { service, profile } = journals.superseded.get(journal) ?? {};
    return service === undefined || profile === undefined
      ? []
      : [{ path: journal, service, profile }];
  });
  const written = await dateFailedRows(await failedOf(undefined), path, dated);
  return {
    ...total,
    shards: shown,
    // The file has the failed rows of the earlier service.
    allFailedRows: written && superseded.length > 0 ? { ...written, isCurrent: false } : written,
    others: files.filter((journal) => isOther(journal) && hasRows(journal.path)),
    otherRuns: known.filter((journal) => isOther(journal) && running.has(journal.path)),
    unmatched: countUnmatched(journals.index),
    problems,
    superseded,
    unreadable: journals.unreadable,
  };
}

/*
 * A run writes the file aside, completes the journal and then renames the file, or sets the time of
 * an equal one. Only this change is later than that of the journal.
 */
async function dateFailedRows(
  path: string,
  input: string,
  journals: readonly DatedJournal[],
): Promise<AllFailedRows | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return undefined;
  const { mtimeMs: inputMs } = await stat(input);
  const times = [inputMs, ...journals.map(({ writtenMs = 0 }) => writtenMs)];
  const isCurrent = times.every((ms) => ms <= stats.ctimeMs);
  return { path, isCurrent };
}

/* A journal that cannot be read does not hide the state of the others. */
async function readJournals(journals: JournalState, files: readonly JournalFile[]) {
  const problems: { path: string; error: CarbonError }[] = [];
  for (const { path } of files) {
    await journals.read(path).catch((error: unknown) => {
      if (!(error instanceof CarbonError)) throw error;
      problems.push({ path, error });
    });
  }
  return problems;
}

async function countRows(
  table: IdentifiedTable,
  index: KeyIndex,
  { signal, onRows }: StateOptions,
  countsOf: (key: string) => RowCounts | undefined,
): Promise<void> {
  let rows = 0;
  for await (const group of identifyRows(table)) {
    signal.throwIfAborted();
    for (const row of group.rows) {
      const counts = countsOf(row.key);
      if (counts === undefined) continue;
      const entry = index.find(row.key);
      if (entry >= 0) index.setLine(entry, row.line);
      const state = entry < 0 ? 0 : index.state(entry);
      const action = chooseAction(state, true, () => rowProblems(row).length === 0);
      counts.rows += 1;
      if (action === 'done') counts.registered += 1;
      else if (action === 'refused') counts.failed += 1;
      else if (action === 'invalid') counts.invalid += 1;
      else counts.left += 1;
      if (action === 'new' && entry >= 0 && index.hasFailed(entry)) counts.postponed += 1;
    }
    rows += group.rows.length + group.elsewhere;
    onRows?.(rows);
  }
}

/* The entries of rows that are in the file have a line. */
function countUnmatched(index: KeyIndex): number {
  let unmatched = 0;
  for (let entry = 0; entry < index.size; entry += 1)
    if ((index.state(entry) & State.done) !== 0 && index.line(entry) === 0) unmatched += 1;
  return unmatched;
}

function emptyCounts(): RowCounts {
  return { rows: 0, registered: 0, failed: 0, invalid: 0, left: 0, postponed: 0 };
}

function sum(counts: readonly RowCounts[]): RowCounts {
  const total = emptyCounts();
  for (const each of counts)
    for (const name of Object.keys(total) as (keyof RowCounts)[]) total[name] += each[name];
  return total;
}
