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

const hint = 'Use redis://host:6379/0, rediss://host:6379/0 (TLS) or unix:///run/redis.sock.';

/**
 * Reads the address of the shared pace.
 *
 * @param from `--pace` or `CARBON_PACE`, for messages; only the variable may contain a password,
 * because other users of the machine can read command lines
 * @throws UsageError, never with the password
 */
export function readPaceAddress(text: string, from: '--pace' | 'CARBON_PACE'): PaceAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const secret = decode(url?.password ?? '', from) || url?.searchParams.get('password') || '';
  if (from === '--pace' && (secret !== '' || /:\/\/[^/]*:[^/]*@/.test(text))) {
    throw new UsageError(
      '--pace: the URL contains a password, which other users of this machine can read',
      'Put the URL into the environment variable CARBON_PACE instead.',
    );
  }
  const scheme = url?.protocol;
  if (url === undefined || !/^(rediss?|unix|redis\+unix):$/.test(scheme ?? ''))
    throw new UsageError(`${from}: not the URL of a Redis or Valkey server`, hint);
  const username = decode(url.username, from) || url.searchParams.get('user') || undefined;
  const login = { username, password: secret || undefined };
  if (login.username !== undefined && login.password === undefined)
    throw new UsageError(
      `${from}: the URL has a user but no password`,
      'Put the URL with user and password into the environment variable CARBON_PACE.',
    );
  const isSocket = scheme === 'unix:' || scheme === 'redis+unix:';
  return isSocket ? socketAddress(url, from, login) : tcpAddress(url, from, login);
}

type Login = Pick<PaceAddress, 'username' | 'password'>;

function tcpAddress(url: URL, from: string, login: Login): PaceAddress {
  const { hostname, port, pathname, search, hash } = url;
  if (hostname === '' || search !== '' || hash !== '')
    throw new UsageError(`${from}: invalid URL`, hint);
  const database = readDatabase(pathname.replace(/^\/$/, '').slice(1), from);
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

function socketAddress(url: URL, from: string, login: Login): PaceAddress {
  const path = decode(url.pathname, from);
  if (url.host !== '' || !/^\/./.test(path)) {
    throw new UsageError(`${from}: the path of the Unix socket must be absolute`, hint);
  }
  const database = readDatabase(url.searchParams.get('db') ?? '', from);
  const shown = `unix://${path}?db=${database}`;
  return { host: undefined, port: 0, path, hasTls: false, database, ...login, shown };
}

function readDatabase(text: string, from: string): number {
  if (!/^\d{0,5}$/.test(text))
    throw new UsageError(`${from}: the database in the URL is not a number`, hint);
  return Number(text);
}

function decode(text: string, from: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UsageError(
      `${from}: the URL has an invalid percent escape`,
      'Write special characters of a password as %XX.',
    );
  }
}
