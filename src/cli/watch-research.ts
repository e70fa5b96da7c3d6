/*
 * Follows research to its end. This module collects the result of each organization and derives the
 * exit code from them; `WatchScreen` shows them.
 */
import type { ServiceClient } from '../api/client.ts';
import { singleAttempt } from '../api/retry.ts';
import { type WatchEvent, type WatchOptions, watch } from '../api/watch.ts';
import { CarbonError, LocalError } from '../runtime/carbon-error.ts';
import { Stopped } from '../runtime/context.ts';
import { exitCodeOf } from './errors.ts';
import { combineExits } from './exit-codes.ts';
import { reportSkipped, reportTyping } from './output/print-records.ts';
import type { GivenIds } from './parse-ids.ts';
import type { Session } from './session.ts';
import { openPacer } from './shared-pace.ts';
import { WatchScreen, type WatchView } from './watch-screen.ts';

/** The options of `carbon watch`. */
export interface ResearchOptions extends WatchView {
  readonly timeoutMs: number;
  readonly concurrency: number;
}

/** Result of one organization, or of a line of standard input without a valid id. */
type ResearchResult =
  | { readonly kind: 'ended'; readonly status: string }
  | { readonly kind: 'pending' }
  | { readonly kind: 'failed' | 'invalid'; readonly error: CarbonError };

/** Results of all organizations. */
interface ResearchOutcome {
  readonly results: readonly ResearchResult[];
  /** Whether standard input was still open at the time limit. */
  readonly isInputOpen: boolean;
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

/** @throws what ends the complete run, and any failure if there is only one organization */
async function followAll(
  session: Session,
  client: ServiceClient,
  ids: GivenIds,
  options: ResearchOptions,
  screen: WatchScreen,
): Promise<ResearchOutcome> {
  const { clock, random, signal } = session.context;
  const { concurrency, rate, currency, several } = options;
  const pacer = await openPacer(session, { operation: 'read', concurrency, maxRate: rate });
  const followOptions: WatchOptions = { ...options, pacer, clock, random, signal };
  session.recorder?.observeRate(() => pacer.permitted);
  const results: ResearchResult[] = [];
  const record = researchRecorder(session);
  let isInputOpen = true;
  const collect = (result: ResearchResult) => {
    record.end(result);
    if ('error' in result && !several) throw result.error;
    results.push(result);
    if ('error' in result) session.printFailure(result.error);
  };
  async function* admitted(): AsyncGenerator<string> {
    for await (const group of ids)
      for (const given of group) {
        record.start();
        if ('error' in given) {
          collect({ kind: 'invalid', error: given.error });
        } else {
          screen.add(given.id);
          yield given.id;
        }
      }
    isInputOpen = false;
    screen.closeInput();
  }
  const retrieve = (id: string, ended: AbortSignal) =>
    client.retrieve(id, { currency, retries: singleAttempt }, ended);
  for await (const event of watch(retrieve, admitted(), followOptions)) {
    const result = await resultOf(event, screen);
    if (result !== undefined) collect(result);
    screen.refresh();
  }
  return { results, isInputOpen };
}

/* Counts the organizations for the recorder of the run. */
function researchRecorder({ recorder }: Session) {
  const outcomes = { synced: 0, errored: 0, pending: 0, failed: 0, invalid: 0 };
  let left = 0;
  const update = () => recorder?.setWork({ subject: 'organizations', outcomes, left });
  return {
    start() {
      left += 1;
      update();
    },
    end(result: ResearchResult) {
      const isErrored = result.kind === 'ended' && result.status === 'errored';
      outcomes[result.kind === 'ended' ? (isErrored ? 'errored' : 'synced') : result.kind] += 1;
      left -= 1;
      update();
    },
  };
}

/* Shows an event and returns the result; undefined while research continues. */
async function resultOf(
  event: WatchEvent,
  screen: WatchScreen,
): Promise<ResearchResult | undefined> {
  try {
    await screen.show(event);
  } catch (error) {
    // An error of this machine, such as a full disk, concerns all organizations.
    if (error instanceof CarbonError && !(error instanceof LocalError))
      return { kind: 'failed', error };
    throw error;
  }
  // Keep the event out of the result: an `ended` event holds the complete record.
  if (event.kind === 'ended') return { kind: 'ended', status: event.status };
  if (event.kind === 'failed') return { kind: 'failed', error: event.error };
  if (event.kind !== 'pending') return undefined;
  return event.error === undefined ? { kind: 'pending' } : { kind: 'failed', error: event.error };
}

/** Returns the exit code of all results. */
function exitOf({ results, isInputOpen }: ResearchOutcome): number {
  return combineExits([...results.map(exitOfResult), ...(isInputOpen ? [8] : [])]);
}

function exitOfResult(result: ResearchResult): number {
  if (result.kind === 'ended') return result.status === 'errored' ? 7 : 0;
  if (result.kind === 'pending') return 8;
  // Exit 2 means that nothing was sent, which is wrong for a bad line among good ones.
  return result.kind === 'invalid' ? 9 : exitCodeOf(result.error);
}
