import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal, PassThrough, pipeline, type Readable } from 'node:stream';
import { UsageError } from '../../runtime/carbon-error.ts';
import type { RecordFile } from './json-documents.ts';

/**
 * Checks the input paths of a command line; `-` is standard input. Reading opens the files.
 * @throws UsageError for a missing file, for a directory, and when `-` is given twice
 */
export async function openInputs(
  paths: readonly string[],
  stdin: () => Readable,
  signal: AbortSignal,
): Promise<RecordFile[]> {
  if (paths.filter((path) => path === '-').length > 1) {
    throw new UsageError('Standard input can be read only once, but - was given twice');
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
 * A pipe without a writer blocks its stream until it is opened or read, even after an abort. The
 * second stream can end immediately.
 */
async function* read(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  // Chunks keep their default of 64 KiB: V8 treats strings above 128 KiB as old immediately, and
  // collects them late.
  const stream = createReadStream(path);
  const last = new PassThrough();
  yield* addAbortSignal(
    signal,
    pipeline(stream, last, () => undefined),
  );
}

async function checkFile(path: string): Promise<void> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'no such file or directory' : error.message;
    throw new UsageError(
      `${path}: ${why}`,
      'Records come from `carbon get --json`, `carbon watch --json` or `carbon batch --json`; - reads standard input.',
      'invalid_input',
    );
  });
  if (stats.isDirectory())
    throw new UsageError(`${path} is a directory`, undefined, 'invalid_input');
}
