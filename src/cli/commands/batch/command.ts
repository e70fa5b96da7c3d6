import { type Command, Option } from 'commander';
import { singleAttempt } from '../../../api/retry.ts';
import { readShard, type Shard } from '../../../batch/shard.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { spool } from '../../../table/input-file.ts';
import { readMap } from '../../../table/map-option.ts';
import { plural } from '../../../terminal/format.ts';
import { addMetricsFile } from '../../metrics-option.ts';
import { readCount, readRate } from '../../option-parsers.ts';
import { everyFormat } from '../../output-format.ts';
import type { Run, Session } from '../../session.ts';
import { openPacer } from '../../shared-pace.ts';
import { addTableOptions } from '../../table-options.ts';
import { reportCheck } from './check-report.ts';
import { reportEnd, writeFailed } from './end-report.ts';
import { nextCommands } from './next-commands.ts';
import { openBatch } from './open-batch.ts';
import {
  type BatchFlags,
  type BatchInput,
  invalidChoices,
  toBatchOptions,
  toSendOptions,
} from './options.ts';
import { BatchScreen } from './screen.ts';

const howItWorks = `
To resume a batch that stopped (Ctrl-C, kill -9, power loss), run the same
command again. The journal <file>.carbon.jsonl, next to the input, records every
result. carbon skips registered rows and sends equal rows once. You may sort,
edit or extend the file between runs.

carbon checks the complete file before it sends anything. If rows are invalid,
it lists them and sends nothing (exit 2). With --invalid skip, it sends
the valid rows (exit 9).

carbon finds the columns by their headers (name, Company Name, Supplier,
Country, LEI) and prints the mapping. To choose the columns yourself:
--map name=Security,hq_region=Land

The rows of a workbook (.xlsx) are those of one sheet: lines in messages are its
rows, and its failed rows are written to a workbook. Compressed CSV (.csv.gz)
works too.

carbon writes failed rows to <file>.failed.csv, with the reason in column
carbon_error. A row fails if the service refuses it, or if it causes errors in
three runs that register other rows. Fix the rows in that file and run carbon
batch on it.

Exit codes: 0 success, 9 some rows failed, 6 run the same command later (rate
limit, quota or failing service), 4 API key missing or rejected, 2 nothing was
sent. With --status: 0 all rows are registered, 8 rows remain, 9 rows failed.

From cron:  carbon batch suppliers.csv --no-progress
Follow up:  carbon batch suppliers.csv -q | carbon watch - --json`;

/** Declares `carbon batch`: options and help. The work is in `batch`. */
export function addBatch(program: Command, run: Run): Command {
  const command = program
    .command('batch')
    .description(
      'Register every row of a CSV file or workbook; run the same command again to resume',
    )
    .argument('<file>', 'CSV file or .xlsx workbook with a header line, or - for standard input')
    .option(
      '--map <field=column>',
      'assign columns to fields, such as name=Security,hq_region=Land (repeatable)',
      (text: string, sofar: readonly string[] = []) => [...sofar, text],
    )
    .addOption(
      new Option(
        '--invalid <choice>',
        'if rows are invalid: stop, skip them, or drop-ids (send them without invalid LEI, ISIN and D-U-N-S numbers, and skip the rest) (default: stop)',
      ).choices(invalidChoices),
    )
    .option(
      '--include-totals',
      'register rows that look like totals (Total, Summe, 合計), which are left out otherwise',
    )
    .option(
      '--dry-run',
      'check the file and send nothing; with --json, print the request body of each row',
    )
    .option('--status', 'show how many rows are registered, failed and remaining, and send nothing')
    .option('--retry-failed', 'retry rows that were refused or that failed in three runs')
    .option('--restart', 'ignore earlier runs and send every row')
    .option(
      '--concurrency <n>',
      'maximum requests in flight, 1–1024',
      readCount('--concurrency', 1, 1_024),
      16,
    )
    .option(
      '--rate <n>',
      'maximum requests per second, of all shards together (default: learned from the service)',
      readRate('--rate'),
    )
    .option(
      '--shard <i/n>',
      'process only shard i of n, such as 2/8 or auto/8 (auto: i from the job scheduler)',
    )
    .option(
      '--journal <file>',
      'file that records the results (default: <input>.carbon.jsonl next to the input)',
    );
  return addMetricsFile(addTableOptions(command))
    .addHelpText('after', howItWorks)
    .action((file: string, flags: Omit<BatchFlags, 'hasConcurrency'>, command: Command) => {
      const hasConcurrency = command.getOptionValueSource('concurrency') === 'cli';
      return run(command, everyFormat, (session) =>
        batch(session, file, { ...flags, hasConcurrency }),
      );
    });
}

async function batch(session: Session, file: string, options: BatchFlags): Promise<number> {
  if (options.dryRun && (session.format === 'csv' || session.format === 'ids')) {
    throw new UsageError(
      '--dry-run has no results to print; use --json to print the request bodies',
    );
  }
  // Report an invalid option before any file, the sandbox or the service is used.
  if (options.map !== undefined) readMap(options.map);
  const shard = chooseShard(session, options.shard);
  if (file !== '-') return batchFile(session, { path: file, name: file }, options, shard);
  if (options.journal === undefined && !options.dryRun) {
    throw new UsageError(
      'To register rows from standard input, name a journal with --journal <file>',
    );
  }
  const spooled = await spool(session.context.stdin, session.context.signal);
  try {
    const input = { path: spooled.path, name: 'standard input', file: spooled.handle };
    return await batchFile(session, input, options, shard);
  } finally {
    await spooled.close();
  }
}

/* With --no-progress, a successful run does not print how the shard was chosen. */
function chooseShard({ context, messages }: Session, text: string | undefined) {
  if (text === undefined) return undefined;
  const readings: string[] = [];
  const shard = readShard(text, context.env, (reading) => readings.push(reading));
  for (const text of readings)
    messages.print({ level: 'progress', text, event: { event: 'shard', reading: text } });
  return shard;
}

async function batchFile(
  session: Session,
  input: BatchInput,
  options: BatchFlags,
  shard: Shard | undefined,
): Promise<number> {
  const { dryRun = false, invalid = 'stop', concurrency, rate } = options;
  if (options.status) {
    const { reportStatus } = await import('./status.ts');
    return reportStatus(session, options, toBatchOptions(session, input, options, shard));
  }
  if (!dryRun) session.checkAccess();
  const screen = new BatchScreen(session);
  const limitMemory = await session.context.limitYoungGeneration();
  const batchOptions = toBatchOptions(session, input, options, shard);
  if (dryRun) session.recorder?.setDryRun();
  const opened = await openBatch(session, batchOptions, limitMemory);
  try {
    await reportCheck(session, opened, { dryRun, skipInvalid: invalid !== 'stop' });
    const invalidCount = opened.preflight.counts.invalid;
    if (invalidCount > 0 && invalid === 'stop') throw invalidRows(invalidCount, input.name);
    if (dryRun) return invalidCount > 0 ? 9 : 0;
    // A run that has nothing to send needs no API key, which a command may have to print.
    const service =
      opened.emptyOutcome === undefined
        ? await session.connect({ connections: concurrency, retries: singleAttempt })
        : undefined;
    const pacer = await openPacer(session, {
      operation: 'register',
      concurrency,
      // The limit belongs to the account, which all shards share.
      maxRate: rate && rate / (shard?.count ?? 1),
      processes: shard?.count,
    });
    session.recorder?.observeRate(() => pacer.permitted);
    await screen.begin(opened, () => pacer.permitted);
    const sendOptions = toSendOptions(session, options, {
      client: service?.client,
      pacer,
      screen,
      limitMemory,
    });
    const known = session.format === 'human' ? opened.emptyOutcome : undefined;
    const outcome = known ?? (await opened.send(sendOptions));
    session.recorder?.setWork({ subject: 'rows', outcomes: outcome.counts, left: outcome.left });
    const failed = await writeFailed(session, opened);
    const commands = nextCommands(session, input, opened, options);
    return await reportEnd(session, screen, opened, { outcome, failed, commands });
  } finally {
    screen.close();
    opened.close();
  }
}

function invalidRows(rows: number, file: string): UsageError {
  return new UsageError(
    `${plural(rows, 'row')} of ${file} ${rows === 1 ? 'is' : 'are'} invalid; nothing was sent`,
    'Fix the file, or use --invalid skip to send only the valid rows.',
    'invalid_input',
  );
}
