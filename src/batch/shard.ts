import { UsageError } from '../runtime/carbon-error.ts';
import { plural } from '../terminal/format.ts';

/** One part of a file that several runs share. Every organization belongs to exactly one. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

const maxShards = 9_999;

type Variables = Readonly<Record<string, string | undefined>>;

/* A Slurm array counts from 1, so that `--array=5,6` sends shards 5 and 6 again. */
const schedulers = [
  { name: 'SLURM_ARRAY_TASK_ID', size: 'SLURM_ARRAY_TASK_COUNT', first: 1 },
  { name: 'JOB_COMPLETION_INDEX', size: undefined, first: 0 },
  { name: 'AWS_BATCH_JOB_ARRAY_INDEX', size: 'AWS_BATCH_JOB_ARRAY_SIZE', first: 0 },
] as const;

/**
 * Reads `2/8`, `auto` or `auto/8`.
 *
 * `auto` takes the index from a Kubernetes indexed job, a Slurm array or an AWS Batch array. Slurm
 * and AWS Batch also provide the count.
 * @throws UsageError
 */
export function readShard(text: string, env: Variables): Shard {
  const [, index = '', given] = /^(auto|\d+)(?:\/(\d+))?$/.exec(text.trim()) ?? [];
  const task = index === 'auto' ? scheduledTask(env) : undefined;
  const count = given === undefined ? task?.count : Number(given);
  // A smaller Slurm array sends some shards again; any other array must have a task for each.
  if (task?.first === 0 && task.count !== undefined && task.count !== count)
    throw new UsageError(
      `--shard ${text}: the array has ${plural(task.count, 'task')}, not ${count}`,
      `Use --shard auto/${task.count}, or start an array of ${count} tasks.`,
    );
  if (task !== undefined && count === undefined)
    throw new UsageError(
      '--shard auto: the scheduler does not provide the number of shards',
      'Add the number, such as --shard auto/8.',
    );
  const shard = { index: task?.index ?? Number(index || Number.NaN), count: count ?? 0 };
  if (shard.index >= 1 && shard.index <= shard.count && shard.count <= maxShards) return shard;
  throw new UsageError(
    `--shard: "${text}" is not a shard${task === undefined ? '' : `: ${task.source}`}`,
    task === undefined
      ? 'Use 1/8 to 8/8, or auto/8.'
      : 'Start one task for each shard, or name the shard, such as --shard 2/8.',
  );
}

function scheduledTask(env: Variables) {
  for (const { name, size, first } of schedulers) {
    const number = readIndex(env, name);
    if (number === undefined) continue;
    const count = size === undefined ? undefined : readIndex(env, size);
    const source = `${name} is ${number}, which counts from ${first}`;
    return { index: number - first + 1, count, first, source };
  }
  throw new UsageError(
    '--shard auto: no scheduler provides a task index',
    'Set JOB_COMPLETION_INDEX, SLURM_ARRAY_TASK_ID or AWS_BATCH_JOB_ARRAY_INDEX, or name the shard, such as --shard 2/8.',
  );
}

/* A fraction or a text would select no row, so the run would seem to be complete. */
function readIndex(env: Variables, name: string): number | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(
    `--shard auto: ${name} is ${JSON.stringify(text)}, not a whole number from 0`,
    'The scheduler sets this variable for each task of an array. Correct it, or name the shard, such as --shard 2/8.',
  );
}

/** Returns the index of the shard that a row belongs to, from 1, if there are `count` shards. */
export function shardIndexOf(key: string, count: number): number {
  return (Number.parseInt(key.slice(0, 8), 16) % count) + 1;
}

/** Returns whether a row belongs to the shard; without a shard, every row does. */
export function isInShard(key: string, shard: Shard | undefined): boolean {
  return shard === undefined || shardIndexOf(key, shard.count) === shard.index;
}
