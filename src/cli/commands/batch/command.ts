import type { Command } from 'commander';
import type { ServiceClient } from '../../../api/client.ts';
import type { ReadResponse } from '../../../api/http/response.ts';
import { Pacer } from '../../../api/rate-limit/pacer.ts';
import { readIdentified, readReceipt } from '../../../api/registration-receipt.ts';
import { singleTry } from '../../../api/retry.ts';
import { Batch, type BatchOptions } from '../../../batch/batch.ts';
import { readMap } from '../../../batch/csv/map-option.ts';
import { spool } from '../../../batch/csv/stdin-file.ts';
import type { Accepted, Register } from '../../../batch/error-policy.ts';
import { readShard, type Shard } from '../../../batch/shard.ts';
import { toCarbonError, UsageError } from '../../../runtime/carbon-error.ts';
import { Stopped } from '../../../runtime/context.ts';
import { thisMachine } from '../../../runtime/machine.ts';
import { count } from '../../../terminal/count.ts';
import { exitCodeOf } from '../../errors.ts';
import { exitOfSignal } from '../../exit-codes.ts';
import { withLiveStatus } from '../../live-status.ts';
import { readCount, readRate } from '../../option-parsers.ts';
import { everyFormat, type Run } from '../../runner.ts';
import { flush, type Session } from '../../session.ts';
import { reportWaits } from '../../throttle.ts';
import { exitOf } from './exit-code.ts';
import { planJson } from './print-rows.ts';
import { BatchScreen } from './screen.ts';

interface BatchCommandOptions {
  readonly map?: readonly string[];
  readonly encoding?: string;
  readonly skipLines?: number;
  readonly header?: boolean;
  readonly skipInvalid?: boolean;
  readonly dropInvalidIds?: boolean;
  readonly dryRun?: boolean;
  readonly restart?: boolean;
  readonly retryFailed?: boolean;
  readonly journal?: string;
  readonly shard?: string;
  readonly maxErrors?: number;
  readonly concurrency: number;
  readonly rate?: number;
}

const most = 1_000_000_000;

const howItWorks = `
To resume a batch that stopped (Ctrl-C, kill -9, power loss), run the same
command again. The journal <file>.carbon.jsonl, next to the input, records every
result. Registered rows are skipped and equal rows are sent once. You may sort,
edit or extend the file between runs.

carbon checks the complete file before it sends anything. If rows are invalid,
it lists them and sends nothing (exit 2). With --skip-invalid, it sends the
valid rows (exit 9).

carbon finds the columns by their headers (name, Company Name, Supplier,
Country, LEI) and prints the mapping. To choose the columns yourself:
--map name=Security,hq_region=Land

Failed rows are written to <file>.failed.csv, with the reason in column
carbon_error: rows that the service refused, and rows that failed in three runs
that registered other rows. Fix them there and run carbon batch on that file.

Exit codes: 0 success, 9 some rows failed, 6 run the same command later (rate
limit, quota or failing service), 4 API key refused, 2 nothing was sent.

From cron:  carbon batch suppliers.csv --no-progress
Follow up:  carbon batch suppliers.csv -q | carbon watch - --json`;

/** Declares `carbon batch`: flags and help. The work is in `batch`. */
export function addBatch(program: Command, run: Run): Command {
  return program
    .command('batch')
    .description('Register every row of a CSV file; run the same command again to resume')
    .argument('<file>', 'CSV file with a header line, or - for standard input')
    .option(
      '--map <field=column>',
      'assign columns to fields, such as name=Security,hq_region=Land (repeatable)',
      (text: string, sofar: readonly string[] = []) => [...sofar, text],
    )
    .option('--skip-invalid', 'send only the valid rows')
    .option(
      '--drop-invalid-ids',
      'remove invalid LEI, ISIN and D-U-N-S numbers and send those rows without them',
    )
    .option(
      '--dry-run',
      'check the file and send nothing; with --json, print the request body of each row',
    )
    .option('--retry-failed', 'retry rows that were refused or that failed in three runs')
    .option('--restart', 'ignore earlier runs and send every row')
    .option(
      '--max-errors <n>',
      'start no more rows after <n> errors (default: no limit); requests in flight finish',
      readCount('--max-errors', 1, most),
    )
    .option(
      '--concurrency <n>',
      'maximum requests in flight, 1–1024',
      readCount('--concurrency', 1, 1_024),
      16,
    )
    .option(
      '--rate <n>',
      'maximum requests per second (default: learned from the service)',
      readRate('--rate'),
    )
    .option(
      '--shard <i/n>',
      'process only shard i of n, such as 2/8 or auto/8 (auto: i from the job scheduler)',
    )
    .option(
      '--journal <file>',
      'file that records the results (default: <input>.carbon.jsonl next to the input)',
    )
    .option(
      '--encoding <label>',
      'character encoding, such as latin1 or shift_jis (default: UTF-8, or the byte order mark)',
    )
    .option(
      '--skip-lines <n>',
      'lines to skip before the header (default: 0)',
      readCount('--skip-lines', 0, most),
    )
    .option('--no-header', 'treat the first line as data and name the columns 1, 2, 3')
    .addHelpText('after', howItWorks)
    .action((file: string, options: BatchCommandOptions, command: Command) =>
      run(command, everyFormat, (session) => batch(session, file, options)),
    );
}

async function batch(
  session: Session,
  file: string,
  options: BatchCommandOptions,
): Promise<number> {
  if (options.dryRun && (session.format === 'csv' || session.format === 'ids')) {
    throw new UsageError(
      '--dry-run has no results to print; use --json to print the request bodies',
    );
  }
  // Report an invalid option before any file, the sandbox or the service is used.
  if (options.map !== undefined) readMap(options.map);
  const readings: string[] = [];
  const shard =
    options.shard === undefined
      ? undefined
      : readShard(options.shard, session.context.env, (text) => readings.push(text));
  for (const text of readings) printReading(session, text);
  if (file !== '-') return batchFile(session, { path: file, name: file }, options, shard);
  if (options.journal === undefined && !options.dryRun) {
    throw new UsageError('Rows from standard input need --journal <file>, to record what is done');
  }
  const spooled = await spool(session.context.stdin, session.context.signal);
  try {
    const input = { path: spooled.path, name: 'standard input', file: spooled.handle };
    return await batchFile(session, input, options, shard);
  } finally {
    await spooled.close();
  }
}

async function batchFile(
  session: Session,
  input: Pick<BatchOptions, 'path' | 'name' | 'file'>,
  options: BatchCommandOptions,
  shard: Shard | undefined,
): Promise<number> {
  const { context } = session;
  const service = options.dryRun
    ? undefined
    : await session.connect({ connections: options.concurrency, retries: singleTry });
  const { shard: _, ...choices } = options;
  const identity = session.identity();
  const screen = new BatchScreen(session);
  const boundMemory = await context.limitYoungGeneration();
  let checked = 0;
  const open = () =>
    Batch.open({
      ...choices,
      ...identity,
      restart: options.restart || identity.service === '',
      ...input,
      clock: context.clock,
      signal: context.signal,
      onRows: (rows) => {
        checked = rows;
        boundMemory();
      },
      machine: thisMachine(context.process.id),
      shard,
      onWatch: (holder, maxWaitMs) =>
        session.messages.note(
          `Waiting up to ${maxWaitMs / 1000} s to see whether ${holder} is still running`,
          {
            event: 'lock',
            holder,
          },
        ),
    });
  const checking = () => `Checking rows${checked > 0 ? `: ${count.format(checked)}` : ''}`;
  const opened = await withLiveStatus(session, checking, open);
  try {
    screen.reportChecked(opened);
    const { invalid } = opened.preflight.counts;
    const { skipInvalid = false, dryRun: isDry = false } = options;
    if (invalid > 0) await screen.reportInvalid(opened, skipInvalid && !isDry, isDry);
    await screen.reportDropped(opened, isDry);
    const exitOfDry = service === undefined ? await dryRun(session, opened) : 0;
    if (invalid > 0 && !skipInvalid) throw screen.refuse(opened, input.name);
    if (service === undefined) return exitOfDry;
    const pacer = new Pacer({
      concurrency: options.concurrency,
      ...(options.rate === undefined ? {} : { maxRate: options.rate }),
    });
    if (session.format === 'csv')
      await session.printCsv(undefined, { line: 0, outcome: '', error: '' });
    await screen.begin(opened, () => pacer.permitted);
    const nothing = session.format === 'human' ? opened.emptyOutcome : undefined;
    const printsRecords = session.format === 'json' || session.format === 'csv';
    const send = () =>
      opened.send({
        ...choices,
        pacer,
        register: registerBy(service.client, printsRecords),
        random: () => context.random(),
        onWait: reportWaits(session, { leastMs: 60_000, everyMs: 60_000 }),
        onRefusalStreak: (refusalStreak) => screen.reportRefusalStreak(refusalStreak),
        onEvents: (events) => {
          boundMemory();
          return screen.take(events);
        },
      });
    const outcome = nothing ?? (await send());
    const failed = await opened.writeFailed().catch((thrown: unknown) => {
      const error = toCarbonError(thrown);
      session.messages.error(error);
      return { rows: 0, changed: true, error };
    });
    // Print the summary only after all results were written.
    await flush(context);
    const { reason } = context.signal;
    const signalExit = reason instanceof Stopped ? exitOfSignal(reason.by) : 0;
    const exit = signalExit || ('error' in failed ? exitCodeOf(failed.error) : exitOf(outcome));
    screen.end(outcome, exit, {
      ...failed,
      file: opened.failed,
      settled: await opened.settledCopies(),
      maxErrors: options.maxErrors ?? Number.POSITIVE_INFINITY,
      command: mendCommand(session, opened, options),
      watch: input.path === input.name ? watchCommand(session, input.path, options) : undefined,
    });
    if (signalExit > 0) throw reason;
    return exit;
  } finally {
    screen.close();
    opened.close();
  }
}

/* Prints how the shard was chosen, unless --no-progress makes a successful run silent. */
function printReading({ messages, flags }: Session, reading: string): void {
  if (flags.progress !== false) messages.note(reading, { event: 'shard', reading });
}

function registerBy(client: ServiceClient, printsRecords: boolean): Register {
  const read: ReadResponse<Accepted> = printsRecords ? readIdentified : readReceipt;
  return (registration, signal) => client.registerAs(read, registration, signal);
}

/* Returns the command that follows the research on all rows, including those done earlier. */
function watchCommand(session: Session, path: string, options: BatchCommandOptions): string {
  const {
    map = [],
    skipLines,
    header,
    encoding,
    journal,
    shard,
    skipInvalid,
    dropInvalidIds,
  } = options;
  const words = [
    ...map.flatMap((pair) => ['--map', pair]),
    ...(skipLines ? ['--skip-lines', `${skipLines}`] : []),
    ...(header === false ? ['--no-header'] : []),
    ...(encoding === undefined ? [] : ['--encoding', encoding]),
    ...(journal === undefined ? [] : ['--journal', journal]),
    ...(shard === undefined ? [] : ['--shard', shard]),
    ...(skipInvalid ? ['--skip-invalid'] : []),
    ...(dropInvalidIds ? ['--drop-invalid-ids'] : []),
  ];
  const ids = session.commandLine(
    'batch',
    path.startsWith('-') ? `./${path}` : path,
    ...words,
    '-q',
  );
  return `${ids} | ${session.commandLine('watch', '-', '--json')} > records.ndjson`;
}

/*
 * Returns the command that sends the failed-rows file, which has the columns and title lines of the
 * input, but is UTF-8 and has a header.
 */
function mendCommand(
  session: Session,
  { failed, chosen }: Batch,
  { map = [], skipLines, dropInvalidIds }: BatchCommandOptions,
): string {
  const words = [
    ...[...map, ...chosen.options].flatMap((pair) => ['--map', pair]),
    ...(skipLines ? ['--skip-lines', `${skipLines}`] : []),
    ...(dropInvalidIds ? ['--drop-invalid-ids'] : []),
  ];
  // A name that starts with a dash would be parsed as a flag.
  return session.commandLine('batch', failed.startsWith('-') ? `./${failed}` : failed, ...words);
}

async function dryRun(session: Session, opened: Batch): Promise<number> {
  if (session.format === 'json') {
    for await (const plan of opened.plans()) session.printJson(planJson(plan));
  }
  return opened.preflight.counts.invalid > 0 ? 9 : 0;
}
