/* Formats the commands that a user runs next, according to the state of a file. */
import type { FileState, ShardState } from '../../../../batch/state/read-state.ts';
import type { Session } from '../../../session.ts';
import { fileWord, tableWords } from '../../../table-options.ts';
import type { BatchFlags, BatchInput } from '../options.ts';

/** The commands that continue a batch. */
export interface NextRuns {
  /** Commands that send the rows that are left, one for each shard that no run processes now. */
  readonly rerun: readonly string[];
  /** The value of `--array` that runs the same shards as tasks of a Slurm array. */
  readonly array: string | undefined;
  /**
   * Command that writes all failed rows into one file; undefined while rows are left, or if the
   * file is current.
   */
  readonly failedRows: string | undefined;
  /** Where the commands need another environment than this one. */
  readonly environment: string | undefined;
}

interface Known {
  readonly state: FileState;
  readonly service: string;
  readonly profile: string;
}

/** Returns the commands that continue a batch; none for standard input, which has no name. */
export function nextRuns(
  session: Session,
  { path, name }: BatchInput,
  flags: BatchFlags,
  { state, service, profile }: Known,
): NextRuns {
  const { shards, left, failed, invalid, otherRuns, problems } = state;
  const none = { rerun: [], array: undefined, failedRows: undefined, environment: undefined };
  // Every run reads all journals of its file, so one unreadable journal stops each of them.
  if (path !== name || problems.length > 0) return none;
  const words = [
    ...tableWords(flags),
    ...(flags.journal === undefined ? [] : ['--journal', flags.journal]),
    // Without this option, a run of a file with invalid rows sends nothing.
    ...(flags.skipInvalid || invalid > 0 ? ['--skip-invalid'] : []),
    ...(flags.dropInvalidIds ? ['--drop-invalid-ids'] : []),
    ...(flags.pace === undefined ? [] : ['--pace', flags.pace]),
  ];
  const current = session.identity();
  const select = serviceWords({ service, profile }, current);
  const command = (...own: string[]) =>
    session.commandLine('batch', fileWord(path), ...own, ...words, ...select);
  const waiting = otherRuns.length > 0 ? [] : shards.filter(needsRun);
  const rerun = waiting.map(({ shard }) =>
    shard === undefined ? command() : command('--shard', `${shard.index}/${shard.count}`),
  );
  const isRunning = otherRuns.length > 0 || shards.some((shard) => shard.isRunning);
  const hasFailed = left === 0 && failed + invalid > 0;
  const isWritten = state.allFailedRows?.isCurrent === true;
  return {
    rerun,
    array: rerun.length > 0 ? arrayOf(waiting) : undefined,
    failedRows: hasFailed && !isRunning && !isWritten ? command() : undefined,
    environment:
      profile === 'env' && current.profile !== 'env'
        ? `The journals belong to ${service}, with the key from the environment. Set CARBON_BASE_URL and CARBON_API_KEY for these commands.`
        : undefined,
  };
}

function needsRun({ left, isRunning }: ShardState): boolean {
  return left > 0 && !isRunning;
}

/* The flags that select the service of the journals, where this environment selects another. */
function serviceWords(
  journals: { readonly service: string; readonly profile: string },
  current: { readonly service: string; readonly profile: string },
): string[] {
  if (current.service === journals.service && current.profile === journals.profile) return [];
  if (journals.service === 'sandbox') return ['--sandbox'];
  return journals.profile === 'env' || journals.profile === current.profile
    ? []
    : ['--profile', journals.profile];
}

/* Returns task ids as Slurm writes them, such as `2,5-7`. */
function arrayOf(shards: readonly ShardState[]): string | undefined {
  const ranges: { from: number; to: number }[] = [];
  for (const { shard } of shards) {
    if (shard === undefined) return undefined;
    const last = ranges.at(-1);
    if (last?.to === shard.index - 1) last.to = shard.index;
    else ranges.push({ from: shard.index, to: shard.index });
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(',');
}
