/*
 * The groups of spend with their results, and those whose figures may be wrong: a revenue of 1
 * instead of 1,000,000 makes one supplier the entire footprint.
 */
import { countsText, summarizeFindings } from '../checks/findings.ts';
import { figure } from '../terminal/figure.ts';
import { naming } from '../terminal/naming.ts';
import { Sum } from './decimal.ts';
import type { Factor, LineItem, Uncovered, UpstreamReading } from './line-item.ts';
import type { Method, Warning } from './summary.ts';
import type { SpendGroup } from './suppliers/ledger.ts';

/** Where a footprint comes from. */
export interface Provenance extends Omit<Method, 'retrieved' | 'max_factor_age' | 'factor_unit'> {
  /** What was found while reading the file and the records. */
  readonly warnings?: readonly Warning[] | undefined;
}

/** A group of spend with its result. */
export interface Entry {
  readonly group: SpendGroup;
  /** The spend as the nearest double; null without spend. */
  readonly spend: number | null;
  /** The reading of the upstream factor that applies to its record. */
  readonly reading: UpstreamReading;
  factor: Factor | null;
  /** Spend times factor; null without one of them. */
  emissions: number | null;
  uncovered: Uncovered | null;
  readonly excluded: LineItem['excluded'];
  warning: string | null;
}

/* A supplier may differ from its industry by its products; ten times is rare. */
const maxIndustryRatio = 10;
/* A change of more than five times in a year is seldom real. */
const maxYearRatio = 5;
const maxShare = 0.5;
/* In kilograms per unit of a currency near the dollar. */
const [minFactor, maxFactor] = [0.001, 20];
const comparableCurrencies = new Set(['EUR', 'USD', 'GBP', 'CHF']);

type Kind = 'industry' | 'jump' | 'dominant' | 'range';

const texts: Readonly<Record<Kind, string>> = {
  industry: 'Factor far from the average of the industry',
  jump: 'Factor far from that of an earlier year',
  dominant: 'More than half of the emissions in one line item',
  range: 'Factor outside 0.001 to 20 kg per unit of the currency',
};

/**
 * Sets the warning of items that may be wrong.
 *
 * @param isExcluding whether such items become uncovered
 * @returns a warning for each kind, which names the first items
 */
export function findOutliers(
  entries: readonly Entry[],
  unit: 'kg' | 't' | undefined,
  isExcluding: boolean,
): Warning[] {
  const years = new Map<number | null, { sum: Sum; count: number }>();
  const counted = entries.filter(
    ({ emissions, excluded }) => emissions !== null && excluded === null,
  );
  for (const { emissions, group } of counted) {
    const year = years.get(group.year) ?? { sum: new Sum(), count: 0 };
    years.set(group.year, year);
    year.sum.add(emissions ?? 0);
    year.count += 1;
  }
  const totals = new Map(
    [...years].map(([year, { sum, count }]) => [year, count > 1 ? sum.value : 0]),
  );
  const found = new Map<Kind, string[]>();
  for (const entry of counted) {
    const findings = findingsOf(entry, totals.get(entry.group.year) ?? 0, unit);
    if (findings.length === 0) continue;
    entry.warning = findings.map(([, text]) => text).join('; ');
    for (const [kind, text] of findings) {
      const named = found.get(kind) ?? [];
      found.set(kind, named);
      named.push(`${nameOf(entry)}: ${text}`);
    }
    if (!isExcluding || findings.every(([kind]) => kind === 'range')) continue;
    entry.uncovered = { reason: 'outlier', detail: entry.warning };
    entry.factor = null;
    entry.emissions = null;
  }
  const outliers = [...found].map(([kind, items]) => ({
    kind: `outlier_${kind}`,
    text: `${texts[kind]}: ${naming(items)}`,
  }));
  return [...outliers, ...checkWarnings(counted)];
}

/* A footprint judges the units of all records together. */
const unitRules: ReadonlySet<string> = new Set(['unit', 'factor']);

/* Sums up what `carbon check` finds in the records behind the emissions. */
function checkWarnings(counted: readonly Entry[]): Warning[] {
  const records = new Set(counted.flatMap(({ group }) => group.record ?? []));
  const found = [...records].flatMap(({ findings }) => findings);
  const summary = summarizeFindings(found.filter(({ rule }) => !unitRules.has(rule)));
  if (summary.worst.length === 0) return [];
  const worst = summary.worst
    .slice(0, 3)
    .map(({ id, name, evidence }) => `${naming([name ?? `ID ${id}`])}: ${evidence}`);
  return [
    {
      kind: 'checks',
      text: `carbon check finds ${countsText(summary)} in these records, such as ${worst.join('; ')}`,
    },
  ];
}

function findingsOf(
  { factor, emissions, group }: Entry,
  total: number,
  unit: 'kg' | 't' | undefined,
): (readonly [Kind, string])[] {
  if (factor === null || emissions === null) return [];
  const { value, basis, industry, earlier, year } = factor;
  const found: [Kind, string][] = [];
  const short = (number: number) => figure(number).rounded;
  if (basis !== 'industry' && industry !== null && isFar(value, industry, maxIndustryRatio))
    found.push(['industry', `factor ${short(value)}, average of the industry ${short(industry)}`]);
  if (earlier !== null && isFar(value, earlier.value, maxYearRatio))
    found.push([
      'jump',
      `factor ${short(value)} in ${year}, ${short(earlier.value)} in ${earlier.year}`,
    ]);
  if (emissions > maxShare * total && total > 0)
    found.push(['dominant', `${Math.floor((emissions / total) * 1000) / 10}% of the emissions`]);
  const kilograms = unit === undefined ? undefined : unit === 't' ? value * 1000 : value;
  if (kilograms !== undefined && comparableCurrencies.has(group.currency ?? '')) {
    if (kilograms < minFactor || kilograms > maxFactor)
      found.push(['range', `factor ${short(kilograms)} kg per ${group.currency}`]);
  }
  return found;
}

function isFar(value: number, other: number, ratio: number): boolean {
  return value > other * ratio || value * ratio < other;
}

function nameOf({ group }: Entry): string {
  const { supplier, lines } = group;
  return `${supplier.name ?? `ID ${supplier.id}`} (line ${lines[0]})`;
}
