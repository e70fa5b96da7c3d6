/* `carbon sync`: registers what is new in a list, follows the research, and keeps the records. */
import { existsSync, rmSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { comparableId, type OrganizationId } from '../../../../client/api/ids.ts';
import { checkCurrency } from '../../../../client/registration/iso-codes.ts';
import { plural } from '../../../../display/terminal/format.ts';
import type { Batch } from '../../../../lists/batch/batch.ts';
import { Refresh } from '../../../../lists/batch/refresh.ts';
import { Journal } from '../../../../lists/kept/journal.ts';
import { dayOf, isListed } from '../../../../lists/kept/lines.ts';
import {
  completeNote,
  endsWith,
  findJournals,
  findMissingLists,
  storePaths,
} from '../../../../lists/kept/paths.ts';
import { RecordStore } from '../../../../lists/kept/store.ts';
import { invalidInput, LocalError, toCarbonError } from '../../../../runtime/carbon-error.ts';
import { flush } from '../../../../runtime/context.ts';
import { openToRead, stampOf } from '../../../../runtime/file-lines.ts';
import { command, hint } from '../../../../runtime/hint.ts';

import { printRegistering } from '../../../dry-run.ts';
import { Declined, finishedExits } from '../../../errors.ts';
import {
  type CommandDeclaration,
  currencies,
  type OptionGroups,
  type OptionSpec,
  type OptionValues,
  readCount,
  readCurrency,
  readTime,
  requireCurrency,
  serviceOptions,
} from '../../../options.ts';
import type { OutFile } from '../../../output/out-file.ts';
import { byForm, openOut } from '../../../output/show.ts';
import type { Session } from '../../../session.ts';
import { warnOfRemoved } from '../batch/listing.ts';
import {
  batchOptions,
  openList,
  type RunService,
  register,
  serviceOf,
  withInput,
} from '../batch/open-list.ts';
import { exitOfStop } from '../batch/summary.ts';
import { hasNoMatch } from '../batch/unmatched.ts';
import { endSync, exitOfSync, type SyncRun } from './summary.ts';

const recordOptions = [
  {
    flags: '--max-age <duration>',
    description: 'retrieve records again after this time; 0 for all, never for none',
    parse: (text) => (text === 'never' ? Number.POSITIVE_INFINITY : readTime('--max-age')(text)),
    default: 86_400_000,
    shownDefault: '1d',
  },
  {
    flags: '--timeout <duration>',
    description: 'stop following research after this time, 0 for no limit',
    parse: readTime('--timeout'),
    default: 1_800_000,
    shownDefault: '30m',
  },
  {
    flags: '--currency <code>',
    description: 'keep records in this currency as well (repeatable)',
    offers: currencies,
    parse: (text, sofar: readonly string[] = []) => [
      ...sofar,
      requireCurrency(checkCurrency(text), text, '--currency'),
    ],
  },
  {
    flags: '--max-new <n>',
    description: 'register at most this many organizations',
    parse: readCount('--max-new', 0, 1_000_000_000, 100),
  },
] as const satisfies readonly OptionSpec[];

const syncOptions = {
  'Input file': batchOptions['Input file'],
  'What to send': batchOptions['What to send'],
  Records: recordOptions,
  Pace: batchOptions.Pace,
  Files: batchOptions.Files,
} as const satisfies OptionGroups;

export type SyncFlags = OptionValues<typeof syncOptions>;

const howItWorks = `
A registration uses quota and can't be undone: check with --dry-run first. To
resume, or every night, run it again. carbon list, report, footprint, diff and
check read the records next to the file.

Exit codes: 0 all current, 1 local failure, 2 nothing was sent, 4 API key
missing or rejected, 6 try later, 7 research failed, 8 research in progress or a
limit reached, 9 rows failed (7 and 9: only new failures).
More: docs/batch.md (carbon help docs)`;

export const syncCommand: CommandDeclaration<typeof syncOptions> = {
  name: 'sync',
  group: 'Lists',
  summary: 'Register a list, follow the research and keep its records',
  arguments: [
    {
      term: '<file>',
      description: 'CSV file or .xlsx workbook with a header line, or - for standard input',
    },
  ],
  options: syncOptions,
  examples: [
    'carbon sync suppliers.xlsx',
    'carbon sync suppliers.xlsx -o results.xlsx',
    'carbon sync suppliers.csv --no-progress --invalid skip',
  ],
  notes: howItWorks,
  formats: ['human', 'json', 'ids'],
  service: serviceOptions,
  missing: ['a file', hint`Try ${command`sync suppliers.xlsx`}.`],
  run: (session, [file = ''], flags) => sync(session, file, flags),
};

async function sync(session: Session, file: string, flags: SyncFlags): Promise<number> {
  const currency = flags.currency ?? [(await readCurrency(session, undefined)) ?? []].flat();
  const out = await openOut(session, flags.out, {
    extensions: ['.xlsx', '.csv'],
    inputs: [file],
  });
  return withInput(session, file, flags, async (input) => {
    if (flags.status) {
      const { reportStatus } = await import('../batch/status.ts');
      return reportStatus(session, input, flags);
    }
    const known = new Map<OrganizationId, OrganizationId>();
    const onRegistered = (id: OrganizationId) => void known.set(comparableId(id), id);
    // People read first what a run would do, and then how the list was read.
    if (flags.dryRun) session.messages.hold();
    let list: Batch | undefined;
    try {
      list = await openList(session, input, flags, { out, onRegistered });
      const listed = { list, known: [...known.values()] };
      return await syncList(session, listed, { ...flags, currency }, out);
    } finally {
      session.messages.release();
      list?.close();
    }
  });
}

/** A list, and the organizations of its rows that earlier runs have registered. */
interface KnownList {
  readonly list: Batch;
  readonly known: readonly OrganizationId[];
}

type RunFlags = SyncFlags & { readonly currency: NonNullable<SyncFlags['currency']> };

async function syncList(
  session: Session,
  listed: KnownList,
  flags: RunFlags,
  out: OutFile | undefined,
): Promise<number> {
  const { list } = listed;
  const isFirst = !existsSync(storePaths(list.list, list.keeping).records);
  const store = await openStore(session, list, flags);
  let isDeclined = false;
  try {
    checkStored(session, listed, flags, store);
    const refresh = new Refresh(store, flags.currency, flags.maxAge, session.context.clock);
    if (flags.dryRun) return reportPlan(session, listed, flags, refresh);
    return await runSync(session, listed, flags, { store, refresh, out });
  } catch (error) {
    isDeclined = error instanceof Declined;
    throw error;
  } finally {
    await store.close();
    // A run that the user declined leaves no file.
    if (isDeclined && isFirst && statSync(store.path).size === 0) rmSync(store.path);
  }
}

/* The records that a run keeps, and the file of -o. */
interface RunFiles {
  readonly store: RecordStore;
  readonly refresh: Refresh;
  readonly out: OutFile | undefined;
}

/*
 * Sends new rows, retrieves records, and writes results. After a failure of one step, the next ones
 * do what they still can.
 */
async function runSync(
  session: Session,
  listed: KnownList,
  flags: RunFlags,
  { store, refresh, out }: RunFiles,
): Promise<number> {
  const { context } = session;
  const { list } = listed;
  const service = serviceOf(session, flags);
  const sent = await sendNewRows(session, listed, flags, { service, store, refresh });
  const { rows, registered, ids, hasNew } = sent;
  let { stop } = sent;
  const canRetrieve = stop === undefined || stop.reason === 'quota';
  const records = canRetrieve ? refresh.findDue(ids) : [];
  if (records.length > 0 || (canRetrieve && hasNew)) {
    const { retrieveRecords } = await import('./run.ts');
    const options = { ids, records, registered, timeoutMs: flags.timeout };
    await retrieveRecords(session, service, refresh, options).catch((error: unknown) => {
      stop = toCarbonError(error);
    });
  }
  // After a signal or a failure of this machine, such as a full disk, the next run does the rest.
  const canFinish = () => exitOfStop(context) === 0 && !(stop instanceof LocalError);
  if (canFinish() && byForm(session, { terminal: false, pipe: false, other: true }, out)) {
    const { showResults } = await import('./results.ts');
    await showResults(session, list, refresh, out).catch((error: unknown) => {
      if (!(error instanceof LocalError)) throw error;
      stop = error;
    });
  }
  const run = { rows, refresh, ids, registered, stop };
  if (canFinish()) await noteFinished(session, { list, store }, run, flags);
  await flush(context);
  const exit = await endSync(session, flags, run);
  if (exitOfStop(context) > 0) throw context.signal.reason;
  return exit;
}

interface SentRows extends Omit<SyncRun, 'refresh'> {
  /** Whether the list had rows that no earlier run has registered. */
  readonly hasNew: boolean;
}

/* Registers new rows, and finds the organizations of the list. */
async function sendNewRows(
  session: Session,
  { list, known }: KnownList,
  flags: RunFlags,
  { service, store, refresh }: Pick<RunFiles, 'store' | 'refresh'> & { service: RunService },
): Promise<SentRows> {
  const hasNew = list.preflight.counts.new > 0;
  const earlier = hasNew
    ? new Set([...known, ...[...store.heads()].map(({ id }) => id)].map(comparableId))
    : undefined;
  const isNew = (id: OrganizationId) => earlier?.has(comparableId(id)) === false;
  const before = hasNew ? await retrieveFirst(service, refresh, known, flags) : {};
  let registered = 0;
  const added: OrganizationId[] = [];
  const rows = await register(session, list, flags, {
    service,
    printsRows: false,
    maxNew: flags.maxNew,
    ...before,
    onEvents(events) {
      for (const event of events)
        if (event.kind === 'registered') {
          added.push(event.id);
          if (isNew(event.id)) registered += 1;
        } else if (event.kind === 'withdrawn' && isNew(event.was)) registered -= 1;
    },
  });
  let { stop } = rows.outcome;
  let ids = known;
  try {
    if (hasNew && !(stop instanceof LocalError)) ids = await idsOf(list);
  } catch (error) {
    stop = toCarbonError(error);
  }
  // Without the list or the journal, what is on the disk counts.
  if (hasNew && stop instanceof LocalError) ids = unique([...known, ...added]);
  return { rows, registered, ids, stop, hasNew };
}

/* Notes what the list has, and whether it is complete, for the next run and other commands. */
async function noteFinished(
  { context }: Session,
  { list, store }: Pick<KnownList, 'list'> & Pick<RunFiles, 'store'>,
  run: SyncRun,
  { acceptRemoved }: SyncFlags,
): Promise<void> {
  const { rows, refresh, ids } = run;
  // A list without rows is more likely a failed export than an empty portfolio.
  if (list.preflight.rows > 0 || acceptRemoved)
    await store.finish(ids, dayOf(new Date(context.clock.now()).toISOString()));
  if (finishedExits.includes(exitOfSync(run))) await list.noteListing();
  const { counts, left } = rows.outcome;
  const open = left + counts.rejected + counts.postponed + counts.invalid;
  const records = refresh.heads(ids).filter(({ hasRecord }) => hasRecord).length;
  if (open === 0 && records === ids.length * refresh.currencies.length)
    await noteComplete(list, store.path);
}

/* Records that are due are retrieved before rows are sent, which the service may fail on. */
async function retrieveFirst(
  service: RunService,
  refresh: Refresh,
  known: readonly OrganizationId[],
  { timeout }: SyncFlags,
) {
  const { describeRetrieval, maxStartOf, retrievalsOf } = await import('./run.ts');
  const due = refresh.findDue(known);
  return {
    before: retrievalsOf(service, refresh, due),
    describe: () => describeRetrieval(refresh, due.length),
    maxStartMs: maxStartOf(timeout),
  };
}

/* Notes that each row has a record, so that no command reads the list only to find that out. */
async function noteComplete(list: Batch, records: string): Promise<void> {
  const { journal: path, isStdin, table } = list;
  const { stamp } = table.source;
  if (isStdin || stamp === undefined || !existsSync(path)) return;
  const note = completeNote(stamp, stampOf(statSync(records)));
  if (endsWith(path, note)) return;
  try {
    const journal = await Journal.open(path, list.lock);
    await journal.append(note).finally(() => journal.close());
  } catch (error) {
    // The run is complete without the note.
    if (!(error instanceof LocalError)) throw error;
  }
}

/* Returns the organizations of the rows, each once. */
async function idsOf(list: Batch): Promise<OrganizationId[]> {
  const ids: OrganizationId[] = [];
  for await (const plan of list.plans()) if (plan.step === 'done') ids.push(plan.id);
  return unique(ids);
}

function unique(ids: readonly OrganizationId[]): OrganizationId[] {
  return [...new Map(ids.map((id) => [comparableId(id), id])).values()];
}

/* Opens the store of a list or a sheet. A dry run creates no file. */
function openStore(
  { messages }: Session,
  { list, keeping, lock, table }: Batch,
  { dryRun = false }: SyncFlags,
): Promise<RecordStore> {
  // A dry run without an account reads the records of any service.
  const service = table.service || undefined;
  const openFile = (path: string) => openToRead(existsSync(path) ? path : devNull);
  const paths = storePaths(list, keeping);
  const isUnmatched = messages.isForPeople ? hasNoMatch : undefined;
  const options = { paths, service, isReadOnly: dryRun, openFile, lock, isChanged, isUnmatched };
  return RecordStore.open(options);
}

/* Compares two records: changes of retrieval dates and exchange rates make no new version. */
async function isChanged(older: string, newer: string): Promise<boolean> {
  const [{ significantChanges }, { createTakeSnapshot }, { readRecord }] = await Promise.all([
    import('../../../../portfolio/report/diff.ts'),
    import('../../../../portfolio/report/snapshot.ts'),
    import('../../../../client/api/read-record.ts'),
  ]);
  const takeSnapshot = createTakeSnapshot();
  const take = (json: string) => takeSnapshot(readRecord(JSON.parse(json)).record);
  return significantChanges(take(older), take(newer)).length > 0;
}

/*
 * Compares the organizations of a list with those that its store had when a run found them last.
 * @throws UsageError if they have none in common: one of the two is that of another list
 */
function checkStored(
  session: Session,
  { list: batch, known }: KnownList,
  flags: SyncFlags,
  store: RecordStore,
): void {
  const { list, keeping, journal, journals, preflight } = batch;
  const { restart = false } = flags;
  const [missing, ...others] =
    findJournals(list, keeping).length > 0 ? [] : findMissingLists(list, keeping);
  const ids = new Set(known.map(comparableId));
  const listed = new Set([...store.heads()].filter(isListed).map(({ id }) => comparableId(id)));
  const found = [...listed].filter((id) => ids.has(id)).length;
  const had = plural(listed.size, 'organization');
  if (listed.size > 0 && found === 0 && preflight.rows > 0 && !restart && !flags.acceptRemoved)
    throw invalidInput(
      `${store.path} has the records of ${had}, none of which ${list} has`,
      `If the journal ${journal} is lost, restore it, or use --restart: carbon sends every row again, and each gets the same ID. If you replaced every row, add --accept-removed. If these are the records of another list, use --keep <dir>.`,
    );
  if (missing !== undefined && others.length === 0)
    session.messages.warn(
      `${list} has no journal, but ${missing}.* belong to a list that no longer exists. If you renamed that list, rename these files as well; otherwise every row is sent again.`,
    );
  // Without a run that finished, the journal does not say what the list had.
  if (!journals.hasFinished && !restart)
    warnOfRemoved(session, batch, { had: listed.size, removed: listed.size - found });
}

function reportPlan(
  session: Session,
  { list: { preflight }, known }: KnownList,
  { maxNew = Number.POSITIVE_INFINITY }: SyncFlags,
  refresh: Refresh,
): number {
  const { new: pending, rejected, invalid } = preflight.counts;
  const rows = Math.min(pending, maxNew);
  const records = refresh.findDue(known).length + rows * refresh.currencies.length;
  const text = `A run would ${describePlan(rows, records)}${describeFailed(rejected, invalid)}.`;
  session.summary = { new: rows, records };
  if (rows > 0) printRegistering(session);
  session.messages.summarizeFirst({ level: 'result', text }, session.summary);
  return invalid > 0 ? 9 : 0;
}

function describePlan(rows: number, records: number): string {
  if (rows === 0 && records === 0) return 'send nothing';
  const registered = rows === 0 ? 'nothing new' : plural(rows, 'organization');
  return `register ${registered} and retrieve ${plural(records, 'record')}`;
}

/* Says which rows no run sends before someone corrects them. */
function describeFailed(rejected: number, invalid: number): string {
  const rows = [
    ...(rejected > 0 ? [`${plural(rejected, 'row stays', 'rows stay')} rejected`] : []),
    ...(invalid > 0 ? [`${plural(invalid, 'row is', 'rows are')} invalid`] : []),
  ];
  return rows.map((each) => `; ${each}`).join('');
}
