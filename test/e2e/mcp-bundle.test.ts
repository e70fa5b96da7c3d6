/* The bundle with which desktop clients install `carbon mcp`. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { writeMcpBundle } from '../../build/mcp-bundle.js';
import packageJson from '../../package.json' with { type: 'json' };
import { isWindows, node } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';
import { serve } from '../support/server.ts';

const url = z.url({ protocol: /^https$/ });
/* What version 0.3 of the format requires; other members are errors. */
const schema = z.strictObject({
  manifest_version: z.literal('0.3'),
  name: z.string().regex(/^[a-z0-9-]+$/),
  version: z.literal(packageJson.version),
  description: z.string(),
  author: z.strictObject({ name: z.string() }),
  repository: z.strictObject({ type: z.literal('git'), url }),
  homepage: url,
  support: url,
  license: z.string(),
  keywords: z.array(z.string()),
  server: z.strictObject({
    type: z.literal('node'),
    entry_point: z.string(),
    mcp_config: z.strictObject({
      command: z.string(),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()),
    }),
  }),
  tools: z.array(z.strictObject({ name: z.string(), description: z.string().min(1) })),
  compatibility: z.strictObject({
    platforms: z.array(z.enum(['darwin', 'win32', 'linux'])),
    runtimes: z.strictObject({ node: z.literal(packageJson.engines.node) }),
  }),
  user_config: z.record(
    z.string(),
    z.strictObject({
      type: z.enum(['string', 'number', 'boolean', 'directory', 'file']),
      title: z.string(),
      description: z.string(),
      required: z.boolean(),
      sensitive: z.boolean().optional(),
    }),
  ),
});

describe.skipIf(isWindows)('the bundle for MCP clients (skipped on Windows: no unzip)', () => {
  it('starts a server that has the tools of its manifest, and is the same each time', async () => {
    const folder = newFolder();
    const [file, again] = [join(folder, 'a.mcpb'), join(folder, 'b.mcpb')];
    await writeMcpBundle(file);
    await writeMcpBundle(again);
    expect(readFileSync(file).equals(readFileSync(again))).toBe(true);

    const installed = join(folder, 'installed');
    execFileSync('unzip', ['-q', file, '-d', installed]);
    expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'bin', 'dist', 'manifest.json']);
    const text = readFileSync(join(installed, 'manifest.json'), 'utf8');
    const { server, tools, user_config: settings } = schema.parse(JSON.parse(text));
    expect(Object.keys(settings).filter((name) => settings[name]?.sensitive)).toEqual(['api_key']);
    expect(readdirSync(join(installed, 'bin'))).toContain(server.entry_point.replace('bin/', ''));

    const { url: base_url, seen } = await serve({ json: { id: 7, name: 'Acme AG' } });
    const given: Record<string, string> = { base_url, api_key: 'canary-1', root: newFolder() };
    const fill = (value: string) =>
      value
        .replace(/\$\{__dirname\}/, installed)
        .replaceAll(/\$\{user_config\.(\w+)\}/g, (_, name) => given[name] ?? '');
    expect(Object.keys(given).sort()).toEqual(Object.keys(settings).sort());
    const home = newFolder();
    const { args, env, command } = server.mcp_config;
    expect(command).toBe('node');
    const transport = new StdioClientTransport({
      command: node,
      args: args.map(fill),
      env: {
        HOME: home,
        ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fill(value)])),
      },
      cwd: home,
    });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport);
    onTestFinished(() => client.close());
    const served = (await client.listTools()).tools;
    expect(tools).toEqual(served.map(({ name, description }) => ({ name, description })));
    expect(tools.map(({ name }) => name)).not.toContain('register_organization');
    const result = await client.callTool({ name: 'get_organization', arguments: { id: 7 } });
    expect(result.structuredContent).toMatchObject({ record: { name: 'Acme AG' } });
    expect(seen[0]?.headers.authorization).toBe('Bearer canary-1');
  });
});
