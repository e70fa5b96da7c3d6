import { defaultTimeoutMs } from '../../../client/api/watch.ts';
import { command, hint } from '../../../runtime/hint.ts';
import {
  type CommandDeclaration,
  currencyOption,
  everyFormat,
  type OptionGroups,
  type OptionValues,
  outOption,
  readCurrency,
  readInterval,
  readTime,
  serviceOptions,
  unitOption,
} from '../../options.ts';
import { openRecordFile } from '../../output/show.ts';
import { readIds } from '../../parse-ids.ts';
import type { Session } from '../../session.ts';
import { followResearch, watchConcurrency } from '../../watch-research.ts';

const exitCodes = `
Which unit the records are in: docs/faq.md (carbon help docs).

Exit codes: 0 all research is complete, 2 nothing was sent, 4 the API key is
missing or rejected, 5 the service knows no such organization, 6 try again
later, 7 research failed, 8 in progress at the time limit, 9 several IDs failed
with different codes.`;

const options = {
  Options: [
    {
      flags: '--interval <duration>',
      description:
        'time between two checks of an organization, at least 100ms (default: 10s, growing to 60s)',
      parse: readInterval,
    },
    {
      flags: '--timeout <duration>',
      description: 'stop after this time, 0 for no limit',
      parse: readTime('--timeout'),
      default: defaultTimeoutMs,
      shownDefault: '30m',
    },
    currencyOption,
    unitOption,
    outOption(['.xlsx', '.csv', '.ndjson']),
  ],
} as const satisfies OptionGroups;

type WatchOptions = OptionValues<typeof options>;

export const watchCommand: CommandDeclaration<typeof options> = {
  name: 'watch',
  group: 'Organizations',
  summary: 'Follow research until it ends, then show the records',
  arguments: [
    {
      term: '<id...>',
      description:
        'organization IDs, or - to read standard input: one ID or one JSON document with an id per line',
    },
  ],
  options,
  examples: [
    'carbon watch 12',
    'carbon watch 12 13 --timeout 2h -q',
    'carbon batch suppliers.csv -q | carbon watch - --json > records.ndjson',
  ],
  notes: exitCodes,
  formats: everyFormat,
  service: serviceOptions,
  missing: [
    'an ID',
    hint`Try ${command`watch 12`}, or ${command`watch -`} to read IDs from standard input.`,
  ],
  run: watch,
};

async function watch(
  session: Session,
  args: readonly string[],
  options: WatchOptions,
): Promise<number> {
  const ids = await readIds(args, session);
  const currency = await readCurrency(session, options.currency);
  const out = await openRecordFile(session, options.out);
  const { client } = await ids.connect({ connections: watchConcurrency, attempts: 1 });
  return followResearch(session, client, ids, {
    intervalMs: options.interval,
    timeoutMs: options.timeout,
    currency,
    out,
    unit: options.unit,
    several: args.length > 1 || args[0] === '-',
  });
}
