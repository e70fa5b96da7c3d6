/* Reports how far the runs of a file have come: the work of `carbon batch --status`. */
import { basename } from 'node:path';
import { type FileStatus, readStatus, type StatusOptions } from '../../../batch/batch.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { type Column, renderFrame } from '../../../terminal/columns.ts';
import { count, plural } from '../../../terminal/format.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import { withLiveStatus } from '../../live-status.ts';
import type { Session } from '../../session.ts';
import type { BatchFlags } from './options.ts';

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
  readKept: () => Promise<Kept> | undefined,
): Promise<number> {
  rejectRunOptions(session, flags);
  let rows = 0;
  const text = () => `Reading rows${rows > 0 ? `: ${count.format(rows)}` : ''}`;
  const onRows = (read: number) => {
    rows = read;
  };
  const status = await withLiveStatus(session, text, () => readStatus({ ...options, onRows }));
  const kept = await readKept();
  const next = nextCommand(session, flags, options, status);
  const isFailed = status.failed + status.invalid > 0;
  const exit = status.remaining > 0 ? 8 : isFailed ? 9 : kept?.isOpen ? 8 : 0;
  const object = { ...statusObject(options.name, status, next, exit), ...kept?.members };
  if (session.format === 'json') session.printJson(JSON.stringify(object));
  else {
    const parts = remarks(status, next, kept?.text);
    const lines = [...statusTable(session, options.name, status), ...parts];
    session.print(lines.map((line) => `${line}\n`).join(''));
  }
  return exit;
}

function rejectRunOptions({ format }: Session, flags: BatchFlags): void {
  const given = {
    '--csv': format === 'csv',
    '--ids': format === 'ids',
    '--metrics-file': flags.metricsFile !== undefined,
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

/* Returns the command that sends the remaining rows; none for standard input, which has no name. */
function nextCommand(
  session: Session,
  flags: BatchFlags,
  { path, name }: StatusOptions,
  { remaining, invalid, service, profile }: FileStatus,
): string | undefined {
  if (path !== name || remaining === 0) return undefined;
  const current = session.identity();
  const isOther = current.service !== service || current.profile !== profile;
  const other = service === 'sandbox' ? ['--sandbox'] : ['--profile', profile];
  // Without this option, a run of a file with invalid rows sends nothing.
  const skipping = flags.invalid === undefined && invalid > 0 ? ['--invalid', 'skip'] : [];
  return session.again({
    add: [...skipping, ...(isOther && profile !== 'env' ? other : [])],
    without: ['--status', '--json'],
  });
}

const numbers = ['rows', 'registered', 'failed', 'invalid', 'remaining'] as const;

function statusTable({ view }: Session, file: string, status: FileStatus): string[] {
  const { journal, writtenMs } = status;
  const columns: Column[] = [
    { title: 'journal' },
    ...numbers.map((name): Column => ({ title: name, align: 'right' })),
    { title: 'last written (UTC)' },
  ];
  const row = [
    sanitize(basename(journal)),
    ...numbers.map((name) => count.format(status[name])),
    writtenMs === undefined
      ? 'never'
      : new Date(writtenMs).toISOString().slice(0, 16).replace('T', ' '),
  ];
  return [
    sanitize(`${file}: ${plural(status.rows, 'row')}`),
    '',
    ...renderFrame(columns, [row], view.style),
  ];
}

function remarks(status: FileStatus, next: string | undefined, kept: string | undefined): string[] {
  const { postponed, unreadable } = status;
  const texts = [
    ...(kept === undefined ? [] : [kept]),
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
  if (next !== undefined) texts.push('', 'To send the remaining rows:', `  ${next}`);
  return texts.map(sanitize);
}

function statusObject(file: string, status: FileStatus, next: string | undefined, exit: number) {
  return {
    file,
    ...Object.fromEntries([...numbers, 'postponed' as const].map((name) => [name, status[name]])),
    exit,
    journal: status.journal,
    last_written: status.writtenMs === undefined ? null : new Date(status.writtenMs).toISOString(),
    unreadable: [...status.unreadable].map(([journal, lines]) => ({ journal, ...lines })),
    next: next === undefined ? [] : [next],
  };
}
