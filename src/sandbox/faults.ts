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
  readonly kind: string;
  /** Probability per request, from 0 to 1. */
  readonly share: number;
}

type Make = (request: PlainRequest, handle: () => SandboxResponse, clock: Clock) => SandboxResponse;

const html = (status: number, text: string): SandboxResponse => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=utf-8' },
  body: `<!doctype html>\n<html><head><title>${text}</title></head><body><h1>${text}</h1></body></html>\n`,
});
const tooMany = 'Injected fault: too many organizations.';

/*
 * Faults by their effect, as the help shows it. Those that occur in reality after the service has
 * done its work handle the request first and modify only the response. A client that retries then
 * proves that registering twice is harmless.
 */
const groups: readonly { readonly meaning: string; readonly faults: Record<string, Make> }[] = [
  {
    meaning: "this status with the service's error body; nothing is registered",
    faults: {
      '400': () => problem(400, 'Injected fault: bad request.'),
      '401': () => unauthorized('Injected fault: unauthorized.'),
      '404': ({ method, target }) =>
        method === 'POST'
          ? nothingMatches('Injected fault: organization not found.')
          : notRegistered(/^\/organizations\/([^?]*)/.exec(target)?.[1] ?? ''),
      '422': () => problem(422, 'Injected fault: unrecognized parameters.'),
      '429': () => problem(429, tooMany),
      '500': () => problem(500, 'Injected fault: server error.'),
      '502': () => problem(502, 'Injected fault: bad gateway.'),
      '503': () => problem(503, 'Injected fault: service unavailable.'),
    },
  },
  {
    meaning: 'status 504, but the organization is registered',
    faults: { '504': after(() => problem(504, 'Injected fault: gateway timeout.')) },
  },
  {
    meaning: 'status 429 with Retry-After: 2 s, as a number or a date',
    faults: {
      '429-seconds': () => problem(429, tooMany, { 'Retry-After': '2' }),
      '429-date': (_request, _handle, clock) =>
        problem(429, tooMany, { 'Retry-After': new Date(clock.now() + 2000).toUTCString() }),
    },
  },
  {
    meaning: 'a web page of a proxy, with status 200 or 502',
    faults: {
      html: () => html(200, 'Sign in to this network'),
      'proxy-html': () => html(502, '502 Bad Gateway'),
    },
  },
  {
    meaning: 'a redirect to another host, with status 302',
    faults: {
      redirect: ({ target }) => ({
        status: 302,
        headers: { Location: `https://elsewhere.example.org${target}` },
        body: '',
      }),
    },
  },
  {
    meaning: 'the request succeeds, but the body is empty, not JSON, or null',
    faults: {
      empty: after((response) => ({ ...response, body: '' })),
      notjson: after((response) => ({ ...response, body: `OK ${response.body}` })),
      null: after((response) => jsonResponse(response.status, 'null')),
    },
  },
  {
    meaning: 'the response stops halfway, or arrives at 10 bytes per second',
    faults: {
      truncated: after((response) => ({ ...response, delivery: 'truncated' })),
      slow: after((response) => ({ ...response, delivery: 'slow' })),
    },
  },
  {
    meaning: 'the request succeeds, then the connection is reset, or stays silent',
    faults: {
      reset: after((response) => ({ ...response, delivery: 'reset' })),
      silent: after((response) => ({ ...response, delivery: 'silent' })),
    },
  },
];

function after(modify: (response: SandboxResponse) => SandboxResponse): Make {
  return (_request, handle) => modify(handle());
}

const faults = new Map(groups.flatMap((group) => Object.entries(group.faults)));

/** The names of the faults. */
export const faultKinds = [...faults.keys()];

/** The effects of the faults, as the help shows them. */
export const faultMeanings = groups.map((group) => ({
  kinds: Object.keys(group.faults),
  meaning: group.meaning,
}));

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
  return (fault && faults.get(fault.kind)?.(request, handle, clock)) ?? handle();
}
