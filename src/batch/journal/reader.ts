import { type FileHandle, open, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import type { CarbonError } from '../../runtime/carbon-error.ts';
import type { RecordedMapping } from '../csv/columns.ts';
import { fields } from '../csv/map-option.ts';
import { isInShard, type Shard } from '../shard.ts';
import { checkHeader, failed, type JournalHeader, notJournal, readHeader } from './journal.ts';
import { type Note, parseLine, UnreadableLines } from './journal-json.ts';
import { KeyIndex, State } from './key-index.ts';
import { canScan, keyOffset, readRefusal, type Scanned, scanLine } from './line.ts';

const chunkBytes = 1024 * 1024;
const feed = 10;
const carriageReturn = 13;
/*
 * The place of a line: which journal, times this, plus its byte. A journal of a terabyte is beyond
 * a billion rows.
 */
const journalSpan = 2 ** 40;

/** What the journals of a file remember. */
export class JournalState {
  readonly index: KeyIndex;
  readonly own: Omit<JournalHeader, 'mapping'>;
  readonly shard: Shard | undefined;
  readonly #paths: string[] = [];
  /** SHA-256 of the files of failed rows that were written. */
  readonly written = new Set<string>();
  /** The same, of superseded journals. */
  readonly supersededDigests = new Set<string>();
  /**
   * Journals of another service or profile that registered nothing there, so that no run needs
   * them.
   */
  readonly superseded = new Map<string, JournalHeader>();
  /** Journals with lines that cannot be read: how many, and the number of the first one. */
  readonly unreadable = new Map<string, { readonly lines: number; readonly first: number }>();
  /* The mapping of each journal: that of its first line, or of the last one that has another. */
  readonly #mappings = new Map<string, unknown>();
  /* Journals with a registered or refused row, also of another shard. */
  readonly #settled = new Set<string>();
  #isSettled = false;
  #hasRegistrations = false;

  /**
   * @param index takes up what is read
   * @param own the service and profile that the journals must be of
   * @param shard rows of other shards are read over
   */
  constructor(index: KeyIndex, own: Omit<JournalHeader, 'mapping'>, shard: Shard | undefined) {
    this.index = index;
    this.own = own;
    this.shard = shard;
  }

  /**
   * Reads a journal, as far as there is one. What was done stays done, whatever else is said of it.
   * @throws UsageError for a journal of another service or profile with registrations, and for what
   * is no journal; LocalError for one of a later version
   */
  async read(path: string): Promise<void> {
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && !found.isFile() && !found.isDirectory()) throw notJournal(path);
    const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw failed(path, error, 'read');
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
      throw failed(path, error, 'read');
    } finally {
      await file.close();
    }
  }

  async #isSuperseded(file: FileHandle, path: string, header: JournalHeader): Promise<boolean> {
    try {
      checkHeader(path, header, this.own);
      return false;
    } catch (error) {
      const other = new JournalState(new KeyIndex(), header, undefined);
      await other.#scan(file, 0);
      if (other.hasRegistrations) throw error;
      this.superseded.set(path, header);
      for (const digest of other.written) this.supersededDigests.add(digest);
      return true;
    }
  }

  /**
   * The mappings in force, that of this journal first. A journal without a settled row, of
   * whichever shard, has none: nothing depends on its columns.
   */
  mappings(path: string): readonly { readonly path: string; readonly columns: RecordedMapping }[] {
    const settled = [...this.#settled].sort((a, b) => Number(b === path) - Number(a === path));
    const found = settled.map((journal) => ({
      path: journal,
      columns: readMapping(this.#mappings.get(journal)),
    }));
    return found.filter(({ columns }) => Object.keys(columns).length > 0);
  }

  /**
   * Whether a mapping is the last one that a journal names, in force or not; a new journal begins
   * with its own.
   */
  isRecorded(path: string, mapping: JournalHeader['mapping']): boolean {
    return !this.#mappings.has(path) || isDeepStrictEqual(this.#mappings.get(path), mapping);
  }

  /** Whether an earlier run has registered a row. */
  get hasRegistrations(): boolean {
    return this.#hasRegistrations;
  }

  /** The error that the service answered a refused row with in an earlier run. */
  async refusal(entry: number): Promise<CarbonError> {
    const place = this.index.number(entry);
    const file = await open(this.#pathOf(place), 'r');
    try {
      return readRefusal((await readLine(file, place % journalSpan)).toString());
    } finally {
      await file.close();
    }
  }

  /** Notes where a journal says why a row was refused. */
  rememberRefusal(entry: number, path: string, offset: number): void {
    const known = this.#paths.indexOf(path);
    const journal = known < 0 ? this.#paths.push(path) - 1 : known;
    this.index.setNumber(entry, journal * journalSpan + offset);
  }

  #pathOf(place: number): string {
    return this.#paths[Math.floor(place / journalSpan)] ?? '';
  }

  async #scan(file: FileHandle, journal: number): Promise<void> {
    let bytes = Buffer.allocUnsafeSlow(chunkBytes);
    let held = 0;
    let offset = journal * journalSpan;
    const unreadable = new UnreadableLines();
    for (;;) {
      const { bytesRead } = await file.read(bytes, held, bytes.length - held, null);
      const length = held + bytesRead;
      let from = 0;
      for (
        let to = bytes.indexOf(feed, from);
        to >= 0 && to < length;
        to = bytes.indexOf(feed, from)
      ) {
        // Another program may have converted the line ends.
        const end = bytes[to - 1] === carriageReturn ? to - 1 : to;
        unreadable.take(this.#take(bytes, from, end, offset + from));
        from = to + 1;
      }
      if (bytesRead === 0) {
        // Another program may have removed the last line feed; a truncated line is not JSON.
        this.#takeParsed(bytes.toString('utf8', 0, held), offset);
        const found = unreadable.end();
        if (found.lines > 0) this.unreadable.set(this.#pathOf(offset), found);
        return;
      }
      bytes.copyWithin(0, from, length);
      held = length - from;
      offset += from;
      if (held === bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2);
      bytes.fill(0, held);
    }
  }

  #take(bytes: Buffer, from: number, to: number, place: number): 'read' | 'unreadable' | 'end' {
    const found = canScan(bytes, from, to) ? scanLine(bytes, from, to) : 'unsent';
    if (found !== 'unsent') {
      this.#isSettled = true;
      const keyAt = from + keyOffset;
      if (this.shard && !isInShard(bytes.toString('latin1', keyAt, keyAt + 8), this.shard))
        return 'read';
      const entry = this.index.addFrom(bytes, keyAt);
      if (entry >= 0) {
        this.#settle(entry, found, place);
        return 'read';
      }
    }
    return this.#takeParsed(bytes.toString('utf8', from, to), place);
  }

  #takeParsed(text: string, place: number): 'read' | 'unreadable' | 'end' {
    const line = parseLine(text);
    if (line === undefined) return 'unreadable';
    if (!('key' in line)) {
      this.#takeNote(line, place);
      return line.isEnd ? 'end' : 'read';
    }
    const { key, outcome } = line;
    if (outcome !== 'unsent') this.#isSettled = true;
    if (outcome !== 'unsent' && isInShard(key, this.shard))
      this.#settle(this.index.add(key), outcome, place);
    return 'read';
  }

  #settle(entry: number, found: Exclude<Scanned, 'unsent'>, place: number): void {
    const { index } = this;
    if (found !== 'refused') {
      this.#hasRegistrations = true;
      index.setState(entry, State.done);
      index.setId(entry, typeof found === 'number' ? found : found.id);
    } else if ((index.state(entry) & State.done) === 0) {
      index.setState(entry, State.refused);
      index.setNumber(entry, place);
    }
  }

  #takeNote({ written, mapping, failed, counts }: Note, place: number): void {
    if (written !== undefined) this.written.add(written);
    if (mapping !== undefined) this.#mappings.set(this.#pathOf(place), mapping);
    if (failed === undefined || (this.shard && !isInShard(failed, this.shard))) return;
    const entry = this.index.add(failed);
    const state = this.index.state(entry);
    if ((state & State.done) !== 0) return;
    if (counts) this.index.addFailedRun(entry);
    else this.index.setState(entry, state | State.failed);
  }
}

/* Of a mapping that another program changed, only what is a field with a header counts. */
function readMapping(recorded: unknown): RecordedMapping {
  if (typeof recorded !== 'object' || recorded === null) return {};
  const columns = recorded as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    fields.flatMap((field) =>
      typeof columns[field] === 'string' ? [[field, columns[field]]] : [],
    ),
  );
}

/* The line that begins there, however long its row's name is. */
async function readLine(file: FileHandle, at: number): Promise<Buffer> {
  for (let length = 64 * 1024; ; length *= 8) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, at);
    const end = buffer.subarray(0, bytesRead).indexOf(feed);
    if (end >= 0 || bytesRead < length) return buffer.subarray(0, end < 0 ? bytesRead : end);
  }
}
