import { CarbonError, type CarbonErrorReason } from '../../runtime/carbon-error.ts';
import { findProxy } from '../../runtime/proxy.ts';
import { ProxyFailure, type TransportOptions } from '../../runtime/transport.ts';
import { UnavailableError } from '../errors.ts';
import { maxResponseBytes, TooLarge } from './request.ts';

/**
 * The error that a failed connection is, told from undici's and Node's error codes.
 * @param error whatever the transport rejected with
 * @param asked the service's address and the organization, for the message
 * @param env environment with the proxies' variables, to tell a proxy that is down from a service
 * that is
 */
export function readConnectionFailure(
  error: unknown,
  { baseUrl, id }: { readonly baseUrl: string; readonly id?: string | undefined },
  env: TransportOptions['env'],
): CarbonError {
  if (error instanceof CarbonError) return error;
  if (error instanceof TooLarge) {
    const most = maxResponseBytes / 2 ** 20;
    const message = `${baseUrl} sent an answer of more than ${most} MiB`;
    return new UnavailableError('unreadable_answer', message, { id, reason: 'too_large' });
  }
  const cause = innermost(error);
  const refusal = proxyRefusal(cause, id);
  if (refusal !== undefined) return refusal;
  const details = { id, cause: error };
  if (code(cause) === 'ERR_ACCESS_DENIED') {
    const message = 'This Node.js may not use the network (--permission)';
    return new CarbonError('local', message, { ...details, reason: 'no_network_permission' });
  }
  const { why, reason } = protocolFailure(cause) ??
    connectionFailures[code(cause)] ??
    tlsFailure(cause) ?? { why: message(cause) };
  const proxy = isOfProxy(error) ? findProxy(baseUrl, env) : undefined;
  if (proxy === undefined) {
    return new UnavailableError('network', `${baseUrl} could not be reached: ${why}`, {
      ...details,
      reason,
    });
  }
  const failed = { url: proxy.value, from: proxy.from };
  const withoutTls = proxyWithoutTls(cause, proxy);
  if (withoutTls !== undefined) {
    // Not `network`: another attempt would fail likewise.
    return new UnavailableError('proxy', `The proxy ${proxy.value} cannot be used: ${withoutTls}`, {
      ...details,
      reason: 'proxy_without_tls',
      proxy: failed,
    });
  }
  return new UnavailableError('network', `The proxy ${proxy.value} could not be reached: ${why}`, {
    ...details,
    reason: reason === 'certificate_untrusted' ? reason : 'proxy_unreachable',
    proxy: failed,
  });
}

interface Explanation {
  readonly why: string;
  readonly reason?: CarbonErrorReason;
}

const connectionFailures: Readonly<Record<string, Explanation>> = {
  ENOTFOUND: { why: 'there is no host of this name', reason: 'host_not_found' },
  EAI_AGAIN: { why: 'its name could not be looked up' },
  ECONNREFUSED: { why: 'the connection was refused', reason: 'connection_refused' },
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
    reason: 'not_http',
  },
  UND_ERR_HEADERS_OVERFLOW: { why: 'the answer has too large headers' },
};

function isNoTls(name: string): boolean {
  return name.startsWith('ERR_SSL') || name === 'EPROTO';
}

function tlsFailure(error: unknown): Explanation | undefined {
  const name = code(error);
  if (name === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return { why: 'its certificate is for another host name', reason: 'certificate_host' };
  }
  if (name === 'CERT_HAS_EXPIRED' || name === 'CERT_NOT_YET_VALID') {
    const why = `its certificate ${name === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'}`;
    return { why, reason: 'certificate_dates' };
  }
  if (/CERT|SIGNATURE|ISSUER/.test(name)) {
    return {
      why: `its certificate is not trusted (${name})`,
      reason: 'certificate_untrusted',
    };
  }
  if (/PROTOCOL_VERSION$|UNSUPPORTED_PROTOCOL$/.test(name)) {
    const why = 'it offers only an old version of TLS, and carbon needs TLS 1.2 or later';
    return { why, reason: 'tls_version' };
  }
  if (isNoTls(name)) {
    return { why: 'it does not speak TLS on this port', reason: 'not_tls' };
  }
  return undefined;
}

/*
 * undici closes the connection at a 100 Continue that no request asked for (legal by RFC 9110,
 * section 15.2, and nothing configures it) and at a 101, and distinguishes them only in the text of
 * an error; a test holds on to it. A status below 100 fails an assertion of it.
 */
function protocolFailure(error: unknown): Explanation | undefined {
  if (!(error instanceof Error)) return undefined;
  const isBad = code(error) === 'UND_ERR_SOCKET';
  if (isBad && error.message === 'bad response')
    return { why: 'unexpected 100 Continue', reason: 'unexpected_continue' };
  if (isBad && error.message === 'bad upgrade')
    return { why: 'unexpected 101 Switching Protocols', reason: 'not_http' };
  return error.name === 'HTTPParserError' || code(error) === 'ERR_ASSERTION'
    ? { why: 'what answered does not speak HTTP', reason: 'not_http' }
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
  { value }: NonNullable<ReturnType<typeof findProxy>>,
): string | undefined {
  const name = code(error);
  if (!value.startsWith('https:')) return undefined;
  if (name === 'UND_ERR_CONNECT_TIMEOUT') return 'it completed no TLS handshake in time';
  if (name === 'ECONNRESET') return 'it closed the connection before TLS was established';
  return isNoTls(name) ? 'it does not speak TLS on this port' : undefined;
}

/* undici tells a proxy's refusal of CONNECT only in the text of an error; a test holds on to it. */
function proxyRefusal(error: unknown, id: string | undefined): CarbonError | undefined {
  const status = /^Proxy response \((\d+)\)/.exec(message(error))?.[1];
  if (status === undefined) return undefined;
  const wants = status === '407';
  const why = wants
    ? 'wants a user name and a password (407)'
    : `refused the connection (${status})`;
  return new UnavailableError('proxy', `The proxy ${why}`, {
    id,
    reason: wants ? 'proxy_login' : undefined,
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
