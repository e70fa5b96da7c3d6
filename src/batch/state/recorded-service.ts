import { open } from 'node:fs/promises';
import { type JournalHeader, readHeader } from '../journal/header.ts';
import { KeyIndex } from '../journal/key-index.ts';
import { journalFile, journalFiles } from '../journal/paths.ts';
import { JournalState } from '../journal/reader.ts';

/** The service and profile that a journal names. */
export type RecordedService = Omit<JournalHeader, 'mapping'>;

/**
 * Returns the service and the profile of the journals of a file: of the first one with
 * registrations, else of the first one that names them.
 *
 * The service is part of each row's key. The journals name it, so their state can be read where no
 * base URL is configured.
 */
export async function recordedService(
  input: string,
  journal: string | undefined,
): Promise<RecordedService | undefined> {
  const recorded: RecordedService[] = [];
  for (const { path } of journalFiles(journalFile(input, journal), 'journals')) {
    const header = await headerOf(path).catch(() => undefined);
    if (typeof header?.service !== 'string' || typeof header.profile !== 'string') continue;
    const { service, profile } = header;
    const isKnown = recorded.some((it) => it.service === service && it.profile === profile);
    if (!isKnown) recorded.push({ service, profile });
  }
  if (recorded.length > 1)
    for (const each of recorded) if (await hasRegistrations(input, journal, each)) return each;
  return recorded[0];
}

/**
 * Returns whether the journals of a file have registrations of this service. Without one, a run
 * with another service starts over.
 */
export async function hasRegistrations(
  input: string,
  journal: string | undefined,
  service: RecordedService,
): Promise<boolean> {
  const journals = new JournalState(new KeyIndex(), service, undefined);
  for (const { path } of journalFiles(journalFile(input, journal), 'journals')) {
    // The report names the journals that cannot be read.
    await journals.read(path).catch(() => undefined);
    if (journals.hasRegistrations) return true;
  }
  return false;
}

async function headerOf(path: string): Promise<JournalHeader | undefined> {
  const file = await open(path, 'r');
  try {
    return await readHeader(file, path);
  } finally {
    await file.close();
  }
}
