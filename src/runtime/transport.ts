import type { LookupFunction } from 'node:net';
import type { buildConnector as Connector, Dispatcher } from 'undici';
import { LocalError } from './carbon-error.ts';
import { isLoopback, readProxies } from './proxy.ts';

/** Sends requests: the part of an undici dispatcher that the client uses. */
export interface Transport {
  dispatch: Dispatcher['dispatch'];
  /** Closes every connection immediately, including those that are not established yet. */
  destroy(): Promise<void>;
}

export interface TransportOptions {
  /** Scheme, host and port of every request. */
  readonly origin: string;
  readonly connections: number;
  /** Environment with HTTPS_PROXY, HTTP_PROXY and NO_PROXY, or the same in lower case. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Opens a transport to one origin, through the proxy of the environment unless it is loopback.
 * undici's time limits are off, because the caller's clock decides. Loading only these parts of
 * undici takes a third of the time (bench/start-up.ts).
 *
 * @throws LocalError under `node --jitless`, which lacks WebAssembly for undici's parser
 */
export async function openTransport({
  origin,
  connections,
  env,
}: TransportOptions): Promise<Transport> {
  if (!('WebAssembly' in globalThis)) {
    const message = 'The HTTP client needs WebAssembly, which this Node.js process has disabled';
    throw new LocalError(message, { hint: 'Start Node.js without --jitless.' });
  }
  const pending = new Set<{ destroy(): void }>();
  const [{ default: buildConnector }, { default: Pool }] = await Promise.all([
    import('undici/lib/core/connect.js'),
    import('undici/lib/dispatcher/pool.js'),
  ]);
  const isLocal = isLoopback(new URL(origin).hostname);
  const lookup = isLocal ? { lookup: lookUpLoopback } : {};
  const connector = buildConnector({ timeout: 0, ...verified, ...lookup });
  const connect = ((options, callback) => {
    const socket = connector(options, (...result) => {
      pending.delete(socket);
      callback(...result);
    }) as unknown as { destroy(): void };
    pending.add(socket);
    return socket;
  }) as Connector.connector;
  const options = { connect, connections, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 };
  const { httpProxy, httpsProxy } = readProxies(env);
  const dispatcher =
    isLocal || (httpProxy === '' && httpsProxy === '')
      ? new Pool(origin, options)
      : await openProxyAgent(options, env);
  return {
    dispatch: dispatcher.dispatch.bind(dispatcher),
    async destroy() {
      for (const socket of pending) socket.destroy();
      await dispatcher.destroy();
    },
  };
}

async function openProxyAgent(
  options: { connect: Connector.connector; connections: number },
  env: TransportOptions['env'],
): Promise<Dispatcher> {
  const { EnvHttpProxyAgent, Pool } = await import('./undici-proxy.ts');
  return new EnvHttpProxyAgent({
    ...options,
    ...readProxies(env),
    proxyTls: { timeout: maxProxyHandshakeMs, ...verified },
    requestTls: { timeout: 0, ...verified },
    clientFactory(proxy: URL, given: object) {
      const { connect } = given as { connect: Connector.connector };
      return new Pool(proxy, { connect: markProxyFailures(connect) });
    },
  });
}

/* Otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 would send the key to any certificate. */
const verified = { rejectUnauthorized: true };

/* A plain-http proxy reads a TLS handshake as a line of text and may wait forever for its end. */
const maxProxyHandshakeMs = 5_000;

/** Reports a failed connection to the proxy, not through it; `cause` has the reason. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/* TLS server names must not be IP addresses (RFC 6066, section 3); Node would print a warning. */
function markProxyFailures(connect: Connector.connector): Connector.connector {
  return ({ servername = '', ...options }, callback) =>
    connect(/^[\d.]*$|:/.test(servername) ? options : { ...options, servername }, (...result) => {
      const [error, socket] = result;
      if (error !== null) callback(new ProxyFailure(error), null);
      else callback(null, socket);
    });
}

/*
 * Resolves loopback names without a resolver or hosts file (RFC 6761, section 6.3): carbon sends
 * the key to them over plain http, so they must never lead to another machine.
 */
const lookUpLoopback: LookupFunction = (_name, { all }, callback) => {
  if (all) callback(null, loopback);
  else callback(null, '127.0.0.1', 4);
};

const loopback = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
