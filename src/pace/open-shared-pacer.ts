import type { PaceAddress } from './pace-address.ts';
import { PaceError } from './pace-bucket.ts';
import { bucketKey, type PacedAccount, type PacedOperation, RedisLink } from './redis-link.ts';
import { SharedPacer, type SharedPacerOptions } from './shared-pacer.ts';

/** Configures the shared pace of one run. */
export interface SharedPaceOptions extends Omit<SharedPacerOptions, 'bucket'> {
  readonly address: PaceAddress;
  readonly account: PacedAccount;
  readonly operation: PacedOperation;
}

/** A running shared pacer, or why its address or login cannot work. */
export type SharedPace =
  | { readonly pacer: SharedPacer; close(): Promise<void> }
  | { readonly error: string };

/**
 * Connects to the server and joins the bucket of the account.
 *
 * If the server cannot be reached, the pacer starts alone and joins later.
 */
export async function openSharedPacer(options: SharedPaceOptions): Promise<SharedPace> {
  const { address, account, operation } = options;
  const link = new RedisLink(address, bucketKey(account, operation), options.clock);
  const pacer = new SharedPacer({ ...options, bucket: link });
  const refuse = ({ message }: PaceError) => {
    link.close();
    return { error: message };
  };
  try {
    await link.open();
  } catch (error) {
    if (error instanceof PaceError && error.isConfiguration) return refuse(error);
  }
  // Only a call shows a server that is not Redis, and a permission that the user lacks.
  const error = await pacer.open();
  if (error !== undefined) return refuse(error);
  return {
    pacer,
    async close() {
      await pacer.close();
      link.close();
    },
  };
}
