/*
 * Properties that hold for any input. Further properties are in the tests of each format.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readRecord } from '../../src/api/read-record.ts';
import { renderOrganization } from '../../src/cli/output/organization.ts';
import { Journals } from '../../src/list/journal.ts';
import { toPlainValue } from '../../src/mcp/tool.ts';
import { sanitize } from '../../src/terminal/sanitize.ts';
import { plainStyle } from '../../src/terminal/style.ts';
import { organizationLine, renderCsvRow, renderOrganizations } from '../cli/output/records.ts';
import { hostileText } from '../cli/output/schema.ts';
import { newFolder } from '../support/run.ts';
import { runs } from '../support/seed.ts';

const members =
  'id name status score performances sbti cdp sources industry matching_organization un';
const fields = [
  ...members.split(' '),
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length'],
];
const number = fc.oneof(
  fc.constantFrom(2 ** 53, 2 ** 53 + 2, -0, 1e308, 5e-324, -1),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'medium' },
    fc.constant(null),
    fc.boolean(),
    number,
    hostileText,
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('json'), { maxLength: 4 }),
  object: fc.dictionary(fc.oneof(fc.constantFrom(...fields), hostileText), tie('json'), {
    maxKeys: 6,
    noNullPrototype: true,
  }),
}));
/* JSON text as a service sends it, in which __proto__ is an ordinary key. */
const sent = fc
  .dictionary(fc.constantFrom(...fields), json, { maxKeys: 9 })
  .map((value) => JSON.parse(JSON.stringify(value)));

it('readRecord and renderers accept any JSON object and change neither it nor a prototype', {
  tags: ['property'],
}, () => {
  fc.assert(
    fc.property(sent, fc.integer({ min: 0, max: 120 }), (value, columns) => {
      const before = JSON.stringify(value);
      const { record } = readRecord(value);
      for (const terminal of [true, false]) {
        const view = { style: plainStyle, columns, terminal, synthetic: false };
        const shown =
          renderOrganization(record, view) +
          renderOrganizations([record], view) +
          organizationLine(record) +
          renderCsvRow(record);
        expect(shown).not.toMatch(/\[object Object\]/);
      }
      expect(JSON.stringify(value)).toBe(before);
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
    { numRuns: runs(200) },
  );
});

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
