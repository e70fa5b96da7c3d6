import { spawn } from 'node:child_process';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { errorObject } from '../../src/cli/errors.ts';
import { organizationTable } from '../../src/cli/output/record-tables.ts';
import { RootDirectory } from '../../src/mcp/root-directory.ts';
import { createServer } from '../../src/mcp/server.ts';
import { realClock } from '../../src/runtime/clock.ts';
import { node } from '../support/executable.ts';
import { newFolder } from '../support/run.ts';

/*
 * The official suite tests servers over HTTP and needs Node 22. Most scenarios call tools of a
 * test server, such as `test_simple_text`; these three apply to every server. .ci/run installs the
 * suite.
 */
const suite = process.env['CARBON_TEST_CONFORMANCE'];
const scenarios = ['server-initialize', 'ping', 'tools-list'];

describe('the tools of carbon mcp over loopback HTTP', () => {
  it.skipIf(suite === undefined).each(scenarios)(
    'pass the official conformance scenario %s',
    { timeout: 60_000 },
    async (scenario) => {
      const url = await serveTools();
      const words = [suite ?? '', 'server', '--url', url, '--scenario', scenario];
      const child = spawn(node, words, { cwd: newFolder() });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
      const exit = await new Promise((resolve) => child.on('close', resolve));
      expect({ exit, output }).toMatchObject({ exit: 0 });
    },
  );
});

/* Serves the tools over HTTP, which carbon itself does not. */
async function serveTools(): Promise<string> {
  const context = {
    connect: () => Promise.reject(new Error('no service in this test')),
    root: await RootDirectory.open(newFolder()),
    organizations: organizationTable,
    allowsRegistration: true,
    clock: realClock,
    describeError: errorObject,
    log: () => undefined,
  };
  const handler = createMcpHandler(() => createServer(context, '0.0.0'));
  const http = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = 'GET' } = request;
    const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {};
    const headers = new Headers(request.headers as Record<string, string>);
    const reply = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, { method, headers, ...body }),
    );
    response.writeHead(reply.status, Object.fromEntries(reply.headers));
    if (reply.body === null) response.end();
    else Readable.fromWeb(reply.body as never).pipe(response);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
}
