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
  /** Whether `total` is the sum of the disclosed parts, because no total was disclosed. */
  readonly sum_of_parts: boolean;
}

/** An organization with the years that views and the ranking use. */
export interface RankedEmitter {
  readonly entry: Entry;
  /** The latest year with a figure, which every view of the organization shows. */
  readonly latest: YearFigures | undefined;
  /** The latest year with a total, which determines the rank. */
  readonly ranking: YearFigures | undefined;
}

/*
 * The list may exceed its maximum by this factor before it drops the smallest. The factor is small,
 * because a name may take a megabyte.
 */
const slack = 1.1;

/** Keeps a maximum number of the largest emitters. */
export class TopEmitters {
  readonly #maxCount: number;
  #ranked: RankedEmitter[] = [];
  /* The smallest total of a full list; smaller ones cannot enter. */
  #minTotal: number | undefined;

  constructor(maxCount: number) {
    this.#maxCount = maxCount;
  }

  /** @param years of the organization, the latest first */
  add(entry: Entry, years: readonly YearFigures[]): void {
    const ranking = years.find(({ figures }) => figures.total);
    const ranked = { entry, latest: years[0], ranking };
    if (this.#minTotal !== undefined && totalOf(ranked) <= this.#minTotal) return;
    this.#ranked.push(ranked);
    if (this.#ranked.length > this.#maxCount * slack) this.#cut();
  }

  /** Returns the organizations with the largest totals in their order, then those without one. */
  result(): readonly RankedEmitter[] {
    this.#cut();
    return this.#ranked;
  }

  #cut(): void {
    // Sorting is stable, so organizations with equal totals keep their order.
    this.#ranked.sort((a, b) => (totalOf(a) === totalOf(b) ? 0 : totalOf(b) - totalOf(a)));
    const last = this.#ranked[this.#maxCount - 1];
    if (last === undefined) return;
    this.#ranked.length = this.#maxCount;
    this.#minTotal = totalOf(last);
  }
}

function totalOf({ ranking }: RankedEmitter): number {
  return ranking?.figures.total?.value ?? Number.NEGATIVE_INFINITY;
}

/** Converts ranked organizations for the summary, except those without a total. */
export function emittersOf(ranked: readonly RankedEmitter[]): Emitter[] {
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
