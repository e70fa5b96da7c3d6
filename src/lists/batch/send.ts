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
  type Limited,
  type Outcome,
  type RunEnvironment,
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
  extends Pick<RunEnvironment, 'random' | 'onWait' | 'onStall' | 'onShare'> {
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
    Pick<RunEnvironment, 'clock' | 'signal'> {
  readonly table: IdentifiedTable;
  readonly journals: Journals;
  readonly journal: Journal;
}

/**
 * Sends every row that must be sent, and waits until all outcomes are durable and reported.
 * @param checked what the check of the file counted
 */
export async function sendRows(
  options: RunOptions,
  checked: Pick<Preflight, 'rows' | 'counts'>,
): Promise<RunOutcome> {
  const { journal, clock, onEvents } = options;
  const writer = new JournalWriter(journal, clock);
  const rows = new RowTracker({ ...options, writer });
  const groups = readJobs(options, rows);
  const queue = new RowQueue(options, groups, writer);
  const tally = new Tally(checked.counts);
  /* Ends the run after a failure of this machine. */
  const failed = new AbortController();
  const reporting = reportOutcomes(writer, tally, onEvents, failed);
  let stop = await new Requests(options, rows, queue).sendAll(failed.signal);
  await groups.return();
  rows.end();
  if (stop?.reason === 'quota') writer.note(quotaLine(stop, clock.now()));
  writer.end();
  await reporting;
  if (failed.signal.aborted) stop ??= failed.signal.reason;
  const { counts, newFailures } = tally;
  const left = checked.rows - Object.values(counts).reduce((sum, number) => sum + number, 0);
  return { counts, left, isDown: rows.isDown, newFailures, stop };
}

/* Reports each group after its lines are durable. After a failed report, it only records. */
async function reportOutcomes(
  writer: JournalWriter,
  tally: Tally,
  onEvents: SendOptions['onEvents'],
  failed: AbortController,
): Promise<void> {
  let report = onEvents;
  try {
    for await (const events of writer.groups()) {
      try {
        await report(events);
      } catch (error) {
        report = () => undefined;
        failed.abort(toCarbonError(error));
      }
      for (const event of events) tally.add(event);
    }
  } catch (error) {
    failed.abort(toCarbonError(error));
  }
}

/* Sends the rows of a queue, and other requests before them, and judges the responses. */
class Requests {
  readonly #options: RunOptions;
  readonly #rows: RowTracker;
  readonly #queue: RowQueue;
  readonly #others: OtherRequests;
  /* The row whose 403 ends the run. */
  #forbidden: Job | undefined;

  constructor(options: RunOptions, rows: RowTracker, queue: RowQueue) {
    this.#options = options;
    this.#rows = rows;
    this.#queue = queue;
    this.#others = new OtherRequests(options.before ?? [], rows);
  }

  /** Returns what ended the run; undefined if every row has an outcome. */
  async sendAll(failed: AbortSignal): Promise<CarbonError | undefined> {
    const { signal, pacer, graceMs, maxStartMs } = this.#options;
    const rows = this.#rows;
    const queue = this.#queue;
    const results = schedule(
      { ...this.#options, signal: AbortSignal.any([signal, failed]) },
      {
        next: () => this.#others.next(queue),
        attempt: (job: Work, ended) => this.#attempt(job, ended),
        judge: (job: Work, outcome: Outcome<Limited>) => this.#judge(job, outcome),
        pacer,
        mayStart: true,
        graceMs,
        maxStartMs,
        isQuotaSuspected: (job) => queue.isQuotaSuspected && !('send' in job),
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
      return this.#withLine(toCarbonError(thrown));
    }
  }

  async #attempt(job: Work, ended: AbortSignal): Promise<Limited> {
    if ('send' in job) return this.#others.send(job, ended);
    try {
      return await this.#options.register(job.registration, ended);
    } catch (error) {
      // Another failure may be that of this row, and must not keep the others waiting.
      if (!(error instanceof CarbonError) || error.status !== 429) this.#queue.endProbe();
      if (!isForbidden(error)) throw error;
      // Earlier runs registered rows and failed on this one, so it is not about the key.
      if (isTried(job) && this.#options.journals.hasRegistered) throw rowForbidden(error);
      // The service may forbid every row: the next run sends this one last.
      if (!this.#rows.hasAcceptedRow) this.#rows.noteTried(job, rowForbidden(error));
      this.#forbidden ??= job;
      throw error;
    }
  }

  #judge(job: Work, outcome: Outcome<Limited>): undefined | Promise<undefined> {
    if ('send' in job) return Promise.resolve(job.judge(outcome)).then(() => undefined);
    const { response, error } = outcome;
    const rows = this.#rows;
    const queue = this.#queue;
    if (error === undefined || isJudgment(error)) queue.isQuotaSuspected = false;
    queue.endProbe();
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

  /* Names the row whose 403 ended the run. */
  #withLine(error: CarbonError): CarbonError {
    if (this.#forbidden === undefined || !isForbidden(error)) return error;
    const { message, status, title, detail } = error;
    const text = `line ${this.#forbidden.line}: ${message}`;
    return new UnauthorizedError(text, { status, title, detail });
  }
}

type Work = Job | OtherRequest;
type Next<Item> = Item | undefined | Promise<Item | undefined>;

/* The rows to send, at most `maxNew`, and one at a time while a quota may be used up. */
class RowQueue {
  /**
   * Whether a used-up quota ended the last run, and no row has shown since that the service accepts
   * more.
   */
  isQuotaSuspected: boolean;
  readonly #groups: AsyncGenerator<Job[], void, void>;
  readonly #writer: JournalWriter;
  #jobs: Job[] = [];
  #remaining: number;
  #isProbing = false;
  readonly #probed: WakeUp;

  constructor(
    { journals, clock, maxNew = Number.POSITIVE_INFINITY }: RunOptions,
    groups: AsyncGenerator<Job[], void, void>,
    writer: JournalWriter,
  ) {
    this.isQuotaSuspected = journals.isQuotaUsedUp;
    this.#groups = groups;
    this.#writer = writer;
    this.#remaining = maxNew;
    this.#probed = new WakeUp(clock);
  }

  next(): Next<Job> {
    if (this.#remaining === 0) return undefined;
    if (this.isQuotaSuspected) {
      if (this.#isProbing)
        return this.#probed.wait(Number.POSITIVE_INFINITY).then(() => this.next());
      this.#isProbing = true;
    }
    this.#remaining -= 1;
    return this.#jobs.pop() ?? this.#readGroup();
  }

  /** Notes that the row which was sent alone has an outcome. */
  endProbe(): void {
    this.#isProbing = false;
    this.#probed.wake();
  }

  /* Reads the next rows, when the disk and the reader have caught up. */
  async #readGroup(): Promise<Job | undefined> {
    while (this.#jobs.length === 0) {
      if (this.#writer.isFull) await this.#writer.drained();
      const { value } = await this.#groups.next();
      if (value === undefined) return undefined;
      this.#jobs = value.reverse();
    }
    return this.#jobs.pop();
  }
}

/* So many organizations may get a 403 before it counts as that of the key. */
const maxForbidden = 3;

/* The requests before the rows. While they fail and nothing was accepted, rows take turns. */
class OtherRequests {
  readonly #requests: Iterator<OtherRequest>;
  readonly #rows: RowTracker;
  #isStuck = false;
  #isTurnOfRow = false;
  #forbidden = 0;

  constructor(requests: Iterable<OtherRequest>, rows: RowTracker) {
    this.#requests = requests[Symbol.iterator]();
    this.#rows = rows;
  }

  /** Returns the next one of these requests, or the next row. */
  next(queue: RowQueue): Next<Work> {
    this.#isTurnOfRow = this.#isStuck && !this.#isTurnOfRow;
    if (!this.#isTurnOfRow) return this.#requests.next().value ?? queue.next();
    return Promise.resolve(queue.next()).then((row) => row ?? this.#requests.next().value);
  }

  async send(request: OtherRequest, ended: AbortSignal): Promise<Limited> {
    const rows = this.#rows;
    try {
      const response = await request.send(ended);
      rows.accepted();
      this.#isStuck = false;
      return response;
    } catch (error) {
      if (error instanceof NotFoundError) rows.accepted();
      this.#isStuck = !rows.hasAccepted;
      if (!this.#isStuck || !isForbidden(error)) throw error;
      // An organization that the key may not see must not stop the rows.
      this.#forbidden += 1;
      throw this.#forbidden > maxForbidden ? error : requestForbidden(error);
    }
  }
}

/* Counts the rows of the list by their outcomes, as far as these are durable. */
class Tally {
  readonly counts: Record<keyof RunOutcome['counts'], number>;
  newFailures = 0;

  constructor({ done, rejected, invalid }: Preflight['counts']) {
    this.counts = { registered: 0, skipped: done, duplicate: 0, rejected, postponed: 0, invalid };
  }

  add(event: RowEvent): void {
    const { counts } = this;
    if (event.kind === 'registered' || event.kind === 'withdrawn') {
      const sign = event.kind === 'registered' ? 1 : -1;
      counts.registered += sign;
      counts.duplicate += sign * (event.rows - 1);
    } else if ('rows' in event) counts[event.kind] += event.rows;
    if ('earlier' in event && !event.earlier) this.newFailures += 1;
  }
}

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
