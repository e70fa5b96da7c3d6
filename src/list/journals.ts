/* Reads the journals of a list, whose lines `journal.ts` describes. */
import { open, stat } from 'node:fs/promises';
import { type OrganizationId, usableId } from '../api/ids.ts';
import { fields } from '../registration/fields.ts';
import {
  CarbonError,
  type CarbonErrorCode,
  HintedError,
  LocalError,
  throwUnreadable,
  UsageError,
} from '../runtime/carbon-error.ts';
import { readFileLines } from '../runtime/file-lines.ts';
import type { JournalColumns } from './columns.ts';
import type { JournalHeader } from './journal.ts';
import { checkKept, chooseKept, findJournals, journalOf, type Keeping } from './kept-files.ts';
import { KnownRows } from './known-rows.ts';

/** The versions of the format, and of the keys of rows. */
export const journalVersion = 1;
export const keyVersion = 1;

/**
 * Parses the first line of a journal.
 *
 * @throws UsageError for a file that is not a journal; LocalError for a journal of a later version
 */
function parseHeader(text: string, path: string): JournalHeader {
  const { carbon, version, keys, ...header } = parseObject(text) ?? {};
  const isVersion = (number: unknown) => Number.isInteger(number) && Number(number) >= 1;
  if (carbon !== 'journal' || !isVersion(version) || !isVersion(keys)) throw notJournal(path);
  if (Number(version) > journalVersion || Number(keys) > keyVersion)
    throw new LocalError(`The journal ${path} was written by a later version of carbon`, {
      hint: 'Update carbon, or use --keep to start another journal.',
    });
  return header as unknown as JournalHeader;
}

/** Returns whether the only line of a file is the beginning of a header that a kill cut. */
export function isTruncatedHeader(text: string): boolean {
  const magic = '{"carbon":"journal"';
  // Rows that lost their line feeds follow a complete header.
  const hasRows = text.includes('{"key":') || text.includes('{"carbon":', 1);
  return (
    magic.startsWith(text.slice(0, magic.length)) && !hasRows && parseObject(text) === undefined
  );
}

function notJournal(path: string): UsageError {
  return new UsageError(
    `${path} is not a carbon journal`,
    'The file was not changed. Restore the journal from a backup. Without it, carbon sends every row again; the ids stay the same.',
  );
}

/** What one line after the header records. */
export type JournalLine =
  /** A row; without an id, the service rejected it. */
  | { readonly kind: 'row'; readonly key: string; readonly id: OrganizationId | undefined }
  | { readonly kind: 'failed' | 'pending'; readonly key: string }
  /** Changes for all lines that follow. */
  | { readonly kind: 'header'; readonly header: Partial<JournalHeader> }
  | { readonly kind: 'truncated line' | 'other' };

/** Parses a line; returns undefined if it is not JSON of this format. */
export function parseLine(text: string): JournalLine | undefined {
  const read = parseObject(text);
  if (read === undefined) return text.trim() === '' ? { kind: 'other' } : undefined;
  const { carbon, key, id, ...header } = read;
  const hasKey = typeof key === 'string' && /^[0-9a-f]{32}$/.test(key);
  if (carbon === undefined) {
    const usable = id === null ? undefined : usableId(id);
    if (!hasKey || (id !== null && usable === undefined)) return undefined;
    return { kind: 'row', key, id: usable };
  }
  if (carbon === 'failed' || carbon === 'pending')
    return hasKey ? { kind: carbon, key } : undefined;
  // 0.2.0 wrote a line of its own for a change of the columns.
  if (carbon === 'mapping' || carbon === 'journal') return { kind: 'header', header };
  return { kind: carbon === 'truncated line' ? carbon : 'other' };
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? (read as never) : undefined;
  } catch {
    return undefined;
  }
}

/* A journal of another version may have a code that this one does not know. */
const knownCodes: ReadonlySet<unknown> = new Set<CarbonErrorCode>([
  'rejected',
  'not_found',
  'unauthorized',
  'rate_limited',
  'service_failed',
  'unreadable_response',
  'network',
  'timeout',
  'proxy',
]);

export function readReason(line: string): CarbonError {
  const {
    code = 'rejected',
    message = 'The service rejected this row in an earlier run',
    hint,
    reason,
    status,
    title,
    detail,
  } = (parseObject(line) ?? {}) as Partial<CarbonError & { readonly hint: string }>;
  const known = knownCodes.has(code) ? code : 'rejected';
  const details = { reason, status, title, detail };
  return hint === undefined
    ? new CarbonError(known, message, details)
    : new HintedError(known, message, { ...details, hint });
}

/** The service and profile of a run; undefined accepts those of the first journal. */
export interface Registrant {
  readonly service: string | undefined;
  readonly profile: string | undefined;
}

export class Journals {
  readonly rows = new KnownRows();
  /** Number of unreadable lines by journal, and the line number of the first one. */
  readonly unreadable = new Map<string, { readonly lines: number; readonly first: number }>();
  /** Whether an earlier run has registered a row. */
  hasRegistered = false;
  #current: Registrant;
  /* The last header of each journal. */
  readonly #headers = new Map<string, JournalHeader>();
  /* Journals with a registered or rejected row. */
  readonly #settled = new Set<string>();

  constructor(current: Registrant) {
    this.#current = current;
  }

  get current(): Registrant {
    return this.#current;
  }

  /**
   * Reads a journal. A registered row stays so, unless a later line takes it back.
   *
   * @throws UsageError for a journal of another service or profile with rows, and for a file that
   * is not a journal; LocalError for a journal of a later version, or one that cannot be read
   */
  async read(path: string): Promise<void> {
    const unreadable = (cause: unknown) => throwUnreadable(path, cause);
    if (!(await stat(path).catch(unreadable)).isFile()) throw notJournal(path);
    const file = await open(path, 'r').catch(unreadable);
    let header: JournalHeader | undefined;
    let hasIds = false;
    let number = 0;
    const unread: number[] = [];
    try {
      for await (const { bytes, isOpen } of readFileLines(file, path)) {
        const text = bytes.toString();
        number += 1;
        if (header === undefined) {
          if (isOpen && isTruncatedHeader(text)) return;
          header = parseHeader(text, path);
          continue;
        }
        const line = parseLine(text);
        // The line before it was cut by a kill.
        if (line?.kind === 'truncated line' && unread.at(-1) === number - 1) unread.pop();
        if (line === undefined && !isOpen) unread.push(number);
        if (line?.kind === 'header') header = { ...header, ...line.header };
        if (line?.kind === 'row') {
          this.#settled.add(path);
          hasIds ||= line.id !== undefined;
        }
        if (line !== undefined && 'key' in line) this.#take(line, text);
      }
    } finally {
      await file.close();
    }
    if (header === undefined) return;
    const [first] = unread;
    if (first !== undefined) this.unreadable.set(path, { lines: unread.length, first });
    if (hasIds) this.#checkRegistrant(path, header);
    this.#headers.set(path, header);
  }

  #checkRegistrant(path: string, { service, profile }: JournalHeader): void {
    const current = {
      service: this.#current.service ?? service,
      profile: this.#current.profile ?? profile,
    };
    this.#current = current;
    if (service !== current.service || profile !== current.profile)
      throw new UsageError(
        `The journal ${path} belongs to ${service} (profile ${profile}), but this run uses ${current.service} (profile ${current.profile})`,
        'This run cannot use the registrations in it. Use --keep to choose a directory for another journal, or --restart to start over.',
      );
  }

  #take(line: JournalLine & { readonly key: string }, text: string): void {
    const known = this.rows.add(line.key);
    if (line.kind === 'pending') known.id = undefined;
    else if (line.kind === 'row' && line.id !== undefined) {
      known.id = line.id;
      this.hasRegistered = true;
    } else if (known.id !== undefined) return;
    else if (line.kind === 'row') known.fail({ refusal: text, failure: undefined });
    else known.fail({ refusal: undefined, failure: text });
  }

  /**
   * Returns the recorded columns, those of this journal first.
   *
   * A journal without a settled row has none, because no row depends on its columns.
   */
  mappings(path: string): readonly JournalColumns[] {
    return [...this.#settled]
      .sort((a, b) => Number(b === path) - Number(a === path))
      .map((journal) => {
        const recorded: Record<string, unknown> = this.#headers.get(journal)?.mapping ?? {};
        const known = fields.filter((field) => typeof recorded[field] === 'string');
        const columns = Object.fromEntries(known.map((field) => [field, recorded[field]]));
        return { path: journal, columns };
      })
      .filter(({ columns }) => Object.keys(columns).length > 0);
  }

  header(path: string): JournalHeader | undefined {
    return this.#headers.get(path);
  }
}

/** The ids that batches of a file recorded. */
export interface JournalIds {
  /** The service of the registrations, which is part of each row's key. */
  readonly service: string;
  /** The recorded mappings, that of the input's own journal first. */
  readonly mappings: readonly JournalColumns[];
  /** Returns the id of the row with this key; undefined if no batch registered it. */
  find(key: string): OrganizationId | undefined;
}

/**
 * Reads the journals of a file; returns undefined if no row was registered.
 *
 * It takes no lock and writes nothing, so a batch may be in progress: the last line may be
 * truncated, and its row counts as not registered.
 * @throws UsageError for a file that is not a journal, and for a directory with the journal of
 * another list; LocalError for one that cannot be read
 */
export async function readJournalIds({
  path,
  ...given
}: Keeping & { readonly path: string }): Promise<JournalIds | undefined> {
  const keeping = chooseKept(path, given);
  checkKept(path, keeping);
  const journals = new Journals({ service: undefined, profile: undefined });
  for (const file of findJournals(path, keeping)) await journals.read(file);
  const { rows, current } = journals;
  if (current.service === undefined) return undefined;
  return {
    service: current.service,
    mappings: journals.mappings(journalOf(path, keeping)),
    find: (key) => rows.get(key)?.id,
  };
}
