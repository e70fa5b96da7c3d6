/*
 * Opens a list to register its rows: reads its journals, checks the whole file before anything is
 * sent, and then sends the remaining rows.
 */
import { type FileHandle, mkdir, realpath } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { fields } from '../../client/registration/fields.ts';
import type { FileLock, LockContext } from '../../runtime/file-lock.ts';
import { chooseList } from '../kept/choose-list.ts';
import {
  headerLine,
  Journal,
  type JournalHeader,
  Journals,
  lockJournal,
  readReason,
  setJournalAside,
} from '../kept/journal.ts';
import {
  countListed,
  countRejected,
  findRemoved,
  noteListing,
  type Removed,
} from '../kept/listing.ts';
import {
  checkKept,
  chooseKept,
  hasSheets,
  journalOf,
  type Keeping,
  stdinList,
} from '../kept/paths.ts';
import { addedColumns, chooseColumns } from '../list/columns.ts';
import { type IdentifiedTable, rereadRows } from '../list/rows.ts';
import { type CsvDialectOptions, notAList } from '../table/dialect.ts';
import { InputFile, withSheetHint } from '../table/input-file.ts';
import { readMap } from '../table/map-option.ts';
import { type PreflightOptions, preflight } from './preflight.ts';
import { judgeRow, type RowActionOptions, type RowPlan } from './row-plan.ts';
import type { RunOutcome } from './rows.ts';
import type { SendOptions } from './send.ts';

export interface ListInput {
  readonly path: string;
  /** The path, or `standard input`, which needs `keep`. */
  readonly name: string;
  /** The open file if it has no path, such as a copy of standard input. */
  readonly file?: FileHandle | undefined;
}

/** Options of a batch: the file, how to read it, and the journals that belong to it. */
export interface BatchOptions
  extends ListInput,
    CsvDialectOptions,
    RowActionOptions,
    LockContext,
    Keeping,
    Pick<PreflightOptions, 'onRegistered' | 'findNumbers' | 'doubtful'> {
  readonly map?: readonly string[] | undefined;
  /**
   * The base URL, or `sandbox`. It is part of each row's key; without one, that of the journals
   * counts.
   */
  readonly service: string;
  /** Name of the profile; `env` when base URL and key are from the environment. */
  readonly profile: string;
  /** Accepts the journals of any profile, because nothing is known of the account. */
  readonly anyProfile?: boolean | undefined;
  /** Ignores earlier runs and renames their journal. */
  readonly restart?: boolean | undefined;
  /** Only checks: takes no lock and writes nothing, so it works during runs. */
  readonly dryRun?: boolean | undefined;
  /** Whether to check the list against the journals that it has, of any profile. */
  readonly status?: boolean | undefined;
}

/**
 * Takes the lock, reads the journals and checks the whole file. Sends nothing, and writes nothing
 * but the lock.
 * @throws UsageError when the file, its mapping or its journals cannot be used; LocalError when
 * another run is in progress
 */
export async function openBatch(options: BatchOptions): Promise<Batch> {
  const { keep, status = false, dryRun = false } = options;
  const isReadOnly = dryRun || status;
  const found = await findList(options);
  if (keep !== undefined && !isReadOnly) await mkdir(keep, { recursive: true });
  const lock = isReadOnly ? undefined : await lockJournal(found.journal, options);
  try {
    return new Batch(options, { ...found, ...(await checkRows(options, found)), lock });
  } catch (error) {
    lock?.release();
    throw error;
  }
}

/* Finds out how to read the list, and which journals it has. */
async function findList(options: BatchOptions) {
  const { path, name, file, keep, status = false } = options;
  const source = new InputFile(path, name, file);
  const map = readMap(fields, options.map ?? []);
  // A dry run of standard input has no files.
  const list = path === name || keep === undefined ? path : stdinList;
  const { sandbox } = status ? chooseKept(list, options) : options;
  checkKept(list, { keep, sandbox });
  const chosen = await chooseList(source, list, { keep, sandbox }, { ...options, map });
  const dialect = await chosen.reading.detect(source);
  if (dialect.isResult)
    throw notAList(
      name,
      ' To register the rows anyway, copy them to a new file, without the columns of carbon.',
    );
  return { source, list, sandbox, chosen, journal: journalOf(list, chosen.keeping), dialect };
}

type FoundList = Awaited<ReturnType<typeof findList>>;

/* Reads the journals, and checks every row. */
async function checkRows(
  options: BatchOptions,
  { source, list, sandbox, chosen, journal, dialect }: FoundList,
) {
  const { restart = false, status = false } = options;
  const { reading } = chosen;
  const isOther = status && sandbox === true;
  const registrant = {
    service: isOther ? undefined : options.service || undefined,
    // The profile only determines which key a run uses.
    profile: status || options.anyProfile ? undefined : options.profile,
  };
  const journals = new Journals(journal, registrant, hasSheets(list));
  if (!restart) for (const each of chosen.journals) await journals.read(each.path, each.of);
  const recorded = journals.columnsOf(dialect.header);
  const mapping = withSheetHint(source, reading.wantedSheet, () =>
    chooseColumns(dialect, reading.map(recorded), recorded),
  );
  const given: IdentifiedTable = {
    source,
    // The sample is the beginning of the file, which is not needed any more.
    dialect: { ...dialect, sample: [] },
    mapping,
    service: journals.service ?? '',
    formerCells: reading.formerCells,
  };
  // The status of a list is no reason to ask about its rows.
  const doubtful = options.doubtful ?? (status ? 'skip' : undefined);
  const { table, checked: found } = await preflight(given, journals, {
    ...options,
    doubtful,
    insistsOnCurrency: reading.isChosen('currency'),
  });
  return { journals, recorded, mapping, table, found };
}

type CheckedList = FoundList &
  Awaited<ReturnType<typeof checkRows>> & { readonly lock: FileLock | undefined };

/** A checked list. Call `close` at the end. */
export class Batch {
  /** What the files of the list are named after: its path, or `stdin`. */
  readonly list: string;
  readonly keeping: FoundList['chosen']['keeping'];
  readonly table: CheckedList['table'];
  /** Columns that a first run would use, and that the journal does not have. */
  readonly added: ReturnType<typeof addedColumns>;
  /** What is read as in the last run, although no option says so. */
  readonly kept: readonly string[];
  readonly preflight: CheckedList['found'];
  readonly journal: string;
  readonly journals: Journals;
  readonly isDryRun: boolean;
  readonly isStdin: boolean;
  /** Undefined if the list is only read. */
  readonly lock: FileLock | undefined;
  readonly #options: BatchOptions;
  readonly #files: FoundList['chosen']['journals'];
  readonly #recorded: CheckedList['recorded'];
  readonly #columns: JournalHeader['mapping'];
  /* A line with the options of this run, until the journal has it. */
  #newOptions: string;

  constructor(options: BatchOptions, checked: CheckedList) {
    const { list, chosen, dialect, journals, recorded, mapping, table, journal, lock } = checked;
    const { reading } = chosen;
    const { path, name, restart = false, dryRun = false, clock } = options;
    this.list = list;
    this.keeping = chosen.keeping;
    this.table = table;
    this.added = recorded ? addedColumns(dialect, reading.map(recorded), mapping) : [];
    this.kept = [...reading.notices, ...reading.describeMap(recorded)];
    this.preflight = checked.found;
    this.journal = journal;
    this.journals = journals;
    this.isDryRun = dryRun;
    this.isStdin = path !== name;
    this.lock = lock;
    this.#options = options;
    this.#files = chosen.journals;
    this.#recorded = recorded;
    this.#columns = Object.fromEntries(mapping.columns.map(({ field, column }) => [field, column]));
    const isNew = restart || chosen.isOtherSheet;
    this.#newOptions = reading.lineOf(dialect.header, clock.now(), isNew);
  }

  /* Opens the journal, and adds what the following lines mean and which options it keeps. */
  async #open(): Promise<Journal> {
    const { service, profile, keep } = this.#options;
    const header: JournalHeader = {
      service,
      profile,
      mapping: this.#columns,
      list: keep === undefined || this.isStdin ? undefined : await realpath(this.list),
    };
    const opened = await openJournal(this.journals, header, {
      path: this.journal,
      lock: this.lock,
      newOptions: this.#newOptions,
    });
    this.#newOptions = '';
    return opened;
  }

  /**
   * Reads the file again and yields what a run would do with each row, in its order.
   * @param withStored whether the rows have what a copy of their cells needs
   */
  async *plans(withStored = false): AsyncGenerator<RowPlan, void, void> {
    for await (const { rows } of rereadRows({ ...this.table, withStored }))
      for (const row of rows) {
        const known = this.journals.rows.get(row.key);
        const plan = judgeRow(row, known, this.#options);
        const { failure, error: failed } = known?.failures ?? {};
        const postponed = failed ?? (failure === undefined ? undefined : readReason(failure));
        const sentAs = known?.line || undefined;
        const isPlain = (postponed ?? sentAs) === undefined;
        yield isPlain ? plan : { ...plan, postponed, failed, sentAs };
      }
  }

  /**
   * Sends the remaining rows. Call it once.
   * @throws LocalError when the journal cannot be written, before anything is sent
   */
  async send(sendOptions: SendOptions): Promise<RunOutcome> {
    const { table, journals, lock } = this;
    const { clock, signal: stop, retryFailed, dropInvalidIds, restart = false } = this.#options;
    const { sendRows } = await import('./send.ts');
    if (restart)
      for (const { path, of } of this.#files)
        if (of === 'itself') await setJournalAside(path, lock);
    const journal = await this.#open();
    try {
      const signal = lock ? AbortSignal.any([stop, lock.lost]) : stop;
      const how = { clock, signal, retryFailed, dropInvalidIds };
      return await sendRows({ ...sendOptions, table, journals, journal, ...how }, this.preflight);
    } finally {
      await journal.close();
    }
  }

  /** Compares the organizations of the list with those of the last run that finished. */
  findRemoved(): Removed {
    const recorded = this.#recorded;
    const hasSameKeys =
      recorded === undefined || isDeepStrictEqual(recorded.columns, this.#columns);
    return findRemoved(this.journals.rows, hasSameKeys);
  }

  /** Counts the registered organizations of the list. */
  countListed(): number {
    return countListed(this.journals.rows);
  }

  /** Counts the rows that the service rejected; equal ones count once. */
  countRejected(): number {
    return countRejected(this.journals.rows);
  }

  /**
   * Notes in the journal which organizations the list has: what the next run compares it with.
   * @throws LocalError when the journal cannot be written
   */
  async noteListing(): Promise<void> {
    let file: Journal | undefined;
    try {
      for (const lines of noteListing(this.journals, this.#options.clock.now())) {
        file ??= await this.#open();
        await file.append(lines);
      }
    } finally {
      await file?.close();
    }
  }

  /** Keeps the options of a run that sends nothing. */
  async keepOptions(): Promise<void> {
    const { restart = false } = this.#options;
    const isReadOnly = this.lock === undefined;
    if (!isReadOnly && !restart && this.#newOptions !== '') await (await this.#open()).close();
  }

  close(): void {
    this.lock?.release();
  }
}

async function openJournal(
  journals: Journals,
  header: JournalHeader,
  { path, lock, newOptions }: { path: string; lock: FileLock | undefined; newOptions: string },
) {
  const journal = await Journal.open(path, lock);
  try {
    const known = journals.headers.get(path);
    const [before, now] = [known, header].map((each) => [
      each?.service,
      each?.profile,
      each?.mapping,
    ]);
    const lines = `${isDeepStrictEqual(before, now) ? '' : headerLine(header)}${newOptions}`;
    if (lines !== '') await journal.append(lines);
    journals.headers.set(path, header);
    return journal;
  } catch (error) {
    await journal.close();
    throw error;
  }
}
