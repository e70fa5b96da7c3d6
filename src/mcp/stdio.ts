/* Serves the protocol over standard input and output. */
import { PassThrough, Writable } from 'node:stream';
import type { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Clock } from '../runtime/clock.ts';
import type { Input, Output } from '../runtime/context.ts';

/** The streams of a server and what ends it. */
export interface StdioOptions {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Returns the number of calls in progress. */
  callsInProgress(): number;
  onError(error: Error): void;
}

/* A client that closes standard input has usually left; a shell pipe still reads the results. */
const maxDrainMs = 10_000;
const drainStepMs = 50;

/**
 * Serves a client until standard input ends or the signal aborts.
 *
 * After the end of the input, calls in progress have 10 s to finish. The signal ends them at once.
 */
export async function serveOverStdio(
  createServer: () => McpServer,
  { stdin, stdout, clock, signal, callsInProgress, onError }: StdioOptions,
): Promise<void> {
  const input = new PassThrough();
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _, done) {
      stdout.write(chunk.toString());
      void Promise.resolve(stdout.drained).then(() => done());
    },
  });
  const handle = serveStdio(createServer, {
    transport: new StdioServerTransport(input, output),
    onerror: onError,
  });
  try {
    for await (const chunk of stdin) input.write(chunk);
    const deadline = clock.elapsed() + maxDrainMs;
    do await clock.sleep(drainStepMs, signal);
    while (callsInProgress() > 0 && clock.elapsed() < deadline);
  } finally {
    input.end();
    await handle.close();
  }
  signal.throwIfAborted();
}
