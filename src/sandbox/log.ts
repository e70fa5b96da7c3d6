import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../config/paths.ts';
import { LocalError } from '../runtime/carbon-error.ts';
import { explainSystemError } from '../runtime/system-error.ts';

const hint = 'CARBON_DATA_DIR names another folder for the state of the sandbox.';

/** Bytes that are only ever appended to, perhaps by several processes at once. */
export interface Log {
  /** Reads bytes from `position` into the buffer and returns how many there were, 0 at the end. */
  read(into: Buffer, position: number): number;
  /** Appends all the bytes in one piece, or throws. */
  append(bytes: Buffer): void;
  close(): void;
}

/**
 * Opens `sandbox.log` in a folder, both made for this user alone when missing. Appends are one
 * write to a descriptor opened with O_APPEND, which POSIX keeps whole among the processes of one
 * machine.
 * @throws LocalError when it cannot be opened, and later when it cannot be written
 */
export function openLog(dataDir: string): Log {
  const path = join(dataDir, 'sandbox.log');
  const { O_APPEND, O_CREAT, O_RDWR } = constants;
  makeFolder(dataDir, hint);
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
      // The system gives the number to the next file that is opened: never write there.
      descriptor = -1;
    },
  };
}

/** Makes a log that is gone when the process ends. */
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
