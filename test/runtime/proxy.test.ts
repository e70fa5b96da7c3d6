import { describe, expect, it } from 'vitest';
import { findProxy } from '../../src/runtime/proxy.ts';

const proxy = 'http://proxy.example:3128';
const from = 'HTTPS_PROXY';

describe('findProxy', () => {
  it.each([
    ['https by HTTPS_PROXY', 'https://a.example', { HTTPS_PROXY: proxy }, { value: proxy, from }],
    [
      'https by HTTP_PROXY',
      'https://a.example',
      { HTTP_PROXY: proxy },
      { value: proxy, from: 'HTTP_PROXY' },
    ],
    [
      'lower case first',
      'https://a.example',
      { https_proxy: proxy, HTTPS_PROXY: 'x' },
      { value: proxy, from: 'https_proxy' },
    ],
    [
      'without a scheme',
      'https://a.example',
      { HTTPS_PROXY: 'proxy.example:3128' },
      { value: proxy, from },
    ],
    ['none for loopback', 'http://127.0.0.1:80', { HTTP_PROXY: proxy }, undefined],
    [
      'none by name',
      'https://a.example',
      { HTTPS_PROXY: proxy, NO_PROXY: 'b.example, A.example' },
      undefined,
    ],
    [
      'none by suffix',
      'https://api.a.example',
      { HTTPS_PROXY: proxy, NO_PROXY: '.a.example' },
      undefined,
    ],
    [
      'none by port',
      'https://a.example',
      { HTTPS_PROXY: proxy, NO_PROXY: 'a.example:443' },
      undefined,
    ],
    [
      'other port',
      'https://a.example:8443',
      { HTTPS_PROXY: proxy, NO_PROXY: 'a.example:443' },
      { value: proxy, from },
    ],
    [
      'other name',
      'https://aa.example',
      { HTTPS_PROXY: proxy, NO_PROXY: 'a.example' },
      { value: proxy, from },
    ],
    ['everything excepted', 'https://a.example', { HTTPS_PROXY: proxy, NO_PROXY: '*' }, undefined],
  ])('%s', (_, address, env, expected) => {
    expect(findProxy(address, env)).toEqual(expected);
  });
});

it('leaves every part of a user name and a password out, also with an @ in it', () => {
  for (const secret of ['user:p@ssw0rd', 'us@er:p/w', 'u:a@b@c']) {
    const found = findProxy('https://carbon.example', {
      HTTPS_PROXY: `http://${secret}@127.0.0.1:9`,
    });
    expect(JSON.stringify(found)).not.toMatch(/ssw0rd|er:p|a@b|b@c/);
  }
});
