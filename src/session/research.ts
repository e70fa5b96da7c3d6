/*
 * Follows research before the user's eyes: a spinner or a line per change on standard error, the final
 * records on standard output.
 */
import type { CarbonClient } from '../api/client.ts';
import { Pacer } from '../api/pacer.ts';
import { type FollowEvent, type FollowOptions, follow } from '../api/poll.ts';
import { singleTry } from '../api/retry.ts';
import { Stopped } from '../context.ts';
import type { Organization } from '../contract.ts';
import type { CarbonError } from '../errors.ts';
import { combineExits } from '../exit-codes.ts';
import { renderDuration } from '../render/duration.ts';
import { createSpinner } from '../render/progress.ts';
import type { GivenId } from './ids.ts';
import { printRecord, printTable } from './records.ts';
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

/**
 * Follows organizations until research on each has ended or the time is over, and prints what comes of it.
 * @returns the exit code: 0 synced, 7 errored, 8 pending, or that of the failures
 */
export async function followResearch(
  session: Session,
  client: CarbonClient,
  ids: AsyncIterable<GivenId>,
  options: ResearchOptions,
): Promise<number> {
  const screen = new ResearchScreen(session, options);
  const { clock, random, signal } = session.context;
  const { concurrency, rate } = options;
  const pacer = new Pacer({ concurrency, ...(rate === undefined ? {} : { maxRate: rate }) });
  const followOptions: FollowOptions = { ...options, pacer, clock, random, signal };
  const retrieve = (id: string, ended: AbortSignal) =>
    client.retrieve(id, { currency: options.currency, retries: singleTry }, ended);
  await screen.begin();
  try {
    for await (const event of follow(retrieve, screen.admit(ids), followOptions)) await screen.show(event);
  } catch (error) {
    await screen.end();
    if (error instanceof Stopped && error.by !== 'closed output') screen.sayHowToGoOn();
    throw error;
  }
  await screen.end();
  if (screen.pending > 0) screen.sayHowToGoOn();
  return combineExits(screen.exits);
}

/* So many ids fit on a command line that people still read. */
const fewEnough = 20;

class ResearchScreen {
  readonly exits: number[] = [];
  readonly #session: Session;
  readonly #options: ResearchOptions;
  readonly #open = new Map<string, { status: string | undefined; nextAt: number }>();
  readonly #ended: Organization[] = [];
  readonly #live: boolean;
  readonly #spinning = new AbortController();
  #spinner: Awaited<ReturnType<typeof createSpinner>> | undefined;
  #began = 0;
  #done = 0;

  constructor(session: Session, options: ResearchOptions) {
    this.#session = session;
    this.#options = options;
    const { context, flags, format } = session;
    this.#live = context.stderr.isAnimated && flags.progress !== false && format !== 'ids';
  }

  get pending(): number {
    return this.#open.size;
  }

  async *admit(ids: AsyncIterable<GivenId>): AsyncGenerator<string> {
    for await (const given of ids) {
      if ('error' in given) this.#fail(given.error);
      else {
        this.#open.set(given.id, { status: undefined, nextAt: 0 });
        yield given.id;
      }
    }
  }

  async begin(): Promise<void> {
    const { context, messages } = this.#session;
    this.#began = context.clock.elapsed();
    if (!this.#live) return;
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
    const { clock } = this.#session.context;
    if (event.kind === 'checked') {
      this.#open.set(event.id, {
        status: event.status ?? 'no status',
        nextAt: clock.elapsed() + event.waitMs,
      });
      if (event.changed && !this.#live)
        this.#note(event.id, event.status ?? 'no status', event.received.record.name);
    } else if (event.kind === 'trouble') {
      const { error, waitMs } = event;
      const text = `${event.id}: ${error.message}; next check in ${renderDuration(waitMs)}`;
      this.#session.messages.note(text, {
        event: 'trouble',
        id: event.id,
        error,
        next_ms: Math.round(waitMs),
      });
    } else if (event.kind === 'ended') {
      await this.#end(event);
    } else if (event.kind === 'failed') {
      this.#open.delete(event.id);
      this.#fail(event.error);
    } else {
      this.exits.push(8);
    }
    this.#spinner?.text(this.#state());
  }

  async #end({ id, status, received }: Extract<FollowEvent, { kind: 'ended' }>): Promise<void> {
    this.#open.delete(id);
    this.#done += 1;
    this.exits.push(status === 'errored' ? 7 : 0);
    if (this.#options.several || !this.#live) this.#note(id, status, received.record.name);
    const { format, view } = this.#session;
    if (format === 'human' && view.terminal && this.#options.several) {
      this.#ended.push(received.record);
    } else {
      await this.#quietly(() => printRecord(this.#session, received, this.#options.several));
    }
  }

  /* The spinner leaves the line while something else is written to the same terminal. */
  async #quietly(write: () => Promise<void>): Promise<void> {
    this.#spinner?.pause();
    await write();
    if (this.#open.size > 0) this.#spinner?.resume();
  }

  #note(id: string, status: string, name?: string | null): void {
    if (this.#session.flags.progress === false) return;
    const ms = this.#session.context.clock.elapsed() - this.#began;
    const who = name ? `${id} ${name}` : id;
    const event = { event: 'status', id, status, elapsed_ms: Math.round(ms) };
    this.#session.messages.note(`${who}: ${status} (${renderDuration(ms)})`, event);
  }

  #fail(error: CarbonError): void {
    if (!this.#options.several) throw error;
    this.exits.push(error.exit);
    this.#session.printFailure(error);
  }

  async end(): Promise<void> {
    this.#spinning.abort();
    this.#spinner?.stop();
    this.#session.messages.divert(undefined);
    if (this.#ended.length > 0) await printTable(this.#session, this.#ended);
  }

  sayHowToGoOn(): void {
    const ids = [...this.#open.keys()];
    if (ids.length === 0) return;
    const what = ids.length === 1 ? 'Research is' : `${ids.length} organizations are`;
    const command = this.#session.commandLine('watch', ...ids);
    const how = ids.length > fewEnough ? 'run the same command again' : command;
    this.#session.messages.note(`${what} still in progress. To go on: ${how}`, {
      event: 'pending',
      ids,
      command: ids.length > fewEnough ? undefined : command,
    });
  }
}
