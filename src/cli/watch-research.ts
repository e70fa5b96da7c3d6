/*
 * Follows research to its end: shows a live line or one line per change on standard error, and
 * prints the final records.
 */
import type { ServiceClient } from '../api/client.ts';
import { readReference } from '../api/ids.ts';
import { type WatchEvent, watch } from '../api/watch.ts';
import { Pacer } from '../pace/pacer.ts';
import { Stopped } from '../runtime/context.ts';
import { plural, renderDuration } from '../terminal/format.ts';
import { describeStatus } from '../terminal/style.ts';
import { capital } from '../terminal/text.ts';
import { combineExits, exitCodeOfItem } from './errors.ts';
import { LiveStatus } from './live-status.ts';
import type { OutFile } from './output/out-file.ts';
import { type Answer, answerOf, emitRecords, type Received } from './output/records.ts';
import { type GivenIds, reportSkipped, reportTyping } from './parse-ids.ts';
import type { Session } from './session.ts';

export const watchConcurrency = 16;

export interface ResearchOptions {
  readonly intervalMs?: number | undefined;
  readonly timeoutMs: number;
  readonly currency?: string | undefined;
  readonly out?: OutFile | undefined;
  /** The command that resumes. */
  readonly resume: string;
  /**
   * Whether there may be several organizations. Then their records are shown as a table, and a
   * failure of one does not end the run.
   */
  readonly several: boolean;
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
    await emitRecords(session, run.follow(client, ids), options);
  } catch (by) {
    run.stop ??= { by };
  }
  const { stop } = run;
  if (stop === undefined || (stop.by instanceof Stopped && stop.by.by !== 'closed output'))
    run.reportHowToResume();
  if (stop !== undefined) throw stop.by;
  reportSkipped(session, ids);
  return run.reportExit();
}

/* How the watch of an organization, or a line of standard input without a valid ID, can end. */
const outcomes = {
  errored: { exit: 7, what: 'research failed' },
  failed: { exit: 1, what: 'not retrieved' },
  pending: { exit: 8, what: 'still in progress' },
} as const;

type Outcome = keyof typeof outcomes | 'synced';

/* An error names at most this many organizations. */
const maxNamed = 3;

/* The command to resume lists at most this many ids, so that people can read it. */
const maxListedIds = 20;

function subjectOf(id: string, name: string | undefined): string {
  return name ? `${id} ${name}` : id;
}

/* Shows the research on organizations while it runs, and how it ended. */
class ResearchRun {
  /** What ended the run early. */
  stop: { readonly by: unknown } | undefined;
  readonly #session: Session;
  readonly #options: ResearchOptions;
  readonly #began: number;
  readonly #open = new Map<string, { readonly status?: string; readonly nextAt: number }>();
  readonly #subjects: Record<Outcome, string[]> = {
    synced: [],
    errored: [],
    failed: [],
    pending: [],
  };
  readonly #exits: number[] = [];
  #given = 0;
  #done = 0;
  /* Whether another organization may follow. */
  #isInputOpen = true;

  constructor(session: Session, options: ResearchOptions) {
    this.#session = session;
    this.#options = options;
    this.#began = session.context.clock.elapsed();
  }

  /**
   * Follows the organizations, and yields the record of each at the end of its research. What ends
   * the whole run, such as any failure of a single organization, ends the series and is in `stop`.
   */
  async *follow(client: ServiceClient, ids: GivenIds): AsyncGenerator<Received> {
    const status = new LiveStatus(this.#session, (waited) => this.#state(waited));
    if (!ids.isTyped) await status.start();
    const { currency } = this.#options;
    const pacer = new Pacer({ concurrency: watchConcurrency });
    const retrieve = (id: string, ended: AbortSignal) =>
      client.retrieve(id, { currency, attempts: 1 }, ended);
    const options = { ...this.#options, retrieve, pacer };
    try {
      for await (const event of watch(this.#session.environment, this.#admitted(ids), options)) {
        yield* this.#take(event);
        status.refresh();
      }
    } catch (by) {
      this.stop = { by };
      // A table of several shows the records so far.
      if (!this.#options.several) throw by;
    } finally {
      status.stop();
    }
  }

  async *#admitted(ids: GivenIds): AsyncGenerator<string> {
    for await (const given of ids) {
      if ('error' in given) {
        // In a stream of JSON, the line of this failure may precede records that wait.
        for (const { json } of this.#end('failed', given.error.id ?? 'a line', given))
          this.#session.printJson(json);
      } else {
        this.#open.set(given.id, { nextAt: 0 });
        this.#given += 1;
        yield given.id;
      }
    }
    this.#isInputOpen = false;
  }

  /* Counts how the research on an organization ended, and returns what to print of it. */
  #end(outcome: Outcome, subject: string, answer: Answer = {}): readonly Received[] {
    const { items, failed } = answerOf(this.#session, answer, this.#options.several);
    this.#subjects[failed ? 'failed' : outcome].push(subject);
    const exit = outcome === 'synced' ? 0 : outcomes[outcome].exit;
    this.#exits.push(failed ? exitCodeOfItem(failed) : exit);
    return items;
  }

  #take(event: WatchEvent<string>): readonly Received[] {
    const { kind, item: id } = event;
    const { context, messages, format, isLive } = this.#session;
    if (kind === 'checked' || kind === 'retrying') {
      const status = kind === 'checked' ? describeStatus(event.status).word : kind;
      this.#open.set(id, { status, nextAt: context.clock.elapsed() + event.waitMs });
      if (kind === 'retrying') {
        const next = renderDuration(event.waitMs);
        const text = `${id}: ${event.error.message}; next check in ${next}`;
        messages.print({ level: 'progress', text });
      } else if (event.changed && !isLive)
        this.#note(subjectOf(id, readReference(event.received.record).name), status);
      return [];
    }
    if (kind === 'pending') return this.#end(kind, id, event);
    this.#open.delete(id);
    this.#done += 1;
    if (kind === 'failed') return this.#end(kind, id, event);
    const { status, received: response } = event;
    const subject = subjectOf(id, readReference(response.record).name);
    const items = this.#end(status === 'errored' ? status : 'synced', subject, { response });
    // If the records of many organizations go to a file, the screen shows their count only.
    if (!isLive || (this.#options.several && format !== 'json'))
      this.#note(subject, describeStatus(status).word);
    return items;
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

  #note(subject: string, status: string): void {
    const ms = this.#session.context.clock.elapsed() - this.#began;
    const text = `${subject}: ${status} (${renderDuration(ms)})`;
    this.#session.messages.print({ level: 'progress', text });
  }

  /** Reports what is still in progress, if anything is, and the command to resume. */
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
    const exit = combineExits([...this.#exits, ...(this.#isInputOpen ? [8] : [])]);
    if (exit === 0) return exit;
    const of = this.#exits.length;
    const { errored, failed, pending } = this.#subjects;
    const clauses = Object.entries(outcomes).flatMap(([outcome, { what }]) => {
      const subjects = this.#subjects[outcome as Outcome];
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
