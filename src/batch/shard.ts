import { UsageError } from '../runtime/carbon-error.ts';
import { plural } from '../terminal/format.ts';

/** One part of a file that several runs share. Every organization belongs to exactly one. */
export interface Shard {
  /** From 1 to `count`. */
  readonly index: number;
  readonly count: number;
}

/** Maximum number of shards of a file. */
export const maxShards = 9_999;

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads `2/8`, `auto` or `auto/8`.
 *
 * `auto` takes the index from a Kubernetes indexed job, a Slurm array or an AWS Batch array. Slurm
 * and AWS Batch also provide the count. If a Slurm array has another number of tasks, as with
 * `--array=5,6` for a second attempt, its task ids are the shard numbers, from 1.
 * @param onReading receives a sentence that describes how such a task id was read
 * @throws UsageError
 */
export function readShard(
  text: string,
  env: Variables,
  onReading: (reading: string) => void,
): Shard {
  const [, index = '', count] = /^(auto|\d+)(?:\/(\d+))?$/.exec(text.trim()) ?? [];
  const task = index === 'auto' ? scheduledTask(env) : { index: Number(index), count: undefined };
  const isOtherArray =
    count !== undefined && task.count !== undefined && task.count !== Number(count);
  const shard = isOtherArray
    ? shardOfTask(text, Number(count), task)
    : { index: task.index, count: Number(count ?? task.count) };
  if (index === 'auto' && Number.isNaN(shard.count)) {
    throw new UsageError(
      '--shard auto: the scheduler does not provide the number of shards',
      'Add the number, such as --shard auto/8.',
    );
  }
  if (!isShard(shard)) {
    const reason = task.source === undefined ? '' : `: ${task.source}`;
    throw new UsageError(
      `--shard: "${text}" is not a shard${reason}`,
      task.source === undefined
        ? 'Use 1/8 to 8/8, or auto/8.'
        : 'Start one task for each shard, or name the shard, such as --shard 2/8.',
    );
  }
  if (isOtherArray) {
    onReading(
      `The ${arrayOf(task)}, not ${count}: task ${shard.index} is shard ${shard.index} of ${count}`,
    );
  }
  return shard;
}

function isShard({ index, count }: Shard): boolean {
  return Number.isInteger(index) && index >= 1 && index <= count && count <= maxShards;
}

/* If the first array counted tasks from 0, task 5 was shard 6, so its id is ambiguous. */
function shardOfTask(text: string, count: number, task: Task): Shard {
  const { id, first = 0 } = task;
  if (id === undefined)
    throw new UsageError(
      `--shard ${text}: the array has ${plural(task.count ?? 0, 'task')}, not ${count}`,
      `Use --shard auto/${task.count}, or start an array of ${count} tasks.`,
    );
  if (id > 0 && first > 0) return { index: id, count };
  throw new UsageError(
    `--shard ${text}: the ${arrayOf(task)}, not ${count}, and its ids start at 0; shard numbers start at 1`,
    `Name the shard, such as --shard 3/${count}, or use --array with ids from 1.`,
  );
}

function arrayOf({ count }: Task): string {
  return `Slurm array has ${plural(count ?? 0, 'task')}`;
}

interface Task {
  readonly index: number;
  /** The variable that provides the index, with its value. */
  readonly source?: string;
  readonly count: number | undefined;
  /** Id of the task in a Slurm array, and the smallest id. */
  readonly id?: number | undefined;
  readonly first?: number | undefined;
}

/* Kubernetes passes no size of the job. */
const arraysFromZero: readonly { readonly name: string; readonly size?: string }[] = [
  { name: 'JOB_COMPLETION_INDEX' },
  { name: 'AWS_BATCH_JOB_ARRAY_INDEX', size: 'AWS_BATCH_JOB_ARRAY_SIZE' },
];

/* Kubernetes and AWS count from 0. A Slurm array starts at any number and has any step. */
function scheduledTask(env: Variables): Task {
  const slurm = readIndex(env, 'SLURM_ARRAY_TASK_ID');
  if (slurm !== undefined) {
    const { first = 1, step = 1 } = {
      first: readIndex(env, 'SLURM_ARRAY_TASK_MIN'),
      step: readIndex(env, 'SLURM_ARRAY_TASK_STEP', 1),
    };
    return {
      index: (slurm - first) / step + 1,
      count: readIndex(env, 'SLURM_ARRAY_TASK_COUNT', 1),
      id: slurm,
      first,
      source: `SLURM_ARRAY_TASK_ID is ${slurm}`,
    };
  }
  for (const { name, size } of arraysFromZero) {
    const fromZero = readIndex(env, name);
    if (fromZero === undefined) continue;
    const count = size === undefined ? undefined : readIndex(env, size, 1);
    return { index: fromZero + 1, count, source: `${name} is ${fromZero}, which counts from 0` };
  }
  throw new UsageError(
    '--shard auto: no scheduler provides a task index',
    'Set JOB_COMPLETION_INDEX, SLURM_ARRAY_TASK_ID or AWS_BATCH_JOB_ARRAY_INDEX, or name the shard, such as --shard 2/8.',
  );
}

/* A fraction or a text would select no row, so the run would seem to be complete. */
function readIndex(env: Variables, name: string, min = 0): number | undefined {
  const text = env[name];
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text) && Number(text) >= min) return Number(text);
  throw new UsageError(
    `--shard auto: ${name} is ${JSON.stringify(text)}, not a whole number from ${min}`,
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
