import { CarbonError, UnavailableError } from '../errors.ts';

/**
 * The error that a failed connection is, told from undici's and Node's error codes.
 * @param error whatever the transport rejected with
 * @param asked the service's address and the organization, for the message
 */
export function readConnectionFailure(
  error: unknown,
  { baseUrl, id }: { readonly baseUrl: string; readonly id?: string | undefined },
): CarbonError {
  if (error instanceof CarbonError) return error;
  const cause = innermost(error);
  const refusal = proxyRefusal(cause, id);
  if (refusal !== undefined) return refusal;
  const known = connectionFailures[code(cause)];
  const why = known?.why ?? certificateProblem(cause) ?? message(cause);
  const hint = known?.hint ?? (certificateProblem(cause) ? trustHint : retryHint);
  return new UnavailableError('network', `${baseUrl} could not be reached: ${why}`, {
    hint,
    id,
    cause: error,
  });
}

const retryHint =
  'Check the network and the base URL, then try again; the same command may be repeated safely.';
const trustHint =
  'If your network inspects TLS, NODE_EXTRA_CA_CERTS=/path/to/ca.pem adds its certificate authority.';

const connectionFailures: Readonly<Record<string, { why: string; hint?: string }>> = {
  ENOTFOUND: { why: 'there is no host of this name', hint: 'Check the base URL with `carbon whoami`.' },
  EAI_AGAIN: { why: 'its name could not be looked up' },
  ECONNREFUSED: { why: 'the connection was refused', hint: 'Check the base URL with `carbon whoami`.' },
  ECONNRESET: { why: 'the connection was reset' },
  EPIPE: { why: 'the connection was closed' },
  ETIMEDOUT: { why: 'the connection timed out' },
  UND_ERR_CONNECT_TIMEOUT: { why: 'the connection timed out' },
  EHOSTUNREACH: { why: 'there is no way to the host' },
  ENETUNREACH: { why: 'there is no way to the network' },
  UND_ERR_SOCKET: { why: 'the connection was closed before the answer was complete' },
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: { why: 'the answer was cut off' },
  UND_ERR_HEADERS_OVERFLOW: { why: 'the answer has too large headers' },
};

function certificateProblem(error: unknown): string | undefined {
  const name = code(error);
  if (name === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'its certificate is for another host name';
  if (name === 'CERT_HAS_EXPIRED') return 'its certificate has expired';
  if (/CERT|SIGNATURE|ISSUER/.test(name)) return `its certificate is not trusted (${name})`;
  if (name.startsWith('ERR_SSL')) return 'it does not speak TLS; is the base URL to begin with http://?';
  return error instanceof Error && error.name === 'HTTPParserError'
    ? 'what answered does not speak HTTP'
    : undefined;
}

/* undici tells a proxy's refusal of CONNECT only in the text of an error; a test holds on to it. */
function proxyRefusal(error: unknown, id: string | undefined): CarbonError | undefined {
  const status = /^Proxy response \((\d+)\)/.exec(message(error))?.[1];
  if (status === undefined) return undefined;
  const wants = status === '407';
  const why = wants ? 'wants a user name and a password (407)' : `refused the connection (${status})`;
  return new UnavailableError('proxy', `The proxy ${why}`, {
    id,
    hint: wants
      ? 'HTTPS_PROXY=http://user:password@host:port names them.'
      : 'HTTPS_PROXY names the proxy; NO_PROXY lists the hosts to be reached without it.',
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
