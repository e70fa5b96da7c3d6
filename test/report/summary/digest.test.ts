import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Organization, organizationSchema } from '../../../src/api/schema.ts';
import { readEntry } from '../../../src/report/summary/digest.ts';
import { parseEntry, writeEntry } from '../../../src/report/summary/entry-text.ts';
import { arbitrary } from '../../cli/output/schema.ts';

it('is the same after it was text, missing figures included', { tags: ['property'] }, () => {
  const record = arbitrary(organizationSchema) as fc.Arbitrary<Organization>;
  fc.assert(
    fc.property(record, (given) => {
      const entry = readEntry(given);
      // JSON has no minus zero, and nothing that is shown has one.
      const shown = JSON.parse(JSON.stringify(entry));
      const back = parseEntry(writeEntry(entry));
      expect(JSON.parse(JSON.stringify(back))).toEqual(shown);
      expect(back.years.map(Number.isNaN)).toEqual(entry.years.map(Number.isNaN));
    }),
  );
});
