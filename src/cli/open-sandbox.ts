import { accessSync, constants, lstatSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDirectory, dataDirectory } from '../config/paths.ts';
import type { Context } from '../runtime/context.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/server.ts';
import type { Messages } from './messages.ts';

/**
 * Starts the sandbox with the registrations in the data directory.
 *
 * If the home directory is missing or not writable, as in many containers, it uses a temporary
 * directory of the user and prints a warning.
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
    const temporary = join(tmpdir(), `carbon-${context.process.userId ?? 'user'}`);
    // In a directory that all users share, another user may have created it.
    dataDir = isWritable(temporary) && isOwn(temporary, context) ? temporary : undefined;
    const place =
      dataDir === undefined
        ? 'loses its registrations when carbon exits'
        : `stores its registrations in ${dataDir}`;
    messages.warn(
      `The home directory is missing or not writable, so the sandbox ${place}. Set CARBON_DATA_DIR to another directory to keep them.`,
    );
  }
  const { startSandbox } = await import('../sandbox/server.ts');
  return startSandbox({ ...options, clock: context.clock, dataDir });
}

function isWritable(directory: string | undefined): directory is string {
  if (directory === undefined) return false;
  try {
    createDirectory(directory, '');
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function isOwn(directory: string, { process }: Context): boolean {
  const status = lstatSync(directory);
  return status.isDirectory() && (process.userId === undefined || status.uid === process.userId);
}
