import { type Command, Option } from 'commander';
import { defaultTimeoutMs } from '../../../api/poll-interval.ts';
import { formatDuration, readDuration } from '../../../config/duration.ts';
import { addMetricsFile } from '../../metrics-option.ts';
import {
  addQueryOptions,
  hasOutput,
  type OutputOptions,
  queryWords,
  readCount,
  readCurrency,
  readInterval,
  readRate,
} from '../../option-parsers.ts';
import { openOutput } from '../../output/record-output.ts';
import { everyFormat } from '../../output-format.ts';
import { readIds } from '../../parse-ids.ts';
import type { Run, Session } from '../../session.ts';
import { followResearch } from '../../watch-research.ts';

interface WatchOptions extends OutputOptions {
  readonly interval?: number;
  readonly timeout: number;
  readonly currency?: string;
  readonly concurrency: number;
  readonly rate?: number;
}

/** Declares `carbon watch`: options and help. The work is in `watch`. */
export function addWatch(program: Command, run: Run): Command {
  const command = program
    .command('watch')
    .description('Follow the research on organizations until it ends, then show the records')
    .argument(
      '<id...>',
      'organization ids, or - to read standard input: one id or one JSON document with an id per line',
    )
    .option(
      '--interval <duration>',
      'time between two checks of an organization, at least 100ms (default: 10s, growing to 60s)',
      readInterval,
    )
    .addOption(
      new Option('--timeout <duration>', 'stop after this time, 0 for never')
        .default(defaultTimeoutMs, formatDuration(defaultTimeoutMs))
        .argParser((text) => readDuration(text, '--timeout')),
    )
    .option('--currency <code>', 'ISO 4217 currency of revenue and emission factors, such as EUR')
    .option(
      '--concurrency <n>',
      'maximum requests in flight, 1–256',
      readCount('--concurrency', 1, 256),
      16,
    )
    .option(
      '--rate <n>',
      'maximum requests per second (default: learned from the service)',
      readRate('--rate'),
    )
    .option('--out <file>', 'write the records to a workbook (.xlsx) instead of standard output');
  return addQueryOptions(addMetricsFile(command)).action(
    (ids: string[], options: WatchOptions, command: Command) =>
      run(command, everyFormat, (session) => watch(session, ids, options)),
  );
}

async function watch(
  session: Session,
  args: readonly string[],
  options: WatchOptions,
): Promise<number> {
  const ids = readIds(args, session.context);
  const currency = await readCurrency(session, options.currency);
  const selection = hasOutput(options) ? await openOutput(session, options) : undefined;
  const { client } = await session.connect({ connections: options.concurrency });
  if (selection !== undefined) await selection.begin();
  else if (session.format === 'csv') await session.printCsv();
  return followResearch(session, client, ids, {
    intervalMs: options.interval,
    timeoutMs: options.timeout,
    concurrency: options.concurrency,
    rate: options.rate,
    currency,
    selection,
    out: options.out,
    resumeWords: queryWords(options),
    several: args.length > 1 || args[0] === '-',
  });
}
