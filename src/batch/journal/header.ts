/*
 * The first line of a journal names its service, profile and columns. It is also how carbon
 * recognizes a journal.
 */
import type { FileHandle } from 'node:fs/promises';
import { LocalError, UsageError } from '../../runtime/carbon-error.ts';
import type { Mapping } from '../columns.ts';
import { keyVersion } from '../row-key.ts';
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

/** Returns the first line of a new journal, with its line feed. */
export function headerLine({ service, profile, mapping }: JournalHeader): string {
  const versions = { version: journalVersion, keys: keyVersion };
  return `${JSON.stringify({ carbon: 'journal', ...versions, service, profile, mapping })}\n`;
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

const unchangedHint =
  'carbon leaves the file unchanged. If this was the journal of the list, restore it. If you move it away, or name another file with --journal, carbon sends all rows again and gets the same ids.';
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
    'The registrations in it do not count for this run. Use --journal to name another journal, or --restart to start over.',
  );
}
