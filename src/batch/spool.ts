import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LocalError } from '../errors.ts';
import { explainSystemError } from '../system-error.ts';

/** Standard input as a file that is read as often as needed. */
export interface Spooled {
  readonly path: string;
  /** Removes the file. */
  remove(): Promise<void>;
}

/**
 * Writes a stream into a temporary file that only this user can read.
 * @throws LocalError when it cannot be written; the signal's reason when it is aborted
 */
export async function spool(input: Readable, signal: AbortSignal): Promise<Spooled> {
  let folder: string | undefined;
  const remove = async () => {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  };
  try {
    folder = await mkdtemp(join(tmpdir(), 'carbon-'));
    const path = join(folder, 'input.csv');
    await pipeline(input, createWriteStream(path, { mode: 0o600, flags: 'wx' }), { signal });
    return { path, remove };
  } catch (cause) {
    await remove();
    signal.throwIfAborted();
    throw new LocalError(`Standard input cannot be kept in a temporary file: ${explainSystemError(cause)}`, {
      hint: 'TMPDIR names another folder for temporary files.',
      cause,
    });
  }
}
