import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactJson, indentJson } from '../../../src/cli/output/json.ts';
import { compactLine } from '../../../src/cli/output/json-bytes.ts';

const line = (json: string) => Buffer.from(compactLine(Buffer.from(json))).toString();

describe('compactLine', () => {
  it('removes only the white space outside strings, and ends the line', () => {
    expect(line(' { "a b" : [ 1.0 ,\r\n\t"\\" {\\\\" , "é 😀" ] }\n')).toBe(
      '{"a b":[1.0,"\\" {\\\\","é 😀"]}\n',
    );
    expect(line('{}')).toBe('{}\n');
  });

  it('returns the same text as compactJson', { tags: ['property'] }, () => {
    const space = fc.string({ unit: fc.constantFrom(' ', '\n', '\t', '\r') });
    fc.assert(
      fc.property(fc.json(), space, (json, added) => {
        const spaced = `${added}${indentJson(json).replaceAll('\n', `${added}\n`)}${added}`;
        expect(line(spaced)).toBe(`${compactJson(spaced)}\n`);
      }),
    );
  });
});
