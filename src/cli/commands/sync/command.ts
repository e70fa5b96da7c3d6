/* `carbon sync`: registers what is new in a list, follows the research, and keeps the records. */
import { defaultTimeoutMs } from '../../../api/watch.ts';
import { readDuration } from '../../../config/duration.ts';
import { stdinList } from '../../../list/kept-files.ts';
import { openStoredRecords } from '../../../sync/view.ts';
import { type CommandDeclaration, type OptionSpec, serviceOptions } from '../../declaration.ts';
import { currencies, outOption, readCount } from '../../option-parsers.ts';
import { describeStored } from '../../read-snapshot.ts';
import type { Session } from '../../session.ts';
import { batchOptionGroups, runBatch } from '../batch/command.ts';
import type { BatchFlags, BatchInput } from '../batch/options.ts';
import type { Kept } from '../batch/status.ts';
import { SyncRun } from './run.ts';

/** The flags of `carbon sync`, as commander parses them. */
export interface SyncFlags extends BatchFlags {
  /** In milliseconds; Infinity for `never`. */
  readonly maxAge: number;
  readonly timeout: number;
  readonly currency?: readonly string[];
  readonly maxNew?: number;
  readonly out?: string;
}

const recordOptions: readonly OptionSpec[] = [
  {
    flags: '--max-age <duration>',
    description: 'retrieve older records again; 0 for all, never for none',
    parse: (text) =>
      text === 'never' ? Number.POSITIVE_INFINITY : readDuration(text, '--max-age'),
    default: 86_400_000,
    shownDefault: '1d',
  },
  {
    flags: '--timeout <duration>',
    description: 'stop following research after this, 0 for no limit',
    parse: (text) => readDuration(text, '--timeout'),
    default: defaultTimeoutMs,
    shownDefault: '30m',
  },
  {
    flags: '--currency <code>',
    description: 'keep records in this currency as well (repeatable)',
    values: currencies,
    parse: (text, sofar: readonly string[] = []) => [...sofar, text],
  },
  {
    flags: '--max-new <n>',
    description: 'register at most this many organizations',
    parse: readCount('--max-new', 0, 1_000_000_000),
  },
];

const howItWorks = `
A run registers new rows, retrieves the records that are missing, in progress or
old, and follows research until it ends. The records are kept next to the file:
carbon list, report, footprint, diff and check read them when you name the file.
To resume after an interruption, or every night, run the same command again.

Exit codes: 0 all current, 8 research in progress or a limit reached, 7 research
failed, 9 rows failed (7 and 9: only new failures), 6 try later, 4 API key
missing or rejected, 2 nothing was sent. More: docs/batch.md`;

/** `carbon sync` */
export const syncCommand: CommandDeclaration<SyncFlags> = {
  name: 'sync',
  group: 'Get data',
  summary: 'Register a list, follow the research, and keep its records up to date',
  arguments: [
    {
      term: '<file>',
      description: 'CSV file or .xlsx workbook with a header line, or - for standard input',
      values: 'files',
    },
  ],
  options: {
    'Input file': batchOptionGroups['Input file'],
    'What to send': batchOptionGroups['What to send'],
    Records: recordOptions,
    Pace: batchOptionGroups.Pace,
    Files: [outOption('.xlsx or .csv'), ...batchOptionGroups.Files],
  },
  examples: [
    'carbon sync suppliers.xlsx',
    'carbon sync suppliers.xlsx -o results.xlsx',
    'carbon sync suppliers.csv --no-progress --invalid skip',
  ],
  notes: howItWorks,
  formats: ['human', 'json', 'ids'],
  service: serviceOptions,
  missing: ['a file', 'Try `carbon sync suppliers.xlsx`.'],
  excess: 'Run the command once for each file.',
  synonyms: ['refresh', 'update', 'pull'],
  run: (session, [file = ''], options) => sync(session, file, options),
};

async function sync(session: Session, file: string, flags: SyncFlags): Promise<number> {
  const run = await SyncRun.open(session, file, flags);
  try {
    return await runBatch(session, file, flags, {
      printsRows: false,
      readKept: (input) => keptRecords(session, listName(input), flags),
      onDone: (id) => run.addKnown(id),
      maxNew: flags.maxNew,
      prepare: (opened, input) => run.prepare(opened, listName(input)),
      reportEnd: (_, end) => run.end(end),
    });
  } finally {
    await run.close();
  }
}

async function keptRecords(
  { flags: { sandbox } }: Session,
  list: string,
  { keep }: SyncFlags,
): Promise<Kept> {
  const stored = await openStoredRecords(list, { keep, sandbox });
  if (stored === undefined)
    return { text: 'No records yet.', members: { records: 0, in_progress: 0 }, isOpen: true };
  const { organizations, in_progress } = stored.facts;
  return {
    text: `Stored: ${describeStored(stored.facts).join(', ')}.`,
    members: { records: organizations, in_progress },
    isOpen: in_progress > 0,
  };
}

function listName({ path, name }: BatchInput): string {
  return path === name ? path : stdinList;
}
