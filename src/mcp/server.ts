import { Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Context } from '../runtime/context.ts';
import { diffTool, filesTool, listTool, reportTool } from './file-tools.ts';
import { MessageLines } from './message-lines.ts';
import { serviceTools } from './service-tools.ts';
import { callTool, standardSchema, type Tool, type ToolContext } from './tool.ts';

/** Creates a server. A connection needs a server of its own. */
export function createServer(context: ToolContext, version: string): McpServer {
  const { root, clock } = context;
  const server = new McpServer({ name: 'carbon', version });
  const add = (tool: Tool) => {
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
      callTool(tool, given, mcpReq.signal, context),
    );
  };
  for (const tool of serviceTools(context)) add(tool);
  if (root === undefined) return server;
  for (const tool of [filesTool(root), listTool(root), reportTool(root, clock), diffTool(root)])
    add(tool);
  return server;
}

/* A client that closes standard input has usually left, but a shell pipe still reads. */
const maxDrainMs = 10_000;

/**
 * Serves a client until standard input ends or the signal aborts. Requests in progress then have
 * 10 s to finish.
 */
export async function serveOverStdio(
  create: () => McpServer,
  { stdin, stdout, clock, signal }: Pick<Context, 'stdin' | 'stdout' | 'clock' | 'signal'>,
  onerror: (error: Error) => void,
): Promise<void> {
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      stdout.write(chunk);
      Promise.resolve(stdout.drained).then(() => done(), done);
    },
  });
  const closed = new AbortController();
  const ended = AbortSignal.any([signal, closed.signal]);
  const wait = () => clock.sleep(maxDrainMs, ended).catch(() => undefined);
  const lines = new MessageLines((text) => output.write(text), wait);
  // An error of standard input ends the lines as well.
  pipeline(stdin, lines).catch(() => undefined);
  const transport = new StdioServerTransport(lines, output);
  const send = transport.send.bind(transport);
  transport.send = async (message) => {
    await send(message);
    if (!('method' in message)) lines.settle(message.id);
  };
  const handle = serveStdio(create, { transport, onerror });
  try {
    await finished(lines, { writable: false, signal });
  } finally {
    closed.abort();
    await handle.close();
    // Answers may still wait for a slow reader.
    await new Promise((resolve) => output.write('', resolve));
  }
}
