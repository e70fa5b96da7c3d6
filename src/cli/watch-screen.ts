/*
 * Research as the user sees it: a live line or a line per change on standard error, the final
 * records on standard output.
 */

import { readHead } from '../api/reference.ts';
import type { Organization } from '../api/schema.ts';
import type { FollowEvent } from '../api/watch-event.ts';
import { writeDuration } from '../config/duration.ts';
import { renderDuration } from '../terminal/duration.ts';
import { describeStatus } from '../terminal/status-style.ts';
import { errorObject } from './errors.ts';
import { LiveStatus } from './live-status.ts';
import { checkIdentity, printRecord, printTable } from './output/print-records.ts';
import type { GivenIds } from './parse-ids.ts';
import type { Session } from './session.ts';

/** What the user decided, as far as it is shown. */
export interface WatchView {
  readonly intervalMs?: number | undefined;
  readonly rate?: number | undefined;
  readonly currency?: string | undefined;
  /** Whether several organizations may come: then their records are shown as a table. */
  readonly several: boolean;
}

type EventOf<Kind> = Extract<FollowEvent, { readonly kind: Kind }>;

/* So many ids fit on a command line that people still read. */
const maxIdsCheckedAtOnce = 20;

interface Open {
  readonly status: string | undefined;
  readonly nextAt: number;
}

/** Shows the research on organizations while it is followed, and the records at its end. */
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

  /** Begins to count the time. */
  async begin({ isTyped }: GivenIds): Promise<void> {
    this.#began = this.#session.context.clock.elapsed();
    if (!isTyped) await this.#status.start();
  }

  /** Adds an organization to those that are followed. */
  add(id: string): void {
    this.#open.set(id, { status: undefined, nextAt: 0 });
    this.#given.push(id);
  }

  /** Takes note that no further organization is added. */
  closeInput(): void {
    this.#isInputOpen = false;
  }

  /**
   * Shows what happened to one organization; a failure is printed by the caller.
   * @throws CarbonError for a record that cannot be printed
   */
  async show(event: FollowEvent): Promise<void> {
    if (event.kind === 'checked') this.#checked(event);
    else if (event.kind === 'trouble') this.#trouble(event);
    else if (event.kind === 'ended') await this.#end(event);
    else if (event.kind === 'failed') this.#open.delete(event.id);
  }

  /** Shows the present state on the live line. */
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
    return `${id}: ${status ?? 'asking'} · ${waited}${next}`;
  }

  #checked({ id, status, changed, waitMs, received }: EventOf<'checked'>): void {
    const { context, isLive } = this.#session;
    this.#open.set(id, {
      status: describeStatus(status).word,
      nextAt: context.clock.elapsed() + waitMs,
    });
    if (changed && !isLive) this.#note(id, status, readHead(received.record).name);
  }

  #trouble({ id, error, waitMs }: EventOf<'trouble'>): void {
    const { context, flags, messages } = this.#session;
    this.#open.set(id, { status: 'no answer', nextAt: context.clock.elapsed() + waitMs });
    if (flags.progress === false) return;
    const text = `${id}: ${error.message}; next check in ${renderDuration(waitMs)}`;
    messages.note(text, {
      event: 'retrying',
      id,
      error: errorObject(error),
      next_ms: Math.round(waitMs),
    });
  }

  async #end({ id, status, received }: EventOf<'ended'>): Promise<void> {
    this.#open.delete(id);
    this.#done += 1;
    const { format, view, isLive } = this.#session;
    const { several } = this.#view;
    // Whoever redirects the records of many wants their count on the screen, not a line for each.
    const isCounted = isLive && format === 'json';
    if (!isLive || (several && !isCounted)) this.#note(id, status, readHead(received.record).name);
    checkIdentity(this.#session, received, id);
    if (format === 'human' && view.terminal && several) this.#ended.set(id, received.record);
    else await this.#status.aside(() => printRecord(this.#session, received, several));
  }

  #note(id: string, status: string | undefined, name?: string): void {
    if (this.#session.flags.progress === false) return;
    const ms = this.#session.context.clock.elapsed() - this.#began;
    const who = name ? `${id} ${name}` : id;
    const event = { event: 'status', id, status: status ?? null, elapsed_ms: Math.round(ms) };
    this.#session.messages.note(
      `${who}: ${describeStatus(status).word} (${renderDuration(ms)})`,
      event,
    );
  }

  /** Removes the live line and prints the table of the records, in the order of their ids. */
  async end(): Promise<void> {
    this.#status.stop();
    const rows = this.#given.flatMap((id): readonly Organization[] => {
      const record = this.#ended.get(id);
      return record === undefined ? [] : [record];
    });
    if (rows.length > 0) await printTable(this.#session, rows);
  }

  /**
   * Says what is still in progress and which command takes it up again; nothing when everything has
   * ended.
   */
  reportHowToResume(): void {
    const ids = [...this.#open.keys()];
    if (ids.length === 0) return;
    const { intervalMs, rate, currency } = this.#view;
    const flags = [
      ...(intervalMs === undefined ? [] : ['--interval', writeDuration(intervalMs)]),
      ...(rate === undefined ? [] : ['--rate', String(rate)]),
      ...(currency === undefined ? [] : ['--currency', currency]),
    ];
    const command = this.#session.commandLine('watch', ...ids, ...flags);
    const isLong = ids.length > maxIdsCheckedAtOnce;
    const subject =
      this.#given.length === 1 ? 'Research is' : `${ids.length} of ${this.#given.length} are`;
    const how = isLong ? 'run the same command again' : command;
    this.#session.messages.note(`${subject} still in progress. To go on: ${how}`, {
      event: 'pending',
      ids,
      command: isLong ? undefined : command,
    });
  }
}
