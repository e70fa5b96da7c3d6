/*
 * What the rules about figures read of a record, and how they compare two values. Figures are
 * compared within one performance, that is, within one year and region (section 2.4 of
 * docs/service.md); changes between years compare performances of one region.
 */
import { isObject } from '../../client/api/ids.ts';
import type { Organization } from '../../client/api/schema.ts';
import { changeSize, figure } from '../../display/terminal/figure.ts';
import type { Inventory, ScopeFigures } from '../organizations/emissions.ts';
import type { Observation, Rule } from './findings.ts';

/** What a rule may look at besides the record. */
export interface RuleContext {
  /** Today, `YYYY-MM-DD`. */
  readonly today: string;
}

/** A rule about the figures of one record. */
export interface FigureRule extends Rule {
  readonly find: (
    figures: Figures,
    report: (observation: Observation) => void,
    context: RuleContext,
  ) => void;
}

/** A record, with what several rules read of it. */
export interface Figures {
  readonly record: Organization;
  readonly years: readonly Inventory[];
  readonly latest: readonly Inventory[];
  /* Inventories with one of the same region in the year before, the latest first. */
  readonly pairs: readonly (readonly [older: Inventory, newer: Inventory])[];
  readonly ratios: readonly Ratio[];
}

type Ratio = Observation & { readonly ratio: number };

/** Figures are often rounded to three digits, and services round factors. */
export const sumTolerance = 0.01;
export const factorTolerance = 0.05;

/** Writes a tolerance. */
export function percent(share: number): string {
  return `${share * 100}%`;
}

const factorOfThousand = [1e-6, 1e-3, 1e3, 1e6];

export type ComparedYears = Pick<Figures, 'latest' | 'pairs'>;

/* Services send the years in this order. */
function latestFirst(years: readonly Inventory[]): readonly Inventory[] {
  let last = Number.POSITIVE_INFINITY;
  for (const { year } of years) {
    if (year === null || year > last)
      return years
        .filter((each) => each.year !== null)
        .sort((a, b) => (b.year ?? 0) - (a.year ?? 0));
    last = year;
  }
  return years;
}

/** Finds the latest inventories, and those with one of the year before. */
export function compareAll(years: readonly Inventory[]): ComparedYears {
  const dated = latestFirst(years);
  const pairs: (readonly [Inventory, Inventory])[] = [];
  for (const newer of dated)
    for (const older of years)
      if (older.year === (newer.year ?? 0) - 1 && older.region === newer.region) {
        pairs.push([older, newer]);
        break;
      }
  const latest = dated.filter(({ year }) => year === dated[0]?.year);
  return { latest, pairs };
}

/** Returns ratios of factor × revenue to the emissions that differ from 1, one a year. */
export function factorRatios(years: readonly Inventory[]): Ratio[] {
  const found: Ratio[] = [];
  for (const { year, performance, shown, scope_2, scope_1_and_2 } of years) {
    const { revenue, emission_factor, scope_1_and_2_emission_factor } = performance;
    if (!isNumber(revenue) || revenue <= 0) continue;
    const { scope1, scope1And2, total } = shown;
    let factor = 'emission factor';
    let ratio = otherRatio(emission_factor, revenue, total === undefined ? [] : [total.value]);
    if (ratio === undefined) {
      factor = 'scope 1 and 2 emission factor';
      const firstTwo =
        scope1And2 === undefined && scope1 !== undefined
          ? scopeTwoValues(scope_2).map((value) => scope1.value + value)
          : totalsOf(scope_1_and_2);
      ratio = otherRatio(scope_1_and_2_emission_factor, revenue, firstTwo);
    }
    if (ratio === undefined) continue;
    const value = round(ratio);
    const evidence = `${factor} × revenue is ${timesText(value)} the emissions`;
    found.push({ value, limit: 1, year, evidence, ratio });
  }
  return found;
}

/* A small difference is a percentage, one of units a number of times. */
function timesText(ratio: number): string {
  const small = isFactorOfThousand(ratio) || ratio >= 2 ? undefined : changeSize(ratio - 1);
  if (small === undefined) return `${digits(ratio)} times`;
  return `${small} ${ratio < 1 ? 'below' : 'above'}`;
}

/* Returns factor × revenue divided by the nearest of some amounts; undefined if that is 1. */
function otherRatio(factor: unknown, revenue: number, amounts: readonly number[]) {
  if (!isNumber(factor) || factor <= 0) return undefined;
  let ratio: number | undefined;
  for (const amount of amounts) {
    const each = (factor * revenue) / amount;
    if (amount > 0 && (ratio === undefined || distance(each) < distance(ratio))) ratio = each;
  }
  return ratio !== undefined && differ(ratio, 1, factorTolerance) ? ratio : undefined;
}

const noTotals: readonly number[] = [];

/** Lists the totals of a scope by every method that the record has. */
export function totalsOf(scope: ScopeFigures): readonly number[] {
  const { total, total_market_based: market, total_location_based: location } = scope;
  // Most scopes have all of them, none, or the one without a method; `filter` is slow.
  if (market === undefined && location === undefined)
    return total === undefined ? noTotals : [total];
  if (total !== undefined && market !== undefined && location !== undefined)
    return [total, market, location];
  return [total, market, location].filter((each) => each !== undefined);
}

/** Lists scope 2 by every method that the record has. */
export function scopeTwoValues(scope2: ScopeFigures): readonly number[] {
  const totals = totalsOf(scope2);
  return totals.length === 0 && scope2.sum !== undefined ? [scope2.sum] : totals;
}

/** Lists the figures of a year that meet a condition, such as `emissions.scope_1.total`. */
export function amountsOf(
  figures: object,
  isWanted: (value: number) => boolean = () => true,
): readonly { readonly field: string; readonly value: number }[] {
  const found: { field: string; value: number }[] = [];
  // The path is joined only where there is something to report, which is seldom.
  const path: string[] = [];
  const add = (part: object, depth: number) => {
    const members = part as Readonly<Record<string, unknown>>;
    for (const key in members) {
      const member = members[key];
      if (typeof member === 'number') {
        if (isWanted(member) && !(depth === 0 && key === 'year'))
          found.push({ field: [...path.slice(0, depth), key].join('.'), value: member });
      } else if (depth < 3 && isObject(member)) {
        path[depth] = key;
        add(member, depth + 1);
      }
    }
  };
  add(figures, 0);
  return found;
}

/** Writes a value with all digits. */
export function digits(value: number): string {
  return figure(value).exact;
}

/** Checks whether a value is a number that can be compared. */
export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Checks whether two values differ by more than a share of the larger one. */
export function differ(a: number, b: number, tolerance: number): boolean {
  return Math.abs(a - b) > tolerance * Math.max(Math.abs(a), Math.abs(b));
}

/** Returns how many times as large the larger of two values is. */
export function distance(ratio: number): number {
  return ratio < 1 ? 1 / ratio : ratio;
}

/** Checks whether a ratio is a power of a thousand, which tells of mixed units. */
export function isFactorOfThousand(ratio: number): boolean {
  return factorOfThousand.some((power) => Math.abs(ratio / power - 1) <= factorTolerance);
}

/** Rounds a ratio or a factor to four digits. */
export function round(value: number): number {
  return Number(value.toPrecision(4));
}
