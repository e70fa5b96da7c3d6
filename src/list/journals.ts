import { type FileHandle, open, stat } from 'node:fs/promises';
import type { OrganizationId } from '../api/ids.ts';
import { fields } from '../registration/fields.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import { readFileLines } from '../runtime/file-lines.ts';
import type { JournalColumns, RecordedColumns } from './columns.ts';
import { toJournalError } from './journal.ts';
import {
  isTruncatedHeader,
  type JournalHeader,
  type JournalLine,
  notJournal,
  parseHeader,
  parseLine,
} from './journal-format.ts';
import { checkKept, chooseKept, findJournals, journalOf, type Keeping } from './kept-files.ts';
import { KnownRows } from './known-rows.ts';

/** The service and profile of a run; undefined accepts those of the first journal. */
export interface Registrant {
  readonly service: string | undefined;
  readonly profile: string | undefined;
}

/** Reports a journal with rows of another service or profile. */
export class OtherServiceError extends UsageError {
  readonly header: JournalHeader;
  constructor(message: string, header: JournalHeader) {
    super(
      message,
      'The registrations in it do not count for this run. Use --keep to choose a directory for another journal, or --restart to start over.',
    );
    this.header = header;
  }
}

/** Contains what the journals of an input record. */
export class Journals {
  /** What is known about the rows of each key. */
  readonly rows = new KnownRows();
  /** Number of unreadable lines by journal, and the line number of the first one. */
  readonly unreadable = new Map<string, { readonly lines: number; readonly first: number }>();
  #current: Registrant;
  /* The last header of each journal. */
  readonly #headers = new Map<string, JournalHeader>();
  /* Journals with a registered or rejected row. */
  readonly #settled = new Set<string>();
  #hasRegistered = false;

  constructor(current: Registrant) {
    this.#current = current;
  }

  /** The service and profile of the run, or of the first journal. */
  get current(): Registrant {
    return this.#current;
  }

  /**
   * Reads a journal, if it exists. A registered row stays so, unless a later line takes it back.
   *
   * @throws UsageError for a journal of another service or profile with rows, and for a file that
   * is not a journal; LocalError for a journal of a later version
   */
  async read(path: string): Promise<void> {
    try {
      const stats = await stat(path).catch(() => undefined);
      if (stats?.isFile() === false) throw notJournal(path);
      const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
        return undefined;
      });
      await this.#readLines(path, file).finally(() => file?.close());
    } catch (error) {
      throw toJournalError(path, error, 'read');
    }
  }

  async #readLines(path: string, file: FileHandle | undefined): Promise<void> {
    if (file === undefined) return;
    let header: JournalHeader | undefined;
    let isSettled = false;
    let hasIds = false;
    let number = 0;
    let lines = 0;
    let first = 0;
    /* An unreadable line counts unless it was truncated, as the next line then states. */
    let isUnreadable = false;
    const count = () => {
      if (isUnreadable) lines += 1;
      if (isUnreadable) first ||= number;
      isUnreadable = false;
    };
    for await (const { bytes, isOpen } of readFileLines(file, path)) {
      const text = bytes.toString();
      if (header === undefined) {
        if (number === 0 && isOpen && isTruncatedHeader(text)) return;
        header = parseHeader(text, path);
        number += 1;
        continue;
      }
      const line = parseLine(text);
      if (line?.kind === 'truncated line') isUnreadable = false;
      count();
      number += 1;
      if (line === undefined) {
        isUnreadable = !isOpen;
        continue;
      }
      if (line.kind === 'header') header = { ...header, ...line.header };
      if (line.kind === 'row') {
        isSettled = true;
        hasIds ||= line.id !== undefined;
      }
      this.#take(line, text);
    }
    count();
    if (header === undefined) return;
    if (lines > 0) this.unreadable.set(path, { lines, first });
    if (hasIds) this.#checkRegistrant(path, header);
    if (isSettled) this.#settled.add(path);
    this.#headers.set(path, header);
  }

  #checkRegistrant(path: string, header: JournalHeader): void {
    const { service, profile } = header;
    const current = {
      service: this.#current.service ?? service,
      profile: this.#current.profile ?? profile,
    };
    this.#current = current;
    if (service === current.service && profile === current.profile) return;
    throw new OtherServiceError(
      `The journal ${path} belongs to ${service} (profile ${profile}), but this run uses ${current.service} (profile ${current.profile})`,
      header,
    );
  }

  #take(line: JournalLine, text: string): void {
    if (line.kind !== 'row' && line.kind !== 'failed' && line.kind !== 'pending') return;
    const known = this.rows.add(line.key);
    if (line.kind === 'pending') known.id = undefined;
    else if (line.kind === 'row' && line.id !== undefined) {
      known.id = line.id;
      this.#hasRegistered = true;
    } else if (known.id !== undefined) return;
    else if (line.kind === 'row') known.fail({ refusal: text, failure: undefined });
    else known.fail({ refusal: undefined, failure: text });
  }

  /**
   * Returns the recorded mappings, that of this journal first.
   *
   * A journal without a settled row has none, because no row depends on its columns.
   */
  mappings(path: string): readonly JournalColumns[] {
    return [...this.#settled]
      .sort((a, b) => Number(b === path) - Number(a === path))
      .map((journal) => ({
        path: journal,
        columns: readMapping(this.#headers.get(journal)?.mapping),
      }))
      .filter(({ columns }) => Object.keys(columns).length > 0);
  }

  /** Returns the last header of a journal. */
  header(path: string): JournalHeader | undefined {
    return this.#headers.get(path);
  }

  /** Records the header that a run has added to a journal. */
  rememberHeader(path: string, header: JournalHeader): void {
    this.#headers.set(path, header);
  }

  /** Whether an earlier run has registered a row. */
  get hasRegistered(): boolean {
    return this.#hasRegistered;
  }
}

/* Ignores all but known fields with a header. */
function readMapping(recorded: unknown): RecordedColumns {
  const columns = (recorded ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    fields.flatMap((field) =>
      typeof columns[field] === 'string' ? [[field, columns[field]]] : [],
    ),
  );
}

/** The input file whose journals to read. */
export interface JournalOptions extends Keeping {
  readonly path: string;
}

/** The ids that batches of a file recorded. */
export interface JournalIds {
  /** The service of the registrations, which is part of each row's key. */
  readonly service: string;
  /** The recorded mappings, that of the input's own journal first. */
  readonly mappings: readonly JournalColumns[];
  /** Returns the id of the row with this key; undefined if no batch registered it. */
  find(key: string): OrganizationId | undefined;
  /** Checks whether the service refused the row with this key. */
  isRefused(key: string): boolean;
}

/**
 * Reads the journals of a file; returns undefined if no row was registered.
 *
 * It takes no lock and writes nothing, so a batch may be in progress: the last line may be
 * truncated, and its row counts as not registered.
 * @throws UsageError for a journal of another service or profile, for a file that is not a journal,
 * and for a directory with the journal of another list; LocalError for one that cannot be read
 */
export async function readJournalIds({
  path,
  ...given
}: JournalOptions): Promise<JournalIds | undefined> {
  const keeping = chooseKept(path, given);
  checkKept(path, keeping);
  const files = findJournals(path, keeping);
  if (files.length === 0) return undefined;
  const state = new Journals({ service: undefined, profile: undefined });
  for (const file of files)
    await state.read(file).catch((error: unknown) => {
      throw error instanceof OtherServiceError ? otherService(error) : error;
    });
  const { rows } = state;
  const { service } = state.current;
  if (service === undefined) return undefined;
  return {
    service,
    mappings: state.mappings(journalOf(path, keeping)),
    find: (key) => rows.get(key)?.id,
    isRefused: (key) => rows.get(key)?.failures.refusal !== undefined,
  };
}

function otherService({ message, header }: OtherServiceError): UsageError {
  const { service, profile } = header;
  const select =
    service === 'sandbox'
      ? '--sandbox'
      : profile === 'env'
        ? 'CARBON_BASE_URL and CARBON_API_KEY'
        : `--profile ${profile}`;
  const hint = `Use ${select} to select the service that registered the rows, or --keep to choose the directory of another journal.`;
  return new UsageError(message, hint, 'invalid_input');
}
