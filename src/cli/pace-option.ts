import type { Command } from 'commander';
import type { PaceAddress } from '../pace/pace-address.ts';
import type { Session } from './session.ts';

/** Declares `--pace`. */
export function addPaceOption(command: Command): Command {
  return command.option(
    '--pace <url>',
    'share the rate limit with other processes through Redis or Valkey, such as redis://host:6379/0 (default: CARBON_PACE)',
  );
}

/**
 * Reads the address of the shared pace from the flag or CARBON_PACE.
 *
 * @returns undefined without an address
 * @throws UsageError for an invalid address, and for a password in the flag
 */
export async function readPace(
  { context, messages }: Session,
  flag: string | undefined,
): Promise<PaceAddress | undefined> {
  const text = flag ?? context.env['CARBON_PACE'];
  if (text === undefined || text === '') return undefined;
  const { readPaceAddress } = await import('../pace/pace-address.ts');
  const address = readPaceAddress(text, flag === undefined ? 'CARBON_PACE' : '--pace');
  if (address.password !== undefined) messages.hide(address.password);
  return address;
}
