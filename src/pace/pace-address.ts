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

function invalid(what: string): UsageError {
  return new UsageError(
    `CARBON_PACE: ${what}`,
    'Use redis://host:6379/0, rediss://host:6379/0 (TLS) or unix:///run/redis.sock.',
  );
}

/**
 * Reads the value of CARBON_PACE.
 *
 * @throws UsageError, never with the password
 */
export function readPaceAddress(text: string): PaceAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const scheme = url?.protocol;
  if (url === undefined || !/^(rediss?|unix|redis\+unix):$/.test(scheme ?? ''))
    throw invalid('not the URL of a Redis or Valkey server');
  const password = decode(url.password) || url.searchParams.get('password') || undefined;
  const username = decode(url.username) || url.searchParams.get('user') || undefined;
  if (username !== undefined && password === undefined)
    throw invalid('the URL has a user but no password');
  const login = { username, password };
  const isSocket = scheme === 'unix:' || scheme === 'redis+unix:';
  return isSocket ? socketAddress(url, login) : tcpAddress(url, login);
}

type Login = Pick<PaceAddress, 'username' | 'password'>;

function tcpAddress(url: URL, login: Login): PaceAddress {
  const { hostname, port, pathname, search, hash } = url;
  if (hostname === '' || search !== '' || hash !== '') throw invalid('invalid URL');
  const database = readDatabase(pathname.replace(/^\/$/, '').slice(1));
  const hasTls = url.protocol === 'rediss:';
  const number = port === '' ? 6379 : Number(port);
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: number,
    path: undefined,
    hasTls,
    database,
    ...login,
    shown: `${url.protocol}//${hostname}:${number}/${database}`,
  };
}

function socketAddress(url: URL, login: Login): PaceAddress {
  const path = decode(url.pathname);
  if (url.host !== '' || !/^\/./.test(path)) {
    throw invalid('the path of the Unix socket must be absolute');
  }
  const database = readDatabase(url.searchParams.get('db') ?? '');
  const shown = `unix://${path}?db=${database}`;
  return { host: undefined, port: 0, path, hasTls: false, database, ...login, shown };
}

function readDatabase(text: string): number {
  if (!/^\d{0,5}$/.test(text)) throw invalid('the database in the URL is not a number');
  return Number(text);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UsageError(
      `CARBON_PACE: the URL has an invalid percent escape`,
      'Write special characters of a password as %XX.',
    );
  }
}
