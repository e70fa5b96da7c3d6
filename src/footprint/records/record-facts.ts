/* Reduces a record to what a footprint needs of it. */
import type { OrganizationId } from '../../api/ids.ts';
import type { Organization } from '../../api/schema.ts';
import { isSynthetic } from '../../organizations/history.ts';
import type { Retrieval } from '../../records/envelope.ts';
import { chooseFactors, type FactorNeed } from '../calculation/choose-factor.ts';
import { hasInconsistentFactor } from '../calculation/factor-consistency.ts';
import { statedCurrency } from '../calculation/figures.ts';
import { nearTermTarget } from '../calculation/target.ts';
import { type UpstreamEvidence, upstreamEvidence } from '../calculation/upstream-evidence.ts';
import type { NearTermTarget } from '../register-row.ts';
import { type PackedChoice, packChoice } from './packed-choice.ts';

/** What decides the factor besides the record and the spend. */
export type FactorOptions = Pick<FactorNeed, 'boundary' | 'fallback'>;

/** The currency and the year of some spend. */
export type SpendKind = Pick<FactorNeed, 'currency' | 'year'>;

/** What a record offers for spend in a currency and a year. */
export interface FactorOffer {
  readonly choice: PackedChoice;
  /** Currency of the record: 1 another one, 2 that of the spend or unknown. */
  readonly fit: 1 | 2;
}

/** What a footprint needs of a record. */
export interface RecordFacts {
  readonly id: OrganizationId | null;
  readonly name: string | null;
  readonly country: string | null;
  readonly externalId: string | null;
  readonly evidence: UpstreamEvidence;
  readonly target: NearTermTarget;
  /** Time when the record was retrieved, ISO 8601. */
  readonly retrievedAt: string | null;
  readonly isSynthetic: boolean;
  /** Whether the record's `emission_factor` contradicts its disclosed figures. */
  readonly isInconsistent: boolean;
  offer(kind: SpendKind): FactorOffer;
}

/** Returns the facts of a record; each offer is calculated when it is needed. */
export function recordFacts(
  record: Organization,
  retrieval: Retrieval,
  { boundary, fallback }: FactorOptions,
): RecordFacts {
  return {
    id: record.id ?? null,
    name: record.name ?? null,
    country: record.hq_region ?? null,
    externalId: record.external_id ?? null,
    evidence: upstreamEvidence(record),
    target: nearTermTarget(record),
    retrievedAt: retrieval.retrievedAt ?? null,
    isSynthetic: isSynthetic(record),
    isInconsistent: hasInconsistentFactor(record),
    offer: ({ currency, year }) => {
      const requestedCurrency = retrieval.currency;
      const need = { currency, year, boundary, fallback, requestedCurrency };
      const choice = packChoice(chooseFactors(record, need));
      return { choice, fit: mayBeInCurrency(record, currency, retrieval) ? 2 : 1 };
    },
  };
}

/* A record that names no currency replaces an earlier one, such as after failed research. */
function mayBeInCurrency(
  record: Organization,
  currency: string | null,
  { currency: requested = currency ?? undefined }: Retrieval,
): boolean {
  const performances = record.performances ?? [];
  if (currency === null || performances[0]?.revenue_currency === currency) return true;
  const stated = performances.map(statedCurrency).filter((each) => each !== undefined);
  return stated.length === 0 ? requested === currency : stated.includes(currency);
}
