/*
 * Chooses the sheet of a list, its files and how to read it. Each sheet of a workbook is a list of
 * its own. The files named after the workbook itself are those of the first visible sheet, unless
 * their journal keeps another sheet; those of other sheets have the word of the sheet in their
 * names.
 */

import { naming } from '../../display/terminal/format.ts';
import { quoteWords } from '../../display/terminal/sanitize.ts';
import { invalidInput, UsageError } from '../../runtime/carbon-error.ts';
import { InputFile } from '../table/input-file.ts';
import type { SheetNames } from '../table/sheet.ts';
import { isZip } from '../workbook/foreign-format.ts';
import {
  type ChosenSheet,
  type GivenOptions,
  hasRows,
  type KeptOptions,
  ListReading,
  readKeptOptions,
} from './kept-options.ts';
import {
  findJournals,
  findSheetWords,
  hasSheets,
  journalOf,
  type Keeping,
  sheetOfWord,
  sheetWord,
  storePaths,
} from './paths.ts';

/** What is kept of a sheet. */
export interface KeptSheet {
  /** The word in the names of its files; undefined for those named after the list. */
  readonly part: string | undefined;
  /** Its name; undefined for a journal without rows, and for a list that is no workbook. */
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
  const kept = await Promise.all(
    findSheetWords(list, keeping).map(async ({ part, hasStore }) => {
      const journal = journalOf(list, { ...keeping, part });
      const options = await readKeptOptions(journal, openFile);
      const name = options?.sheet ?? (part === undefined ? undefined : sheetOfWord(part));
      return { part, name, journal, hasStore, options };
    }),
  );
  checkStores(list, keeping, kept);
  return kept;
}

/* Each sheet has one file of records: in two, an organization might have left only one of them. */
function checkStores(list: string, keeping: Keeping, kept: readonly KeptSheet[]): void {
  const owner = kept.find(({ part }) => part === undefined)?.options?.sheet;
  const word = owner === undefined ? undefined : sheetWord(owner);
  const second = kept.find(({ part, options }) => part === word && options === undefined);
  if (word === undefined || second?.hasStore !== true) return;
  const [path, own] = [word, undefined].map(
    (part) => storePaths(list, { ...keeping, part }).records,
  );
  throw invalidInput(
    `${path} has records of sheet "${owner}", which carbon keeps in ${own}`,
    `Move it away; carbon sync retrieves what is missing: mv ${quoteWords([path ?? '', `${path}.previous`])}`,
  );
}

/*
 * Each sheet has its own journal. One of several sheets has lines of columns that are not those of
 * the sheet, and would send every row again.
 */
async function checkJournals(
  kept: readonly KeptSheet[],
  { all, visible }: SheetNames,
): Promise<void> {
  for (const { part, name = '', journal, options } of kept) {
    const isNamed = options?.sheet !== undefined || (part !== undefined && all.includes(name));
    if (isNamed || !(await hasRows(journal))) continue;
    const line = JSON.stringify({ carbon: 'options', sheet: visible[0] });
    throw invalidInput(
      `${journal} does not say which sheet its rows are from`,
      `If all are from one sheet, add a line with its name to the end of the file: ${line}. Otherwise move the file away: carbon sends every row again, and each gets the same ID.`,
    );
  }
}

/**
 * Returns the sheets of a workbook whose records are kept, with the words of their files; none for
 * another list. Without a journal, a store named after the list is that of the first visible sheet.
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
   * Whose it is: of the list or sheet itself, of another sheet, or of one that the workbook no
   * longer has, and that this one may have been.
   */
  readonly of: 'itself' | 'another' | 'none';
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
    return { keeping, reading, journals, isOtherSheet: false };
  }
  const { readSheetNames } = await import('../table/sheet.ts');
  const names = await readSheetNames(source);
  const kept = hasSheets(list) ? await findKeptSheets(list, keeping) : [];
  await checkJournals(kept, names);
  const sheets = new Sheets(source, names, kept);
  const sheet: ChosenSheet =
    given.sheet === undefined
      ? sheets.choose()
      : { name: (await readSheetNames(source, given.sheet)).chosen, by: 'option' };
  const part = hasSheets(list) ? sheets.partOf(sheet.name) : undefined;
  const chosen = { ...keeping, part };
  const ownSheet = kept.find((each) => each.part === part);
  const options = hasSheets(list) ? ownSheet?.options : await readKeptOptions(own(chosen));
  const reading = await ListReading.choose(source, given, options, sheet);
  const journals = findJournals(list, keeping)
    .map((path): JournalFile => {
      const ofSheet = kept.find(({ journal }) => journal === path);
      const isOwn = path === own(chosen) || ofSheet === undefined;
      return { path, of: isOwn ? 'itself' : sheets.ownerOf(ofSheet) };
    })
    .toSorted((a, b) => order.indexOf(a.of) - order.indexOf(b.of));
  const last = sheets.last;
  const isOtherSheet = last !== undefined && last !== ownSheet;
  return { keeping: chosen, reading, journals, isOtherSheet };
}

/* What a later journal says about a row counts. */
const order: readonly JournalFile['of'][] = ['another', 'none', 'itself'];

class Sheets {
  readonly #source: InputFile;
  readonly #names: SheetNames;
  readonly #kept: readonly KeptSheet[];

  constructor(source: InputFile, names: SheetNames, kept: readonly KeptSheet[]) {
    this.#source = source;
    this.#names = names;
    this.#kept = kept;
  }

  /** The sheet that the last run read, if its journal says so. */
  get last(): KeptSheet | undefined {
    const known = this.#kept.filter(({ options }) => options?.sheet !== undefined);
    return known.toSorted((a, b) => compareTimes(b, a))[0];
  }

  /** Whose the files of a sheet are that is not read. */
  ownerOf({ options }: KeptSheet): JournalFile['of'] {
    const { sheet } = options ?? {};
    return sheet === undefined || this.#names.all.includes(sheet) ? 'another' : 'none';
  }

  /** Chooses a sheet without an option. */
  choose(): ChosenSheet {
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
    const used = this.#storedSheets();
    if (used.length > 1) throw this.#ask('has several registered sheets', used);
    return used[0] === undefined ? byDefault : as(used[0]);
  }

  /* The sheets that have records, if their journals are lost. */
  #storedSheets(): readonly string[] {
    const stores = this.#kept.filter(({ hasStore }) => hasStore);
    if (stores.some(({ part }) => part === undefined)) return [];
    return this.#names.all.filter((name) => stores.some(({ part }) => part === sheetWord(name)));
  }

  /** Returns the word of a sheet in the names of its files; undefined for the name of the list. */
  partOf(name: string): string | undefined {
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
    return isFirst && (plain.hasStore || !hasOwn) ? undefined : word;
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
