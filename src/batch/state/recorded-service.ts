import { open } from 'node:fs/promises';
import { type JournalHeader, readHeader } from '../journal/header.ts';
import { KeyIndex } from '../journal/key-index.ts';
import { journalFile, journalFiles } from '../journal/paths.ts';
import { JournalState } from '../journal/reader.ts';

/** The service and profile that a journal names. */
export type RecordedService = Omit<JournalHeader, 'mapping'>;

/**
 * Returns the service and the profile of the first journal of a file that names them.
 *
 * The service is part of each row's key. The journals name it, so their state can be read where no
 * base URL is configured.
 */
export async function recordedService(
  input: string,
  journal: string | undefined,
): Promise<RecordedService | undefined> {
  for (const { path } of journalFiles(journalFile(input, journal), 'journals')) {
    const header = await headerOf(path).catch(() => undefined);
    if (typeof header?.service === 'string' && typeof header.profile === 'string')
      return { service: header.service, profile: header.profile };
  }
  return undefined;
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
  // The report names the journals that cannot be read.
  for (const { path } of journalFiles(journalFile(input, journal), 'journals'))
    await journals.read(path).catch(() => undefined);
  return journals.hasRegistrations;
}

async function headerOf(path: string): Promise<JournalHeader | undefined> {
  const file = await open(path, 'r');
  try {
    return await readHeader(file, path);
  } finally {
    await file.close();
  }
}
