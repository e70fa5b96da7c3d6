/*
 * The figures of an organization's years as numbers in one array. A report keeps those of every
 * organization: as objects, which V8 moves to its old generation, they would take a tenth of the
 * time of `carbon report` and a third of its memory (npm run bench -- --only reading).
 */
import {
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
}

const marks = figureBases.map(({ mark }) => mark);
const figureNames = ['scope1', 'scope2', 'scope1And2', 'scope3', 'total'] as const;

/* For each year: the year, 1 if it is wrong, then value and basis of each figure. */
const figuresBegin = 2;
const numbersPerYear = figuresBegin + 2 * figureNames.length;

/** The years of an organization in their order. */
export class FigureYears {
  /* NaN for missing figures. */
  readonly #numbers: number[];

  constructor(years: readonly YearFigures[]) {
    this.#numbers = Array<number>(years.length * numbersPerYear).fill(Number.NaN);
    let at = 0;
    for (const { year, figures, isWrong } of years) {
      this.#numbers[at] = year;
      this.#numbers[at + 1] = Number(isWrong);
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

  *[Symbol.iterator](): Generator<YearFigures, void, void> {
    for (let at = 0; at < this.#numbers.length; at += numbersPerYear)
      yield {
        year: this.#numbers[at] ?? 0,
        figures: this.#figuresAt(at),
        isWrong: this.#numbers[at + 1] === 1,
      };
  }

  #figuresAt(year: number): ReportedEmissions {
    const read = (index: number): ReportedFigure | undefined => {
      const at = year + figuresBegin + 2 * index;
      const [value = Number.NaN, basis = 0] = [this.#numbers[at], this.#numbers[at + 1]];
      return Number.isNaN(value) ? undefined : { value, mark: marks[basis] ?? '' };
    };
    return {
      scope1: read(0),
      scope2: read(1),
      scope1And2: read(2),
      scope3: read(3),
      total: read(4),
    };
  }
}
