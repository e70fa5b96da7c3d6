/* Builders of suppliers, groups and options for tests of the footprint. */
import type { FootprintOptions } from '../../src/footprint/calculation/footprint.ts';
import { unknownTarget } from '../../src/footprint/calculation/target.ts';
import { noEvidence } from '../../src/footprint/calculation/upstream-evidence.ts';
import type { SpendGroup, Supplier, Uncovered } from '../../src/footprint/ledger.ts';
import type { Basis, Factor, FactorInputs } from '../../src/footprint/register-row.ts';

/** Returns a supplier that the journal of the file identified. */
export function supplierOf(id: number, status: string | null = null): Supplier {
  return {
    name: `Supplier ${id}`,
    id,
    recordName: `Record ${id}`,
    matchedBy: 'journal',
    target: status === null ? unknownTarget : { ...unknownTarget, status },
    retrievedAt: null,
    isSynthetic: false,
  };
}

/** The inputs of a factor without figures. */
export const noInputs: FactorInputs = {
  revenue: null,
  scope_1: null,
  scope_2: null,
  scope_2_method: null,
  scope_1_and_2: null,
  upstream: null,
  upstream_categories: null,
  total: null,
  scope_1_and_2_emission_factor: null,
  total_upstream_emission_factor: null,
  emission_factor: null,
};

/** Returns a factor without inputs. */
export function factorOf(value: number, basis: Basis = 'disclosed', year = 2023): Factor {
  return { basis, value, year, region: null, inputs: noInputs };
}

/** Returns a group of one line in euros; `factor` applies under both readings. */
export function groupOf(
  supplier: Supplier,
  spend: string | null,
  factor: Factor | Uncovered,
  change: Partial<SpendGroup> = {},
): SpendGroup {
  return {
    supplier,
    currency: 'EUR',
    year: 2023,
    category: null,
    spend,
    lines: [2],
    lineCount: 1,
    factors: { additive: factor, nested: factor },
    ...change,
  };
}

/** Options of a footprint from cradle to gate. */
export const footprintOptions: FootprintOptions = {
  boundary: 'cradle-to-gate',
  unit: 'kg',
  evidence: noEvidence(),
  inconsistentFactors: 0,
  method: {
    version: '1.2.3',
    service: null,
    files: ['suppliers.csv'],
    fallback: 'industry',
    calculated_at: '2026-01-01T00:00:00Z',
  },
};
