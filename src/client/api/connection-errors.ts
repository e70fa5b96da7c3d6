import { CarbonError, type CarbonErrorReason } from '../../runtime/carbon-error.ts';
import { findProxy } from '../../runtime/proxy.ts';
import { ProxyFailure, ProxyRefusal, type TransportOptions } from '../../runtime/transport.ts';
import { UnavailableError } from './errors.ts';

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
  const chain = causesOf(error);
  const cause = chain.at(-1);
  const details = { id, cause: error };
  const proxy = findProxy(baseUrl, env);
  if (cause instanceof ProxyRefusal) {
    const { why, reason } = explainRefusal(cause);
    const message = `The proxy ${why} (${cause.refusal.status})`;
    return new UnavailableError('proxy', message, { id, reason, proxy });
  }
  const { why, reason } = explain(cause);
  if (proxy === undefined || !chain.some((each) => each instanceof ProxyFailure)) {
    const message = `${baseUrl} could not be reached: ${why}`;
    return new UnavailableError('network', message, { ...details, reason });
  }
  return new UnavailableError('network', `The proxy ${proxy.url} could not be reached: ${why}`, {
    ...details,
    reason: reason === 'certificate_untrusted' ? reason : undefined,
    proxy,
  });
}

function explainRefusal({ refusal }: ProxyRefusal): { why: string; reason?: CarbonErrorReason } {
  const { status, schemes, hasCredentials } = refusal;
  if (status !== 407) return { why: 'refused the connection' };
  if (schemes.length > 0 && !schemes.some((scheme) => scheme.toLowerCase() === 'basic'))
    return { why: `accepts only ${[...new Set(schemes)].join(' or ')}`, reason: 'proxy_scheme' };
  const why = hasCredentials
    ? 'rejected the user name and password'
    : 'requires a user name and password';
  return { why, reason: 'proxy_login' };
}

/* What the name and the code of an error mean; the first pattern that matches counts. */
const failures: readonly (readonly [RegExp, string, CarbonErrorReason?])[] = [
  [/ ENOTFOUND$/, 'host not found', 'wrong_address'],
  [/ EAI_AGAIN$/, 'name lookup failed'],
  [/ ECONNREFUSED$/, 'connection refused', 'wrong_address'],
  [/ ECONNRESET$/, 'connection reset', 'connection_lost'],
  [/ (ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'connection timed out'],
  [/ UND_ERR_SOCKET$/, 'connection closed before the response was complete', 'connection_lost'],
  [/_ALTNAME_INVALID$/, 'its certificate is for another host name', 'wrong_address'],
  [
    / CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    'its certificate has expired or is not valid yet',
    'certificate_dates',
  ],
  [/^HTTPParserError /, 'the server does not speak HTTP', 'wrong_address'],
  [/ALERT_/, 'it ended the TLS handshake'],
  [/ .*(CERT|SIGNATURE|ISSUER)/, 'its certificate is not trusted', 'certificate_untrusted'],
  [/ (ERR_SSL|EPROTO$)/, 'it does not speak TLS on this port', 'wrong_address'],
];

function explain(error: unknown): { why: string; reason?: CarbonErrorReason | undefined } {
  const name = code(error);
  const kind = `${error instanceof Error ? error.name : ''} ${name}`;
  const [, why, reason] = failures.find(([pattern]) => pattern.test(kind)) ?? [];
  if (why === undefined) return { why: message(error) };
  if (reason === 'certificate_untrusted') return { why: `${why} (${name})`, reason };
  return { why, reason };
}

const maxCauses = 8;

/* Returns an error and what caused it, the innermost error last. */
function causesOf(error: unknown, depth = 1): readonly unknown[] {
  const cause: unknown =
    error instanceof AggregateError ? error.errors[0] : (error as Error)?.cause;
  const isLast = depth > maxCauses || !(cause instanceof Error);
  return isLast ? [error] : [error, ...causesOf(cause, depth + 1)];
}

function code(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
