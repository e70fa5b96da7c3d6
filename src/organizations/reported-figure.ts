import type { Emissions } from '../api/schema.ts';

/**
 * What is shown for a scope, in the order of preference: a stand-in for the disclosed total is
 * marked.
 */
export const readings = [
  { field: 'total', mark: '', basis: '', meaning: '' },
  { field: 'total_market_based', mark: '*', basis: 'market-based', meaning: 'market-based' },
  { field: 'total_location_based', mark: '‡', basis: 'location-based', meaning: 'location-based' },
  {
    field: 'sum',
    mark: '†',
    basis: 'sum',
    meaning: 'sum of the disclosed parts, no total disclosed',
  },
] as const;

/** The marks that a reading may have, the disclosed total's empty one first. */
export const readingMarks: readonly string[] = readings.map(({ mark }) => mark);

type Amounts =
  | { readonly [Field in (typeof readings)[number]['field']]?: number | null | undefined }
  | null
  | undefined;

/** What a mark means, in a word or two; empty for a disclosed total. */
export function basisOf({ mark }: Reading): string {
  return readings.find((reading) => reading.mark === mark)?.basis ?? '';
}

/**
 * The one figure that is shown for a scope, and the mark that says which it is when it is no
 * disclosed total.
 */
export interface Reading {
  readonly value: number;
  readonly mark: string;
}

/** The figures of one year. */
export interface Readings {
  readonly scope1: Reading | undefined;
  readonly scope2: Reading | undefined;
  /** Scopes 1 and 2 together, where an organization discloses them so. */
  readonly scope1And2: Reading | undefined;
  readonly scope3: Reading | undefined;
  readonly total: Reading | undefined;
}

/** Reads the figures to show of a year's emissions; nothing is added up. */
export function readEmissions(emissions: Emissions | null | undefined): Readings {
  const { scope_1, scope_2, scope_1_and_2, scope_3, total, sum } = emissions ?? {};
  return {
    scope1: read(scope_1),
    scope2: read(scope_2),
    scope1And2: read(scope_1_and_2),
    scope3: read(scope_3),
    total: read({ total, sum }),
  };
}

function read(amounts: Amounts): Reading | undefined {
  for (const { field, mark } of readings) {
    const value = amounts?.[field];
    if (typeof value === 'number') return { value, mark };
  }
  return undefined;
}
