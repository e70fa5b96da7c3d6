/* The organizations in files of records, for the tools that read files. */
import type { OrganizationId } from '../api/ids.ts';
import { LatestRecords } from '../records/latest-records.ts';
import { type Counts, readSnapshot, requireRecords } from '../records/records.ts';
import type { Entries } from '../report/diff/diff.ts';
import { type Entry, readEntry } from '../report/summary/digest.ts';
import { UsageError } from '../runtime/carbon-error.ts';
import type { RootDirectory } from './root-directory.ts';

/* A comparison keeps about a kilobyte for each organization. */
const maxCompared = 100_000;

/** The organizations in files of records, each with its latest record. */
export interface Portfolio {
  readonly counts: Counts;
  /** Each organization; a record without an id is a separate organization. */
  readonly entries: readonly Entry[];
}

/**
 * Reads a portfolio.
 * @throws UsageError for files without records
 */
export async function readPortfolio(
  root: RootDirectory,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<Portfolio> {
  const { latest, counts } = await readFiles(root, paths, signal);
  return { counts, entries: [...latest.values()] };
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
  const { latest, counts } = await readFiles(root, [path], signal, (size) => {
    if (size > maxCompared)
      throw new UsageError(
        `${path} has more than ${maxCompared.toLocaleString('en')} organizations`,
        'Compare larger files with `carbon diff`.',
        'invalid_input',
      );
  });
  const entries = new Map(latest.entries());
  const synthetic = [...entries].filter(([, entry]) => entry.isSynthetic).map(([key]) => key);
  return { entries, synthetic: new Set(synthetic), counts };
}

async function readFiles(
  root: RootDirectory,
  paths: readonly string[],
  signal: AbortSignal,
  checkSize: (size: number) => void = () => undefined,
): Promise<{ readonly latest: LatestRecords<Entry>; readonly counts: Counts }> {
  const latest = new LatestRecords<Entry>();
  async function* files() {
    for (const path of paths) yield await root.openRecords(path, signal);
  }
  const counts = await readSnapshot(files(), (record, key, { retrievedAt }) => {
    signal.throwIfAborted();
    latest.add(readEntry(record, false), key, retrievedAt);
    checkSize(latest.size);
  });
  requireRecords(counts, paths);
  return { latest, counts };
}
