import { describe, expect, it } from 'vitest';
import { findProxy } from '../../src/runtime/proxy.ts';

const proxy = 'http://proxy.example:3128';
const from = 'HTTPS_PROXY';

describe('findProxy', () => {
  it.each([
    [
      'uses HTTPS_PROXY for https',
      'https://a.example',
      { HTTPS_PROXY: proxy },
      { url: proxy, from },
    ],
    [
      'uses HTTP_PROXY for https when HTTPS_PROXY is unset',
      'https://a.example',
      { HTTP_PROXY: proxy },
      { url: proxy, from: 'HTTP_PROXY' },
    ],
    [
      'prefers the variable in lower case',
      'https://a.example',
      { https_proxy: proxy, HTTPS_PROXY: 'x' },
      { url: proxy, from: 'https_proxy' },
    ],
    [
      'adds http:// to a proxy without a scheme',
      'https://a.example',
      { HTTPS_PROXY: 'proxy.example:3128' },
      { url: proxy, from },
    ],
    ['uses no proxy for loopback', 'http://127.0.0.1:80', { HTTP_PROXY: proxy }, undefined],
    [
      'uses no proxy when NO_PROXY lists the host',
      'https://a.example',
      { HTTPS_PROXY: proxy, NO_PROXY: 'b.example, A.example' },
      undefined,
    ],
    [
      'uses no proxy when NO_PROXY lists the domain',
      'https://api.a.example',
      { HTTPS_PROXY: proxy, NO_PROXY: '.a.example' },
      undefined,
    ],
    [
      'uses no proxy when NO_PROXY lists the host with its port',
      'https://a.example',
      { HTTPS_PROXY: proxy, NO_PROXY: 'a.example:443' },
      undefined,
    ],
    [
      'uses the proxy when NO_PROXY lists another port',
      'https://a.example:8443',
      { HTTPS_PROXY: proxy, NO_PROXY: 'a.example:443' },
      { url: proxy, from },
    ],
    [
      'uses the proxy when NO_PROXY lists a name with the same ending',
      'https://aa.example',
      { HTTPS_PROXY: proxy, NO_PROXY: 'a.example' },
      { url: proxy, from },
    ],
    [
      'uses no proxy when NO_PROXY is *',
      'https://a.example',
      { HTTPS_PROXY: proxy, NO_PROXY: '*' },
      undefined,
    ],
  ])('%s', (_, address, env, expected) => {
    expect(findProxy(address, env)).toEqual(expected);
  });

  it('returns the proxy without credentials when they contain an @', () => {
    for (const secret of ['user:p@ssw0rd', 'us@er:p/w', 'u:a@b@c']) {
      const proxy = findProxy('https://carbon.example', {
        HTTPS_PROXY: `http://${secret}@127.0.0.1:9`,
      });
      expect(JSON.stringify(proxy)).not.toMatch(/ssw0rd|er:p|a@b|b@c/);
    }
  });
});
