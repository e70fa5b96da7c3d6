/*
 * Orders the journals of an input. `--restart` starts a new journal, but those of other shards, and
 * of other numbers of shards, remain. A row may then have an id in several journals.
 */
import { open, stat } from 'node:fs/promises';
import type { JournalFile } from './paths.ts';

/* The header has at most 64 KiB, and the first row follows it. */
const headBytes = 128 * 1024;
const rowTime = /"at":"(\d{4}-\d\d-\d\dT[\d:.]{8,12}Z)"/;

/**
 * Sorts journals by the time of their first row, so that the id of the latest start is read last.
 *
 * Journals without a row, and those that cannot be read, stand first.
 */
export async function sortByStart(files: readonly JournalFile[]): Promise<JournalFile[]> {
  if (files.length < 2) return [...files];
  const started: { readonly file: JournalFile; readonly at: string }[] = [];
  for (const file of files) started.push({ file, at: await firstTime(file.path) });
  return started.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at))).map(({ file }) => file);
}

async function firstTime(path: string): Promise<string> {
  try {
    // Opening a pipe would wait for its writer.
    if (!(await stat(path)).isFile()) return '';
    const file = await open(path, 'r');
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      return rowTime.exec(buffer.toString('latin1', 0, bytesRead))?.[1] ?? '';
    } finally {
      await file.close();
    }
  } catch {
    // Reading the journal reports the error.
    return '';
  }
}
