import type { LookupFunction } from 'node:net';
import type { buildConnector as Connector, Dispatcher } from 'undici';
import { LocalError } from './carbon-error.ts';
import { isLoopback, readProxies } from './proxy.ts';

export interface Request {
  readonly origin: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Receives a response as it arrives. */
export interface ResponseHandler {
  onRequestStart(controller: RequestController): void;
  onResponseStart(
    controller: unknown,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void;
  onResponseData(controller: unknown, chunk: Uint8Array): void;
  onResponseEnd(controller: unknown, trailers: unknown): void;
  onResponseError(controller: unknown, reason: unknown): void;
}

/** Ends a request early. */
export interface RequestController {
  abort(reason: Error): void;
}

/**
 * Sends requests: the part of an undici dispatcher that the client uses. The types are those of
 * carbon, because users of the library have no undici.
 */
export interface Transport {
  dispatch(request: Request, handler: ResponseHandler): unknown;
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
    dispatch: (request, handler) =>
      dispatcher.dispatch(request as Dispatcher.DispatchOptions, handler),
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
  const { EnvHttpProxyAgent, Pool, sendConnect } = await import('./undici-proxy.ts');
  return new EnvHttpProxyAgent({
    ...options,
    ...readProxies(env),
    proxyTls: { timeout: maxProxyHandshakeMs, ...verified },
    requestTls: { timeout: 0, ...verified },
    clientFactory(proxy: URL, given: object) {
      const { connect } = given as { connect: Connector.connector };
      const pool = new Pool(proxy, { connect: withoutAddressAsServerName(connect) });
      // undici's entry adds this method to all dispatchers, with which an agent opens a tunnel.
      return Object.assign(pool, {
        connect: (request: Dispatcher.ConnectOptions) =>
          sendConnect
            .call(pool, request)
            .then((answer) => checkTunnel(answer, hasCredentials(proxy)), throwProxyFailure),
      });
    },
  });
}

/* undici sends them only if there is a password. */
function hasCredentials({ username, password }: URL): boolean {
  return username !== '' && password !== '';
}

function checkTunnel(
  answer: Dispatcher.ConnectData,
  hasCredentials: boolean,
): Dispatcher.ConnectData {
  const { statusCode: status, headers, socket } = answer;
  if (status === 200) return answer;
  socket.on('error', () => undefined).destroy();
  const challenges = [headers['proxy-authenticate'] ?? []].flat().join();
  throw new ProxyRefusal({ status, hasCredentials, schemes: readSchemes(challenges) });
}

/* A scheme is the first word of a challenge; the rest is parameters (RFC 9110, section 11.3). */
function readSchemes(challenges: string): readonly string[] {
  const unquoted = challenges.replace(/"[^"]*"/g, '""');
  const schemes = unquoted.matchAll(/(?:^|,)\s*([a-z][a-z\d-]{0,20})(?=\s*(?:,|$)|\s+[^\s=,])/gi);
  return [...schemes].map(([, scheme = '']) => scheme);
}

/* Without this class, undici takes a lost connection for that of an idle one and opens the next. */
function throwProxyFailure(error: Error): never {
  throw new ProxyFailure(error);
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

/** Describes why a proxy opened no tunnel. */
interface Refusal {
  readonly status: number;
  /** Whether a user name and a password were sent. */
  readonly hasCredentials: boolean;
  /** Schemes of authentication that the proxy accepts, such as `Basic` or `NTLM`. */
  readonly schemes: readonly string[];
}

/** Reports that the proxy answered CONNECT with another status than 200. */
export class ProxyRefusal extends Error {
  override readonly name = 'ProxyRefusal';
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(`The proxy answered CONNECT with status ${refusal.status}`);
    this.refusal = refusal;
  }
}

/* TLS server names must not be IP addresses (RFC 6066, section 3); Node would print a warning. */
function withoutAddressAsServerName(connect: Connector.connector): Connector.connector {
  return ({ servername = '', ...options }, callback) =>
    connect(/^[\d.]*$|:/.test(servername) ? options : { ...options, servername }, callback);
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
