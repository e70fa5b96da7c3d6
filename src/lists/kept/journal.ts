/*
 * Writes and reads the journal of a list: an append-only file with the outcome of each row. A line
 * is durable when `append` has resolved; carbon reports no outcome before. A kill leaves at most
 * one truncated line, which the next run cuts.
 *
 * Each line is one JSON object. The first one names the service, the profile and the columns of the
 * lines that follow; a later run with another mapping adds one of the same kind:
 *
 *   {"carbon":"journal","version":1,"keys":1,"service":"...","profile":"...","mapping":{...}}
 *
 * The line of a row has its key ([…] stands for 32 hexadecimal digits) and an id, padded to a fixed
 * width. A rejected row has the id null, then the status, title and detail of the response:
 *
 *   {"key":"[…]","id":                 12,"line":2,"status":"created","at":"2026-01-15T09:30:..."}
 *
 * Lines of other kinds are notes; a version of carbon that does not know one ignores it:
 *
 *   {"carbon":"failed","key":"[…]",...}                 a row is invalid, or failed while others
 *                                                       were accepted
 *   {"carbon":"tried","key":"[…]",...}                  a row failed, and none was accepted since
 *   {"carbon":"pending","key":"[…]",...}                the outcome of a row does not count
 *   {"carbon":"quota",...}                              the run ended because a quota is used up
 *   {"carbon":"complete",...}                           each row of the list has a record
 *   {"carbon":"options",...}                            how to read the list: kept-options.ts
 *   {"carbon":"unlisted","key":"[…]"}                   a registered row is no longer in the list
 *   {"carbon":"listed","key":"[…]"}                     a registered row is in the list again
 *   {"carbon":"finished",...}                           a run finished: what the list has is known
 */
import { existsSync, renameSync } from 'node:fs';
import { type OrganizationId, usableId } from '../../client/api/ids.ts';
import { whileInUse } from '../../runtime/atomic-file.ts';
import {
  CarbonError,
  explainSystemError,
  HintedError,
  invalidInput,
  LocalError,
  UsageError,
} from '../../runtime/carbon-error.ts';
import { openToRead } from '../../runtime/file-lines.ts';
import { type FileLock, type LockContext, lockFile } from '../../runtime/file-lock.ts';
import { hintText } from '../../runtime/hint.ts';
import { throwUnreadable } from '../../runtime/unreadable-file.ts';
import { hasColumns, type JournalColumns, keyVersion } from '../list/columns.ts';
import { AppendLog, type LogFormat, readLog } from './append-log.ts';
import type { ChosenList, JournalFile } from './choose-list.ts';
import { KnownRows } from './known-rows.ts';
import { hasSheets, journalOf } from './paths.ts';

const journalVersion = 1;
const idWidth = 19;

/** What the first line of a journal says about those that follow. */
export interface JournalHeader {
  /** The base URL, or `sandbox`. */
  readonly service: string;
  /** Name of the profile, `env` when base URL and key are from the environment. */
  readonly profile: string;
  readonly mapping: JournalColumns['columns'];
  /** The path of the list, if the journal is in another directory. */
  readonly list?: string | undefined;
}

export function headerLine({ service, profile, mapping, list }: JournalHeader): string {
  const versions = { version: journalVersion, keys: keyVersion };
  const header = { carbon: 'journal', ...versions, service, profile, list, mapping };
  return `${JSON.stringify(header)}\n`;
}

export interface JournalRow {
  readonly key: string;
  readonly line: number;
}

export function registeredLine(
  { key, line, id, status }: JournalRow & { id: OrganizationId; status: string | undefined },
  atMs: number,
): string {
  return `{"key":"${key}","id":${JSON.stringify(id).padStart(idWidth)},"line":${line},"status":${JSON.stringify(status ?? null)},"at":"${time(atMs)}"}\n`;
}

export function refusedLine({ key, line }: JournalRow, error: CarbonError, atMs: number): string {
  return `{"key":"${key}","id":${'null'.padStart(idWidth)},"line":${line},"at":"${time(atMs)}",${reason(error)}\n`;
}

/** Formats the note that a row failed or was tried, or that its outcome does not count. */
export function rowNote(
  kind: 'failed' | 'tried' | 'pending',
  { key, line }: JournalRow,
  error: CarbonError,
  atMs: number,
): string {
  return `{"carbon":"${kind}","key":"${key}","line":${line},"at":"${time(atMs)}",${reason(error)}\n`;
}

/** Formats the note that a registered row is in the list again, or no longer. */
export function listingNote(key: string, isListed: boolean): string {
  return `{"carbon":"${isListed ? 'listed' : 'unlisted'}","key":"${key}"}\n`;
}

export const listingNoteLength = 70;

/** Formats the note that a run finished, with the number of organizations in the list. */
export function finishedNote(organizations: number, atMs: number): string {
  return `{"carbon":"finished","organizations":${organizations},"at":"${time(atMs)}"}\n`;
}

/** Formats the note that a run ended because a quota is used up. */
export function quotaLine(error: CarbonError, atMs: number): string {
  return `{"carbon":"quota","at":"${time(atMs)}",${reason(error)}\n`;
}

function reason(error: CarbonError): string {
  const { status, title, detail, message, code, reason } = error;
  const remedy = error instanceof HintedError ? error.hint : undefined;
  const hint = remedy && hintText(remedy);
  return JSON.stringify({ code, reason, status, title, detail, message, hint }).slice(1);
}

/* Many lines have the same millisecond, and formatting it takes longer than the rest of a line. */
let lastTime = { ms: 0, text: new Date(0).toISOString() };

function time(ms: number): string {
  if (ms !== lastTime.ms) lastTime = { ms, text: new Date(ms).toISOString() };
  return lastTime.text;
}

/** A line about a row; one of the kind `row` without an id says that the service rejected it. */
interface RowLine {
  readonly kind: 'row' | 'failed' | 'tried' | 'pending' | 'listed' | 'unlisted';
  readonly key: string;
  readonly id: OrganizationId | undefined;
}

export type JournalLine =
  | RowLine
  /** Changes for all lines that follow. */
  | { readonly kind: 'header'; readonly header: Readonly<Record<string, unknown>> }
  | { readonly kind: NoteKind | 'other' };

/* Returns undefined for a line that is not JSON of this format. */
function parseLine(text: string): JournalLine | undefined {
  const read = parseObject(text);
  if (read === undefined) return undefined;
  const { carbon: kind = 'row', key, id, ...header } = read;
  if (isRowKind(kind)) {
    const usable = kind === 'row' ? usableId(id) : undefined;
    const hasKey = typeof key === 'string' && /^[0-9a-f]{32}$/.test(key);
    const isComplete = kind !== 'row' || id === null || usable !== undefined;
    return hasKey && isComplete ? { kind, key, id: usable } : undefined;
  }
  if (kind === 'journal') return { kind: 'header', header };
  return { kind: isNote(kind) ? kind : 'other' };
}

const rowKinds: readonly unknown[] = ['row', 'failed', 'tried', 'pending', 'listed', 'unlisted'];

function isRowKind(kind: unknown): kind is RowLine['kind'] {
  return rowKinds.includes(kind);
}

const noteKinds = ['quota', 'finished', 'mapping'] as const;

type NoteKind = (typeof noteKinds)[number];

function isNote(kind: unknown): kind is NoteKind {
  return noteKinds.some((each) => each === kind);
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? (read as never) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the error that a line records. */
export function readReason(line: string): CarbonError {
  const {
    code = 'rejected',
    message = 'The service rejected this row in an earlier run',
    hint,
    reason,
    status,
    title,
    detail,
  } = (parseObject(line) ?? {}) as Partial<HintedError>;
  const details = { reason, status, title, detail };
  return hint === undefined
    ? new CarbonError(code, message, details)
    : new HintedError(code, message, { ...details, hint });
}

/** The service and profile of a run; undefined accepts those of the first journal. */
export interface Registrant {
  readonly service: string | undefined;
  readonly profile: string | undefined;
}

export class Journals {
  readonly rows = new KnownRows();
  /** The last header of each journal. */
  readonly headers = new Map<string, JournalHeader>();
  /** Whether an earlier run has registered a row. */
  hasRegistered = false;
  /** Whether a run of the list has finished, so that it is known what the list had. */
  hasFinished = false;
  /** Number of lines that a power failure filled with zeros. */
  damaged = 0;
  /** Whether a quota was used up at the end of a run, and no row was registered since. */
  isQuotaUsedUp = false;
  /** Number of lines about rows, and how many of them precede the last accepted row. */
  noted = 0;
  acceptedAt = 0;
  current: Registrant;
  /* Journals with a registered or rejected row, without those of other sheets. */
  readonly #settled = new Set<string>();
  /* The service of the rows of other sheets. */
  #otherService: string | undefined;
  readonly #path: string;
  readonly #hasSheets: boolean;

  /**
   * @param path that of the journal of the list itself, or of its sheet
   * @param hasSheets whether the list is a workbook, of which several sheets may have a journal
   */
  constructor(path: string, current: Registrant, hasSheets = false) {
    this.#path = path;
    this.current = current;
    this.#hasSheets = hasSheets;
  }

  /** The service of the rows, which is part of their keys; undefined without a journal. */
  get service(): string | undefined {
    const [first] = this.headers.values();
    return this.current.service ?? first?.service ?? this.#otherService;
  }

  /** Returns the id of the row with this key; undefined if no batch registered it. */
  find(key: string): OrganizationId | undefined {
    return this.rows.get(key)?.id;
  }

  /** Whether an earlier run registered the row with this key. */
  wasRegistered(key: string): boolean {
    const known = this.rows.get(key);
    // This run sends the row of a line.
    return known?.id !== undefined && known.line === 0;
  }

  /** Returns why the service rejected the row, which is not sent again unless asked. */
  rejectionOf(key: string): CarbonError | undefined {
    const refusal = this.rows.get(key)?.failures.refusal;
    return refusal === undefined ? undefined : readReason(refusal);
  }

  /**
   * Reads a journal. A registered row stays so, unless a later line takes it back.
   * @param of whose it is: of other sheets, only the rows of the same service and profile count
   * @throws UsageError for a journal of another service or profile with rows, for a file that is
   * not a journal, and for a line of other text; LocalError for a journal of a later version, or
   * one that cannot be read
   */
  async read(path: string, of: JournalFile['of'] = 'itself'): Promise<void> {
    const isOther = of === 'another';
    const skipsForeign = isOther || of === 'none';
    const file = await openToRead(path).catch((cause: unknown) => {
      if (cause instanceof UsageError) throw notJournal(path);
      throwUnreadable(path, cause);
    });
    let header: JournalHeader | undefined;
    let hasIds = false;
    let number = 0;
    const where = () => `${path}, line ${number}`;
    try {
      for await (const lines of readLog(file, path, format))
        for (const { bytes } of lines) {
          number += 1;
          const text = bytes.toString();
          const line = parseLine(text);
          if (header === undefined) {
            if (line?.kind !== 'header') throw notJournal(path);
            checkVersion(path, line.header);
          }
          // Without it, its columns would not count, and every row would be sent again.
          if (line?.kind === 'mapping') throw formerLine(where());
          if (line === undefined) {
            if (text.includes('\0')) this.damaged += 1;
            else if (text.trim() !== '') throw format.foreign(`${where()},`);
            continue;
          }
          if (line.kind === 'header') header = { ...(header as JournalHeader), ...line.header };
          if (skipsForeign && (header === undefined || this.#isForeign(header))) continue;
          if (line.kind === 'row' && !isOther) this.#settled.add(path);
          const isRegistered = line.kind === 'row' && line.id !== undefined;
          if (line.kind === 'quota' || isRegistered) this.isQuotaUsedUp = !isRegistered;
          hasIds ||= isRegistered;
          if ('key' in line) this.#take(line, text, of === 'itself');
          if (line.kind !== 'finished' || of !== 'itself') continue;
          this.hasFinished = true;
          this.rows.noteFinished();
        }
    } finally {
      await file.close();
    }
    if (header === undefined) return;
    if (isOther) {
      if (hasIds) this.#otherService = header.service;
      return;
    }
    if (hasIds) this.#checkRegistrant(path, header);
    this.headers.set(path, header);
  }

  #isForeign({ service, profile }: JournalHeader): boolean {
    const { current } = this;
    return (current.service ?? service) !== service || (current.profile ?? profile) !== profile;
  }

  #checkRegistrant(path: string, { service, profile }: JournalHeader): void {
    const { current } = this;
    this.current = { service: current.service ?? service, profile: current.profile ?? profile };
    if (service !== this.current.service || profile !== this.current.profile)
      throw new UsageError(
        `The journal ${path} belongs to ${service} (profile ${profile}), but this run uses ${this.current.service} (profile ${this.current.profile})`,
        'This run cannot use the registrations in it. Use --keep to choose a directory for another journal, or --restart to start over.',
      );
  }

  #take({ kind, key, id }: RowLine, text: string, isOwn: boolean): void {
    const { rows } = this;
    const known = rows.add(key);
    if (kind === 'listed' || kind === 'unlisted') {
      if (isOwn) rows.noteListed(known.index, kind === 'listed');
      return;
    }
    this.noted += 1;
    if (kind === 'row') this.acceptedAt = this.noted;
    if (isOwn && id !== undefined) rows.noteAdded(known.index);
    if (kind === 'tried') {
      if (known.id === undefined) rows.noteTried(known, this.noted);
    } else if (kind === 'pending' || id !== undefined) {
      rows.setId(known.index, id);
      this.hasRegistered ||= id !== undefined;
    } else if (known.id === undefined)
      rows.failures.set(known.index, kind === 'row' ? { refusal: text } : { failure: text });
  }

  /**
   * Returns the recorded columns; undefined without a settled row, because no other depends on
   * them. Another journal of a workbook counts for the sheet that has its columns.
   */
  columnsOf(header: readonly string[]): JournalColumns | undefined {
    const all = [...this.#settled].map((path) => ({
      path,
      columns: this.headers.get(path)?.mapping ?? {},
    }));
    const own = all.find(({ path }) => path === this.#path);
    if (own !== undefined || !this.#hasSheets) return own ?? all[0];
    return all.find(({ columns }) => hasColumns(header, columns));
  }
}

const format: LogFormat = {
  starts: ['{"carbon":', '{"key":'],
  foreign: (where) =>
    invalidInput(
      `${where} has text that is not a line of a journal`,
      'The file was not changed. Remove that text, or restore the journal from a backup.',
    ),
  changed: (path) =>
    new LocalError(`The journal ${path} was changed or removed during the run`, {
      hint: 'Restore the file and run the same command again. Without it, carbon sends every row again; no organization is registered twice.',
    }),
};

function formerLine(where: string): UsageError {
  return invalidInput(
    `${where}, is in a form that carbon no longer reads`,
    'Replace "carbon":"mapping" in that line by "carbon":"journal".',
  );
}

function checkVersion(path: string, { version, keys }: Readonly<Record<string, unknown>>): void {
  if (Number(version) > journalVersion || Number(keys) > keyVersion)
    throw new LocalError(`The journal ${path} was written by a later version of carbon`, {
      hint: 'Update carbon, or use --keep to start another journal.',
    });
  if (version !== journalVersion || keys !== keyVersion) throw notJournal(path);
}

function notJournal(path: string): UsageError {
  return new UsageError(
    `${path} is not a carbon journal`,
    'The file was not changed. Restore the journal from a backup. Without it, carbon sends every row again; the ids stay the same.',
  );
}

/**
 * Reads the journals of a list; returns undefined if no row was registered. A batch may be in
 * progress: the row of a truncated last line counts as not registered.
 * @throws UsageError for a file that is not a journal; LocalError for one that cannot be read
 */
export async function readJournalIds(
  list: string,
  { keeping, journals: files }: Pick<ChosenList, 'keeping' | 'journals'>,
): Promise<Journals | undefined> {
  const current = { service: undefined, profile: undefined };
  const journals = new Journals(journalOf(list, keeping), current, hasSheets(list));
  for (const { path, of } of files) await journals.read(path, of);
  return journals.hasRegistered ? journals : undefined;
}

/** A journal open for appending. */
export class Journal {
  readonly #log: AppendLog;

  private constructor(log: AppendLog) {
    this.#log = log;
  }

  get path(): string {
    return this.#log.path;
  }

  /**
   * Opens a journal; a new one is readable by this user only.
   * @param lock that of the list
   * @throws LocalError when it cannot be written; UsageError for text of the user at its end
   */
  static async open(path: string, lock?: FileLock): Promise<Journal> {
    return new Journal(
      await AppendLog.open(path, format, 0o600, lock).catch((error: unknown) => {
        throw toJournalError(path, error);
      }),
    );
  }

  /**
   * Appends complete lines and waits until they are on the disk.
   * @throws LocalError when the disk is full, the file was removed or replaced, or another run has
   * taken over
   */
  async append(lines: string): Promise<void> {
    try {
      await this.#log.append(lines);
      await this.#log.sync();
    } catch (error) {
      throw toJournalError(this.path, error);
    }
  }

  close(): Promise<void> {
    return this.#log.close();
  }
}

/** Renames a journal to a backup name that is not in use, so that a new one can start. */
export async function setJournalAside(path: string, lock?: FileLock): Promise<void> {
  let aside = `${path}.previous`;
  for (let count = 2; existsSync(aside); count += 1) aside = `${path}.previous-${count}`;
  const rename = () => {
    lock?.confirm();
    renameSync(path, aside);
  };
  await whileInUse(rename).catch((error: unknown) => {
    throw toJournalError(path, error);
  });
}

function toJournalError(path: string, error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error)) return error;
  return new LocalError(`Cannot write the journal ${path}: ${explainSystemError(error)}`, {
    hint: 'Nothing recorded so far is lost. Fix the cause and run the same command again.',
    cause: error,
  });
}

/**
 * Takes the lock of a journal.
 * @throws LocalError when another run holds it
 */
export function lockJournal(journal: string, context: LockContext): Promise<FileLock> {
  const path = `${journal}.lock`;
  const busy = (holder: string, suspended: number | undefined) => {
    const end =
      suspended === undefined
        ? 'Wait until that run ends, or stop it.'
        : `That run is suspended, as by Ctrl-Z: continue it with \`fg\` or \`kill -CONT ${suspended}\`, or end it with \`kill -9 ${suspended}\`.`;
    return new LocalError(`Another run is in progress on this file: ${holder}`, {
      hint: `${end} Then run the same command to resume. The lock is ${path}; if its process has died, the next run replaces it.`,
    });
  };
  const unwritable = 'The journal needs a writable directory. Use --keep to choose another one.';
  return lockFile(path, { busy, unwritable }, context);
}
