import type { RateLimit } from '../../runtime/carbon-error.ts';

/**
 * Reads the rate limit from an answer's headers: `RateLimit` with `RateLimit-Policy` as structured
 * fields (draft-ietf-httpapi-ratelimit-headers, 08 and later) or as in draft 07, `RateLimit-Limit`,
 * `-Remaining` and `-Reset` (drafts up to 06), and the same with `X-` as services sent them before.
 * Of several limits it returns the one with the least left. What makes no sense is ignored; it
 * never throws.
 * @param headers names in lower case
 * @param nowWallMs milliseconds since 1970, for a reset that is told as a moment
 */
export function readRateLimit(
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  nowWallMs: number,
): RateLimit | undefined {
  // Most services tell none, and a batch asks a million times.
  if (!Object.keys(headers).some((name) => /rate-?limit/.test(name))) return undefined;
  const policies = parseList(headers['ratelimit-policy']).map(toPolicy).sort(byWindow);
  const told = [
    ...parseLimits(headers['ratelimit'], policies, nowWallMs),
    ...parseTriples(headers, policies, nowWallMs),
  ];
  const least = told.sort((a, b) => (a.remaining ?? Infinity) - (b.remaining ?? Infinity))[0];
  return least ?? policies.map(toLimit).find(isUseful);
}

interface Member {
  /** The item before its parameters: a name in quotes or bare, or a number. */
  readonly item: string;
  readonly parameters: ReadonlyMap<string, number>;
}

interface Policy {
  readonly name: string;
  readonly quota: number | undefined;
  readonly windowMs: number | undefined;
}

function toPolicy({ item, parameters }: Member): Policy {
  return {
    name: item,
    quota: atLeastOne(parameters.get('q') ?? toNumber(item)),
    windowMs: positive(times1000(parameters.get('w'))),
  };
}

function byWindow(a: Policy, b: Policy): number {
  return (a.windowMs ?? Infinity) - (b.windowMs ?? Infinity);
}

function toLimit({ quota, windowMs }: Policy): RateLimit {
  return { quota, windowMs, remaining: undefined, resetMs: undefined };
}

/** `"default";r=50;t=30`, or draft 07's `limit=100, remaining=50, reset=30`. */
function parseLimits(header: Header, policies: readonly Policy[], nowWallMs: number): RateLimit[] {
  const members = parseList(header);
  const dictionary = new Map(members.flatMap(({ parameters }) => [...parameters]));
  if (dictionary.has('remaining')) {
    return limit(
      policies,
      dictionary.get('limit'),
      dictionary.get('remaining'),
      dictionary.get('reset'),
      nowWallMs,
    );
  }
  return members.flatMap(({ item, parameters }) => {
    const own =
      policies.length === 1 ? policies : policies.filter((policy) => policy.name === item);
    return limit(own, own[0]?.quota, parameters.get('r'), parameters.get('t'), nowWallMs);
  });
}

/**
 * `RateLimit-Limit: 100, 100;w=60` with `RateLimit-Remaining` and `RateLimit-Reset`, with or without `X-`.
 */
function parseTriples(
  headers: Readonly<Record<string, Header>>,
  policies: readonly Policy[],
  nowWallMs: number,
): RateLimit[] {
  return ['ratelimit', 'x-ratelimit', 'x-rate-limit'].flatMap((prefix) => {
    const [quota, ...own] = parseList(headers[`${prefix}-limit`]).map(toPolicy);
    const remaining = toNumber(parseList(headers[`${prefix}-remaining`])[0]?.item);
    const reset = toNumber(parseList(headers[`${prefix}-reset`])[0]?.item);
    return limit([...own, ...policies], quota?.quota, remaining, reset, nowWallMs);
  });
}

function limit(
  policies: readonly Policy[],
  quota: number | undefined,
  remaining: number | undefined,
  reset: number | undefined,
  nowWallMs: number,
): RateLimit[] {
  const found: RateLimit = {
    quota: atLeastOne(quota),
    windowMs: policies.find((policy) => policy.quota === quota)?.windowMs,
    // Half a request cannot be sent; to pace by it would be to wait for years.
    remaining: remaining === undefined ? undefined : Math.floor(remaining),
    resetMs: toResetMs(reset, nowWallMs),
  };
  return isUseful(found) ? [found] : [];
}

function isUseful({ quota, windowMs, remaining, resetMs }: RateLimit): boolean {
  return (
    (quota !== undefined && windowMs !== undefined) ||
    (remaining !== undefined && resetMs !== undefined)
  );
}

/** A reset is a number of seconds, or else a moment: seconds or milliseconds since 1970. */
function toResetMs(reset: number | undefined, nowWallMs: number): number | undefined {
  if (reset === undefined) return undefined;
  if (reset < 1e9) return reset * 1000;
  return Math.max(0, (reset < 1e12 ? reset * 1000 : reset) - nowWallMs);
}

type Header = string | readonly string[] | undefined;

/**
 * Reads a list of items with numeric parameters (RFC 9651, generously); `key=1` counts as a
 * parameter.
 */
function parseList(header: Header): Member[] {
  const text = [header ?? []].flat().join(',').slice(0, 1000).toLowerCase();
  const members = text.match(/(?:"(?:[^"\\]|\\.)*"|[^",])+/g) ?? [];
  return members.map((member) => {
    const [, item = '', rest = ''] = /^\s*("(?:[^"\\]|\\.)*"|[^;]*)(.*)$/s.exec(member) ?? [];
    const parameters = new Map<string, number>();
    for (const [, key, value] of (item.startsWith('"') ? rest : member).matchAll(parameter)) {
      const number = toNumber(value);
      if (key !== undefined && number !== undefined) parameters.set(key, number);
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

function positive(number: number | undefined): number | undefined {
  return number !== undefined && number > 0 ? number : undefined;
}

function times1000(number: number | undefined): number | undefined {
  return number === undefined ? undefined : number * 1000;
}
