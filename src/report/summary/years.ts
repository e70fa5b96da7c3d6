import type { Performance } from '../../api/schema.ts';
import {
  figureMarks,
  type ReportedEmissions,
  type ReportedFigure,
  readEmissions,
} from '../../organizations/emissions.ts';
import { isYear } from '../../organizations/history.ts';

/** The figures of a year, in the order of the GHG Protocol. */
export const scopeKeys = ['scope1', 'scope2', 'scope1And2', 'scope3', 'total'] as const;

/** The key of a figure of a year. */
export type ScopeKey = (typeof scopeKeys)[number];

/** The service's names of the figures, for `--json` and `--csv`. */
export const scopeFields: Readonly<Record<ScopeKey, string>> = {
  scope1: 'scope_1',
  scope2: 'scope_2',
  scope1And2: 'scope_1_and_2',
  scope3: 'scope_3',
  total: 'total',
};

/** Emissions of one year. */
export interface YearFigures {
  readonly year: number;
  readonly figures: ReportedEmissions;
}

/**
 * Years as plain numbers, seven each: year, marks, and the five figures, NaN for a missing one.
 * They take a tenth of the memory of objects, which limits the number of organizations in a report.
 */
export type PackedYears = readonly number[];

const width = 2 + scopeKeys.length;

/**
 * Packs the emissions of an organization.
 *
 * If a year has several performances, such as regions, the first one with emissions counts. They
 * are never added up, because one may contain the other.
 * @param performances ordered by year
 */
export function packYears(performances: readonly Performance[]): {
  years: PackedYears;
  hasSeveralRegions: boolean;
} {
  const years: number[] = [];
  let hasSeveralRegions = false;
  for (const { year, emissions } of performances) {
    if (!isYear(year) || !emissions) continue;
    const figures = readEmissions(emissions);
    if (scopeKeys.every((key) => figures[key] === undefined)) continue;
    if (years.at(-width) === year) {
      hasSeveralRegions = true;
      continue;
    }
    let marks = 0;
    for (let index = scopeKeys.length - 1; index >= 0; index -= 1) {
      const mark = figures[scopeKeys[index] as ScopeKey]?.mark ?? '';
      marks = marks * marksPerFigure + Math.max(0, figureMarks.indexOf(mark));
    }
    years.push(year, marks);
    for (const key of scopeKeys) years.push(figures[key]?.value ?? Number.NaN);
  }
  return { years, hasSeveralRegions };
}

/* Marks of all figures are one number, with the first figure in its last digit to this base. */
const marksPerFigure = 4;

/** Unpacks years, the latest first. */
export function unpackYears(packed: PackedYears): YearFigures[] {
  const years: YearFigures[] = [];
  for (let start = 0; start < packed.length; start += width) {
    let marks = packed[start + 1] ?? 0;
    let next = start + 2;
    const unpack = (): ReportedFigure | undefined => {
      const mark = figureMarks[marks % marksPerFigure] ?? '';
      marks = Math.floor(marks / marksPerFigure);
      const value = packed[next++];
      return value === undefined || Number.isNaN(value) ? undefined : { value, mark };
    };
    // In the order of `scopeKeys`.
    const figures = {
      scope1: unpack(),
      scope2: unpack(),
      scope1And2: unpack(),
      scope3: unpack(),
      total: unpack(),
    };
    years.push({ year: packed[start] ?? 0, figures });
  }
  return years;
}
