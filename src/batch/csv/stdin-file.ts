import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { LocalError } from '../../runtime/carbon-error.ts';
import { explainSystemError } from '../../runtime/system-error.ts';
import { TemporaryFile } from '../../runtime/temporary-file.ts';

/**
 * Copies a stream to a temporary file, so that it can be read several times. The caller closes the
 * file.
 *
 * @throws LocalError if the file cannot be written; the signal's reason if it is aborted
 */
export async function spool(input: Readable, signal: AbortSignal): Promise<TemporaryFile> {
  let file: TemporaryFile | undefined;
  try {
    const copy = await TemporaryFile.open(tmpdir());
    file = copy;
    const write = async (chunks: AsyncIterable<Buffer | string>) => {
      for await (const chunk of chunks) await copy.append(Buffer.from(chunk as Buffer));
    };
    await pipeline(input, write, { signal });
    return copy;
  } catch (cause) {
    await file?.close();
    signal.throwIfAborted();
    if (cause instanceof LocalError) throw cause;
    const why = explainSystemError(cause);
    throw new LocalError(`Cannot copy standard input to a temporary file: ${why}`, {
      hint: 'Set TMPDIR to a directory with enough free space.',
      cause,
    });
  }
}
