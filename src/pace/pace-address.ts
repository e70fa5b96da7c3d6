import { UsageError } from '../runtime/carbon-error.ts';

/** Locates a Redis or Valkey server and the login for it. */
export interface PaceAddress {
  /** Host, without the brackets of an IPv6 address; undefined for a Unix socket. */
  readonly host: string | undefined;
  readonly port: number;
  /** Path of a Unix socket. */
  readonly path: string | undefined;
  readonly hasTls: boolean;
  readonly database: number;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** The address without the password, for messages. */
  readonly shown: string;
}

/**
 * Reads the value of CARBON_PACE.
 *
 * @throws UsageError, never with the password
 */
export function readPaceAddress(text: string): PaceAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^(rediss?|unix|redis\+unix):$/.test(url.protocol))
    throw invalid('not the URL of a Redis or Valkey server');
  const { protocol, hostname, searchParams } = url;
  const isSocket = /unix/.test(protocol);
  const pathname = decode(url.pathname);
  const isValid = isSocket
    ? url.host === '' && /^\/./.test(pathname)
    : hostname !== '' && url.search === '' && url.hash === '';
  if (!isValid) throw invalid(isSocket ? 'not an absolute path of a Unix socket' : 'invalid URL');
  const username = decode(url.username) || searchParams.get('user') || undefined;
  const password = decode(url.password) || searchParams.get('password') || undefined;
  if (username !== undefined && password === undefined)
    throw invalid('the URL has a user but no password');
  const database = (isSocket ? searchParams.get('db') : pathname.slice(1)) ?? '';
  if (!/^\d{0,5}$/.test(database)) throw invalid('the database in the URL is not a number');
  const port = isSocket ? 0 : Number(url.port || 6379);
  return {
    host: isSocket ? undefined : hostname.replace(/^\[(.*)\]$/, '$1'),
    port,
    path: isSocket ? pathname : undefined,
    hasTls: protocol === 'rediss:',
    database: Number(database),
    username,
    password,
    shown: isSocket
      ? `unix://${pathname}?db=${Number(database)}`
      : `${protocol}//${hostname}:${port}/${Number(database)}`,
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalid('the URL has an invalid percent escape');
  }
}

function invalid(what: string): UsageError {
  return new UsageError(
    `CARBON_PACE: ${what}`,
    'Use redis://host:6379/0, rediss://host:6379/0 (TLS) or unix:///run/redis.sock. Write special characters of a password as %XX.',
  );
}
