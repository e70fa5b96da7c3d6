import type { RateLimit } from '../../runtime/carbon-error.ts';

type Header = string | readonly string[] | undefined;

/** Header names in lower case, with their values. */
type Headers = Readonly<Record<string, Header>>;

/**
 * Returns the time of a response in milliseconds since 1970, from its `Date` header: a point in
 * time in another header is one of the service's clock.
 * @param now local time, for a response without a valid date
 */
export function responseTime(headers: Headers, now: number): number {
  const time = Date.parse(String(headers['date'] ?? ''));
  return Number.isNaN(time) ? now : time;
}

/**
 * Reads the rate limit from response headers; never throws.
 *
 * Supports `RateLimit` with `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers, 08 and
 * later), and `RateLimit-Limit`, `-Remaining` and `-Reset` (up to draft 06) with or without `X-`.
 * Returns the limit with the fewest remaining requests, and ignores invalid values.
 * @param now local time in milliseconds since 1970, for a reset that is a point in time
 */
export function readRateLimit(headers: Headers, now: number): RateLimit | undefined {
  // A fast path for the usual response without such headers.
  if (!Object.keys(headers).some((name) => /rate-?limit/.test(name))) return undefined;
  const nowWallMs = responseTime(headers, now);
  const policies = parseList(headers['ratelimit-policy']).map(toPolicy);
  const limits = [
    ...parseLimits(headers['ratelimit'], policies),
    ...parseTriples(headers, policies),
  ]
    .map((given) => toLimit(given, nowWallMs))
    .filter(isUseful)
    .sort((a, b) => (a.remaining ?? Infinity) - (b.remaining ?? Infinity));
  return limits[0];
}

interface Member {
  /** Item before its parameters: a name, quoted or not, or a number. */
  readonly item: string;
  readonly parameters: ReadonlyMap<string, number>;
}

interface Policy {
  readonly name: string;
  readonly quota: number | undefined;
  readonly windowMs: number | undefined;
}

function toPolicy({ item, parameters }: Member): Policy {
  const seconds = parameters.get('w');
  return {
    name: item,
    quota: atLeastOne(parameters.get('q') ?? toNumber(item)),
    windowMs: seconds ? seconds * 1000 : undefined,
  };
}

/** Numbers of one limit, and the policies that it may be of. */
interface Given {
  readonly policies: readonly Policy[];
  readonly quota: number | undefined;
  readonly remaining: number | undefined;
  readonly reset: number | undefined;
}

/** Parses `"default";r=50;t=30`. */
function parseLimits(header: Header, policies: readonly Policy[]): Given[] {
  return parseList(header).map(({ item, parameters }) => {
    const matching =
      policies.length === 1 ? policies : policies.filter((policy) => policy.name === item);
    return {
      policies: matching,
      quota: matching[0]?.quota,
      remaining: parameters.get('r'),
      reset: parameters.get('t'),
    };
  });
}

function parseTriples(headers: Headers, policies: readonly Policy[]): Given[] {
  return ['ratelimit', 'x-ratelimit'].map((prefix) => {
    const [quota, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
      toNumber(parseList(headers[`${prefix}-${name}`])[0]?.item),
    );
    return { policies, quota, remaining, reset };
  });
}

function toLimit({ policies, quota, remaining, reset }: Given, nowWallMs: number): RateLimit {
  return {
    quota: atLeastOne(quota),
    windowMs: policies.find((policy) => policy.quota === quota)?.windowMs,
    // A fraction of a request would make the pacer wait for years.
    remaining: remaining === undefined ? undefined : Math.floor(remaining),
    resetMs: toResetMs(reset, nowWallMs),
  };
}

function isUseful({ quota, windowMs, remaining, resetMs }: RateLimit): boolean {
  return (
    (quota !== undefined && windowMs !== undefined) ||
    (remaining !== undefined && resetMs !== undefined)
  );
}

/** Converts a reset to milliseconds: a number of seconds, or seconds or milliseconds since 1970. */
function toResetMs(reset: number | undefined, nowWallMs: number): number | undefined {
  if (reset === undefined) return undefined;
  if (reset < 1e9) return reset * 1000;
  return Math.max(0, (reset < 1e12 ? reset * 1000 : reset) - nowWallMs);
}

/** Parses a list of items with numeric parameters (RFC 9651, leniently); `key=1` is a parameter. */
function parseList(header: Header): Member[] {
  const text = [header ?? []].flat().join(',').slice(0, 1000).toLowerCase();
  const members = text.split(',').filter((member) => member.trim() !== '');
  return members.map((member) => {
    const [item = ''] = member.split(';', 1);
    const parameters = new Map<string, number>();
    for (const [, key = '', value] of member.matchAll(parameter)) {
      const number = toNumber(value);
      if (number !== undefined) parameters.set(key, number);
    }
    return { item: item.trim(), parameters };
  });
}

const parameter = /([a-z_-]+)\s*=\s*"?(\d+(?:\.\d+)?)/g;

function toNumber(text: string | undefined): number | undefined {
  const number = /^\d{1,15}(?:\.\d{1,15})?$/.test(text ?? '') ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

function atLeastOne(number: number | undefined): number | undefined {
  return number !== undefined && number >= 1 ? number : undefined;
}
