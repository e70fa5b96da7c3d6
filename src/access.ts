/*
 * What makes an address and a key usable, whether they come from a flag, a file or a program.
 */
import { UsageError } from './errors.ts';
import { isLoopback } from './proxy.ts';

/**
 * Checks the address of a service and drops its final slash. Plain http is accepted only on loopback,
 * because the key would travel readable.
 */
export function checkBaseUrl(text: string, from: string): string {
  const wrong = (
    problem: string,
    hint = 'A base URL looks like https://api.example.com or https://host/path.',
  ) => new UsageError(`${from}: ${problem}`, hint, 'invalid_input');
  // Never with the password that it may have.
  const shown = text.replace(/\/\/.*@/s, '//').replace(/[?#].*/s, '');
  if (!URL.canParse(text.trim())) throw wrong(`"${shown}" is not a URL`);
  const url = new URL(text.trim());
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw wrong(`"${shown}" does not begin with https://`);
  if (url.username || url.password) throw wrong('a base URL must not contain a user name or password');
  if (url.search || url.hash) throw wrong(`"${shown}" must not have a query or a fragment`);
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw wrong(
      `${url.origin} is plain http, on which anybody could read the API key`,
      'Use https://; plain http is accepted only for this machine itself.',
    );
  }
  return url.href.replace(/\/+$/, '');
}

/** Checks that a key can be sent in a header (RFC 9110, section 5.5); the error does not show it. */
export function checkKey(text: string, from: string): string {
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new UsageError(
    key === '' ? `${from}: the API key is empty` : `${from}: the API key has characters that no key has`,
    'Copy the key again; it has visible ASCII characters only, and no spaces.',
    'invalid_input',
  );
}
