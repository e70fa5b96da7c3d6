/*
 * Stores registrations in one append-only log. The id of an organization is the rank of its first
 * line among the first lines of all organizations. All processes that read the log thus agree, even
 * if some are killed. To register, a process appends a line, reads the log back and finds out
 * whether another process came first.
 *
 * A line holds version, identity, time, length of the body, and body (JSON). A newline before and
 * after each line keeps a truncated line separate from the next one; the length reveals it.
 */
import type { Identifier } from '../api/schema.ts';
import { LocalError } from '../runtime/carbon-error.ts';
import type { Registered } from './company.ts';
import { type Log, LogIndex } from './log.ts';

/** The registrations of a sandbox. */
export interface Store {
  /** Finds the id of an identity that any process registered; undefined for an unknown one. */
  find(identity: string): number | undefined;
  /**
   * Registers a new identity. The first registration decides the body and the time for good.
   *
   * @param at time in milliseconds since 1970
   * @returns the id of the identity
   */
  register(identity: string, identifier: Identifier, at: number): number;
  /** Returns the registration of an id; undefined for an unknown id. */
  get(id: number): Registered | undefined;
  close(): void;
}

const newline = 0x0a;
const head = /^1 ([0-9a-f]{32}) (\d{15}) (\d{8}) $/;
const headLength = 1 + 1 + 32 + 1 + 15 + 1 + 8 + 1;
const latestTime = 999_999_999_999_999;

/**
 * Opens the registrations in a log.
 *
 * @throws LocalError if a later version of `carbon` wrote to the log
 */
export function openStore(log: Log): Store {
  const index = new LogIndex();
  let buffer = Buffer.allocUnsafe(256 * 1024);
  let position = 0;

  /** Reads the lines added since the last call, except a last line without its newline. */
  function refresh(): void {
    for (;;) {
      const count = log.read(buffer, position);
      let start = 0;
      for (let end = nextNewline(start, count); end >= 0; end = nextNewline(start, count)) {
        readLine(start, end);
        start = end + 1;
      }
      position += start;
      if (count < buffer.length) return;
      if (start === 0) buffer = Buffer.allocUnsafe(2 * buffer.length);
    }
  }

  function nextNewline(start: number, count: number): number {
    const end = buffer.indexOf(newline, start);
    return end < count ? end : -1;
  }

  function readLine(start: number, end: number): void {
    if (start === end) return;
    const text = buffer.toString('latin1', start, Math.min(end, start + headLength));
    const [, identity, at, length] = head.exec(text) ?? [];
    if (identity === undefined) {
      refuseLaterVersion(text);
      return;
    }
    if (Number(length) !== end - start - headLength) return;
    index.add(identity, {
      at: Number(at),
      offset: position + start + headLength,
      length: Number(length),
    });
  }

  function find(identity: string): number | undefined {
    const known = index.find(identity);
    if (known > 0) return known;
    refresh();
    return index.find(identity) || undefined;
  }

  try {
    refresh();
  } catch (error) {
    log.close();
    throw error;
  }
  return {
    find,
    register(identity, identifier, at) {
      const known = find(identity);
      if (known !== undefined) return known;
      log.append(lineOf(identity, identifier, at));
      const id = find(identity);
      if (id === undefined) throw new LocalError('Another program truncated the sandbox log.');
      return id;
    },
    get(id) {
      if (id > index.count) refresh();
      const entry = index.get(id);
      if (!entry) return undefined;
      const body = Buffer.allocUnsafe(entry.length);
      log.read(body, entry.offset);
      return {
        id,
        identity: entry.identity,
        at: entry.at,
        identifier: JSON.parse(body.toString()) as Identifier,
      };
    },
    close: () => log.close(),
  };
}

function lineOf(identity: string, identifier: Identifier, at: number): Buffer {
  const body = JSON.stringify(identifier);
  const time = String(Math.min(latestTime, Math.max(0, Math.round(at)))).padStart(15, '0');
  const length = String(Buffer.byteLength(body)).padStart(8, '0');
  return Buffer.from(`\n1 ${identity} ${time} ${length} ${body}\n`);
}

function refuseLaterVersion(line: string): void {
  const version = /^(\d+) /.exec(line)?.[1];
  if (version === undefined || version === '1') return;
  throw new LocalError(
    `Cannot read the sandbox log: a newer version of carbon wrote it (format ${version})`,
    {
      hint: 'Update carbon, or set CARBON_DATA_DIR to an empty directory to start over.',
    },
  );
}
