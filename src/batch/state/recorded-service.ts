import { open } from 'node:fs/promises';
import { type JournalHeader, readHeader } from '../journal/header.ts';
import { journalFile, journalFiles } from '../journal/paths.ts';

/**
 * Returns the service and the profile of the first journal of a file that names them.
 *
 * The service is part of each row's key. The journals name it, so their state can be read where no
 * base URL is configured.
 */
export async function recordedService(
  input: string,
  journal: string | undefined,
): Promise<Omit<JournalHeader, 'mapping'> | undefined> {
  for (const { path } of journalFiles(journalFile(input, journal), 'journals')) {
    const header = await headerOf(path).catch(() => undefined);
    if (typeof header?.service === 'string' && typeof header.profile === 'string')
      return { service: header.service, profile: header.profile };
  }
  return undefined;
}

async function headerOf(path: string): Promise<JournalHeader | undefined> {
  const file = await open(path, 'r');
  try {
    return await readHeader(file, path);
  } finally {
    await file.close();
  }
}
