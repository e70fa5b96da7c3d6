import type { OrganizationId } from '../api/ids.ts';
import type { RecordSchema } from '../api/read-record.ts';
import { openInputs } from '../records/files.ts';
import type { SlabResult } from '../records/record-slab.ts';
import { type Counts, type OnRecord, readReduced, readSnapshot } from '../records/records.ts';
import type { SlabThread } from '../records/slab-queue.ts';
import type { WorkerThread } from '../runtime/worker-thread.ts';
import { plural } from '../terminal/format.ts';
import { openReduction, type ReductionName } from './record-reduction.ts';
import type { Session } from './session.ts';

/**
 * Reads the records of files, or of standard input for `-`, and warns about skipped data.
 * @param take receives each record, the earliest first
 * @param schema the members to check, all by default
 */
export async function readRecords(
  session: Session,
  paths: readonly string[],
  take: OnRecord,
  schema?: RecordSchema,
): Promise<Counts> {
  const { context } = session;
  const inputs = await openInputs(paths, () => context.stdin, context.signal);
  const boundMemory = await memoryBound(session);
  const onRecord: OnRecord = (record, key, source) => {
    boundMemory();
    return take(record, key, source);
  };
  return report(session, await readSnapshot(inputs, onRecord, schema));
}

/**
 * Reads the records of files as `readRecords` does, large files on two threads.
 * @param name what to keep of each record
 * @param take receives what is kept, the earliest record first
 */
export async function readReducedRecords(
  session: Session,
  paths: readonly string[],
  name: ReductionName,
  take: (text: string, key: OrganizationId | undefined) => Promise<void> | void,
): Promise<Counts> {
  const { context } = session;
  const inputs = await openInputs(paths, () => context.stdin, context.signal);
  const boundMemory = await memoryBound(session);
  let thread: WorkerThread | undefined;
  const reduction = await openReduction(name);
  try {
    const counts = await readReduced(inputs, {
      ...reduction,
      onReduced: (text, key) => {
        boundMemory();
        return take(text, key);
      },
      startThread: async () => {
        thread = await context.startThread(name);
        return thread === undefined ? undefined : slabThread(thread);
      },
    });
    return report(session, counts);
  } finally {
    await thread?.close();
  }
}

function slabThread(thread: WorkerThread): SlabThread<string> {
  return {
    read: (slab) => thread.request(slab) as Promise<SlabResult<string>>,
  };
}

async function memoryBound({ context }: Session): Promise<() => void> {
  const boundMemory = await context.limitYoungGeneration();
  let records = 0;
  return () => {
    records += 1;
    if (records % 1_000 === 0) boundMemory();
  };
}

function report({ messages }: Session, counts: Counts): Counts {
  const { unexpected, truncated } = counts;
  for (const where of truncated)
    messages.warn(`carbon skipped ${where}: the input ends in the middle of it.`);
  if (unexpected > 0) {
    const records = plural(unexpected, 'record');
    messages.warn(`carbon skipped values of an unexpected type in ${records}.`);
  }
  return counts;
}
