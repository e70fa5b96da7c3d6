/*
 * Stores registrations in one append-only log. The id of an organization is the rank of its first
 * line among the first lines of all organizations. All processes that read the log thus agree, even
 * if some are killed, and need no lock. To register, a process appends a line, reads the log back
 * and finds out whether another process came first.
 *
 * A line holds version, identity, time, length of the body, and body (JSON). A newline before and
 * after each line keeps a truncated line separate from the next one; the length reveals it.
 */
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createDirectory } from '../config/paths.ts';
import type { Identifier } from '../registration/fields.ts';
import { LocalError } from '../runtime/carbon-error.ts';
import { explainSystemError } from '../runtime/system-error.ts';

/** An organization as the sandbox stores it. */
export interface Registered {
  readonly id: number;
  /** 32 hex digits. */
  readonly identity: string;
  /** Time of the first registration in milliseconds since 1970. Research starts then. */
  readonly at: number;
  /** The fields of the first registration, without the currency. */
  readonly identifier: Identifier;
}

/** An append-only file, which several processes may share. */
export interface Log {
  /** Returns the bytes from `position` to the end. */
  read(position: number): Buffer;
  /** Appends all bytes in one write, or throws. */
  append(bytes: Buffer): void;
  close(): void;
}

const hint = 'Set CARBON_DATA_DIR to another directory for the sandbox log.';

/**
 * Opens `sandbox.log` in a directory. A new directory and file are accessible to this user only.
 * Each append is one write to an O_APPEND descriptor, which POSIX makes atomic among the processes
 * of one machine.
 *
 * @throws LocalError if the log cannot be opened, and later if it cannot be read or written
 */
export function openLog(dataDir: string): Log {
  const path = join(dataDir, 'sandbox.log');
  const guarded = <Result>(what: string, work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      throw new LocalError(`${path} cannot be ${what}: ${explainSystemError(error)}`, { hint });
    }
  };
  const { O_APPEND, O_CREAT, O_RDWR } = constants;
  createDirectory(dataDir, hint);
  let descriptor = guarded('opened', () => openSync(path, O_RDWR | O_APPEND | O_CREAT, 0o600));
  return {
    read: (position) =>
      guarded('read', () => {
        const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - position));
        return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, position));
      }),
    append: (bytes) =>
      guarded('written', () => {
        if (writeSync(descriptor, bytes) < bytes.length) throw new Error('the disk is full');
      }),
    close() {
      if (descriptor >= 0) closeSync(descriptor);
      // The system reuses the descriptor for the next file that is opened: never write to it.
      descriptor = -1;
    },
  };
}

/** Creates a log in memory. */
export function memoryLog(): Log {
  let bytes = Buffer.alloc(0);
  let length = 0;
  return {
    read: (position) => bytes.subarray(position, length),
    append(added) {
      if (length + added.length > bytes.length)
        bytes = Buffer.concat([bytes.subarray(0, length)], 2 * (length + added.length));
      length += added.copy(bytes, length);
    },
    close: () => undefined,
  };
}

const line = /^1 ([0-9a-f]{32}) (\d{15}) (\d{8}) (.*)/s;
const latestTime = 999_999_999_999_999;

/** The registrations of a sandbox. */
export type Store = ReturnType<typeof openStore>;

/** Opens the registrations in a log. Lines of any other form are ignored. */
export function openStore(log: Log) {
  const ids = new Map<string, number>();
  const entries: { readonly identity: string; readonly at: number; readonly body: string }[] = [];
  let position = 0;

  /** Reads the lines added since the last call, except a last line without its newline. */
  function refresh(): void {
    const bytes = log.read(position);
    const end = bytes.lastIndexOf('\n') + 1;
    for (const text of bytes.toString('utf8', 0, end).split('\n')) readLine(text);
    position += end;
  }

  function readLine(text: string): void {
    const [, identity, at, length, body = ''] = line.exec(text) ?? [];
    if (identity === undefined || Number(length) !== Buffer.byteLength(body)) return;
    if (ids.has(identity)) return;
    ids.set(identity, entries.push({ identity, at: Number(at), body }));
  }

  function find(identity: string): number | undefined {
    if (!ids.has(identity)) refresh();
    return ids.get(identity);
  }

  refresh();
  return {
    /** Finds the id of an identity that any process registered; undefined for an unknown one. */
    find,
    /**
     * Registers a new identity. The first registration decides the body and the time for good.
     *
     * @param at time in milliseconds since 1970
     * @returns the id of the identity
     */
    register(identity: string, identifier: Identifier, at: number): number {
      const known = find(identity);
      if (known !== undefined) return known;
      log.append(lineOf(identity, identifier, at));
      const id = find(identity);
      if (id === undefined) throw new LocalError('Another program truncated the sandbox log.');
      return id;
    },
    /** Returns the registration of an id; undefined for an unknown id. */
    get(id: number): Registered | undefined {
      if (id > entries.length) refresh();
      const entry = entries[id - 1];
      if (entry === undefined) return undefined;
      const { identity, at, body } = entry;
      return { id, identity, at, identifier: JSON.parse(body) as Identifier };
    },
    close: log.close,
  };
}

function lineOf(identity: string, identifier: Identifier, at: number): Buffer {
  const body = JSON.stringify(identifier);
  const time = String(Math.min(latestTime, Math.max(0, Math.round(at)))).padStart(15, '0');
  const length = String(Buffer.byteLength(body)).padStart(8, '0');
  return Buffer.from(`\n1 ${identity} ${time} ${length} ${body}\n`);
}
