import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEndpoint } from '../../../src/cli/commands/api-input.ts';
import { UsageError } from '../../../src/runtime/carbon-error.ts';
import { runs } from '../../support/seed.ts';

const base = 'https://api.example.com/v1';

describe('readEndpoint', () => {
  it.each([
    ['organizations/12', '/organizations/12'],
    ['/organizations/12?currency=EUR', '/organizations/12?currency=EUR'],
    ['https://api.example.com/v1/industries', '/industries'],
    ['HTTPS://API.EXAMPLE.COM:443/v1/industries', '/industries'],
    ['https://api.example.com/v1', '/'],
    ['/', '/'],
    ['urn:x', '/urn:x'],
    ['search?q=a..b/../c', '/search?q=a..b/../c'],
    ['é', '/%C3%A9'],
    ['v1/organizations', '/v1/organizations'],
  ])('reads %s', (text, path) => {
    expect(readEndpoint(text, base)).toBe(path);
  });

  it.each([
    ['', 'it is empty'],
    ['../admin', 'it has a segment . or ..'],
    ['a/%2E%2e/b', 'it has a segment . or ..'],
    ['a/./b', 'it has a segment . or ..'],
    ['a/..%2f..%2fadmin', 'it has a segment . or ..'],
    ['a/%2e%2e%2Fadmin', 'it has a segment . or ..'],
    ['..%5cadmin', 'it has a segment . or ..'],
    ['a/..;x=1/admin', 'it has a segment . or ..'],
    ['%2e%2e;/admin', 'it has a segment . or ..'],
    ['https://api.example.com/v1/../admin', 'it has a segment . or ..'],
    ['//evil.example/x', 'it begins with two slashes'],
    ['a\\b', 'a backslash'],
    ['a b', 'a space'],
    ['a\nb', 'a control character'],
    ['a#b', 'it has a fragment'],
    ['C:/Program Files/Git/organizations', 'is a path of Windows'],
    ['https://evil.example/secret?key=1', 'it is at https://evil.example, not under'],
    ['http://api.example.com/v1/x', 'it is at http://api.example.com, not under'],
    ['https://api.example.com/v10/x', 'it is not under the base URL'],
    ['https://me:secret@api.example.com/v1/x', 'a user name or a password'],
    ['https://', 'it is not a URL'],
  ])('refuses %j', (text, problem) => {
    expect(() => readEndpoint(text, base)).toThrow(problem);
    expect(() => readEndpoint(text, base)).toThrow(UsageError);
    expect(() => readEndpoint(text, base)).not.toThrow(/secret/);
  });

  it('never leaves the base URL', () => {
    const part = fc.constantFrom(
      ...['..', '.', '%2e', '/', '//', '\\', '@', ':', '?', '#', 'a', 'evil.example', 'https:'],
      ...['%2f', '%5c', '\t', ';', '/v1', 'api.example.com', 'é', '\ud800', '*'],
    );
    const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(text, fc.webUrl(), fc.string({ unit: 'binary' })), (given) => {
        let path: string;
        try {
          path = readEndpoint(given, base);
        } catch (error) {
          expect(error).toBeInstanceOf(UsageError);
          return;
        }
        const { origin, pathname, href } = new URL(base + path);
        expect(origin).toBe('https://api.example.com');
        expect(pathname.startsWith('/v1/')).toBe(true);
        expect(href).toBe(base + path);
      }),
      { numRuns: runs(800) },
    );
  });
});
