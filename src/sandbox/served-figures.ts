/*
 * Changes the figures of an organization as its name and the options of the sandbox select. The
 * figures of ordinary names stay as they are.
 */
import type { Performance } from '../api/schema.ts';
import type { Company } from './company.ts';
import { performancesOf, significant } from './figures.ts';

/** Whether the upstream factor excludes scopes 1 and 2 (additive) or contains them (nested). */
export type UpstreamFactor = 'additive' | 'nested';

/**
 * Makes the performances that the sandbox serves (section 2.4).
 *
 * @param currency a code of `ratesPerDollar`, which the request names
 */
export function servedPerformances(
  company: Company,
  currency: string,
  upstream: UpstreamFactor,
): Performance[] {
  const { scenario } = company;
  if (scenario === 'industry' || scenario === 'empty') return [];
  const served = scenario === 'currency' ? otherCurrency(currency) : currency;
  const additive = performancesOf(company, served);
  const isNested = upstream === 'nested' || scenario === 'nested';
  const performances = isNested ? additive.map(nestFactor) : additive;
  if (scenario === 'factors')
    return performances.map((each) => ({ ...each, revenue: null, emissions: null }));
  return scenario === 'regions' ? performances.flatMap(splitByRegion) : performances;
}

function otherCurrency(requested: string): string {
  return requested === 'EUR' ? 'USD' : 'EUR';
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
