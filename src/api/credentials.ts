/*
 * What makes an address and a key usable, whether they come from a flag, a file or a program.
 */
import { InvalidInputError } from '../runtime/carbon-error.ts';
import { isLoopback } from '../runtime/proxy.ts';

/**
 * Checks the address of a service and drops its final slash. Plain http is accepted only on
 * loopback, because the key would travel readable. The error shows nothing of an address that may
 * have a password or a key in it, in whatever form: at most its origin.
 */
export function checkBaseUrl(text: string, from: string): string {
  const wrong = (problem: string, reason: 'base_url' | 'plain_http' = 'base_url') =>
    new InvalidInputError(`${from}: ${problem}`, reason);
  const address = text.trim();
  if (!/^https?:\/\//i.test(address)) {
    // Quotes nothing but a loopback address: other text may be a password or a key.
    const local = /^(?:localhost|127[\d.]+|\[::1])(?::\d+)?(?=\/|$)/i.exec(address)?.[0];
    if (local !== undefined) throw wrong(`the address has no scheme: write http://${local}`);
    throw wrong(
      URL.canParse(address) ? 'the address does not begin with https://' : 'this is not a URL',
    );
  }
  // Also behind a slash: https://user:12/34@host is the host "user" to a URL parser, and a password
  // to its author.
  if (address.includes('@'))
    throw wrong('a base URL must not contain a user name or password, or any @');
  if (!URL.canParse(address)) throw wrong('this is not a URL');
  const url = new URL(address);
  if (url.search || url.hash)
    throw wrong(`the address on ${url.origin} must not have a query or a fragment`);
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw wrong(
      `${url.origin} is plain http, on which anybody could read the API key`,
      'plain_http',
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** An address that was stored by hand or by another program, as it may be shown. */
export function showBaseUrl(stored: string): string {
  try {
    return checkBaseUrl(stored, 'stored');
  } catch {
    return 'an invalid address';
  }
}

/**
 * Checks that a key can be sent in a header (RFC 9110, section 5.5); the error does not show it.
 */
export function checkKey(text: string, from: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new InvalidInputError(
    key === ''
      ? `${from}: the API key is empty`
      : `${from}: the API key has characters that no key has`,
    'api_key',
  );
}
