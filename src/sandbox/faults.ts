import { UsageError } from '../runtime/carbon-error.ts';
import type { Clock } from '../runtime/clock.ts';
import {
  jsonAnswer,
  nothingMatches,
  notRegistered,
  type PlainRequest,
  problem,
  type SandboxResponse,
  unauthorized,
} from './responses.ts';

/** Something that goes wrong on purpose with a share of the requests. */
export interface Fault {
  readonly kind: FaultKind;
  /** Probability per request, from 0 to 1. */
  readonly share: number;
}

/** The name of a fault: see `faultKinds`. */
export type FaultKind = keyof typeof faults;

type Make = (request: PlainRequest, handle: () => SandboxResponse, clock: Clock) => SandboxResponse;

const page = (text: string) =>
  `<!doctype html>\n<html><head><title>${text}</title></head><body><h1>${text}</h1></body></html>\n`;
const html = (status: number, text: string): SandboxResponse => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=utf-8' },
  body: page(text),
});
const tooMany = 'A fault was asked for: too many organizations.';

/*
 * Where the real thing happens after the service has done its work, the request is handled first
 * and only the answer is spoilt: a client that tries again then proves that registering twice is
 * harmless.
 */
const faults = {
  '400': () => problem(400, 'A fault was asked for: bad request.'),
  '401': () => unauthorized('A fault was asked for: unauthorized.'),
  '404': ({ method, target }) =>
    method === 'POST'
      ? nothingMatches('A fault was asked for: organization not found.')
      : notRegistered(/^\/organizations\/([^?]*)/.exec(target)?.[1] ?? ''),
  '422': () => problem(422, 'A fault was asked for: unrecognized parameters.'),
  '429': () => problem(429, tooMany),
  '429-seconds': () => problem(429, tooMany, { 'Retry-After': '2' }),
  '429-date': (_request, _handle, clock) =>
    problem(429, tooMany, { 'Retry-After': new Date(clock.now() + 2000).toUTCString() }),
  '500': () => problem(500, 'A fault was asked for: server error.'),
  '502': () => problem(502, 'A fault was asked for: bad gateway.'),
  '503': () => problem(503, 'A fault was asked for: service unavailable.'),
  '504': after(() => problem(504, 'A fault was asked for: gateway timeout.')),
  html: () => html(200, 'Sign in to this network'),
  'proxy-html': () => html(502, '502 Bad Gateway'),
  redirect: ({ target }) => ({
    status: 302,
    headers: { Location: `https://elsewhere.example.org${target}` },
    body: '',
  }),
  empty: after((answer) => ({ ...answer, body: '' })),
  notjson: after((answer) => ({ ...answer, body: `OK ${answer.body}` })),
  null: after((answer) => jsonAnswer(answer.status, 'null')),
  reset: after((answer) => ({ ...answer, delivery: 'reset' })),
  silent: after((answer) => ({ ...answer, delivery: 'silent' })),
  slow: after((answer) => ({ ...answer, delivery: 'slow' })),
  truncated: after((answer) => ({ ...answer, delivery: 'truncated' })),
} satisfies Record<string, Make>;

function after(spoil: (answer: SandboxResponse) => SandboxResponse): Make {
  return (_request, handle) => spoil(handle());
}

/** The names of the faults. */
export const faultKinds = Object.keys(faults) as FaultKind[];

/** What the faults do, those alike in one row: the source of the help. */
export const faultMeanings: readonly {
  readonly kinds: readonly FaultKind[];
  readonly meaning: string;
}[] = [
  {
    kinds: ['400', '401', '404', '422', '429', '500', '502', '503'],
    meaning: 'this status with the error body of the service; nothing is registered',
  },
  { kinds: ['504'], meaning: 'the same, but the organization is registered' },
  { kinds: ['429-seconds', '429-date'], meaning: '429 with a Retry-After of 2 s, in either form' },
  {
    kinds: ['html', 'proxy-html'],
    meaning: 'a web page with 200, or with 502, of something in between',
  },
  { kinds: ['redirect'], meaning: '302 to another host' },
  {
    kinds: ['empty', 'notjson', 'null'],
    meaning: 'the request is done, the body is not what it should be',
  },
  {
    kinds: ['truncated', 'slow'],
    meaning: 'the answer stops half way, or comes at 10 bytes a second',
  },
  {
    kinds: ['reset', 'silent'],
    meaning: 'the request is done, then the connection is reset, or no answer',
  },
];

/**
 * Reads a fault as `kind` or `kind:share`, the share from 0 to 1 or in percent.
 * @throws UsageError that lists the kinds, or says how a share is written
 */
export function parseFault(text: string): Fault {
  const [name = '', ...rest] = text.trim().split(':');
  const known = faultKinds.find((each) => each === name.toLowerCase());
  if (known === undefined) {
    throw new UsageError(
      `--fault: there is no kind of fault "${name}"`,
      `The kinds are ${faultKinds.join(', ')}.`,
    );
  }
  const share = rest.length === 0 ? 1 : readShare(rest.join(':'));
  if (share === undefined) {
    throw new UsageError(
      `--fault: "${rest.join(':')}" is not a share of the requests`,
      `A share is written like ${name}:5% or ${name}:0.05, at most 100% or 1.`,
    );
  }
  return { kind: known, share };
}

function readShare(text: string): number | undefined {
  const [, number, percent] = /^(\d*\.?\d+)(%?)$/.exec(text) ?? [];
  const share = Number(number) / (percent ? 100 : 1);
  return share <= 1 ? share : undefined;
}

/** Answers a request, or lets the first of the faults that its chance chooses spoil it. */
export function answerWithFaults(
  asked: readonly Fault[],
  random: () => number,
  clock: Clock,
  request: PlainRequest,
  handle: () => SandboxResponse,
): SandboxResponse {
  const struck = asked.find(({ share }) => random() < share);
  return struck === undefined ? handle() : faults[struck.kind](request, handle, clock);
}
