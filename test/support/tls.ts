/*
 * Servers with the certificates of a test authority, and proxies in front of them. The certificates
 * are valid until 2126, except for one that expired in 2020. Only tests use their private key.
 */
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { createServer as createHttpsServer, type ServerOptions } from 'node:https';
import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { listen } from './server.ts';

export type Certificate = 'valid' | 'elsewhere' | 'expired';

const path = (name: string) =>
  fileURLToPath(new URL(`../hostile/certificates/${name}.pem`, import.meta.url));
const pem = (name: string) => readFileSync(path(name));

/** Environment that trusts the test authority. */
export const trusting = { NODE_EXTRA_CA_CERTS: path('ca') };

/** The record of organization 1 that a service over TLS sends. */
export const record = '{"id":1,"name":"Acme AG","status":"synced"}';

/**
 * Starts a service over TLS that has a record of every organization.
 * @param certificate `valid` is for 127.0.0.1 and localhost, `elsewhere` for else.example
 */
export async function serveTls(
  certificate: Certificate,
  onRequest: (request: IncomingMessage) => void = () => undefined,
  more: ServerOptions = {},
): Promise<string> {
  const options = { key: pem('key'), cert: pem(certificate), ...more };
  const server = createHttpsServer(options, (request, response) => {
    onRequest(request);
    response.setHeader('content-type', 'application/json');
    const [, id = '1'] = /^\/organizations\/(\d+)/.exec(request.url ?? '') ?? [];
    response.end(record.replace('1', id));
  });
  server.on('connect', (request) => onRequest(request));
  return `https://127.0.0.1:${await listen(server)}`;
}

/** A proxy that opens a tunnel to the same server for every CONNECT. */
export interface TestProxy {
  readonly url: string;
  /** Heads of the CONNECT requests. */
  readonly tunnels: string[];
}

/**
 * Starts a proxy.
 * @param target URL of the server behind it
 * @param protocol how clients reach the proxy itself
 */
export async function serveProxy(
  target: string,
  protocol: 'http' | 'https' = 'http',
): Promise<TestProxy> {
  const { port } = new URL(target);
  const tunnels: string[] = [];
  const open = (client: Socket) => {
    client.on('error', () => client.destroy());
    client.once('data', (head) => {
      tunnels.push(head.toString('latin1'));
      const server = connect(Number(port), '127.0.0.1');
      client.write('HTTP/1.1 200 Connected\r\n\r\n');
      client.pipe(server).pipe(client);
      server.on('error', () => server.destroy());
      onTestFinished(() => void [client, server].map((socket) => socket.destroy()));
    });
  };
  const proxy =
    protocol === 'http'
      ? createServer(open)
      : createTlsServer({ key: pem('key'), cert: pem('valid') }, open);
  return { url: `${protocol}://127.0.0.1:${await listen(proxy)}`, tunnels };
}
