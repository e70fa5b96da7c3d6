import { UsageError } from '../../../runtime/carbon-error.ts';
import type { Context } from '../../../runtime/context.ts';

/**
 * Reads a key that is piped in: the only line of standard input that is not blank, at most 64 KiB.
 * @throws UsageError when there are several, because none of them can be told to be the key
 */
export async function readPipedKey({ stdin }: Context): Promise<string> {
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > 65_536) throw new UsageError('Standard input is too long for an API key');
  }
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  if (lines.length <= 1) return lines[0] ?? '';
  throw new UsageError(
    `Standard input has ${lines.length} lines, and an API key is one; nothing was stored`,
    'Pipe in the key alone: printf %s "$KEY" | carbon login --with-token',
    'invalid_input',
  );
}
