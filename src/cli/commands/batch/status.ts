/* Reports how far the runs of a file have come: the work of `carbon batch --status`. */
import { basename } from 'node:path';
import {
  type FileStatus,
  readStatus,
  type ShardStatus,
  type StatusOptions,
} from '../../../batch/batch.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { type Column, renderFrame } from '../../../terminal/columns.ts';
import { count, plural } from '../../../terminal/format.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import { fileWord } from '../../input-table.ts';
import { withLiveStatus } from '../../live-status.ts';
import type { Session } from '../../session.ts';
import type { BatchFlags } from './options.ts';
import { rowWords } from './summary.ts';

/* Of more shards, the text lists only those with remaining or failed rows. */
const maxListed = 32;
/* Of more commands, the text prints the first ones; JSON has all. */
const maxCommands = 10;

/** What differs between the statuses of commands that register the rows of a file. */
export interface StatusCommand {
  readonly name: string;
  /** Options of this command that its next run needs. */
  readonly words: readonly string[];
  /** Returns what the command has kept besides the journal. */
  kept?(): Promise<Kept>;
}

/** What a command has kept, for people and as members of the JSON. */
export interface Kept {
  readonly text: string;
  readonly members: Readonly<Record<string, unknown>>;
  /** Whether the next run has work, even if no row remains. */
  readonly isOpen: boolean;
}

/**
 * Prints the status and returns the exit code: 8 if rows remain, otherwise 9 if rows failed,
 * otherwise 8 if other work remains, otherwise 0.
 *
 * @throws UsageError for options that only a run has, and as `readStatus` does
 */
export async function reportStatus(
  session: Session,
  flags: BatchFlags,
  options: StatusOptions,
  command: StatusCommand,
): Promise<number> {
  rejectRunOptions(session, flags);
  let rows = 0;
  const text = () => `Reading rows${rows > 0 ? `: ${count.format(rows)}` : ''}`;
  const onRows = (read: number) => {
    rows = read;
  };
  const status = await withLiveStatus(session, text, () => readStatus({ ...options, onRows }));
  const kept = await command.kept?.();
  const next = nextCommands(session, command, flags, options, status);
  const isFailed = status.failed + status.invalid > 0;
  const exit = status.left > 0 ? 8 : isFailed ? 9 : kept?.isOpen ? 8 : 0;
  const object = { ...statusObject(options.name, status, next, exit), ...kept?.members };
  if (session.format === 'json') session.printJson(JSON.stringify(object));
  else {
    const parts = remarks(status, next, kept?.text);
    const lines = [...statusTable(session, options.name, status), ...parts];
    session.print(lines.map((line) => `${line}\n`).join(''));
  }
  return exit;
}

function rejectRunOptions({ format, recorder }: Session, flags: BatchFlags): void {
  const given = {
    '--csv': format === 'csv',
    '--ids': format === 'ids',
    '--metrics-file': recorder !== undefined,
    '--dry-run': flags.dryRun,
    '--restart': flags.restart,
    '--retry-failed': flags.retryFailed,
  };
  const [option] = Object.entries(given).find(([, isGiven]) => isGiven) ?? [];
  if (option !== undefined)
    throw new UsageError(
      `--status sends nothing, so it cannot be combined with ${option}`,
      'Remove one of the two options; --json prints the status as JSON.',
    );
}

/* Returns the commands that send the remaining rows; none for standard input, which has no name. */
function nextCommands(
  session: Session,
  command: StatusCommand,
  flags: BatchFlags,
  { path, name }: StatusOptions,
  { shards, invalid, service, profile }: FileStatus,
): string[] {
  if (path !== name) return [];
  const current = session.identity();
  const isOther = current.service !== service || current.profile !== profile;
  const words = [
    // Without this option, a run of a file with invalid rows sends nothing.
    ...rowWords({ ...flags, invalid: flags.invalid ?? (invalid > 0 ? 'skip' : undefined) }),
    ...(!isOther || profile === 'env'
      ? []
      : service === 'sandbox'
        ? ['--sandbox']
        : ['--profile', profile]),
    ...command.words,
  ];
  return shards
    .filter(({ left }) => left > 0)
    .map(({ shard }) => {
      const part = shard === undefined ? [] : ['--shard', `${shard.index}/${shard.count}`];
      return session.commandLine(command.name, fileWord(path), ...part, ...words);
    });
}

const numbers = ['rows', 'registered', 'failed', 'invalid', 'left'] as const;

function statusTable({ view }: Session, file: string, status: FileStatus): string[] {
  const { shards } = status;
  const isSharded = shards[0]?.shard !== undefined;
  const columns: Column[] = [
    { title: isSharded ? 'shard' : 'journal' },
    ...numbers.map(
      (name): Column => ({ title: name === 'left' ? 'remaining' : name, align: 'right' }),
    ),
    { title: 'last written (UTC)' },
  ];
  const isDone = ({ left, failed, invalid }: ShardStatus) => left + failed + invalid === 0;
  const listed = shards.length > maxListed ? shards.filter((shard) => !isDone(shard)) : shards;
  const rows = listed.map((shard) => [
    isSharded ? shardName(shard) : sanitize(basename(shard.journal)),
    ...numbers.map((name) => count.format(shard[name])),
    shard.writtenMs === undefined
      ? 'never'
      : new Date(shard.writtenMs).toISOString().slice(0, 16).replace('T', ' '),
  ]);
  const total = ['total', ...numbers.map((name) => count.format(status[name])), ''];
  const hidden = shards.length - listed.length;
  const divided = shards.length > 1 ? ` in ${count.format(shards.length)} shards` : '';
  return [
    sanitize(`${file}: ${plural(status.rows, 'row')}${divided}`),
    '',
    ...renderFrame(columns, shards.length > 1 ? [...rows, total] : rows, view.style),
    ...(hidden > 0 ? [`and ${plural(hidden, 'shard')} without remaining or failed rows`] : []),
  ];
}

function remarks(status: FileStatus, next: readonly string[], kept: string | undefined): string[] {
  const { postponed, others, unreadable } = status;
  const texts = [
    ...(kept === undefined ? [] : [kept]),
    ...(others.length > 0
      ? [`Also counted: rows recorded in ${others.map((path) => basename(path)).join(', ')}.`]
      : []),
    ...(postponed > 0
      ? [
          postponed === 1
            ? '1 remaining row failed earlier; the next run retries it.'
            : `${count.format(postponed)} remaining rows failed earlier; the next run retries them.`,
        ]
      : []),
    ...[...unreadable].map(
      ([path, { lines, first }]) =>
        `${plural(lines, 'line')} of ${basename(path)} cannot be read (first: line ${first}); the rows count as remaining.`,
    ),
  ].flatMap((text) => ['', text]);
  if (next.length > 0) texts.push('', 'To send the remaining rows:');
  texts.push(...next.slice(0, maxCommands).map((command) => `  ${command}`));
  const more = next.length - maxCommands;
  if (more > 0) texts.push(`  and ${count.format(more)} more, which --json lists`);
  return texts.map(sanitize);
}

function statusObject(file: string, status: FileStatus, next: readonly string[], exit: number) {
  const countsOf = (counts: FileStatus | ShardStatus) =>
    Object.fromEntries([...numbers, 'postponed' as const].map((name) => [name, counts[name]]));
  return {
    file,
    ...countsOf(status),
    exit,
    shards: status.shards.map((shard) => ({
      shard: shard.shard === undefined ? null : shardName(shard),
      ...countsOf(shard),
      journal: shard.journal,
      last_written: shard.writtenMs === undefined ? null : new Date(shard.writtenMs).toISOString(),
    })),
    other_journals: status.others,
    unreadable: [...status.unreadable].map(([journal, lines]) => ({ journal, ...lines })),
    next,
  };
}

function shardName({ shard }: ShardStatus): string {
  return shard === undefined ? '' : `${shard.index}/${shard.count}`;
}
