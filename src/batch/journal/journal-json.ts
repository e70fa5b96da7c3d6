/*
 * Lines of a journal that are not in the form in which carbon writes rows: notes, and rows that
 * another program wrote again (blanks around the line, members in another order, keys in upper
 * case). They are parsed; a journal of a million rows has few of them, unless it was converted.
 */
import { type OrganizationId, usableId } from '../../api/reference.ts';

/** What a line says that has no outcome of a row. */
export interface Note {
  /** Digest of a file of failed rows. */
  readonly written?: string | undefined;
  /** The mapping that is in force from here on. */
  readonly mapping?: unknown;
  /** Key of a row on which the service failed, and whether that counts. */
  readonly failed?: string | undefined;
  readonly counts?: boolean | undefined;
  /** The line before this one was truncated by a kill, and the run after it has ended it. */
  readonly isEnd?: boolean;
}

/** The outcome of a row; no id where the line has none that is usable. */
export interface ReadRow {
  readonly key: string;
  readonly outcome: 'unsent' | 'refused' | { readonly id: OrganizationId };
}

/** The note that follows a truncated line, which is no damage. */
export const endLine = `${JSON.stringify({ carbon: 'truncated line' })}\n`;

/** Parses a line; undefined for one that is not JSON, or neither a note nor a row. */
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

/** The lines of a journal that nothing could be read from. */
export class UnreadableLines {
  #lines = 0;
  #count = 0;
  #first = 0;
  #isLast = false;

  /** Takes the next line. */
  take(line: 'read' | 'unreadable' | 'end'): void {
    if (this.#isLast && line !== 'end') {
      this.#count += 1;
      this.#first ||= this.#lines;
    }
    this.#isLast = line === 'unreadable';
    this.#lines += 1;
  }

  /** How many there are, and the number of the first one. */
  end(): { readonly lines: number; readonly first: number } {
    this.take('read');
    return { lines: this.#count, first: this.#first };
  }
}
