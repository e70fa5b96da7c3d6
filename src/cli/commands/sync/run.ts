/*
 * One run of `carbon sync`: opens the store before anything is sent, and after the rows of the list
 * are registered retrieves, follows and keeps the records.
 */
import { existsSync } from 'node:fs';
import { comparableId, type OrganizationId, readReference } from '../../../api/ids.ts';
import { reader } from '../../../api/in-order.ts';
import type { RecordResponse } from '../../../api/responses.ts';
import { type Outcome, schedule } from '../../../api/scheduler.ts';
import { type WatchOptions, watch } from '../../../api/watch.ts';
import type { Batch } from '../../../batch/batch.ts';
import { summarizeFindings } from '../../../checks/findings.ts';
import {
  findMissingLists,
  isOfSandbox,
  type StorePaths,
  storePaths,
} from '../../../list/kept-files.ts';
import { Pacer } from '../../../pace/pacer.ts';
import {
  type CarbonError,
  invalidInput,
  LocalError,
  toCarbonError,
  type UsageError,
} from '../../../runtime/carbon-error.ts';
import { flush, Stopped } from '../../../runtime/context.ts';
import { type DueRecords, findDue, Refresh } from '../../../sync/refresh.ts';
import { isInProgress, isListed, keyOf, type RecordKey, RecordStore } from '../../../sync/store.ts';
import { count, plural, renderDuration } from '../../../terminal/format.ts';
import { exitOfSignal } from '../../errors.ts';
import { withLiveStatus } from '../../live-status.ts';
import type { Notice } from '../../messages.ts';
import { readCurrency } from '../../option-parsers.ts';
import { compactJson } from '../../output/json.ts';
import { OutFile } from '../../output/out-file.ts';
import type { Session } from '../../session.ts';
import type { BatchEnd } from '../batch/command.ts';
import { named } from '../batch/summary.ts';
import { ChangeLog } from './changes.ts';
import type { SyncFlags } from './command.ts';
import { readResults } from './results.ts';
import { endSync, researchNotices, type Tally, tallyOf } from './summary.ts';

/** The parts of a run that its summary reports. */
export interface SyncState {
  readonly list: string;
  readonly store: RecordStore;
  /** The organizations of the list by the state of their research. */
  readonly tally: Tally;
  /** Number of organizations that no earlier run knew. */
  readonly registered: number;
  /** The currency of the views; null for the service's default. */
  readonly currency: string | null;
  readonly refresh: Refresh;
  readonly changes: ChangeLog;
  /** Number of records that are due, but that this run did not come to. */
  readonly remaining: number;
  /** The error that ended the registration or the retrieval. */
  readonly stop: CarbonError | undefined;
  readonly flags: SyncFlags;
}

/** Keeps the records of one list current. Call `close` at the end. */
export class SyncRun {
  readonly #session: Session;
  readonly #flags: SyncFlags;
  readonly #changes = new ChangeLog();
  readonly #given: readonly string[];
  #list = '';
  #store: RecordStore | undefined;
  readonly #out: OutFile | undefined;
  #currencies: readonly (string | null)[] = [];
  /* Number of records that are due, but were not retrieved yet. */
  #remaining = 0;
  /* The organizations that earlier runs registered or kept. */
  readonly #earlier = new Set<OrganizationId>();
  /* The ids of the rows that earlier runs registered, in their order. */
  readonly #known = new Map<OrganizationId, OrganizationId>();

  private constructor(
    session: Session,
    flags: SyncFlags,
    given: readonly string[],
    out: OutFile | undefined,
  ) {
    this.#session = session;
    this.#flags = flags;
    this.#given = given;
    this.#out = out;
  }

  /** @throws UsageError for an invalid currency and as `OutFile.open` does */
  static async open(session: Session, file: string, flags: SyncFlags): Promise<SyncRun> {
    const given: string[] = [];
    for (const flag of flags.currency ?? [undefined]) {
      const currency = await readCurrency(session, flag);
      if (currency !== undefined) given.push(currency);
    }
    const files = { extensions: ['.xlsx', '.csv'], inputs: [file] } as const;
    const target = await OutFile.open(session, flags.out, files);
    return new SyncRun(session, flags, given, target);
  }

  /** Receives the id of each row that an earlier run registered. */
  addKnown(id: OrganizationId): void {
    this.#known.set(comparableId(id), id);
    this.#earlier.add(comparableId(id));
  }

  /**
   * Opens the store, before anything is sent; in a dry run, reports what a run would retrieve.
   * @throws UsageError for the records of another service or list, and for a list that lost its
   * journal; LocalError if the store cannot be written
   */
  async prepare(opened: Batch, list: string): Promise<void> {
    const { keep, sheet, dryRun, restart } = this.#flags;
    const sandbox = this.#session.flags.sandbox === true;
    this.#list = list;
    // The name as the workbook has it, however the user wrote it.
    const named = sheet === undefined ? undefined : opened.table.dialect.sheet;
    const paths = storePaths(list, { keep, sandbox }, named);
    // A dry run creates no file, and renames none that a sandbox run of 0.2.0 left.
    const { records } = paths;
    const hasStore = existsSync(records) && (sandbox || !isOfSandbox(records));
    const store = dryRun && !hasStore ? undefined : await this.#openStore(paths, opened.lost);
    this.#store = store;
    const heads = store === undefined ? [] : [...store.heads()];
    const stored = new Set(heads.map(({ currency }) => currency));
    const wanted = this.#given.length > 0 || stored.size > 0 ? this.#given : [null];
    this.#currencies = [...new Set([...wanted, ...stored])];
    for (const { id } of heads) this.#earlier.add(comparableId(id));
    const listed = new Set(heads.filter(isListed).map(({ id }) => comparableId(id)));
    const found = [...listed].filter((id) => this.#known.has(id)).length;
    if (listed.size > 0 && found === 0 && opened.preflight.rows > 0 && !restart)
      throw otherList(opened, list, paths.records, listed.size);
    const [missing, ...others] = existsSync(opened.journal)
      ? []
      : findMissingLists(list, { keep, sandbox });
    if (missing !== undefined && others.length === 0)
      this.#session.messages.warn(
        `${list} has no journal, but ${missing}.* belong to a list that no longer exists. If you renamed that list, rename these files as well; otherwise every row is sent again.`,
      );
    if (2 * found < listed.size && !restart)
      this.#session.messages.warn(
        `${list} has ${plural(opened.preflight.rows, 'row')}, with ${found} of the ${plural(listed.size, 'organization')} that it had. If the file is incomplete, restore it and run the same command again. Their records are kept.`,
      );
    if (dryRun) this.#reportPlan(opened);
  }

  async #openStore(paths: StorePaths, lost: AbortSignal | undefined): Promise<RecordStore> {
    const { service } = this.#session.identity();
    const isReadOnly = this.#flags.dryRun === true;
    const isChanged = (older: string, newer: string) => this.#changes.isChanged(older, newer);
    const store = await RecordStore.open({ paths, service, isReadOnly, lost, isChanged });
    for (const line of store.damagedLines)
      this.#session.messages.warn(
        `${paths.records}, line ${line}, cannot be read; its record is retrieved again.`,
      );
    return store;
  }

  #reportPlan(opened: Batch): void {
    const { maxAge } = this.#flags;
    const store = this.#store ?? { head: () => undefined };
    const due = this.#findDue(store, [...this.#known.values()]);
    const rows = opened.preflight.counts.new;
    const reasons = [
      ...named(due.missing, 'without a record'),
      ...named(due.inProgress, 'in progress'),
      ...named(due.old, maxAge === 0 ? 'current' : `older than ${renderDuration(maxAge)}`),
    ];
    const known = reasons.length === 0 ? '' : `: ${[...named(rows, 'new'), ...reasons].join(', ')}`;
    const records = plural(due.records.length + rows * this.#currencies.length, 'record');
    this.#session.summarize(
      {
        level: 'result',
        text: `A run would register ${plural(rows, 'organization')} and retrieve ${records}${known}.`,
      },
      { new: rows, missing: due.missing, in_progress: due.inProgress, old: due.old },
    );
  }

  /** Retrieves and keeps the records, reports how the run ended, and returns the exit code. */
  async end(end: BatchEnd): Promise<number> {
    const { context } = this.#session;
    const store = this.#store as RecordStore;
    end.screen.close();
    // The check has found the ids of all rows if there was nothing to send.
    const hasNew = end.opened.preflight.counts.new > 0;
    const ids = hasNew ? await idsOf(end.opened) : [...this.#known.values()];
    const registered = ids.filter((id) => !this.#earlier.has(comparableId(id))).length;
    const refresh = new Refresh(store, context.clock);
    let stop = end.outcome.stop;
    if (stop === undefined) {
      try {
        await this.#retrieve(ids, registered, refresh);
      } catch (error) {
        stop = toCarbonError(error);
      }
    }
    const currency = this.#currencies[0] ?? null;
    const state: SyncState = {
      list: this.#list,
      store,
      tally: tallyOf(store, ids, this.#currencies),
      registered,
      currency,
      refresh,
      changes: this.#changes,
      remaining: this.#remaining,
      stop,
      flags: this.#flags,
    };
    const { reason } = context.signal;
    const isStopped = reason instanceof Stopped;
    let findings = summarizeFindings([]);
    let research: Notice[] = [];
    // After a signal or a failure of this machine, such as a full disk, the next run does this.
    if (!isStopped && !(stop instanceof LocalError)) {
      findings = await readResults(this.#session, end.opened, state, this.#out);
      research = await researchNotices(state);
      // A list without rows is more likely a failed export than an empty portfolio.
      if (end.opened.preflight.rows > 0)
        await store.finish(ids, new Date(context.clock.now()).toISOString().slice(0, 10));
    }
    await flush(context);
    const signalExit = isStopped ? exitOfSignal(reason.by) : 0;
    const exit = endSync(this.#session, end, state, { findings, research, signalExit });
    if (isStopped) throw reason;
    return exit;
  }

  /** Closes the store. */
  async close(): Promise<void> {
    await this.#store?.close();
  }

  #findDue(store: Pick<RecordStore, 'head'>, ids: readonly OrganizationId[]): DueRecords {
    const nowMs = this.#session.context.clock.now();
    const { maxAge: maxAgeMs } = this.#flags;
    return findDue(store, { ids, currencies: this.#currencies, nowMs, maxAgeMs });
  }

  /* Retrieves what is due, then follows the research on what is in progress. */
  async #retrieve(
    ids: readonly OrganizationId[],
    registered: number,
    refresh: Refresh,
  ): Promise<void> {
    const { concurrency, rate } = this.#flags;
    const { records } = this.#findDue(this.#store as RecordStore, ids);
    this.#remaining = records.length;
    if (records.length === 0) return;
    const { client } = await this.#session.connect({ connections: concurrency, attempts: 1 });
    const pacer = new Pacer({ concurrency, maxRate: rate });
    const retrieve = ({ id, currency }: RecordKey, signal: AbortSignal) =>
      client.retrieve(String(id), { currency: currency ?? undefined, attempts: 1 }, signal);
    await this.#retrieveDue(records, { retrieve, pacer }, refresh);
    await this.#follow(ids, registered, { retrieve, pacer }, refresh);
  }

  async #retrieveDue(
    due: readonly RecordKey[],
    { retrieve, pacer }: Retrieval,
    refresh: Refresh,
  ): Promise<void> {
    let answered = 0;
    const total = plural(due.length, 'record');
    const text = () => `Retrieving ${count.format(answered)} of ${total}`;
    const judge = async (record: RecordKey, outcome: Outcome<RecordResponse>) => {
      answered += 1;
      this.#remaining -= 1;
      if (outcome.error !== undefined) await refresh.fail(record, outcome.error);
      else await take(refresh, record, outcome.response);
      return undefined;
    };
    const { next } = reader(due);
    const options = { next, attempt: retrieve, judge, pacer, mayStart: true };
    await withLiveStatus(this.#session, text, async () => {
      for await (const _ of schedule(this.#session.environment, options));
    });
  }

  /* Follows the research on what is in progress until it ends or the time limit. */
  async #follow(
    ids: readonly OrganizationId[],
    registered: number,
    retrieval: Retrieval,
    refresh: Refresh,
  ): Promise<void> {
    const store = this.#store as RecordStore;
    const { timeout: timeoutMs } = this.#flags;
    const open = new Map<string, RecordKey>();
    for (const id of ids)
      for (const currency of this.#currencies) {
        const head = store.head(id, currency);
        if (head !== undefined && isInProgress(head)) open.set(keyOf(head), head);
      }
    if (open.size === 0) return;
    const limit = timeoutMs === 0 ? '' : `up to ${renderDuration(timeoutMs)}; `;
    const first = registered > 0 ? `Registered ${plural(registered, 'organization')}. ` : '';
    this.#session.messages.print({
      level: 'detail',
      text: `${first}Waiting for research (${limit}Ctrl-C is safe)`,
    });
    const options = { ...retrieval, timeoutMs, isChecked: true };
    const text = () => `Waiting for research on ${plural(open.size, 'record')}`;
    await withLiveStatus(this.#session, text, async () => {
      for await (const event of watch(this.#session.environment, [...open.values()], options)) {
        const { kind, item } = event;
        if (kind === 'ended' || (kind === 'checked' && event.changed))
          await take(refresh, item, event.received);
        if (kind === 'failed') await refresh.fail(item, event.error);
        if (kind === 'ended' || kind === 'failed') open.delete(keyOf(item));
      }
    });
  }
}

/* How a run retrieves one record. */
type Retrieval = Pick<WatchOptions<RecordKey>, 'retrieve' | 'pacer'>;

async function take(refresh: Refresh, record: RecordKey, received: RecordResponse): Promise<void> {
  const { status } = readReference(received.record);
  return refresh.take(record, status, compactJson(received.json));
}

/* Returns the organizations of the rows, each once. */
async function idsOf(opened: Batch): Promise<OrganizationId[]> {
  const ids = new Map<OrganizationId, OrganizationId>();
  for await (const plan of opened.plans())
    if (plan.step === 'done') ids.set(comparableId(plan.id), plan.id);
  return [...ids.values()];
}

/*
 * Returns the error for records that have no organization in common with the rows that the journal
 * links to them: one of the two is that of another list.
 */
function otherList({ journal }: Batch, list: string, path: string, stored: number): UsageError {
  const records = plural(stored, 'organization');
  if (!existsSync(journal))
    return invalidInput(
      `${path} has the records of ${records}, but ${list} has no journal that links rows to them`,
      `Restore ${journal} from a backup. If it is lost, use --restart: carbon sends every row again, and each gets the same ID. If these are the records of another list, use --keep <dir>.`,
    );
  return invalidInput(
    `${path} has the records of ${records}, none of which is in ${list}`,
    'If these are the records of another list, use --keep <dir>. If you replaced every row of the list, move the file of records away first.',
  );
}
