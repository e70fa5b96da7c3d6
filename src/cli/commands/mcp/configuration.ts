import { resolve } from 'node:path';
import type { GlobalFlags } from '../../output-format.ts';

/** The flags of `carbon mcp`. */
export interface McpFlags {
  readonly root: string | undefined;
  readonly allowRegister: boolean;
}

/**
 * Returns the configuration for an MCP client, in the form that most clients read. It contains no
 * API key: carbon reads the key from its profile or environment.
 */
export function renderConfiguration(
  { profile, baseUrl, sandbox }: GlobalFlags,
  { root, allowRegister }: McpFlags,
): string {
  const args = [
    'mcp',
    ...(sandbox ? ['--sandbox'] : []),
    ...(profile ? ['--profile', profile] : []),
    ...(baseUrl ? ['--base-url', baseUrl] : []),
    ...(root ? ['--root', resolve(root)] : []),
    ...(allowRegister ? ['--allow-register'] : []),
  ];
  const configuration = { mcpServers: { carbon: { command: 'carbon', args } } };
  return [
    'carbon mcp serves an MCP client, not a person. Add this to the configuration of the client:',
    '',
    JSON.stringify(configuration, undefined, 2),
    '',
  ].join('\n');
}
