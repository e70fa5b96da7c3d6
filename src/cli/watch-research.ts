/*
 * Follows research to its end. What became of each organization is collected here and decides the
 * exit code; `WatchScreen` shows it.
 */
import type { ServiceClient } from '../api/client.ts';
import { Pacer } from '../api/rate-limit/pacer.ts';
import { singleTry } from '../api/retry.ts';
import { type FollowOptions, watch } from '../api/watch.ts';
import type { FollowEvent } from '../api/watch-event.ts';
import { CarbonError } from '../runtime/carbon-error.ts';
import { Stopped } from '../runtime/context.ts';
import { exitCodeOf } from './errors.ts';
import { combineExits } from './exit-codes.ts';
import { reportSkipped, reportTyping } from './output/print-records.ts';
import type { GivenIds } from './parse-ids.ts';
import type { Session } from './session.ts';
import { WatchScreen } from './watch-screen.ts';

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

/** What became of one organization, or of a line of standard input that names none. */
type ResearchResult =
  | { readonly kind: 'ended'; readonly status: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'failed' | 'invalid'; readonly error: CarbonError };

/** What became of everything that was followed. */
interface ResearchOutcome {
  readonly results: readonly ResearchResult[];
  /** Whether standard input had not ended when the time was over. */
  readonly isInputOpen: boolean;
}

/**
 * Follows organizations until research on each has ended or the time is over, and prints what comes
 * of it.
 * @returns the exit code: 0 synced, 7 errored, 8 pending, or that of the failures
 */
export async function followResearch(
  session: Session,
  client: ServiceClient,
  ids: GivenIds,
  options: ResearchOptions,
): Promise<number> {
  const screen = new WatchScreen(session, options);
  reportTyping(session, ids);
  await screen.begin(ids);
  const outcome = await followAll(session, client, ids, options, screen).catch(
    async (error: unknown) => {
      await screen.end();
      if (error instanceof Stopped && error.by !== 'closed output') screen.reportHowToResume();
      throw error;
    },
  );
  await screen.end();
  screen.reportHowToResume();
  reportSkipped(session, ids);
  const exit = exitOf(outcome);
  const failed = outcome.results.filter((result) => 'error' in result).length;
  session.reportFailed(failed, outcome.results.length, exit);
  return exit;
}

/** @throws what ends the watch of all, and any failure where only one organization is followed */
async function followAll(
  session: Session,
  client: ServiceClient,
  ids: GivenIds,
  options: ResearchOptions,
  screen: WatchScreen,
): Promise<ResearchOutcome> {
  const { clock, random, signal } = session.context;
  const { concurrency, rate, currency, several } = options;
  const pacer = new Pacer({ concurrency, ...(rate === undefined ? {} : { maxRate: rate }) });
  const followOptions: FollowOptions = { ...options, pacer, clock, random, signal };
  const results: ResearchResult[] = [];
  let isInputOpen = true;
  const collect = (result: ResearchResult) => {
    if ('error' in result && !several) throw result.error;
    results.push(result);
    if ('error' in result) session.printFailure(result.error);
  };
  async function* admitted(): AsyncGenerator<string> {
    for await (const given of ids) {
      if ('error' in given) collect({ kind: 'invalid', error: given.error });
      else {
        screen.add(given.id);
        yield given.id;
      }
    }
    isInputOpen = false;
    screen.closeInput();
  }
  const retrieve = (id: string, ended: AbortSignal) =>
    client.retrieve(id, { currency, retries: singleTry }, ended);
  for await (const event of watch(retrieve, admitted(), followOptions)) {
    const result = await resultOf(event, screen);
    if (result !== undefined) collect(result);
    screen.refresh();
  }
  return { results, isInputOpen };
}

/* Shows an event. Undefined where the organization goes on to be followed. */
async function resultOf(
  event: FollowEvent,
  screen: WatchScreen,
): Promise<ResearchResult | undefined> {
  try {
    await screen.show(event);
  } catch (error) {
    if (error instanceof CarbonError) return { kind: 'failed', error };
    throw error;
  }
  // Not the event itself: that of an organization that ended holds its whole record.
  if (event.kind === 'ended') return { kind: 'ended', status: event.status };
  if (event.kind === 'failed') return { kind: 'failed', error: event.error };
  if (event.kind !== 'pending') return undefined;
  return event.error === undefined ? { kind: 'pending' } : { kind: 'failed', error: event.error };
}

/** The exit code that follows from what became of all. */
function exitOf({ results, isInputOpen }: ResearchOutcome): number {
  return combineExits([...results.map(exitOfResult), ...(isInputOpen ? [8] : [])]);
}

function exitOfResult(result: ResearchResult): number {
  if (result.kind === 'ended') return result.status === 'errored' ? 7 : 0;
  if (result.kind === 'pending') return 8;
  // A bad line among good ones was not "invalid before anything was sent".
  return result.kind === 'invalid' ? 9 : exitCodeOf(result.error);
}
