/*
 * Retrieves many organizations and prints them in the order of their ids. Requests wait for the
 * reader of standard output.
 */
import type { RecordResponse } from '../../../api/http/response.ts';
import { mapConcurrent } from '../../../api/map-concurrent.ts';
import type { Organization } from '../../../api/schema.ts';
import { CarbonError } from '../../../runtime/carbon-error.ts';
import { exitCodeOf } from '../../errors.ts';
import { combineExits } from '../../exit-codes.ts';
import { withLiveStatus } from '../../live-status.ts';
import {
  checkIdentity,
  printRecord,
  printTable,
  reportSkipped,
  reportTyping,
} from '../../output/print-records.ts';
import { PacedRetrieval, type Retrieved, retrievalConcurrency } from '../../paced-retrieval.ts';
import type { GivenId, GivenIds } from '../../parse-ids.ts';
import type { Session } from '../../session.ts';

/**
 * Prints the current record of each organization. The failure of one does not end the run.
 * @returns the combined exit code
 * @throws UnauthorizedError for an account problem, UnavailableError for an exhausted quota
 */
export async function getSeveral(
  session: Session,
  ids: GivenIds,
  currency: string | undefined,
): Promise<number> {
  const retrieval = await PacedRetrieval.open(session);
  const outcomes = mapConcurrent(ids, retrievalConcurrency, async (given: GivenId) =>
    'error' in given ? given : retrieval.retrieve(given.id, currency),
  );
  reportTyping(session, ids);
  if (session.format === 'csv') await session.printCsv();
  const isTable = session.format === 'human' && session.view.terminal;
  const exits = isTable
    ? await printAll(session, outcomes, ids)
    : await printStream(session, outcomes, ids);
  reportSkipped(session, ids);
  const exit = combineExits(exits);
  session.reportFailed(exits.filter(Boolean).length, exits.length, exit);
  return exit;
}

/* Shows a spinner on the terminal while --json or --csv output goes to a file. */
function printStream(
  session: Session,
  outcomes: AsyncIterable<Retrieved>,
  { isTyped }: GivenIds,
): Promise<number[]> {
  const isFile = session.format !== 'human' && !session.view.terminal;
  const print = () => printEach(session, outcomes);
  return isFile && !isTyped ? withLiveStatus(session, 'Requesting organizations', print) : print();
}

async function printEach(session: Session, outcomes: AsyncIterable<Retrieved>): Promise<number[]> {
  const exits: number[] = [];
  for await (const outcome of outcomes) {
    const failed = 'error' in outcome ? outcome.error : await printed(session, outcome);
    if (failed !== undefined) session.printFailure(failed);
    exits.push(exitOf(failed));
  }
  return exits;
}

async function printed(
  session: Session,
  { id, received }: { readonly id: string; readonly received: RecordResponse },
): Promise<CarbonError | undefined> {
  try {
    checkIdentity(session, received, id);
    await printRecord(session, received, true);
    return undefined;
  } catch (error) {
    if (error instanceof CarbonError) return error;
    throw error;
  }
}

async function printAll(
  session: Session,
  outcomes: AsyncIterable<Retrieved>,
  { isTyped }: GivenIds,
): Promise<number[]> {
  const exits: number[] = [];
  const table: Organization[] = [];
  const collect = async () => {
    for await (const outcome of outcomes) {
      if ('error' in outcome) session.printFailure(outcome.error);
      else {
        checkIdentity(session, outcome.received, outcome.id);
        table.push(outcome.received.record);
      }
      exits.push(exitOf('error' in outcome ? outcome.error : undefined));
    }
  };
  try {
    await (isTyped ? collect() : withLiveStatus(session, 'Requesting organizations', collect));
  } finally {
    if (table.length > 0) await printTable(session, table);
  }
  return exits;
}

/* Exit 2 means that nothing was sent, which is wrong for a bad line among good ones. */
function exitOf(failed: CarbonError | undefined): number {
  const exit = failed === undefined ? 0 : exitCodeOf(failed);
  return exit === 2 ? 9 : exit;
}
