import type { Organization } from '../../api/schema.ts';
import {
  figureMarks,
  type ReportedEmissions,
  type ReportedFigure,
  readEmissions,
} from '../../organizations/emissions.ts';
import { isYear, performancesByYear } from '../../organizations/history.ts';

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
 * Packs the emissions of an organization, the latest year first.
 *
 * If a year has several performances, such as regions, the first one with emissions counts. They
 * are never added up, because one may contain the other.
 */
export function packYears(record: Organization): {
  years: PackedYears;
  hasSeveralRegions: boolean;
} {
  const years: number[] = [];
  let hasSeveralRegions = false;
  for (const { year, emissions } of performancesByYear(record)) {
    const figures = readEmissions(emissions);
    if (!isYear(year) || scopeKeys.every((key) => figures[key] === undefined)) continue;
    if (years.at(-width) === year) {
      hasSeveralRegions = true;
      continue;
    }
    const packedMarks = scopeKeys.reduce(
      (sum, key, index) =>
        sum + Math.max(0, figureMarks.indexOf(figures[key]?.mark ?? '')) * 4 ** index,
      0,
    );
    years.push(year, packedMarks, ...scopeKeys.map((key) => figures[key]?.value ?? Number.NaN));
  }
  return { years, hasSeveralRegions };
}

/** Unpacks years, the latest first. */
export function unpackYears(packed: PackedYears): YearFigures[] {
  return Array.from({ length: packed.length / width }, (_, yearIndex) => {
    const start = yearIndex * width;
    const [year = 0, packedMarks = 0, ...values] = packed.slice(start, start + width);
    const figureAt = (index: number): ReportedFigure | undefined => {
      const value = values[index];
      if (value === undefined || Number.isNaN(value)) return undefined;
      return { value, mark: figureMarks[Math.floor(packedMarks / 4 ** index) % 4] ?? '' };
    };
    const figures = scopeKeys.map((key, index) => [key, figureAt(index)] as const);
    return { year, figures: Object.fromEntries(figures) as unknown as ReportedEmissions };
  });
}
