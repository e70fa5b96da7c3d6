/* The program of the thread that reads slabs; see report/input/record-slab.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { readSlab } from '../report/input/record-slab.ts';
import { openReduction, type ReductionName } from './record-reduction.ts';

/** A slab to read; the response is a `SlabResult`. */
export interface SlabRequest {
  readonly slab: SharedArrayBuffer;
  readonly length: number;
}

const reduction = openReduction(workerData as ReductionName);

parentPort?.on('message', async ({ slab, length }: SlabRequest) => {
  parentPort?.postMessage(readSlab(Buffer.from(slab, 0, length), await reduction));
});
