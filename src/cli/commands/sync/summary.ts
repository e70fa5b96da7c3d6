/* How a run of `carbon sync` ended: the exit code, what needs attention, and the summary. */
import { isObject, type OrganizationId, readReference } from '../../../api/ids.ts';
import type { Batch } from '../../../batch/batch.ts';
import { countsText, type FindingSummary } from '../../../checks/findings.ts';
import type { CarbonError } from '../../../runtime/carbon-error.ts';
import type { Refresh } from '../../../sync/refresh.ts';
import { isInProgress } from '../../../sync/store.ts';
import { count, plural, renderDuration } from '../../../terminal/format.ts';
import { exitCodeOf } from '../../errors.ts';
import { fileWord } from '../../input-table.ts';
import type { Notice } from '../../messages.ts';
import { keepWords } from '../../option-parsers.ts';
import type { Session } from '../../session.ts';
import type { BatchFlags, Registered } from '../batch/open-list.ts';
import { again, exitOfStop, reportRows } from '../batch/summary.ts';
import { type ChangeLog, describeChange } from './changes.ts';

const maxNamed = 5;

/** What a run did. */
export interface SyncRun {
  readonly list: Batch;
  readonly rows: Registered;
  readonly refresh: Refresh;
  readonly changes: ChangeLog;
  /** The organizations of the list, each once. */
  readonly ids: readonly OrganizationId[];
  /** Number of organizations that no earlier run knew. */
  readonly registered: number;
  /** The error that ended the registration or the retrieval. */
  readonly stop: CarbonError | undefined;
}

/** What the end of a run reports besides. */
export interface SyncEnd extends SyncRun {
  /** Findings about the records that this run retrieved. */
  readonly findings: FindingSummary;
  /** What `researchNotices` returned before the store was closed. */
  readonly research: readonly Notice[];
}

/** Reports how a run ended, and returns the exit code. */
export function endSync(session: Session, flags: BatchFlags, end: SyncEnd): number {
  const { messages, context } = session;
  const { list, rows, refresh, findings, stop } = end;
  const { counts, left } = rows.outcome;
  const tally = tallyOf(end);
  const stopped = exitOfStop(context);
  const exit = stopped || exitOf(end, tally);
  reportRows(session, list, rows, flags, exit);
  if (stop !== undefined && stop !== rows.outcome.stop && stopped === 0) messages.error(stop);
  messages.print(
    ...failureNotices(refresh),
    ...end.research,
    ...changeNotices(end),
    ...findingNotices(session, end, flags),
  );
  /* By the names in JSON, with the words of the text. */
  const numbers = [
    ['registered', end.registered, 'registered'],
    ['synced', tally.synced, ''],
    ['changed', refresh.changed, 'changed'],
    ['in_progress', tally.inProgress.length, 'in progress'],
    ['research_failed', tally.errored.length, 'with failed research'],
    ['rejected', counts.rejected, 'rejected'],
    ['invalid', counts.invalid, 'invalid'],
    ['removed', tally.removed.length, 'removed'],
    ['without_record', tally.withoutRecord, 'without a record'],
    ['postponed', counts.postponed, 'postponed'],
    ['not_registered', left, 'not registered yet'],
    ['not_retrieved', refresh.failed.length + refresh.remaining, 'not retrieved'],
  ] as const;
  const parts = numbers
    // A record that was not retrieved may be missing, and is counted once.
    .filter(([name]) => name !== 'not_retrieved' || tally.withoutRecord === 0)
    .filter(([, number, words]) => words !== '' && number > 0)
    .map(([, number, words]) => `${count.format(number)} ${words}`);
  const isOpen = ![0, 7, 9].includes(exit);
  const took = renderDuration(rows.screen.elapsedMs);
  const several = refresh.currencies.length > 1;
  const all = end.ids.length * refresh.currencies.length;
  const state = `${count.format(tally.synced)} of ${plural(all, several ? 'record' : 'organization')} up to date`;
  const before = `${stopped > 0 ? 'Stopped' : 'Not finished'} after ${took}: `;
  const synthetic = session.identity().service === 'sandbox' ? ' Synthetic sandbox data.' : '';
  const next = isOpen ? ` Run the same command ${again(flags.restart)} to continue` : '';
  const text = `${[isOpen ? `${before}${state}` : `${state} in ${took}`, ...parts].join(', ')}.${synthetic}${next}`;
  messages.print({ level: exit === 0 ? 'progress' : 'result', text });
  if (!list.isStdin && tally.synced > 0 && (!isOpen || exit === 8)) {
    const input = [fileWord(list.list), ...keepWords(flags.keep)];
    const report = session.quote('carbon', 'report', ...input, '-o', 'report.html');
    const commands = `Next: ${session.quote('carbon', 'list', ...input)} · ${report}`;
    messages.print({ level: 'progress', text: commands });
  }
  const summary = {
    ...Object.fromEntries(numbers),
    retrieved: refresh.retrieved,
    errors: findings.error,
    warnings: findings.warning,
    exit,
    elapsed_ms: Math.round(rows.screen.elapsedMs),
  };
  session.summary = summary;
  if (session.format === 'json') session.printJson(JSON.stringify({ summary }));
  return exit;
}

/* The organizations of a list by the state of their research. */
interface Tally {
  /** Number of records whose research has succeeded, one for each currency. */
  synced: number;
  readonly inProgress: OrganizationId[];
  readonly errored: OrganizationId[];
  readonly removed: OrganizationId[];
  withoutRecord: number;
}

function tallyOf({ refresh, ids }: SyncRun): Tally {
  const tally: Tally = { synced: 0, inProgress: [], errored: [], removed: [], withoutRecord: 0 };
  for (const id of ids) {
    const heads = refresh.heads([id]).filter(({ hasRecord }) => hasRecord);
    if (heads.length < refresh.currencies.length) tally.withoutRecord += 1;
    else if (heads.some(({ isRemoved }) => isRemoved)) tally.removed.push(id);
    else if (heads.some(isInProgress)) tally.inProgress.push(id);
    else if (heads.some(({ status }) => status === 'errored')) tally.errored.push(id);
    tally.synced += heads.filter((head) => !head.isRemoved && head.status === undefined).length;
  }
  return tally;
}

/* The strongest reason wins; failures that earlier runs reported do not count. */
function exitOf({ rows, refresh, stop }: SyncRun, tally: Tally): number {
  const { isDown, newFailures, left } = rows.outcome;
  const failed = refresh.failed.map(({ error }) => exitCodeOf(error) === 6);
  if (stop !== undefined && [1, 4].includes(exitCodeOf(stop))) return exitCodeOf(stop);
  if (stop !== undefined || isDown || failed.includes(true)) return 6;
  if (failed.length > 0 || newFailures > 0) return 9;
  if (refresh.errored.size > 0) return 7;
  return tally.inProgress.length + refresh.remaining + left > 0 ? 8 : 0;
}

function failureNotices({ failed }: Refresh): Notice[] {
  const texts = failed
    .slice(0, maxNamed)
    .map(({ id, error }) => `Not retrieved: ${id}: ${error.message}`);
  const more = failed.length - texts.length;
  if (more > 0) texts.push(`and ${plural(more, 'more record')} not retrieved`);
  return texts.map((text) => ({ level: 'failure', text }));
}

/** Names the organizations whose research failed, and those that the service no longer has. */
export async function researchNotices(run: SyncRun): Promise<Notice[]> {
  const { refresh } = run;
  const { errored, removed } = tallyOf(run);
  const groups = [
    ['Research failed for', errored, refresh.errored],
    ['The service no longer has', removed, refresh.removed],
  ] as const;
  const notices: Notice[] = [];
  for (const [what, all, isNew] of groups) {
    const fresh = all.filter((id) => isNew.has(id));
    const known = all.filter((id) => !isNew.has(id));
    const names = [];
    if (fresh.length > 0) names.push(await nameFirst(refresh, fresh));
    if (known.length > 0) names.push(`${await nameFirst(refresh, known)}, reported before`);
    if (all.length > 0)
      notices.push({
        level: fresh.length > 0 ? 'failure' : 'progress',
        text: `${what} ${plural(all.length, 'organization')}: ${names.join('; ')}`,
      });
  }
  return notices;
}

/* Names the first organizations, from their records. */
async function nameFirst(
  { store, currencies: [currency = null] }: Refresh,
  ids: readonly OrganizationId[],
): Promise<string> {
  const names: string[] = [];
  for (const id of ids.slice(0, maxNamed)) {
    const name = nameIn(await store.record(id, currency));
    names.push(name === undefined ? `ID ${id}` : `${name} (ID ${id})`);
  }
  const more = ids.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${count.format(more)} more` : '');
}

function nameIn(json = ''): string | undefined {
  try {
    const record: unknown = JSON.parse(json);
    return isObject(record) ? readReference(record).name : undefined;
  } catch {
    return undefined;
  }
}

function changeNotices({ refresh: { changed }, changes }: SyncRun): Notice[] {
  if (changed === 0) return [];
  const largest = changes.largest.map(describeChange);
  const shown = largest.length > 0 ? `. Largest: ${largest.join('; ')}` : '';
  const text = `Changed since the last run: ${plural(changed, 'record')}${shown}`;
  return [{ level: 'progress', text }];
}

function findingNotices(
  session: Session,
  { list, findings }: SyncEnd,
  { keep }: BatchFlags,
): Notice[] {
  const { error, warning, worst } = findings;
  if (error + warning === 0) return [];
  const [first] = worst;
  const example =
    error > 0 && first !== undefined
      ? `, such as ${first.name ?? first.id}: ${first.evidence}`
      : '';
  const command = session.quote('carbon', 'check', fileWord(list.list), ...keepWords(keep));
  return [
    {
      level: error > 0 ? 'warning' : 'progress',
      text: `Checks of the retrieved records: ${countsText(findings)}${example}. To see all: ${command}`,
    },
  ];
}
