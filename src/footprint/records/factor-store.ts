/*
 * Stores the factors of many suppliers outside of the JavaScript heap: a factor with its inputs
 * takes about 100 bytes instead of 300.
 */
import { type FactorChoice, isUncovered, type Uncovered } from '../ledger.ts';
import type { Factor, FactorInputs } from '../register-row.ts';
import {
  basisOf,
  isReason,
  maxInputs,
  type PackedChoice,
  type PackedFactor,
  type PackedReason,
  unpackInputs,
} from './packed-choice.ts';

const blockLength = 1 << 13;

/* A factor is a value, a year (NaN for none), its bits, and the inputs that are not null. */
const headLength = 3;
const maxLength = headLength + maxInputs;

/* Suppliers of one industry have equal averages, and reasons repeat. */
const maxShared = 10_000;

/** Stores packed factors, and returns them in the form of the calculation. */
export class FactorStore {
  #block = new Float64Array(blockLength);
  #used = 0;
  readonly #shared = new Map<string, FactorChoice>();

  /** Stores a choice. Equal reasons and equal averages of an industry are one object. */
  keep(choice: PackedChoice): FactorChoice {
    const [additive, nested] = choice;
    if (nested !== undefined) return { additive: this.#keep(additive), nested: this.#keep(nested) };
    if (!isReason(additive) && basisOf(additive[3]) !== 'industry') return this.#add(additive);
    const key = JSON.stringify(additive.slice(0, 3));
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    const kept = this.#keep(additive);
    const both = isUncovered(kept) ? { additive: kept, nested: kept } : kept;
    if (this.#shared.size < maxShared) this.#shared.set(key, both);
    return both;
  }

  #keep(packed: PackedFactor | PackedReason): StoredFactor | Uncovered {
    return isReason(packed) ? { reason: packed[0], detail: packed[1] } : this.#add(packed);
  }

  #add([region, year, value, bits, ...inputs]: PackedFactor): StoredFactor {
    if (this.#used + maxLength > blockLength) {
      this.#block = new Float64Array(blockLength);
      this.#used = 0;
    }
    const block = this.#block;
    const start = this.#used;
    block[start] = value;
    block[start + 1] = year ?? Number.NaN;
    block[start + 2] = bits;
    block.set(inputs, start + headLength);
    this.#used = start + headLength + inputs.length;
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
    return basisOf(this.#number(2));
  }

  get inputs(): FactorInputs {
    let next = headLength;
    return unpackInputs(this.#number(2), () => this.#number(next++));
  }

  #number(index: number): number {
    return this.#block[this.#at + index] as number;
  }
}
