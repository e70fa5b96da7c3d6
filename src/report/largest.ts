import type { Entry } from './entry.ts';
import { unpackYears, type YearFigures } from './years.ts';

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

const shown = 10;

/** Finds the largest emitters, each by the latest year that has a total, the largest first. */
export function largestEmitters(entries: readonly Entry[]): Emitter[] {
  let largest: Emitter[] = [];
  for (const entry of entries) {
    const emitter = emitterOf(entry);
    const smallest = largest.at(-1);
    if (emitter === undefined) continue;
    if (largest.length === shown && smallest !== undefined && emitter.total <= smallest.total) continue;
    // Sorting keeps the order of equal ones, and so few are sorted quickly.
    largest = [...largest, emitter].sort((a, b) => b.total - a.total).slice(0, shown);
  }
  return largest;
}

function emitterOf(entry: Entry): Emitter | undefined {
  const { latest } = rank(entry);
  const total = latest?.readings.total;
  if (latest === undefined || total === undefined) return undefined;
  return {
    id: entry.id ?? null,
    name: entry.name ?? null,
    hq_region: entry.region ?? null,
    industry: entry.industry ?? null,
    year: latest.year,
    total: total.value,
    sum_of_parts: total.mark !== '',
  };
}

/** An organization and the year that it is shown with: the latest that has a total, else the latest. */
export interface Ranked {
  readonly entry: Entry;
  readonly latest: YearFigures | undefined;
}

/** Orders organizations by the total of their latest year that has one; those without stay in their order, at the end. */
export function byEmissions(entries: readonly Entry[]): Ranked[] {
  const ranked = entries.map(rank);
  const total = ({ latest }: Ranked) => latest?.readings.total?.value ?? Number.NEGATIVE_INFINITY;
  return ranked.sort((a, b) => (total(a) === total(b) ? 0 : total(b) - total(a)));
}

function rank(entry: Entry): Ranked {
  const years = unpackYears(entry.years);
  return { entry, latest: years.find(({ readings }) => readings.total) ?? years[0] };
}
