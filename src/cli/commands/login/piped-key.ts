import { UsageError } from '../../../runtime/carbon-error.ts';
import type { Context } from '../../../runtime/context.ts';

/**
 * Reads the API key from standard input: the only line that is not blank, at most 64 KiB.
 * @throws UsageError if there are several lines
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
    `Standard input has ${lines.length} lines, but an API key is one line; nothing was stored`,
    'Pipe only the key: printf %s "$KEY" | carbon login --with-token',
    'invalid_input',
  );
}
