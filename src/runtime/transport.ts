import type { LookupFunction } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
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
 * undici's time limits are off, because the caller's clock decides.
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
  const { buildConnector } = await import('./undici-parts.ts');
  const { hostname } = new URL(origin);
  const lookup = isLoopback(hostname) ? { lookup: lookUpLoopback } : {};
  const connector = buildConnector({ timeout: 0, ...verified, ...lookup });
  const connect = ((options, callback) => {
    const socket = connector(options, (...result) => {
      pending.delete(socket);
      callback(...result);
    }) as unknown as { destroy(): void };
    pending.add(socket);
    return socket;
  }) as buildConnector.connector;
  const options = { connect, connections, headersTimeout: 0, bodyTimeout: 0, pipelining: 1 };
  const dispatcher = await openDispatcher(origin, options, env);
  return {
    dispatch: dispatcher.dispatch.bind(dispatcher),
    async destroy() {
      for (const socket of pending) socket.destroy();
      await dispatcher.destroy();
    },
  };
}

async function openDispatcher(
  origin: string,
  options: { connect: buildConnector.connector; connections: number },
  env: TransportOptions['env'],
): Promise<Dispatcher> {
  const proxies = readProxies(env);
  if ((proxies.httpProxy || proxies.httpsProxy) && !isLoopback(new URL(origin).hostname)) {
    const { EnvHttpProxyAgent, Pool } = await import('./undici-proxy.ts');
    const clientFactory = (proxy: URL, given: object) => {
      const { connect } = given as { connect: buildConnector.connector };
      return new Pool(proxy, { connect: markProxyFailures(connect) });
    };
    const tls = {
      proxyTls: { timeout: maxProxyHandshakeMs, ...verified },
      requestTls: { timeout: 0, ...verified },
    };
    return new EnvHttpProxyAgent({ ...options, ...proxies, ...tls, clientFactory });
  }
  const { Pool } = await import('./undici-parts.ts');
  return new Pool(origin, options);
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

function markProxyFailures(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(withoutIpServerName(options), (...[error, socket]) => {
      if (error !== null) callback(new ProxyFailure(error), null);
      else callback(null, socket);
    });
}

/* TLS server names must not be IP addresses (RFC 6066, section 3); Node would print a warning. */
function withoutIpServerName(options: buildConnector.Options): buildConnector.Options {
  const { servername, ...others } = options;
  return servername && /^[\d.]+$|:/.test(servername) ? others : options;
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
