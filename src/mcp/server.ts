/* Creates the server of the Model Context Protocol. The caller connects it to a transport. */
import { McpServer } from '@modelcontextprotocol/server';
import { fileTools } from './file-tools.ts';
import { footprintTool } from './footprint-tool.ts';
import { serviceTools } from './service-tools.ts';
import { callTool, standardSchema, type Tool, type ToolContext } from './tool.ts';

/** Returns the tools of a server, in the order in which it lists them. */
export function toolsOf(context: ToolContext, version: string): readonly Tool[] {
  const { root, clock } = context;
  const ofFiles =
    root === undefined ? [] : [...fileTools(root), footprintTool(root, clock, version)];
  return [...serviceTools(context), ...ofFiles];
}

/** Creates a server. A connection needs a server of its own. */
export function createServer(context: ToolContext, version: string): McpServer {
  const server = new McpServer({ name: 'carbon', version });
  for (const tool of toolsOf(context, version)) {
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
      callTool(tool, given, mcpReq.signal, context),
    );
  }
  return server;
}
