import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { carbonProgram, execute } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';
import { serve } from '../support/server.ts';

/** Connects the official client to the executable. */
async function connect(argv: readonly string[], env: Record<string, string> = {}) {
  const home = newFolder();
  const [file, ...first] = carbonProgram;
  const transport = new StdioClientTransport({
    command: file,
    args: [...first, 'mcp', ...argv],
    env: { HOME: home, ...env },
    cwd: home,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (text) => {
    stderr += text;
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport, home, messages: () => stderr };
}

describe('carbon mcp with the official client', () => {
  it('registers, watches and reads an organization, and reports on a file', async () => {
    const argv = ['--sandbox', '--allow-register', '--root', '.'];
    const { client, home, messages } = await connect(argv);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('register_organization');
    const call = (name: string, given: object) =>
      client.callTool({ name, arguments: given as Record<string, unknown> });
    const registered = await call('register_organization', { name: 'Sandbox synced' });
    expect(registered.structuredContent).toMatchObject({ ended: true, synthetic: true });
    const watched = await call('watch_organization', { id: 1 });
    expect(watched.structuredContent).toMatchObject({ ended: true, record: { id: 1 } });
    const records = await execute(['get', '1', '--sandbox', '--json'], { env: { HOME: home } });
    writeFileSync(join(home, 'records.ndjson'), records.stdout);
    const report = await call('report', { files: ['records.ndjson'] });
    expect(report.structuredContent).toMatchObject({ organizations: 1, synthetic: 1 });
    const missing = await call('get_organization', { id: 99 });
    expect(missing.isError).toBe(true);
    expect(messages()).toBe('');
  });
});

describe('carbon mcp', () => {
  it('ends on Ctrl-C while a call is in progress', async () => {
    let requested: () => void = () => undefined;
    const inProgress = new Promise<void>((resolve) => {
      requested = resolve;
    });
    const { url } = await serve(() => requested());
    const { client, transport } = await connect([], { CARBON_BASE_URL: url, CARBON_API_KEY: 'k' });
    const ended = new Promise<void>((resolve) => {
      client.onclose = resolve;
    });
    const call = client.callTool({ name: 'get_organization', arguments: { id: 1 } });
    const failed = expect(call).rejects.toThrow();
    await inProgress;
    process.kill(transport.pid ?? 0, 'SIGINT');
    await ended;
    await failed;
  });
});
