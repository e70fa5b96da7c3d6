/*
 * Follows research to its end: shows a live line or one line per change on standard error, and
 * prints the final records.
 */
import type { ServiceClient } from '../client/api/client.ts';
import { readReference } from '../client/api/ids.ts';
import { type WatchEvent, watch } from '../client/api/watch.ts';
import { Pacer } from '../client/pace/pacer.ts';
import { naming, plural, renderDuration } from '../display/terminal/format.ts';
import { describeStatus } from '../display/terminal/style.ts';
import { Stopped } from '../runtime/context.ts';
import { combineExits, exitCodeOfItem } from './errors.ts';
import { LiveStatus } from './live-status.ts';
import type { OutFile } from './output/out-file.ts';
import { type Answer, answerOf, type Received, showRecords } from './output/records.ts';
import { byForm } from './output/show.ts';
import type { GivenIds } from './parse-ids.ts';
import type { Session } from './session.ts';

export const watchConcurrency = 16;

export interface ResearchOptions {
  readonly intervalMs?: number | undefined;
  readonly timeoutMs: number;
  readonly currency?: string | undefined;
  readonly out?: OutFile | undefined;
  /** That of the emissions, if the user declares it. */
  readonly unit?: string | undefined;
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
  try {
    await showRecords(session, run.follow(client, ids), options);
  } catch (by) {
    run.stop ??= { by };
  }
  const { stop } = run;
  if (stop === undefined || (stop.by instanceof Stopped && stop.by.by !== 'closed output'))
    run.reportHowToResume();
  if (stop !== undefined) throw stop.by;
  return run.reportExit();
}

/* How the watch of an organization, or a line of standard input without a valid ID, can end. */
const ends = {
  synced: { exit: 0, what: 'Synced' },
  errored: { exit: 7, what: 'Research failed' },
  failed: { exit: 1, what: 'Not retrieved' },
  pending: { exit: 8, what: 'Still in progress' },
} as const;

type End = keyof typeof ends;

class ResearchRun {
  stop: { readonly by: unknown } | undefined;
  readonly #session: Session;
  readonly #options: ResearchOptions;
  readonly #began: number;
  /* What the live line shows of each organization whose research has not ended. */
  readonly #open = new Map<string, string>();
  readonly #subjects: Record<End, string[]> = { synced: [], errored: [], failed: [], pending: [] };
  readonly #exits: number[] = [];
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
        for (const { json } of this.#end('failed', 'a line', given)) this.#session.printJson(json);
      } else {
        this.#open.set(given.id, `${given.id} · requesting`);
        yield given.id;
      }
    }
    this.#isInputOpen = false;
  }

  /* Records how the research on an organization ended, and returns what to print of it. */
  #end(end: End, subject: string, answer: Answer = {}): readonly Received[] {
    const { items, failed } = answerOf(this.#session, answer, this.#options.several);
    this.#subjects[failed ? 'failed' : end].push(subject);
    this.#exits.push(failed ? exitCodeOfItem(failed) : ends[end].exit);
    return items;
  }

  #take(event: WatchEvent<string>): readonly Received[] {
    const { item: id } = event;
    const { messages, isLive } = this.#session;
    const note = (text: string) => messages.print({ level: 'progress', text });
    if (event.kind === 'checked' || event.kind === 'retrying') {
      const { kind, waitMs } = event;
      const status = kind === 'checked' ? describeStatus(event.status).word : kind;
      const { name } = kind === 'checked' ? readReference(event.received.record) : {};
      this.#open.set(id, `${name || id} · ${status}`);
      if (kind === 'retrying')
        note(`${id}: ${event.error.message}; next check in ${renderDuration(waitMs)}`);
      else if (event.changed && !isLive) note(this.#changeOf(event, status));
      return [];
    }
    if (event.kind === 'pending') return this.#end('pending', id, event);
    this.#open.delete(id);
    if (event.kind === 'failed') return this.#end('failed', id, event);
    const { status, received: response } = event;
    const end = status === 'errored' ? status : 'synced';
    const items = this.#end(end, subjectOf(event), { response });
    // If the records of many organizations go to a file, the screen shows their count only.
    const isEachShown = byForm(this.#session, { json: true, other: !this.#options.several });
    if (!isLive || !isEachShown) note(this.#changeOf(event, describeStatus(status).word));
    return items;
  }

  #changeOf(event: Checked, status: string): string {
    const ms = this.#session.context.clock.elapsed() - this.#began;
    const word = event.status === 'errored' ? 'research failed' : status;
    return `${subjectOf(event)}: ${word} (${renderDuration(ms)})`;
  }

  #state(waited: string): string | undefined {
    const [first] = this.#open;
    const { several } = this.#options;
    if (first === undefined && !(several && this.#isInputOpen)) return undefined;
    if (several || first === undefined)
      return `${this.#exits.length} ended, ${this.#open.size} in progress · ${waited}`;
    return `${first[1]} · ${waited}`;
  }

  reportHowToResume(): void {
    if (this.#open.size === 0) return;
    const open = plural(this.#open.size, 'organization is', 'organizations are');
    const replace = this.#options.out === undefined ? '' : ' with --overwrite';
    const text = `${open} still in progress. To resume, run the same command again${replace}`;
    this.#session.messages.print({ level: 'result', text });
  }

  /**
   * Returns the exit code, and says why it is not 0, even with -q or --no-progress: cron emails
   * this line.
   */
  reportExit(): number {
    const exits = [...this.#exits, ...(this.#isInputOpen ? [ends.pending.exit] : [])];
    const exit = combineExits(exits);
    if (exit === 0) return exit;
    const { errored, failed, pending } = this.#subjects;
    const reasons = Object.entries({ errored, failed, pending }).flatMap(([end, subjects]) =>
      subjects.length === 0
        ? []
        : [`${ends[end as End].what}: ${naming(subjects)}${adviceAt(end)}`],
    );
    const text = reasons.join('. ') || 'Standard input did not end in time';
    const counts = { failed: failed.length, errored: errored.length, pending: pending.length };
    this.#session.summarize(
      { level: 'failure', text },
      { ...counts, of: this.#exits.length, exit },
    );
    return exit;
  }
}

type Checked = Extract<WatchEvent<string>, { readonly received: unknown }>;

function subjectOf({ item, received }: Checked): string {
  const { name } = readReference(received.record);
  return name ? `${item} ${name}` : item;
}

/* What to do about organizations that ended in a way; a failure has its own hint. */
function adviceAt(end: string): string {
  return end === 'errored'
    ? ' (the service could not finish it: ask the service, with the ID)'
    : '';
}
