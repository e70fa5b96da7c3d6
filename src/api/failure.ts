import { CarbonError, LocalError, UnavailableError } from '../errors.ts';
import { findProxy } from '../proxy.ts';
import { ProxyFailure, type TransportOptions } from '../transport.ts';
import { largestAnswerBytes, TooLarge } from './exchange.ts';

/**
 * The error that a failed connection is, told from undici's and Node's error codes.
 * @param error whatever the transport rejected with
 * @param asked the service's address and the organization, for the message
 * @param env environment with the proxies' variables, to tell a proxy that is down from a service that is
 */
export function readConnectionFailure(
  error: unknown,
  { baseUrl, id }: { readonly baseUrl: string; readonly id?: string | undefined },
  env: TransportOptions['env'],
): CarbonError {
  if (error instanceof CarbonError) return error;
  if (error instanceof TooLarge) {
    const most = largestAnswerBytes / 2 ** 20;
    const message = `${baseUrl} sent an answer of more than ${most} MiB`;
    return new UnavailableError('unreadable_answer', message, { id, hint: addressHint });
  }
  const cause = innermost(error);
  const refusal = proxyRefusal(cause, id);
  if (refusal !== undefined) return refusal;
  const details = { id, cause: error };
  if (code(cause) === 'ERR_ACCESS_DENIED') {
    const hint = 'Start Node.js with --allow-net.';
    return new LocalError('This Node.js may not use the network (--permission)', { ...details, hint });
  }
  const { why, hint = retryHint } = protocolFailure(cause) ??
    connectionFailures[code(cause)] ??
    tlsFailure(cause) ?? { why: message(cause) };
  const proxy = isOfProxy(error) ? findProxy(baseUrl, env) : undefined;
  if (proxy === undefined) {
    return new UnavailableError('network', `${baseUrl} could not be reached: ${why}`, { ...details, hint });
  }
  const withoutTls = proxyWithoutTls(cause, proxy);
  if (withoutTls !== undefined) {
    // Not `network`: another attempt would fail likewise.
    return new UnavailableError('proxy', `The proxy ${proxy.value} cannot be used: ${withoutTls.why}`, {
      ...details,
      hint: withoutTls.hint,
    });
  }
  return new UnavailableError('network', `The proxy ${proxy.value} could not be reached: ${why}`, {
    ...details,
    hint: hint === trustHint ? hint : proxyHint,
  });
}

const retryHint =
  'Check the network and the base URL, then try again; the same command may be repeated safely.';
const addressHint = 'Check the base URL with `carbon whoami`.';
const continueHint =
  'carbon cannot read a response after a 100 Continue that it did not request: switch that off in the server or proxy.';
const proxyHint = 'HTTPS_PROXY names the proxy; NO_PROXY lists the hosts to be reached without it.';

const trustHint =
  'If your network inspects TLS, NODE_EXTRA_CA_CERTS=/path/to/ca.pem adds its certificate authority.';

interface Explanation {
  readonly why: string;
  readonly hint?: string;
}

const connectionFailures: Readonly<Record<string, Explanation>> = {
  ENOTFOUND: { why: 'there is no host of this name', hint: addressHint },
  EAI_AGAIN: { why: 'its name could not be looked up' },
  ECONNREFUSED: { why: 'the connection was refused', hint: addressHint },
  ECONNRESET: { why: 'the connection was reset' },
  EPIPE: { why: 'the connection was closed' },
  ETIMEDOUT: { why: 'the connection timed out' },
  UND_ERR_CONNECT_TIMEOUT: { why: 'the connection timed out' },
  EHOSTUNREACH: { why: 'there is no way to the host' },
  ENETUNREACH: { why: 'there is no way to the network' },
  UND_ERR_SOCKET: { why: 'the connection was closed before the answer was complete' },
  // undici reports this for every response with a Content-Length that it cannot parse further.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: {
    why: 'the response has more than one Content-Length, or is not valid HTTP',
    hint: addressHint,
  },
  UND_ERR_HEADERS_OVERFLOW: { why: 'the answer has too large headers' },
};

function isNoTls(name: string): boolean {
  return name.startsWith('ERR_SSL') || name === 'EPROTO';
}

function tlsFailure(error: unknown): Explanation | undefined {
  const name = code(error);
  if (name === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return { why: 'its certificate is for another host name', hint: addressHint };
  }
  if (name === 'CERT_HAS_EXPIRED' || name === 'CERT_NOT_YET_VALID') {
    const why = `its certificate ${name === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'}`;
    return { why, hint: 'If the clock of this machine is right, the service has to renew it.' };
  }
  if (/CERT|SIGNATURE|ISSUER/.test(name)) {
    return {
      why: `its certificate is not trusted (${name})`,
      hint: trustHint,
    };
  }
  if (/PROTOCOL_VERSION$|UNSUPPORTED_PROTOCOL$/.test(name)) {
    const why = 'it offers only an old version of TLS, and carbon needs TLS 1.2 or later';
    return { why, hint: `The service has to be updated; if this is another one: ${addressHint}` };
  }
  if (isNoTls(name)) {
    return { why: 'it does not speak TLS on this port', hint: addressHint };
  }
  return undefined;
}

/*
 * undici closes the connection at a 100 Continue that no request asked for (legal by RFC 9110, section 15.2, and
 * nothing configures it) and at a 101, and distinguishes them only in the text of an error; a test holds on to it. A status
 * below 100 fails an assertion of it.
 */
function protocolFailure(error: unknown): Explanation | undefined {
  if (!(error instanceof Error)) return undefined;
  const isBad = code(error) === 'UND_ERR_SOCKET';
  if (isBad && error.message === 'bad response')
    return { why: 'unexpected 100 Continue', hint: continueHint };
  if (isBad && error.message === 'bad upgrade')
    return { why: 'unexpected 101 Switching Protocols', hint: addressHint };
  return error.name === 'HTTPParserError' || code(error) === 'ERR_ASSERTION'
    ? { why: 'what answered does not speak HTTP', hint: addressHint }
    : undefined;
}

/* Whether it is the connection to the proxy that failed, and not the one through it. */
function isOfProxy(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof ProxyFailure) return true;
  }
  return false;
}

/* Why no TLS came about with a proxy whose URL asks for it; undefined for any other failure. */
function proxyWithoutTls(
  error: unknown,
  { value, from }: NonNullable<ReturnType<typeof findProxy>>,
): Explanation | undefined {
  const name = code(error);
  const isSilent = name === 'UND_ERR_CONNECT_TIMEOUT';
  const isClosed = name === 'ECONNRESET';
  if (!value.startsWith('https:') || !(isSilent || isClosed || isNoTls(name))) return undefined;
  const without = value.replace(/^https:/, 'http:');
  return {
    why: isSilent
      ? 'it completed no TLS handshake in time'
      : isClosed
        ? 'it closed the connection before TLS was established'
        : 'it does not speak TLS on this port',
    hint: `Most proxies speak plain http, also for https addresses: ${from}=${without}`,
  };
}

/* undici tells a proxy's refusal of CONNECT only in the text of an error; a test holds on to it. */
function proxyRefusal(error: unknown, id: string | undefined): CarbonError | undefined {
  const status = /^Proxy response \((\d+)\)/.exec(message(error))?.[1];
  if (status === undefined) return undefined;
  const wants = status === '407';
  const why = wants ? 'wants a user name and a password (407)' : `refused the connection (${status})`;
  return new UnavailableError('proxy', `The proxy ${why}`, {
    id,
    hint: wants ? 'HTTPS_PROXY=http://user:password@host:port names them.' : proxyHint,
    cause: error,
  });
}

function innermost(error: unknown): unknown {
  let current = error;
  for (let depth = 0; depth < 8; depth += 1) {
    const next = inner(current);
    if (next === undefined) break;
    current = next;
  }
  return current;
}

function inner(error: unknown): unknown {
  if (error instanceof AggregateError) return error.errors[0];
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return undefined;
  return error.cause;
}

function code(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
