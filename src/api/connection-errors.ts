import {
  CarbonError,
  type CarbonErrorReason,
  type ErrorDetails,
  LocalError,
} from '../runtime/carbon-error.ts';
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
    return new UnavailableError('unreadable_response', message, { id });
  }
  const cause = innermost(error);
  const details = { id, cause: error };
  if (code(cause) === 'ERR_ACCESS_DENIED') {
    const hint = 'Start Node.js with --allow-net.';
    return new LocalError('Node.js denies network access (--permission)', { ...details, hint });
  }
  const refusal = proxyRefusal(cause, id, findProxy(baseUrl, env));
  if (refusal !== undefined) return refusal;
  const { why, reason } = explain(cause, baseUrl);
  const proxy = isProxyFailure(error) ? findProxy(baseUrl, env) : undefined;
  if (proxy === undefined) {
    const message = `${baseUrl} could not be reached: ${why}`;
    return new UnavailableError('network', message, { ...details, reason });
  }
  const withoutTls = proxyWithoutTls(cause, proxy.url);
  if (withoutTls !== undefined) {
    // Not `network`, because a retry would fail in the same way.
    const message = `The proxy ${proxy.url} cannot be used: ${withoutTls}`;
    return new UnavailableError('proxy', message, {
      ...details,
      reason: 'proxy_without_tls',
      proxy,
    });
  }
  return new UnavailableError('network', `The proxy ${proxy.url} could not be reached: ${why}`, {
    ...details,
    reason: reason === 'certificate_untrusted' ? reason : undefined,
    proxy,
  });
}

interface Explanation {
  readonly why: string;
  readonly reason?: CarbonErrorReason;
}

const connectionFailures: Readonly<Record<string, Explanation>> = {
  ENOTFOUND: { why: 'host not found', reason: 'wrong_address' },
  EAI_AGAIN: { why: 'name lookup failed' },
  ECONNREFUSED: { why: 'connection refused', reason: 'wrong_address' },
  ECONNRESET: { why: 'connection reset' },
  EPIPE: { why: 'connection closed' },
  ETIMEDOUT: { why: 'connection timed out' },
  UND_ERR_CONNECT_TIMEOUT: { why: 'connection timed out' },
  EHOSTUNREACH: { why: 'no route to host' },
  ENETUNREACH: { why: 'network is unreachable' },
  // undici reports this for every response with a Content-Length that it cannot parse.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: {
    why: 'the response repeats Content-Length or is not valid HTTP',
    reason: 'wrong_address',
  },
  UND_ERR_HEADERS_OVERFLOW: { why: 'the response headers are too large' },
  ERR_TLS_CERT_ALTNAME_INVALID: {
    why: 'its certificate is for another host name',
    reason: 'wrong_address',
  },
  CERT_HAS_EXPIRED: { why: 'its certificate has expired', reason: 'certificate_dates' },
  CERT_NOT_YET_VALID: { why: 'its certificate is not valid yet', reason: 'certificate_dates' },
};

function explain(error: unknown, baseUrl: string): Explanation {
  const name = code(error);
  const known = connectionFailures[name];
  if (known !== undefined) return known;
  if (name === 'UND_ERR_SOCKET') return closed(error, baseUrl);
  if (
    (error instanceof Error && error.name === 'HTTPParserError') ||
    // A status below 100 fails an assertion in undici.
    name === 'ERR_ASSERTION'
  )
    return { why: 'the server does not speak HTTP', reason: 'wrong_address' };
  if (/ALERT_(HANDSHAKE_FAILURE|CERTIFICATE_REQUIRED|BAD_CERTIFICATE)/.test(name))
    return { why: `it ended the TLS handshake; ${mayRequire}`, reason: 'client_certificate' };
  if (/CERT|SIGNATURE|ISSUER/.test(name))
    return { why: `its certificate is not trusted (${name})`, reason: 'certificate_untrusted' };
  if (/PROTOCOL_VERSION$|UNSUPPORTED_PROTOCOL$/.test(name)) {
    const why = 'it supports no TLS version that carbon accepts (1.2 or later)';
    return { why, reason: 'wrong_address' };
  }
  if (isNotTls(name)) return { why: 'it does not speak TLS on this port', reason: 'wrong_address' };
  return { why: message(error) };
}

const mayRequire = 'it may require a client certificate';

/*
 * undici closes the connection at an unrequested 100 Continue, which RFC 9110, section 15.2,
 * allows, and at a 101. Only the text of its error distinguishes them; a test detects a change.
 */
function closed(error: unknown, baseUrl: string): Explanation {
  const text = message(error);
  if (text === 'bad response') return { why: 'unexpected 100 Continue' };
  if (text === 'bad upgrade') return { why: 'unexpected 101 Switching Protocols' };
  const why = 'connection closed before the response was complete';
  // With TLS 1.3, a server checks the certificate of the client only after the handshake.
  return baseUrl.startsWith('https:')
    ? { why: `${why}; ${mayRequire}`, reason: 'client_certificate' }
    : { why };
}

function isNotTls(name: string): boolean {
  return name.startsWith('ERR_SSL') || name === 'EPROTO';
}

/* Checks whether the connection to the proxy failed, rather than the one through it. */
function isProxyFailure(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current instanceof ProxyFailure) return true;
  }
  return false;
}

/* Describes a failed TLS handshake with an https proxy; undefined for any other failure. */
function proxyWithoutTls(error: unknown, proxy: string): string | undefined {
  const name = code(error);
  if (!proxy.startsWith('https:')) return undefined;
  if (name === 'UND_ERR_CONNECT_TIMEOUT') return 'it did not complete the TLS handshake in time';
  if (name === 'ECONNRESET') return 'it closed the connection before TLS was established';
  return isNotTls(name) ? 'it does not speak TLS on this port' : undefined;
}

/* Only the text of undici's error shows that a proxy refused CONNECT; a test detects a change. */
function proxyRefusal(
  error: unknown,
  id: string | undefined,
  proxy: ErrorDetails['proxy'],
): CarbonError | undefined {
  const status = /^Proxy response \((\d+)\)/.exec(message(error))?.[1];
  if (status === undefined) return undefined;
  const needsLogin = status === '407';
  const why = needsLogin
    ? 'requires a user name and password (407)'
    : `refused the connection (${status})`;
  const reason = needsLogin ? 'proxy_login' : undefined;
  return new UnavailableError('proxy', `The proxy ${why}`, { id, reason, proxy, cause: error });
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
