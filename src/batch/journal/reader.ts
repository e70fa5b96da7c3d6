import { type FileHandle, open, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { fields } from '../../registration/fields.ts';
import type { CarbonError } from '../../runtime/carbon-error.ts';
import type { JournalColumns, RecordedColumns } from '../columns.ts';
import { isInShard, type Shard } from '../shard.ts';
import { eachLine, lineAt } from './file-lines.ts';
import { checkHeader, type JournalHeader, notJournal, readHeader } from './header.ts';
import { toJournalError } from './journal.ts';
import { type Note, parseLine, UnreadableLines } from './journal-json.ts';
import { KeyIndex, State } from './key-index.ts';
import { canScan, keyOffset, readRefusal, type Scanned, scanLine } from './line.ts';

/*
 * The place of a line is the number of its journal, times this, plus its offset in bytes. A
 * journal of a terabyte would have more than a billion rows.
 */
const journalSpan = 2 ** 40;

/** Contains what the journals of an input record. */
export class JournalState {
  readonly index: KeyIndex;
  readonly current: Omit<JournalHeader, 'mapping'>;
  readonly shard: Shard | undefined;
  readonly #paths: string[] = [];
  /** SHA-256 digests of the failed-rows files. */
  readonly failedRowsDigests = new Set<string>();
  /** SHA-256 digests of the failed-rows files in superseded journals. */
  readonly supersededDigests = new Set<string>();
  /** Journals of another service or profile without registrations, which no run needs. */
  readonly superseded = new Map<string, JournalHeader>();
  /** Number of unreadable lines by journal, and the line number of the first one. */
  readonly unreadable = new Map<string, { readonly lines: number; readonly first: number }>();
  /* The last mapping that each journal names. */
  readonly #mappings = new Map<string, unknown>();
  /* Journals with a registered or refused row, of any shard. */
  readonly #settled = new Set<string>();
  #isSettled = false;
  #hasRegistrations = false;

  /**
   * @param index receives the state of each key
   * @param current the service and profile of this run
   * @param shard rows of other shards are ignored
   */
  constructor(index: KeyIndex, current: Omit<JournalHeader, 'mapping'>, shard: Shard | undefined) {
    this.index = index;
    this.current = current;
    this.shard = shard;
  }

  /**
   * Reads a journal, if it exists. A row that is done stays done, whatever other lines record.
   *
   * @throws UsageError for a journal of another service or profile with registrations, and for a
   * file that is not a journal; LocalError for a journal of a later version
   */
  async read(path: string): Promise<void> {
    const stats = await stat(path).catch(() => undefined);
    if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) throw notJournal(path);
    const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw toJournalError(path, error, 'read');
    });
    if (file === undefined) return;
    try {
      const header = await readHeader(file, path);
      if (header === undefined) return;
      if (await this.#isSuperseded(file, path, header)) return;
      this.#mappings.set(path, header.mapping);
      this.#isSettled = false;
      await this.#scan(file, this.#paths.push(path) - 1);
      if (this.#isSettled) this.#settled.add(path);
    } catch (error) {
      throw toJournalError(path, error, 'read');
    } finally {
      await file.close();
    }
  }

  async #isSuperseded(file: FileHandle, path: string, header: JournalHeader): Promise<boolean> {
    try {
      checkHeader(path, header, this.current);
      return false;
    } catch (error) {
      const other = new JournalState(new KeyIndex(), header, undefined);
      await other.#scan(file, 0);
      if (other.hasRegistrations) throw error;
      this.superseded.set(path, header);
      for (const digest of other.failedRowsDigests) this.supersededDigests.add(digest);
      return true;
    }
  }

  /**
   * Returns the recorded mappings, that of this journal first.
   *
   * A journal without a settled row of any shard has none, because no row depends on its columns.
   */
  mappings(path: string): readonly JournalColumns[] {
    const settled = [...this.#settled].sort((a, b) => Number(b === path) - Number(a === path));
    const mappings = settled.map((journal) => ({
      path: journal,
      columns: readMapping(this.#mappings.get(journal)),
    }));
    return mappings.filter(({ columns }) => Object.keys(columns).length > 0);
  }

  /**
   * Returns whether a journal has recorded this mapping as its last one. A new journal starts with
   * the mapping of its run.
   */
  isRecorded(path: string, mapping: JournalHeader['mapping']): boolean {
    return !this.#mappings.has(path) || isDeepStrictEqual(this.#mappings.get(path), mapping);
  }

  /** Returns whether a journal has a registered or refused row of any shard. */
  isSettled(path: string): boolean {
    return this.#settled.has(path);
  }

  /** Whether an earlier run has registered a row. */
  get hasRegistrations(): boolean {
    return this.#hasRegistrations;
  }

  /** Reads the error of a refused row from its journal. */
  async refusal(entry: number): Promise<CarbonError> {
    const place = this.index.refusalPlace(entry);
    const file = await open(this.#pathOf(place), 'r');
    try {
      return readRefusal((await lineAt(file, place % journalSpan)).toString());
    } finally {
      await file.close();
    }
  }

  /** Records the offset of the line with the error of a refused row. */
  rememberRefusal(entry: number, path: string, offset: number): void {
    const known = this.#paths.indexOf(path);
    const journal = known < 0 ? this.#paths.push(path) - 1 : known;
    this.index.setRefusalPlace(entry, journal * journalSpan + offset);
  }

  #pathOf(place: number): string {
    return this.#paths[Math.floor(place / journalSpan)] ?? '';
  }

  async #scan(file: FileHandle, journal: number): Promise<void> {
    const start = journal * journalSpan;
    const unreadable = new UnreadableLines();
    const rest = await eachLine(file, (bytes, from, to, offset) => {
      unreadable.add(this.#readLine(bytes, from, to, start + offset));
    });
    // Another program may have removed the last line feed. A truncated line is not JSON.
    this.#readParsed(rest.text, start + rest.offset);
    const count = unreadable.end();
    if (count.lines > 0) this.unreadable.set(this.#pathOf(start), count);
  }

  #readLine(bytes: Buffer, from: number, to: number, place: number): 'read' | 'unreadable' | 'end' {
    const outcome = canScan(bytes, from, to) ? scanLine(bytes, from, to) : 'unsent';
    if (outcome !== 'unsent') {
      this.#isSettled = true;
      const keyAt = from + keyOffset;
      if (this.shard && !isInShard(bytes.toString('latin1', keyAt, keyAt + 8), this.shard))
        return 'read';
      const entry = this.index.addFrom(bytes, keyAt);
      if (entry >= 0) {
        this.#settle(entry, outcome, place);
        return 'read';
      }
    }
    return this.#readParsed(bytes.toString('utf8', from, to), place);
  }

  #readParsed(text: string, place: number): 'read' | 'unreadable' | 'end' {
    const line = parseLine(text);
    if (line === undefined) return 'unreadable';
    if (!('key' in line)) {
      this.#readNote(line, place);
      return line.isEnd ? 'end' : 'read';
    }
    const { key, outcome } = line;
    if (outcome !== 'unsent') this.#isSettled = true;
    if (outcome !== 'unsent' && isInShard(key, this.shard))
      this.#settle(this.index.add(key), outcome, place);
    return 'read';
  }

  #settle(entry: number, outcome: Exclude<Scanned, 'unsent'>, place: number): void {
    const { index } = this;
    if (outcome !== 'refused') {
      this.#hasRegistrations = true;
      index.setState(entry, State.done);
      index.setId(entry, typeof outcome === 'number' ? outcome : outcome.id);
    } else if ((index.state(entry) & State.done) === 0) {
      index.setState(entry, State.refused);
      index.setRefusalPlace(entry, place);
    }
  }

  #readNote({ written, mapping, failed, counts }: Note, place: number): void {
    if (written !== undefined) this.failedRowsDigests.add(written);
    if (mapping !== undefined) this.#mappings.set(this.#pathOf(place), mapping);
    if (failed === undefined || (this.shard && !isInShard(failed, this.shard))) return;
    const entry = this.index.add(failed);
    const state = this.index.state(entry);
    if ((state & State.done) !== 0) return;
    if (counts) this.index.addFailedRun(entry);
    else this.index.setState(entry, state | State.failed);
  }
}

/* Ignores all but known fields with a header, because another program may change a journal. */
function readMapping(recorded: unknown): RecordedColumns {
  if (typeof recorded !== 'object' || recorded === null) return {};
  const columns = recorded as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    fields.flatMap((field) =>
      typeof columns[field] === 'string' ? [[field, columns[field]]] : [],
    ),
  );
}
