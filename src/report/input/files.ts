import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, PassThrough, pipeline, type Readable } from 'node:stream';
import { UsageError } from '../../runtime/carbon-error.ts';
import type { RecordFile } from './json-documents.ts';

/**
 * Opens the inputs of a command line; `-` is standard input. Files are opened when they are read.
 * @throws UsageError for what is missing or no file, and when standard input is named twice
 */
export async function openInputs(
  paths: readonly string[],
  stdin: () => Readable,
  signal: AbortSignal,
): Promise<RecordFile[]> {
  if (paths.filter((path) => path === '-').length > 1) {
    throw new UsageError('Standard input can be read once only: - is given twice');
  }
  return Promise.all(
    paths.map(async (path) => {
      if (path === '-') return { name: 'standard input', bytes: stdin() };
      await checkFile(path);
      return { name: path, bytes: read(path, signal) };
    }),
  );
}

/*
 * A pipe that nobody writes to holds its stream until it has been opened or read, abort or not; the
 * stream after it is free to end.
 */
async function* read(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  // In pieces of 64 KiB, as by default: V8 takes strings above 128 KiB for old at once, and
  // collects them late.
  const stream = createReadStream(path);
  const last = new PassThrough();
  yield* addAbortSignal(
    signal,
    pipeline(stream, last, () => undefined),
  );
}

async function checkFile(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'There is no file' : `${error.message}:`;
    throw new UsageError(
      `${why} ${path}`,
      'Records come from `carbon get --json`, `carbon watch --json` or `carbon batch --json`; - reads standard input.',
      'invalid_input',
    );
  });
  if (found.isDirectory()) throw new UsageError(`${path} is a folder`, undefined, 'invalid_input');
}
