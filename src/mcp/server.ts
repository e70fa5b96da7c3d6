/* The server of the Model Context Protocol, over standard input and output. */
import {
  deserializeMessage,
  INVALID_REQUEST,
  type JSONRPCMessage,
  McpServer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Clock } from '../runtime/clock.ts';
import type { Input, Output } from '../runtime/context.ts';
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
    server.registerTool(name, config, (given, { mcpReq }) => {
      const { signal, notify, _meta: { progressToken } = {} } = mcpReq;
      const report = (progress: number, message: string) => {
        if (progressToken === undefined) return;
        const params = { progressToken, progress, message };
        void notify({ method: 'notifications/progress', params }).catch(() => undefined);
      };
      return callTool({ ...tool, run }, given, { signal, report }, context);
    });
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
    add(tool, (given, call) => {
      const turn = last.then(() => {
        call.signal.throwIfAborted();
        return tool.run(given, call);
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
  const transport = new LineTransport(stdout);
  const handle = serveStdio(create, { transport, onerror: onError });
  try {
    for await (const line of messageLines(stdin)) transport.receive(line);
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

const maxMessageBytes = 10 * 2 ** 20;
const newline = 0x0a;

/*
 * Yields the lines of a stream; undefined stands for one that is too long, of which nothing is
 * kept.
 */
async function* messageLines(stdin: Input): AsyncGenerator<string | undefined> {
  let parts: Buffer[] = [];
  let length = 0;
  const take = () => {
    const line = length > maxMessageBytes ? undefined : Buffer.concat(parts).toString();
    parts = [];
    length = 0;
    return line;
  };
  const keep = (part: Buffer) => {
    length += part.length;
    if (length > maxMessageBytes) parts = [];
    else parts.push(part);
  };
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      keep(bytes.subarray(start, end));
      yield take();
      start = end + 1;
    }
    keep(bytes.subarray(start));
  }
}

/* Messages as lines. It knows which requests have no response yet. */
class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #stdout: Output;
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

  receive(line: string | undefined): void {
    if (line === undefined) {
      const message = `Invalid request: the message is longer than ${maxMessageBytes} bytes`;
      const error = { code: INVALID_REQUEST, message };
      this.#stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`);
      return;
    }
    try {
      const message = deserializeMessage(line);
      if ('method' in message) {
        if ('id' in message) this.#open.add(message.id);
        if (message.method === 'notifications/cancelled')
          this.#settle(message.params?.['requestId']);
      }
      this.onmessage?.(message);
    } catch (error) {
      // Programs print other lines by mistake: what is not JSON is no message.
      if (!(error instanceof SyntaxError)) this.onerror?.(error as Error);
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
