/* How a run of `carbon sync` ended: the exit code, what needs attention, and the summary. */
import { isObject, type OrganizationId, readReference } from '../../../api/ids.ts';
import { countsText, type FindingSummary } from '../../../checks/findings.ts';
import { type Entry, isInProgress, type RecordStore } from '../../../sync/store.ts';
import { count, plural, renderDuration } from '../../../terminal/format.ts';
import { exitCodeOf } from '../../errors.ts';
import { fileWord } from '../../input-table.ts';
import type { Notice } from '../../messages.ts';
import { keepWords } from '../../option-parsers.ts';
import type { Session } from '../../session.ts';
import type { BatchEnd } from '../batch/command.ts';
import { describeChange } from './changes.ts';
import type { SyncState } from './run.ts';

const maxNamed = 5;

/** What ended a run, besides its state. */
export interface SyncEnd {
  /** Findings about the records that this run retrieved. */
  readonly findings: FindingSummary;
  /** What `researchNotices` returned before the store was closed. */
  readonly research: readonly Notice[];
  /** The exit code of the signal that stopped the run; 0 without one. */
  readonly signalExit: number;
}

/** The organizations of a list by the state of their research. */
export interface Tally {
  readonly organizations: number;
  readonly currencies: number;
  /** Number of records whose research has succeeded, one for each currency. */
  synced: number;
  readonly inProgress: OrganizationId[];
  readonly errored: OrganizationId[];
  readonly removed: OrganizationId[];
  withoutRecord: number;
}

/** Reports how a run ended, and returns the exit code. */
export function endSync(
  session: Session,
  end: BatchEnd,
  state: SyncState,
  { findings, research, signalExit }: SyncEnd,
): number {
  const { messages } = session;
  const { outcome, commands } = end;
  const { tally, stop, flags } = state;
  const exit = signalExit || exitOf(end, state);
  end.screen.end(outcome, exit, commands, true);
  if (stop !== undefined && stop !== outcome.stop && signalExit === 0) messages.error(stop);
  messages.print(
    ...failureNotices(state),
    ...research,
    ...changeNotices(state),
    ...findingNotices(session, state, findings),
  );
  const numbers = numbersOf(end, state);
  const parts = numbers
    .filter(([name, number]) => name !== 'synced' && number > 0)
    // A record that was not retrieved may be missing, and is counted once.
    .filter(([name]) => name !== 'not_retrieved' || tally.withoutRecord === 0)
    .map(([, number, words]) => `${count.format(number)} ${words}`);
  const again = flags.restart ? 'again without --restart' : 'again';
  const isOpen = ![0, 7, 9].includes(exit);
  const took = renderDuration(end.screen.elapsedMs);
  const verb = signalExit > 0 ? 'Stopped' : 'Not finished';
  const before = isOpen ? `${verb} after ${took}: ` : '';
  const synthetic = session.identity().service === 'sandbox' ? 'Synthetic sandbox data. ' : '';
  const next = isOpen ? `Run the same command ${again} to continue` : '';
  const summary = {
    ...Object.fromEntries(numbers),
    retrieved: state.refresh.retrieved,
    errors: findings.error,
    warnings: findings.warning,
    exit,
    elapsed_ms: Math.round(end.screen.elapsedMs),
  };
  messages.print({
    level: exit === 0 ? 'progress' : 'result',
    text: `${before}${[`${upToDate(tally)}${isOpen ? '' : ` in ${took}`}`, ...parts].join(', ')}. ${synthetic}${next}`.trim(),
  });
  const isList = end.input.path === end.input.name;
  if (isList && tally.synced > 0 && (!isOpen || exit === 8))
    messages.print(nextCommands(session, state));
  session.summary = summary;
  if (session.format === 'json') session.printJson(JSON.stringify({ summary }));
  return exit;
}

/* Counts records where each organization has several. */
function upToDate({ synced, organizations, currencies }: Tally): string {
  const all = organizations * currencies;
  const things = plural(all, currencies > 1 ? 'record' : 'organization');
  return `${count.format(synced)} of ${things} up to date`;
}

function nextCommands(session: Session, { list, flags }: SyncState): Notice {
  const input = [fileWord(list), ...keepWords(flags.keep)];
  const commands = [
    session.quote('carbon', 'list', ...input),
    session.quote('carbon', 'report', ...input, '-o', 'report.html'),
  ];
  return {
    level: 'progress',
    text: `Next: ${commands.join(' · ')}`,
  };
}

/** Counts the organizations, and lists those that a summary names. */
export function tallyOf(
  store: Pick<RecordStore, 'head'>,
  ids: readonly OrganizationId[],
  currencies: readonly (string | null)[],
): Tally {
  const tally: Tally = {
    organizations: ids.length,
    currencies: currencies.length,
    synced: 0,
    inProgress: [],
    errored: [],
    removed: [],
    withoutRecord: 0,
  };
  for (const id of ids) {
    const heads = currencies.map((currency) => store.head(id, currency));
    if (heads.some((head) => head?.hasRecord !== true)) tally.withoutRecord += 1;
    else if (heads.some((head) => head?.isRemoved)) tally.removed.push(id);
    else if (heads.some((head) => head && isInProgress(head))) tally.inProgress.push(id);
    else if (heads.some((head) => head?.status === 'errored')) tally.errored.push(id);
    tally.synced += heads.filter((head) => head !== undefined && isSynced(head)).length;
  }
  return tally;
}

function isSynced(head: Entry): boolean {
  return head.hasRecord && !head.isRemoved && head.status === undefined;
}

/* The strongest reason wins; failures that earlier runs reported do not count. */
function exitOf({ outcome }: BatchEnd, { refresh, remaining, tally, stop }: SyncState): number {
  const { left } = outcome;
  const codes = [
    ...(stop === undefined ? [] : [exitCodeOf(stop)]),
    ...(outcome.isDown ? [6] : []),
    ...refresh.failed.map(({ error }) => (exitCodeOf(error) === 6 ? 6 : 9)),
    ...(outcome.newFailures > 0 ? [9] : []),
    ...(refresh.errored.length > 0 ? [7] : []),
    ...(tally.inProgress.length + remaining + left > 0 ? [8] : []),
  ];
  const strength = [1, 4, 6, 9, 7, 8];
  const rank = (code: number) => strength.indexOf(code);
  return codes.sort((a, b) => rank(a) - rank(b))[0] ?? 0;
}

function failureNotices({ refresh }: SyncState): Notice[] {
  const notices = refresh.failed.slice(0, maxNamed).map(
    ({ id, error }): Notice => ({
      level: 'failure',
      text: `Not retrieved: ${id}: ${error.message}`,
    }),
  );
  const more = refresh.failed.length - maxNamed;
  if (more > 0)
    notices.push({
      level: 'failure',
      text: `and ${plural(more, 'more record')} not retrieved`,
    });
  return notices;
}

/** Names the organizations whose research failed, and those that the service no longer has. */
export async function researchNotices(state: SyncState): Promise<Notice[]> {
  const { refresh } = state;
  const { errored, removed } = state.tally;
  const groups = [
    ['Research failed for', errored, refresh.errored],
    ['The service no longer has', removed, refresh.removed],
  ] as const;
  const notices: Notice[] = [];
  for (const [what, all, found] of groups) {
    const isNew = new Set(found);
    const fresh = all.filter((id) => isNew.has(id));
    const known = all.filter((id) => !isNew.has(id));
    const names = [
      ...(fresh.length > 0 ? [await nameFirst(state, fresh)] : []),
      ...(known.length > 0 ? [`${await nameFirst(state, known)}, reported before`] : []),
    ];
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
  { store, currency }: SyncState,
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

function changeNotices({ refresh, changes }: SyncState): Notice[] {
  const { changed } = refresh;
  if (changed === 0) return [];
  const largest = changes.largest.map(describeChange);
  const shown = largest.length > 0 ? `. Largest: ${largest.join('; ')}` : '';
  return [
    {
      level: 'progress',
      text: `Changed since the last run: ${plural(changed, 'record')}${shown}`,
    },
  ];
}

function findingNotices(
  session: Session,
  { list, flags }: SyncState,
  summary: FindingSummary,
): Notice[] {
  const { error, warning, worst } = summary;
  if (error + warning === 0) return [];
  const [first] = worst;
  const example =
    error > 0 && first !== undefined
      ? `, such as ${first.name ?? first.id}: ${first.evidence}`
      : '';
  const command = session.quote('carbon', 'check', fileWord(list), ...keepWords(flags.keep));
  return [
    {
      level: error > 0 ? 'warning' : 'progress',
      text: `Checks of the retrieved records: ${countsText(summary)}${example}. To see all: ${command}`,
    },
  ];
}

/* The numbers of a summary, by their names in JSON, with their words in the text. */
function numbersOf(
  { outcome: { counts, left } }: BatchEnd,
  { refresh, registered, remaining, tally }: SyncState,
): readonly (readonly [name: string, number: number, words: string])[] {
  return [
    ['registered', registered, 'registered'],
    ['synced', tally.synced, 'synced'],
    ['changed', refresh.changed, 'changed'],
    ['in_progress', tally.inProgress.length, 'in progress'],
    ['research_failed', tally.errored.length, 'with failed research'],
    ['rejected', counts.rejected, 'rejected'],
    ['invalid', counts.invalid, 'invalid'],
    ['removed', tally.removed.length, 'removed'],
    ['without_record', tally.withoutRecord, 'without a record'],
    ['postponed', counts.postponed, 'postponed'],
    ['not_registered', left, 'not registered yet'],
    ['not_retrieved', refresh.failed.length + remaining, 'not retrieved'],
  ];
}
