/*
 * Sends the rows of a checked file. Outcomes go from the row tracker into the journal writer; each
 * group that the writer returns is durable, and only then reported to the caller.
 */
import { NotFoundError, RejectedError, UnauthorizedError } from '../api/errors.ts';
import { type Environment, type Outcome, schedule } from '../api/scheduler.ts';
import type { Journal, Journals } from '../list/journal.ts';
import { type IdentifiedTable, identifyRows, type RowActionOptions } from '../list/rows.ts';
import type { RequestPacer } from '../pace/pacer.ts';
import type { Registration } from '../registration/fields.ts';
import {
  CarbonError,
  HintedError,
  InterruptedError,
  toCarbonError,
} from '../runtime/carbon-error.ts';
import {
  type Accepted,
  type Job,
  JournalWriter,
  type RowEvent,
  RowTracker,
  type RunOutcome,
} from './rows.ts';

/** What a caller of `Batch.send` decides. */
export interface SendOptions extends Pick<Environment, 'random' | 'onWait' | 'onStall'> {
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

/**
 * Sends every row that must be sent, and waits until all outcomes are durable and reported.
 * @param total number of rows in the file, to count those that are left
 */
export async function sendRows(options: RunOptions, total: number): Promise<RunOutcome> {
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
    skipped: 0,
    duplicate: 0,
    rejected: 0,
    postponed: 0,
    invalid: 0,
  };
  let isDown = false;
  let newFailures = 0;

  function next(): Job | undefined | Promise<Job | undefined> {
    if (remaining === 0) return undefined;
    remaining -= 1;
    return jobs.pop() ?? readGroup();
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

  async function attempt(job: Job, ended: AbortSignal): Promise<Accepted> {
    try {
      return await register(job.registration, ended);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      // Earlier runs registered rows and failed on this one, so it is not about the key.
      if (job.hasFailedBefore && journals.hasRegistered) throw rowForbidden(error);
      // The service may forbid every row: the next run sends this one last.
      rows.noteFailure(job, rowForbidden(error));
      forbidden ??= job;
      throw error;
    }
  }

  function judge(job: Job, { response, error }: Outcome<Accepted>): undefined {
    if (error === undefined) {
      rows.registered(job, response);
      if (rows.repeatedResponse !== undefined) throw rows.repeatedResponse;
    } else if (error instanceof RejectedError || error instanceof NotFoundError)
      rows.rejected(job, error);
    else rows.postponed(job, isForbidden(error) ? rowForbidden(error) : error);
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
        hasFailedBefore: ({ hasFailedBefore }) => hasFailedBefore,
        // The next run sends the row last.
        leave: (job, error) => rows.noteFailure(job, error),
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
    if (event.kind === 'withdrawn') counts.registered -= 1;
    else counts[event.kind] += 1;
    if (event.kind === 'postponed') {
      const isOfRow = event.earlier && event.error.status !== undefined;
      isDown ||= !rows.hasAnswered && !isOfRow;
    }
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
  writer.end();
  await reporting;
  if (failed.signal.aborted) stop ??= failed.signal.reason;
  const left = total - Object.values(counts).reduce((sum, number) => sum + number, 0);
  return { counts, left, isDown, newFailures, stop };
}

/* Yields the rows to send. Those that earlier runs failed on come last: they stop no others. */
async function* readJobs(
  { table, random }: RunOptions,
  rows: RowTracker,
): AsyncGenerator<Job[], void, void> {
  const failed: Job[] = [];
  for await (const group of identifyRows(table)) {
    const jobs = group.rows.flatMap((row) => rows.start(row) ?? []);
    failed.push(...jobs.filter(({ hasFailedBefore }) => hasFailedBefore));
    yield jobs.filter(({ hasFailedBefore }) => !hasFailedBefore);
  }
  // If the first twenty of these rows end each run, the next run must start with others.
  const from = Math.floor(random() * failed.length);
  yield [...failed.slice(from), ...failed.slice(0, from)];
}

function isForbidden(error: unknown): error is UnauthorizedError {
  return error instanceof UnauthorizedError && error.status === 403;
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
