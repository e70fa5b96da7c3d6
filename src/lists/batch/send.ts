/*
 * Sends the rows of a checked file. Outcomes go from the row tracker into the journal writer; each
 * group that the writer returns is durable, and only then reported to the caller.
 */
import {
  isJudgment,
  NotFoundError,
  RejectedError,
  UnauthorizedError,
} from '../../client/api/errors.ts';
import {
  type Environment,
  type Limited,
  type Outcome,
  schedule,
} from '../../client/api/scheduler.ts';
import type { RequestPacer } from '../../client/pace/pacer.ts';
import type { Registration } from '../../client/registration/fields.ts';
import {
  CarbonError,
  HintedError,
  InterruptedError,
  toCarbonError,
} from '../../runtime/carbon-error.ts';
import { WakeUp } from '../../runtime/clock.ts';
import { type Journal, type Journals, quotaLine } from '../kept/journal.ts';
import { type IdentifiedTable, rereadRows } from '../list/rows.ts';
import type { Preflight } from './preflight.ts';
import type { RowActionOptions } from './row-plan.ts';
import {
  type Accepted,
  type Job,
  JournalWriter,
  type RowEvent,
  RowTracker,
  type RunOutcome,
} from './rows.ts';

/** A request that a run sends before the rows. */
export interface OtherRequest {
  send(signal: AbortSignal): Promise<Limited>;
  judge(outcome: Outcome<Limited>): void | Promise<void>;
}

/** What a caller of `Batch.send` decides. */
export interface SendOptions
  extends Pick<Environment, 'random' | 'onWait' | 'onStall' | 'onShare'> {
  /**
   * Attempts once to register an organization.
   * @throws CarbonError; UnavailableError also for a response without a usable id
   */
  register(registration: Registration, signal: AbortSignal): Promise<Accepted>;
  readonly pacer: RequestPacer;
  /** Maximum time for requests in flight after a run was stopped, in milliseconds. */
  readonly graceMs: number;
  /** Maximum number of rows to send; the others stay for the next run. */
  readonly maxNew?: number | undefined;
  readonly before?: Iterable<OtherRequest> | undefined;
  /** Maximum time for a service that does not respond yet, in milliseconds. */
  readonly maxStartMs?: number | undefined;
  /** Receives durable outcomes in groups; the run waits until the promise resolves. */
  onEvents(events: readonly RowEvent[]): void | Promise<void>;
}

export interface RunOptions
  extends SendOptions,
    RowActionOptions,
    Pick<Environment, 'clock' | 'signal'> {
  readonly table: IdentifiedTable;
  readonly journals: Journals;
  readonly journal: Journal;
}

/* So many organizations may get a 403 before it counts as that of the key. */
const maxForbidden = 3;

/**
 * Sends every row that must be sent, and waits until all outcomes are durable and reported.
 * @param checked what the check of the file counted
 */
export async function sendRows(
  options: RunOptions,
  checked: Pick<Preflight, 'rows' | 'counts'>,
): Promise<RunOutcome> {
  const { journal, journals, clock, signal, pacer, graceMs, register } = options;
  const writer = new JournalWriter(journal, clock);
  const rows = new RowTracker({ ...options, writer });
  const groups = readJobs(options, rows);
  let jobs: Job[] = [];
  let remaining = options.maxNew ?? Number.POSITIVE_INFINITY;
  /* Ends the run after a failure of this machine. */
  const failed = new AbortController();
  let forbidden: Job | undefined;
  const counts = {
    registered: 0,
    skipped: checked.counts.done,
    duplicate: 0,
    rejected: checked.counts.rejected,
    postponed: 0,
    invalid: checked.counts.invalid,
  };
  let newFailures = 0;
  const others = (options.before ?? [])[Symbol.iterator]();
  /* Whether the other requests have failed and nothing was accepted yet: then rows take turns. */
  let isStuck = false;
  let isTurnOfRow = false;
  /* After a run that a used-up quota ended, one row shows whether it accepts more. */
  let isQuotaSuspected = journals.isQuotaUsedUp;
  let isProbing = false;
  const probed = new WakeUp(clock);
  let forbiddenOthers = 0;

  function next(): Work | undefined | Promise<Work | undefined> {
    isTurnOfRow = isStuck && !isTurnOfRow;
    if (!isTurnOfRow) return others.next().value ?? nextRow();
    return Promise.resolve(nextRow()).then((row) => row ?? others.next().value);
  }

  function nextRow(): Job | undefined | Promise<Job | undefined> {
    if (remaining === 0) return undefined;
    if (isQuotaSuspected) {
      if (isProbing) return probed.wait(Number.POSITIVE_INFINITY).then(nextRow);
      isProbing = true;
    }
    remaining -= 1;
    return jobs.pop() ?? readGroup();
  }

  function endProbe(): void {
    isProbing = false;
    probed.wake();
  }

  /* Reads the next rows, when the disk and the reader have caught up. */
  async function readGroup(): Promise<Job | undefined> {
    while (jobs.length === 0) {
      if (writer.isFull) await writer.drained();
      const { value } = await groups.next();
      if (value === undefined) return undefined;
      jobs = value.reverse();
    }
    return jobs.pop();
  }

  async function attempt(job: Work, ended: AbortSignal): Promise<Limited> {
    if ('send' in job) return sendOther(job, ended);
    try {
      return await register(job.registration, ended);
    } catch (error) {
      // Another failure may be that of this row, and must not keep the others waiting.
      if (!(error instanceof CarbonError) || error.status !== 429) endProbe();
      if (!isForbidden(error)) throw error;
      // Earlier runs registered rows and failed on this one, so it is not about the key.
      const isRepeated = job.hasFailedBefore || job.triedAt > 0;
      if (isRepeated && journals.hasRegistered) throw rowForbidden(error);
      // The service may forbid every row: the next run sends this one last.
      if (!rows.hasAcceptedRow) rows.noteTried(job, rowForbidden(error));
      forbidden ??= job;
      throw error;
    }
  }

  async function sendOther(other: OtherRequest, ended: AbortSignal): Promise<Limited> {
    try {
      const response = await other.send(ended);
      rows.accepted();
      isStuck = false;
      return response;
    } catch (error) {
      if (error instanceof NotFoundError) rows.accepted();
      isStuck = !rows.hasAccepted;
      if (!isStuck || !isForbidden(error)) throw error;
      // An organization that the key may not see must not stop the rows.
      forbiddenOthers += 1;
      throw forbiddenOthers > maxForbidden ? error : requestForbidden(error);
    }
  }

  function judge(job: Work, outcome: Outcome<Limited>): undefined | Promise<undefined> {
    if ('send' in job) return Promise.resolve(job.judge(outcome)).then(() => undefined);
    const { response, error } = outcome;
    if (error === undefined || isJudgment(error)) isQuotaSuspected = false;
    endProbe();
    if (error === undefined) {
      rows.registered(job, response as Accepted);
      if (rows.repeatedResponse !== undefined) throw rows.repeatedResponse;
    } else if (error instanceof RejectedError || error instanceof NotFoundError)
      rows.rejected(job, error);
    // A key that may retrieve records may still register nothing.
    else if (isForbidden(error) && !rows.hasAcceptedRow) throw error;
    else rows.postponed(job, isForbidden(error) ? rowForbidden(error) : error);
    return undefined;
  }

  async function sendAll(): Promise<CarbonError | undefined> {
    const results = schedule(
      { ...options, signal: AbortSignal.any([signal, failed.signal]) },
      {
        next,
        attempt,
        judge,
        pacer,
        mayStart: true,
        graceMs,
        maxStartMs: options.maxStartMs,
        isQuotaSuspected: (job) => isQuotaSuspected && !('send' in job),
        isKnownToFail: (job) => !('send' in job) && rows.isKnownToFail(job),
        // The next run sends the row last.
        leave(job, error) {
          if (!('send' in job)) rows.noteTried(job, error);
        },
      },
    );
    try {
      for await (const _ of results);
      return undefined;
    } catch (thrown) {
      if (signal.aborted && !(thrown instanceof CarbonError)) return new InterruptedError();
      const error = toCarbonError(thrown);
      if (forbidden === undefined || !isForbidden(error)) return error;
      const { message, status, title, detail } = error;
      return new UnauthorizedError(`line ${forbidden.line}: ${message}`, { status, title, detail });
    }
  }

  function count(event: RowEvent): void {
    if (event.kind === 'registered' || event.kind === 'withdrawn') {
      const sign = event.kind === 'registered' ? 1 : -1;
      counts.registered += sign;
      counts.duplicate += sign * (event.rows - 1);
    } else if ('rows' in event) counts[event.kind] += event.rows;
    if ('earlier' in event && !event.earlier) newFailures += 1;
  }

  /* Reports each group after its lines are durable. After a failed report, it only records. */
  async function reportOutcomes(): Promise<void> {
    let { onEvents } = options;
    try {
      for await (const events of writer.groups()) {
        try {
          await onEvents(events);
        } catch (error) {
          onEvents = () => undefined;
          failed.abort(toCarbonError(error));
        }
        events.forEach(count);
      }
    } catch (error) {
      failed.abort(toCarbonError(error));
    }
  }

  const reporting = reportOutcomes();
  let stop = await sendAll();
  await groups.return();
  rows.end();
  if (stop?.reason === 'quota') writer.note(quotaLine(stop, clock.now()));
  writer.end();
  await reporting;
  if (failed.signal.aborted) stop ??= failed.signal.reason;
  const left = checked.rows - Object.values(counts).reduce((sum, number) => sum + number, 0);
  return { counts, left, isDown: rows.isDown, newFailures, stop };
}

type Work = Job | OtherRequest;

/*
 * Yields the rows to send: those that no run has tried, those that were tried, the longest ago
 * first, and those that earlier runs failed on.
 */
async function* readJobs(
  { table }: RunOptions,
  rows: RowTracker,
): AsyncGenerator<Job[], void, void> {
  const later: Job[] = [];
  for await (const group of rereadRows(table)) {
    const jobs = group.rows.flatMap((row) => rows.start(row) ?? []);
    later.push(...jobs.filter(isTried));
    yield jobs.filter((job) => !isTried(job));
  }
  yield later.sort(
    (a, b) => Number(a.hasFailedBefore) - Number(b.hasFailedBefore) || a.triedAt - b.triedAt,
  );
}

function isTried({ hasFailedBefore, triedAt }: Job): boolean {
  return hasFailedBefore || triedAt > 0;
}

function isForbidden(error: unknown): error is UnauthorizedError {
  return error instanceof UnauthorizedError && error.status === 403;
}

function requestForbidden({ message, status, title, detail }: CarbonError): CarbonError {
  return new CarbonError('unauthorized', message, { status, title, detail });
}

function rowForbidden({ message, status, title, detail }: CarbonError): CarbonError {
  const hint =
    'Ask the operator of the service whether your account may register this organization. A firewall may also reject its values.';
  return new HintedError(
    'unauthorized',
    `The service rejected this row (403): ${detail ?? title ?? message}`,
    { status, title, detail, hint },
  );
}
