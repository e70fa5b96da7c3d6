import type { Command } from 'commander';
import type { Received } from '../api/answer.ts';
import { mapInOrder } from '../api/in-order.ts';
import { CarbonError, UnauthorizedError } from '../errors.ts';
import { combineExits } from '../exit-codes.ts';
import { readCurrency } from '../session/currency.ts';
import { type GivenId, readIds } from '../session/ids.ts';
import { printRecord, printTable } from '../session/records.ts';
import type { Session } from '../session/session.ts';
import { everyFormat, type Run } from './run.ts';

interface GetOptions {
  readonly currency?: string;
}

/** Declares `carbon get`: flags and help. The work is in `get`. */
export function addGet(program: Command, run: Run): Command {
  return program
    .command('get')
    .description('Show organizations and how far the research on them is')
    .argument('<id...>', 'organization ids, or - to read them from standard input')
    .option('--currency <code>', 'ISO 4217 currency of revenue and emission factors')
    .action((ids: string[], options: GetOptions, command: Command) =>
      run(command, everyFormat, (session) => get(session, ids, options)),
    );
}

/** Requests at work at once for several ids. */
const concurrency = 8;

async function get(session: Session, args: readonly string[], options: GetOptions): Promise<number> {
  const ids = readIds(args, session.context.stdin);
  const currency = readCurrency(session, options.currency);
  const { client } = await session.connect({ connections: concurrency });
  const retrieve = (given: GivenId): Promise<Received> =>
    'id' in given ? client.retrieve(given.id, { currency }) : Promise.reject(given.error);
  if (args.length === 1 && args[0] !== '-') {
    for await (const given of ids) await printRecord(session, await retrieve(given), false);
    return 0;
  }
  return getSeveral(session, ids, retrieve);
}

async function getSeveral(
  session: Session,
  ids: AsyncIterable<GivenId>,
  retrieve: (given: GivenId) => Promise<Received>,
): Promise<number> {
  const exits: number[] = [];
  const table: Received[] = [];
  const asTable = session.format === 'human' && session.view.terminal;
  if (session.format === 'csv') await session.printCsv();
  const outcomes = mapInOrder(ids, concurrency, (given) =>
    retrieve(given).catch((error: unknown) => {
      if (error instanceof CarbonError && !(error instanceof UnauthorizedError)) return error;
      throw error;
    }),
  );
  for await (const outcome of outcomes) {
    exits.push(outcome instanceof CarbonError ? outcome.exit : 0);
    if (outcome instanceof CarbonError) session.printFailure(outcome);
    else if (asTable) table.push(outcome);
    else await printRecord(session, outcome, true);
  }
  if (table.length > 0)
    await printTable(
      session,
      table.map(({ record }) => record),
    );
  return combineExits(exits);
}
