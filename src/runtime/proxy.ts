/*
 * Which proxy the environment names for an address, as undici's EnvHttpProxyAgent decides it.
 */

import { InvalidInputError } from './carbon-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxies that the environment names; loopback needs none. Lower case goes before upper case,
 * as in curl.
 */
export function readProxies(env: Environment): {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
} {
  return {
    httpProxy: proxyUrl(env['http_proxy'] || env['HTTP_PROXY']),
    httpsProxy: proxyUrl(env['https_proxy'] || env['HTTPS_PROXY']),
    noProxy: env['no_proxy'] || env['NO_PROXY'] || '',
  };
}

/**
 * Checks that the environment's proxies can be used.
 * @throws InvalidInputError that does not show them, because they may have a password
 */
export function checkProxies(env: Environment): void {
  const { httpProxy, httpsProxy } = readProxies(env);
  for (const [name, url] of Object.entries({ HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy })) {
    if (url === '' || isProxy(url)) continue;
    throw new InvalidInputError(`${name} is not the URL of an HTTP proxy`, 'proxy_url', 'usage');
  }
}

/*
 * Whether undici can use it. An @ behind the host is of a password with a slash or the like in it:
 * what stands before would be shown as the host.
 */
function isProxy(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, pathname, search, hash } = new URL(text);
  return (
    /^https?:$/.test(protocol) &&
    !`${pathname}${search}${hash}`.includes('@') &&
    isDecodable(username + password)
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/* `proxy.example:3128` is common too, and means http. */
function proxyUrl(text = ''): string {
  return text === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
}

/**
 * The proxy through which an address is reached and the variable that names it, undefined without
 * one. A user name and a password in it are left out.
 */
export function findProxy(
  address: string,
  env: Environment,
): { value: string; from: string } | undefined {
  const { protocol, hostname, port } = new URL(address);
  const { httpProxy, httpsProxy, noProxy } = readProxies(env);
  const names =
    protocol === 'https:' && httpsProxy
      ? ['https_proxy', 'HTTPS_PROXY']
      : ['http_proxy', 'HTTP_PROXY'];
  const proxy = names[0] === 'https_proxy' ? httpsProxy : httpProxy;
  const ownPort = Number(port) || (protocol === 'https:' ? 443 : 80);
  if (proxy === '' || isLoopback(hostname) || isExcepted(noProxy, hostname, ownPort))
    return undefined;
  const from = names.find((name) => env[name]) ?? '';
  return { value: withoutPassword(proxy), from };
}

function withoutPassword(proxy: string): string {
  if (!isProxy(proxy)) return 'an address that cannot be used';
  const { protocol, host } = new URL(proxy);
  return `${protocol}//${host}`;
}

function isExcepted(noProxy: string, hostname: string, port: number): boolean {
  if (noProxy === '*') return true;
  return noProxy
    .split(/[,\s]+/)
    .filter(Boolean)
    .some((entry) => {
      const [, host = entry, only] = /^(.+):(\d+)$/.exec(entry) ?? [];
      const suffix = host.replace(/^\*?\./, '').toLowerCase();
      return (!only || Number(only) === port) && `.${hostname}`.endsWith(`.${suffix}`);
    });
}

/** Whether a URL's host name is this machine's loopback. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
}
