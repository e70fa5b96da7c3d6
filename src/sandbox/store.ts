/*
 * Who is registered, for ever: one append-only log. The id of an organization is the ordinal of its
 * first line among the first lines of all, so that every process that reads the log agrees, whoever
 * wrote it and whenever any of them was killed. To register is to append a line, read back, and see
 * who was first.
 *
 * A line: version, identity, time, length of the body, body (JSON). Each is written with a newline
 * before and after, so that a torn one never joins with the next; the length tells a torn one from
 * a whole.
 */
import type { Identifier } from '../api/schema.ts';
import { LocalError } from '../runtime/carbon-error.ts';
import type { Registered } from './company.ts';
import type { Log } from './log.ts';
import { Entries } from './log-index.ts';

/** The registrations of a sandbox. */
export interface Store {
  /** Finds the id of an identity that is registered, by any process; undefined for another one. */
  find(identity: string): number | undefined;
  /**
   * Registers an identity, unless it is: the first registration counts for ever, its body and time
   * too.
   * @param at wall time in milliseconds
   * @returns its id
   */
  register(identity: string, identifier: Identifier, at: number): number;
  /** Gets what was registered under an id; undefined when nothing was. */
  get(id: number): Registered | undefined;
  close(): void;
}

const newline = 0x0a;
const head = /^1 ([0-9a-f]{32}) (\d{15}) (\d{8}) $/;
const headLength = 1 + 1 + 32 + 1 + 15 + 1 + 8 + 1;
const latestTime = 999_999_999_999_999;

/**
 * Opens the registrations that a log holds.
 * @throws LocalError when a later version of `carbon` wrote to it
 */
export function openStore(log: Log): Store {
  const entries = new Entries();
  let buffer = Buffer.allocUnsafe(256 * 1024);
  let position = 0;

  /**
   * Reads the lines that were added since the last time; one without its newline is left for the
   * next.
   */
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
    entries.add(identity, {
      at: Number(at),
      offset: position + start + headLength,
      length: Number(length),
    });
  }

  function find(identity: string): number | undefined {
    const known = entries.find(identity);
    if (known > 0) return known;
    refresh();
    return entries.find(identity) || undefined;
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
      if (id === undefined)
        throw new LocalError('The log of the sandbox was cut off by another program.');
      return id;
    },
    get(id) {
      if (id > entries.count) refresh();
      const entry = entries.get(id);
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
    `The log of the sandbox has a line of version ${version}, which this version cannot read.`,
    {
      hint: 'Update carbon, or start afresh with another folder in CARBON_DATA_DIR.',
    },
  );
}
