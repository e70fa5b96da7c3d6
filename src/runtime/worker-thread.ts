/* A thread that responds to requests in order. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** A thread that responds to each message with one message. */
export interface WorkerThread {
  /** Rejects if the thread ends before it responds. */
  request(message: unknown): Promise<unknown>;
  /** Ends the thread. */
  close(): Promise<void>;
}

/* Beside the directory of the chunks in dist/. Without a build, there is no such file. */
const builtFile = join(fileURLToPath(import.meta.url), '../../record-thread.cjs');

/* A record is garbage as soon as it is reduced, so the young generation can be small. */
const limits = { maxYoungGenerationSizeMb: 4 };

/**
 * Starts a thread. It may fail at any time, such as when the program or Node's permissions do not
 * allow it; its requests then reject.
 * @param data what the thread needs for its task
 * @param file the program of the thread
 * @returns undefined if the thread cannot start
 */
export function startWorkerThread(data: unknown, file = builtFile): WorkerThread | undefined {
  const pending: { resolve(response: unknown): void; reject(error: unknown): void }[] = [];
  let failure: Error | undefined;
  const fail = (error: Error) => {
    failure ??= error;
    for (const { reject } of pending.splice(0)) reject(failure);
  };
  let worker: Worker;
  try {
    worker = new Worker(file, { workerData: data, resourceLimits: limits });
  } catch {
    return undefined;
  }
  worker.on('message', (response: unknown) => pending.shift()?.resolve(response));
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the thread ended')));
  return {
    request: (message) =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        pending.push({ resolve, reject });
        worker.postMessage(message);
      }),
    close: async () => void (await worker.terminate()),
  };
}
