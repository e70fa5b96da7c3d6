/*
 * Retrieves many organizations and prints them in the order of their ids. Requests wait for the
 * reader of standard output.
 */

import { mapConcurrent } from '../../../api/map-concurrent.ts';
import type { RecordResponse } from '../../../api/responses.ts';
import type { PaceAddress } from '../../../pace/pace-address.ts';
import { CarbonError, LocalError } from '../../../runtime/carbon-error.ts';
import { exitCodeOf } from '../../errors.ts';
import { combineExits } from '../../exit-codes.ts';
import { withLiveStatus } from '../../live-status.ts';
import type { OutputOptions } from '../../option-parsers.ts';
import { checkIdentity, reportSkipped, reportTyping } from '../../output/print-records.ts';
import { openOutput, type RecordOutput } from '../../output/record-output.ts';
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
  options: OutputOptions & {
    readonly currency: string | undefined;
    readonly pace?: PaceAddress | undefined;
  },
): Promise<number> {
  const { currency, pace } = options;
  const output = await openOutput(session, options);
  const retrieval = await PacedRetrieval.open(session, pace);
  const outcomes = mapConcurrent(ids, retrievalConcurrency, async (given: GivenId) =>
    'error' in given ? given : retrieval.retrieve(given.id, currency),
  );
  reportTyping(session, ids);
  const exits = await printAll(session, outcomes, ids, output);
  reportSkipped(session, ids);
  const exit = combineExits(exits);
  session.reportFailed(exits.filter(Boolean).length, exits.length, exit);
  return exit;
}

/*
 * Shows a spinner while a table waits for its last row, and while --json or --csv output goes to a
 * file.
 */
async function printAll(
  session: Session,
  outcomes: AsyncIterable<Retrieved>,
  { isTyped }: GivenIds,
  output: RecordOutput,
): Promise<number[]> {
  const { format, view } = session;
  const isSpinning = (format === 'human') === view.terminal;
  const exits: number[] = [];
  const print = async () => {
    for await (const outcome of outcomes) {
      const failed = 'error' in outcome ? outcome.error : await printed(session, outcome, output);
      if (failed !== undefined) session.printFailure(failed);
      exits.push(exitOf(failed));
    }
  };
  await output.begin();
  try {
    await (isSpinning && !isTyped
      ? withLiveStatus(session, 'Requesting organizations', print)
      : print());
  } finally {
    await output.end();
  }
  return exits;
}

async function printed(
  session: Session,
  { id, received }: { readonly id: string; readonly received: RecordResponse },
  output: RecordOutput,
): Promise<CarbonError | undefined> {
  try {
    checkIdentity(session, received, id);
    await output.add(received);
    return undefined;
  } catch (error) {
    // An error of this machine, such as a full disk, concerns all records.
    if (error instanceof CarbonError && !(error instanceof LocalError)) return error;
    throw error;
  }
}

/* Exit 2 means that nothing was sent, which is wrong for a bad line among good ones. */
function exitOf(failed: CarbonError | undefined): number {
  const exit = failed === undefined ? 0 : exitCodeOf(failed);
  return exit === 2 ? 9 : exit;
}
