import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { organizationSchema } from '../../../src/client/api/json-schema.ts';
import { readRecord } from '../../../src/client/api/read-record.ts';
import { anyOrganization } from '../../cli/output/schema.ts';
import { hostileRecords } from '../../support/hostile-records.ts';

const field = fc.constantFrom(
  'id',
  'name',
  'score',
  'performances',
  'sbti',
  'sources',
  'industry',
  'cdp',
);
const anyRecord = fc.dictionary(field, fc.jsonValue({ maxDepth: 4 }));

describe('readRecord', () => {
  it('leaves out values of another type and names them', () => {
    const sent = {
      id: 7,
      score: 'high',
      cdp: [],
      performances: [
        { year: 2020 },
        'none',
        { year: 2021, emissions: { scope_1: { total: '12' } } },
      ],
      sbti: { data: [null, { near_term: 3 }] },
    };
    expect(readRecord(sent)).toEqual({
      record: {
        id: 7,
        score: null,
        cdp: null,
        performances: [{ year: 2020 }, { year: 2021, emissions: { scope_1: { total: null } } }],
        sbti: { data: [{ near_term: null }] },
      },
      droppedPaths: [
        'score',
        'cdp',
        'performances.1',
        'performances.2.emissions.scope_1.total',
        'sbti.data.0',
        'sbti.data.1.near_term',
      ],
      droppedCount: 6,
    });
    expect(sent.score).toBe('high');
  });

  it('agrees with the schema about which values are unexpected', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(fc.oneof(anyRecord, anyOrganization), (sent) => {
        const { record, droppedCount } = readRecord(sent as object);
        expect(droppedCount === 0).toBe(organizationSchema.safeParse(sent).success);
        expect(organizationSchema.safeParse(record).success).toBe(true);
        if (droppedCount === 0) expect(record).toEqual(sent);
      }),
    );
  });

  it('names the first 20 unexpected values and counts the others', () => {
    const { record, droppedPaths, droppedCount } = readRecord({
      sources: [...Array(25).fill(1), { url: 'u' }],
    });
    expect(record).toEqual({ sources: [{ url: 'u' }] });
    expect(droppedPaths).toEqual(Array.from({ length: 20 }, (_, index) => `sources.${index}`));
    expect(droppedCount).toBe(25);
  });

  it('reads the first 10,000 items of a list', () => {
    const sources = Array.from({ length: 10_000 }, (_, index) => ({ url: `u${index}` }));
    expect(readRecord({ sources })).toMatchObject({ record: { sources }, droppedCount: 0 });
    expect(readRecord({ sources: [...sources, 1] })).toMatchObject({
      record: { sources },
      droppedPaths: ['sources'],
    });
  });

  /* The time was quadratic: hours for some of these. */
  it.each(Object.entries(hostileRecords))(
    'reads a record of 2 MiB with %s',
    { tags: ['long'] },
    (_, { text, oddValuesPerItem }) => {
      const { droppedPaths, droppedCount } = readRecord(JSON.parse(text(2 ** 21)));
      expect(droppedCount).toBe(oddValuesPerItem * 10_000 + 1);
      expect(droppedPaths.length).toBe(Math.min(20, droppedCount));
    },
  );
});
