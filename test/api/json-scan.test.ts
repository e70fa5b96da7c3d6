import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScanner } from '../../src/api/json-scan.ts';
import { runs } from '../support/seed.ts';

const names = ['id', 'status'];
const scanner = new JsonScanner(names);

/* The members that the scanner finds, parsed; undefined where it finds no object. */
function read(text: string): Record<string, unknown> | undefined {
  const bytes = Buffer.from(text);
  if (!scanner.scan(bytes)) return undefined;
  const members: Record<string, unknown> = {};
  names.forEach((name, index) => {
    const json = bytes.toString('utf8', scanner.start(index), scanner.end(index));
    if (scanner.start(index) >= 0) members[name] = JSON.parse(json);
  });
  return members;
}

/* What JSON.parse finds under these names, undefined where it finds no object. */
function parsed(text: string): Record<string, unknown> | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
}

const value = fc.jsonValue({ maxDepth: 4 });
const name = fc.oneof(fc.constantFrom('id', 'status', 'Id', 'ids'), fc.string());
const space = fc.stringMatching(/^[ \t\n\r]{0,3}$/);
/* Members in any order, the same name more than once, and white space where it may be. */
const objectText = fc
  .array(fc.tuple(name, value, space, space))
  .map((members) =>
    members.map(
      ([key, one, a, b]) =>
        `${a}${JSON.stringify(key)}${b}:${a}${JSON.stringify(one, null, b)}${b}`,
    ),
  )
  .map((members) => `{${members.join(',')}}`);

describe('members of a JSON object', () => {
  it('are those that JSON.parse finds, the last of each name', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(objectText, space, (text, around) => {
        const found = read(around + text + around);
        if (found !== undefined || !text.includes('\\')) expect(found).toEqual(parsed(text));
      }),
    );
  });

  it('are not read from what JSON.parse refuses, however little is wrong', {
    tags: ['property'],
  }, () => {
    const character = fc.constantFrom(
      ...'{}[]",:\\/-+.eE0123456789tfnu \n\t\u0000\u001f\u0085é'.split(''),
    );
    fc.assert(
      fc.property(
        objectText,
        fc.nat(),
        fc.nat({ max: 2 }),
        fc.array(character, { maxLength: 2 }),
        (text, seed, cut, put) => {
          const at = seed % (text.length + 1);
          const changed = text.slice(0, at) + put.join('') + text.slice(at + cut);
          const found = read(changed);
          if (found !== undefined) expect(found).toEqual(parsed(changed));
        },
      ),
      { numRuns: runs(2_000) },
    );
  });

  it.each([
    '{"id":01}',
    '{"id":1.}',
    '{"id":.5}',
    '{"id":-}',
    '{"id":1e}',
    '{"id":+1}',
    '{"id":1,}',
    '{,"id":1}',
    '{"id" 1}',
    '{"id":1 "a":2}',
    '{"id":"\t"}',
    '{"id":"\\x"}',
    '{"id":"\\u12g4"}',
    '{"id":tru}',
    '{"id":nul\u006e}',
    '{"a":[1,]}',
    '{"a":[}',
    '{"a":[1}',
    '{"a":{]}',
    '{"id":1}}',
    '{"id":1',
    '{"id":"1',
    '[{"id":1}]',
    '"id"',
    '',
  ])('are not read from %j', (text) => {
    expect(parsed(text)).toBeUndefined();
    expect(read(text)).toBeUndefined();
  });

  it('are left to JSON.parse where a name is escaped, and below 32 levels', () => {
    expect(read(`{"id":1,"a":${'['.repeat(31)}${']'.repeat(31)}}`)).toEqual({ id: 1 });
    expect(read(`{"id":1,"a":${'['.repeat(32)}${']'.repeat(32)}}`)).toBeUndefined();
    expect(read('{"\\u0069d":2,"id":1}')).toBeUndefined();
    expect(read(`{"id":1,"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toBeUndefined();
  });
});
