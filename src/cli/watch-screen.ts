/*
 * Shows research: a live line or one line per change on standard error, and the final records on
 * standard output.
 */

import { comparableId, readReference } from '../api/ids.ts';
import type { Organization } from '../api/schema.ts';
import type { WatchEvent } from '../api/watch.ts';
import { formatDuration } from '../config/duration.ts';
import { renderDuration } from '../terminal/format.ts';
import { describeStatus } from '../terminal/style.ts';
import { errorObject } from './errors.ts';
import { LiveStatus } from './live-status.ts';
import { checkIdentity, printRecord, printTable } from './output/print-records.ts';
import type { RecordOutput } from './output/record-output.ts';
import type { GivenIds } from './parse-ids.ts';
import type { Session } from './session.ts';

/** The options of `carbon watch` that the screen shows. */
export interface WatchView {
  readonly intervalMs?: number | undefined;
  /** Maximum requests per second. */
  readonly rate?: number | undefined;
  readonly currency?: string | undefined;
  /** Prints the records that a query selects; undefined without a query. */
  readonly selection?: RecordOutput | undefined;
  /** Further options of the command to resume, as words. */
  readonly resumeWords?: readonly string[];
  /** The path of a workbook for the records. */
  readonly out?: string | undefined;
  /**
   * Whether there may be several organizations. Then their records are shown as a table, and a
   * failure of one does not end the run.
   */
  readonly several: boolean;
}

type EventOf<Kind> = Extract<WatchEvent, { readonly kind: Kind }>;

/* The command to resume lists at most this many ids, so that people can read it. */
const maxListedIds = 20;

interface Open {
  readonly status: string | undefined;
  readonly nextAt: number;
}

/** Shows the research on organizations while it runs, and the records when it ends. */
export class WatchScreen {
  readonly #session: Session;
  readonly #view: WatchView;
  readonly #open = new Map<string, Open>();
  readonly #given: string[] = [];
  readonly #ended = new Map<string, Organization>();
  readonly #status: LiveStatus;
  #isInputOpen = true;
  #began = 0;
  #done = 0;

  constructor(session: Session, view: WatchView) {
    this.#session = session;
    this.#view = view;
    this.#status = new LiveStatus(session, (waited) => this.#state(waited));
  }

  /** Starts the clock and the live line. */
  async begin({ isTyped }: GivenIds): Promise<void> {
    this.#began = this.#session.context.clock.elapsed();
    if (!isTyped) await this.#status.start();
  }

  /** Adds an organization. */
  add(id: string): void {
    this.#open.set(id, { status: undefined, nextAt: 0 });
    this.#given.push(id);
  }

  /** Records that no further organization follows. */
  closeInput(): void {
    this.#isInputOpen = false;
  }

  /**
   * Shows one event. The caller prints failures.
   * @throws CarbonError for a record that cannot be printed
   */
  async show(event: WatchEvent): Promise<void> {
    if (event.kind === 'checked') this.#checked(event);
    else if (event.kind === 'retrying') this.#retrying(event);
    else if (event.kind === 'ended') await this.#end(event);
    else if (event.kind === 'failed') this.#open.delete(event.id);
  }

  /** Updates the live line. */
  refresh(): void {
    this.#status.refresh();
  }

  #state(waited: string): string | undefined {
    const [first] = this.#open;
    if (first === undefined && !this.#isInputOpen) return undefined;
    if (this.#view.several || first === undefined) {
      return `${this.#done} ended, ${this.#open.size} in progress · ${waited}`;
    }
    const [id, { status, nextAt }] = first;
    const nextMs = Math.ceil((nextAt - this.#session.context.clock.elapsed()) / 1_000) * 1_000;
    const next = nextMs > 0 ? ` · next check in ${renderDuration(nextMs)}` : '';
    return `${id}: ${status ?? 'requesting'} · ${waited}${next}`;
  }

  #checked({ id, status, changed, waitMs, received }: EventOf<'checked'>): void {
    const { context, isLive } = this.#session;
    this.#open.set(id, {
      status: describeStatus(status).word,
      nextAt: context.clock.elapsed() + waitMs,
    });
    if (changed && !isLive) this.#note(id, status, readReference(received.record).name);
  }

  #retrying({ id, error, waitMs }: EventOf<'retrying'>): void {
    const { context, messages } = this.#session;
    this.#open.set(id, { status: 'retrying', nextAt: context.clock.elapsed() + waitMs });
    messages.print({
      level: 'progress',
      text: `${id}: ${error.message}; next check in ${renderDuration(waitMs)}`,
      event: {
        event: 'retrying',
        id: comparableId(id),
        error: errorObject(error),
        next_ms: Math.round(waitMs),
      },
    });
  }

  async #end({ id, status, received }: EventOf<'ended'>): Promise<void> {
    this.#open.delete(id);
    this.#done += 1;
    const { format, view, isLive } = this.#session;
    const { several } = this.#view;
    // If the records of many organizations go to a file, the screen shows their count only.
    const isCounted = isLive && format === 'json';
    if (!isLive || (several && !isCounted))
      this.#note(id, status, readReference(received.record).name);
    checkIdentity(this.#session, received, id);
    const { selection } = this.#view;
    if (selection !== undefined) await this.#status.withoutSpinner(() => selection.add(received));
    else if (format === 'human' && view.terminal && several) this.#ended.set(id, received.record);
    else await this.#status.withoutSpinner(() => printRecord(this.#session, received, several));
  }

  #note(id: string, status: string | undefined, name?: string): void {
    const ms = this.#session.context.clock.elapsed() - this.#began;
    const subject = name ? `${id} ${name}` : id;
    this.#session.messages.print({
      level: 'progress',
      text: `${subject}: ${describeStatus(status).word} (${renderDuration(ms)})`,
      event: {
        event: 'status',
        id: comparableId(id),
        status: status ?? null,
        elapsed_ms: Math.round(ms),
      },
    });
  }

  /** Removes the live line and prints the table of the records, in the order of their ids. */
  async end(): Promise<void> {
    this.#status.stop();
    const rows = this.#given.flatMap((id): readonly Organization[] => {
      const record = this.#ended.get(id);
      return record === undefined ? [] : [record];
    });
    if (rows.length > 0) await printTable(this.#session, rows);
    await this.#view.selection?.end();
  }

  /**
   * Reports what is still in progress and the command to resume. Prints nothing if all research has
   * ended.
   */
  reportHowToResume(): void {
    const ids = [...this.#open.keys()];
    if (ids.length === 0) return;
    const { intervalMs, rate, currency, out, resumeWords = [] } = this.#view;
    const flags = [
      ...(intervalMs === undefined ? [] : ['--interval', formatDuration(intervalMs)]),
      ...(rate === undefined ? [] : ['--rate', String(rate)]),
      ...(currency === undefined ? [] : ['--currency', currency]),
      ...resumeWords,
      ...(out === undefined ? [] : ['--out', out]),
    ];
    // The command replaces the workbook, so it also names the organizations that are in it.
    const resumed = out === undefined ? ids : this.#given;
    const command = this.#session.commandLine('watch', ...resumed, ...flags);
    const isLong = resumed.length > maxListedIds;
    const subject =
      this.#given.length === 1 ? 'Research is' : `${ids.length} of ${this.#given.length} are`;
    const how = isLong ? 'run the same command again' : command;
    this.#session.messages.print({
      level: 'result',
      text: `${subject} still in progress. To resume: ${how}`,
      event: {
        event: 'pending',
        ids: ids.map(comparableId),
        command: isLong ? undefined : command,
      },
    });
  }
}
