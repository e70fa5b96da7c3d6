/*
 * The journal is an append-only file with the outcome of each row, one per line. A line is durable
 * when `append` has resolved; carbon reports no outcome before. A kill leaves at most one truncated
 * line. The next run ends that line with a line feed and ignores it.
 */
import { constants } from 'node:fs';
import { type FileHandle, open, realpath, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncDirectory } from '../../runtime/atomic-file.ts';
import { LocalError, UsageError } from '../../runtime/carbon-error.ts';
import { explainSystemError } from '../../runtime/system-error.ts';
import type { Mapping } from '../csv/columns.ts';
import { keyVersion } from '../csv/row-key.ts';
import { endLine } from './journal-json.ts';
import { journalVersion } from './line.ts';

/** The first line of a journal. */
export interface JournalHeader {
  /** The base URL, or `sandbox`. */
  readonly service: string;
  /** Name of the profile, `env` when base URL and key are from the environment. */
  readonly profile: string;
  /** Column headers by field, at the first run. */
  readonly mapping: Readonly<Record<string, string>>;
}

const magic = '{"carbon":"journal"';
const maxHeaderBytes = 64 * 1024;
const feed = 10;

/** Returns the journal header of a run with this mapping. */
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
   * Opens a journal and checks that it can be written; a new one is readable by this user only.
   *
   * @throws LocalError when it cannot be written; UsageError or LocalError as `readHeader`
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
        const firstLine = {
          carbon: 'journal',
          version: journalVersion,
          keys: keyVersion,
          service,
          profile,
          mapping,
        };
        await journal.append(`${JSON.stringify(firstLine)}\n`);
        // After a power cut, a journal with durable lines must still have its name.
        await syncDirectory(dirname(await realpath(path)));
      } else {
        journal.#size = size;
        const last = Buffer.alloc(1);
        await file.read(last, 0, 1, size - 1);
        await journal.append(last[0] === feed ? '' : `\n${endLine}`);
      }
      return journal;
    } catch (error) {
      throw toJournalError(path, error);
    }
  }

  /**
   * Appends complete lines and waits until they are on the disk.
   *
   * @returns the offset of the first byte
   * @throws LocalError when the disk is full, or the file was removed or replaced
   */
  async append(lines: string | Uint8Array): Promise<number> {
    const start = this.#size;
    await this.#append(lines).catch((error: unknown) => {
      this.#hasFailed = true;
      throw error;
    });
    return start;
  }

  /** Whether an append has failed, so that the journal may lack row outcomes. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  async #append(lines: string | Uint8Array): Promise<void> {
    try {
      const bytes = typeof lines === 'string' ? Buffer.from(lines) : lines;
      for (let offset = 0; offset < bytes.length; ) {
        const { bytesWritten } = await this.#file.write(bytes, offset);
        offset += bytesWritten;
        this.#size += bytesWritten;
      }
      await this.#file.datasync();
    } catch (error) {
      throw toJournalError(this.path, error);
    }
    const now = await stat(this.path).catch(() => undefined);
    if (now?.ino !== this.#inode) {
      throw new LocalError(`The journal ${this.path} was removed or replaced during the run`, {
        hint: 'Restore the file and run the same command again. Without it, carbon sends every row again, which registers nothing twice.',
      });
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }
}

/**
 * Renames a journal so that a new one can start. Does nothing when there is no journal.
 */
export async function setJournalAside(path: string, aside: string): Promise<void> {
  await rename(path, aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw toJournalError(path, error);
  });
}

/**
 * Reads the first line of a journal.
 *
 * Returns undefined for an empty journal, and for one whose first line is truncated. Accepts the
 * line ends, blanks and byte order mark of other programs.
 * @throws UsageError for a file that is not a journal; LocalError for a journal of a later version
 */
export async function readHeader(
  file: FileHandle,
  path: string,
): Promise<JournalHeader | undefined> {
  const head = Buffer.alloc(maxHeaderBytes);
  const { bytesRead } = await file.read(head, 0, head.length, 0);
  const end = head.subarray(0, bytesRead).indexOf(feed);
  // An editor may have added a byte order mark.
  const line = head.toString('utf8', 0, end < 0 ? bytesRead : end).replace(/^\ufeff/, '');
  if (end < 0 && bytesRead < maxHeaderBytes && isHeaderStart(line)) return undefined;
  // carbon writes no CR, so a line with one is not truncated but ends in another way.
  if (line.startsWith(magic) && /\r./s.test(line.trimEnd())) throw notJournal(path, crHint);
  let header: ({ carbon?: unknown; version?: unknown; keys?: unknown } & JournalHeader) | null;
  try {
    header = JSON.parse(line);
  } catch {
    throw notJournal(path, hasCompleteObject(line) ? noFeedHint : unchangedHint);
  }
  if (header?.carbon !== 'journal') throw notJournal(path);
  const { version, keys } = header;
  if (typeof version !== 'number' || typeof keys !== 'number') throw notJournal(path);
  for (const number of [version, keys]) {
    if (Number.isInteger(number) && number >= 1) continue;
    throw notJournal(
      path,
      `Its first line has version ${number}, which no version of carbon writes. ${unchangedHint}`,
    );
  }
  if (version > journalVersion || keys > keyVersion) {
    throw new LocalError(`The journal ${path} was written by a later version of carbon`, {
      hint: 'Update carbon, or use --journal to start another journal.',
    });
  }
  return header;
}

/*
 * Returns whether the text may be a truncated first line. A text with a complete object is not: its
 * rows may merely lack their line feeds.
 */
function isHeaderStart(text: string): boolean {
  if (magic.startsWith(text)) return true;
  return text.startsWith(magic) && !/\p{Cc}/u.test(text) && !hasCompleteObject(text);
}

function hasCompleteObject(text: string): boolean {
  let depth = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}]/gs)) {
    if (token === '{') depth += 1;
    else if (token === '}') depth -= 1;
    if (token === '}' && depth === 0) return true;
  }
  return false;
}

const unchangedHint = 'carbon leaves the file unchanged. Use --journal to name another one.';
const crHint = `Its lines end with CR, but the lines of a journal end with LF: convert them with tr '\\r' '\\n'. ${unchangedHint}`;

const noFeedHint = `Its first line has no line feed: another program may have removed the line feeds. ${unchangedHint}`;

/** Returns the error of a file that is not a journal. */
export function notJournal(path: string, hint = unchangedHint): UsageError {
  return new UsageError(`${path} is not a carbon journal`, hint);
}

/**
 * Checks that a journal belongs to this service and profile.
 *
 * @throws UsageError when it does not
 */
export function checkHeader(
  path: string,
  header: JournalHeader,
  current: Omit<JournalHeader, 'mapping'>,
): void {
  const describe = ({ service, profile }: typeof current) => `${service} (profile ${profile})`;
  if (header.service === current.service && header.profile === current.profile) return;
  throw new UsageError(
    `The journal ${path} belongs to ${describe(header)}, but this run uses ${describe(current)}`,
    'Its rows are not registered here. Use --journal to name another journal, or --restart to start over.',
  );
}

/**
 * Converts the error of a system call on a journal to a LocalError; returns other errors as is.
 */
export function toJournalError(
  path: string,
  error: unknown,
  operation: 'read' | 'write' = 'write',
): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  return new LocalError(`Can't ${operation} the journal ${path}: ${explainSystemError(error)}`, {
    hint: 'Nothing recorded so far is lost. Fix the cause and run the same command again, or use --journal to name another file.',
    cause: error,
  });
}
