import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeForTerminal, indentJson } from '../../../src/cli/output/json.ts';
import { compactJson } from '../../../src/client/api/json-tokens.ts';
import { unsafe } from '../../support/screen.ts';
import { anyCharacter } from '../../support/seed.ts';

/* Adds white space that JSON allows between all tokens. */
const spaced = fc
  .tuple(fc.json(), fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r') }))
  .map(([json, space]) => indentJson(json).replaceAll('\n', `${space}\n`));

it('indentJson keeps numbers, key order, repeated keys and escapes', () => {
  const json =
    '{"b" : 1.0 , "a":1e400,\n"a":[ ] ,"n":-0.10E+07,"big":12345678901234567890,"s":"\\u00e9 \\"{\\\\"}';
  expect(compactJson(json)).toBe(
    '{"b":1.0,"a":1e400,"a":[],"n":-0.10E+07,"big":12345678901234567890,"s":"\\u00e9 \\"{\\\\"}',
  );
  expect(indentJson(json)).toMatchInlineSnapshot(`
    "{
      "b": 1.0,
      "a": 1e400,
      "a": [],
      "n": -0.10E+07,
      "big": 12345678901234567890,
      "s": "\\u00e9 \\"{\\\\"
    }"
  `);
});

describe('indentJson and compactJson', () => {
  it('keep the value of any JSON', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(spaced, (json) => {
        const value = JSON.parse(json);
        expect(JSON.parse(compactJson(json))).toEqual(value);
        expect(JSON.parse(indentJson(json))).toEqual(value);
        expect(JSON.parse(escapeForTerminal(json))).toEqual(value);
      }),
    );
  });

  it('match JSON.stringify when it keeps the text', {
    tags: ['property'],
  }, () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (json) => {
        const value = JSON.parse(json);
        expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
        expect(compactJson(JSON.stringify(value, null, 2))).toBe(JSON.stringify(value));
      }),
    );
  });

  it('write nothing unsafe to a terminal', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const json = escapeForTerminal(JSON.stringify({ [text]: text }));
        expect(json).not.toMatch(unsafe);
        expect(JSON.parse(json)).toEqual({ [text]: text });
      }),
    );
  });
});

it('escapeForTerminal escapes UTF-16 code units', () => {
  expect(escapeForTerminal('"\u{e0041}\u202e\u007f\u009b é 😀"')).toBe(
    '"\\udb40\\udc41\\u202e\\u007f\\u009b é 😀"',
  );
  expect(escapeForTerminal('{\r\n\t"a":1}')).toBe('{\n\n\t"a":1}');
});

it('indentJson takes linear time for any depth and size', () => {
  const deep = '['.repeat(30_000) + ']'.repeat(30_000);
  expect(compactJson(deep)).toBe(deep);
  expect(indentJson(deep).length).toBeLessThan(deep.length * 70);
  expect(compactJson(indentJson(deep))).toBe(deep);
  const long = `"${'\\"'.repeat(1_000_000)}"`;
  expect(compactJson(long)).toBe(long);
});
