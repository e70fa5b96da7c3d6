import type { Clock } from '../clock.ts';
import { UsageError } from '../errors.ts';
import {
  type Answer,
  jsonAnswer,
  nothingMatches,
  notRegistered,
  type PlainRequest,
  problem,
  unauthorized,
} from './answers.ts';

/** Something that goes wrong on purpose with a share of the requests. */
export interface Fault {
  readonly kind: FaultKind;
  /** Probability per request, from 0 to 1. */
  readonly share: number;
}

/** The name of a fault: see `faultKinds`. */
export type FaultKind = keyof typeof faults;

type Make = (request: PlainRequest, handle: () => Answer, clock: Clock) => Answer;

const page = (text: string) =>
  `<!doctype html>\n<html><head><title>${text}</title></head><body><h1>${text}</h1></body></html>\n`;
const html = (status: number, text: string): Answer => ({
  status,
  headers: { 'Content-Type': 'text/html; charset=utf-8' },
  body: page(text),
});
const tooMany = 'A fault was asked for: too many organizations.';

/*
 * Where the real thing happens after the service has done its work, the request is handled first and only
 * the answer is spoilt: a client that tries again then proves that registering twice is harmless.
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

function after(spoil: (answer: Answer) => Answer): Make {
  return (_request, handle) => spoil(handle());
}

/**
 * The kinds of fault. Numbers answer with that status and the specification's error body, nothing stored
 * except before 504; `429-seconds` and `429-date` add a Retry-After of two seconds, in either form of RFC
 * 9110 section 10.2.3. `html` is a 200 with a web page, `proxy-html` a 502 with one, `redirect` a 302 to
 * another origin, all without the service. The rest handles the request and spoils the answer: `empty`,
 * `notjson`, `null` its body; `reset` resets the connection, `silent` never answers, `slow` sends a byte
 * each tenth of a second, `truncated` closes half way.
 */
export const faultKinds = Object.keys(faults) as FaultKind[];

/**
 * Reads a fault as `kind` or `kind:share`, the share from 0 to 1 or in percent.
 * @throws UsageError that lists the kinds
 */
export function parseFault(text: string): Fault {
  const [, kind, number, percent] = /^([a-z0-9-]+)(?::(\d*\.?\d+)(%?))?$/i.exec(text.trim()) ?? [];
  const known = faultKinds.find((each) => each === kind?.toLowerCase());
  const share = number === undefined ? 1 : Number(number) / (percent ? 100 : 1);
  if (known === undefined || !(share <= 1)) {
    throw new UsageError(
      `"${text}" is not a fault: it is a kind, or a kind and its share, such as 500:5% or reset:0.01`,
      `The kinds are ${faultKinds.join(', ')}.`,
    );
  }
  return { kind: known, share };
}

/** Answers a request, or lets the first of the faults that its chance chooses spoil it. */
export function answerWithFaults(
  asked: readonly Fault[],
  random: () => number,
  clock: Clock,
  request: PlainRequest,
  handle: () => Answer,
): Answer {
  const struck = asked.find(({ share }) => random() < share);
  return struck === undefined ? handle() : faults[struck.kind](request, handle, clock);
}
