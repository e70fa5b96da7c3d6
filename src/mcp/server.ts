/* The server of the Model Context Protocol, over standard input and output. */
import { PassThrough, Writable } from 'node:stream';
import { type JSONRPCMessage, McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Clock } from '../runtime/clock.ts';
import type { Input, Output } from '../runtime/context.ts';
import { fileTools } from './file-tools.ts';
import { footprintTool } from './footprint-tool.ts';
import { serviceTools } from './service-tools.ts';
import { callTool, standardSchema, type Tool, type ToolContext } from './tool.ts';

/** Creates a server. A connection needs a server of its own. */
export function createServer(context: ToolContext, version: string): McpServer {
  const { root, clock } = context;
  const server = new McpServer({ name: 'carbon', version });
  const add = (tool: Tool, run = tool.run) => {
    const { name, description, input, output, isReadOnly } = tool;
    const config = {
      description,
      inputSchema: standardSchema(input),
      outputSchema: standardSchema(output),
      annotations: {
        readOnlyHint: isReadOnly,
        ...(isReadOnly ? {} : { destructiveHint: false, idempotentHint: true }),
      },
    };
    server.registerTool(name, config, (given, { mcpReq }) =>
      callTool({ ...tool, run }, given, mcpReq.signal, context),
    );
  };
  for (const tool of serviceTools(context)) add(tool);
  if (root === undefined) return server;
  // Only one tool reads files at a time, so that calls at the same time need no more memory.
  let last: Promise<unknown> = Promise.resolve();
  for (const tool of [...fileTools(root, clock), footprintTool(root, clock, version)]) {
    add(tool, (given, signal) => {
      const turn = last.then(() => {
        signal.throwIfAborted();
        return tool.run(given, signal);
      });
      last = turn.catch(() => undefined);
      return turn;
    });
  }
  return server;
}

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
 * After the end of the input, requests in progress have 10 s to finish; the SDK would drop them,
 * although the reader of `carbon mcp < requests.ndjson` waits. The signal ends them immediately.
 */
export async function serveOverStdio(
  create: () => McpServer,
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
  const transport = new StdioServerTransport(input, output);
  const handle = serveStdio(create, { transport, onerror: onError });
  const idle = trackRequests(transport);
  try {
    for await (const chunk of stdin) input.write(chunk);
    await new Promise((delivered) => input.write('', () => setImmediate(delivered)));
    const ended = new AbortController();
    const limit = clock.sleep(maxDrainMs, AbortSignal.any([signal, ended.signal]));
    await Promise.race([idle(), limit]).finally(() => {
      ended.abort();
      limit.catch(() => undefined);
    });
  } finally {
    input.end();
    await handle.close();
  }
  signal.throwIfAborted();
}

/* Returns a function that waits until every request has its response or was canceled. */
function trackRequests(transport: StdioServerTransport): () => Promise<void> {
  const open = new Set<unknown>();
  let onIdle: () => void = () => undefined;
  const settle = (id: unknown) => {
    open.delete(id);
    if (open.size === 0) onIdle();
  };
  const { onmessage } = transport;
  const send = transport.send.bind(transport);
  transport.onmessage = (message: JSONRPCMessage) => {
    if ('method' in message) {
      if ('id' in message) open.add(message.id);
      if (message.method === 'notifications/cancelled') settle(message.params?.['requestId']);
    }
    onmessage?.(message);
  };
  transport.send = async (message) => {
    await send(message);
    if (!('method' in message)) settle(message.id);
  };
  return () =>
    new Promise((resolve) => {
      onIdle = resolve;
      if (open.size === 0) resolve();
    });
}
