/*
 * Reads how far the runs of a file have come, from the file and its journals. It takes no lock and
 * writes nothing, so it works during runs and in read-only directories.
 */
import { stat } from 'node:fs/promises';
import { detectDialect } from '../table/dialect.ts';
import { InputFile } from '../table/input-file.ts';
import type { BatchOptions } from './batch.ts';
import { chooseColumns } from './columns.ts';
import { type IdentifiedTable, identifyRows } from './identified-rows.ts';
import { Journals } from './journal/journals.ts';
import { type JournalFile, journalFile, journalFiles } from './journal/paths.ts';
import { rowProblems } from './preflight.ts';
import { chooseAction } from './row-action.ts';
import { type Shard, shardIndexOf } from './shard.ts';

/** Options of reading the status: those that determine how a batch reads its file. */
export type StatusOptions = Omit<BatchOptions, 'restart' | 'dryRun' | 'retryFailed' | 'onWait'>;

/** Counts rows by what their last run recorded. */
export interface StatusCounts {
  rows: number;
  registered: number;
  /** Rejected by the service, or failed in too many runs. */
  failed: number;
  /** Rows that no run sends until they are fixed. */
  invalid: number;
  /** Rows that the next run sends. */
  left: number;
  /** Rows of those left that an earlier run failed on. */
  postponed: number;
}

/** The status of one shard, or of a file without shards. */
export interface ShardStatus extends StatusCounts {
  readonly shard: Shard | undefined;
  /** Path of its journal, which may not exist. */
  readonly journal: string;
  /** When its journal was last written, in milliseconds since 1970; undefined without one. */
  readonly writtenMs: number | undefined;
}

/** The status of a file. */
export interface FileStatus extends StatusCounts {
  readonly shards: readonly ShardStatus[];
  /** The service and profile of the journals. */
  readonly service: string;
  readonly profile: string;
  /** Journals of another number of shards, whose rows count as well. */
  readonly others: readonly string[];
  /** Number of unreadable lines by journal, and the line number of the first one. */
  readonly unreadable: Journals['unreadable'];
}

/**
 * Reads the status of a file.
 *
 * Without a configured service, that of the journals counts, because it is part of each row's key.
 *
 * @throws UsageError when the file, its mapping or its journals cannot be used; LocalError when
 * they cannot be read
 */
export async function readStatus(options: StatusOptions): Promise<FileStatus> {
  const { path, name, file, map, journal, dropInvalidIds, includeTotals } = options;
  const { encoding, skipLines, header, sheet } = options;
  const source = new InputFile(path, name, file);
  const dialect = await detectDialect(source, { encoding, skipLines, header, sheet });
  const files = await dateJournals(journalFiles(journalFile(path, journal), 'journals'));
  // The profile only determines which key a run uses, so that of the journals counts.
  const configured = { service: options.service || undefined, profile: undefined };
  const journals = new Journals(configured, options.shard);
  for (const recorded of files) await journals.read(recorded.path);
  const { service = '', profile = options.profile } = journals.current;
  // The next run continues the journals that were written last.
  const count = (options.shard ?? files[0]?.shard)?.count;
  const shards = options.shard ? [options.shard] : allShards(count);
  const mapping = chooseColumns(
    dialect,
    map,
    journals.mappings(journalFile(path, journal, shards[0])),
  );
  const table: IdentifiedTable = {
    source,
    dialect: { ...dialect, sample: [] },
    mapping,
    service,
    shard: options.shard,
    dropsInvalidIds: dropInvalidIds,
    leavesOutTotals: includeTotals !== true,
  };
  const counts = await countRows(table, journals, options, shards.length);
  const total = { ...emptyCounts() };
  for (const each of counts)
    for (const name of Object.keys(total) as (keyof StatusCounts)[]) total[name] += each[name];
  return {
    ...total,
    service,
    profile,
    shards: shards.map((shard, at) => {
      const own = journalFile(path, journal, shard);
      const writtenMs = files.find((each) => each.path === own)?.writtenMs;
      return { ...(counts[at] ?? emptyCounts()), shard, journal: own, writtenMs };
    }),
    others: files
      .filter((each) => each.shard?.count !== count && journals.isSettled(each.path))
      .map((each) => each.path),
    unreadable: journals.unreadable,
  };
}

/* Returns the journals, that written last first. */
async function dateJournals(files: readonly JournalFile[]) {
  const dated = await Promise.all(
    files.map(async (file) => ({ ...file, writtenMs: (await stat(file.path)).mtimeMs })),
  );
  return dated.sort((a, b) => b.writtenMs - a.writtenMs);
}

function allShards(count: number | undefined): (Shard | undefined)[] {
  if (count === undefined) return [undefined];
  return Array.from({ length: count }, (_, at) => ({ index: at + 1, count }));
}

async function countRows(
  table: IdentifiedTable,
  { rows: known }: Journals,
  { signal, onRows }: StatusOptions,
  shards: number,
): Promise<StatusCounts[]> {
  const all = Array.from({ length: shards }, emptyCounts);
  let rows = 0;
  for await (const group of identifyRows(table)) {
    signal.throwIfAborted();
    for (const row of group.rows) {
      const counts = all[shards > 1 ? shardIndexOf(row.key, shards) - 1 : 0];
      if (counts === undefined) continue;
      const same = known.get(row.key);
      const action = chooseAction(same, true, () => rowProblems(row).length === 0);
      counts.rows += 1;
      if (action === 'done') counts.registered += 1;
      else if (action === 'refused') counts.failed += 1;
      else if (action === 'invalid') counts.invalid += 1;
      else counts.left += 1;
      if (action === 'new' && same?.hasFailed) counts.postponed += 1;
    }
    rows += group.rows.length + group.elsewhere;
    onRows?.(rows);
  }
  return all;
}

function emptyCounts(): StatusCounts {
  return { rows: 0, registered: 0, failed: 0, invalid: 0, left: 0, postponed: 0 };
}
