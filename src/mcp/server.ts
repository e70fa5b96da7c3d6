import { Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { sanitize } from '../display/terminal/sanitize.ts';
import type { Context } from '../runtime/context.ts';
import { diffTool, filesTool, listTool, recordTool, reportTool } from './file-tools.ts';
import { footprintTool } from './footprint-tool.ts';
import { MessageLines } from './message-lines.ts';
import { serviceTools } from './service-tools.ts';
import {
  callTool,
  dataNote,
  type Report,
  standardSchema,
  type Tool,
  type ToolContext,
} from './tool.ts';

const instructions = `Climate records of organizations from a carbon data service. Begin with list_files if it is there: list_organizations filters and ranks, get_listed shows one record, report summarizes a portfolio, diff says what changed, footprint calculates emissions of purchases, targets of suppliers and whom to ask. Tell the user how old the records are, and whether they are synthetic. Emissions have no documented unit. ${dataNote}`;

/** Creates a server. A connection needs a server of its own. */
export function createServer(context: ToolContext, version: string): McpServer {
  const { root, clock } = context;
  const server = new McpServer({ name: 'carbon', title: 'carbon', version }, { instructions });
  const add = (tool: Tool) => {
    const { name, title, description, input, isReadOnly } = tool;
    const config = {
      title,
      description,
      inputSchema: standardSchema(input),
      annotations: {
        readOnlyHint: isReadOnly,
        ...(isReadOnly ? {} : { destructiveHint: false, idempotentHint: true }),
      },
    };
    server.registerTool(name, config, (given, { mcpReq }) => {
      const { progressToken } = mcpReq._meta ?? {};
      let progress = 0;
      const report: Report = (message) => {
        if (progressToken === undefined) return;
        progress += 1;
        const params = { progressToken, progress, message: sanitize(message) };
        mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
      };
      return callTool(tool, given, { signal: mcpReq.signal, report }, context);
    });
  };
  for (const tool of serviceTools(context)) add(tool);
  if (root === undefined) return server;
  const files = [
    filesTool(root),
    listTool(root, clock),
    recordTool(root),
    reportTool(root, clock),
    diffTool(root, clock),
    footprintTool(root, clock, version),
  ];
  for (const tool of files) add(tool);
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
