/* Reads the user's file, and finds the records of its suppliers. */
import { basename } from 'node:path';
import packageJson from '../../../../../package.json' with { type: 'json' };
import { listing } from '../../../../display/terminal/format.ts';
import { quoteWords } from '../../../../display/terminal/sanitize.ts';
import { presentSheets } from '../../../../lists/kept/choose-list.ts';
import { checkKept, chooseKept, findStores } from '../../../../lists/kept/paths.ts';
import type { StoredRecords } from '../../../../lists/kept/view.ts';
import {
  type Calculation,
  type Reading,
  type RecordHistory,
  yearSelection,
} from '../../../../portfolio/footprint/calculation.ts';
import { EarlierYear } from '../../../../portfolio/footprint/earlier-year.ts';
import type { FootprintEntry } from '../../../../portfolio/footprint/entries.ts';
import { isUncovered } from '../../../../portfolio/footprint/factors/choose.ts';
import { calculateFootprint } from '../../../../portfolio/footprint/footprint.ts';
import type { MethodOptions } from '../../../../portfolio/footprint/line-item.ts';
import { readHistory } from '../../../../portfolio/footprint/record-history.ts';
import {
  openSpendFile,
  type SpendInput,
  type SpendOptions,
  type SpendRow,
} from '../../../../portfolio/footprint/spend/spend-file.ts';
import { moveOf } from '../../../../portfolio/footprint/statements.ts';
import { type SpendOfYears, Suppliers } from '../../../../portfolio/footprint/suppliers.ts';
import { invalidInput } from '../../../../runtime/carbon-error.ts';
import { dayAt } from '../../../../runtime/clock.ts';
import { keptNotices, sheetNotices, tableWords } from '../../../input-table.ts';
import { withLiveStatus } from '../../../live-status.ts';
import type { Notice } from '../../../messages.ts';
import { isForm } from '../../../output/show.ts';
import {
  correctionIn,
  openRecords,
  readRecords,
  type StoreView,
  syncCommandLine,
} from '../../../read-snapshot.ts';
import type { Session } from '../../../session.ts';
import {
  columnNotices,
  currenciesToSync,
  currencyNotices,
  type FileNotice,
  recordNotices,
  rowNotices,
} from './notices.ts';
import type { FootprintFlags } from './options.ts';

/* What the calculation reads of the options. A member that no option sets is a type error. */
type CalculationFlags = Pick<
  FootprintFlags,
  keyof MethodOptions | Exclude<keyof SpendOptions, 'years'>
>;

/** Tells whether the result is one screen of a terminal, without how the file was read. */
export function isBrief(session: Session, options: FootprintFlags): boolean {
  return options.full !== true && isScreen(session, options);
}

function isScreen(session: Session, { out }: FootprintFlags): boolean {
  return out === undefined && isForm(session, 'terminal');
}

/** Prints notices, of a screen after what it begins with: what the footprint means, or an error. */
export function printNotices(
  session: Session,
  options: FootprintFlags,
  ...notices: readonly Notice[]
): void {
  const { messages } = session;
  if (!isScreen(session, options)) messages.print(...notices);
  else for (const notice of notices) messages.printLast(notice);
}

/** The day of a calculation, `YYYY-MM-DD`: that of `--at`, otherwise today. */
export function todayOf({ context }: Session, { at }: Pick<FootprintFlags, 'at'>): string {
  return at ?? dayAt(context.clock.now());
}

/** Reads a file with spend and the records, as `readInput` does, and calculates the footprint. */
export async function calculate(
  session: Session,
  input: SpendInput,
  options: FootprintFlags,
  reading: Reading = {},
): Promise<Calculation> {
  const ofFile: Notice[] = [];
  try {
    return await calculateOnce(session, input, options, { ...reading, ofFile });
  } catch (error) {
    // How the file was read explains only what is wrong with it.
    session.messages.drop();
    printNotices(session, options, ...ofFile);
    throw error;
  }
}

/** How a file is read; `ofFile` are the notices about it, until all of it is read. */
type HeldReading = Reading & { readonly ofFile: Notice[] };

async function calculateOnce(
  session: Session,
  input: SpendInput,
  options: FootprintFlags,
  reading: HeldReading,
): Promise<Calculation> {
  const { at = options.at } = reading;
  const read = await readInput(session, input, { ...options, at }, reading);
  const { spend, warnings, service, toCorrect, fileYears, otherYears, earlier } = read;
  const { records: files = [], rows = [], year, invert, amountsIn = 'units' } = options;
  const { years = year === undefined ? undefined : [year] } = reading;
  const names = files.map((path) => (path === '-' ? 'standard input' : path));
  const provenance = {
    version: packageJson.version,
    service,
    files: [input.name, ...names].map((name) => basename(name)),
    selection: [...rows, ...(years === undefined ? [] : [yearSelection(years)])],
    file_years: [...fileYears.flatMap((each) => each ?? []), ...otherYears].sort((a, b) => a - b),
    amounts: [
      ...(invert ? ['signs reversed (--invert)'] : []),
      ...(amountsIn === 'units' ? [] : [`in ${amountsIn}`]),
    ],
    calculated_at: session.context.clock.now(),
    as_of: at,
    list: toCorrect,
    warnings,
  };
  const { summary, ...result } = calculateFootprint(spend, options, provenance);
  const previous = earlier?.year.totals(earlier.spend, input.name, options) ?? null;
  const { history } = read;
  const trend = reading.hasEarlier
    ? await trendIn({ ...summary, previous }, result.entries, read, options)
    : null;
  return {
    result: { ...result, summary: { ...summary, previous, trend } },
    spend,
    fileYears,
    otherYears,
    history,
    toCorrect,
  };
}

/* Calculates the last two years of the footprint as their comparison does. */
async function trendIn(
  totals: Parameters<typeof moveOf>[0],
  entries: readonly FootprintEntry[],
  { report, spendOf }: Pick<Awaited<ReturnType<typeof readInput>>, 'report' | 'spendOf'>,
  options: MethodOptions,
) {
  const moved = moveOf(totals);
  if (moved === undefined) return null;
  const { entriesAlone, trendOf } = await import('../../../../portfolio/footprint/trend.ts');
  const { years } = report;
  if (years.size === 2 && years.has(moved.from) && years.has(moved.to))
    return trendOf(moved, entries);
  const spend = spendOf?.([moved.from, moved.to]);
  const alone = spend && entriesAlone(moved, spend, report, options);
  return alone === undefined ? null : trendOf(moved, alone);
}

/**
 * Reads a file with spend, prints what was understood, and finds the records of the suppliers: in
 * the files of `--records`, otherwise those that `carbon sync` keeps of the file itself.
 * @returns also the service of stored records; null for other files of records
 * @throws UsageError if the file or the records cannot be used, and if the stored records are not
 * in the currencies of the spend
 */
async function readInput(
  session: Session,
  input: SpendInput,
  options: FootprintFlags,
  reading: HeldReading,
) {
  const { print, warnings } = noticesOf(session, options, reading);
  const opened = await openSpend(session, input, options, reading);
  const { file } = opened;
  const { report } = file;
  const hasOtherSheets = (file.source.sheet?.others.length ?? 0) > 0;
  const source = [...keptNotices(file.kept), ...sheetNotices(file.source)].map((each) => ({
    ...each,
    isReading: each.level === 'detail' && !hasOtherSheets,
  }));
  print([...source, ...columnNotices(report)]);
  const kept = { evidence: options.goal !== undefined, contact: namesWhomToAsk(options) };
  const start = () => new Suppliers(options, todayOf(session, options), kept);
  const suppliers = start();
  const { year } = options;
  const earlier =
    reading.hasEarlier && year !== undefined ? new EarlierYear(year, start) : undefined;
  await withLiveStatus(session, `Reading the rows of ${basename(input.name)}`, async () => {
    const addOther = (row: SpendRow) => {
      earlier?.add(row, report);
      suppliers.addOther(row);
    };
    for await (const rows of file.rows(addOther)) {
      for (const row of rows) suppliers.add(row);
      if (report.rows > 1_000) session.context.limitYoungGeneration(16);
    }
  });
  for (const row of reading.rows ?? []) suppliers.add(row);
  if (report.rows === 0) {
    const years = listing([...report.otherYears].sort((a, b) => a - b));
    throw invalidInput(
      years === ''
        ? `${input.name}: no row with spend is selected`
        : `${input.name} has no spend of ${options.year ?? 'that year'}${options.rows === undefined ? '' : ' in the rows of --rows'}`,
      years === '' ? hintAtNoRow(options.rows) : `Choose from its years: ${years}.`,
    );
  }
  print(rowNotices(report));
  reading.ofFile.length = 0;
  const { spend, service, toCorrect, toSync, earlierSpend, spendOf, history } = await addRecords(
    session,
    input,
    options,
    {
      ...opened,
      suppliers,
      earlier: earlier?.suppliers,
      hasHistory: reading.hasHistory ?? false,
      // Those of another day are others.
      isReported: reading.isAgain === true && reading.at === undefined,
      // A goal and a comparison name the day that they compare with.
      saysDays:
        isForm(session, 'terminal') &&
        options.out === undefined &&
        (reading.at === undefined || reading.isAgain === true),
    },
  );
  print([...recordNotices(spend, report.columns), ...toSync]);
  const fileYears = [...report.years.keys()].map((each) => each ?? null);
  return {
    spend,
    warnings,
    service,
    history,
    toCorrect,
    fileYears,
    otherYears: report.otherYears,
    earlier: earlier && earlierSpend && { year: earlier, spend: earlierSpend },
    report,
    spendOf,
  };
}

/* A goal and a comparison are about whom to ask, and show their own warnings. */
function namesWhomToAsk({ goal, compare, since }: FootprintFlags): boolean {
  return (goal ?? compare ?? since) !== undefined;
}

/*
 * Returns what prints notices, unless one screen leaves them out. Every view of the footprint
 * repeats the warnings, but not those of goals and changes.
 */
function noticesOf(
  session: Session,
  options: FootprintFlags,
  { isAgain = false, ofFile }: HeldReading,
) {
  const warnings: string[] = [];
  const isRepeated = !namesWhomToAsk(options);
  const isHeld = ({ isReading, level }: FileNotice) =>
    isReading || (level === 'warning' && isRepeated);
  const print = (notices: readonly FileNotice[]) => {
    if (isAgain) return;
    const kept = isBrief(session, options) ? notices.filter((each) => !isHeld(each)) : notices;
    ofFile.push(...notices);
    printNotices(session, options, ...kept);
    for (const { level, text } of notices) if (level === 'warning') warnings.push(text);
  };
  return { print, warnings };
}

/* Opens the file, and chooses its sheet and columns. */
async function openSpend(
  session: Session,
  input: SpendInput,
  options: FootprintFlags,
  { years }: HeldReading,
) {
  const { keep, year } = options;
  const { path, name } = input;
  const kept = {
    keep,
    sandbox: chooseKept(path, { keep, sandbox: session.flags.sandbox }).sandbox,
  };
  const isFile = path === name;
  if (isFile) checkKept(path, kept);
  const sheets = isFile ? await presentSheets(path, kept) : [];
  if (sheets.length > 1 && options.sheet === undefined)
    throw invalidInput(
      `${name} has several sheets with records: ${sheets.map((sheet) => `"${sheet}"`).join(', ')}`,
      `Choose one, such as --sheet ${quoteWords(sheets.slice(0, 1))}`,
      async () => {
        const { chooseSheet } = await import('../../../../lists/table/sheet.ts');
        return chooseSheet({ path, fileName: name, file: input.file }, sheets);
      },
    );
  // A copy of standard input has no journal beside it.
  const given: CalculationFlags = options;
  const spendOptions = { ...given, years: years ?? (year === undefined ? undefined : [year]) };
  const file = await withLiveStatus(session, `Reading ${basename(name)}`, () =>
    openSpendFile(input, spendOptions, isFile ? kept : undefined),
  );
  return { file, sheets };
}

type OpenedSpend = Awaited<ReturnType<typeof openSpend>>;

/*
 * Reads the records of the suppliers, and returns what was matched, with notices about what to
 * retrieve.
 */
async function addRecords(
  session: Session,
  { path, name }: SpendInput,
  options: FootprintFlags,
  {
    file,
    sheets,
    suppliers,
    earlier,
    hasHistory,
    ...shown
  }: OpenedSpend & {
    readonly suppliers: Suppliers;
    readonly earlier: Suppliers | undefined;
  } & Pick<StoreView, 'isReported' | 'saysDays'> &
    Pick<Reading, 'hasHistory'>,
) {
  const { records = [], keep, at } = options;
  const { report, identifying } = file;
  const isFile = path === name;
  const isOwn = records.length === 0;
  const words = tableWords({ ...options, map: report.columns.registrationMap });
  const sync = (currencies: readonly string[], stored?: StoredRecords, list = path) => {
    const added = currencies.filter(Boolean).flatMap((currency) => ['--currency', currency]);
    const own = list === path ? words : [];
    const all = { keep, service: stored?.service, words: [...own, ...added] };
    return `To retrieve them: ${syncCommandLine(session, list, all)}`;
  };
  const { sandbox } = session.flags;
  if (isOwn && findStores(path, chooseKept(path, { keep, sandbox })).length === 0) {
    const currencies = [...new Set([...report.purchases.keys(), ...report.credits.keys()])];
    const command = isFile ? `${sync(currencies)}. Or choose` : 'Choose';
    throw invalidInput(`There are no records of ${name}`, `${command} records with --records.`);
  }
  const own = sheets.find((sheet) => isOwn && sheet === file.source.sheet?.name);
  const view = { allCurrencies: true, keep, sheet: own, at, ...shown };
  const paths = isOwn ? [path] : records;
  const inputs = await openRecords(session, paths, view);
  const take = Suppliers.taking(earlier === undefined ? [suppliers] : [suppliers, earlier]);
  await withLiveStatus(session, 'Reading records', () => readRecords(session, inputs, take, view));
  const stored = inputs.flatMap((each) => each.stored ?? []);
  const spend = suppliers.collect(file.journals !== undefined);
  const earlierSpend = earlier?.join(file.journals !== undefined);
  const missingOf = (of: SpendOfYears) => (isOwn ? missingCurrencies(of, stored) : []);
  const missing = missingOf(spend);
  if (missing.length > 0)
    throw invalidInput(
      `${path} has spend in ${missing.join(', ')}, but no records in ${missing.length === 1 ? 'this currency' : 'these currencies'}`,
      sync(missing, stored[0]),
    );
  // Of several lists, the records do not say which one they are from.
  const lists = inputs.flatMap(({ name: list, stored: of }) => (of === undefined ? [] : [list]));
  const list = lists.length === 1 ? lists[0] : isFile ? path : '<list>';
  const unused = !isOwn && list === path ? ', then leave out --records' : '';
  const wanted = currenciesToSync(spend);
  const toSync = currencyNotices(wanted, sync(wanted, stored[0], list) + unused);
  const [{ service } = { service: null }] = stored;
  const chosen = options.sheet === undefined ? [] : [options.sheet];
  return {
    spend,
    service,
    history: !hasHistory
      ? undefined
      : await readHistory(inputs, earlierGroups(session, paths, view, suppliers)),
    /** The file, if its records are those of its own rows. */
    toCorrect:
      isOwn && isFile && service !== null
        ? {
            name: basename(name),
            ...correctionIn(session, path, { keep, service, sheets: chosen, identifying }),
          }
        : undefined,
    toSync,
    /** Undefined without records in its currencies. */
    earlierSpend: earlierSpend && missingOf(earlierSpend).length === 0 ? earlierSpend : undefined,
    /** Undefined if the spend has no years besides those that a comparison of two needs. */
    spendOf:
      earlier !== undefined || report.years.size > 2
        ? spendIn(suppliers, earlier, isOwn ? stored : undefined, file.journals !== undefined)
        : undefined,
  };
}

/*
 * Returns what collects the spend of some years as if the file had no others; undefined if it is
 * unknown. It keeps the suppliers in memory, as does the function after it.
 */
function spendIn(
  suppliers: Suppliers,
  earlier: Suppliers | undefined,
  stored: readonly StoredRecords[] | undefined,
  hasJournal: boolean,
): (years: readonly number[]) => SpendOfYears | undefined {
  return (years) => {
    const spend = Suppliers.ofYears(suppliers, earlier, years, hasJournal);
    const missing = spend && stored && missingCurrencies(spend, stored);
    return missing === undefined || missing.length === 0 ? spend : undefined;
  };
}

/*
 * Returns what matches the rows with the records of a day. A closure in the function above would
 * keep its records in memory.
 */
function earlierGroups(
  session: Session,
  paths: readonly string[],
  view: StoreView,
  suppliers: Suppliers,
): RecordHistory['groupsAt'] {
  return async (day) => {
    const then = { ...view, at: day, isReported: true };
    const opened = await openRecords(session, paths, then);
    suppliers.forgetRecords();
    const take = Suppliers.taking([suppliers]);
    await withLiveStatus(session, 'Reading earlier records', () =>
      readRecords(session, opened, take, then),
    );
    return suppliers.collect(true).groups;
  };
}

/* The record in another currency has other factors, and carbon converts none. */
function missingCurrencies({ groups }: SpendOfYears, stored: readonly StoredRecords[]): string[] {
  const known = new Set<string | null>(stored.flatMap(({ currencies }) => currencies));
  // Records of the service's default currency are known by what they contain.
  for (const { currency, fits, choice } of groups)
    if (fits && !isUncovered(choice.additive)) known.add(currency);
  const missing = groups.filter(({ currency, fits }) => !fits && !known.has(currency));
  return [...new Set(missing.flatMap(({ currency }) => currency ?? []))];
}

function hintAtNoRow(rows: readonly string[] = []): string {
  return rows.length > 0
    ? `No row with spend meets ${quoteWords(rows.flatMap((each) => ['--rows', each]))}: check the values.`
    : 'Choose the spend column with --map spend=<column>.';
}
