/*
 * Factors as lists of numbers, which another thread can send as JSON, and which `FactorStore`
 * stores: an object with the names of all inputs takes three times as much memory.
 */
import { type FactorChoice, isUncovered, type Uncovered } from '../ledger.ts';
import { bases, type Factor, type FactorInputs, type UncoveredReason } from '../register-row.ts';

const figures = [
  'revenue',
  'scope_1',
  'scope_2',
  'scope_1_and_2',
  'upstream',
  'upstream_categories',
  'total',
  'scope_1_and_2_emission_factor',
  'total_upstream_emission_factor',
  'emission_factor',
] as const satisfies readonly (keyof FactorInputs)[];
const methods = [null, 'market-based', 'location-based'] as const;

/** Maximum number of inputs. */
export const maxInputs = figures.length;

/* The bits are those of the present inputs, the method and the basis. */
const methodShift = maxInputs;
const basisShift = methodShift + 2;

/** A factor; `inputs` are those that are not null, and the bits state which. */
export type PackedFactor = readonly [
  region: string | null,
  year: number | null,
  value: number,
  bits: number,
  ...inputs: number[],
];

/** Why there is no factor. */
export type PackedReason = readonly [reason: UncoveredReason, detail: string | null];

/** One result if both readings of the upstream factor agree, else those of both. */
export type PackedChoice =
  | readonly [both: PackedFactor | PackedReason]
  | readonly [additive: PackedFactor | PackedReason, nested: PackedFactor | PackedReason];

/** Packs a choice; both readings agree if they have the same object. */
export function packChoice({ additive, nested }: FactorChoice): PackedChoice {
  return additive === nested ? [pack(additive)] : [pack(additive), pack(nested)];
}

/** Checks whether a packed result is a reason. */
export function isReason(packed: PackedFactor | PackedReason): packed is PackedReason {
  return packed.length === 2;
}

/** Returns the basis of a factor with these bits. */
export function basisOf(bits: number): Factor['basis'] {
  return bases[bits >> basisShift] ?? 'factor';
}

/**
 * Returns the inputs of a factor.
 * @param next returns the packed inputs, one after the other
 */
export function unpackInputs(bits: number, next: () => number): FactorInputs {
  const figure = (index: number) => (bits & (1 << index) ? next() : null);
  const [revenue, scope_1, scope_2, scope_1_and_2] = [figure(0), figure(1), figure(2), figure(3)];
  return {
    revenue,
    scope_1,
    scope_2,
    scope_2_method: methods[(bits >> methodShift) & 3] ?? null,
    scope_1_and_2,
    upstream: figure(4),
    upstream_categories: figure(5),
    total: figure(6),
    scope_1_and_2_emission_factor: figure(7),
    total_upstream_emission_factor: figure(8),
    emission_factor: figure(9),
  };
}

function pack(choice: Factor | Uncovered): PackedFactor | PackedReason {
  if (isUncovered(choice)) return [choice.reason, choice.detail];
  const { basis, value, year, region, inputs } = choice;
  let bits =
    (bases.indexOf(basis) << basisShift) | (methods.indexOf(inputs.scope_2_method) << methodShift);
  const packed: [string | null, number | null, number, number, ...number[]] = [
    region,
    year,
    value,
    0,
  ];
  for (let index = 0; index < maxInputs; index += 1) {
    const figure = inputs[figures[index] as (typeof figures)[number]];
    if (figure === null) continue;
    packed.push(figure);
    bits |= 1 << index;
  }
  packed[3] = bits;
  return packed;
}
