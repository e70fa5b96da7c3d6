/* The state of a file and its journals as text and as JSON. */
import { basename } from 'node:path';
import type { FileState, ShardState } from '../../../../batch/state/read-state.ts';
import { type Column, renderFrame } from '../../../../terminal/columns.ts';
import { count, plural } from '../../../../terminal/format.ts';
import type { View } from '../../../../terminal/render-options.ts';
import { sanitize } from '../../../../terminal/sanitize.ts';
import type { NextRuns } from './next-runs.ts';

/* Of more shards, the text names only those that are not done. */
const maxListed = 32;
/* Of more commands, the text prints the first ones; JSON has all. */
const maxCommands = 10;

/** Names what a shard does, or what it needs. */
export type ShardStep = 'done' | 'running' | 'left' | 'failed' | 'not started' | 'unreadable';

/* Returns the step of a shard. */
function stepOf(shard: ShardState): ShardStep {
  const { left, failed, invalid, isRunning, isUnreadable, writtenMs } = shard;
  if (isUnreadable) return 'unreadable';
  if (isRunning) return 'running';
  if (left > 0) return writtenMs === undefined ? 'not started' : 'left';
  return failed + invalid > 0 ? 'failed' : 'done';
}

/** Renders the state as a table, followed by what to run next. */
export function renderState(file: string, state: FileState, next: NextRuns, view: View): string {
  const { shards } = state;
  const isSharded = shards[0]?.shard !== undefined;
  const named = shards.length === 1 && isSharded ? ` in shard ${nameOf(shards[0])}` : '';
  const divided = shards.length > 1 ? ` in ${count.format(shards.length)} shards` : '';
  const listed =
    shards.length > maxListed ? shards.filter((shard) => stepOf(shard) !== 'done') : shards;
  const hidden = shards.length - listed.length;
  const below = [
    ...(hidden > 0 ? [`and ${plural(hidden, 'shard that is', 'shards that are')} done`] : []),
    ...remarks(state).flatMap((remark) => ['', remark]),
    ...nextLines(state, next),
  ];
  const lines = [
    sanitize(`${file}: ${plural(state.rows, 'row')}${named}${divided}`),
    '',
    ...table(listed, state, isSharded, view),
    ...below.map(sanitize),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function table(
  shards: readonly ShardState[],
  total: FileState,
  isSharded: boolean,
  { style }: View,
): string[] {
  const numbers = ['rows', 'registered', 'failed', 'invalid', 'left'] as const;
  const columns: Column[] = [
    { title: isSharded ? 'shard' : 'journal' },
    ...numbers.map((title): Column => ({ title, align: 'right' })),
    { title: 'last written (UTC)' },
    { title: 'state' },
  ];
  const rows = shards.map((shard) => [
    isSharded ? nameOf(shard) : sanitize(basename(shard.journal)),
    ...numbers.map((name) => count.format(shard[name])),
    timeOf(shard.writtenMs),
    stepOf(shard),
  ]);
  const sums = ['total', ...numbers.map((name) => count.format(total[name])), '', ''];
  return renderFrame(columns, total.shards.length > 1 ? [...rows, sums] : rows, style);
}

function remarks(state: FileState): string[] {
  const { rows, shards, postponed, unmatched, unreadable, superseded, others, otherRuns } = state;
  // One shard may have no row of a file that has rows.
  const hasOneShard = shards.length === 1 && shards[0]?.shard !== undefined;
  const names = (journals: readonly { readonly path: string }[]) =>
    journals.length > 3
      ? plural(journals.length, 'journal')
      : journals.map(({ path }) => basename(path)).join(', ');
  return [
    ...(rows === 0 && !hasOneShard ? ['The file has a header but no rows.'] : []),
    ...(others.length > 0
      ? [`Rows that other journals record count as well: ${names(others)}.`]
      : []),
    ...(otherRuns.length > 0
      ? [`Another run is in progress, which writes ${names(otherRuns)}.`]
      : []),
    ...(postponed > 0
      ? [
          `${plural(postponed, 'row')} of those left failed in an earlier run; the next run retries.`,
        ]
      : []),
    ...(unmatched > 0
      ? [
          `The journals also have ${plural(unmatched, 'registration')} of rows that are not in this file.`,
        ]
      : []),
    ...(superseded.length > 0
      ? [
          `The next run starts a new journal instead of ${names(superseded)}, which ${superseded.length > 1 ? 'have' : 'has'} no registrations and another service (${servicesOf(superseded)}).`,
        ]
      : []),
    ...[...unreadable].map(
      ([path, { lines, first }]) =>
        `${plural(lines, 'line')} of ${basename(path)} cannot be read (first: line ${first}); the rows count as left.`,
    ),
  ];
}

function servicesOf(journals: FileState['superseded']): string {
  const services = journals.map(({ service, profile }) => `${service}, profile ${profile}`);
  return [...new Set(services)].join('; ');
}

function nextLines(state: FileState, { rerun, array, failedRows, environment }: NextRuns) {
  const failed = state.failed + state.invalid;
  const files = state.shards.filter(({ failedRows }) => failedRows !== undefined);
  const lines: string[] = [];
  if (rerun.length > 0) {
    lines.push('', `To send the rows that are left:`);
    for (const command of rerun.slice(0, maxCommands)) lines.push(`  ${command}`);
    if (rerun.length > maxCommands)
      lines.push(`  and ${count.format(rerun.length - maxCommands)} more, which --json lists`);
    const shardCount = state.shards[0]?.shard?.count;
    if (array !== undefined)
      lines.push(`As a Slurm array: --array=${array} with --shard auto/${shardCount}`);
  }
  const written = state.allFailedRows;
  if (failedRows !== undefined) {
    const many = state.shards.length > 1;
    const outdated =
      written &&
      `${basename(written.path)} is older than the list or its journals. To write it again:`;
    const missing = many
      ? 'To write all failed rows to one file:'
      : 'To write the failed rows to a file:';
    lines.push('', outdated ?? missing, `  ${failedRows}`);
  } else if (failed > 0 && state.left === 0 && written?.isCurrent) {
    lines.push('', `All failed rows are in ${basename(written.path)}.`);
  } else if (failed > 0 && files.length > 0) {
    const [first] = files;
    const more = files.length > 1 ? ` and ${plural(files.length - 1, 'more file')}` : '';
    lines.push('', `Failed rows so far: ${basename(first?.failedRows ?? '')}${more}`);
  }
  if (lines.length > 0 && environment !== undefined) lines.push('', environment);
  return lines;
}

/** Returns the state as one JSON document. */
export function stateJson(file: string, state: FileState, next: NextRuns, exit: number): string {
  const { shards, rows, registered, failed, invalid, left, postponed, unmatched } = state;
  return JSON.stringify({
    file,
    rows,
    registered,
    failed,
    invalid,
    left,
    postponed,
    unmatched,
    exit,
    shards: shards.map(shardObject),
    unreadable: [...state.unreadable].map(([journal, { lines, first }]) => ({
      journal,
      lines,
      first,
    })),
    superseded: state.superseded.map(({ path: journal, ...recorded }) => ({
      journal,
      ...recorded,
    })),
    failed_rows: state.allFailedRows?.isCurrent ? state.allFailedRows.path : null,
    other_journals: state.others.map(({ path }) => path),
    other_runs: state.otherRuns.map(({ path }) => path),
    next: { rerun: next.rerun, array: next.array ?? null, failed_rows: next.failedRows ?? null },
  });
}

function shardObject(state: ShardState): Readonly<Record<string, unknown>> {
  const { shard, rows, registered, failed, invalid, left, postponed } = state;
  const { journal, writtenMs, failedRows } = state;
  return {
    shard: shard === undefined ? null : nameOf(state),
    state: stepOf(state),
    ...{ rows, registered, failed, invalid, left, postponed },
    journal,
    last_written: writtenMs === undefined ? null : new Date(writtenMs).toISOString(),
    failed_rows: failedRows ?? null,
  };
}

function nameOf(state: ShardState | undefined): string {
  const { shard } = state ?? {};
  return shard === undefined ? '' : `${shard.index}/${shard.count}`;
}

function timeOf(ms: number | undefined): string {
  return ms === undefined ? '' : new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}
