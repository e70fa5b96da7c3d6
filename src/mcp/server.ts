/* Creates the server of the Model Context Protocol. The caller connects it to a transport. */
import { McpServer } from '@modelcontextprotocol/server';
import { fileTools } from './file-tools.ts';
import { footprintTool } from './footprint-tool.ts';
import { serviceTools } from './service-tools.ts';
import { callTool, standardSchema, type Tool, type ToolContext } from './tool.ts';
import { Turns } from './turns.ts';

/* Returns the tools of a server, in the order in which it lists them. */
function toolsOf(context: ToolContext, version: string): readonly Tool[] {
  const { root, clock } = context;
  if (root === undefined) return serviceTools(context);
  const turns = new Turns();
  const ofFiles = [...fileTools(root), footprintTool(root, clock, version)].map((tool) => ({
    ...tool,
    run: (given: unknown, signal: AbortSignal) => turns.run(signal, () => tool.run(given, signal)),
  }));
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
