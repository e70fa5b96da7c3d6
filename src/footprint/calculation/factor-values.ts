/*
 * Calculates factors from one performance of a record, for each boundary. The same figures with
 * the same operations give the same digits in a spreadsheet.
 */
import type { Performance } from '../../api/schema.ts';
import type { Boundary, FactorInputs, UpstreamReading } from '../register-row.ts';
import {
  combinedScopesOf,
  countUpstreamCategories,
  positiveFigure,
  scope1Of,
  scope2Method,
  scope2Of,
  scopes1And2Of,
  totalOf,
  upstreamOf,
  usableFigure,
} from './figures.ts';

/**
 * Returns the disclosed emissions divided by revenue; undefined without the figures that the
 * boundary requires. Cradle-to-gate requires scope 1, scope 2 and purchased goods and services.
 */
export function disclosedFactor(performance: Performance, boundary: Boundary): number | undefined {
  const { emissions } = performance;
  const revenue = positiveFigure(performance.revenue);
  if (!emissions || revenue === undefined) return undefined;
  const amount = disclosedEmissions(performance, boundary);
  return amount === undefined ? undefined : usableFigure(amount / revenue);
}

/** Returns the disclosed emissions within a boundary; undefined if a required figure is missing. */
export function disclosedEmissions(
  { emissions }: Performance,
  boundary: Boundary,
): number | undefined {
  if (!emissions) return undefined;
  if (boundary === 'total') return totalOf(emissions);
  const scopes1And2 = scopes1And2Of(emissions);
  if (boundary === 'scope-1-2' || scopes1And2 === undefined) return scopes1And2;
  const upstream = upstreamOf(emissions.scope_3);
  return upstream === undefined ? undefined : scopes1And2 + upstream;
}

/**
 * Returns the factor that the service states. A factor of 0 is not used, because no organization
 * is without emissions.
 */
export function serviceFactor(
  performance: Performance,
  boundary: Boundary,
  reading: UpstreamReading,
): number | undefined {
  if (boundary === 'total') return positiveFigure(performance.emission_factor);
  const scopes1And2 = usableFigure(performance.scope_1_and_2_emission_factor);
  if (boundary === 'scope-1-2') return scopes1And2 || undefined;
  const upstream = positiveFigure(performance.total_upstream_emission_factor);
  if (reading === 'nested' || upstream === undefined) return upstream;
  return scopes1And2 === undefined ? undefined : scopes1And2 + upstream;
}

/** Returns the inputs of `disclosedFactor`. */
export function disclosedInputs(performance: Performance, boundary: Boundary): FactorInputs {
  const emissions = performance.emissions ?? {};
  const revenue = usableFigure(performance.revenue);
  if (boundary === 'total') return factorInputs({ revenue, total: totalOf(emissions) });
  const { scope_2, scope_1_and_2, scope_3 } = emissions;
  const [scope1, scope2] = [scope1Of(emissions), scope2Of(emissions)];
  const isSeparate = scope1 !== undefined && scope2 !== undefined;
  const hasUpstream = boundary === 'cradle-to-gate';
  return factorInputs({
    revenue,
    scope1: isSeparate ? scope1 : undefined,
    scope2: isSeparate ? scope2 : undefined,
    method: scope2Method(isSeparate ? scope_2 : scope_1_and_2),
    combined: isSeparate ? undefined : combinedScopesOf(emissions),
    upstream: hasUpstream ? upstreamOf(scope_3) : undefined,
    upstreamCategories: hasUpstream ? countUpstreamCategories(scope_3) : undefined,
  });
}

/** Returns the inputs of `serviceFactor` under both readings. */
export function serviceInputs(performance: Performance, boundary: Boundary): FactorInputs {
  const isTotal = boundary === 'total';
  return factorInputs({
    scopes1And2Factor: isTotal
      ? undefined
      : usableFigure(performance.scope_1_and_2_emission_factor),
    upstreamFactor:
      boundary === 'cradle-to-gate'
        ? usableFigure(performance.total_upstream_emission_factor)
        : undefined,
    totalFactor: isTotal ? usableFigure(performance.emission_factor) : undefined,
  });
}

interface Inputs {
  readonly revenue?: number | undefined;
  readonly scope1?: number | undefined;
  readonly scope2?: number | undefined;
  readonly method?: FactorInputs['scope_2_method'];
  readonly combined?: number | undefined;
  readonly upstream?: number | undefined;
  readonly upstreamCategories?: number | undefined;
  readonly total?: number | undefined;
  readonly scopes1And2Factor?: number | undefined;
  readonly upstreamFactor?: number | undefined;
  readonly totalFactor?: number | undefined;
}

/** Fills the inputs of a factor; absent figures are null. */
export function factorInputs(inputs: Inputs): FactorInputs {
  return {
    revenue: inputs.revenue ?? null,
    scope_1: inputs.scope1 ?? null,
    scope_2: inputs.scope2 ?? null,
    scope_2_method: inputs.method ?? null,
    scope_1_and_2: inputs.combined ?? null,
    upstream: inputs.upstream ?? null,
    upstream_categories: inputs.upstreamCategories ?? null,
    total: inputs.total ?? null,
    scope_1_and_2_emission_factor: inputs.scopes1And2Factor ?? null,
    total_upstream_emission_factor: inputs.upstreamFactor ?? null,
    emission_factor: inputs.totalFactor ?? null,
  };
}
