import type { Entry } from './digest.ts';
import type { YearFigures } from './years.ts';

/** One of the largest emitters. */
export interface Emitter {
  readonly id: string | number | null;
  readonly name: string | null;
  readonly hq_region: string | null;
  readonly industry: string | null;
  readonly year: number;
  readonly total: number;
  /** Whether `total` is the sum of the disclosed parts, where no total was disclosed. */
  readonly sum_of_parts: boolean;
}

/** An organization and two of its years. */
export interface TopEmitters {
  readonly entry: Entry;
  /** The latest with a figure: the year that every view of the organization shows. */
  readonly latest: YearFigures | undefined;
  /** The latest with a total, which decides its place. */
  readonly ranking: YearFigures | undefined;
}

/*
 * How many times those that are asked for are kept, before the smallest are left out: few, because
 * a name may be a megabyte.
 */
const slack = 1.1;

/** Keeps the largest emitters, so many at most. */
export class LargestEmitters {
  readonly #most: number;
  #ranked: TopEmitters[] = [];
  /* The smallest total that is kept, when nothing smaller is needed. */
  #least: number | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /** @param years of the organization, the latest first */
  add(entry: Entry, years: readonly YearFigures[]): void {
    const ranking = years.find(({ figures }) => figures.total);
    const ranked = { entry, latest: years[0], ranking };
    if (this.#least !== undefined && totalOf(ranked) <= this.#least) return;
    this.#ranked.push(ranked);
    if (this.#ranked.length > this.#most * slack) this.#cut();
  }

  /**
   * Those with the largest totals in their order; those without one stay in their order, at the
   * end.
   */
  result(): readonly TopEmitters[] {
    this.#cut();
    return this.#ranked;
  }

  #cut(): void {
    // Sorting keeps the order of equal ones.
    this.#ranked.sort((a, b) => (totalOf(a) === totalOf(b) ? 0 : totalOf(b) - totalOf(a)));
    const last = this.#ranked[this.#most - 1];
    if (last === undefined) return;
    this.#ranked.length = this.#most;
    this.#least = totalOf(last);
  }
}

function totalOf({ ranking }: TopEmitters): number {
  return ranking?.figures.total?.value ?? Number.NEGATIVE_INFINITY;
}

/** An organization as one of the largest emitters; none without a total. */
export function emittersOf(ranked: readonly TopEmitters[]): Emitter[] {
  return ranked.flatMap(({ entry, ranking }) => {
    const total = ranking?.figures.total;
    if (ranking === undefined || total === undefined) return [];
    return {
      id: entry.id ?? null,
      name: entry.name ?? null,
      hq_region: entry.region ?? null,
      industry: entry.industry ?? null,
      year: ranking.year,
      total: total.value,
      sum_of_parts: total.mark !== '',
    };
  });
}
