/* How a run of `carbon sync` ended: the exit code, what needs attention, and the summary. */
import type { OrganizationId } from '../../../../client/api/ids.ts';
import {
  count,
  listing,
  naming,
  plural,
  renderDuration,
} from '../../../../display/terminal/format.ts';
import type { Refresh } from '../../../../lists/batch/refresh.ts';
import { isInProgress } from '../../../../lists/kept/lines.ts';
import type { StoredEntry } from '../../../../lists/kept/store.ts';
import type { Mapping } from '../../../../lists/list/columns.ts';
import type { CarbonError } from '../../../../runtime/carbon-error.ts';
import { exitCodeOf } from '../../../errors.ts';
import { fileWord } from '../../../input-table.ts';
import type { Notice } from '../../../messages.ts';
import { keepWords } from '../../../options.ts';
import { show } from '../../../output/show.ts';
import type { Session } from '../../../session.ts';
import type { BatchFlags, Registered } from '../batch/open-list.ts';
import { countWords } from '../batch/screen.ts';
import { again, exitOfStop, reportRows } from '../batch/summary.ts';
import { findUnmatched, matchingStep, unmatchedInWords } from '../batch/unmatched.ts';

const maxNamed = 5;

export interface SyncRun {
  readonly rows: Registered;
  readonly refresh: Refresh;
  readonly ids: readonly OrganizationId[];
  /** Number of rows that this run registered, and whose organizations no earlier run knew. */
  readonly registered: number;
  /** The error that ended the registration or the retrieval. */
  readonly stop: CarbonError | undefined;
}

/** Reports how a run ended, and returns the exit code. */
export async function endSync(session: Session, flags: BatchFlags, run: SyncRun): Promise<number> {
  const { messages, context } = session;
  const { rows, refresh, ids, registered, stop } = run;
  const { list, outcome, screen } = rows;
  const { counts, left } = outcome;
  const rejected = list.countRejected();
  const different =
    rejected > 0 && rejected < counts.rejected ? ` (${count.format(rejected)} different)` : '';
  const tally = tallyOf(run);
  const stopped = exitOfStop(context);
  const exit = stopped || exitOfSync(run);
  reportRows(session, rows, flags, exit);
  if (stop !== undefined && stop !== outcome.stop && stopped === 0) messages.error(stop);
  messages.print(...notices(refresh));
  /* By the names in JSON, with the words of the text, and whether they count rows. */
  const numbers: readonly (readonly [name: string, number, words: string, 'rows'?])[] = [
    ['listed', ids.length, ''],
    ['rows', list.preflight.rows, ''],
    ['registered', registered, 'registered', 'rows'],
    ['skipped', counts.skipped + counts.registered - registered, ''],
    ['duplicate', counts.duplicate, ''],
    ['synced', tally.synced, ''],
    ['changed', refresh.changed.size, 'changed'],
    ['in_progress', tally.inProgress, 'in progress'],
    ['research_failed', tally.errored, 'with failed research'],
    ['rejected', counts.rejected, `rejected${different}`, 'rows'],
    ['invalid', counts.invalid, 'invalid', 'rows'],
    ['removed', tally.removed, 'removed'],
    ['without_record', tally.withoutRecord, 'without a record'],
    ['postponed', counts.postponed, 'postponed', 'rows'],
    ['not_registered', left, 'not registered yet', 'rows'],
    ['not_retrieved', tally.notRetrieved, 'not retrieved'],
  ];
  const partsOf = (base?: 'rows') =>
    numbers.flatMap(([, number, words, of]) =>
      words !== '' && of === base ? countWords(number, words) : [],
    );
  const parts = partsOf();
  const rowParts = partsOf('rows');
  const isOpen = ![0, 7, 9].includes(exit);
  const took = renderDuration(screen.elapsedMs);
  const several = refresh.currencies.map((currency) => currency ?? 'the default currency');
  const inCurrencies = several.length > 1 ? ` (records in ${listing(several)})` : '';
  const state =
    ids.length === 0 && !isOpen
      ? 'No organization registered'
      : `${count.format(tally.synced)} of ${plural(ids.length, 'organization')} up to date${inCurrencies}`;
  // Their research is complete, so that nothing else here shows that it found nothing.
  const isAsked = messages.isForPeople && stopped === 0 && stop === undefined;
  const unmatched = isAsked
    ? await findUnmatched(list, refresh.heads(ids))
    : { organizations: 0, named: [] };
  if (unmatched.organizations > 0)
    parts.unshift(
      `${count.format(unmatched.organizations)} of them not matched${unmatchedInWords(unmatched)}`,
    );
  const before = `${stopped > 0 ? 'Stopped' : 'Not finished'} after ${took}: `;
  const synthetic = session.identity().service === 'sandbox' ? ' Synthetic sandbox data.' : '';
  const next = isOpen ? ` Run the same command ${again(flags)} to continue` : '';
  const organizations = [isOpen ? `${before}${state}` : `${state} in ${took}`, ...parts];
  const ofRows = rowParts.length > 0 ? ` Rows: ${rowParts.join(', ')}.` : '';
  const text = `${organizations.join(', ')}.${ofRows}${synthetic}${next}`;
  const step = matchingStep(session, list, unmatched);
  messages.print({ level: exit === 0 ? 'progress' : 'result', text }, ...(step ? [step] : []));
  if (!list.isStdin && tally.synced > 0 && (!isOpen || exit === 8)) {
    const input = [fileWord(list.list), ...keepWords(flags.keep)];
    const report = session.commandLine('report', ...input, '-o', 'report.html');
    const check = session.commandLine('check', ...input);
    const commands = [session.commandLine('list', ...input), check, report];
    if (await hasSpend(list.table.mapping))
      commands.push(session.commandLine('footprint', ...input));
    messages.print({ level: 'progress', text: 'Next:', commands });
  }
  const retrieved = refresh.retrieved.size;
  const elapsed_ms = Math.round(screen.elapsedMs);
  session.summary = { ...Object.fromEntries(numbers), retrieved, exit, elapsed_ms };
  await show(session, { document: { summary: session.summary } });
  return exit;
}

/* Only a list with other columns needs the code that knows their headers. */
async function hasSpend({ unused }: Mapping): Promise<boolean> {
  if (unused.length === 0) return false;
  const { isSpendHeader } = await import('../../../../portfolio/footprint/spend/columns.ts');
  return unused.some(isSpendHeader);
}

/* Counts each organization of the list once, by the record that most needs another run. */
function tallyOf({ refresh, ids }: SyncRun): Readonly<Record<RecordState, number>> {
  const tally = Object.fromEntries(states.map((state) => [state, 0])) as Record<
    RecordState,
    number
  >;
  for (const id of ids) {
    const all = refresh.currencies.map((currency) =>
      stateOf(refresh, refresh.store.head(id, currency)),
    );
    tally[states.find((state) => all.includes(state)) ?? 'synced'] += 1;
  }
  return tally;
}

/* An organization with records in several currencies has the first of their states. */
const states = [
  'inProgress',
  'notRetrieved',
  'withoutRecord',
  'removed',
  'errored',
  'synced',
] as const;

type RecordState = (typeof states)[number];

function stateOf(refresh: Refresh, head: StoredEntry | undefined): RecordState {
  if (head === undefined) return 'notRetrieved';
  if (!head.hasRecord) return 'withoutRecord';
  if (head.isRemoved) return 'removed';
  if (isInProgress(head)) return 'inProgress';
  if (head.status === 'errored') return 'errored';
  return refresh.isDue(head) ? 'notRetrieved' : 'synced';
}

/**
 * Returns the exit code of a run. The strongest reason wins; failures that earlier runs reported do
 * not count.
 */
export function exitOfSync(run: SyncRun): number {
  const { rows, refresh, stop } = run;
  const { isDown, newFailures, left } = rows.outcome;
  const failed = refresh.failed.map(({ error }) => exitCodeOf(error) === 6);
  if (stop !== undefined && [1, 4].includes(exitCodeOf(stop))) return exitCodeOf(stop);
  if (stop !== undefined || isDown || failed.includes(true)) return 6;
  if (failed.length > 0 || newFailures > 0) return 9;
  if (refresh.errored.size > 0) return 7;
  return tallyOf(run).inProgress + refresh.remaining + left > 0 ? 8 : 0;
}

/* Names what this run is the first to find. */
function notices({ failed, errored, removed }: Refresh): Notice[] {
  const texts = failed
    .slice(0, maxNamed)
    .map(({ id, error }) => `Not retrieved: ${id}: ${error.message}`);
  const names = [...errored].map(([id, name]) => (name === '' ? `ID ${id}` : `${name} (ID ${id})`));
  if (names.length > 0) texts.push(`Research failed for ${named(names)}`);
  const gone = [...removed].map((id) => `ID ${id}`);
  if (gone.length > 0) texts.push(`The service no longer has ${named(gone)}`);
  return texts.map((text) => ({ level: 'failure', text }));
}

function named(names: readonly string[]): string {
  return `${plural(names.length, 'organization')}: ${naming(names, maxNamed)}`;
}
