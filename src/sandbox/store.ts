/*
 * Stores registrations in one append-only log, one JSON object per line. The id of an organization
 * is the rank of its first line among the first lines of all organizations. All processes that read
 * the log thus agree, even if some are killed, and need no lock. To register, a process appends a
 * line, reads the log back and finds out whether another process came first.
 *
 * A newline before and after each line keeps a truncated line separate from the next one.
 */
import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Identifier } from '../client/registration/fields.ts';
import { createDirectory } from '../config/profiles.ts';
import { explainSystemError, LocalError } from '../runtime/carbon-error.ts';

/*
 * The fields that identify an organization. Two registrations mean the same organization if these
 * fields agree after normalization. Industry, kind of name and currency do not identify it. Never
 * change this table: an organization would get a second id.
 */
const parts: readonly (readonly [keyof Identifier, (text: string) => string])[] = [
  ['name', folded],
  ['hq_region', folded],
  ['hq_subregion', folded],
  ['hq_fuzzy', folded],
  ['website', site],
  ['external_id', (text) => text.normalize('NFC').trim()],
  ['duns_number', code],
  ['lei_number', code],
  ['isin_number', code],
  ['sp_global_number', code],
];

/** Computes the identity of an organization: 128 bits of a hash of its fields, as 32 hex digits. */
export function identityOf(identifier: Identifier): string {
  const fields = parts.map(([field, normalize]) => {
    const value = identifier[field];
    return typeof value === 'string' ? normalize(value) : '';
  });
  // JSON separates the fields and keeps lone surrogates distinct; plain UTF-8 does neither.
  return hash('sha256', JSON.stringify([1, ...fields]), 'hex').slice(0, 32);
}

/** Normalizes Unicode composition, white space and case, which do not change a name. */
export function folded(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').trim().toLowerCase();
}

function site(text: string): string {
  return folded(text).replace(/^(?:https?:\/\/)?(?:www\.)?|\/+$/gu, '');
}

function code(text: string): string {
  return text.replace(/[\s-]+/gu, '').toUpperCase();
}

/**
 * Draws one of the four numbers of an identity, from 0 to below 1. A record depends only on them,
 * so that it never changes.
 */
export function draw(identity: string, index: 0 | 1 | 2 | 3): number {
  return Number.parseInt(identity.slice(index * 8, index * 8 + 8), 16) / 2 ** 32;
}

/* The first registration: its time in milliseconds since 1970, and its fields without currency. */
interface Entry {
  readonly identity: string;
  readonly at: number;
  readonly identifier: Identifier;
}

/** An organization as the sandbox stores it. */
export interface StoredOrganization extends Entry {
  readonly id: number;
}

const hint = 'Set CARBON_DATA_DIR to another directory for the sandbox log.';

/*
 * Opens `sandbox.log`. A new directory and file are accessible to this user only. Each append is
 * one write to an O_APPEND descriptor, which POSIX makes atomic among the processes of one machine.
 */
function openLog(dataDir: string) {
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
    read: (position: number) =>
      guarded('read', () => {
        const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - position));
        return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, position));
      }),
    append: (text: string) =>
      guarded('written', () => {
        const bytes = Buffer.from(text);
        if (writeSync(descriptor, bytes) < bytes.length) throw new Error('the disk is full');
      }),
    close() {
      if (descriptor >= 0) closeSync(descriptor);
      // The system reuses the descriptor for the next file that is opened: never write to it.
      descriptor = -1;
    },
  };
}

/** The registrations of a sandbox. */
export type Store = ReturnType<typeof openStore>;

/**
 * Opens the registrations in a directory; without one, keeps them in memory. Lines that are not
 * complete are ignored.
 *
 * @throws LocalError if the log cannot be opened, and later if it cannot be read or written
 */
export function openStore(dataDir: string | undefined) {
  const log = dataDir === undefined ? undefined : openLog(dataDir);
  const ids = new Map<string, number>();
  const entries: Entry[] = [];
  let position = 0;

  function add(entry: Entry): void {
    if (!ids.has(entry.identity)) ids.set(entry.identity, entries.push(entry));
  }

  /* Reads the lines added since the last call, except a last line without its newline. */
  function refresh(): void {
    const bytes = log?.read(position);
    if (bytes === undefined) return;
    const end = bytes.lastIndexOf('\n') + 1;
    for (const text of bytes.toString('utf8', 0, end).split('\n')) {
      try {
        if (text.startsWith('{"identity":')) add(JSON.parse(text) as Entry);
      } catch {
        // A process was killed while it wrote the line.
      }
    }
    position += end;
  }

  function find(identity: string): number | undefined {
    if (!ids.has(identity)) refresh();
    return ids.get(identity);
  }

  refresh();
  return {
    find,
    /** Registers an identity and returns its id; the first registration decides the fields. */
    register(identity: string, identifier: Identifier, at: number): number {
      const known = find(identity);
      if (known !== undefined) return known;
      const entry = { identity, at, identifier };
      if (log) log.append(`\n${JSON.stringify(entry)}\n`);
      else add(entry);
      const id = find(identity);
      if (id === undefined) throw new LocalError('Another program truncated the sandbox log.');
      return id;
    },
    get(id: number): StoredOrganization | undefined {
      if (id > entries.length) refresh();
      const entry = entries[id - 1];
      return entry && { id, ...entry };
    },
    close: () => log?.close(),
  };
}
