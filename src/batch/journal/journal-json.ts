/*
 * Parses journal lines that differ from the fixed form of rows. These are notes, and rows that
 * another program rewrote (blanks around the line, members in another order, keys in upper case). A
 * journal has few of them, unless it was converted.
 */
import { type OrganizationId, usableId } from '../../api/ids.ts';

/** Contains the members of a line without a row outcome. */
export interface Note {
  /** Digest of a failed-rows file. */
  readonly written?: string | undefined;
  /** The mapping of all lines that follow. */
  readonly mapping?: unknown;
  /** Key of a row that the service failed on, and whether the attempt counts. */
  readonly failed?: string | undefined;
  readonly counts?: boolean | undefined;
  /** Whether the line before this one was truncated by a kill. */
  readonly isEnd?: boolean;
}

/** The outcome of a row; `unsent` for a registration without a usable id. */
export interface ReadRow {
  readonly key: string;
  readonly outcome: 'unsent' | 'refused' | { readonly id: OrganizationId };
}

/** The note after a truncated line, which does not count as unreadable. */
export const endLine = `${JSON.stringify({ carbon: 'truncated line' })}\n`;

/** Parses a line; returns undefined for anything but a note or a row in JSON. */
export function parseLine(text: string): Note | ReadRow | undefined {
  const blank: Note = {};
  if (text.trim() === '') return blank;
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof read !== 'object' || read === null) return undefined;
  const { carbon, sha256, mapping, id, ...others } = read as Readonly<Record<string, unknown>>;
  const key = readKey(others['key']);
  if (typeof carbon === 'string') {
    const written = typeof sha256 === 'string' ? sha256 : undefined;
    const counts = carbon === 'failed attempt';
    const failed = counts || carbon === 'uncounted attempt' ? key : undefined;
    return { written, mapping, failed, counts, isEnd: carbon === 'truncated line' };
  }
  if (key === undefined) return undefined;
  if (id === null) return { key, outcome: 'refused' };
  const usable = usableId(id);
  return { key, outcome: usable === undefined ? 'unsent' : { id: usable } };
}

function readKey(key: unknown): string | undefined {
  return typeof key === 'string' && /^[0-9a-f]{32}$/i.test(key) ? key.toLowerCase() : undefined;
}

/** Counts the unreadable lines of a journal. */
export class UnreadableLines {
  #lines = 0;
  #count = 0;
  #first = 0;
  #isLast = false;

  /** Counts the next line. */
  add(line: 'read' | 'unreadable' | 'end'): void {
    if (this.#isLast && line !== 'end') {
      this.#count += 1;
      this.#first ||= this.#lines;
    }
    this.#isLast = line === 'unreadable';
    this.#lines += 1;
  }

  /** Returns the number of unreadable lines and the line number of the first one. */
  end(): { readonly lines: number; readonly first: number } {
    this.add('read');
    return { lines: this.#count, first: this.#first };
  }
}
