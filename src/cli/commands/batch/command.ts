import type { OrganizationId } from '../../../api/ids.ts';
import { Batch, type BatchOptions } from '../../../batch/batch.ts';
import type { Preflight } from '../../../batch/preflight.ts';
import type { RunOutcome } from '../../../batch/rows.ts';
import { Pacer } from '../../../pace/pacer.ts';
import { fields, identifierFields } from '../../../registration/fields.ts';
import {
  invalidInput,
  LocalError,
  toCarbonError,
  UsageError,
} from '../../../runtime/carbon-error.ts';
import { flush, Stopped } from '../../../runtime/context.ts';
import { spool } from '../../../table/input-file.ts';
import { readMap } from '../../../table/map-option.ts';
import { count, plural } from '../../../terminal/format.ts';
import {
  type CommandDeclaration,
  everyFormat,
  type OptionGroups,
  serviceOptions,
} from '../../declaration.ts';
import { exitCodeOf, exitOfSignal } from '../../errors.ts';
import { tableOptions } from '../../input-table.ts';
import { withLiveStatus } from '../../live-status.ts';
import { keepOption, metricsOption, outOption, readCount, readRate } from '../../option-parsers.ts';
import { OutFile } from '../../output/out-file.ts';
import type { Session } from '../../session.ts';
import { reportCheck } from './check-report.ts';
import {
  type BatchFlags,
  type BatchInput,
  invalidChoices,
  toBatchOptions,
  toSendOptions,
} from './options.ts';
import { writeResults } from './results.ts';
import { BatchScreen } from './screen.ts';
import type { Kept } from './status.ts';
import { exitOf, type NextCommands, nextCommands } from './summary.ts';

const howItWorks = `
To resume a batch that stopped (Ctrl-C, kill -9, power loss), run the same
command again: the journal <file>.carbon.jsonl records every result. You can
sort, edit or extend the file between runs.

-o results.xlsx writes your rows with carbon_id, carbon_status and the reason
of each failure. Correct <file>, and run the same command again. More:
docs/batch.md

Exit codes: 0 success, 9 some rows failed, 6 run the same command later, 4 API
key missing or rejected, 2 nothing was sent.`;

/** The options of `carbon batch`, which `carbon sync` has too. */
export const batchOptionGroups = {
  'Input file': [
    {
      flags: '--map <field=column>',
      description: 'assign columns to fields: name=Firm,hq_region=Land',
      values: async () => identifierFields.map(({ name }) => `${name}=`),
      parse: (text, sofar: readonly string[] = []) => [...sofar, text],
    },
    ...tableOptions,
  ],
  'What to send': [
    {
      flags: '--invalid <choice>',
      description:
        'invalid rows: stop, skip, or drop-ids (send them without invalid LEI, ISIN and D-U-N-S numbers; default: stop)',
      choices: invalidChoices,
    },
    { flags: '--dry-run', description: 'check the file, send nothing; --json: request bodies' },
    { flags: '--status', description: 'show what is registered, failed and remaining' },
    {
      flags: '--retry-failed',
      description: 'send rejected rows again',
    },
    { flags: '--restart', description: 'ignore earlier runs and send every row' },
  ],
  Pace: [
    {
      flags: '--concurrency <n>',
      description: 'maximum requests in flight, 1–1024',
      parse: readCount('--concurrency', 1, 1_024),
      default: 16,
    },
    {
      flags: '--rate <n>',
      description: 'maximum requests per second (default: learned)',
      parse: readRate('--rate'),
    },
  ],
  Files: [keepOption, metricsOption],
} satisfies OptionGroups;

interface OutFlags extends BatchFlags {
  readonly out?: string;
}

/** `carbon batch` */
export const batchCommand: CommandDeclaration<OutFlags> = {
  name: 'batch',
  group: 'Get data',
  summary: 'Register every row of a CSV file or workbook; run the same command again to resume',
  arguments: [
    {
      term: '<file>',
      description: 'CSV file or .xlsx workbook with a header line, or - for standard input',
      values: 'files',
    },
  ],
  options: {
    ...batchOptionGroups,
    Files: [outOption('.xlsx or .csv'), ...batchOptionGroups.Files],
  },
  examples: [
    'carbon batch suppliers.csv --dry-run',
    'carbon batch suppliers.csv --invalid skip -o results.xlsx',
    'carbon batch suppliers.csv -q | carbon watch - --json > records.ndjson',
    'carbon batch suppliers.csv --no-progress',
  ],
  notes: howItWorks,
  formats: everyFormat,
  service: serviceOptions,
  missing: [
    'a file',
    'Try `carbon batch suppliers.csv`, or `carbon batch - --keep <dir>` to read standard input.',
  ],
  excess: 'Run the command once for each file.',
  synonyms: ['import', 'upload', 'load'],
  run: (session, [file = ''], options) => batch(session, file, options),
};

/** What differs between the commands that register the rows of a file. */
export interface BatchSteps {
  /** Whether standard output gets the result of each row. */
  readonly printsRows: boolean;
  /** Maximum number of rows to send. */
  readonly maxNew?: number | undefined;
  /** Returns what `--status` says besides the rows. */
  readKept?(input: BatchInput): Promise<Kept>;
  /** Receives the id of each row that an earlier run registered, during the check. */
  onDone?(id: OrganizationId): void;
  /** Called after the check, before anything is sent, and in a dry run. */
  prepare?(opened: Batch, input: BatchInput): Promise<void>;
  /**
   * Called while the lock is held, after the last row has its outcome; returns the exit code.
   * @throws Stopped after a signal
   */
  reportEnd(session: Session, end: BatchEnd): Promise<number>;
}

/**
 * Checks a file and registers its rows.
 * @param file its path, or `-` for standard input
 */
export async function runBatch(
  session: Session,
  file: string,
  options: BatchFlags,
  steps: BatchSteps,
): Promise<number> {
  if (options.dryRun && (session.format === 'csv' || session.format === 'ids')) {
    throw new UsageError(
      '--dry-run has no results to print; use --json to print the request bodies',
    );
  }
  // Report an invalid option before any file, the sandbox or the service is used.
  if (options.map !== undefined) readMap(fields, options.map);
  if (file !== '-') return batchFile(session, { path: file, name: file }, options, steps);
  if (options.keep === undefined && !options.dryRun)
    throw new UsageError(
      'A list from standard input needs a directory for its journal',
      'Choose one with --keep <dir>.',
    );
  const spooled = await spool(session.context.stdin, session.context.signal);
  try {
    const input = { path: spooled.path, name: 'standard input', file: spooled.handle };
    return await batchFile(session, input, options, steps);
  } finally {
    await spooled.close();
  }
}

async function batchFile(
  session: Session,
  input: BatchInput,
  options: BatchFlags,
  steps: BatchSteps,
): Promise<number> {
  const { dryRun = false, invalid = 'stop', concurrency, rate } = options;
  if (options.status) {
    const { reportStatus } = await import('./status.ts');
    const batchOptions = toBatchOptions(session, input, options);
    return reportStatus(session, options, batchOptions, () => steps.readKept?.(input));
  }
  if (!dryRun) session.checkAccess();
  const screen = new BatchScreen(session, steps.printsRows);
  const batchOptions = toBatchOptions(session, input, options);
  const { onDone } = steps;
  const opened = await openBatch(session, { ...batchOptions, onDone });
  try {
    await reportCheck(session, opened, { dryRun, skipInvalid: invalid !== 'stop' });
    const invalidCount = opened.preflight.counts.invalid;
    if (invalidCount > 0 && invalid === 'stop') throw invalidRows(invalidCount, input.name);
    await steps.prepare?.(opened, input);
    if (dryRun) return invalidCount > 0 ? 9 : 0;
    // A run that has nothing to send needs no API key, which a command may have to print.
    const service =
      opened.preflight.counts.new > 0
        ? await session.connect({ connections: concurrency, attempts: 1 })
        : undefined;
    const pacer = new Pacer({ concurrency, maxRate: rate });
    await screen.begin(opened, () => pacer.permitted);
    const sendOptions = toSendOptions(session, {
      client: service?.client,
      pacer,
      screen,
      maxNew: steps.maxNew,
    });
    const outcome = mustSend(steps, opened)
      ? await opened.send(sendOptions)
      : nothingSent(opened.preflight);
    const commands = nextCommands(session, input, options);
    return await steps.reportEnd(session, { input, opened, screen, outcome, commands });
  } finally {
    screen.close();
    opened.close();
  }
}

function invalidRows(rows: number, file: string): UsageError {
  return invalidInput(
    `${plural(rows, 'row')} of ${file} ${rows === 1 ? 'is' : 'are'} invalid; nothing was sent`,
    'Fix the file, or send only the valid rows with --invalid skip; --invalid drop-ids leaves out invalid LEI, ISIN and D-U-N-S numbers.',
  );
}

/* Checks a file while a terminal shows how many rows carbon has checked. */
async function openBatch(session: Session, options: Omit<BatchOptions, 'onRows'>): Promise<Batch> {
  let checked = 0;
  const onRows = (rows: number) => {
    checked = rows;
  };
  const status = () => `Checking rows${checked > 0 ? `: ${count.format(checked)}` : ''}`;
  return withLiveStatus(session, status, () => Batch.open({ ...options, onRows }));
}

/* Reading the file once more only to print nothing would double the time of a run. */
function mustSend({ printsRows }: BatchSteps, { preflight }: Batch): boolean {
  return printsRows || preflight.counts.new + preflight.newlyInvalid > 0;
}

function nothingSent({ counts }: Preflight): RunOutcome {
  const { done: skipped, duplicate, rejected, invalid } = counts;
  return {
    counts: { registered: 0, skipped, duplicate, rejected, postponed: 0, invalid },
    left: 0,
    isDown: false,
    newFailures: 0,
    sharedIds: [],
    stop: undefined,
  };
}

/** What the end of a run reports. */
export interface BatchEnd {
  readonly input: BatchInput;
  readonly opened: Batch;
  readonly screen: BatchScreen;
  readonly outcome: RunOutcome;
  readonly commands: NextCommands;
}

/* Registers the rows of a file, and writes the results. */
async function batch(session: Session, file: string, flags: OutFlags): Promise<number> {
  const options = { extensions: ['.xlsx', '.csv'] as const, inputs: [file] };
  const out = await OutFile.open(session, flags.out, options);
  return runBatch(session, file, flags, {
    printsRows: true,
    reportEnd: (_, end) => reportEnd(session, end, out),
  });
}

/* Writes the results, reports how the run ended, and returns the exit code. */
async function reportEnd(
  session: Session,
  { input, opened, screen, outcome, commands }: BatchEnd,
  out: OutFile | undefined,
): Promise<number> {
  const { context, messages } = session;
  const { reason } = context.signal;
  const signalExit = reason instanceof Stopped ? exitOfSignal(reason.by) : 0;
  // Print the summary only after all results were written.
  screen.close();
  const failure =
    out === undefined || signalExit > 0 || outcome.stop instanceof LocalError
      ? undefined
      : await writeResults(session, opened, out, input.path).catch(toCarbonError);
  await flush(context);
  const exit = signalExit || (failure ? exitCodeOf(failure) : exitOf(outcome));
  if (failure) messages.error(failure);
  screen.end(outcome, exit, commands);
  if (signalExit > 0) throw reason;
  return exit;
}
