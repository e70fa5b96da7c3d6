import { dataDirectory } from '../config/paths.ts';
import type { Context } from '../runtime/context.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/server.ts';
import type { Messages } from './messages.ts';

/**
 * Starts the sandbox with the registrations in the data directory. Without a data directory, the
 * registrations last for this run, and carbon prints a warning.
 * @throws as `startSandbox` does
 */
export async function openSandbox(
  context: Context,
  messages: Messages,
  options: Omit<SandboxOptions, 'clock' | 'dataDir'>,
): Promise<Sandbox> {
  const dataDir = dataDirectory(context);
  if (dataDir === undefined) {
    messages.warn(
      'No home directory found: the sandbox loses its registrations when carbon exits.',
    );
  }
  const { startSandbox } = await import('../sandbox/server.ts');
  return startSandbox({ ...options, clock: context.clock, dataDir });
}
