import type { buildConnector, Dispatcher } from 'undici';

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
 */
export async function openTransport({ origin, connections, env }: TransportOptions): Promise<Transport> {
  const pending = new Set<{ destroy(): void }>();
  const { default: buildConnector } = await import('undici/lib/core/connect.js');
  const connector = buildConnector({ timeout: 0 });
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
  const proxies = { ...readProxies(env), noProxy: env['no_proxy'] || env['NO_PROXY'] || '' };
  if ((proxies.httpProxy || proxies.httpsProxy) && !isLoopback(new URL(origin).hostname)) {
    const { EnvHttpProxyAgent } = await import('undici');
    return new EnvHttpProxyAgent({ ...options, ...proxies });
  }
  const { default: Pool } = await import('undici/lib/dispatcher/pool.js');
  return new Pool(origin, options);
}

/** The URLs of the proxies that the environment names, empty where there is none. */
export function readProxies(env: TransportOptions['env']): { httpProxy: string; httpsProxy: string } {
  return {
    httpProxy: proxyUrl(env['http_proxy'] || env['HTTP_PROXY']),
    httpsProxy: proxyUrl(env['https_proxy'] || env['HTTPS_PROXY']),
  };
}

/* `proxy.example:3128` is common too, and means http. */
function proxyUrl(text = ''): string {
  return text === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
}

/** Whether a URL's host name is this machine's loopback. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
}
