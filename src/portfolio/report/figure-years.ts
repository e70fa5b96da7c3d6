/*
 * The figures of an organization's years as numbers in one array. A report keeps those of every
 * organization: as objects, which V8 moves to its old generation, they would take a tenth of the
 * time of `carbon report` and a third of its memory (npm run bench -- --only reading).
 */
import {
  bothScopes,
  figureBases,
  type ReportedEmissions,
  type ReportedFigure,
} from '../organizations/emissions.ts';

/** The figures of a year. */
export interface YearFigures {
  readonly year: number;
  readonly figures: ReportedEmissions;
  /** Whether `carbon check` finds an error in the year, so that no sum contains it. */
  readonly isWrong: boolean;
  /** Revenue divided by that of the year before; undefined if they cannot be compared. */
  readonly growth?: number | undefined;
}

const marks = figureBases.map(({ mark }) => mark);
const figureNames = ['scope1', 'scope2', 'scope1And2', 'scope3', 'total'] as const;

/* For each year: the year, 1 if it is wrong, the growth, then value and basis of each figure. */
const figuresBegin = 3;
const numbersPerYear = figuresBegin + 2 * figureNames.length;

/** The years of an organization in their order. */
export class FigureYears {
  /* NaN for missing figures. */
  readonly #numbers: number[];

  constructor(years: readonly YearFigures[]) {
    this.#numbers = Array<number>(years.length * numbersPerYear).fill(Number.NaN);
    let at = 0;
    for (const { year, figures, isWrong, growth = Number.NaN } of years) {
      this.#numbers[at] = year;
      this.#numbers[at + 1] = Number(isWrong);
      this.#numbers[at + 2] = growth;
      at += figuresBegin;
      for (const name of figureNames) {
        const figure = figures[name];
        if (figure !== undefined) {
          this.#numbers[at] = figure.value;
          this.#numbers[at + 1] = marks.indexOf(figure.mark as (typeof marks)[number]);
        }
        at += 2;
      }
    }
  }

  get length(): number {
    return this.#numbers.length / numbersPerYear;
  }

  /** The number of years without an error. */
  get rightCount(): number {
    let right = 0;
    for (let at = 1; at < this.#numbers.length; at += numbersPerYear)
      if (this.#numbers[at] === 0) right += 1;
    return right;
  }

  /** Returns the figures of a year; undefined if it is missing or wrong. */
  right(year: number): ReportedEmissions | undefined {
    for (let at = 0; at < this.#numbers.length; at += numbersPerYear)
      if (this.#numbers[at] === year && this.#numbers[at + 1] === 0) return this.#figuresAt(at);
    return undefined;
  }

  /** Returns the revenue of a year divided by that of the year before; undefined if unknown. */
  growth(year: number): number | undefined {
    for (let at = 0; at < this.#numbers.length; at += numbersPerYear) {
      const growth = this.#numbers[at + 2] ?? Number.NaN;
      if (this.#numbers[at] === year) return Number.isNaN(growth) ? undefined : growth;
    }
    return undefined;
  }

  /**
   * Scopes 1 and 2 of the latest year that has both and no error, which determines the rank of an
   * organization.
   */
  get latestBoth(): number | undefined {
    for (let at = 0; at < this.#numbers.length; at += numbersPerYear) {
      const both = this.#numbers[at + 1] === 0 ? bothScopes(this.#figuresAt(at)) : undefined;
      if (both !== undefined) return both.value;
    }
    return undefined;
  }

  /** The newest year with scope 1 or 2, even one that cannot be right, which is named elsewhere. */
  get newestOfScopes1And2(): number | undefined {
    for (let at = 0; at < this.#numbers.length; at += numbersPerYear)
      for (let index = 0; index < 3; index += 1)
        if (!Number.isNaN(this.#numbers[at + figuresBegin + 2 * index])) return this.#numbers[at];
    return undefined;
  }

  /** The newest year with scopes 1 and 2, even one that cannot be right. */
  get newestOfBoth(): number | undefined {
    const isKnown = (at: number, index: number) =>
      !Number.isNaN(this.#numbers[at + figuresBegin + 2 * index]);
    for (let at = 0; at < this.#numbers.length; at += numbersPerYear)
      if (isKnown(at, 2) || (isKnown(at, 0) && isKnown(at, 1))) return this.#numbers[at];
    return undefined;
  }

  *[Symbol.iterator](): Generator<YearFigures, void, void> {
    for (let at = 0; at < this.#numbers.length; at += numbersPerYear)
      yield {
        year: this.#numbers[at] ?? 0,
        figures: this.#figuresAt(at),
        isWrong: this.#numbers[at + 1] === 1,
      };
  }

  #figuresAt(year: number): ReportedEmissions {
    return {
      scope1: this.#figureAt(year, 0),
      scope2: this.#figureAt(year, 1),
      scope1And2: this.#figureAt(year, 2),
      scope3: this.#figureAt(year, 3),
      total: this.#figureAt(year, 4),
    };
  }

  #figureAt(year: number, index: number): ReportedFigure | undefined {
    const at = year + figuresBegin + 2 * index;
    const value = this.#numbers[at] ?? Number.NaN;
    if (Number.isNaN(value)) return undefined;
    return { value, mark: marks[this.#numbers[at + 1] ?? 0] ?? '' };
  }
}
