/*
 * Maps each failure to an exit code and a hint for the user. The errors themselves know neither.
 */
import {
  CarbonError,
  type CarbonErrorCode,
  type CarbonErrorReason,
  HintedError,
  InvalidInputError,
  type LoggedError,
} from '../runtime/carbon-error.ts';
import { command, type Hint, hint, hintText } from '../runtime/hint.ts';

export interface ErrorObject extends LoggedError {
  readonly exit: number;
  readonly hint?: string | undefined;
}

type HintFor = Hint | ((error: CarbonError) => Hint | undefined);

interface Failure {
  readonly exit: number;
  readonly meaning: string;
  readonly hint?: HintFor;
}

/** Every code with the exit code of the command, its meaning and what to do about it. */
export const failures: Readonly<Record<CarbonErrorCode, Failure>> = {
  usage: { exit: 2, meaning: 'the command line or the environment is wrong' },
  invalid_input: {
    exit: 2,
    meaning: 'an argument, a file or a field is invalid; nothing was sent',
  },
  no_base_url: { exit: 2, meaning: 'no base URL is configured' },
  no_key: { exit: 4, meaning: 'no API key is configured for the base URL' },
  unauthorized: {
    exit: 4,
    meaning: 'the service rejected the API key or does not allow the request (401, 403)',
    hint: hint`Run ${command`whoami`} to see which API key is used, or ${command`login`} to store another.`,
  },
  payment_required: {
    exit: 4,
    meaning: 'the account does not allow the request (402)',
    hint: 'Check the plan and billing of your account with the service. The API key was not rejected.',
  },
  rejected: {
    exit: 3,
    meaning: 'the service rejected the data (400 and 422)',
    hint: ({ id }) =>
      id === undefined
        ? 'Run `carbon register --help` for the list of fields. A service may reject others, set with --field.'
        : undefined,
  },
  not_found: {
    exit: 5,
    meaning: 'the service knows no such organization (404)',
    hint: ({ id }) =>
      id === undefined
        ? 'Add identifying details, such as a country, website or LEI.'
        : hint`The IDs of a list: ${command`list <list> --columns id,name`}. For a new organization: ${command`register --name "<name>"`}.`,
  },
  rate_limited: {
    exit: 6,
    meaning: 'too many requests (429), or a quota is used up',
    hint: waitForLimit,
  },
  service_failed: {
    exit: 6,
    meaning: 'the service failed (5xx)',
    hint: (error) =>
      requestedWait(error) ?? 'Try again later. It is safe to repeat the same command.',
  },
  unreadable_response: {
    exit: 6,
    meaning: 'the response is not in the form of the specification',
    hint: hint`Check the base URL with ${command`whoami`}. A proxy between carbon and the service may have sent this response.`,
  },
  network: {
    exit: 6,
    meaning: 'the service or the proxy could not be reached',
    hint: checkNetwork,
  },
  timeout: {
    exit: 6,
    meaning: 'the service did not respond in time',
    hint: 'Try again later, or allow more time: CARBON_HTTP_TIMEOUT=60s.',
  },
  proxy: {
    exit: 6,
    meaning: 'the proxy refused the connection or cannot be used',
    hint: checkProxy,
  },
  not_sent: {
    exit: 8,
    meaning: 'the run ended before it sent this row of the list, or at its limit',
    hint: 'Run the same command again.',
  },
  pending: { exit: 8, meaning: 'research was still in progress at the time limit' },
  local: { exit: 1, meaning: 'a failure of this machine, such as a full disk' },
  interrupted: { exit: 1, meaning: 'a signal ended the run' },
  bug: {
    exit: 1,
    meaning: 'an unexpected failure of carbon itself',
    hint: 'This is a bug in carbon. Please report it with the output of the same command under --debug.',
  },
};

const reasonHints: Readonly<Record<CarbonErrorReason, HintFor>> = {
  base_url: 'Use a base URL such as https://api.example.com/v1, or http:// for this machine only.',
  api_key: 'Copy the key again. It contains only visible ASCII characters and no spaces.',
  proxy_url:
    'Use a proxy such as http://host:3128 or http://USER:PASSWORD@host:3128. In the password, write %2F for / and %40 for @.',
  connection_lost: checkNetwork,
  redirect: 'If the service has moved there, use that address as the base URL.',
  unknown_path: hint`Check the base URL with ${command`whoami`}: a path such as /v1 may be missing, or may not belong there.`,
  wrong_address: hint`Check the base URL with ${command`whoami`}.`,
  certificate_dates:
    'Check the clock of this machine. If it is right, the service must renew the certificate.',
  certificate_untrusted:
    'If your network inspects TLS, add its certificate authority: NODE_EXTRA_CA_CERTS=/path/to/ca.pem.',
  proxy_login: ({ proxy }) =>
    `Put the user name and the password into the proxy URL: ${proxy?.from}=http://USER:PASSWORD@host:port.`,
  proxy_scheme: ({ proxy }) =>
    `Run a local proxy that signs in to it, such as cntlm or px, and use that: ${proxy?.from}=http://127.0.0.1:3128.`,
  quota: waitForLimit,
  row_failed: 'Run the same command again to retry the row.',
};

function checkNetwork(error: CarbonError): string {
  return (
    checkProxy(error) ??
    'Check the network and the base URL, then try again. It is safe to repeat the same command.'
  );
}

function checkProxy({ proxy }: CarbonError): string | undefined {
  return proxy && `Check the proxy in ${proxy.from}, and NO_PROXY, the hosts to reach without it.`;
}

/** Says that the user answered no before anything was sent, with exit code 2. */
export class Declined extends Error {
  override readonly name = 'Declined';
  constructor() {
    super('Nothing was sent.');
  }
}

export function exitCodeOf({ code }: CarbonError): number {
  return failures[code].exit;
}

/**
 * Returns the hint for a failure: the error's own, that of the error it wraps, or that of its
 * reason or code.
 */
export function hintOf(error: CarbonError): Hint | undefined {
  if (error instanceof HintedError) return error.hint;
  if (error instanceof InvalidInputError && error.hint !== undefined) return error.hint;
  if (error.reason === undefined && error.cause instanceof CarbonError) return hintOf(error.cause);
  // A journal may contain a reason of another version.
  const found = (error.reason && reasonHints[error.reason]) ?? failures[error.code].hint;
  return typeof found === 'function' ? found(error) : found;
}

export function errorObject(error: CarbonError): ErrorObject {
  const { code, ...others } = error.toJSON();
  const found = hintOf(error);
  return { code, exit: exitCodeOf(error), ...others, hint: found && hintText(found) };
}

function waitForLimit(error: CarbonError): string {
  return (
    requestedWait(error) ??
    'Try again later. If this continues, the quota of your plan may be used up.'
  );
}

/** Returns what to do about a Retry-After of a second or more; undefined without one. */
export function requestedWait({
  retryAfterMs = 0,
  retryAtMs = Number.NaN,
}: CarbonError): string | undefined {
  const until = new Date(retryAtMs);
  if (retryAfterMs < 1_000 || Number.isNaN(until.getTime())) return undefined;
  const time = until.toISOString().replace(/\.\d+Z$/, 'Z');
  return `Try again after ${time}, as the service requests.`;
}

/** The exit codes of a run that did its work to the end, even if research or rows failed. */
export const finishedExits: readonly number[] = [0, 7, 8, 9];

export const signalExits = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** Returns the exit code for what stopped a run: 0 for anything but a signal. */
export function exitOfSignal(name: string): number {
  return new Map<string, number>(Object.entries(signalExits)).get(name) ?? 0;
}

/**
 * Returns the exit code of one failed item of several. Exit 2 means that nothing was sent, which is
 * wrong for a bad line among good ones.
 */
export function exitCodeOfItem(error: CarbonError): number {
  const exit = exitCodeOf(error);
  return exit === 2 ? 9 : exit;
}

/**
 * Combines the exit codes of several items: 0 if all succeeded, the code that all failed items
 * share, else 9.
 */
export function combineExits(codes: Iterable<number>): number {
  const failures = new Set(codes);
  failures.delete(0);
  const [first = 0, second] = failures;
  return second === undefined ? first : 9;
}

/** Says why the service rejected a row, next to words that say which row it is. */
export function describeRejection({ title, detail, message }: CarbonError): string {
  const texts = [title, detail?.replace(/\.$/, '')].filter((text) => text);
  return texts.length > 0 ? texts.join(': ') : message;
}
