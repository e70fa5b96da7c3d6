/* Reads the user's file, and finds the records of its suppliers. */
import { basename } from 'node:path';
import type { EvidenceCounts } from '../../../footprint/calculation/upstream-evidence.ts';
import { JournalIds } from '../../../footprint/records/journal-ids.ts';
import { RecordMatcher } from '../../../footprint/records/record-matcher.ts';
import { type CollectedGroups, collectGroups } from '../../../footprint/records/spend-groups.ts';
import { SpendLedger } from '../../../footprint/records/spend-ledger.ts';
import { columnOf, type SpendColumns } from '../../../footprint/spend/columns.ts';
import { SpendFile, type SpendOptions } from '../../../footprint/spend/spend-file.ts';
import type { SpendReport } from '../../../footprint/spend/spend-report.ts';
import { type OnRecord, requireRecords } from '../../../records/records.ts';
import { UsageError } from '../../../runtime/carbon-error.ts';
import { count } from '../../../terminal/format.ts';
import { withLiveStatus } from '../../live-status.ts';
import { readCurrency } from '../../option-parsers.ts';
import { readRecords } from '../../read-snapshot.ts';
import type { Session } from '../../session.ts';
import { sheetNotices } from '../../sheet-notices.ts';
import { fileWord, tableWords } from '../../table-options.ts';
import { fetchRecords } from './fetch-records.ts';
import { columnNotices, nameNotices, rowNotices } from './notices.ts';
import type { FootprintFlags } from './options.ts';

/** The input file. */
export type SpendInput = Pick<SpendOptions, 'path' | 'name' | 'file'>;

/** Spend with factors, and what the records show. */
export interface SpendInputs extends CollectedGroups {
  readonly evidence: EvidenceCounts;
}

/**
 * Reads a file with spend, prints what carbon understood, and finds the records of the suppliers:
 * in the snapshots of `--records`, else from the service.
 * @throws UsageError if the file or the snapshots cannot be used
 */
export async function readInput(
  session: Session,
  input: SpendInput,
  flags: FootprintFlags,
): Promise<SpendInputs> {
  const { records = [], boundary, fallback, save } = flags;
  const hasSnapshots = records.length > 0;
  const journals = await readJournals(session, input, flags);
  const file = await openFile(session, input, flags, journals);
  if (journals === undefined && !hasSnapshots && columnOf(file.report.columns, 'id') < 0) {
    throw noIds(session, input, flags, file.report.columns);
  }
  const ledger = new SpendLedger(journals, (supplier, row) => {
    if (hasSnapshots) matcher.index(supplier, row);
  });
  const matcher = new RecordMatcher(ledger, { boundary, fallback });
  session.messages.print(
    ...sheetNotices(file.sheet),
    ...columnNotices(file.report, journals !== undefined),
  );
  await readRows(session, file, ledger);
  if (file.report.rows === 0) throw noSpend(input, file.report);
  session.messages.print(...rowNotices(file.report));
  if (hasSnapshots) await readSnapshots(session, records, matcher);
  else await fetchRecords(session, ledger, matcher, save);
  const searched = { hasJournal: journals !== undefined, hasSnapshots };
  const collected = collectGroups(ledger, searched);
  session.messages.print(...nameNotices(collected.otherNames));
  return { ...collected, evidence: matcher.evidence() };
}

async function readJournals(
  session: Session,
  { path, name }: SpendInput,
  { journal }: FootprintFlags,
): Promise<JournalIds | undefined> {
  // A copy of standard input has no journal beside it.
  if (path !== name && journal === undefined) return undefined;
  const { service, profile } = session.identity();
  const current = service === '' ? undefined : { service, profile };
  return JournalIds.read({ path, journal, current });
}

async function openFile(
  session: Session,
  { path, name, file }: SpendInput,
  flags: FootprintFlags,
  journals: JournalIds | undefined,
): Promise<SpendFile> {
  const currency =
    flags.currency === undefined ? undefined : await readCurrency(session, flags.currency);
  return withLiveStatus(session, `Reading ${basename(name)}`, () =>
    SpendFile.open({
      path,
      name,
      file,
      map: flags.map,
      encoding: flags.encoding,
      skipLines: flags.skipLines,
      header: flags.header,
      sheet: flags.sheet,
      service: journals?.service ?? '',
      journals: journals?.mappings,
      currency,
      year: flags.spendYear,
      decimal: flags.decimal,
      factor: flags.spendFactor,
      signal: session.context.signal,
    }),
  );
}

async function readRows(session: Session, file: SpendFile, ledger: SpendLedger): Promise<void> {
  const limitMemory = await session.context.limitYoungGeneration();
  await session.context.limitHeapGrowth();
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
  const counts = await withLiveStatus(session, status, () => readRecords(session, paths, take));
  requireRecords(counts, paths);
}

function noSpend({ name }: SpendInput, { columns }: SpendReport): UsageError {
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
  { skipLines, header, sheet, encoding }: FootprintFlags,
  { registrationMap, doubtfulId }: SpendColumns,
): UsageError {
  const isFile = path === name;
  // A batch of standard input needs the name of a journal.
  const file = isFile ? [fileWord(path)] : ['-', '--journal', 'suppliers.carbon.jsonl'];
  const words = tableWords({ map: registrationMap, skipLines, header, sheet, encoding });
  const batch = session.commandLine('batch', ...file, ...words);
  const map =
    doubtfulId === undefined
      ? '--map id=<column>'
      : `${doubtfulId} if this column holds the ids of the service`;
  return new UsageError(
    `${name}: no ids of organizations: ${isFile ? 'the file has no journal' : 'there is no --journal'} and no id column`,
    `Register the rows first: ${batch}. Or use --records to read records from a file, or ${map}.`,
    'invalid_input',
  );
}
