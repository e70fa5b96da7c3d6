import type { Command } from 'commander';
import { withLiveStatus } from '../../live-status.ts';
import { addQueryOptions, readCurrency } from '../../option-parsers.ts';
import { checkIdentity, printRecord } from '../../output/print-records.ts';
import { hasOutput, type OutputOptions } from '../../output/record-output.ts';
import { everyFormat } from '../../output-format.ts';
import { readIds } from '../../parse-ids.ts';
import type { Run, Session } from '../../session.ts';

interface GetOptions extends OutputOptions {
  readonly currency?: string;
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
  return addQueryOptions(command).action((ids: string[], options: GetOptions, command: Command) =>
    run(command, everyFormat, (session) => get(session, ids, options)),
  );
}

async function get(
  session: Session,
  args: readonly string[],
  options: GetOptions,
): Promise<number> {
  const ids = readIds(args, session.context);
  const currency = await readCurrency(session, options.currency);
  const { only } = ids;
  if (only === undefined || hasOutput(options)) {
    const { getSeveral } = await import('./get-many.ts');
    return getSeveral(session, ids, { ...options, currency });
  }
  const { client } = await session.connect();
  const retrieve = () => client.retrieve(only, { currency });
  const received = await withLiveStatus(session, `Requesting organization ${only}`, retrieve);
  checkIdentity(session, received, only);
  await printRecord(session, received, false);
  return 0;
}
