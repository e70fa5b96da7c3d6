import type { LookupFunction } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import { CarbonError } from './carbon-error.ts';
import { isLoopback, readProxies } from './proxy.ts';

/** Where requests leave the process: the part of an undici dispatcher that the client uses. */
export interface Transport {
  dispatch: Dispatcher['dispatch'];
  /** Ends every connection at once, those still being made included. */
  destroy(): Promise<void>;
}

/** How connections are made. */
export interface TransportOptions {
  /** Scheme, host and port that every request goes to. */
  readonly origin: string;
  /** The most connections open at once. */
  readonly connections: number;
  /** Environment with HTTPS_PROXY, HTTP_PROXY, NO_PROXY (or in lower case). */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Opens a transport to one origin, through the proxy that the environment names; loopback is always
 * reached directly. undici's own time limits are off: the caller's clock decides.
 * @throws CarbonError under `node --jitless`, which has no WebAssembly for undici's parser
 */
export async function openTransport({
  origin,
  connections,
  env,
}: TransportOptions): Promise<Transport> {
  if (!('WebAssembly' in globalThis)) {
    const message = 'The HTTP client needs WebAssembly, which this Node.js runs without';
    throw new CarbonError('local', message, { reason: 'no_webassembly' });
  }
  const pending = new Set<{ destroy(): void }>();
  const { buildConnector } = await import('./undici-parts.ts');
  const { hostname } = new URL(origin);
  const lookup = isLoopback(hostname) ? { lookup: lookUpLoopback } : {};
  const connector = buildConnector({ timeout: 0, ...lookup });
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
    const { EnvHttpProxyAgent, Pool } = await import('undici');
    const clientFactory = (proxy: URL, given: object) => {
      const { connect } = given as { connect: buildConnector.connector };
      return new Pool(proxy, { connect: namingTheProxy(connect) });
    };
    const proxyTls = { timeout: proxyHandshakeMs };
    return new EnvHttpProxyAgent({ ...options, ...proxies, proxyTls, clientFactory });
  }
  const { Pool } = await import('./undici-parts.ts');
  return new Pool(origin, options);
}

/*
 * A proxy that speaks plain http may wait for ever for the end of the line that a TLS handshake is
 * to it.
 */
const proxyHandshakeMs = 5_000;

/** The connection to the proxy failed, not the one through it to the service; `cause` says how. */
export class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

function namingTheProxy(connect: buildConnector.connector): buildConnector.connector {
  return (options, callback) =>
    connect(withoutAddressAsName(options), (...[error, socket]) => {
      if (error !== null) callback(new ProxyFailure(error), null);
      else callback(null, socket);
    });
}

/* An address is no server name (RFC 6066, section 3); Node warns on standard error. */
function withoutAddressAsName(options: buildConnector.Options): buildConnector.Options {
  const { servername, ...others } = options;
  return servername && /^[\d.]+$|:/.test(servername) ? others : options;
}

/*
 * Plain http and the key go to names of loopback, so these are loopback, whatever a resolver or a
 * hosts file says of them (RFC 6761, section 6.3): no question leaves this machine.
 */
const lookUpLoopback: LookupFunction = (_name, { all }, found) => {
  if (all) found(null, loopback);
  else found(null, '127.0.0.1', 4);
};

const loopback = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
