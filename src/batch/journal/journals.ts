import { type FileHandle, open, stat } from 'node:fs/promises';
import { fields } from '../../registration/fields.ts';
import { type CarbonError, UsageError } from '../../runtime/carbon-error.ts';
import type { JournalColumns, RecordedColumns } from '../columns.ts';
import { isInShard, type Shard } from '../shard.ts';
import {
  isTruncatedHeader,
  type JournalHeader,
  type JournalLine,
  notJournal,
  parseHeader,
  parseLine,
  readRefusal,
} from './format.ts';
import { toJournalError } from './journal.ts';
import { KeyIndex, State } from './key-index.ts';

/*
 * The place of a line is the number of its journal, times this, plus its offset in bytes. A
 * journal of a terabyte would have more than a billion rows.
 */
const journalSpan = 2 ** 40;
const chunkBytes = 1024 * 1024;
const feed = 10;

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
      'The registrations in it do not count for this run. Use --journal to name another journal, or --restart to start over.',
    );
    this.header = header;
  }
}

/** Contains what the journals of an input record. */
export class Journals {
  readonly index = new KeyIndex();
  /** SHA-256 digests of the failed-rows files that carbon wrote. */
  readonly failedRowsDigests = new Set<string>();
  /** Number of unreadable lines by journal, and the line number of the first one. */
  readonly unreadable = new Map<string, { readonly lines: number; readonly first: number }>();
  readonly #shard: Shard | undefined;
  readonly #paths: string[] = [];
  #current: Registrant;
  /* The last header of each journal. */
  readonly #headers = new Map<string, JournalHeader>();
  /* Journals with a registered or rejected row, of any shard. */
  readonly #settled = new Set<string>();
  #registered: number | undefined;

  /** @param shard rows of other shards are ignored */
  constructor(current: Registrant, shard: Shard | undefined) {
    this.#current = current;
    this.#shard = shard;
  }

  /** The service and profile of the run, or of the first journal. */
  get current(): Registrant {
    return this.#current;
  }

  /**
   * Reads a journal, if it exists. A row that is done stays done, whatever other lines record.
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
    const start = this.#paths.push(path) * journalSpan;
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
    await eachLine(file, (text, offset, isLast) => {
      if (header === undefined) {
        if (number === 0 && isLast && isTruncatedHeader(text)) return;
        header = parseHeader(text, path);
        number += 1;
        return;
      }
      const line = parseLine(text);
      if (line?.kind === 'truncated line') isUnreadable = false;
      count();
      number += 1;
      if (line === undefined) isUnreadable = !isLast;
      else if (line.kind === 'header') header = { ...header, ...line.header };
      else if (line.kind === 'row') {
        isSettled = true;
        hasIds ||= line.id !== undefined;
      }
      if (line !== undefined) this.#take(line, start + offset);
    });
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

  #take(line: JournalLine, place: number): void {
    const { index } = this;
    if (line.kind === 'failed rows') this.failedRowsDigests.add(line.digest);
    if (line.kind !== 'row' && line.kind !== 'attempt') return;
    if (!isInShard(line.key, this.#shard)) return;
    const entry = index.add(line.key);
    const state = index.state(entry);
    if (line.kind === 'row' && line.id !== undefined) {
      index.setState(entry, State.done);
      index.setId(entry, line.id);
      this.#registered ??= entry;
    } else if ((state & State.done) !== 0) return;
    else if (line.kind === 'row') {
      index.setState(entry, State.refused);
      index.setRefusalPlace(entry, place);
    } else if (line.counts) index.addFailedRun(entry);
    else index.setState(entry, state | State.failed);
  }

  /**
   * Returns the recorded mappings, that of this journal first.
   *
   * A journal without a settled row of any shard has none, because no row depends on its columns.
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

  /** Returns whether a journal has a registered or rejected row of any shard. */
  isSettled(path: string): boolean {
    return this.#settled.has(path);
  }

  /** Entry of a row that an earlier run has registered. */
  get registered(): number | undefined {
    return this.#registered;
  }

  /** Reads the error of a rejected row from its journal. */
  async refusal(entry: number): Promise<CarbonError> {
    const place = this.index.refusalPlace(entry);
    const file = await open(this.#paths[Math.floor(place / journalSpan) - 1] ?? '', 'r');
    try {
      return readRefusal(await lineAt(file, place % journalSpan));
    } finally {
      await file.close();
    }
  }

  /** Records the offset of the line with the error of a rejected row. */
  rememberRefusal(entry: number, path: string, offset: number): void {
    if (!this.#paths.includes(path)) this.#paths.push(path);
    this.index.setRefusalPlace(entry, (this.#paths.indexOf(path) + 1) * journalSpan + offset);
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

type TakeLine = (text: string, offset: number, isLast: boolean) => void;

/* Reads a file and passes on each line with its offset; `isLast` is a line without a line feed. */
async function eachLine(file: FileHandle, take: TakeLine): Promise<void> {
  let bytes = Buffer.allocUnsafeSlow(chunkBytes);
  let held = 0;
  let offset = 0;
  for (;;) {
    const { bytesRead } = await file.read(bytes, held, bytes.length - held, null);
    if (bytesRead === 0) break;
    const length = held + bytesRead;
    const filled = bytes.subarray(0, length);
    let from = 0;
    for (let to = filled.indexOf(feed); to >= 0; to = filled.indexOf(feed, from)) {
      take(filled.toString('utf8', from, to), offset + from, false);
      from = to + 1;
    }
    bytes.copyWithin(0, from, length);
    held = length - from;
    offset += from;
    if (held === bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2);
  }
  if (held > 0) take(bytes.toString('utf8', 0, held), offset, true);
}

/* Reads the line at this offset, of any length. */
async function lineAt(file: FileHandle, offset: number): Promise<string> {
  for (let length = 64 * 1024; ; length *= 8) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, offset);
    const end = buffer.subarray(0, bytesRead).indexOf(feed);
    if (end >= 0 || bytesRead < length)
      return buffer.toString('utf8', 0, end < 0 ? bytesRead : end);
  }
}
