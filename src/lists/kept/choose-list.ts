/*
 * Chooses the sheet of a list, its files and how to read it. Each sheet of a workbook is a list of
 * its own. The files named after the workbook itself are those of the first visible sheet, unless
 * their journal keeps another sheet; those of other sheets have the word of the sheet in their
 * names. Until 0.2.0, all sheets shared one journal, and the records of a sheet that --sheet chose
 * were in files of their own: both are still found.
 */

import { naming } from '../../display/terminal/format.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import { hasColumns } from '../list/columns.ts';
import { detectDialect } from '../table/dialect.ts';
import { InputFile } from '../table/input-file.ts';
import type { SheetNames } from '../table/sheet.ts';
import { isZip } from '../workbook/foreign-format.ts';
import {
  type ChosenSheet,
  type GivenOptions,
  type KeptOptions,
  ListReading,
  readKeptOptions,
  readRecordedColumns,
} from './kept-options.ts';
import {
  findJournals,
  findSheetWords,
  hasSheets,
  journalOf,
  type Keeping,
  sheetOfWord,
  sheetWord,
} from './paths.ts';

/** What is kept of a sheet. */
export interface KeptSheet {
  /** The word in the names of its files; undefined for those named after the list. */
  readonly part: string | undefined;
  /** Its name; undefined for a shared journal of 0.2.0, and for a list that is no workbook. */
  readonly name: string | undefined;
  readonly journal: string;
  readonly hasStore: boolean;
  readonly options: KeptOptions | undefined;
}

/** Finds what is kept of the sheets of a list. */
export async function findKeptSheets(
  list: string,
  keeping: Keeping,
  openFile?: Parameters<typeof readKeptOptions>[1],
): Promise<KeptSheet[]> {
  return Promise.all(
    findSheetWords(list, keeping).map(async ({ part, hasStore }) => {
      const journal = journalOf(list, { ...keeping, part });
      const options = await readKeptOptions(journal, openFile);
      const name = options?.sheet ?? (part === undefined ? undefined : sheetOfWord(part));
      return { part, name, journal, hasStore, options };
    }),
  );
}

/**
 * Returns the sheets of a workbook whose records are kept, with the words of their files; none for
 * another list. A store of 0.2.0 that is named after the list is that of the first visible sheet.
 */
export async function syncedSheets(
  list: string,
  keeping: Keeping,
): Promise<{ readonly name: string; readonly parts: readonly (string | undefined)[] }[]> {
  if (!hasSheets(list)) return [];
  const sheets = new Map<string, (string | undefined)[]>();
  for (const { part, name, hasStore } of await findKeptSheets(list, keeping)) {
    const known = name ?? (hasStore ? await firstSheet(list) : undefined);
    if (hasStore && known !== undefined) sheets.set(known, [...(sheets.get(known) ?? []), part]);
  }
  return [...sheets].map(([name, parts]) => ({ name, parts }));
}

/** Returns the synced sheets that a workbook still has. */
export async function presentSheets(list: string, keeping: Keeping): Promise<readonly string[]> {
  const synced = (await syncedSheets(list, keeping)).map(({ name }) => name);
  if (synced.length < 2) return synced;
  const { readSheetNames } = await import('../table/sheet.ts');
  const { all } = await readSheetNames(new InputFile(list));
  return all.filter((name) => synced.includes(name));
}

/* The list may be gone. */
async function firstSheet(list: string): Promise<string | undefined> {
  const { readSheetNames } = await import('../table/sheet.ts');
  return readSheetNames(new InputFile(list)).then(
    ({ chosen }) => chosen,
    (error: unknown) => {
      if (error instanceof UsageError) return undefined;
      throw error;
    },
  );
}

/** A journal of a list. */
export interface JournalFile {
  readonly path: string;
  /**
   * Whose it is: of the list or sheet itself, of all sheets (0.2.0), of another sheet, or of one
   * that the workbook no longer has, and that this one may have been.
   */
  readonly of: 'itself' | 'all' | 'another' | 'none';
}

/** A list, or a sheet of it, with its files. */
export interface ChosenList<Name extends string = string> {
  /** Where its files are. */
  readonly keeping: Keeping;
  readonly reading: ListReading<Name>;
  /**
   * The journals to read, its own last. A row that another sheet registered is the same
   * organization.
   */
  readonly journals: readonly JournalFile[];
  /** Whether the last run read another sheet. */
  readonly isOtherSheet: boolean;
  /** Whether the journal has rows of several sheets, which no run has told apart yet. */
  readonly isShared: boolean;
}

/**
 * Chooses the sheet of a list: that of the command line, otherwise that of the last run, otherwise
 * the first visible one; then its files, and the options that they keep.
 * @param list what the files are named after
 * @throws UsageError if the sheet does not exist, and if the last runs read several
 */
export async function chooseList<Name extends string>(
  source: InputFile,
  list: string,
  keeping: Keeping,
  given: GivenOptions<Name>,
): Promise<ChosenList<Name>> {
  const own = (kept: Keeping) => journalOf(list, kept);
  if (!isZip(source.readStart(4))) {
    const kept = await readKeptOptions(own(keeping));
    const reading = await ListReading.choose(source, given, kept);
    const journals = findJournals(list, keeping).map((path): JournalFile => {
      return { path, of: 'itself' };
    });
    return { keeping, reading, journals, isOtherSheet: false, isShared: false };
  }
  const { readSheetNames } = await import('../table/sheet.ts');
  const names = await readSheetNames(source);
  const kept = hasSheets(list) ? await findKeptSheets(list, keeping) : [];
  const sheets = new Sheets(source, names, kept, given.skipLines);
  const sheet: ChosenSheet =
    given.sheet === undefined
      ? await sheets.choose()
      : { name: (await readSheetNames(source, given.sheet)).chosen, by: 'option' };
  const part = hasSheets(list) ? await sheets.partOf(sheet.name) : undefined;
  const chosen = { ...keeping, part };
  const ownSheet = kept.find((each) => each.part === part);
  const options = hasSheets(list) ? ownSheet?.options : await readKeptOptions(own(chosen));
  const reading = await ListReading.choose(source, given, options, sheet);
  const journals = findJournals(list, keeping)
    .map((path): JournalFile => {
      const ofSheet = kept.find(({ journal }) => journal === path);
      // A shard of 0.2.0 is none of a sheet.
      const isOwn = path === own(chosen) || (ofSheet === undefined && part === undefined);
      if (isOwn || ofSheet === undefined) return { path, of: isOwn ? 'itself' : 'all' };
      return { path, of: sheets.ownerOf(ofSheet) };
    })
    .toSorted((a, b) => order.indexOf(a.of) - order.indexOf(b.of));
  const last = sheets.last;
  const isOtherSheet = last !== undefined && last !== ownSheet;
  const isShared = ownSheet !== undefined && options?.sheet === undefined && names.all.length > 1;
  return { keeping: chosen, reading, journals, isOtherSheet, isShared };
}

/* What a later journal says about a row counts. */
const order: readonly JournalFile['of'][] = ['another', 'none', 'all', 'itself'];

class Sheets {
  readonly #source: InputFile;
  readonly #names: SheetNames;
  readonly #kept: readonly KeptSheet[];
  readonly #skipLines: number | undefined;

  constructor(
    source: InputFile,
    names: SheetNames,
    kept: readonly KeptSheet[],
    skipLines: number | undefined,
  ) {
    this.#source = source;
    this.#names = names;
    this.#kept = kept;
    this.#skipLines = skipLines;
  }

  /** The sheet that the last run read, if its journal says so. */
  get last(): KeptSheet | undefined {
    const known = this.#kept.filter(({ options }) => options?.sheet !== undefined);
    return known.toSorted((a, b) => compareTimes(b, a))[0];
  }

  /** Whose the files of a sheet are that is not read. */
  ownerOf({ options }: KeptSheet): JournalFile['of'] {
    if (options?.sheet === undefined) return 'all';
    return this.#names.all.includes(options.sheet) ? 'another' : 'none';
  }

  /** Chooses a sheet without an option. */
  async choose(): Promise<ChosenSheet> {
    const { chosen: first, all } = this.#names;
    const { last } = this;
    const byDefault: ChosenSheet = { name: first, by: 'default' };
    const as = (name: string): ChosenSheet =>
      name === first ? byDefault : { name, by: 'journal' };
    const lastSheet = last?.options?.sheet;
    if (lastSheet !== undefined) {
      if (all.includes(lastSheet)) return as(lastSheet);
      if (last?.options?.default_sheet === true) return byDefault;
      throw this.#ask(`has no sheet "${lastSheet}", which the last run read`, this.#names.visible);
    }
    const used = await this.#usedBefore();
    if (used.length > 1) throw this.#ask('has several registered sheets', used);
    return used[0] === undefined ? byDefault : as(used[0]);
  }

  /* The sheets that runs of 0.2.0 read, as far as their files say. */
  async #usedBefore(): Promise<readonly string[]> {
    const { chosen: first, all } = this.#names;
    const stores = this.#kept.filter(({ hasStore }) => hasStore);
    if (stores.length > 0 && stores.every(({ part }) => part !== undefined))
      return all.filter((name) => stores.some(({ part }) => part === sheetWord(name)));
    return (await this.#hasShared(first)) === false ? this.#withShared() : [];
  }

  /** Returns the word of a sheet in the names of its files; undefined for the name of the list. */
  async partOf(name: string): Promise<string | undefined> {
    const { chosen: first, all } = this.#names;
    const own = this.#kept.filter(({ options }) => options?.sheet === name);
    const [known] = own.toSorted((a, b) => compareTimes(b, a));
    if (known !== undefined) return known.part;
    const word = sheetWord(name);
    const isFirst = name === first;
    const hasOwn = this.#kept.some(({ part, options }) => part === word && options === undefined);
    const plain = this.#kept.find(({ part }) => part === undefined);
    if (plain === undefined) return hasOwn || !isFirst ? word : undefined;
    const owner = plain.options?.sheet;
    // A renamed sheet keeps its files.
    if (owner !== undefined) return isFirst && !hasOwn && !all.includes(owner) ? undefined : word;
    if (hasOwn && !(isFirst && plain.hasStore)) return word;
    if (isFirst) {
      const isShared = (await this.#hasShared(name)) === false;
      return isShared && (await this.#withShared()).length > 0 ? word : undefined;
    }
    const isAlone = !plain.hasStore && (await this.#hasShared(first)) === false;
    return isAlone && (await this.#hasShared(name)) === true ? undefined : word;
  }

  /* Whether a sheet has the columns of the shared journal; undefined if that has none. */
  async #hasShared(name: string): Promise<boolean | undefined> {
    const plain = this.#kept.find(({ part, options }) => part === undefined && !options?.sheet);
    const columns = plain && (await readRecordedColumns(plain.journal));
    if (columns === undefined) return undefined;
    const { path, fileName, file } = this.#source;
    const reading = { sheet: name, skipLines: this.#skipLines };
    try {
      const { header } = await detectDialect(new InputFile(path, fileName, file), reading);
      return hasColumns(header, columns);
    } catch (error) {
      if (error instanceof UsageError) return false;
      throw error;
    }
  }

  async #withShared(): Promise<readonly string[]> {
    const names: string[] = [];
    for (const name of this.#names.all) if (await this.#hasShared(name)) names.push(name);
    return names;
  }

  #ask(what: string, names: readonly string[]): UsageError {
    const list = naming(
      names.map((name) => `"${name}"`),
      10,
    );
    return new UsageError(
      `${this.#source.fileName} ${what}`,
      `Choose one with --sheet: ${list}.`,
      'invalid_input',
      async () => (await import('../table/sheet.ts')).chooseSheet(this.#source, names),
    );
  }
}

function compareTimes(a: KeptSheet, b: KeptSheet): number {
  return (a.options?.at ?? '').localeCompare(b.options?.at ?? '');
}
