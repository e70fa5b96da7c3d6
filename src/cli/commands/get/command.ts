import type { Command } from 'commander';
import type { RecordResponse } from '../../../api/responses.ts';
import type { PaceAddress } from '../../../pace/pace-address.ts';
import { withLiveStatus } from '../../live-status.ts';
import {
  addQueryOptions,
  hasOutput,
  type OutputOptions,
  readCurrency,
} from '../../option-parsers.ts';
import { checkIdentity, printRecord } from '../../output/print-records.ts';
import { everyFormat } from '../../output-format.ts';
import { addPaceOption, readPace } from '../../pace-option.ts';
import { readIds } from '../../parse-ids.ts';
import type { Run, Session } from '../../session.ts';

interface GetOptions extends OutputOptions {
  readonly currency?: string;
  readonly pace?: string;
}

/** Declares `carbon get`: options and help. The work is in `get`. */
export function addGet(program: Command, run: Run): Command {
  const command = program
    .command('get')
    .description('Show the records of organizations and their research status')
    .argument(
      '<id...>',
      'organization ids, or - to read standard input: one id or one JSON document with an id per line (repeated ids are dropped)',
    )
    .option('--currency <code>', 'ISO 4217 currency of revenue and emission factors, such as EUR')
    .option('--out <file>', 'write the records to a workbook (.xlsx) instead of standard output');
  return addQueryOptions(addPaceOption(command)).action(
    (ids: string[], options: GetOptions, command: Command) =>
      run(command, everyFormat, (session) => get(session, ids, options)),
  );
}

async function get(
  session: Session,
  args: readonly string[],
  options: GetOptions,
): Promise<number> {
  const pace = await readPace(session, options.pace);
  const ids = readIds(args, session.context);
  const currency = await readCurrency(session, options.currency);
  const { only } = ids;
  if (only === undefined || hasOutput(options)) {
    const { getSeveral } = await import('./get-many.ts');
    return getSeveral(session, ids, { ...options, currency, pace });
  }
  const retrieve = await onlyRetrieval(session, only, currency, pace);
  const received = await withLiveStatus(session, `Requesting organization ${only}`, retrieve);
  checkIdentity(session, received, only);
  await printRecord(session, received, false);
  return 0;
}

/* Returns what retrieves one record: immediately, or with a permit of the shared pace. */
async function onlyRetrieval(
  session: Session,
  id: string,
  currency: string | undefined,
  pace: PaceAddress | undefined,
): Promise<() => Promise<RecordResponse>> {
  if (pace === undefined) {
    const { client } = await session.connect();
    return () => client.retrieve(id, { currency });
  }
  const { PacedRetrieval } = await import('../../paced-retrieval.ts');
  const retrieval = await PacedRetrieval.open(session, pace);
  return async () => {
    const outcome = await retrieval.retrieve(id, currency);
    if ('error' in outcome) throw outcome.error;
    return outcome.received;
  };
}
