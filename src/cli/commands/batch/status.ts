/* Reports how far the runs of a list have come: the work of `--status`. */
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { Batch, type ListInput } from '../../../batch/batch.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { type Column, renderFrame } from '../../../terminal/columns.ts';
import { count, plural } from '../../../terminal/format.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import { withLiveStatus } from '../../live-status.ts';
import type { Session } from '../../session.ts';
import { type BatchFlags, listOptions } from './open-list.ts';

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
 * @throws UsageError for options that only a run has, and as `Batch.open` does
 */
export async function reportStatus(
  session: Session,
  input: ListInput,
  flags: BatchFlags,
  kept?: Kept,
): Promise<number> {
  rejectRunOptions(session, flags);
  let rows = 0;
  const text = () => `Reading rows${rows > 0 ? `: ${count.format(rows)}` : ''}`;
  const onRows = (read: number) => {
    rows = read;
  };
  const options = { ...listOptions(session, input, flags), status: true, onRows };
  const list = await withLiveStatus(session, text, () => Batch.open(options));
  const { journal, unreadable, preflight } = list;
  const { done, rejected, invalid, new: toSend, duplicate } = preflight.counts;
  const remaining = toSend + duplicate;
  const status = {
    rows: preflight.rows,
    registered: done,
    failed: rejected,
    invalid,
    remaining,
    postponed: preflight.postponed,
  };
  const writtenMs = statSync(journal, { throwIfNoEntry: false })?.mtimeMs;
  const exit = remaining > 0 ? 8 : rejected + invalid > 0 ? 9 : kept?.isOpen ? 8 : 0;
  const isFile = input.path === input.name;
  const next = isFile && remaining > 0 ? [nextCommand(session, flags, list)] : [];
  if (session.format !== 'json') {
    const lines = [
      ...statusTable(session, list, status, writtenMs),
      ...remarks(list, kept).flatMap((remark) => ['', remark]),
      ...next.flatMap((command) => ['', 'To send the remaining rows:', `  ${sanitize(command)}`]),
    ];
    session.print(lines.map((line) => `${line}\n`).join(''));
    return exit;
  }
  const object = {
    file: input.name,
    ...status,
    exit,
    journal,
    last_written: writtenMs === undefined ? null : new Date(writtenMs).toISOString(),
    unreadable: [...unreadable].map(([path, lines]) => ({ journal: path, ...lines })),
    next,
    ...kept?.members,
  };
  session.printJson(JSON.stringify(object));
  return exit;
}

function rejectRunOptions({ format }: Session, flags: BatchFlags): void {
  const given = {
    '--ids': format === 'ids',
    '--metrics-file': flags.metricsFile !== undefined,
    '--out': flags.out !== undefined,
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

/* Returns the command that sends the remaining rows. */
function nextCommand(
  session: Session,
  flags: BatchFlags,
  { registrant, preflight }: Batch,
): string {
  const current = session.identity();
  const { service = current.service, profile = current.profile } = registrant;
  const isOther = current.service !== service || current.profile !== profile;
  const other = service === 'sandbox' ? ['--sandbox'] : ['--profile', profile];
  // Without this option, a run of a file with invalid rows sends nothing.
  const skipping =
    flags.invalid === undefined && preflight.counts.invalid > 0 ? ['--invalid', 'skip'] : [];
  return session.again({
    add: [...skipping, ...(isOther && profile !== 'env' ? other : [])],
    without: ['--status', '--json'],
  });
}

const numbers = ['rows', 'registered', 'failed', 'invalid', 'remaining'] as const;

function statusTable(
  { view }: Session,
  { list, journal }: Batch,
  status: Readonly<Record<(typeof numbers)[number], number>>,
  writtenMs: number | undefined,
): string[] {
  const columns = numbers.map((name): Column => ({ title: name, align: 'right' }));
  const written =
    writtenMs === undefined
      ? 'never'
      : `${new Date(writtenMs).toISOString().slice(0, 16).replace('T', ' ')} (UTC)`;
  const counts = numbers.map((name) => count.format(status[name]));
  return [
    sanitize(`${list}: ${plural(status.rows, 'row')}`),
    `${sanitize(basename(journal))}, last written: ${written}`,
    '',
    ...renderFrame(columns, [counts], view.style),
  ];
}

function remarks({ preflight, unreadable }: Batch, kept: Kept | undefined): string[] {
  const { postponed } = preflight;
  const texts = kept === undefined ? [] : [kept.text];
  if (postponed > 0)
    texts.push(
      postponed === 1
        ? '1 remaining row failed earlier; the next run retries it.'
        : `${count.format(postponed)} remaining rows failed earlier; the next run retries them.`,
    );
  for (const [path, { lines, first }] of unreadable)
    texts.push(
      `${plural(lines, 'line')} of ${basename(path)} cannot be read (first: line ${first}); the rows count as remaining.`,
    );
  return texts.map(sanitize);
}
