import { LocalError, outputError } from './carbon-error.ts';
import type { Context } from './context.ts';

/**
 * Waits until the reader of standard output has received everything.
 * @throws LocalError when standard output accepts no more data
 */
export async function flush({ stdout, signal }: Context): Promise<void> {
  await stdout.flush().catch((cause: unknown) => {
    throw outputError(cause);
  });
  if (signal.reason instanceof LocalError) throw signal.reason;
}
