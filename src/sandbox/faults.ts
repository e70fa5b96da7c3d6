import { UsageError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import {
  nothingMatches,
  notRegistered,
  type PlainRequest,
  problem,
  type SandboxResponse,
} from './routes.ts';

/** A failure that the sandbox injects into a share of the requests. */
export interface Fault {
  readonly kind: string;
  /** Probability per request, from 0 to 1. */
  readonly share: number;
}

type Make = (request: PlainRequest, handle: () => SandboxResponse, clock: Clock) => SandboxResponse;

const detail = 'Injected fault.';

function sendStatus(kind: string, headers?: (clock: Clock) => Record<string, string>): Make {
  const status = Number(kind);
  return ({ method, target }, _handle, clock) => {
    if (status !== 404) return problem(status, detail, headers?.(clock));
    return method === 'POST'
      ? nothingMatches(detail)
      : notRegistered(/^\/organizations\/([^?]*)/.exec(target)?.[1] ?? '');
  };
}

function sendPage(status: number, text: string): Make {
  const head = `<!doctype html>\n<html><head><title>${text}</title></head>`;
  const headers = { 'Content-Type': 'text/html; charset=utf-8' };
  return () => ({ status, headers, body: `${head}<body><h1>${text}</h1></body></html>\n` });
}

/* In reality, these faults occur after the service has done its work. */
function after(change: (response: SandboxResponse) => Partial<SandboxResponse>): Make {
  return (_request, handle) => {
    const response = handle();
    return { ...response, ...change(response) };
  };
}

const plainStatuses = ['400', '401', '404', '422', '429', '500', '502', '503'];
const redirect: Make = ({ target }) => ({
  status: 302,
  headers: { Location: `https://elsewhere.example.org${target}` },
  body: '',
});
const laterDate = (clock: Clock) => new Date(clock.now() + 2000).toUTCString();

/* Faults by their effect, as the help shows it. */
const groups: Readonly<Record<string, Readonly<Record<string, Make>>>> = {
  "this status with the service's error body; nothing is registered": Object.fromEntries(
    plainStatuses.map((kind) => [kind, sendStatus(kind)]),
  ),
  'status 504, but the organization is registered': {
    '504': (request, handle, clock) => handle() && sendStatus('504')(request, handle, clock),
  },
  'status 429 with Retry-After: 2 s, as a number or a date': {
    '429-seconds': sendStatus('429', () => ({ 'Retry-After': '2' })),
    '429-date': sendStatus('429', (clock) => ({ 'Retry-After': laterDate(clock) })),
  },
  'a web page of a proxy, with status 200 or 502': {
    html: sendPage(200, 'Sign in to this network'),
    'proxy-html': sendPage(502, '502 Bad Gateway'),
  },
  'a redirect to another host, with status 302': { redirect },
  'the request succeeds, but the body is empty, not JSON, or null': {
    empty: after(() => ({ body: '' })),
    notjson: after(({ body }) => ({ body: `OK ${body}` })),
    null: after(() => ({ body: 'null' })),
  },
  'the response stops halfway, or arrives at 10 bytes per second': {
    truncated: after(() => ({ delivery: 'truncated' })),
    slow: after(() => ({ delivery: 'slow' })),
  },
  'the request succeeds, then the connection is reset, or stays silent': {
    reset: after(() => ({ delivery: 'reset' })),
    silent: after(() => ({ delivery: 'silent' })),
  },
};

const faults = new Map(Object.values(groups).flatMap((each) => Object.entries(each)));

/** The names of the faults. */
export const faultKinds = [...faults.keys()];

/** The effects of the faults, as the help shows them. */
export const faultMeanings = Object.entries(groups).map(([meaning, each]) => ({
  kinds: Object.keys(each),
  meaning,
}));

/**
 * Parses a fault: `kind` or `kind:share`, with a share from 0 to 1 or in percent.
 *
 * @throws UsageError for an unknown kind or an invalid share
 */
export function parseFault(text: string): Fault {
  const [name = '', ...parts] = text.trim().split(':');
  const kind = faultKinds.find((each) => each === name.toLowerCase());
  if (kind === undefined)
    throw new UsageError(
      `--fault: unknown fault kind "${name}"`,
      `The kinds are ${faultKinds.join(', ')}.`,
    );
  if (parts.length === 0) return { kind, share: 1 };
  const given = parts.join(':');
  const [, number, percent] = /^(\d*\.?\d+)(%?)$/.exec(given) ?? [];
  const share = Number(number) / (percent ? 100 : 1);
  if (share <= 1) return { kind, share };
  throw new UsageError(
    `--fault: "${given}" is not a share of the requests`,
    `Write a share such as ${name}:5% or ${name}:0.05, at most 100% or 1.`,
  );
}

/** What decides on a fault, and dates it. */
interface Chance {
  /** Returns a number from 0 to 1, without 1. */
  random(): number;
  readonly clock: Clock;
}

/** Handles a request, with the first fault that its share of the requests selects. */
export function respondWithFaults(
  injected: readonly Fault[],
  { random, clock }: Chance,
  request: PlainRequest,
  handle: () => SandboxResponse,
): SandboxResponse {
  const fault = injected.find(({ share }) => random() < share);
  return (fault && faults.get(fault.kind)?.(request, handle, clock)) ?? handle();
}
