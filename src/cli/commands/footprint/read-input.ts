/* Reads the user's file, and finds the records of its suppliers. */
import { basename } from 'node:path';
import { isUncovered } from '../../../footprint/factors/choose.ts';
import type { MethodOptions } from '../../../footprint/line-item.ts';
import {
  openSpendFile,
  type SpendFile,
  type SpendInput,
  type SpendOptions,
  type SpendReport,
} from '../../../footprint/spend/spend-file.ts';
import { type MatchedSpend, Suppliers } from '../../../footprint/suppliers.ts';
import { readJournalIds } from '../../../list/journals.ts';
import { chooseKept, findStores } from '../../../list/kept-files.ts';
import { openInputs } from '../../../records/files.ts';
import { type OnRecord, requireRecords } from '../../../records/records.ts';
import { invalidInput, type UsageError } from '../../../runtime/carbon-error.ts';
import type { StoredRecords } from '../../../sync/view.ts';
import { count } from '../../../terminal/format.ts';
import { sheetNotices, tableWords } from '../../input-table.ts';
import { withLiveStatus } from '../../live-status.ts';
import type { Notice } from '../../messages.ts';
import { inputOptions, readRecords, syncCommand } from '../../read-snapshot.ts';
import type { Session } from '../../session.ts';
import { columnNotices, recordNotices, rowNotices } from './notices.ts';

/** The options of `carbon footprint`, as commander parses them. */
export interface FootprintFlags extends SpendOptions, MethodOptions {
  /** Files of records, or synced lists; without any, the file is a synced list itself. */
  readonly records?: readonly string[];
  /** Directory of the journal of the file, and of the records of lists. */
  readonly keep?: string;
  readonly out?: string;
}

/**
 * Reads a file with spend, prints what was understood, and finds the records of the suppliers: in
 * the files of `--records`, otherwise those that `carbon sync` keeps of the file itself.
 * @returns also the service of stored records; null for other files of records
 * @throws UsageError if the file or the records cannot be used, and if the stored records are not
 * in the currencies of the spend
 */
export async function readInput(session: Session, input: SpendInput, options: FootprintFlags) {
  const { records = [], keep } = options;
  const { sandbox } = session.flags;
  // A copy of standard input has no journal beside it.
  const journals =
    input.path === input.name
      ? await readJournalIds({ path: input.path, keep, sandbox })
      : undefined;
  const file = await withLiveStatus(session, `Reading ${basename(input.name)}`, () =>
    openSpendFile(input, options, journals),
  );
  // Every view of the footprint repeats the warnings.
  const warnings: string[] = [];
  const print = (notices: readonly Notice[]) => {
    session.messages.print(...notices);
    for (const { level, text } of notices) if (level === 'warning') warnings.push(text);
  };
  print([...sheetNotices(file.source), ...columnNotices(file.report, journals !== undefined)]);
  const today = new Date(session.context.clock.now()).toISOString().slice(0, 10);
  const suppliers = new Suppliers(options, today);
  await readRows(session, file, suppliers);
  if (file.report.rows === 0) throw noSpend(input, file.report, options);
  print(rowNotices(file.report));
  const words = tableWords({ ...options, map: file.report.columns.registrationMap });
  const kept = chooseKept(input.path, { keep, sandbox });
  if (records.length === 0 && findStores(input.path, kept).length === 0)
    throw noRecords(session, input, suppliers, keep, words);
  const paths = records.length > 0 ? records : [input.path];
  const stored = await readSnapshots(session, paths, suppliers, keep);
  const spend = suppliers.collect(journals !== undefined);
  if (records.length === 0) checkCurrencies(session, input, spend, stored, keep, words);
  print(recordNotices(spend, file.report.columns));
  return { spend, warnings, service: stored[0]?.service ?? null };
}

function noRecords(
  session: Session,
  { path, name }: SpendInput,
  suppliers: Suppliers,
  keep: string | undefined,
  words: readonly string[],
): UsageError {
  const currencies = suppliers.currencies.flatMap((currency) => ['--currency', currency]);
  const command = syncCommand(session, path, undefined, { keep }, [...words, ...currencies]);
  return invalidInput(
    `There are no records of ${name}`,
    path === name
      ? `To retrieve them: ${command}. Or choose records with --records.`
      : 'Choose records with --records.',
  );
}

/* The record in another currency has other factors, and carbon converts none. */
function checkCurrencies(
  session: Session,
  { path }: SpendInput,
  spend: MatchedSpend,
  stored: readonly StoredRecords[],
  keep: string | undefined,
  words: readonly string[],
): void {
  const known = new Set(stored.flatMap(({ currencies }) => currencies));
  // Records of the service's default currency are known by what they contain.
  for (const { currency, fits, choice } of spend.groups)
    if (fits && !isUncovered(choice.additive)) known.add(currency);
  const missing = new Set<string>();
  for (const { currency, fits } of spend.groups)
    if (!fits && currency !== null && !known.has(currency)) missing.add(currency);
  if (missing.size === 0) return;
  const currencies = [...missing];
  const options = [...words, ...currencies.flatMap((currency) => ['--currency', currency])];
  throw invalidInput(
    `${path} has spend in ${currencies.join(', ')}, but no records in ${missing.size === 1 ? 'this currency' : 'these currencies'}`,
    `To retrieve them: ${syncCommand(session, path, stored[0], { keep }, options)}`,
  );
}

async function readRows(session: Session, file: SpendFile, suppliers: Suppliers): Promise<void> {
  let read = 0;
  const status = () => `Reading rows: ${count.format(read)}`;
  await withLiveStatus(session, status, async () => {
    for await (const rows of file.rows()) {
      for (const row of rows) suppliers.add(row);
      read += rows.length;
      session.context.limitYoungGeneration(16);
    }
  });
}

async function readSnapshots(
  session: Session,
  paths: readonly string[],
  suppliers: Suppliers,
  keep: string | undefined,
): Promise<readonly StoredRecords[]> {
  let read = 0;
  const status = () => `Reading records: ${count.format(read)}`;
  const take: OnRecord = (record, key, retrieval) => {
    read += 1;
    suppliers.take(record, key, retrieval);
  };
  const view = { allCurrencies: true, keep };
  const inputs = await openInputs(paths, inputOptions(session, view));
  const counts = await withLiveStatus(session, status, () =>
    readRecords(session, inputs, take, view),
  );
  requireRecords(counts, paths);
  return inputs.flatMap(({ stored }) => stored ?? []);
}

function noSpend(
  { name }: SpendInput,
  { columns, kinds }: SpendReport,
  { year, rows }: FootprintFlags,
): UsageError {
  if (kinds.has('other_years')) {
    return invalidInput(
      `${name}: no row with spend is of ${year}`,
      'Choose another --year. If the file has no column with the year, --spend-year declares it.',
    );
  }
  if (kinds.has('not_selected')) {
    return invalidInput(
      `${name}: --rows ${(rows ?? []).join(' ')} selects no row with spend`,
      'Compare the values with those of the column.',
    );
  }
  const { column } = columns.columns.find(({ field }) => field === 'spend') ?? {};
  return invalidInput(
    `${name}: no row has an amount in column "${column}"`,
    'Choose the column with --map spend=<column>.',
  );
}
