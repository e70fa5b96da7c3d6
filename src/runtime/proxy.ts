/* Finds the proxy for an address in the environment, as undici's EnvHttpProxyAgent does. */
import { InvalidInputError } from './carbon-error.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the proxy variables of the environment; lower case overrides upper case, as in curl. */
export function readProxies(env: Environment): {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
} {
  return {
    httpProxy: withScheme(env['http_proxy'] || env['HTTP_PROXY']),
    httpsProxy: withScheme(env['https_proxy'] || env['HTTPS_PROXY']),
    noProxy: env['no_proxy'] || env['NO_PROXY'] || '',
  };
}

/** Throws an InvalidInputError for an invalid variable, without its value: it may be a password. */
export function checkProxies(env: Environment): void {
  const { httpProxy, httpsProxy } = readProxies(env);
  for (const [name, url] of Object.entries({ HTTP_PROXY: httpProxy, HTTPS_PROXY: httpsProxy })) {
    if (url === '' || isProxyUrl(url)) continue;
    const problem = `${name} is not the URL of an HTTP proxy`;
    throw new InvalidInputError(problem, { code: 'usage', reason: 'proxy_url' });
  }
}

/*
 * Checks whether undici can use a proxy URL. An @ after the host suggests a password with a slash,
 * whose beginning a message would show as the host.
 */
function isProxyUrl(text: string): boolean {
  try {
    const { protocol, username, password, pathname, search, hash } = new URL(text);
    decodeURIComponent(username + password);
    return /^https?:$/.test(protocol) && !`${pathname}${search}${hash}`.includes('@');
  } catch {
    return false;
  }
}

/* Adds http:// to a value without a scheme, such as `proxy.example:3128`. */
function withScheme(text = ''): string {
  return text === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
}

/** Finds the proxy for an address, without credentials, and the variable that sets it. */
export function findProxy(
  address: string,
  env: Environment,
): { url: string; from: string } | undefined {
  const { protocol, hostname, port } = new URL(address);
  const { httpProxy, httpsProxy, noProxy } = readProxies(env);
  const names =
    protocol === 'https:' && httpsProxy
      ? ['https_proxy', 'HTTPS_PROXY']
      : ['http_proxy', 'HTTP_PROXY'];
  const proxy = names[0] === 'https_proxy' ? httpsProxy : httpProxy;
  const effectivePort = Number(port) || (protocol === 'https:' ? 443 : 80);
  if (proxy === '' || isLoopback(hostname) || isExcluded(noProxy, hostname, effectivePort))
    return undefined;
  const from = names.find((name) => env[name]) ?? '';
  const url = isProxyUrl(proxy) ? new URL(proxy) : undefined;
  return { url: url ? `${url.protocol}//${url.host}` : 'an invalid address', from };
}

function isExcluded(noProxy: string, hostname: string, port: number): boolean {
  if (noProxy === '*') return true;
  return noProxy
    .split(/[,\s]+/)
    .filter(Boolean)
    .some((entry) => {
      const [, host = entry, entryPort] = /^(.+):(\d+)$/.exec(entry) ?? [];
      const suffix = host.replace(/^\*?\./, '').toLowerCase();
      return (!entryPort || Number(entryPort) === port) && `.${hostname}`.endsWith(`.${suffix}`);
    });
}

/** Checks whether the host name of a URL is a loopback name or address. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/i.test(hostname);
}
