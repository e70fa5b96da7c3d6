/* The organizations in files of records, for the tools that read files. */
import type { OrganizationId } from '../api/ids.ts';
import { LatestRecords } from '../records/latest-records.ts';
import { type Counts, RecordCounter } from '../records/record-counter.ts';
import { readSnapshot } from '../records/records.ts';
import { requireRecords } from '../records/require-records.ts';
import type { Entries } from '../report/diff/diff.ts';
import { type Entry, readEntry } from '../report/summary/digest.ts';
import { parseEntry, writeEntry } from '../report/summary/entry-text.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import type { RootDirectory } from './root-directory.ts';

/* A comparison keeps about a kilobyte for each organization. */
const maxCompared = 100_000;

/** The organizations in files of records, each with its latest record. */
export interface Portfolio {
  readonly counts: Counts;
  /** Yields each organization; a record without an id is a separate organization. */
  entries(): AsyncIterable<Entry>;
}

/**
 * Reads a portfolio and passes it to `use`. Memory holds the ids and at most 2 MiB of the records;
 * the others are in a temporary file until `use` ends.
 * @throws UsageError for files without records
 */
export async function withPortfolio<Result>(
  root: RootDirectory,
  paths: readonly string[],
  signal: AbortSignal,
  use: (portfolio: Portfolio) => Promise<Result>,
): Promise<Result> {
  const latest = new LatestRecords({ signal });
  try {
    const counts = await readFiles(root, paths, signal, (entry, key) =>
      latest.add(writeEntry(entry), key),
    );
    return await use({
      counts,
      async *entries() {
        for await (const text of latest.latest()) yield parseEntry(text);
      },
    });
  } finally {
    await latest.close();
  }
}

/**
 * Reads the organizations with an id of one file; `synthetic` has the keys of those of the sandbox.
 * @throws UsageError for a file without records, and for more than 100,000 organizations
 */
export async function readIdentified(
  root: RootDirectory,
  path: string,
  signal: AbortSignal,
): Promise<{
  readonly entries: Entries;
  readonly synthetic: ReadonlySet<OrganizationId>;
  readonly counts: Counts;
}> {
  const entries = new Map<OrganizationId, string>();
  const synthetic = new Set<OrganizationId>();
  const counts = await readFiles(root, [path], signal, (entry, key) => {
    if (key === undefined) return;
    entries.delete(key);
    entries.set(key, writeEntry(entry));
    if (entry.isSynthetic) synthetic.add(key);
    else synthetic.delete(key);
    if (entries.size > maxCompared)
      throw new UsageError(
        `${path} has more than ${maxCompared.toLocaleString('en')} organizations`,
        'Compare larger files with `carbon diff`.',
        'invalid_input',
      );
  });
  return { entries, synthetic, counts };
}

/* A later record of the same organization replaces an earlier one, as in `carbon report`. */
async function readFiles(
  root: RootDirectory,
  paths: readonly string[],
  signal: AbortSignal,
  onEntry: (entry: Entry, key: OrganizationId | undefined) => Promise<void> | void,
): Promise<Counts> {
  const counter = new RecordCounter();
  for (const path of paths) {
    const file = await root.openRecords(path, signal);
    const read = await readSnapshot([file], (record, key) => {
      signal.throwIfAborted();
      return onEntry(readEntry(record, false), key);
    });
    counter.absorb(read);
  }
  requireRecords(counter, paths);
  return counter.result();
}
