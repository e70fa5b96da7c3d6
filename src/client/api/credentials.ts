/*
 * Checks base URLs, API keys and durations, whether they come from a flag, a file or a program.
 */
import { InvalidInputError } from '../../runtime/carbon-error.ts';
import { isLoopback } from '../../runtime/proxy.ts';

/**
 * Checks a base URL and returns it without final slashes.
 *
 * Plain http is valid only for loopback addresses, because it would expose the key. Errors show at
 * most the origin, because any other part may contain a password or a key.
 * @param from source of the value, for the error
 */
export function checkBaseUrl(text: string, from: string): string {
  const invalid = (problem: string, hint?: string) =>
    new InvalidInputError(`${from}: ${problem}`, { reason: 'base_url', hint });
  const address = text.trim();
  if (isQuoted(address)) throw invalid(quoted);
  if (!/^https?:\/\//i.test(address)) {
    const meant = withScheme(address);
    throw invalid('the URL does not start with https://', meant && `Did you mean ${meant}?`);
  }
  // Also after a slash: a URL parser reads https://user:12/34@host as the host "user", but its
  // author meant a password.
  if (address.includes('@'))
    throw invalid('a base URL must not contain a user name, a password or an @');
  if (!URL.canParse(address)) throw invalid('not a URL');
  const url = new URL(address);
  // A URL has no `search` after a mere ?, but it is another address than the one without.
  if (/[?#]/.test(url.href)) throw invalid('the URL must not have a query or a fragment');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw invalid(`${url.origin} uses plain http, which would expose the API key`);
  }
  return url.href.replace(/\/+$/, '');
}

const quoted = 'remove the quotes around the value, which env files of Docker keep';

function isQuoted(text: string): boolean {
  return /^(["']).*\1$/s.test(text);
}

/*
 * Returns a host that lacks its scheme with the scheme; undefined for other text, which may be a
 * password or a key.
 */
function withScheme(address: string): string | undefined {
  const host = '(?:[a-z0-9-]{1,63}\\.){1,5}[a-z]{2,12}';
  const path = '(?::\\d{1,5})?(?:/[a-z0-9]{1,12}){0,3}/?$';
  if (new RegExp(`^${host}${path}`).test(address)) return `https://${address}`;
  const isLocal = new RegExp(`^(?:localhost|127[\\d.]{6,12}|\\[::1\\])${path}`).test(address);
  return isLocal ? `http://${address}` : undefined;
}

/** Returns a stored base URL for display; hides an invalid one, which may contain a secret. */
export function showBaseUrl(stored: string): string {
  try {
    return checkBaseUrl(stored, 'stored');
  } catch {
    return 'an invalid address';
  }
}

/** Checks that a header can contain the key (RFC 9110, section 5.5). Errors do not show it. */
export function checkKey(text: string, from: string): string {
  const key = text.trim();
  const invalid = (problem: string) =>
    new InvalidInputError(`${from}: ${problem}`, { reason: 'api_key' });
  if (isQuoted(key)) throw invalid(quoted);
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw invalid(key === '' ? 'the API key is empty' : 'the API key contains invalid characters');
}

/**
 * Checks a duration in milliseconds, which may be Infinity.
 *
 * A wait of NaN milliseconds, such as `Number(undefined)` yields, would never end.
 * @param isZeroAllowed whether 0 is valid
 */
export function checkDuration(ms: number, from: string, isZeroAllowed = false): number {
  if (ms > 0 || (isZeroAllowed && ms === 0)) return ms;
  const min = isZeroAllowed ? 'must be 0 or more' : 'must be greater than 0';
  throw new InvalidInputError(`${from}: a duration in milliseconds ${min}`);
}
