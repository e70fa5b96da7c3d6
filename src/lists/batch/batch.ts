/*
 * Opens a list to register its rows: reads its journals, checks the whole file before anything is
 * sent, and then sends the remaining rows.
 */
import { type FileHandle, mkdir, realpath } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { fields } from '../../client/registration/fields.ts';
import { invalidInput } from '../../runtime/carbon-error.ts';
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
import { countListed, findRemoved, noteListing, type Removed } from '../kept/listing.ts';
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
import type { CsvDialectOptions } from '../table/dialect.ts';
import { InputFile, withSheetHint } from '../table/input-file.ts';
import { readMap } from '../table/map-option.ts';
import { isResultHeader } from '../table/output-cell.ts';
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
    Pick<PreflightOptions, 'onRegistered' | 'doubtful'> {
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

/** A checked list. Call `close` at the end. */
export type Batch = Awaited<ReturnType<typeof openBatch>>;

/**
 * Takes the lock, reads the journals and checks the whole file. Sends nothing, and writes nothing
 * but the lock.
 * @throws UsageError when the file, its mapping or its journals cannot be used; LocalError when
 * another run is in progress
 */
export async function openBatch(options: BatchOptions) {
  const { path, name, file, keep, restart = false, status = false, dryRun = false } = options;
  const isReadOnly = dryRun || status;
  const source = new InputFile(path, name, file);
  const map = readMap(fields, options.map ?? []);
  // A dry run of standard input has no files.
  const list = path === name || keep === undefined ? path : stdinList;
  const { sandbox } = status ? chooseKept(list, options) : options;
  checkKept(list, { keep, sandbox });
  const chosen = await chooseList(source, list, { keep, sandbox }, { ...options, map });
  const { keeping, reading } = chosen;
  const journal = journalOf(list, keeping);
  const dialect = await reading.detect(source);
  if (isResultHeader(dialect.header))
    throw invalidInput(
      `${name} is a table of results that carbon wrote, not a list of organizations`,
      'Use the list that it was made from. To register the rows anyway, remove the columns of carbon.',
    );
  if (keep !== undefined && !isReadOnly) await mkdir(keep, { recursive: true });
  const lock = isReadOnly ? undefined : await lockJournal(journal, options);
  try {
    const files = chosen.journals;
    const isOther = status && sandbox === true;
    const registrant = {
      service: isOther ? undefined : options.service || undefined,
      // The profile only determines which key a run uses.
      profile: status || options.anyProfile ? undefined : options.profile,
    };
    const journals = new Journals(journal, registrant, hasSheets(list));
    if (!restart) for (const each of files) await journals.read(each.path, each.of);
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
    const { table, checked } = await preflight(given, journals, {
      ...options,
      doubtful,
      insistsOnCurrency: reading.isChosen('currency'),
    });
    const used = Object.fromEntries(mapping.columns.map(({ field, column }) => [field, column]));
    const isNew = restart || chosen.isOtherSheet;
    let newOptions = reading.lineOf(dialect.header, options.clock.now(), isNew);
    /* Opens the journal, and adds what the following lines mean and which options it keeps. */
    const open = async () => {
      const header: JournalHeader = {
        service: options.service,
        profile: options.profile,
        mapping: used,
        list: keep === undefined || path !== name ? undefined : await realpath(list),
      };
      const opened = await openJournal(journals, header, { path: journal, lock, newOptions });
      newOptions = '';
      return opened;
    };
    return {
      /** What the files of the list are named after: its path, or `stdin`. */
      list,
      keeping,
      table,
      /** Columns that a first run would use, and that the journal does not have. */
      added: recorded ? addedColumns(dialect, reading.map(recorded), mapping) : [],
      /** What is read as in the last run, although no option says so. */
      kept: [...reading.notices, ...reading.describeMap(recorded)],
      preflight: checked,
      journal,
      journals,
      isDryRun: dryRun,
      isStdin: path !== name,
      /** Undefined if the list is only read. */
      lock,

      /**
       * Reads the file again and yields what a run would do with each row, in its order.
       * @param withStored whether the rows have what a copy of their cells needs
       */
      async *plans(withStored = false): AsyncGenerator<RowPlan, void, void> {
        for await (const { rows } of rereadRows({ ...table, withStored }))
          for (const row of rows) {
            const known = journals.rows.get(row.key);
            const plan = judgeRow(row, known, options);
            const { failure, error: failed } = known?.failures ?? {};
            const postponed = failed ?? (failure === undefined ? undefined : readReason(failure));
            const sentAs = known?.line || undefined;
            const isPlain = (postponed ?? sentAs) === undefined;
            yield isPlain ? plan : { ...plan, postponed, failed, sentAs };
          }
      },

      /**
       * Sends the remaining rows. Call it once.
       * @throws LocalError when the journal cannot be written, before anything is sent
       */
      async send(sendOptions: SendOptions): Promise<RunOutcome> {
        const { clock, signal: stop, retryFailed, dropInvalidIds } = options;
        const { sendRows } = await import('./send.ts');
        if (restart)
          for (const { path: each, of } of files)
            if (of === 'itself') await setJournalAside(each, lock);
        const file = await open();
        try {
          const signal = lock ? AbortSignal.any([stop, lock.lost]) : stop;
          const how = { clock, signal, retryFailed, dropInvalidIds };
          const parts = { table, journals, journal: file, ...how };
          return await sendRows({ ...sendOptions, ...parts }, checked);
        } finally {
          await file.close();
        }
      },

      /** Compares the organizations of the list with those of the last run that finished. */
      findRemoved(): Removed {
        const hasSameKeys = recorded === undefined || isDeepStrictEqual(recorded.columns, used);
        return findRemoved(journals.rows, hasSameKeys);
      },

      /** Counts the registered organizations of the list. */
      countListed: (): number => countListed(journals.rows),

      /**
       * Notes in the journal which organizations the list has: what the next run compares it with.
       * @throws LocalError when the journal cannot be written
       */
      async noteListing(): Promise<void> {
        let file: Journal | undefined;
        try {
          for (const lines of noteListing(journals, options.clock.now())) {
            file ??= await open();
            await file.append(lines);
          }
        } finally {
          await file?.close();
        }
      },

      /** Keeps the options of a run that sends nothing. */
      async keepOptions(): Promise<void> {
        if (!isReadOnly && !restart && newOptions !== '') await (await open()).close();
      },

      close(): void {
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
    throw error;
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
