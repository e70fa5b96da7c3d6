import { describe, expect, it } from 'vitest';
import { findProxy } from '../../src/runtime/proxy.ts';

const proxy = 'http://proxy.example:3128';

describe('findProxy', () => {
  const https = 'https://a.example';
  const used = { url: proxy, from: 'HTTPS_PROXY' };
  const except = (hosts: string) => ({ HTTPS_PROXY: proxy, NO_PROXY: hosts });

  it.each([
    ['HTTPS_PROXY for https', https, { HTTPS_PROXY: proxy }, used],
    ['HTTP_PROXY otherwise', https, { HTTP_PROXY: proxy }, { url: proxy, from: 'HTTP_PROXY' }],
    [
      'the variable in lower case first',
      https,
      { https_proxy: proxy, HTTPS_PROXY: 'x' },
      { url: proxy, from: 'https_proxy' },
    ],
    ['http:// for a proxy without a scheme', https, { HTTPS_PROXY: 'proxy.example:3128' }, used],
    ['no proxy for loopback', 'http://127.0.0.1:80', { HTTP_PROXY: proxy }, undefined],
    ['no proxy for a listed host', https, except('b.example, A.example'), undefined],
    ['no proxy for a listed domain', 'https://api.a.example', except('.a.example'), undefined],
    ['no proxy for a listed host and port', https, except('a.example:443'), undefined],
    ['the proxy for another port', 'https://a.example:8443', except('a.example:443'), used],
    ['the proxy for a name with the same ending', 'https://aa.example', except('a.example'), used],
    ['no proxy for *', https, except('*'), undefined],
  ])('uses %s', (_, address, env, expected) => {
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
