/*
 * Properties that hold for any input. Further properties are in the tests of each format.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Journals } from '../../src/list/journal.ts';
import { toPlainValue } from '../../src/mcp/tool.ts';
import { sanitize } from '../../src/terminal/sanitize.ts';
import { hostileText } from '../cli/output/schema.ts';
import { newFolder } from '../support/run.ts';
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

it('Journals.read throws nothing but a UsageError for a journal of any bytes', {
  tags: ['property'],
}, async () => {
  const header =
    '{"carbon":"journal","version":1,"keys":1,"service":"s","profile":"p","mapping":{}}\n';
  const path = join(newFolder(), 'j.jsonl');
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.boolean(), async (bytes, isHeaded) => {
      writeFileSync(path, Buffer.concat([Buffer.from(isHeaded ? header : ''), bytes]));
      const memory = new Journals({ service: 's', profile: 'p' });
      const failure = await memory.read(path).catch((error: unknown) => error);
      if (failure !== undefined) expect(failure).toMatchObject({ name: 'UsageError' });
      if (isHeaded) expect(failure).toBeUndefined();
    }),
  );
});
