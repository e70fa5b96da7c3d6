import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPaceAddress } from '../../src/pace/pace-address.ts';

const read = readPaceAddress;

describe('readPaceAddress', () => {
  it.each([
    ['redis://cache', { host: 'cache', port: 6379, database: 0, hasTls: false }],
    ['redis://cache:6380/3', { host: 'cache', port: 6380, database: 3 }],
    ['rediss://cache', { hasTls: true, port: 6379 }],
    ['redis://[::1]:6379', { host: '::1' }],
    ['redis://worker:p%40ss@cache', { username: 'worker', password: 'p@ss' }],
    ['redis://:secret@cache', { username: undefined, password: 'secret' }],
    ['unix:///run/redis.sock', { path: '/run/redis.sock', host: undefined, database: 0 }],
    ['unix:///run/r.sock?user=worker&password=p', { username: 'worker', password: 'p' }],
    ['unix:///run/redis.sock?db=2', { path: '/run/redis.sock', database: 2 }],
  ])('reads %s', (text, expected) => {
    expect(read(text)).toMatchObject(expected);
  });

  it.each([
    'http://cache',
    'cache:6379',
    'redis://',
    'redis://cache/db1',
    'redis://cache/0?db=1',
    'redis://user@cache',
    'redis://:%E0%A4%A@cache',
    'unix://run/redis.sock',
    'unix:run/redis.sock',
  ])('refuses %s', (text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it('never shows the password of a valid or invalid URL', () => {
    const password = fc.stringMatching(/^[A-Za-z0-9]{8,20}$/);
    const end = fc.constantFrom('@cache', '@cache/x', '@cache:99999', '@', '@cache?x=1', '');
    fc.assert(
      fc.property(password, end, (secret, rest) => {
        const shown = () => {
          try {
            return read(`redis://u:${secret}${rest}`).shown;
          } catch (error) {
            return `${error instanceof Error ? error.message : ''} ${JSON.stringify(error)}`;
          }
        };
        expect(shown()).not.toContain(secret);
      }),
    );
  });
});
