import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Context } from '../runtime/context.ts';
import { diffTool, filesTool, listTool, reportTool } from './file-tools.ts';
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

/** Serves a client until standard input ends or the signal aborts. */
export async function serveOverStdio(
  create: () => McpServer,
  { stdin, stdout, signal }: Pick<Context, 'stdin' | 'stdout' | 'signal'>,
  onerror: (error: Error) => void,
): Promise<void> {
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      stdout.write(chunk);
      Promise.resolve(stdout.drained).then(() => done(), done);
    },
  });
  const transport = new StdioServerTransport(stdin, output);
  const handle = serveStdio(create, { transport, onerror });
  try {
    await finished(stdin, { writable: false, signal });
  } finally {
    await handle.close();
    // Answers may still wait for a slow reader.
    await new Promise((resolve) => output.write('', resolve));
  }
}
