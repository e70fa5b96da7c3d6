import type { ReportedFigure } from '../../organizations/emissions.ts';
import type { Entry } from './digest.ts';
import { type ScopeKey, scopeKeys, type YearFigures } from './years.ts';

/** A sum over the organizations that disclosed the figure. */
export interface Sum {
  /** Null if no organization disclosed the figure, or if the sum exceeds the range of numbers. */
  readonly sum: number | null;
  /** The number of organizations that the sum covers. */
  readonly organizations: number;
  /** The numbers of these organizations with a substitute for the total, by kind. */
  readonly market_based: number;
  readonly location_based: number;
  readonly sum_of_parts: number;
}

/** Emissions of one year. */
export interface YearSummary {
  readonly year: number;
  /** Organizations that disclosed any figure of the year. */
  readonly organizations: number;
  /**
   * Whether fewer organizations disclosed this year than another year, so that the sums are not
   * comparable.
   */
  readonly partial: boolean;
  readonly scope_1: Sum;
  readonly scope_2: Sum;
  /** Only of organizations that disclose the two scopes together, so that nothing counts twice. */
  readonly scope_1_and_2: Sum;
  readonly scope_3: Sum;
  readonly total: Sum;
}

/** Emissions by year, the latest first, without a unit, because none is documented. */
export interface EmissionsSummary {
  /** Organizations that disclosed any figure of any year. */
  readonly organizations: number;
  /** Organizations with several regions in a year, of which only the first counts. */
  readonly several_regions: number;
  readonly years: readonly YearSummary[];
}

type Running = Record<
  'sum' | 'organizations' | 'market_based' | 'location_based' | 'sum_of_parts',
  number
>;

const substitutes = { '*': 'market_based', '‡': 'location_based', '†': 'sum_of_parts' } as const;

/** Adds up disclosed emissions by year and figure; it estimates nothing. */
export class EmissionsSum {
  readonly #years = new Map<number, { organizations: number; sums: Record<ScopeKey, Running> }>();
  #organizations = 0;
  #severalRegions = 0;

  /** @param years of the organization */
  add({ hasSeveralRegions }: Entry, years: readonly YearFigures[]): void {
    this.#organizations += Number(years.length > 0);
    this.#severalRegions += Number(hasSeveralRegions);
    for (const { year, figures } of years) {
      const running = this.#years.get(year) ?? newYear();
      this.#years.set(year, running);
      running.organizations += 1;
      for (const key of scopeKeys) {
        const reported = figures[key];
        const isDouble = key === 'scope1And2' && (figures.scope1 ?? figures.scope2) !== undefined;
        if (reported !== undefined && !isDouble) addFigure(running.sums[key], reported);
      }
    }
  }

  result(): EmissionsSummary {
    const max = Math.max(0, ...[...this.#years.values()].map((year) => year.organizations));
    return {
      organizations: this.#organizations,
      several_regions: this.#severalRegions,
      years: [...this.#years]
        .sort(([a], [b]) => b - a)
        .map(([year, running]) => ({
          year,
          organizations: running.organizations,
          partial: running.organizations < max,
          scope_1: finish(running.sums.scope1),
          scope_2: finish(running.sums.scope2),
          scope_1_and_2: finish(running.sums.scope1And2),
          scope_3: finish(running.sums.scope3),
          total: finish(running.sums.total),
        })),
    };
  }
}

function addFigure(running: Running, { value, mark }: ReportedFigure): void {
  running.sum += value;
  running.organizations += 1;
  const substitute = substitutes[mark as keyof typeof substitutes];
  if (substitute !== undefined) running[substitute] += 1;
}

function newYear() {
  const zero = () => ({
    sum: 0,
    organizations: 0,
    market_based: 0,
    location_based: 0,
    sum_of_parts: 0,
  });
  const sums = {
    scope1: zero(),
    scope2: zero(),
    scope1And2: zero(),
    scope3: zero(),
    total: zero(),
  };
  return { organizations: 0, sums };
}

function finish(running: Running): Sum {
  const isKnown = running.organizations > 0 && Number.isFinite(running.sum);
  return { ...running, sum: isKnown ? running.sum : null };
}
