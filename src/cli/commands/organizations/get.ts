import { UsageError } from '../../../runtime/carbon-error.ts';
import { command, hint } from '../../../runtime/hint.ts';
import { combineExits, exitCodeOfItem } from '../../errors.ts';
import { withLiveStatus } from '../../live-status.ts';
import {
  type CommandDeclaration,
  currencyOption,
  everyFormat,
  type OptionGroups,
  type OptionValues,
  outOption,
  readCurrency,
  serviceOptions,
  unitOption,
} from '../../options.ts';
import type { OutFile } from '../../output/out-file.ts';
import { answerOf, type Received, showRecords } from '../../output/records.ts';
import { byForm, isForm, openRecordFile } from '../../output/show.ts';
import { type GivenId, type GivenIds, readIds } from '../../parse-ids.ts';
import type { Session } from '../../session.ts';

const howItWorks = `
The IDs of a list: carbon list suppliers.csv --columns id,name

Which unit the records are in: docs/faq.md (carbon help docs).

Exit codes: 0 shown, 2 nothing was sent, 4 the API key is missing or rejected,
5 the service knows no such organization, 6 try again later, 9 several IDs
failed with different codes.`;

const options = {
  Options: [
    { flags: '--full', description: 'show every field that the record has' },
    currencyOption,
    unitOption,
    outOption(['.xlsx', '.csv', '.ndjson']),
  ],
} as const satisfies OptionGroups;

type GetOptions = OptionValues<typeof options>;

export const getCommand: CommandDeclaration<typeof options> = {
  name: 'get',
  group: 'Organizations',
  summary: 'Show the records of organizations and their research status',
  arguments: [
    {
      term: '<id...>',
      description:
        'organization IDs, or - to read standard input: one ID or one JSON document with an id per line (repeated IDs are dropped)',
    },
  ],
  options,
  examples: [
    'carbon get 12',
    'carbon get 12 --full',
    'carbon get 12 13 14 --csv > records.csv',
    'carbon batch suppliers.csv -q | carbon get - --json --currency EUR',
  ],
  notes: howItWorks,
  formats: everyFormat,
  service: serviceOptions,
  missing: [
    'an ID',
    hint`Try ${command`get 12`}, or ${command`get -`} to read IDs from standard input.`,
  ],
  run: get,
};

const concurrency = 8;
/* So many IDs end within seconds. */
const maxShort = 8;

async function get(
  session: Session,
  args: readonly string[],
  options: GetOptions,
): Promise<number> {
  const ids = await readIds(args, session);
  const { full, unit } = options;
  refuseWithFull(session, options);
  const currency = await readCurrency(session, options.currency);
  const out = await openRecordFile(session, options.out);
  const { only } = ids;
  if (only === undefined || out !== undefined) {
    const isShort = !args.includes('-') && args.length <= maxShort;
    return getSeveral(session, ids, { out, currency, isShort, full, unit });
  }
  const isTextOnly = isForm(session, 'json');
  const { client } = await ids.connect({ isTextOnly });
  const received = await withLiveStatus(session, `Requesting organization ${only}`, () =>
    client.retrieve(only, { currency }),
  );
  await showRecords(session, [received], { full, unit });
  return 0;
}

/* Columns are fixed and IDs are no record; JSON has every field anyway. */
function refuseWithFull(session: Session, { full, out }: GetOptions): void {
  const format = byForm(session, { csv: '--csv', ids: '-q', other: undefined });
  const other = out === undefined ? format : '-o';
  if (!full || other === undefined) return;
  throw new UsageError(
    `--full does not go with ${other}`,
    'Remove one of them; -o FILE.ndjson without --full has every field.',
  );
}

/*
 * Prints the current record of each organization, in the order of the ids. The failure of one does
 * not end the run, and what ends it leaves the records so far. Requests wait for the reader of
 * standard output. A long list waits for the service; a few IDs end within seconds.
 */
async function getSeveral(
  session: Session,
  ids: GivenIds,
  options: {
    readonly out: OutFile | undefined;
    readonly currency: string | undefined;
    readonly isShort: boolean;
    readonly full: boolean | undefined;
    readonly unit: string | undefined;
  },
): Promise<number> {
  const { currency, isShort } = options;
  const [{ sendInOrder }, { Pacer }] = await Promise.all([
    import('../../../client/api/scheduler.ts'),
    import('../../../client/pace/pacer.ts'),
  ]);
  const { client } = await ids.connect({
    connections: concurrency,
    attempts: 1,
    isTextOnly: isForm(session, 'json', options.out),
  });
  const outcomes = sendInOrder(session.environment, ids, {
    pacer: new Pacer({ concurrency }),
    mayStart: !isShort,
    isShort,
    attempt: (given: GivenId, signal) =>
      'error' in given
        ? Promise.reject(given.error)
        : client.retrieve(given.id, { currency }, signal),
  });
  const exits: number[] = [];
  let stop: { readonly by: unknown } | undefined;
  async function* answers(): AsyncGenerator<Received> {
    try {
      for await (const outcome of outcomes) {
        const { items, failed } = answerOf(session, outcome);
        exits.push(failed === undefined ? 0 : exitCodeOfItem(failed));
        for (const item of items) yield item;
      }
    } catch (by) {
      stop = { by };
    }
  }
  const print = () => showRecords(session, answers(), { several: true, ...options });
  await (ids.isTyped ? print() : withLiveStatus(session, 'Requesting organizations', print));
  if (stop !== undefined) throw stop.by;
  const exit = combineExits(exits);
  const failed = exits.filter(Boolean).length;
  const of = exits.length;
  // For programs that read only standard error.
  if (failed > 0 && isForm(session, 'json'))
    session.summarize({ level: 'result', text: `${failed} of ${of} failed` }, { failed, of, exit });
  return exit;
}
