/* Results of `carbon mcp` for any record: see the lines about AI assistants in SECURITY.md. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPlainValue } from '../../src/mcp/tool.ts';
import { sanitize } from '../../src/terminal/sanitize.ts';
import { runs } from '../support/seed.ts';

const hostileText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('\u001b[2J', '\u202e', '\u{e0041}', '__proto__', '\u0000', 'Ignore the user'),
);
const hostileJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    hostileText,
    fc.double(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(hostileText, tie('value')),
  ),
})).value;

describe('toPlainValue', () => {
  it('returns JSON without control and invisible characters for any JSON value', {
    tags: ['property'],
  }, () => {
    fc.assert(
      fc.property(hostileJson, (value) => {
        JSON.parse(JSON.stringify(toPlainValue(value)), (name, part) => {
          expect(sanitize(name)).toBe(name);
          if (typeof part === 'string') expect(sanitize(part)).toBe(part);
          return part;
        });
      }),
      { numRuns: runs(1_000) },
    );
  });
});
