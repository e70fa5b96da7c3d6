/*
 * Which reading of the service's upstream factor the records support: the specification does not
 * state whether the factor contains scopes 1 and 2.
 */
import type { Organization, Performance } from '../../api/schema.ts';
import { UsageError } from '../../runtime/carbon-error.ts';
import type { UpstreamSummary } from '../footprint-summary.ts';
import type { UpstreamReading } from '../register-row.ts';
import { allScopes1And2, positiveFigure, upstreamOf } from './figures.ts';

/** What one record shows about the upstream factor. */
export type UpstreamEvidence = UpstreamReading | 'neither' | 'undecided';

/** Numbers of records by evidence. */
export type EvidenceCounts = Record<UpstreamEvidence, number>;

/** Returns counts of zero, to which a caller adds the evidence of each record. */
export function noEvidence(): EvidenceCounts {
  return { additive: 0, nested: 0, neither: 0, undecided: 0 };
}

/** Relative difference up to which a factor agrees with disclosed figures. */
const tolerance = 0.01;
/** Relative difference of the two readings below which a record is no evidence for either. */
const minDifference = 0.03;
/** Percentage of the records with evidence for a reading that must agree. */
const minAgreementPercent = 95;

/**
 * Compares the upstream factor of a record with its disclosed figures under both readings.
 *
 * A record whose years support different readings supports neither.
 */
export function upstreamEvidence(record: Organization): UpstreamEvidence {
  let found: UpstreamEvidence = 'undecided';
  for (const performance of record.performances ?? []) {
    const evidence = performanceEvidence(performance);
    if (evidence === 'undecided' || evidence === found) continue;
    if (evidence === 'neither') {
      if (found === 'undecided') found = 'neither';
    } else if (found === 'additive' || found === 'nested') {
      return 'neither';
    } else {
      found = evidence;
    }
  }
  return found;
}

function performanceEvidence(performance: Performance): UpstreamEvidence {
  const { emissions } = performance;
  const stated = positiveFigure(performance.total_upstream_emission_factor);
  const revenue = positiveFigure(performance.revenue);
  if (stated === undefined || revenue === undefined || !emissions) return 'undecided';
  const upstream = upstreamOf(emissions.scope_3);
  if (upstream === undefined) return 'undecided';
  let evidence: UpstreamEvidence = 'undecided';
  // The service may have used the market-based or the location-based figure of scope 2.
  for (const own of allScopes1And2(emissions)) {
    const cradleToGate = own + upstream;
    if (own === 0 || own < minDifference * cradleToGate) return 'undecided';
    if (agree(stated, cradleToGate / revenue)) evidence = 'nested';
    else if (evidence === 'undecided') evidence = 'neither';
  }
  return evidence !== 'undecided' && agree(stated, upstream / revenue) ? 'additive' : evidence;
}

function agree(stated: number, expected: number): boolean {
  return Math.abs(stated - expected) <= tolerance * expected;
}

/** Returns the reading that at least 95 % of the records with evidence support; else null. */
export function readingOf({ additive, nested }: EvidenceCounts): UpstreamReading | null {
  const total = additive + nested;
  if (total === 0) return null;
  if (additive * 100 >= minAgreementPercent * total) return 'additive';
  return nested * 100 >= minAgreementPercent * total ? 'nested' : null;
}

/**
 * Decides the reading of the upstream factor: `--upstream`, else the records.
 *
 * @param isNeeded whether the factor of any row depends on the reading
 * @throws UsageError if a row needs the reading, and nothing decides it
 */
export function decideReading(
  counts: EvidenceCounts,
  option: UpstreamReading | undefined,
  isNeeded: boolean,
): UpstreamSummary {
  const { additive, nested, neither, undecided } = counts;
  const evidence = { additive, nested, neither, undecided };
  if (!isNeeded) return { reading: null, decided_by: null, ...evidence };
  if (option !== undefined) return { reading: option, decided_by: 'option', ...evidence };
  const reading = readingOf(counts);
  if (reading !== null) return { reading, decided_by: 'records', ...evidence };
  throw new UsageError(
    additive + nested === 0
      ? `No record shows whether the upstream factor contains scopes 1 and 2: ${neither} with neither reading, ${undecided} without evidence`
      : `The records contradict each other about the upstream factor: ${additive} additive, ${nested} nested, ${neither} with neither reading, ${undecided} without evidence`,
    'Ask the service whether its upstream factor contains scopes 1 and 2. If not, use --upstream additive; if so, --upstream nested.',
  );
}
