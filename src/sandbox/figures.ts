import { type Emissions, type Performance, scope3Categories } from '../api/schema.ts';
import { type Company, isReporting } from './company.ts';
import { between, randomOf } from './identity.ts';
import { fromDollars, type Industry, type Sector } from './tables.ts';

const scope1Parts = [
  'stationary_combustion',
  'mobile_combustion',
  'fugitive_emissions',
  'process_emissions',
] as const;
const scope2Parts = [
  'purchased_electricity',
  'purchased_steam',
  'purchased_heat',
  'purchased_cooling',
] as const;

/**
 * Probability that a company with a short report publishes each scope 3 category: business travel
 * is easy to measure, the use of products is not.
 */
const easeOfCategories = [
  0.35, 0.2, 0.6, 0.35, 0.65, 0.85, 0.55, 0.1, 0.2, 0.05, 0.15, 0.1, 0.05, 0.05, 0.3,
];

/* Emissions of a year in whole thousands; scope 2 is location-based. */
type Emitted = readonly [scope1: number, scope2: number, scope3: number];

/* Draws the reporting habits of an organization in a sector, the same in every year. */
function habitsOf(identity: string, sector: Sector) {
  const random = randomOf(identity, 'habits');
  const vary = (weight: number) => weight * between(random, 0.6, 1.4);
  return {
    scope1Weights: sector.scope1.map(vary),
    scope2Weights: [vary(90), vary(4), vary(5), random() < 0.3 ? vary(2) : 0],
    scope3Weights: sector.scope3.map(vary),
    // Market-based divided by location-based emissions, below 1 with green electricity.
    marketShare: random() < 0.75 ? between(random, 0.15, 1.05) : undefined,
    // The smallest parts of scopes 1 and 3 are unpublished, so that `sum` is below `total`.
    hasGaps: random() < 0.25,
    hidesTotals: random() < 0.5,
    hidesRevenue: random() < 0.06,
    publishes: easeOfCategories.map((ease) => random() < ease),
  };
}

type Habits = ReturnType<typeof habitsOf>;

/**
 * Makes a report with all scopes and totals. Scope 2 and its parts are market-based if the
 * organization reports market-based figures.
 */
function fullReport(
  [scope1, locationBased, scope3]: Emitted,
  habits: Habits,
  random: () => number,
): Emissions {
  const { marketShare, hasGaps } = habits;
  const scope2 =
    marketShare === undefined ? locationBased : wholeThousands(locationBased * marketShare);
  const parts1 = partsOf(scope1Parts, scope1, habits.scope1Weights, random);
  const parts2 = partsOf(scope2Parts, scope2, habits.scope2Weights, random);
  const parts3 = partsOf(scope3Categories, scope3, habits.scope3Weights, random);
  const shown1 = hasGaps ? withoutLeast(parts1) : parts1;
  const shown3 = hasGaps ? withoutLeast(parts3) : parts3;
  const marketTotal = (others: number) =>
    marketShare === undefined ? {} : { total_market_based: others + scope2 };
  return {
    scope_1: { total: scope1, ...Object.fromEntries(shown1), sum: sumOf(shown1) },
    scope_2: {
      total: scope2,
      ...Object.fromEntries(parts2),
      total_location_based: locationBased,
      ...marketTotal(0),
      sum: sumOf(parts2),
    },
    scope_1_and_2: {
      total: scope1 + scope2,
      total_location_based: scope1 + locationBased,
      ...marketTotal(scope1),
    },
    scope_3: { total: scope3, sum: sumOf(shown3), ...Object.fromEntries(shown3) },
    total: scope1 + scope2 + scope3,
    sum: sumOf(shown1) + sumOf(parts2) + sumOf(shown3),
  };
}

/**
 * Makes a report with scopes 1 and 2 and few or no categories of scope 3. Some organizations report
 * parts without totals.
 */
function shortReport(
  [scope1, scope2, scope3]: Emitted,
  habits: Habits,
  random: () => number,
): Emissions {
  const parts1 = partsOf(scope1Parts, scope1, habits.scope1Weights, random);
  const parts3 = partsOf(scope3Categories, scope3, habits.scope3Weights, random).filter(
    ([name]) => habits.publishes[scope3Categories.indexOf(name)],
  );
  const bothScopes = { total: scope1 + scope2, total_location_based: scope1 + scope2 };
  return {
    scope_1: habits.hidesTotals
      ? { total: null, ...Object.fromEntries(parts1), sum: sumOf(parts1) }
      : { total: scope1 },
    scope_2: { total: scope2, total_location_based: scope2 },
    scope_1_and_2: habits.hidesTotals ? null : bothScopes,
    ...(parts3.length > 0 && {
      scope_3: { total: null, sum: sumOf(parts3), ...Object.fromEntries(parts3) },
    }),
    total: null,
    sum: scope1 + scope2 + sumOf(parts3),
  };
}

type Parts<Name extends string> = readonly (readonly [Name, number])[];

/**
 * Splits a total in thousands into parts that add up to it. The weights vary slightly by year.
 * Parts of 0 are left out.
 */
function partsOf<Name extends string>(
  names: readonly Name[],
  total: number,
  weights: readonly number[],
  random: () => number,
): Parts<Name> {
  const varied = weights.map((weight) => weight * between(random, 0.9, 1.1));
  const all = varied.reduce((sum, weight) => sum + weight, 0);
  const values = varied.map((weight) => wholeThousands((total * weight) / all));
  const difference = total - values.reduce((sum, value) => sum + value, 0);
  const largest = varied.indexOf(Math.max(...varied));
  return names
    .map(
      (name, index) => [name, (values[index] ?? 0) + (index === largest ? difference : 0)] as const,
    )
    .filter(([, value]) => value > 0);
}

function withoutLeast<Name extends string>(parts: Parts<Name>): Parts<Name> {
  const least = Math.min(...parts.map(([, value]) => value));
  return parts.length > 1 ? parts.filter(([, value]) => value > least) : parts;
}

function wholeThousands(value: number): number {
  return Math.round(value / 1000) * 1000;
}

function sumOf(parts: Parts<string>): number {
  return parts.reduce((sum, [, value]) => sum + value, 0);
}

/*
 * Computes synthetic figures in US dollars and in thousands, as companies publish them, so that
 * sums agree exactly. Only revenue and emission factors depend on the currency.
 */

const upstreamCategories = scope3Categories.slice(0, 8);

/**
 * Makes the performances of three to five years, the newest first (section 2.4). Factors are
 * emissions divided by the revenue of the same year, with six significant digits.
 *
 * @param currency a code of `ratesPerDollar`, for revenue and factors
 */
function performancesOf(company: Company, currency: string): Performance[] {
  const { identity, industry, disclosure, ambition } = company;
  const random = randomOf(identity, 'years');
  const habits = habitsOf(identity, industry.sector);
  const hidesRevenue = habits.hidesRevenue && !isReporting(company.scenario);
  const intensity = (1.35 - 0.7 * ambition) * between(random, 0.8, 1.2);
  const yearlyDecline = 1 + ambition * 0.06 + between(random, -0.02, 0.02);
  const yearlyGrowth = between(random, 0.95, 1.13);
  const years = 3 + Math.floor(random() * 3);
  return Array.from({ length: years }, (_, back) => {
    const year = company.lastYear - back;
    const dollars = company.revenueDollars * yearlyGrowth ** -back * between(random, 0.96, 1.04);
    const published = Math.round(fromDollars(Math.round(dollars / 1e5) * 1e5, currency));
    const revenue = hidesRevenue ? null : published;
    const scale = intensity * yearlyDecline ** back;
    const common = { year, region: company.region, revenue_currency: currency, revenue };
    if (disclosure === 'none') {
      const estimate = significant((dollarFactor(industry) * scale) / fromDollars(1, currency));
      return { ...common, emission_factor: estimate, emissions: null };
    }
    const emitted = industry.perDollar.map((perDollar) =>
      wholeThousands(dollars * perDollar * scale * between(random, 0.94, 1.06)),
    ) as [number, number, number];
    const report = disclosure === 'full' && back < 3 ? fullReport : shortReport;
    const emissions = report(emitted, habits, randomOf(identity, `parts of ${year}`));
    return { ...common, ...factorsOf(emissions, revenue), emissions };
  });
}

/** Makes the mean emission factors of an industry for two years, the newer first (section 2.2). */
export function industryPerformances({ industry, lastYear }: Company, currency: string) {
  return [0, 1].map((back) => ({
    year: lastYear - back,
    region: 'GLOBAL',
    emission_factor: significant(
      (dollarFactor(industry) * 1.03 ** back) / fromDollars(1, currency),
    ),
    source: { url: `https://statistics.example.org/industries/${industry.id}/${lastYear - back}` },
  }));
}

function dollarFactor({ perDollar: [scope1, scope2, scope3] }: Industry): number {
  return scope1 + scope2 + scope3;
}

function factorsOf(emissions: Emissions, revenue: number | null): Partial<Performance> {
  const factor = (value: number | null | undefined) =>
    value == null || revenue === null ? null : significant(value / revenue);
  const { scope_3: scope3 } = emissions;
  const upstream = upstreamCategories.reduce((sum, name) => sum + (scope3?.[name] ?? 0), 0);
  return {
    emission_factor: factor(emissions.total ?? emissions.sum),
    total_upstream_emission_factor: factor(scope3?.total == null ? null : upstream),
    scope_1_and_2_emission_factor: factor(emissions.scope_1_and_2?.total),
  };
}

/** Rounds a factor to six significant digits. */
function significant(value: number): number {
  return Number(value.toPrecision(6));
}

/**
 * Makes the performances that the sandbox serves (section 2.4): those of ordinary names as they
 * are, others as the name selects.
 *
 * @param currency a code of `ratesPerDollar`, which the request names
 */
export function servedPerformances(company: Company, currency: string): Performance[] {
  const { scenario } = company;
  if (scenario === 'industry' || scenario === 'empty') return [];
  const other = currency === 'EUR' ? 'USD' : 'EUR';
  const performances = performancesOf(company, scenario === 'currency' ? other : currency);
  if (scenario === 'nested') return performances.map(nestFactor);
  if (scenario === 'factors')
    return performances.map((each) => ({ ...each, revenue: null, emissions: null }));
  return scenario === 'regions' ? performances.flatMap(splitByRegion) : performances;
}

function nestFactor(performance: Performance): Performance {
  const upstream = performance.total_upstream_emission_factor;
  const operations = performance.scope_1_and_2_emission_factor;
  if (upstream == null || operations == null) return performance;
  return { ...performance, total_upstream_emission_factor: significant(upstream + operations) };
}

/*
 * Serves the figures for the entire world first, then those of the country: half of the emissions,
 * with 40 % of the revenue. Halves of thousands are exact, so that sums still agree.
 */
function splitByRegion(performance: Performance): Performance[] {
  const factor = (value: number | null | undefined) =>
    value == null ? null : significant(value * (0.5 / 0.4));
  const { revenue, emissions } = performance;
  const country = {
    ...performance,
    revenue: revenue == null ? null : Math.round(revenue * 0.4),
    emission_factor: factor(performance.emission_factor),
    total_upstream_emission_factor: factor(performance.total_upstream_emission_factor),
    scope_1_and_2_emission_factor: factor(performance.scope_1_and_2_emission_factor),
    emissions: halve(emissions) as Performance['emissions'],
  };
  return [{ ...performance, region: 'GLOBAL' }, country];
}

function halve(value: unknown): unknown {
  if (typeof value === 'number') return value / 2;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, halve(part)]));
}
