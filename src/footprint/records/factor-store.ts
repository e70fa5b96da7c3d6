/*
 * Stores the factors of many suppliers outside of the JavaScript heap: a factor with its inputs
 * takes about 100 bytes instead of 300.
 */
import { type FactorChoice, isUncovered, type Uncovered } from '../ledger.ts';
import { bases, type Factor, type FactorInputs } from '../register-row.ts';

const blockLength = 1 << 13;

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

/*
 * A factor is a value, a year (NaN for none), its bits, and the inputs that are not null. The bits
 * are those of the present inputs, the method and the basis.
 */
const headLength = 3;
const maxLength = headLength + figures.length;
const methodShift = figures.length;
const basisShift = methodShift + 2;

/** Stores factors, and returns them in the same form. */
export class FactorStore {
  #block = new Float64Array(blockLength);
  #used = 0;

  /** Stores the factors of a choice; a choice without a factor stays the same. */
  keep(choice: FactorChoice): FactorChoice {
    const { additive, nested } = choice;
    if (additive !== nested) {
      return { additive: this.#keep(additive), nested: this.#keep(nested) };
    }
    return isUncovered(additive) ? choice : this.#add(additive);
  }

  #keep(factor: Factor | Uncovered): Factor | Uncovered {
    return isUncovered(factor) ? factor : this.#add(factor);
  }

  #add({ basis, value, year, region, inputs }: Factor): StoredFactor {
    if (this.#used + maxLength > blockLength) {
      this.#block = new Float64Array(blockLength);
      this.#used = 0;
    }
    const block = this.#block;
    const start = this.#used;
    let bits = bases.indexOf(basis) << basisShift;
    bits |= methods.indexOf(inputs.scope_2_method) << methodShift;
    let end = start + headLength;
    for (let index = 0; index < figures.length; index += 1) {
      const figure = inputs[figures[index] as (typeof figures)[number]];
      if (figure === null) continue;
      block[end++] = figure;
      bits |= 1 << index;
    }
    block[start] = value;
    block[start + 1] = year ?? Number.NaN;
    block[start + 2] = bits;
    this.#used = end;
    return new StoredFactor(block, start, region);
  }
}

/* A factor that is the same under both readings is its own choice. */
class StoredFactor implements Factor, FactorChoice {
  readonly region: string | null;
  readonly #block: Float64Array;
  readonly #at: number;

  constructor(block: Float64Array, at: number, region: string | null) {
    this.#block = block;
    this.#at = at;
    this.region = region;
  }

  get additive(): Factor {
    return this;
  }

  get nested(): Factor {
    return this;
  }

  get value(): number {
    return this.#number(0);
  }

  get year(): number | null {
    const year = this.#number(1);
    return Number.isNaN(year) ? null : year;
  }

  get basis(): Factor['basis'] {
    return bases[this.#number(2) >> basisShift] ?? 'factor';
  }

  get inputs(): FactorInputs {
    const bits = this.#number(2);
    let next = headLength;
    const figure = (index: number) => (bits & (1 << index) ? this.#number(next++) : null);
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

  #number(index: number): number {
    return this.#block[this.#at + index] as number;
  }
}
