/* Serves the protocol over standard input and output. */
import { PassThrough, Writable } from 'node:stream';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Clock } from '../runtime/clock.ts';
import type { Input, Output } from '../runtime/context.ts';
import { DrainingTransport } from './draining-transport.ts';

/** The streams of a server and what ends it. */
export interface StdioOptions {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  onError(error: Error): void;
}

/* A client that closes standard input has usually left, but a shell pipe still reads. */
const maxDrainMs = 10_000;

/**
 * Serves a client until standard input ends or the signal aborts.
 *
 * After the end of the input, requests in progress have 10 s to finish. The signal ends them
 * immediately.
 */
export async function serveOverStdio(
  createServer: () => McpServer,
  { stdin, stdout, clock, signal, onError }: StdioOptions,
): Promise<void> {
  const input = new PassThrough();
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _, done) {
      stdout.write(chunk.toString());
      void Promise.resolve(stdout.drained).then(() => done());
    },
  });
  const transport = new DrainingTransport(input, output);
  const handle = serveStdio(createServer, { transport, onerror: onError });
  try {
    for await (const chunk of stdin) input.write(chunk);
    await new Promise((delivered) => input.write('', () => setImmediate(delivered)));
    await settle(transport, clock, signal);
  } finally {
    input.end();
    await handle.close();
  }
  signal.throwIfAborted();
}

/* Waits for the responses, but not longer than the limit. */
async function settle(
  transport: DrainingTransport,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const ended = new AbortController();
  const limit = clock.sleep(maxDrainMs, AbortSignal.any([signal, ended.signal]));
  await Promise.race([transport.idle(), limit]).finally(() => {
    ended.abort();
    limit.catch(() => undefined);
  });
}
