import type { Context } from '../context.ts';
import { UsageError } from '../errors.ts';

/** Reads the first line of standard input, for a secret that is piped in; at most 64 KiB. */
export async function readFirstLine({ stdin }: Context): Promise<string> {
  let text = '';
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > 65_536) throw new UsageError('Standard input is too long for an API key');
  }
  return text.trim().split(/\r?\n/)[0] ?? '';
}
