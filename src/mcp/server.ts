/* The server of the Model Context Protocol, over standard input and output. */
import {
  INVALID_REQUEST,
  type JSONRPCMessage,
  McpServer,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Context, Output } from '../runtime/context.ts';
import { FileReader } from './file-reader.ts';
import { diffTool, filesTool, reportTool } from './file-tools.ts';
import { footprintTool } from './footprint-tool.ts';
import { listTool } from './list-tool.ts';
import { serviceTools } from './service-tools.ts';
import { callTool, standardSchema, type Tool, type ToolContext } from './tool.ts';

/** Creates a server. A connection needs a server of its own. */
export function createServer(context: ToolContext, version: string): McpServer {
  const { root, clock, organizations } = context;
  const server = new McpServer({ name: 'carbon', version });
  const add = (tool: Tool, run = tool.run) => {
    const { name, description, input, isReadOnly } = tool;
    const config = {
      description,
      inputSchema: standardSchema(input),
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
  const reader = new FileReader(root);
  for (const tool of [
    filesTool(reader),
    listTool(reader, organizations),
    reportTool(reader, clock),
    diffTool(reader),
    footprintTool(reader, clock, version),
  ]) {
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
  { stdin, stdout, clock, signal }: Pick<Context, 'stdin' | 'stdout' | 'clock' | 'signal'>,
  onerror: (error: Error) => void,
): Promise<void> {
  const transport = new LineTransport(stdout);
  const handle = serveStdio(create, { transport, onerror });
  try {
    for await (const chunk of stdin) transport.receive(chunk);
    const ended = new AbortController();
    const limit = clock.sleep(maxDrainMs, AbortSignal.any([signal, ended.signal]));
    await Promise.race([transport.idle(), limit]).finally(() => {
      ended.abort();
      limit.catch(() => undefined);
    });
  } finally {
    await handle.close();
  }
  signal.throwIfAborted();
}

/* Messages as lines. It knows which requests have no response yet. */
class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #stdout: Output;
  readonly #input = new ReadBuffer();
  readonly #open = new Set<unknown>();
  #onIdle: () => void = () => undefined;

  constructor(stdout: Output) {
    this.#stdout = stdout;
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#stdout.write(serializeMessage(message));
    await this.#stdout.drained;
    if (!('method' in message)) this.#settle(message.id);
  }

  receive(chunk: Uint8Array): void {
    try {
      this.#input.append(Buffer.from(chunk));
    } catch {
      const error = { code: INVALID_REQUEST, message: 'The message is longer than 10 MB' };
      this.#stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
      const end = chunk.indexOf(0x0a);
      if (end >= 0) this.receive(chunk.subarray(end + 1));
      return;
    }
    for (;;) {
      try {
        const message = this.#input.readMessage();
        if (message === null) return;
        if ('method' in message && 'id' in message) this.#open.add(message.id);
        if ('method' in message && message.method === 'notifications/cancelled')
          this.#settle(message.params?.['requestId']);
        this.onmessage?.(message);
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
  }

  /** Waits until every request has its response or was canceled. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      if (this.#open.size === 0) resolve();
    });
  }

  #settle(id: unknown): void {
    this.#open.delete(id);
    if (this.#open.size === 0) this.#onIdle();
  }
}
