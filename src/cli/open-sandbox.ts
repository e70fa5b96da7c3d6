import { accessSync, constants } from 'node:fs';
import { createDirectory, dataDirectory } from '../config/profiles.ts';
import type { Context } from '../runtime/context.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/server.ts';
import type { Messages } from './messages.ts';

/**
 * Starts the sandbox with the registrations in the data directory.
 *
 * If the home directory is missing or not writable, as in many containers, it keeps them in memory
 * and prints a warning.
 * @throws as `startSandbox` does
 */
export async function openSandbox(
  context: Context,
  messages: Messages,
  options: Omit<SandboxOptions, 'clock' | 'dataDir'>,
): Promise<Sandbox> {
  let dataDir = dataDirectory(context);
  // A directory that the user chose is used or fails.
  if (!context.env['CARBON_DATA_DIR'] && !isWritable(dataDir)) {
    dataDir = undefined;
    messages.warn(
      'The home directory is missing or not writable, so the sandbox loses its registrations when carbon exits. Set CARBON_DATA_DIR to another directory to keep them.',
    );
  }
  const { startSandbox } = await import('../sandbox/server.ts');
  return startSandbox({ ...options, clock: context.clock, dataDir });
}

function isWritable(directory: string | undefined): boolean {
  if (directory === undefined) return false;
  try {
    createDirectory(directory, '');
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
