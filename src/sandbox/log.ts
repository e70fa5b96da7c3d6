import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createDirectory } from '../config/paths.ts';
import { LocalError } from '../runtime/carbon-error.ts';
import { explainSystemError } from '../runtime/system-error.ts';

const hint = 'Set CARBON_DATA_DIR to another directory for the sandbox log.';

/** An append-only file, which several processes may share. */
export interface Log {
  /** Reads bytes from `position` into the buffer and returns their number, 0 at the end. */
  read(into: Buffer, position: number): number;
  /** Appends all bytes in one write, or throws. */
  append(bytes: Buffer): void;
  close(): void;
}

/**
 * Opens `sandbox.log` in a directory. A new directory and file are accessible to this user only.
 * Each append is one write to an O_APPEND descriptor, which POSIX makes atomic among the processes
 * of one machine.
 *
 * @throws LocalError if the log cannot be opened, and later if it cannot be read or written
 */
export function openLog(dataDir: string): Log {
  const path = join(dataDir, 'sandbox.log');
  const { O_APPEND, O_CREAT, O_RDWR } = constants;
  createDirectory(dataDir, hint);
  let descriptor = guarded(path, 'opened', () =>
    openSync(path, O_RDWR | O_APPEND | O_CREAT, 0o600),
  );
  return {
    read: (into, position) =>
      guarded(path, 'read', () => readSync(descriptor, into, 0, into.length, position)),
    append(bytes) {
      const written = guarded(path, 'written', () => writeSync(descriptor, bytes));
      if (written < bytes.length) throw failed(path, 'written', new Error('the disk is full'));
    },
    close() {
      if (descriptor >= 0) closeSync(descriptor);
      // The system reuses the descriptor for the next file that is opened: never write to it.
      descriptor = -1;
    },
  };
}

/** Creates a log in memory. */
export function memoryLog(): Log {
  let bytes = Buffer.alloc(64 * 1024);
  let length = 0;
  return {
    read: (into, position) =>
      bytes.copy(into, 0, position, Math.max(position, Math.min(length, position + into.length))),
    append(added) {
      if (length + added.length > bytes.length) {
        bytes = Buffer.concat([bytes.subarray(0, length)], 2 * (length + added.length));
      }
      length += added.copy(bytes, length);
    },
    close: () => undefined,
  };
}

function guarded<Result>(path: string, what: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw failed(path, what, error);
  }
}

function failed(path: string, what: string, cause: unknown): LocalError {
  return new LocalError(`${path} cannot be ${what}: ${explainSystemError(cause)}`, { hint });
}
