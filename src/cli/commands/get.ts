import type { RecordResponse } from '../../api/responses.ts';
import type { Outcome } from '../../api/scheduler.ts';
import { type CommandDeclaration, everyFormat, serviceOptions } from '../declaration.ts';
import { combineExits, exitCodeOfItem } from '../errors.ts';
import { withLiveStatus } from '../live-status.ts';
import { currencyOption, outOption, readCurrency } from '../option-parsers.ts';
import {
  addRecord,
  printRecord,
  type RecordOutput,
  reportSkipped,
  reportTyping,
} from '../output/print-records.ts';
import { type GivenId, type GivenIds, readIds } from '../parse-ids.ts';
import type { Session } from '../session.ts';

interface GetOptions {
  readonly currency?: string;
  readonly out?: string;
}

/** `carbon get` */
export const getCommand: CommandDeclaration<GetOptions> = {
  name: 'get',
  group: 'Get data',
  summary: 'Show the records of organizations and their research status',
  arguments: [
    {
      term: '<id...>',
      description:
        'organization IDs, or - to read standard input: one ID or one JSON document with an id per line (repeated IDs are dropped)',
    },
  ],
  options: { Options: [currencyOption, outOption('.xlsx, .csv or .ndjson')] },
  examples: [
    'carbon get 12',
    'carbon get 12 13 14 --csv > records.csv',
    'carbon batch suppliers.csv -q | carbon get - --json --currency EUR',
  ],
  formats: everyFormat,
  service: serviceOptions,
  missing: ['an ID', 'Try `carbon get 12`, or `carbon get -` to read IDs from standard input.'],
  synonyms: ['show', 'retrieve', 'fetch', 'view', 'status'],
  run: get,
};

async function get(
  session: Session,
  args: readonly string[],
  options: GetOptions,
): Promise<number> {
  const ids = readIds(args, session.context);
  const currency = await readCurrency(session, options.currency);
  const { only } = ids;
  if (only === undefined || options.out !== undefined)
    return getSeveral(session, ids, {
      out: options.out,
      currency,
      isList: args.includes('-') || args.length > maxShort,
    });
  const { client } = await session.connect();
  const received = await withLiveStatus(session, `Requesting organization ${only}`, () =>
    client.retrieve(only, { currency }),
  );
  await printRecord(session, received);
  return 0;
}

/* Maximum requests in flight. */
const concurrency = 8;
/* So many IDs end within seconds. */
const maxShort = 8;

interface SeveralOptions {
  readonly out: string | undefined;
  readonly currency: string | undefined;
  /** Whether a list may wait for the service; a few IDs end within seconds. */
  readonly isList: boolean;
}

/*
 * Prints the current record of each organization, in the order of the ids. The failure of one does
 * not end the run. Requests wait for the reader of standard output.
 */
async function getSeveral(
  session: Session,
  ids: GivenIds,
  { out, currency, isList }: SeveralOptions,
): Promise<number> {
  const [{ sendInOrder }, { Pacer }, { openOutput }] = await Promise.all([
    import('../../api/in-order.ts'),
    import('../../pace/pacer.ts'),
    import('../output/print-records.ts'),
  ]);
  const output = await openOutput(session, true, out, currency);
  const { client } = await session.connect({ connections: concurrency, attempts: 1 });
  const outcomes = sendInOrder(session.environment, ids, {
    pacer: new Pacer({ concurrency }),
    mayStart: isList,
    isShort: !isList,
    attempt: async (given: GivenId, signal) => {
      if ('error' in given) throw given.error;
      return client.retrieve(given.id, { currency }, signal);
    },
  });
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
  outcomes: AsyncIterable<Outcome<RecordResponse>>,
  { isTyped }: GivenIds,
  output: RecordOutput,
): Promise<number[]> {
  const { format, view } = session;
  const isSpinning = (format === 'human') === view.terminal;
  const exits: number[] = [];
  const print = async () => {
    for await (const { response, error } of outcomes) {
      const failed = error ?? (await addRecord(output, response));
      if (failed !== undefined) session.printFailure(failed);
      exits.push(failed === undefined ? 0 : exitCodeOfItem(failed));
    }
  };
  try {
    await (isSpinning && !isTyped
      ? withLiveStatus(session, 'Requesting organizations', print)
      : print());
  } finally {
    await output.end();
  }
  return exits;
}
