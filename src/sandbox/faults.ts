import { UsageError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import {
  jsonResponse,
  nothingMatches,
  notRegistered,
  type PlainRequest,
  problem,
  type SandboxResponse,
  unauthorized,
} from './responses.ts';

/** A failure that the sandbox injects into a share of the requests. */
export interface Fault {
  readonly kind: FaultKind;
  /** Probability per request, from 0 to 1. */
  readonly share: number;
}

/** The name of a fault, one of `faultKinds`. */
export type FaultKind = keyof typeof faults;

type Make = (request: PlainRequest, handle: () => SandboxResponse, clock: Clock) => SandboxResponse;

const page = (text: string) =>
  `<!doctype html>\n<html><head><title>${text}</title></head><body><h1>${text}</h1></body></html>\n`;
const html = (status: number, text: string): SandboxResponse => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=utf-8' },
  body: page(text),
});
const tooMany = 'Injected fault: too many organizations.';

/*
 * Faults that occur in reality after the service has done its work handle the request first and
 * modify only the response. A client that retries then proves that registering twice is harmless.
 */
const faults = {
  '400': () => problem(400, 'Injected fault: bad request.'),
  '401': () => unauthorized('Injected fault: unauthorized.'),
  '404': ({ method, target }) =>
    method === 'POST'
      ? nothingMatches('Injected fault: organization not found.')
      : notRegistered(/^\/organizations\/([^?]*)/.exec(target)?.[1] ?? ''),
  '422': () => problem(422, 'Injected fault: unrecognized parameters.'),
  '429': () => problem(429, tooMany),
  '429-seconds': () => problem(429, tooMany, { 'Retry-After': '2' }),
  '429-date': (_request, _handle, clock) =>
    problem(429, tooMany, { 'Retry-After': new Date(clock.now() + 2000).toUTCString() }),
  '500': () => problem(500, 'Injected fault: server error.'),
  '502': () => problem(502, 'Injected fault: bad gateway.'),
  '503': () => problem(503, 'Injected fault: service unavailable.'),
  '504': after(() => problem(504, 'Injected fault: gateway timeout.')),
  html: () => html(200, 'Sign in to this network'),
  'proxy-html': () => html(502, '502 Bad Gateway'),
  redirect: ({ target }) => ({
    status: 302,
    headers: { Location: `https://elsewhere.example.org${target}` },
    body: '',
  }),
  empty: after((response) => ({ ...response, body: '' })),
  notjson: after((response) => ({ ...response, body: `OK ${response.body}` })),
  null: after((response) => jsonResponse(response.status, 'null')),
  reset: after((response) => ({ ...response, delivery: 'reset' })),
  silent: after((response) => ({ ...response, delivery: 'silent' })),
  slow: after((response) => ({ ...response, delivery: 'slow' })),
  truncated: after((response) => ({ ...response, delivery: 'truncated' })),
} satisfies Record<string, Make>;

function after(modify: (response: SandboxResponse) => SandboxResponse): Make {
  return (_request, handle) => modify(handle());
}

/** The names of the faults. */
export const faultKinds = Object.keys(faults) as FaultKind[];

/** The effects of the faults, as the help shows them. */
export const faultMeanings: readonly {
  readonly kinds: readonly FaultKind[];
  readonly meaning: string;
}[] = [
  {
    kinds: ['400', '401', '404', '422', '429', '500', '502', '503'],
    meaning: "this status with the service's error body; nothing is registered",
  },
  { kinds: ['504'], meaning: 'status 504, but the organization is registered' },
  {
    kinds: ['429-seconds', '429-date'],
    meaning: 'status 429 with Retry-After: 2 s, as a number or a date',
  },
  {
    kinds: ['html', 'proxy-html'],
    meaning: 'a web page of a proxy, with status 200 or 502',
  },
  { kinds: ['redirect'], meaning: 'a redirect to another host, with status 302' },
  {
    kinds: ['empty', 'notjson', 'null'],
    meaning: 'the request succeeds, but the body is empty, not JSON, or null',
  },
  {
    kinds: ['truncated', 'slow'],
    meaning: 'the response stops halfway, or arrives at 10 bytes per second',
  },
  {
    kinds: ['reset', 'silent'],
    meaning: 'the request succeeds, then the connection is reset, or stays silent',
  },
];

/**
 * Parses a fault: `kind` or `kind:share`, with a share from 0 to 1 or in percent.
 *
 * @throws UsageError for an unknown kind or an invalid share
 */
export function parseFault(text: string): Fault {
  const [name = '', ...parts] = text.trim().split(':');
  const known = faultKinds.find((each) => each === name.toLowerCase());
  if (known === undefined) {
    throw new UsageError(
      `--fault: unknown fault kind "${name}"`,
      `The kinds are ${faultKinds.join(', ')}.`,
    );
  }
  const share = parts.length === 0 ? 1 : readShare(parts.join(':'));
  if (share === undefined) {
    throw new UsageError(
      `--fault: "${parts.join(':')}" is not a share of the requests`,
      `Write a share such as ${name}:5% or ${name}:0.05, at most 100% or 1.`,
    );
  }
  return { kind: known, share };
}

function readShare(text: string): number | undefined {
  const [, number, percent] = /^(\d*\.?\d+)(%?)$/.exec(text) ?? [];
  const share = Number(number) / (percent ? 100 : 1);
  return share <= 1 ? share : undefined;
}

/** Handles a request, with the first fault that its share of the requests selects. */
export function respondWithFaults(
  injected: readonly Fault[],
  random: () => number,
  clock: Clock,
  request: PlainRequest,
  handle: () => SandboxResponse,
): SandboxResponse {
  const fault = injected.find(({ share }) => random() < share);
  return fault === undefined ? handle() : faults[fault.kind](request, handle, clock);
}
