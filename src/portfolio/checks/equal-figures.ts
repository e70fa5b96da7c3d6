/* Finds organizations that have the figures of another one, which a sum would count twice. */
import { isObject, type OrganizationId } from '../../client/api/ids.ts';
import type { Organization } from '../../client/api/schema.ts';
import { andMore } from '../../display/terminal/format.ts';
import { matchOf } from '../organizations/matches.ts';
import { equalFiguresRule } from './check-records.ts';
import type { Finding } from './findings.ts';

interface Known {
  readonly id: OrganizationId;
  readonly name: string | null;
  readonly match: string | undefined;
}

/** Compares the figures of organizations. */
export class EqualFigures {
  /* By a hash of the figures, as there may be a million records. */
  readonly #byFigures = new Map<string, { readonly figures: number; readonly all: Known[] }>();

  add(id: OrganizationId, record: EqualFiguresOf): void {
    const { hash, figures, name, match } = record;
    if (hash === undefined) return;
    const known = this.#byFigures.get(hash);
    if (known === undefined) this.#byFigures.set(hash, { figures, all: [{ id, name, match }] });
    else known.all.push({ id, name, match });
  }

  /** Returns a finding for each organization. Those of one matched organization share a match. */
  findings(): Finding[] {
    return [...this.#byFigures.values()].flatMap(({ figures, all }) => {
      if (all.length < 2) return [];
      const sharing = new Map<string | undefined, number>();
      for (const { match } of all) sharing.set(match, (sharing.get(match) ?? 0) + 1);
      const [first, second] = all;
      const firstOther = all.find(({ match }) => match !== first?.match);
      return all.flatMap((own): Finding[] => {
        const { id, name, match } = own;
        // Comparing each with each would take quadratic time.
        const count = all.length - (match === undefined ? 1 : (sharing.get(match) ?? 0));
        const isFirst = own === first || (match !== undefined && match === first?.match);
        const afterFirst = match === undefined ? second : firstOther;
        const other = isFirst ? afterFirst : first;
        if (count === 0 || other === undefined) return [];
        const label = other.name === null ? String(other.id) : `${other.name} (${other.id})`;
        const { name: rule, severity } = equalFiguresRule;
        return [
          {
            ...{ id, name, rule, severity, value: figures, limit: null, year: null },
            evidence: `all ${figures} figures are equal to those of ${andMore(label, count - 1)}`,
            action: 'ask the service',
          },
        ];
      });
    });
  }
}

export type EqualFiguresOf = ReturnType<typeof readFigures>;

/**
 * Reduces the figures of a record to a hash, undefined without two amounts above 0, and its
 * emissions to another one, undefined without any or without a match.
 */
export function readFigures(record: Organization) {
  const { name = null, performances } = record;
  const sum = new HashSum();
  for (const performance of performances ?? []) {
    const { year, region } = performance;
    sum.add(performance, hashOf(`${year} ${region}`));
  }
  const { figures, amounts } = sum;
  const hash = amounts < 2 ? undefined : sum.hash;
  const match = matchOf(record);
  const emissions = match === undefined ? undefined : sum.emissions;
  return { name, match, figures, hash, emissions };
}

const double = new Float64Array(1);
const halves = new Uint32Array(double.buffer);
const maxDepth = 3;

/*
 * Adds up hashes of figures, so that their order does not matter. Sorting and hashing texts of them
 * doubles the time of a check (bench/findings.ts).
 */
class HashSum {
  /** Number of all figures, and of emissions and revenues above 0. */
  figures = 0;
  amounts = 0;
  #low = 0;
  #high = 0;
  /* Emissions do not depend on the currency. Of 32 bits, as it is kept of each record. */
  #emissions = 0;

  /** @param seed identifies the performance that the figures are of */
  add(members: object, seed: number, depth = 0, isAmount = false): void {
    for (const key in members) {
      const value: unknown = members[key as never];
      // The seed has the year.
      if (depth === 0 && key === 'year') continue;
      if (typeof value === 'number') {
        double[0] = value;
        const at = mix(seed, hashOf(key));
        const low = mix(at, halves[0] ?? 0) ^ (halves[1] ?? 0);
        const high = mix(mix(at, halves[1] ?? 0), halves[0] ?? 0);
        this.#low += low;
        this.#high += high;
        if (isAmount) this.#emissions = (this.#emissions + mix(low, high)) | 0;
        this.figures += 1;
        // Factors alone may be those of an industry.
        if (value > 0 && (isAmount || key === 'revenue')) this.amounts += 1;
      } else if (depth < maxDepth && isObject(value))
        this.add(value, mix(seed, hashOf(key)), depth + 1, isAmount || key === 'emissions');
    }
  }

  get emissions(): number | undefined {
    return this.#emissions === 0 ? undefined : this.#emissions;
  }

  get hash(): string {
    return `${this.figures} ${this.#low} ${this.#high}`;
  }
}

function mix(a: number, b: number): number {
  const mixed = Math.imul(a ^ (a >>> 15) ^ b, 0x85eb_ca6b);
  return Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35) ^ (mixed >>> 16);
}

const hashes = new Map<string, number>();
const maxHashes = 10_000;

/* Hashes a name; records have few. */
function hashOf(text: string): number {
  const known = hashes.get(text);
  if (known !== undefined) return known;
  let hash = text.length;
  for (let index = 0; index < text.length; index += 1) hash = mix(hash, text.charCodeAt(index));
  if (hashes.size < maxHashes) hashes.set(text, hash);
  return hash;
}
