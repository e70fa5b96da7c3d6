/*
 * Follows research to its end: collects the result of each organization, shows a live line or one
 * line per change on standard error, and prints the final records.
 */
import type { ServiceClient } from '../api/client.ts';
import { readReference } from '../api/ids.ts';
import type { RecordResponse } from '../api/responses.ts';
import { type WatchEvent, watch } from '../api/watch.ts';
import { Pacer } from '../pace/pacer.ts';
import type { CarbonError } from '../runtime/carbon-error.ts';
import { Stopped } from '../runtime/context.ts';
import { plural, renderDuration } from '../terminal/format.ts';
import { describeStatus } from '../terminal/style.ts';
import { capital } from '../terminal/text.ts';
import { combineExits, exitCodeOfItem } from './errors.ts';
import { LiveStatus } from './live-status.ts';
import type { RecordOutput } from './output/print-records.ts';
import { addRecord, reportSkipped, reportTyping } from './output/print-records.ts';
import type { GivenIds } from './parse-ids.ts';
import type { Session } from './session.ts';

export const watchConcurrency = 16;

export interface ResearchOptions {
  readonly intervalMs?: number | undefined;
  readonly timeoutMs: number;
  readonly currency?: string | undefined;
  readonly output: RecordOutput;
  /** The command that resumes. */
  readonly resume: string;
  /**
   * Whether there may be several organizations. Then their records are shown as a table, and a
   * failure of one does not end the run.
   */
  readonly several: boolean;
}

/* How the watch of one organization ended, or of a line of standard input without a valid id. */
interface ResearchResult {
  readonly outcome: 'synced' | 'errored' | 'pending' | 'failed' | 'invalid';
  readonly subject: string;
  readonly error?: CarbonError | undefined;
}

/**
 * Follows organizations until the research on each has ended or the time limit is reached, and
 * prints the records.
 * @returns the exit code: 0 synced, 7 errored, 8 pending, or that of the failures
 */
export async function followResearch(
  session: Session,
  client: ServiceClient,
  ids: GivenIds,
  options: ResearchOptions,
): Promise<number> {
  const run = new ResearchRun(session, options);
  reportTyping(session, ids);
  try {
    await run.follow(client, ids);
  } catch (error) {
    await run.end();
    if (error instanceof Stopped && error.by !== 'closed output') run.reportHowToResume();
    throw error;
  }
  await run.end();
  run.reportHowToResume();
  reportSkipped(session, ids);
  return run.reportExit();
}

const exits = { synced: 0, errored: 7, pending: 8, failed: 1, invalid: 9 } as const;

/* An error names at most this many organizations. */
const maxNamed = 3;

/* The command to resume lists at most this many ids, so that people can read it. */
const maxListedIds = 20;

function subjectOf(id: string, name: string | undefined): string {
  return name ? `${id} ${name}` : id;
}

interface Open {
  readonly status: string | undefined;
  readonly nextAt: number;
}

/* Shows the research on organizations while it runs, and the records when it ends. */
class ResearchRun {
  readonly #session: Session;
  readonly #options: ResearchOptions;
  readonly #status: LiveStatus;
  readonly #began: number;
  readonly #open = new Map<string, Open>();
  #given = 0;
  readonly #results: ResearchResult[] = [];
  #done = 0;
  /* Whether another organization may follow. */
  #isInputOpen = true;

  constructor(session: Session, options: ResearchOptions) {
    this.#session = session;
    this.#options = options;
    this.#status = new LiveStatus(session, (waited) => this.#state(waited));
    this.#began = session.context.clock.elapsed();
  }

  /**
   * Follows the organizations, and collects how each one ended.
   * @throws what ends the complete run, and any failure if there is only one organization
   */
  async follow(client: ServiceClient, ids: GivenIds): Promise<void> {
    if (!ids.isTyped) await this.#status.start();
    const { currency } = this.#options;
    const pacer = new Pacer({ concurrency: watchConcurrency });
    const retrieve = (id: string, ended: AbortSignal) =>
      client.retrieve(id, { currency, attempts: 1 }, ended);
    const options = { ...this.#options, retrieve, pacer };
    for await (const event of watch(this.#session.environment, this.#admitted(ids), options)) {
      await this.#show(event);
      this.#status.refresh();
    }
  }

  async *#admitted(ids: GivenIds): AsyncGenerator<string> {
    for await (const given of ids) {
      if ('error' in given) {
        const { error } = given;
        this.#collect({ outcome: 'invalid', error, subject: error.id ?? 'a line' });
      } else {
        this.#open.set(given.id, { status: undefined, nextAt: 0 });
        this.#given += 1;
        yield given.id;
      }
    }
    this.#isInputOpen = false;
  }

  #collect(result: ResearchResult): void {
    const { error } = result;
    if (error !== undefined && !this.#options.several) throw error;
    this.#results.push(result);
    if (error !== undefined) this.#session.printFailure(error);
  }

  async #show(event: WatchEvent<string>): Promise<void> {
    const { item: id } = event;
    const { context, messages, isLive } = this.#session;
    if (event.kind === 'checked' || event.kind === 'retrying') {
      const isChecked = event.kind === 'checked';
      const status = isChecked ? describeStatus(event.status).word : 'retrying';
      this.#open.set(id, { status, nextAt: context.clock.elapsed() + event.waitMs });
      if (!isChecked) {
        const next = renderDuration(event.waitMs);
        const text = `${id}: ${event.error.message}; next check in ${next}`;
        messages.print({ level: 'progress', text });
      } else if (event.changed && !isLive)
        this.#note(id, event.status, readReference(event.received.record).name);
      return;
    }
    if (event.kind === 'pending') {
      const { error } = event;
      this.#collect({ outcome: error ? 'failed' : 'pending', error, subject: id });
      return;
    }
    this.#open.delete(id);
    if (event.kind === 'failed')
      this.#collect({ outcome: 'failed', error: event.error, subject: id });
    else await this.#ended(id, event.status, event.received);
  }

  async #ended(id: string, status: string, received: RecordResponse): Promise<void> {
    this.#done += 1;
    const { format, isLive } = this.#session;
    const { output, several } = this.#options;
    let error: CarbonError | undefined;
    await this.#status.withoutSpinner(async () => {
      error = await addRecord(output, received);
    });
    if (error !== undefined) {
      this.#collect({ outcome: 'failed', error, subject: id });
      return;
    }
    const { name } = readReference(received.record);
    // If the records of many organizations go to a file, the screen shows their count only.
    if (!isLive || (several && format !== 'json')) this.#note(id, status, name);
    const outcome = status === 'errored' ? 'errored' : 'synced';
    this.#collect({ outcome, subject: subjectOf(id, name) });
  }

  #state(waited: string): string | undefined {
    const [first] = this.#open;
    if (first === undefined && !this.#isInputOpen) return undefined;
    if (this.#options.several || first === undefined)
      return `${this.#done} ended, ${this.#open.size} in progress · ${waited}`;
    const [id, { status, nextAt }] = first;
    const nextMs = Math.ceil((nextAt - this.#session.context.clock.elapsed()) / 1_000) * 1_000;
    const next = nextMs > 0 ? ` · next check in ${renderDuration(nextMs)}` : '';
    return `${id}: ${status ?? 'requesting'} · ${waited}${next}`;
  }

  #note(id: string, status: string | undefined, name: string | undefined): void {
    const ms = this.#session.context.clock.elapsed() - this.#began;
    const text = `${subjectOf(id, name)}: ${describeStatus(status).word} (${renderDuration(ms)})`;
    this.#session.messages.print({ level: 'progress', text });
  }

  /** Removes the live line, and prints or writes what waits for the last record. */
  async end(): Promise<void> {
    this.#status.stop();
    await this.#options.output.end();
  }

  /**
   * Reports what is still in progress and the command to resume. Prints nothing if all research has
   * ended.
   */
  reportHowToResume(): void {
    const open = this.#open.size;
    if (open === 0) return;
    const given = this.#given;
    const subject = given === 1 ? 'Research is' : `${open} of ${given} are`;
    const how = given > maxListedIds ? 'run the same command again' : this.#options.resume;
    const text = `${subject} still in progress. To resume: ${how}`;
    this.#session.messages.print({ level: 'result', text });
  }

  /**
   * Returns the exit code, and says why it is not 0, even with -q or --no-progress: cron emails
   * this line.
   */
  reportExit(): number {
    const results = this.#results;
    const codes = results.map(({ outcome, error }) =>
      error === undefined ? exits[outcome] : exitCodeOfItem(error),
    );
    const exit = combineExits([...codes, ...(this.#isInputOpen ? [8] : [])]);
    if (exit === 0) return exit;
    const subjectsOf = (...outcomes: ResearchResult['outcome'][]) =>
      results.filter(({ outcome }) => outcomes.includes(outcome)).map(({ subject }) => subject);
    const errored = subjectsOf('errored');
    const pending = subjectsOf('pending');
    const failed = subjectsOf('failed', 'invalid');
    const of = results.length;
    const kinds = [
      ['research failed', errored],
      ['not retrieved', failed],
      ['still in progress', pending],
    ] as const;
    const clauses = kinds.flatMap(([what, subjects]) => {
      if (subjects.length === 0) return [];
      const more = subjects.length - maxNamed;
      const named = subjects.slice(0, maxNamed).join(', ') + (more > 0 ? ` and ${more} more` : '');
      return [of === 1 ? `${what}: ${named}` : `${what}: ${subjects.length} (${named})`];
    });
    const reasons = clauses.join('; ') || 'standard input did not end in time';
    const text = of === 1 ? capital(reasons) : `Of ${plural(of, 'organization')}, ${reasons}`;
    const counts = { failed: failed.length, errored: errored.length, pending: pending.length };
    this.#session.summarize({ level: 'failure', text }, { ...counts, of, exit });
    return exit;
  }
}
