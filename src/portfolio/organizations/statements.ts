/*
 * What a result means, in sentences that every view begins with: a number, its base, and of how
 * many.
 */
import type { OrganizationId } from '../../client/api/ids.ts';
import { count, cut, naming, percentText, plural } from '../../display/terminal/format.ts';
import { totalOf } from './sum.ts';

/** A sentence about a result. Its JSON is an item of `statements`. */
export interface Statement {
  /** Identifies the kind of the statement. */
  readonly rule: string;
  readonly text: string;
  /** How many of `of` the numbers are about. */
  readonly base: number;
  readonly of: number;
}

/** A statement in two parts: what it says, and of whom. A page shows the latter below its title. */
export interface Headline {
  readonly says: string;
  readonly of?: string | undefined;
}

const maxStatements = 5;

/** Number of organizations that an answer names, the largest first. */
export const namedLargest = 3;

/** Names an organization, by its ID if it has no name. */
export function organizationName({
  name,
  id,
}: {
  readonly name?: string | null | undefined;
  readonly id?: OrganizationId | null | undefined;
}): string {
  return name?.trim() || String(id ?? 'no name');
}

/** Returns the statements to show: at most five, none about less than half of its whole. */
export function choose<Each extends Statement>(
  candidates: readonly (Each | undefined)[],
): readonly Each[] {
  const known = candidates.filter((each) => each !== undefined);
  return known.filter(({ base, of }) => isHalf(base, of)).slice(0, maxStatements);
}

/** Checks whether a number is at least half of its whole. */
export function isHalf(base: number, of: number): boolean {
  return 2 * base >= of;
}

/** The year of most figures, and those of the others. */
export interface FigureYearCounts {
  readonly year: number;
  /** How many figures are of another year, the first and the last of which follow. */
  readonly others: number;
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the year of most figures, of several the latest; undefined if all figures are of one.
 * @param years that of each figure
 */
export function countFigureYears(years: readonly number[]): FigureYearCounts | undefined {
  const counts = new Map<number, number>();
  for (const year of years) counts.set(year, (counts.get(year) ?? 0) + 1);
  if (counts.size < 2) return undefined;
  const [[year, most]] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]) as [
    [number, number],
  ];
  const others = [...counts.keys()].filter((each) => each !== year).sort((a, b) => a - b);
  const [from = year, to = year] = [others[0], others.at(-1)];
  return { year, others: years.length - most, from, to };
}

/** Writes the years of the other figures: "2019", "2019 to 2024". */
export function otherYears({ from, to }: FigureYearCounts): string {
  return from === to ? String(from) : `${from} to ${to}`;
}

/** Counts companies, as statements call organizations: "1 company", "1,234 companies". */
export function companies(number: number): string {
  return plural(number, 'company', 'companies');
}

/** Says how many of all companies: "3 of 5 companies", "both companies", "all 5 companies". */
export function companiesOf(number: number, all: number): string {
  if (number < all) return `${count.format(number)} of ${companies(all)}`;
  if (all === 1) return companies(all);
  return all === 2 ? 'both companies' : `all ${companies(all)}`;
}

/**
 * Names companies with errors: "1 company whose record cannot be right, Acme (carbon check)".
 * @param names those of the first ones
 */
export function wrongRecords(number: number, names: readonly string[]): string {
  const records = number === 1 ? 'record' : 'records';
  return `${companies(number)} whose ${records} cannot be right, ${naming(names, 3, number)} (carbon check)`;
}

/** What holds although all amounts may be wrong. */
const sameError =
  'Shares, ranks and changes in percent hold if all amounts are wrong by the same factor';

/**
 * Warns that amounts cannot be right, and says what to check.
 * @param finding what makes them implausible
 */
export function unitAlert(finding: string, unit: string | null): string {
  return `Implausible: ${finding}. The records have no unit: check --unit ${unit}. ${sameError}`;
}

/**
 * Says how to check the unit of amounts that cannot be right.
 * @param example an organization with figures to compare
 */
export function unitStep(
  unit: string | null,
  example: { readonly name: string; readonly id: string | number | null } | undefined,
): string {
  const report =
    example === undefined || example.id === null
      ? ''
      : `compare ${cut(example.name, 40)} with its own report (carbon get ${example.id} --full lists its sources), or `;
  return `Check the unit before you use any amount: ${report}ask the service for its unit; then correct --unit ${unit}`;
}

/**
 * Writes a step such as "ask for scopes 1 to 3" with whom to ask: "Ask Acme for scopes 1 to 3";
 * undefined for a step that asks nothing of them.
 */
export function askNamed(step: string, names: string): string | undefined {
  const [, what] = /^ask ((?:for|why|when|how) .*)$/.exec(`${step} `) ?? [];
  return what === undefined ? undefined : `Ask ${names} ${what}`.trimEnd();
}

/** The commands that a reader of a workbook can run next. */
export interface NextCommands {
  readonly check: string;
  readonly report: string;
}

/** Says how to see which of many organizations matter. */
export function reportStep(report: string): string {
  return `See who matters most, and whom to ask: ${report}`;
}

/** Says what a service is called that records are from: its base URL, or the sandbox. */
export function serviceInWords(service: string): string {
  return service === 'sandbox' ? 'the sandbox, with synthetic data' : service;
}

/** Writes the unit of emissions after an amount, if it is known. */
export function withUnit(amount: string, unit: string | null): string {
  return unit === null ? amount : `${amount} ${unit}`;
}

/** Marks a unit that may be wrong wherever a page shows an amount in it. */
export function markedUnit(unit: string | null, isInDoubt: boolean): string | null {
  return unit !== null && isInDoubt ? `${unit} ?` : unit;
}

/** Says in which unit emissions are; a result says it once. */
export function unitInWords(unit: string | null): string {
  return unit === null ? `unit ${unitOrUnknown(unit)}` : `emissions in ${unit}`;
}

/** Says what amounts are of: no record says which gases they include. */
export function amountsInWords(unit: string | null): string {
  return unit === null
    ? unitInWords(unit)
    : `${unitInWords(unit)} (by --unit), unknown whether CO2 or CO2e`;
}

/** The same, where room is scarce. */
export function shortAmountsInWords(unit: string | null): string {
  return unit === null ? 'unit unknown (--unit, if known)' : amountsInWords(unit);
}

/** Returns the value of a field `unit`. */
export function unitOrUnknown(unit: string | null | undefined): string {
  return unit ?? 'unknown (if you know it: --unit t or --unit kg)';
}

/** Says the unit in a workbook, whose reader may have no terminal. */
export function unitOnSheet(unit: string | null | undefined): string {
  return unit ?? 'Unknown: the service documents none';
}

/**
 * Counts the largest values that are at least two thirds of the sum; undefined without a sum above
 * 0, and if a value is negative, because the others are then more than the sum.
 * @param values the largest first
 */
export function twoThirds(
  values: readonly number[],
): { readonly count: number; readonly share: number } | undefined {
  const total = totalOf(values);
  if (!(total > 0 && Number.isFinite(total)) || (values.at(-1) ?? 0) < 0) return undefined;
  // Rounding must not add another one to those that are two thirds.
  const wanted = (2 / 3) * total * (1 - 1e-12);
  let [sum, count] = [0, 0];
  for (const value of values) {
    if (sum >= wanted) break;
    sum += value;
    count += 1;
  }
  return { count, share: Math.min(1, sum / total) };
}

/** Names the share of `twoThirds`; the last of the values may add much more than was missing. */
export function shareInWords(share: number): string {
  const percent = percentText(share, 1);
  return percent === percentText(2, 3) ? 'two thirds' : percent;
}
