import { dataFolder } from '../config/paths.ts';
import type { Context } from '../runtime/context.ts';
import type { Sandbox, SandboxOptions } from '../sandbox/server.ts';
import type { Messages } from './messages.ts';

/**
 * Starts the sandbox on what is registered in the data folder; without one, for this run alone,
 * which is said.
 * @throws as `startSandbox` does
 */
export async function openSandbox(
  context: Context,
  messages: Messages,
  options: Omit<SandboxOptions, 'clock' | 'dataDir'>,
): Promise<Sandbox> {
  const dataDir = dataFolder(context);
  if (dataDir === undefined) {
    messages.warn(
      'There is no home directory: what is registered in this sandbox is forgotten at the end.',
    );
  }
  const { startSandbox } = await import('../sandbox/server.ts');
  return startSandbox({ ...options, clock: context.clock, dataDir });
}
