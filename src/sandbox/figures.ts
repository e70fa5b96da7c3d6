/*
 * Computes synthetic figures in US dollars and in thousands, as companies publish them, so that
 * sums agree exactly. Only revenue and emission factors depend on the currency.
 */
import { type Emissions, type Performance, scope3Categories } from '../api/schema.ts';
import type { Company } from './company.ts';
import { type Emitted, fullReport, habitsOf, shortReport } from './disclosures.ts';
import { fromDollars } from './exchange-rates.ts';
import type { Industry } from './industries.ts';
import { between, randomOf } from './random.ts';
import { hasRevenue } from './scenarios.ts';

const upstreamCategories = scope3Categories.slice(0, 8);

/**
 * Makes the performances of three to five years, the newest first (section 2.4). Factors are
 * emissions divided by the revenue of the same year, with six significant digits.
 *
 * @param currency a code of `ratesPerDollar`, for revenue and factors
 */
export function performancesOf(company: Company, currency: string): Performance[] {
  const { identity, industry, disclosure, ambition } = company;
  const random = randomOf(identity, 'years');
  const habits = habitsOf(identity, industry.sector);
  const hidesRevenue = habits.hidesRevenue && !hasRevenue(company.scenario);
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
    const inScope = (perDollar: number) =>
      dollars * perDollar * scale * between(random, 0.94, 1.06);
    const [scope1, scope2, scope3] = industry.perDollar;
    const emitted: Emitted = [inScope(scope1), inScope(scope2), inScope(scope3)];
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
export function significant(value: number): number {
  return Number(value.toPrecision(6));
}
