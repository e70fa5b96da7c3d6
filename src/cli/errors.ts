/*
 * What the command line makes of a failure: its exit code and what the user can do about it. The
 * errors themselves know neither.
 */
import {
  CarbonError,
  type CarbonErrorCode,
  type CarbonErrorReason,
  HintedError,
  type LoggedError,
} from '../runtime/carbon-error.ts';

/** The JSON form of an error, printed with `--json` and as a failed item of a stream. */
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
  unreadable_answer: 6,
  network: 6,
  timeout: 6,
  proxy: 6,
  pending: 8,
};

const address = 'Check the base URL with `carbon whoami`';
const rowIsSentAgain =
  'The same command sends the row again. After three such runs that register other rows, it goes to the failed-rows file.';
const proxies = 'HTTPS_PROXY names the proxy; NO_PROXY lists the hosts to be reached without it.';

/*
 * By reason where the code covers several cases; a reason that is missing here concerns the base
 * URL.
 */
const hints: Readonly<Partial<Record<CarbonErrorCode | CarbonErrorReason, Hint>>> = {
  bug: 'This is a bug of carbon: please report it with the output of the same command and --debug.',
  refused: ({ id }) =>
    id === undefined
      ? '`carbon register --help` lists the fields; --field sends one that it does not know.'
      : '',
  unauthorized:
    '`carbon whoami` shows which key is used and where it comes from; `carbon login` stores another.',
  payment_required:
    'Check the plan and the billing of the account with the service; the API key is not refused.',
  not_found: ({ id }) =>
    id === undefined
      ? 'More of what identifies the organization may help: a country, a website, an LEI.'
      : 'Only a registered organization has an id: `carbon register --name ...` answers with it.',
  rate_limited: (error) =>
    requestedWait(error) ??
    'Try again later. If it stays so, the quota of your plan may be used up.',
  service_failed: (error) =>
    requestedWait(error) ?? 'Try again later; the same command may be repeated safely.',
  network:
    'Check the network and the base URL, then try again; the same command may be repeated safely.',
  proxy: proxies,
  timeout: 'Try again later, or give it longer: CARBON_HTTP_TIMEOUT=60s.',
  base_url: 'A base URL looks like https://api.example.com or https://host/path.',
  plain_http: 'Use https://; plain http is accepted only for this machine itself.',
  api_key: 'Copy the key again; it has visible ASCII characters only, and no spaces.',
  proxy_url:
    'A proxy looks like http://host:3128 or http://user:password@host:3128, with %2F for a / in the password, %40 for an @.',
  no_webassembly: 'Start Node.js without --jitless.',
  no_network_permission: 'Start Node.js with --allow-net.',
  unreadable_answer: `${address}; a proxy in between may have answered instead.`,
  redirect: 'If that is the service, give its address as the base URL.',
  unknown_path:
    'A path such as /v1 may be missing from the base URL, or not belong there; `carbon whoami` shows it.',
  unexpected_continue:
    'carbon cannot read a response after a 100 Continue that it did not request: switch that off in the server or proxy.',
  tls_version: `The service has to be updated; if this is another one: ${address}.`,
  certificate_dates: 'If the clock of this machine is right, the service has to renew it.',
  certificate_untrusted:
    'If your network inspects TLS, NODE_EXTRA_CA_CERTS=/path/to/ca.pem adds its certificate authority.',
  row_failed: rowIsSentAgain,
  row_forbidden: `A firewall may reject the values of this row. ${rowIsSentAgain}`,
  proxy_unreachable: proxies,
  proxy_without_tls: ({ proxy }) =>
    `Most proxies speak plain http, also for https addresses: ${proxy?.from}=${proxy?.url.replace(/^https:/, 'http:')}`,
  proxy_login: 'HTTPS_PROXY=http://user:password@host:port names them.',
};

/**
 * Returns the exit code of a failure: 1 to 6, and 8 for `pending`, which the command line never
 * throws.
 */
export function exitCodeOf({ code }: CarbonError): number {
  return exits[code];
}

/**
 * Returns what the user can do about a failure, one sentence: what the error says itself, or that
 * of the error that it wraps, or that of its reason or code.
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

function requestedWait({ retryAfterMs, retryAtMs }: CarbonError): string | undefined {
  if (retryAfterMs === undefined || retryAtMs === undefined || retryAfterMs < 1_000)
    return undefined;
  const until = new Date(Math.min(retryAtMs, 8.64e15)).toISOString().replace(/\.\d+Z$/, 'Z');
  return `The service asks to wait ${Math.ceil(retryAfterMs / 1000)} s, until ${until}.`;
}
