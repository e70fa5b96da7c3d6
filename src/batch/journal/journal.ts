/*
 * The journal: what became of each row, one line each, only ever appended to. A line is durable
 * when `append` has resolved; nothing is told to anybody before. A kill at any byte leaves at most
 * one torn line, which the next run ends with a line feed and reads over.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, realpath, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../../runtime/atomic-file.ts';
import { LocalError, UsageError } from '../../runtime/carbon-error.ts';
import { explainSystemError } from '../../runtime/system-error.ts';
import type { Mapping } from '../csv/columns.ts';
import { keyVersion } from '../csv/row-key.ts';
import { endLine } from './journal-json.ts';
import { journalVersion } from './line.ts';

/** What a journal says about itself in its first line. */
export interface JournalHeader {
  /** The base URL, or `sandbox`. */
  readonly service: string;
  /** Name of the profile, `env` when base URL and key are from the environment. */
  readonly profile: string;
  /** Headers of the columns by field, as they were when it was begun. */
  readonly mapping: Readonly<Record<string, string>>;
}

const magic = '{"carbon":"journal"';
const maxHeaderBytes = 64 * 1024;
const feed = 10;

/** The header of a run with this mapping. */
export function journalHeader(
  service: string,
  profile: string,
  { columns }: Mapping,
): JournalHeader {
  const mapping = Object.fromEntries(
    columns.map(({ field, column }) => [field, column.slice(0, 200)]),
  );
  return { service, profile, mapping };
}

/** A journal open for appending. */
export class Journal {
  readonly path: string;
  readonly #file: FileHandle;
  readonly #inode: number;
  #size = 0;
  #hasFailed = false;

  private constructor(path: string, file: FileHandle, inode: number) {
    this.path = path;
    this.#file = file;
    this.#inode = inode;
  }

  /**
   * Opens a journal, for this user alone when it is new, and makes sure that it can be written.
   * @throws LocalError when it cannot; UsageError or LocalError when `checkHeader` would
   */
  static async open(path: string, header: JournalHeader): Promise<Journal> {
    const { O_RDWR, O_APPEND, O_CREAT } = constants;
    try {
      const file = await open(path, O_RDWR | O_APPEND | O_CREAT, 0o600);
      const { size, ino } = await file.stat();
      const journal = new Journal(path, file, ino);
      if ((await readHeader(file, path)) === undefined) {
        await file.truncate(0);
        const { service, profile, mapping } = header;
        const told = {
          carbon: 'journal',
          version: journalVersion,
          keys: keyVersion,
          service,
          profile,
          mapping,
        };
        await journal.append(`${JSON.stringify(told)}\n`);
        // A power cut must not take the name of a journal whose lines are on the disk.
        await syncFolder(dirname(await realpath(path)));
      } else {
        journal.#size = size;
        const last = Buffer.alloc(1);
        await file.read(last, 0, 1, size - 1);
        await journal.append(last[0] === feed ? '' : `\n${endLine}`);
      }
      return journal;
    } catch (error) {
      throw failed(path, error);
    }
  }

  /** How long the journal is, in bytes. */
  get size(): number {
    return this.#size;
  }

  /**
   * Appends whole lines and waits until they are on the disk.
   * @throws LocalError when they are not: the disk is full, the file was removed or replaced
   */
  async append(lines: string | Uint8Array): Promise<void> {
    await this.#append(lines).catch((error: unknown) => {
      this.#hasFailed = true;
      throw error;
    });
  }

  /** Whether lines could not be appended, so that outcomes of rows may be missing. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  async #append(lines: string | Uint8Array): Promise<void> {
    try {
      const bytes = typeof lines === 'string' ? Buffer.from(lines) : lines;
      for (let at = 0; at < bytes.length; ) {
        const { bytesWritten } = await this.#file.write(bytes, at);
        at += bytesWritten;
        this.#size += bytesWritten;
      }
      await this.#file.datasync();
    } catch (error) {
      throw failed(this.path, error);
    }
    const now = await stat(this.path).catch(() => undefined);
    if (now?.ino !== this.#inode) {
      throw new LocalError(`The journal ${this.path} was removed or replaced during the run`, {
        hint: 'Put it back and run the same command again. Without it every row is sent again, which registers nothing twice.',
      });
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/**
 * Puts a journal out of the way, under another name, so that a new one begins. Does nothing when
 * there is none.
 */
export async function setJournalAside(path: string, aside: string): Promise<void> {
  await rename(path, aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw failed(path, error);
  });
}

/**
 * Reads the first line; undefined for a journal that is empty or was killed while its first line
 * was written. Line ends, blanks around the line and byte order mark may be those of another
 * program.
 * @throws UsageError for a file that is no journal; LocalError for a journal of a later version
 */
export async function readHeader(
  file: FileHandle,
  path: string,
): Promise<JournalHeader | undefined> {
  const head = Buffer.alloc(maxHeaderBytes);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  const end = head.subarray(0, bytesRead).indexOf(feed);
  // An editor may have put a byte order mark before it.
  const line = head.toString('utf8', 0, end < 0 ? bytesRead : end).replace(/^\ufeff/, '');
  if (end < 0 && bytesRead < maxHeaderBytes && isHeaderStart(line)) return undefined;
  // carbon writes no CR: with one, the line was not truncated but has another end.
  if (line.startsWith(magic) && /\r./s.test(line.trimEnd())) throw notJournal(path, crHint);
  let told: ({ carbon?: unknown; version?: unknown; keys?: unknown } & JournalHeader) | null;
  try {
    told = JSON.parse(line);
  } catch {
    throw notJournal(path, hasWholeObject(line) ? noFeedHint : leftHint);
  }
  if (told?.carbon !== 'journal') throw notJournal(path);
  const { version, keys } = told;
  if (typeof version !== 'number' || typeof keys !== 'number') throw notJournal(path);
  for (const number of [version, keys]) {
    if (Number.isInteger(number) && number >= 1) continue;
    throw notJournal(
      path,
      `Its first line has the version ${number}, and no version of carbon writes that. ${leftHint}`,
    );
  }
  if (version > journalVersion || keys > keyVersion) {
    throw new LocalError(`The journal ${path} was written by a later version of carbon`, {
      hint: 'Update carbon, or begin another journal with --journal.',
    });
  }
  return told;
}

/*
 * Whether a run may have been killed after it had written this much of the first line. Whatever
 * has a whole object is more than that: rows without their line feeds are no truncated line.
 */
function isHeaderStart(text: string): boolean {
  if (magic.startsWith(text)) return true;
  return text.startsWith(magic) && !/\p{Cc}/u.test(text) && !hasWholeObject(text);
}

function hasWholeObject(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}]/gs)) {
    if (token === '{') depth += 1;
    else if (token === '}') depth -= 1;
    if (token === '}' && depth === 0) return true;
  }
  return false;
}

const leftHint = 'It is left as it is; --journal names another file.';
const crHint = `Its lines end with CR, and those of a journal with LF: tr '\\r' '\\n' converts them. ${leftHint}`;

const noFeedHint = `Its first line does not end where it should: another program may have removed the line feeds. ${leftHint}`;

/** The error of a file that is no journal. */
export function notJournal(path: string, hint = leftHint): UsageError {
  return new UsageError(`${path} is not a journal of carbon`, hint);
}

/**
 * Checks that a journal belongs to the same service and profile.
 * @throws UsageError when it does not
 */
export function checkHeader(
  path: string,
  found: JournalHeader,
  own: Omit<JournalHeader, 'mapping'>,
): void {
  const place = ({ service, profile }: typeof own) => `${service} (profile ${profile})`;
  if (found.service === own.service && found.profile === own.profile) return;
  throw new UsageError(
    `The journal ${path} is of ${place(found)}, this run is of ${place(own)}`,
    'Rows registered there are not registered here. --journal names another journal, --restart begins it anew.',
  );
}

/**
 * A failed system call on a journal as the one error that the user gets; anything else as it is.
 */
export function failed(
  path: string,
  error: unknown,
  what: 'read' | 'written' = 'written',
): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  return new LocalError(`The journal ${path} cannot be ${what}: ${explainSystemError(error)}`, {
    hint: 'Nothing that is in it is lost; then run the same command again. --journal names another place.',
    cause: error,
  });
}
