import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRecord } from '../../../src/api/read-record.ts';
import { factorRecordSchema } from '../../../src/api/schema.ts';
import { readFacts, writeFacts } from '../../../src/footprint/records/facts-text.ts';
import { recordFacts } from '../../../src/footprint/records/record-facts.ts';
import { boundaries } from '../../../src/footprint/register-row.ts';
import { runs } from '../../support/seed.ts';
import { anyRecord } from '../records.ts';

const spend = [
  { currency: 'EUR', year: 2023 },
  { currency: 'EUR', year: null },
  { currency: 'USD', year: 2015 },
  { currency: null, year: null },
];
const retrieval = fc.record({
  currency: fc.constantFrom('EUR', undefined),
  retrievedAt: fc.constantFrom('2024-05-01T00:00:00Z', undefined),
});
const options = fc.record({
  boundary: fc.constantFrom(...boundaries),
  fallback: fc.constantFrom('industry' as const, 'none' as const),
});

describe('readFacts', () => {
  it('reads the facts and offers of any record as they were written', () => {
    fc.assert(
      fc.property(anyRecord, retrieval, options, (value, retrieved, chosen) => {
        const json = JSON.parse(JSON.stringify(value));
        const { record } = readRecord(json, factorRecordSchema);
        const { offer, ...facts } = recordFacts(record, retrieved, chosen);
        const { offer: readOffer, ...read } = readFacts(
          writeFacts({ ...facts, offer }, spend),
          spend,
        );
        expect(read).toEqual(facts);
        expect(spend.map(readOffer)).toEqual(spend.map(offer));
      }),
      { numRuns: runs(2_000) },
    );
  });
});
