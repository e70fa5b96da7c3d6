/*
 * Maps each failure to an exit code and a hint for the user. The errors themselves know neither.
 */
import {
  CarbonError,
  type CarbonErrorCode,
  type CarbonErrorReason,
  HintedError,
  type LoggedError,
} from '../runtime/carbon-error.ts';

/** JSON form of an error, printed with `--json` and as a failed item of a stream. */
export interface ErrorObject extends LoggedError {
  readonly exit: number;
  readonly hint?: string | undefined;
}

type Hint = string | ((error: CarbonError) => string);

const exits: Readonly<Record<CarbonErrorCode, number>> = {
  local: 1,
  interrupted: 1,
  bug: 1,
  usage: 2,
  invalid_input: 2,
  no_base_url: 2,
  refused: 3,
  no_key: 4,
  unauthorized: 4,
  payment_required: 4,
  not_found: 5,
  rate_limited: 6,
  service_failed: 6,
  unreadable_response: 6,
  network: 6,
  timeout: 6,
  proxy: 6,
  pending: 8,
};

const address = 'Check the base URL with `carbon whoami`';
const rowIsSentAgain =
  'Run the same command again to retry the row. If it fails in three runs that register other rows, carbon writes it to the failed-rows file.';
const proxies =
  'Check HTTPS_PROXY, which names the proxy, and NO_PROXY, which lists the hosts to reach without it.';

/*
 * Keyed by reason where one code covers several cases. A reason without a hint concerns the base
 * URL.
 */
const hints: Readonly<Partial<Record<CarbonErrorCode | CarbonErrorReason, Hint>>> = {
  bug: 'This is a bug in carbon. Please report it with the output of the same command under --debug.',
  refused: ({ id }) =>
    id === undefined
      ? 'Run `carbon register --help` for the list of fields. To send any other field, use --field.'
      : '',
  unauthorized:
    'Run `carbon whoami` to see which API key is used, or `carbon login` to store another.',
  payment_required:
    'Check the plan and billing of your account with the service. The API key was not rejected.',
  not_found: ({ id }) =>
    id === undefined
      ? 'Add identifying details, such as a country, website or LEI.'
      : 'Run `carbon register --name ...` to register an organization; it prints the id.',
  rate_limited: (error) =>
    requestedWait(error) ??
    'Try again later. If this continues, the quota of your plan may be used up.',
  service_failed: (error) =>
    requestedWait(error) ?? 'Try again later. It is safe to repeat the same command.',
  network:
    'Check the network and the base URL, then try again. It is safe to repeat the same command.',
  proxy: proxies,
  timeout: 'Try again later, or allow more time: CARBON_HTTP_TIMEOUT=60s.',
  base_url: 'Use a base URL such as https://api.example.com or https://host/path.',
  plain_http: 'Use https://. carbon accepts http:// only for this machine.',
  api_key: 'Copy the key again. It contains only visible ASCII characters and no spaces.',
  proxy_url:
    'Use a proxy such as http://host:3128 or http://user:password@host:3128. In the password, write %2F for / and %40 for @.',
  no_webassembly: 'Start Node.js without --jitless.',
  no_network_permission: 'Start Node.js with --allow-net.',
  unreadable_response: `${address}. A proxy between carbon and the service may have sent this response.`,
  redirect: 'If the service has moved there, use that address as the base URL.',
  unknown_path:
    'Check the base URL with `carbon whoami`: a path such as /v1 may be missing, or may not belong there.',
  unexpected_continue:
    'Turn off unrequested 100 Continue responses in the server or proxy. carbon cannot read the response that follows one.',
  tls_version: `The service must support TLS 1.2 or later. If this is the wrong server: ${address}.`,
  certificate_dates:
    'Check the clock of this machine. If it is right, the service must renew the certificate.',
  certificate_untrusted:
    'If your network inspects TLS, add its certificate authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
  row_failed: rowIsSentAgain,
  row_forbidden: `A firewall may reject the values in this row. ${rowIsSentAgain}`,
  proxy_unreachable: proxies,
  proxy_without_tls: ({ proxy }) =>
    `Use http:// in the proxy URL; most proxies require it even for https addresses: ${proxy?.from}=${proxy?.url.replace(/^https:/, 'http:')}`,
  proxy_login:
    'Add the user name and the password to the proxy URL: HTTPS_PROXY=http://user:password@host:port.',
};

/**
 * Returns the exit code of a failure: 1 to 6, and 8 for `pending`, which the command line never
 * throws.
 */
export function exitCodeOf({ code }: CarbonError): number {
  return exits[code];
}

/**
 * Returns the hint for a failure: the error's own, that of the error it wraps, or that of its
 * reason or code.
 */
export function hintOf(error: CarbonError): string | undefined {
  if (error instanceof HintedError) return error.hint;
  if (error.reason === undefined && error.cause instanceof CarbonError) return hintOf(error.cause);
  const hint = hints[error.reason ?? error.code] ?? (error.reason && `${address}.`);
  return (typeof hint === 'function' ? hint(error) : hint) || undefined;
}

/** Returns the JSON form of a failure. */
export function errorObject(error: CarbonError): ErrorObject {
  const { code, ...others } = error.toJSON();
  return { code, exit: exitCodeOf(error), ...others, hint: hintOf(error) };
}

const hourMs = 3_600_000;
const yearMs = 366 * 24 * hourMs;

/* A wait above one hour is that of a quota, not of a rate limit. */
function requestedWait({ status, retryAfterMs, retryAtMs }: CarbonError): string | undefined {
  if (retryAfterMs === undefined || retryAtMs === undefined || retryAfterMs < 1_000)
    return undefined;
  const quota = status === 429 ? 'The quota of your plan is probably used up. ' : '';
  if (retryAfterMs > yearMs)
    return `${quota}The service requests a wait of more than a year. Ask its operator.`;
  const until = new Date(retryAtMs).toISOString().replace(/\.\d+Z$/, 'Z');
  return retryAfterMs > hourMs
    ? `${quota}Try again after ${until}, as the service requests.`
    : `Wait ${Math.ceil(retryAfterMs / 1000)} s (until ${until}), as the service requests.`;
}
