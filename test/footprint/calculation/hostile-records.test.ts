import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRecord } from '../../../src/api/read-record.ts';
import type { Organization } from '../../../src/api/schema.ts';
import { chooseFactors } from '../../../src/footprint/calculation/choose-factor.ts';
import { hasInconsistentFactor } from '../../../src/footprint/calculation/factor-consistency.ts';
import { Footprint } from '../../../src/footprint/calculation/footprint.ts';
import { nearTermTarget } from '../../../src/footprint/calculation/target.ts';
import {
  noEvidence,
  upstreamEvidence,
} from '../../../src/footprint/calculation/upstream-evidence.ts';
import { isUncovered } from '../../../src/footprint/ledger.ts';
import {
  type Boundary,
  boundaries,
  type Factor,
  type FactorInputs,
  type UpstreamReading,
  upstreamReadings,
} from '../../../src/footprint/register-row.ts';
import { hostileRecords } from '../../support/hostile-records.ts';
import '../../support/seed.ts';
import { footprintOptions, groupOf, supplierOf } from '../groups.ts';
import { anyRecord } from '../records.ts';

function expectFinite(text: unknown): void {
  // JSON has null for NaN and Infinity, so the values are visited before.
  JSON.stringify(text, (_, member) => {
    if (typeof member === 'number') expect(Number.isFinite(member)).toBe(true);
    return member;
  });
}

/* Calculates a factor as a reader of the register does, from its inputs alone. */
function recalculate({ basis, inputs }: Factor, boundary: Boundary, reading: UpstreamReading) {
  const figure = (name: keyof FactorInputs) => Number(inputs[name]);
  if (basis === 'industry') return figure('emission_factor');
  if (basis === 'factor') {
    if (boundary === 'total') return figure('emission_factor');
    if (boundary === 'scope-1-2') return figure('scope_1_and_2_emission_factor');
    const upstream = figure('total_upstream_emission_factor');
    return reading === 'nested' ? upstream : figure('scope_1_and_2_emission_factor') + upstream;
  }
  if (boundary === 'total') return figure('total') / figure('revenue');
  const own =
    inputs.scope_1_and_2 === null ? figure('scope_1') + figure('scope_2') : figure('scope_1_and_2');
  const upstream = boundary === 'scope-1-2' ? 0 : figure('upstream');
  return (own + upstream) / figure('revenue');
}

function calculate(organization: Organization, spend: string): void {
  for (const boundary of boundaries) {
    const factors = chooseFactors(organization, {
      currency: 'EUR',
      year: 2023,
      boundary,
      fallback: 'industry',
    });
    for (const reading of upstreamReadings) {
      const choice = factors[reading];
      if (!isUncovered(choice)) expect(choice.value).toBe(recalculate(choice, boundary, reading));
    }
    const target = nearTermTarget(organization);
    const evidence = noEvidence();
    evidence[upstreamEvidence(organization)] += 1;
    const group = groupOf({ ...supplierOf(1), target }, spend, factors.additive, { factors });
    const footprint = new Footprint([group, group], {
      ...footprintOptions,
      boundary,
      evidence,
      upstream: 'additive',
      whatIf: 1,
      inconsistentFactors: Number(hasInconsistentFactor(organization)),
    });
    expectFinite([...footprint.rows()]);
    expectFinite(footprint.summary());
  }
}

describe('the calculation with hostile records', () => {
  it('yields finite figures that follow from their inputs for any values', () => {
    fc.assert(
      fc.property(
        anyRecord,
        fc.constantFrom('0', '0.01', '-5', '99999999999999999999'),
        (raw, spend) => {
          calculate(readRecord(raw).record, spend);
        },
      ),
    );
  });

  it.each(Object.entries(hostileRecords))('reads %s', (_, { text }) => {
    calculate(readRecord(JSON.parse(text(20_000))).record, '1');
  });
});
