/*
 * Names the files that carbon keeps of a list: its journal, its records and their history. They are
 * next to the list, or in the directory of `--keep`. Those of the sandbox are `LIST.sandbox.*`.
 */
import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { quoteWords } from '../../display/terminal/sanitize.ts';
import { invalidInput } from '../../runtime/carbon-error.ts';
import { stampOf } from '../../runtime/file-lines.ts';

/** Where the files of a list are, and whose they are. */
export interface Keeping {
  /** Their directory; by default that of the list. */
  readonly keep?: string | undefined;
  /** Whether they are those of the sandbox. */
  readonly sandbox?: boolean | undefined;
  /** The word of a sheet in their names; undefined for the files named after the list itself. */
  readonly part?: string | undefined;
}

export interface StorePaths {
  readonly records: string;
  readonly history: string;
}

/** What a list from standard input is called. */
export const stdinList = 'stdin';

const journalEnd = '.carbon.jsonl';
const recordsEnd = '.records.ndjson';
const historyEnd = '.history.ndjson';

/* The path is not normalized: `link/../file` is next to the target of the link. */
function stemOf(list: string, { keep, sandbox, part }: Keeping): string {
  const stem = `${keep === undefined ? list : join(keep, basename(list))}${sandbox ? '.sandbox' : ''}`;
  return part === undefined ? stem : `${stem}.${part}`;
}

export function journalOf(list: string, keeping: Keeping): string {
  return `${stemOf(list, keeping)}${journalEnd}`;
}

/** Lists the journals of a list that exist: those of all its sheets. */
export function findJournals(list: string, keeping: Keeping): string[] {
  return findParts(list, keeping, journalEnd).map(({ path }) => path);
}

/** Returns the files for the records of a list, or of one of its sheets. */
export function storePaths(list: string, keeping: Keeping): StorePaths {
  return filesOf(stemOf(list, keeping));
}

function filesOf(stem: string): StorePaths {
  return { records: `${stem}${recordsEnd}`, history: `${stem}${historyEnd}` };
}

/** Returns the word of a sheet in file names. Each has its own, and none that of the sandbox. */
export function sheetWord(sheet: string): string {
  const word = sheet.replace(/[^\p{L}\p{N}_-]/gu, (character) =>
    [...Buffer.from(character)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join(''),
  );
  return word.replace(/^sandbox$/i, 'sandbox_');
}

/** Returns the sheet of a word in file names. */
export function sheetOfWord(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}

/** Lists the stores of all sheets of a list. */
export function findStores(list: string, keeping: Keeping): (StorePaths & Pick<Part, 'part'>)[] {
  return findParts(list, keeping, recordsEnd).map(({ stem, part }) => ({ ...filesOf(stem), part }));
}

/** Whether the files of a list may be those of a sheet. */
export function hasSheets(list: string): boolean {
  return /\.xls[xm]$/i.test(list) || list === stdinList;
}

interface Part {
  readonly path: string;
  readonly stem: string;
  /** The word of the sheet; undefined for a file named after the list. */
  readonly part: string | undefined;
}

/* Finds the files with this end of all sheets of a list, those of its own name first. */
function findParts(list: string, { keep, sandbox }: Keeping, end: string): Part[] {
  const stem = stemOf(list, { keep, sandbox });
  const sheet = hasSheets(list) ? String.raw`(?:\.(?!sandbox(?:\.|$))[^.]+)?` : '';
  const parts = findFiles(stem, sheet, end).map((file) => {
    const word = file.stem.slice(stem.length + 1);
    return { ...file, part: word === '' ? undefined : word };
  });
  return parts.sort((a, b) => Number(a.part !== undefined) - Number(b.part !== undefined));
}

/** The sheets of a list by their words in file names, and what is kept of each. */
export function findSheetWords(
  list: string,
  keeping: Keeping,
): { readonly part: string | undefined; readonly hasStore: boolean }[] {
  const stores = new Set(findParts(list, keeping, recordsEnd).map(({ part }) => part));
  const journals = findParts(list, keeping, journalEnd).map(({ part }) => part);
  return [...new Set([...stores, ...journals])].map((part) => ({
    part,
    hasStore: stores.has(part),
  }));
}

/* Finds files between whose stem and end is this pattern. */
function findFiles(stem: string, pattern: string, end: string): { path: string; stem: string }[] {
  const name = basename(stem);
  const folder = stem.slice(0, stem.lastIndexOf(name));
  const between = new RegExp(`^${pattern}$`);
  return listDirectory(folder || '.').flatMap((each) => {
    if (!each.startsWith(name) || !each.endsWith(end) || each.length < name.length + end.length)
      return [];
    const own = each.slice(0, -end.length);
    return between.test(own.slice(name.length))
      ? [{ path: folder + each, stem: folder + own }]
      : [];
  });
}

/** Finds journals next to a list whose own lists no longer exist, and returns how they begin. */
export function findMissingLists(list: string, { keep, sandbox }: Keeping): string[] {
  const name = basename(list);
  const folder = keep === undefined ? list.slice(0, list.length - name.length) : join(keep, '/');
  const missing = listDirectory(folder || '.').flatMap((each) => {
    const own = listOfJournal(each);
    if (own === undefined) return [];
    const { stem } = own;
    return own.isOfSandbox !== (sandbox === true) ||
      existsSync(ownerOf(folder + each) ?? folder + stem)
      ? []
      : [folder + stem];
  });
  return [...new Set(missing)];
}

/** Returns the lists of the current directory whose journals are next to them. */
export function findListsHere(): string[] {
  const stems = listDirectory('.').flatMap((each) => listOfJournal(each)?.stem ?? []);
  return [...new Set(stems)].filter((stem) => existsSync(stem));
}

/* Returns the list that a file is the journal of, by its name; undefined for another file. */
function listOfJournal(name: string): { stem: string; isOfSandbox: boolean } | undefined {
  if (!name.endsWith(journalEnd)) return undefined;
  const own = name.slice(0, -journalEnd.length);
  const [, stem = own, mark] =
    /^(.+\.xls[xm])(\.sandbox)?(?:\.[^.]+)?$/i.exec(own) ?? /^(.+?)(\.sandbox)?$/.exec(own) ?? [];
  return { stem, isOfSandbox: mark !== undefined };
}

/* Treats an unreadable directory as empty: writing into it reports the error. */
function listDirectory(directory: string): string[] {
  try {
    return readdirSync(directory).sort();
  } catch {
    return [];
  }
}

/** Returns whose files a command reads: those of the sandbox only if there are no others. */
export function chooseKept(list: string, keeping: Keeping): Keeping {
  const isKept = (each: Keeping) =>
    findJournals(list, each).length + findStores(list, each).length > 0;
  const ofSandbox = { ...keeping, sandbox: true };
  return keeping.sandbox || (!isKept(keeping) && isKept(ofSandbox)) ? ofSandbox : keeping;
}

/**
 * Checks that the files of a list have names that are read: with another journal, every row would
 * be sent again. In a directory, they must not be those of another list with the same name.
 * @throws UsageError otherwise
 */
export function checkKept(list: string, keeping: Keeping): void {
  checkParts(list, keeping);
  checkMark(list, keeping);
  if (keeping.keep === undefined) return;
  for (const journal of findJournals(list, keeping)) {
    const path = ownerOf(journal) ?? '';
    if (!existsSync(path) || !existsSync(list) || isSame(path, list)) continue;
    throw invalidInput(
      `${journal} belongs to another list of the same name: ${path}`,
      'Use --keep with another directory for this list.',
    );
  }
}

/* A part of a list had files of its own, such as `LIST.2-of-8.carbon.jsonl`. */
function checkParts(list: string, { keep }: Keeping): void {
  if (hasSheets(list)) return;
  const stem = stemOf(list, { keep });
  for (const end of [journalEnd, recordsEnd]) {
    const parts = findFiles(stem, String.raw`(?:\.sandbox)?\.\d+-of-\d+`, end).filter(
      (part) => !existsSync(list + part.stem.slice(stem.length)),
    );
    const [first] = parts;
    if (first === undefined) continue;
    const paths = parts.map(({ path }) => path);
    const whole = `${first.stem.replace(/\.\d+-of-\d+$/, '')}${end}`;
    const what = paths.length === 1 ? 'it' : 'them';
    throw invalidInput(
      `${first.path} belongs to a part of ${list}, and carbon no longer reads files of parts`,
      `Add ${what} to the file of the whole list, then move ${what} away: cat ${quoteWords(paths)} >> ${quoteWords([whole])}`,
    );
  }
}

/* The journal of a sandbox had the name of one of the service. */
function checkMark(list: string, { keep }: Keeping): void {
  const stem = stemOf(list, { keep });
  const path = findJournals(list, { keep }).find(isOfSandbox);
  if (path === undefined) return;
  const marked = `${stem}.sandbox${path.slice(stem.length)}`;
  throw invalidInput(
    `${path} is a journal of the sandbox, but its name does not say so`,
    existsSync(marked)
      ? `${marked} exists as well. Move one of the two away.`
      : `Rename it: mv ${quoteWords([path, marked])}`,
  );
}

function ownerOf(journal: string): string | undefined {
  const owner = /"list":("(?:[^"\\]|\\.)*")/.exec(firstLine(journal))?.[1];
  return owner === undefined ? undefined : JSON.parse(owner);
}

function isSame(path: string, other: string): boolean {
  const [a, b] = [path, other].map((each) => statSync(each, { bigint: true }));
  return a?.ino === b?.ino && a?.dev === b?.dev;
}

/** Returns whether a journal or a file of records is one of the sandbox. */
function isOfSandbox(path: string): boolean {
  const ofSandbox = '"service":"sandbox"';
  if (!firstLine(path).includes(ofSandbox)) return false;
  // A run that found no registration in a journal has added the header of its own service.
  const text = readFileSync(path, 'latin1');
  const last = text.slice(Math.max(0, text.lastIndexOf('{"carbon":"journal"')));
  return last.split('\n', 1)[0]?.includes(ofSandbox) === true;
}

/* Returns the beginning of the first line, which is a header or the head of a record. */
function firstLine(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const buffer = Buffer.alloc(16_384);
      const text = buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, 0));
      return text.split('\n', 1)[0]?.split(',"record":', 1)[0] ?? '';
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/**
 * Returns the last line of a journal while each row of its list has a record. It has the stamps
 * of the list and of the records, so that a change of either makes it invalid.
 */
export function completeNote(list: string, records: string): string {
  return `${JSON.stringify({ carbon: 'complete', list, records })}\n`;
}

export function endsWith(path: string, text: string): boolean {
  const file = openSync(path, 'r');
  try {
    const end = Buffer.alloc(Buffer.byteLength(text));
    const { size } = fstatSync(file);
    readSync(file, end, 0, end.length, Math.max(size - end.length, 0));
    return end.toString() === text;
  } finally {
    closeSync(file);
  }
}

/** Returns whether each row of a list has a record, as the last `sync` found. */
export function isComplete(list: string, keeping: Keeping): boolean {
  const { records } = storePaths(list, keeping);
  const journal = journalOf(list, keeping);
  if (![journal, list, records].every((path) => existsSync(path))) return false;
  return endsWith(journal, completeNote(stampOf(statSync(list)), stampOf(statSync(records))));
}
