import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberText } from '../../../src/client/api/json-tokens.ts';

describe('memberText', () => {
  it('returns a member of generated objects, written in any way', () => {
    const member = fc.constantFrom('record', 'rec"ord', '', 'other');
    const members = fc.array(fc.tuple(member, fc.jsonValue()), { maxLength: 6 });
    const spaces = fc.constantFrom('', ' ', '\t', '\r\n');
    fc.assert(
      fc.property(members, spaces, (values, space) => {
        const texts = values.map(
          ([name, value]) =>
            [
              name,
              JSON.stringify(value, undefined, space.trim() + '  '.repeat(space.length)),
            ] as const,
        );
        const json = `${space}{${space}${texts
          .map(([name, text]) => `${JSON.stringify(name)}${space}:${space}${text}${space}`)
          .join(`,${space}`)}}${space}`;
        const wanted = texts.findLast(([name]) => name === 'record');
        expect(memberText(json, 'record')).toBe(wanted?.[1]);
      }),
    );
  });

  it('keeps numbers, the order of keys and repeated keys as they are written', () => {
    const text = '{"b":1.50e3,"a":9007199254740993,"b":[{"record":1},{}]}';
    expect(memberText(`{"id": 1, "record" : ${text} }`, 'record')).toBe(text);
    expect(memberText('[{"record":1}]', 'record')).toBeUndefined();
    expect(memberText('{"other":{"record":1}}', 'record')).toBeUndefined();
  });
});
