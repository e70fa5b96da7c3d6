/*
 * Follows research before the user's eyes: a spinner or a line per change on standard error, the final
 * records on standard output.
 */
import type { ServiceClient } from '../api/client.ts';
import type { FollowEvent } from '../api/follow-event.ts';
import { Pacer } from '../api/pacer.ts';
import { type FollowOptions, follow } from '../api/poll.ts';
import { singleTry } from '../api/retry.ts';
import { errorObject, exitCodeOf } from '../cli/errors.ts';
import { Stopped } from '../context.ts';
import type { Organization } from '../contract.ts';
import { writeDuration } from '../duration.ts';
import { CarbonError } from '../errors.ts';
import { combineExits } from '../exit-codes.ts';
import { readHead } from '../record-head.ts';
import { renderDuration } from '../render/duration.ts';
import type { Spinner } from '../render/progress.ts';
import { describeStatus } from '../render/status.ts';
import type { GivenIds } from './ids.ts';
import { checkIdentity, printRecord, printTable, saySkipped, sayTyping } from './records.ts';
import type { Session } from './session.ts';

/** What the user decides about following. */
export interface ResearchOptions {
  readonly intervalMs?: number | undefined;
  readonly timeoutMs: number;
  readonly concurrency: number;
  /** Requests per second at most. */
  readonly rate?: number | undefined;
  readonly currency?: string | undefined;
  /** Whether several organizations may come: then one that fails is an item, not the end. */
  readonly several: boolean;
}

type EventOf<Kind> = Extract<FollowEvent, { readonly kind: Kind }>;

/**
 * Follows organizations until research on each has ended or the time is over, and prints what comes of it.
 * @returns the exit code: 0 synced, 7 errored, 8 pending, or that of the failures
 */
export async function followResearch(
  session: Session,
  client: ServiceClient,
  ids: GivenIds,
  options: ResearchOptions,
): Promise<number> {
  const screen = new ResearchScreen(session, options);
  const { clock, random, signal } = session.context;
  const { concurrency, rate } = options;
  const pacer = new Pacer({ concurrency, ...(rate === undefined ? {} : { maxRate: rate }) });
  const followOptions: FollowOptions = { ...options, pacer, clock, random, signal };
  const retrieve = (id: string, ended: AbortSignal) =>
    client.retrieve(id, { currency: options.currency, retries: singleTry }, ended);
  sayTyping(session, ids);
  await screen.begin(ids);
  try {
    for await (const event of follow(retrieve, screen.admit(ids), followOptions)) await screen.show(event);
  } catch (error) {
    await screen.end();
    if (error instanceof Stopped && error.by !== 'closed output') screen.sayHowToGoOn();
    throw error;
  }
  await screen.end();
  screen.sayHowToGoOn();
  saySkipped(session, ids);
  const exit = combineExits(screen.exits);
  session.sayFailed(screen.failed, screen.exits.length, exit);
  return exit;
}

/* So many ids fit on a command line that people still read. */
const fewEnough = 20;

interface Open {
  readonly status: string | undefined;
  readonly nextAt: number;
}

class ResearchScreen {
  readonly exits: number[] = [];
  readonly #session: Session;
  readonly #options: ResearchOptions;
  readonly #open = new Map<string, Open>();
  readonly #given: string[] = [];
  readonly #ended = new Map<string, Organization>();
  readonly #spinning = new AbortController();
  #spinner: Spinner | undefined;
  #isInputOpen = true;
  #began = 0;
  #done = 0;
  failed = 0;

  constructor(session: Session, options: ResearchOptions) {
    this.#session = session;
    this.#options = options;
  }

  async *admit(ids: GivenIds): AsyncGenerator<string> {
    for await (const given of ids) {
      // A bad line among good ones was not "invalid before anything was sent".
      if ('error' in given) this.#fail(given.error, 9);
      else {
        this.#open.set(given.id, { status: undefined, nextAt: 0 });
        this.#given.push(given.id);
        yield given.id;
      }
    }
    this.#isInputOpen = false;
  }

  async begin({ isTyped }: GivenIds): Promise<void> {
    const { context, messages } = this.#session;
    this.#began = context.clock.elapsed();
    if (!this.#session.isLive || isTyped) return;
    const { createSpinner } = await import('../render/progress.ts');
    const spinner = await createSpinner(context.stderr, true, messages.style);
    this.#spinner = spinner;
    messages.divert((line) => spinner.note(line));
    void this.#tick();
  }

  async #tick(): Promise<void> {
    const { clock } = this.#session.context;
    while (!this.#spinning.signal.aborted) {
      this.#spinner?.text(this.#state());
      await clock.sleep(1_000, this.#spinning.signal).catch(() => undefined);
    }
  }

  #state(): string {
    const now = this.#session.context.clock.elapsed();
    const waited = renderDuration(now - this.#began);
    const [first] = this.#open;
    if (this.#options.several || first === undefined) {
      return `${this.#done} ended, ${this.#open.size} in progress · ${waited}`;
    }
    const [id, { status, nextAt }] = first;
    const nextMs = Math.ceil((nextAt - now) / 1_000) * 1_000;
    const next = nextMs > 0 ? ` · next check in ${renderDuration(nextMs)}` : '';
    return `${id}: ${status ?? 'asking'} · ${waited}${next}`;
  }

  async show(event: FollowEvent): Promise<void> {
    if (event.kind === 'checked') this.#checked(event);
    else if (event.kind === 'trouble') this.#trouble(event);
    else if (event.kind === 'ended') await this.#end(event);
    else if (event.kind === 'failed') {
      this.#open.delete(event.id);
      this.#fail(event.error);
    } else if (event.error !== undefined) this.#fail(event.error);
    else this.exits.push(8);
    this.#spinner?.text(this.#state());
  }

  #checked({ id, status, changed, waitMs, received }: EventOf<'checked'>): void {
    const { context, isLive } = this.#session;
    this.#open.set(id, { status: describeStatus(status).word, nextAt: context.clock.elapsed() + waitMs });
    if (changed && !isLive) this.#note(id, status, readHead(received.record).name);
  }

  #trouble({ id, error, waitMs }: EventOf<'trouble'>): void {
    const { context, flags, messages } = this.#session;
    this.#open.set(id, { status: 'no answer', nextAt: context.clock.elapsed() + waitMs });
    if (flags.progress === false) return;
    const text = `${id}: ${error.message}; next check in ${renderDuration(waitMs)}`;
    messages.note(text, { event: 'trouble', id, error: errorObject(error), next_ms: Math.round(waitMs) });
  }

  async #end({ id, status, received }: EventOf<'ended'>): Promise<void> {
    this.#open.delete(id);
    this.#done += 1;
    this.exits.push(status === 'errored' ? 7 : 0);
    const { format, view, isLive } = this.#session;
    const { several } = this.#options;
    // Whoever redirects the records of many wants their count on the screen, not a line for each.
    const isCounted = isLive && format === 'json';
    if (!isLive || (several && !isCounted)) this.#note(id, status, readHead(received.record).name);
    try {
      checkIdentity(this.#session, received, id);
      if (format === 'human' && view.terminal && several) {
        this.#ended.set(id, received.record);
        return;
      }
      await this.#quietly(() => printRecord(this.#session, received, several));
    } catch (error) {
      if (!(error instanceof CarbonError)) throw error;
      this.exits.pop();
      this.#fail(error);
    }
  }

  /* The spinner leaves the line while something else is written to the same terminal. */
  async #quietly(write: () => Promise<void>): Promise<void> {
    this.#spinner?.pause();
    await write();
    if (this.#open.size > 0) this.#spinner?.resume();
  }

  #note(id: string, status: string | undefined, name?: string): void {
    if (this.#session.flags.progress === false) return;
    const ms = this.#session.context.clock.elapsed() - this.#began;
    const who = name ? `${id} ${name}` : id;
    const event = { event: 'status', id, status: status ?? null, elapsed_ms: Math.round(ms) };
    this.#session.messages.note(`${who}: ${describeStatus(status).word} (${renderDuration(ms)})`, event);
  }

  #fail(error: CarbonError, exit: number = exitCodeOf(error)): void {
    if (!this.#options.several) throw error;
    this.failed += 1;
    this.exits.push(exit);
    this.#session.printFailure(error);
  }

  async end(): Promise<void> {
    this.#spinning.abort();
    this.#spinner?.stop();
    this.#session.messages.divert(undefined);
    const rows = this.#given.flatMap((id): readonly Organization[] => {
      const record = this.#ended.get(id);
      return record === undefined ? [] : [record];
    });
    if (rows.length > 0) await printTable(this.#session, rows);
  }

  /** Says what is still in progress and which command takes it up again; nothing when everything has ended. */
  sayHowToGoOn(): void {
    const ids = [...this.#open.keys()];
    if (this.#isInputOpen) this.exits.push(8);
    if (ids.length === 0) return;
    const { intervalMs, rate, currency } = this.#options;
    const flags = [
      ...(intervalMs === undefined ? [] : ['--interval', writeDuration(intervalMs)]),
      ...(rate === undefined ? [] : ['--rate', String(rate)]),
      ...(currency === undefined ? [] : ['--currency', currency]),
    ];
    const command = this.#session.commandLine('watch', ...ids, ...flags);
    const isLong = ids.length > fewEnough;
    const subject = this.#given.length === 1 ? 'Research is' : `${ids.length} of ${this.#given.length} are`;
    const how = isLong ? 'run the same command again' : command;
    this.#session.messages.note(`${subject} still in progress. To go on: ${how}`, {
      event: 'pending',
      ids,
      command: isLong ? undefined : command,
    });
  }
}
