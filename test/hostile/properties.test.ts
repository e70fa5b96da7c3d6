/*
 * Properties that hold for any input. Further properties are in the tests of each format.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sanitize } from '../../src/display/terminal/sanitize.ts';
import { toPlainValue } from '../../src/mcp/tool.ts';
import { hostileText } from '../cli/output/schema.ts';
import { runs } from '../support/seed.ts';

const json = fc.array(
  fc.dictionary(hostileText, fc.oneof(hostileText, fc.boolean(), fc.double()), {
    noNullPrototype: true,
  }),
);

it('toPlainValue returns JSON without control and invisible characters, as mcp sends it', {
  tags: ['property'],
}, () => {
  fc.assert(
    fc.property(json, (value) => {
      JSON.parse(JSON.stringify(toPlainValue(value)), (name, part) => {
        expect(sanitize(name)).toBe(name);
        if (typeof part === 'string') expect(sanitize(part)).toBe(part);
        return part;
      });
    }),
    { numRuns: runs(500) },
  );
});
