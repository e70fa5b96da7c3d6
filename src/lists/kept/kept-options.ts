/*
 * The options that say how to read a list. A run keeps them in the journal, so that the next run
 * and the commands that read the list need none of them:
 *
 *   {"carbon":"options","at":"...","sheet":"EU","encoding":"windows-1252","skip_lines":2,
 *    "map":{"name":"#2"},"header":["No.","Firm"]}
 *
 * The last line of this kind counts. To keep another option, add it to `KeptOptions`, to
 * `merge` and to what `ListReading` says about it.
 */
import { isDeepStrictEqual, TextDecoder } from 'node:util';
import { type Field, fields } from '../../client/registration/fields.ts';
import { cut, plural } from '../../display/terminal/format.ts';
import { quoteWords } from '../../display/terminal/sanitize.ts';
import { codeOf, invalidInput, UsageError } from '../../runtime/carbon-error.ts';
import { type OpenFile, openToRead, readAt, takeTurn } from '../../runtime/file-lines.ts';
import { joinHints } from '../../runtime/hint.ts';
import type { JournalColumns } from '../list/columns.ts';
import { type FormerCells, inOtherEncodings } from '../list/former-readings.ts';
import { type CsvDialect, type CsvDialectOptions, detectDialect } from '../table/dialect.ts';
import type { InputFile } from '../table/input-file.ts';
import { mapText } from '../table/map-option.ts';

/** What a journal keeps of the options. */
export interface KeptOptions {
  /** When they were kept, ISO 8601. */
  readonly at?: string | undefined;
  /** The sheet that was read. */
  readonly sheet?: string | undefined;
  /** Whether it was the first visible one, and no option named it. */
  readonly default_sheet?: boolean | undefined;
  readonly encoding?: string | undefined;
  readonly skip_lines?: number | undefined;
  /** Columns by field, as `--map` names them. */
  readonly map?: Readonly<Record<string, string>> | undefined;
  /** The header line that was read with these options. */
  readonly header?: readonly string[] | undefined;
}

/** The options of a command line. */
export interface GivenOptions<Name extends string = string>
  extends Pick<CsvDialectOptions, 'sheet' | 'encoding' | 'skipLines'> {
  /** Columns by field; fields that no registration has are not kept. */
  readonly map: ReadonlyMap<Name, string>;
}

const chunkBytes = 1 << 20;
type OpenFileAt = typeof openToRead;

const optionsStart = '{"carbon":"options"';
const rowStart = '{"key":"';

/** Returns the options that a journal keeps; undefined without a journal or without options. */
export async function readKeptOptions(
  journal: string,
  openFile: OpenFileAt = openToRead,
): Promise<KeptOptions | undefined> {
  const file = await openJournal(journal, openFile);
  if (file === undefined) return undefined;
  try {
    const starts = await findStarts(file, journal, optionsStart);
    const lines = starts.map((start) => lineAt(file, journal, start));
    return lines.map(parseOptions).findLast((options) => options !== undefined);
  } finally {
    await file.close();
  }
}

/** Whether a journal has the outcome of a row. */
export async function hasRows(journal: string): Promise<boolean> {
  const file = await openJournal(journal, openToRead);
  if (file === undefined) return false;
  try {
    return (await findStarts(file, journal, rowStart, 1)).length > 0;
  } finally {
    await file.close();
  }
}

function openJournal(journal: string, openFile: OpenFileAt): Promise<OpenFile | undefined> {
  return openFile(journal).catch((error: unknown) => {
    // Reading the journal itself reports what else is wrong with it.
    if (error instanceof UsageError || codeOf(error) !== '') return undefined;
    throw error;
  });
}

/*
 * Returns where the lines with this start begin. Searching the bytes of a journal of a million rows
 * takes a tenth of a second.
 */
async function findStarts(
  file: OpenFile,
  journal: string,
  word: string,
  max = Number.POSITIVE_INFINITY,
): Promise<number[]> {
  const chunk = Buffer.allocUnsafeSlow(chunkBytes);
  const starts: number[] = [];
  for (let position = 0; ; ) {
    const length = readAt(file, journal, chunk, position);
    const read = chunk.subarray(0, length);
    for (let at = read.indexOf(word); at >= 0; at = read.indexOf(word, at + 1)) {
      starts.push(position + at);
      if (starts.length >= max) return starts;
    }
    if (length < chunkBytes) return starts;
    // A line may begin in one chunk and end in the next.
    position += length - word.length + 1;
    await takeTurn(length);
  }
}

/* Returns the line that begins here; one that a kill cut is no JSON. */
function lineAt(file: OpenFile, journal: string, start: number): string {
  for (let size = 1 << 12; ; size *= 4) {
    const buffer = Buffer.alloc(size);
    const length = readAt(file, journal, buffer, start);
    const end = buffer.indexOf('\n');
    if (end >= 0 || length < size) return buffer.toString('utf8', 0, end < 0 ? length : end);
  }
}

/* A line that is no JSON has no members; reading the journal reports it. */
function parse(line: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

function parseOptions(line: string): KeptOptions | undefined {
  const { carbon, at, sheet, default_sheet, encoding, skip_lines, map, header } = parse(line);
  if (carbon !== 'options') return undefined;
  const pairs = Object.entries(map ?? {}).map(([field, column]) => [field, String(column)]);
  return {
    at: typeof at === 'string' ? at : undefined,
    sheet: typeof sheet === 'string' ? sheet : undefined,
    default_sheet: default_sheet === true || undefined,
    encoding: typeof encoding === 'string' ? encoding : undefined,
    skip_lines: typeof skip_lines === 'number' ? skip_lines : undefined,
    map: pairs.length === 0 ? undefined : Object.fromEntries(pairs),
    header: Array.isArray(header) ? header.map(String) : undefined,
  };
}

/** The sheet that a run reads, as the workbook spells it, and who chose it. */
export interface ChosenSheet {
  readonly name: string;
  readonly by: 'option' | 'journal' | 'default';
}

/* What is kept after a run with these options: those of the command line win. */
function merge(
  kept: KeptOptions,
  given: GivenOptions,
  sheet: ChosenSheet | undefined,
  header: readonly string[],
): KeptOptions {
  const own = [...given.map].filter(([field]) => (fields as readonly string[]).includes(field));
  const map = { ...kept.map, ...Object.fromEntries(own) };
  const options = {
    encoding: given.encoding ?? kept.encoding,
    skip_lines: given.skipLines ?? kept.skip_lines,
    map: Object.keys(map).length > 0 ? map : undefined,
  };
  const needsHeader = Object.values(options).some((value) => value !== undefined);
  const isDefault = sheet?.by === 'journal' ? kept.default_sheet : sheet?.by === 'default';
  return {
    sheet: sheet?.name,
    default_sheet: isDefault || undefined,
    ...options,
    header: needsHeader ? header : undefined,
  };
}

function isPosition(column: string): boolean {
  return /^#\d+$/.test(column);
}

/** How to read a list: the options of the command line, and those that its journal keeps. */
export class ListReading<Name extends string = Field> {
  readonly #given: GivenOptions<Name>;
  readonly #kept: KeptOptions;
  readonly #sheet: ChosenSheet | undefined;
  /** What the report says about kept options. */
  readonly notices: string[] = [];
  /* A kept encoding that the file itself disproves. */
  #otherEncoding: string | undefined;

  private constructor(
    given: GivenOptions<Name>,
    kept: KeptOptions,
    sheet: ChosenSheet | undefined,
  ) {
    this.#given = given;
    this.#kept = kept;
    this.#sheet = sheet;
  }

  /**
   * Chooses how to read a list.
   * @param kept what the journal of the list, or of its sheet, keeps
   * @param sheet the sheet if the list is a workbook
   * @throws LocalError if the list cannot be read
   */
  static async choose<Name extends string>(
    source: InputFile,
    given: GivenOptions<Name>,
    kept: KeptOptions = {},
    sheet?: ChosenSheet,
  ): Promise<ListReading<Name>> {
    // A workbook has no encoding.
    const own = sheet === undefined ? kept : { ...kept, encoding: undefined };
    const reading = new ListReading<Name>(given, own, sheet);
    await reading.#compareEncoding(source);
    return reading;
  }

  /** The options that say where the table is in the file, and how it is written. */
  get dialect(): Pick<CsvDialectOptions, 'sheet' | 'encoding' | 'skipLines'> {
    const { sheet, encoding, skipLines } = this.#given;
    const kept = this.#kept;
    return {
      sheet: this.#sheet?.name ?? sheet,
      encoding: encoding ?? this.#otherEncoding ?? kept.encoding,
      skipLines: skipLines ?? kept.skip_lines,
    };
  }

  /** Reads cells as earlier runs may have read them. */
  get formerCells(): FormerCells | undefined {
    if (this.#sheet !== undefined) return undefined;
    // Without a kept encoding, an earlier run may have read text that is no windows-1252 as such.
    return inOtherEncodings(this.dialect.encoding, [this.#kept.encoding ?? '', 'windows-1252']);
  }

  /** The sheet that the user chose, now or earlier. */
  get wantedSheet(): string | undefined {
    return this.#sheet?.by === 'default' ? undefined : this.dialect.sheet;
  }

  /**
   * Returns the columns by field.
   * @param recorded the columns that the journal recorded, which decide for what they have
   */
  map(recorded: JournalColumns | undefined): ReadonlyMap<Name, string> {
    return new Map([...this.#keptPairs(recorded), ...this.#given.map]);
  }

  /** Whether the user chose a column for the field, now or in an earlier run. */
  isChosen(field: Field & Name): boolean {
    return Boolean(this.#given.map.get(field) ?? this.#kept.map?.[field]);
  }

  #keptPairs(recorded: JournalColumns | undefined): [Name, string][] {
    const pairs = Object.entries(this.#kept.map ?? {}) as [Field & Name, string][];
    return pairs.filter(([field, column]) => {
      const isRecorded = recorded?.columns[field] !== undefined;
      return !this.#given.map.has(field) && (!isRecorded || isPosition(column) || column === '');
    });
  }

  /** Detects the table, and checks that kept options still fit it; throws as `detectDialect`. */
  async detect(source: InputFile): Promise<CsvDialect> {
    const words = this.#keptWords();
    let detected: CsvDialect;
    try {
      detected = await detectDialect(source, this.dialect);
    } catch (error) {
      if (!(error instanceof UsageError) || words.length === 0) throw error;
      const used = `carbon used ${words.join(' ')}, as in the last run; options on the command line take precedence.`;
      throw invalidInput(error.message, joinHints(error.hint, used), error.choices);
    }
    this.#checkHeader(source, detected.header);
    this.#describe();
    return detected;
  }

  /* The kept options that decide, as words of a command line. */
  #keptWords(): string[] {
    const { encoding, skipLines } = this.#given;
    const kept = this.#kept;
    const isUsed = (given: unknown, own: unknown) => given === undefined && own !== undefined;
    return [
      ...(this.#sheet?.by === 'journal' ? [`--sheet ${quoteWords([this.#sheet.name])}`] : []),
      ...(isUsed(encoding, kept.encoding) && this.#otherEncoding === undefined
        ? [`--encoding ${kept.encoding}`]
        : []),
      ...(isUsed(skipLines, kept.skip_lines) ? [`--skip-lines ${kept.skip_lines}`] : []),
    ];
  }

  /*
   * In a file with another header, columns by number would be other columns, and skipped lines
   * other lines.
   */
  #checkHeader(source: InputFile, header: readonly string[]): void {
    const { header: before = header, skip_lines: lines = 0, map = {} } = this.#kept;
    if (isDeepStrictEqual([...header], [...before])) return;
    const given = new Set<string>(this.#given.map.keys());
    const byPosition = Object.entries(map).filter(
      ([field, column]) => !given.has(field) && isPosition(column),
    );
    const words = [
      ...(this.#given.skipLines === undefined && lines > 0 ? [`--skip-lines ${lines}`] : []),
      ...byPosition.map(([field, column]) => `--map ${quoteWords([mapText(field, column)])}`),
    ];
    if (words.length === 0) return;
    const show = (cells: readonly string[]) => cut(cells.join(', '), 200);
    throw invalidInput(
      `${source.name}: the header line is not that of the last run, so carbon does not use ${words.join(' ')} of that run. Last run: ${show(before)}. Now: ${show(header)}`,
      `Check which line and columns are meant, and give these options again, such as ${words.join(' ')}`,
    );
  }

  #describe(): void {
    const { encoding, skipLines } = this.#given;
    const kept = this.#kept;
    const last = 'as in the last run';
    if (this.#sheet?.by === 'journal') this.notices.push(`Sheet "${this.#sheet.name}", ${last}`);
    if (encoding === undefined && kept.encoding !== undefined)
      this.notices.push(
        this.#otherEncoding === undefined
          ? `Encoding ${kept.encoding}, ${last}`
          : `Encoding ${this.#otherEncoding}, because the file says so; the last run used ${kept.encoding}`,
      );
    if (skipLines === undefined && kept.skip_lines)
      this.notices.push(`Skipped ${plural(kept.skip_lines, 'line')}, ${last}`);
  }

  /** Describes kept columns that `map` returns. */
  describeMap(recorded: JournalColumns | undefined): string[] {
    const pairs = this.#keptPairs(recorded).map(([field, column]) => mapText(field, column));
    return pairs.length === 0 ? [] : [`Columns ${pairs.join(', ')}, as in the last run`];
  }

  /**
   * Returns the line for a journal; empty if it would keep nothing else than before.
   * @param isNew whether the journal begins again, or another sheet was read last
   */
  lineOf(header: readonly string[], atMs: number, isNew: boolean): string {
    const { at: _, ...before } = this.#kept;
    const options = strip(merge(this.#kept, this.#given, this.#sheet, header));
    if (isDeepStrictEqual(options, isNew ? {} : strip(before))) return '';
    const at = new Date(atMs).toISOString();
    return `${JSON.stringify({ carbon: 'options', at, ...options })}\n`;
  }

  /* Text that is valid UTF-8 with a letter beyond ASCII is never text of another encoding. */
  async #compareEncoding(source: InputFile): Promise<void> {
    const { encoding } = this.#kept;
    if (encoding === undefined || this.#given.encoding !== undefined) return;
    if (/^utf-?8$/i.test(encoding)) return;
    const start = source.readStart(3).toString('hex');
    const mark = Object.entries(marks).find(([bytes]) => start.startsWith(bytes));
    if (mark !== undefined) this.#otherEncoding = mark[1];
    else if (await hasLettersOfUtf8(source)) this.#otherEncoding = 'UTF-8';
    if (this.#otherEncoding?.toLowerCase() === encoding.toLowerCase())
      this.#otherEncoding = undefined;
  }
}

const marks: Readonly<Record<string, string>> = {
  efbbbf: 'UTF-8',
  fffe: 'UTF-16LE',
  feff: 'UTF-16BE',
};

async function hasLettersOfUtf8(source: InputFile): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const letter = /(?![\0-\x7f])\p{L}/u;
  let hasLetter = false;
  try {
    for await (const bytes of source.bytes())
      hasLetter = letter.test(decoder.decode(bytes, { stream: true })) || hasLetter;
    return letter.test(decoder.decode()) || hasLetter;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/* Returns the options that are set. */
function strip(options: KeptOptions): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
