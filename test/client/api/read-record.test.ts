import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseReceived } from '../../../src/client/api/parse-record.ts';
import { readRecord } from '../../../src/client/api/read-record.ts';
import { organizationSchema } from '../../../src/client/api/schema.ts';
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

const dropped = Symbol('dropped');

/* Reads a record with zod alone: drops the values at the paths of its issues, parses the rest. */
function readBySchema(sent: object) {
  const copy = structuredClone(sent) as Json;
  const { error } = organizationSchema.safeParse(copy);
  const paths = (error?.issues ?? []).map(({ path }) => path);
  for (const path of paths) {
    const parent = path.slice(0, -1).reduce((value, key) => value[key as string] as Json, copy);
    parent[path.at(-1) as string] = dropped;
  }
  return {
    record: organizationSchema.parse(withoutDropped(copy)),
    paths: paths.map((path) => path.join('.')),
  };
}

type Json = { [key: string]: unknown };

/* An array loses the item, a field becomes null. */
function withoutDropped(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== dropped).map(withoutDropped);
  if (typeof value !== 'object' || value === null) return value === dropped ? null : value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, withoutDropped(each)]),
  );
}

describe('parseReceived', () => {
  it('reads any record as readRecord does', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(
        fc.oneof(anyRecord, anyOrganization),
        fc.constantFrom(1, 2 ** 20),
        (sent, bytes) => {
          expect(parseReceived(sent as object, bytes)).toEqual(readRecord(sent as object));
        },
      ),
    );
  });
});

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
        performances: [{ year: 2020 }, { year: 2021, emissions: { scope_1: { total: 12 } } }],
        sbti: { data: [{ near_term: { target_status: '3' } }] },
      },
      droppedPaths: ['score', 'cdp', 'performances.1', 'sbti.data.0'],
      droppedCount: 4,
    });
    expect(sent.score).toBe('high');
  });

  it('accepts, drops and names the same values as the schema', { tags: ['property'] }, () => {
    fc.assert(
      fc.property(fc.oneof(anyRecord, anyOrganization), (sent) => {
        const { record, droppedPaths, droppedCount } = readRecord(sent as object);
        const expected = readBySchema(sent as object);
        expect(record).toEqual(expected.record);
        expect(droppedCount).toBe(expected.paths.length);
        expect(expected.paths).toEqual(expect.arrayContaining([...droppedPaths]));
        expect(droppedPaths).toHaveLength(Math.min(20, droppedCount));
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
      const json = text(2 ** 21);
      const { droppedPaths, droppedCount } = readRecord(JSON.parse(json));
      expect(parseReceived(JSON.parse(json), json.length)).toMatchObject({ droppedCount });
      expect(droppedCount).toBe(oddValuesPerItem * 10_000 + 1);
      expect(droppedPaths.length).toBe(Math.min(20, droppedCount));
    },
  );
});
