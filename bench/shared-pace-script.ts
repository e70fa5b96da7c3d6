import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';
import { bucketScript } from '../src/pace/bucket-script.ts';
import type { PaceReply, PaceRequest } from '../src/pace/pace-bucket.ts';

const virtualTime = bucketScript.replace(
  "redis.call('TIME')",
  '{ tonumber(ARGV[2]), tonumber(ARGV[3]) }',
);

const virtualTimeHash = createHash('sha1').update(virtualTime).digest('hex');

/** Calls the script as process `id` at a time of the server, in milliseconds since 1970. */
export async function callScript(
  redis: Redis,
  request: PaceRequest,
  id: number,
  serverMs: number,
): Promise<PaceReply> {
  const body = JSON.stringify({ ...request, id: `p${id}`, number: id });
  const seconds = Math.floor(serverMs / 1000);
  const micros = Math.round((serverMs - 1000 * seconds) * 1000);
  const words = ['bucket', 'members', body, seconds, micros] as const;
  const reply = await redis
    .evalsha(virtualTimeHash, 2, ...words)
    // Only the first call sends the script.
    .catch(() => redis.eval(virtualTime, 2, ...words));
  return JSON.parse(String(reply)) as PaceReply;
}
