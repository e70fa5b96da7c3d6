import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifierSchema, readRecord } from '../src/contract.ts';

describe('readRecord', () => {
  it('takes an empty record, nulls, and unknown fields and values', () => {
    expect(readRecord({})).toEqual({ record: {}, oddities: [] });
    const sent = { id: 1, name: null, status: 'pondering', industry_rank: 'enormous', extra: { deep: [1] } };
    expect(readRecord(sent)).toEqual({ record: sent, oddities: [] });
  });

  it('leaves out values of another type and names them', () => {
    const sent = {
      id: 7,
      score: 'high',
      cdp: [],
      performances: [{ year: 2020 }, 'none', { year: 2021, emissions: { scope_1: { total: '12' } } }],
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
      oddities: [
        'performances.1',
        'performances.2.emissions.scope_1.total',
        'score',
        'cdp',
        'sbti.data.0',
        'sbti.data.1.near_term',
      ],
    });
    expect(sent.score).toBe('high');
  });

  it('reads any JSON object without throwing', () => {
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
    fc.assert(
      fc.property(fc.dictionary(field, fc.jsonValue({ maxDepth: 4 })), (sent) => {
        expect(readRecord(sent).record).toBeTypeOf('object');
      }),
    );
  });
});

describe('identifierSchema', () => {
  it('is strict about what is written', () => {
    expect(identifierSchema.safeParse({ name: 'Acme' }).success).toBe(true);
    expect(identifierSchema.safeParse({ name: '' }).success).toBe(false);
    expect(identifierSchema.safeParse({ name: 'Acme', colour: 'red' }).success).toBe(false);
  });
});
