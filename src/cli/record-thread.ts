/* The program of the thread that reads slabs; see records/record-slab.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { readSlab } from '../records/record-slab.ts';
import { openReduction, type ReductionName } from './record-reduction.ts';

const reduction = openReduction(workerData as ReductionName);

parentPort?.on('message', async ({ buffer, byteOffset, length }: Uint8Array) => {
  const slab = Buffer.from(buffer, byteOffset, length);
  parentPort?.postMessage(readSlab(slab, await reduction));
});
