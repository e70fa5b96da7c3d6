/* Reads the user's file, and finds the records of its suppliers. */
import { basename } from 'node:path';
import { type JournalIds, readJournalIds } from '../../../batch/journal/journals.ts';
import type { MethodOptions, Warning } from '../../../footprint/line-item.ts';
import { columnOf, type SpendColumns } from '../../../footprint/spend/columns.ts';
import {
  openSpendFile,
  type SpendFile,
  type SpendInput,
  type SpendOptions,
  type SpendReport,
} from '../../../footprint/spend/spend-file.ts';
import { SpendLedger } from '../../../footprint/suppliers/ledger.ts';
import { type MatchedSpend, RecordMatcher } from '../../../footprint/suppliers/match.ts';
import { type OnRecord, requireRecords } from '../../../records/records.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { count } from '../../../terminal/format.ts';
import { fileWord, sheetNotices, tableWords } from '../../input-table.ts';
import { withLiveStatus } from '../../live-status.ts';
import type { Notice } from '../../messages.ts';
import { readRecords } from '../../read-snapshot.ts';
import type { Session } from '../../session.ts';
import { fetchRecords } from './fetch-records.ts';
import {
  aliasNotices,
  columnNotices,
  nameNotices,
  rowNotices,
  sharedIdNotices,
  undecidedNotices,
  warningsOf,
} from './notices.ts';

/** The options of `carbon footprint`, as commander parses them. */
export interface FootprintFlags extends SpendOptions, MethodOptions {
  /** The journal with the ids of the suppliers, if it is not that of the input file. */
  readonly journal?: string;
  /** Files of records; without any, the service has them. */
  readonly records?: readonly string[];
  /** The file that receives the retrieved records. */
  readonly save?: string;
  readonly out?: string;
}

/**
 * Reads a file with spend, prints what was understood, and finds the records of the suppliers: in
 * the files of `--records`, otherwise from the service.
 * @throws UsageError if the file or the records cannot be used
 */
export async function readInput(
  session: Session,
  input: SpendInput,
  flags: FootprintFlags,
): Promise<{ readonly spend: MatchedSpend; readonly warnings: readonly Warning[] }> {
  const { records = [], journal, save } = flags;
  const hasSnapshots = records.length > 0;
  const journals = await readJournals(session, input, journal);
  const file = await withLiveStatus(session, `Reading ${basename(input.name)}`, () =>
    openSpendFile(input, flags, journals),
  );
  if (journals === undefined && !hasSnapshots && columnOf(file.report.columns, 'id') < 0) {
    throw noIds(session, input, flags, file.report.columns);
  }
  const warnings: Warning[] = [];
  const print = (notices: readonly Notice[]) => {
    session.messages.print(...notices);
    warnings.push(...warningsOf(notices));
  };
  print([...sheetNotices(file.source), ...columnNotices(file.report, journals !== undefined)]);
  const ledger = new SpendLedger(journals);
  await readRows(session, file, ledger);
  if (file.report.rows === 0) throw noSpend(input, file.report, flags);
  print([...rowNotices(file.report), ...aliasNotices(ledger.joinAliases())]);
  const today = new Date(session.context.clock.now()).toISOString().slice(0, 10);
  const matcher = new RecordMatcher(ledger, flags, today);
  if (hasSnapshots) await readSnapshots(session, records, matcher);
  else print(await fetchRecords(session, ledger, matcher, save));
  const spend = matcher.collect({ hasJournal: journals !== undefined, hasSnapshots });
  print([
    ...sharedIdNotices(spend.sharedIds),
    ...nameNotices(spend.otherNames),
    ...undecidedNotices(spend.undecided),
  ]);
  return { spend, warnings };
}

async function readJournals(
  session: Session,
  { path, name }: SpendInput,
  journal: string | undefined,
): Promise<JournalIds | undefined> {
  // A copy of standard input has no journal beside it.
  if (path !== name && journal === undefined) return undefined;
  const current = () => {
    const { service, profile } = session.identity();
    return service === '' ? undefined : { service, profile };
  };
  return readJournalIds({ path, journal, current });
}

async function readRows(session: Session, file: SpendFile, ledger: SpendLedger): Promise<void> {
  const limitMemory = await session.context.limitYoungGeneration();
  let read = 0;
  const status = () => `Reading rows: ${count.format(read)}`;
  await withLiveStatus(session, status, async () => {
    for await (const rows of file.rows()) {
      for (const row of rows) ledger.add(row);
      read += rows.length;
      limitMemory();
    }
  });
}

async function readSnapshots(
  session: Session,
  paths: readonly string[],
  matcher: RecordMatcher,
): Promise<void> {
  let read = 0;
  const status = () => `Reading records: ${count.format(read)}`;
  const take: OnRecord = (record, key, retrieval) => {
    read += 1;
    matcher.take(record, key, retrieval);
  };
  const counts = await withLiveStatus(session, status, () =>
    readRecords(session, paths, take, { allCurrencies: true }),
  );
  requireRecords(counts, paths);
}

function noSpend(
  { name }: SpendInput,
  { columns, otherYears, notSelected }: SpendReport,
  { year, rows }: FootprintFlags,
): UsageError {
  if (otherYears.count > 0) {
    return new UsageError(
      `${name}: no row with spend is of ${year}`,
      'Choose another --year. If the file has no column with the year, --spend-year declares it.',
      'invalid_input',
    );
  }
  if (notSelected.count > 0) {
    return new UsageError(
      `${name}: --rows ${(rows ?? []).join(' ')} selects no row with spend`,
      'Compare the values with those of the column.',
      'invalid_input',
    );
  }
  const { column } = columns.columns.find(({ field }) => field === 'spend') ?? {};
  return new UsageError(
    `${name}: no row has an amount in column "${column}"`,
    'Choose the column with --map spend=<column>.',
    'invalid_input',
  );
}

function noIds(
  session: Session,
  { path, name }: SpendInput,
  flags: FootprintFlags,
  { registrationMap, doubtfulId }: SpendColumns,
): UsageError {
  const isFile = path === name;
  // A batch of standard input needs the name of a journal.
  const file = isFile ? [fileWord(path)] : ['-', '--journal', 'suppliers.carbon.jsonl'];
  const words = tableWords({ ...flags, map: registrationMap });
  const batch = session.commandLine('batch', ...file, ...words);
  const map =
    doubtfulId === undefined
      ? '--map id=<column>'
      : `${doubtfulId} if this column holds the IDs of the service`;
  return new UsageError(
    `${name}: cannot match the rows to organizations: ${isFile ? 'the file has neither a journal nor an ID column' : 'there is no --journal, and the input has no ID column'}`,
    `Register the rows first: ${batch}. Or use --records to read records from a file, or ${map}.`,
    'invalid_input',
  );
}
