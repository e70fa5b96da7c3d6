import { CarbonError, type CarbonErrorReason } from '../runtime/carbon-error.ts';
import { findProxy } from '../runtime/proxy.ts';
import { ProxyFailure, type TransportOptions } from '../runtime/transport.ts';
import { UnavailableError } from './errors.ts';
import { maxResponseBytes, ResponseTooLargeError } from './request.ts';

/**
 * Converts a rejection of the transport to a `CarbonError`, by the error codes of undici and Node.
 * @param env environment with the proxy variables, to distinguish a failed proxy from a failed
 * service
 */
export function readConnectionFailure(
  error: unknown,
  { baseUrl, id }: { readonly baseUrl: string; readonly id?: string | undefined },
  env: TransportOptions['env'],
): CarbonError {
  if (error instanceof CarbonError) return error;
  if (error instanceof ResponseTooLargeError) {
    const message = `${baseUrl} sent a response of more than ${maxResponseBytes / 2 ** 20} MiB`;
    return new UnavailableError('unreadable_response', message, { id, reason: 'too_large' });
  }
  const cause = innermost(error);
  const refusal = proxyRefusal(cause, id);
  if (refusal !== undefined) return refusal;
  const details = { id, cause: error };
  if (code(cause) === 'ERR_ACCESS_DENIED') {
    const message = 'Node.js denies network access (--permission)';
    return new CarbonError('local', message, { ...details, reason: 'no_network_permission' });
  }
  const { why, reason } = protocolFailure(cause) ??
    connectionFailures[code(cause)] ??
    tlsFailure(cause) ?? { why: message(cause) };
  const proxy = isProxyFailure(error) ? findProxy(baseUrl, env) : undefined;
  if (proxy === undefined) {
    return new UnavailableError('network', `${baseUrl} could not be reached: ${why}`, {
      ...details,
      reason,
    });
  }
  const failed = { url: proxy.value, from: proxy.from };
  const withoutTls = proxyWithoutTls(cause, proxy);
  if (withoutTls !== undefined) {
    // Not `network`, because a retry would fail in the same way.
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
  ENOTFOUND: { why: 'host not found', reason: 'host_not_found' },
  EAI_AGAIN: { why: 'name lookup failed' },
  ECONNREFUSED: { why: 'connection refused', reason: 'connection_refused' },
  ECONNRESET: { why: 'connection reset' },
  EPIPE: { why: 'connection closed' },
  ETIMEDOUT: { why: 'connection timed out' },
  UND_ERR_CONNECT_TIMEOUT: { why: 'connection timed out' },
  EHOSTUNREACH: { why: 'no route to host' },
  ENETUNREACH: { why: 'network is unreachable' },
  UND_ERR_SOCKET: { why: 'connection closed before the response was complete' },
  // undici reports this for every response with a Content-Length that it cannot parse.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: {
    why: 'the response repeats Content-Length or is not valid HTTP',
    reason: 'not_http',
  },
  UND_ERR_HEADERS_OVERFLOW: { why: 'the response headers are too large' },
};

function isNotTls(name: string): boolean {
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
    const why = 'it supports no TLS version that carbon accepts (1.2 or later)';
    return { why, reason: 'tls_version' };
  }
  if (isNotTls(name)) {
    return { why: 'it does not speak TLS on this port', reason: 'not_tls' };
  }
  return undefined;
}

/*
 * undici closes the connection at an unrequested 100 Continue, which RFC 9110, section 15.2,
 * allows, and at a 101. Only the text of its error distinguishes them; a test detects a change. A
 * status below 100 fails an assertion in undici.
 */
function protocolFailure(error: unknown): Explanation | undefined {
  if (!(error instanceof Error)) return undefined;
  const isSocketError = code(error) === 'UND_ERR_SOCKET';
  if (isSocketError && error.message === 'bad response')
    return { why: 'unexpected 100 Continue', reason: 'unexpected_continue' };
  if (isSocketError && error.message === 'bad upgrade')
    return { why: 'unexpected 101 Switching Protocols', reason: 'not_http' };
  return error.name === 'HTTPParserError' || code(error) === 'ERR_ASSERTION'
    ? { why: 'the server does not speak HTTP', reason: 'not_http' }
    : undefined;
}

/* Checks whether the connection to the proxy failed, rather than the one through it. */
function isProxyFailure(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof ProxyFailure) return true;
  }
  return false;
}

/* Describes a failed TLS handshake with an https proxy; undefined for any other failure. */
function proxyWithoutTls(
  error: unknown,
  { value }: NonNullable<ReturnType<typeof findProxy>>,
): string | undefined {
  const name = code(error);
  if (!value.startsWith('https:')) return undefined;
  if (name === 'UND_ERR_CONNECT_TIMEOUT') return 'it did not complete the TLS handshake in time';
  if (name === 'ECONNRESET') return 'it closed the connection before TLS was established';
  return isNotTls(name) ? 'it does not speak TLS on this port' : undefined;
}

/* Only the text of undici's error shows that a proxy refused CONNECT; a test detects a change. */
function proxyRefusal(error: unknown, id: string | undefined): CarbonError | undefined {
  const status = /^Proxy response \((\d+)\)/.exec(message(error))?.[1];
  if (status === undefined) return undefined;
  const needsLogin = status === '407';
  const why = needsLogin
    ? 'requires a user name and password (407)'
    : `refused the connection (${status})`;
  return new UnavailableError('proxy', `The proxy ${why}`, {
    id,
    reason: needsLogin ? 'proxy_login' : undefined,
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
