/* Simulates research: the status depends on identity and age, the record on status and currency. */
import type { knownStatuses, Organization } from '../api/schema.ts';
import { draw } from './identity.ts';
import { findingsOf, scenarioOf, selectsRecord } from './records.ts';
import type { Registered } from './store.ts';

/** Any known status of live services. */
export type Status = (typeof knownStatuses)[number];

/*
 * The relative duration of each status, and what research knows in it: nothing (0), location (1),
 * industry (2), documents (3), everything (4).
 */
const statuses: Readonly<Record<Status, readonly [weight: number, knows: number]>> = {
  created: [1, 0],
  locating: [2, 0],
  unresolved: [3, 0],
  located: [1, 1],
  enriching: [3, 1],
  errored: [0, 1],
  enriched: [2, 2],
  resolving: [2, 2],
  resolved: [1, 2],
  researching: [6, 2],
  waiting: [4, 3],
  calculating: [3, 3],
  synced: [0, 4],
};

const start = ['created', 'locating', 'located', 'enriching'] as const;
const middle = ['enriched', 'resolving', 'resolved', 'researching', 'waiting'] as const;
const route: readonly Status[] = [...start, ...middle, 'calculating', 'synced'];
const endlessRoute: readonly Status[] = [...start, ...middle];
const [created, locating, ...located] = start;
const failingRoute: readonly Status[] = [created, locating, 'unresolved', ...located, 'errored'];

/**
 * Returns the research status of an organization. Research ends with `synced` after `typicalMs`
 * plus or minus a quarter, one in twenty with `errored`; a name can select another result
 * (`scenarios`). An age below 0, after a clock was set back, counts as 0.
 */
export function statusOf(
  { identity, identifier }: Pick<Registered, 'identity' | 'identifier'>,
  ageMs: number,
  typicalMs: number,
): Status {
  const scenario = scenarioOf(identifier.name);
  if (scenario === 'synced') return 'synced';
  const fails = scenario === 'errored' || (draw(identity, 3) < 1 / 20 && !selectsRecord(scenario));
  const path = scenario === 'pending' ? endlessRoute : fails ? failingRoute : route;
  const end = path.at(-1) ?? 'created';
  const durationMs = typicalMs * (0.75 + 0.5 * draw(identity, 2));
  if (ageMs >= durationMs) return end;
  const total = path.reduce((sum, status) => sum + statuses[status][0], 0);
  let rest = (Math.max(0, ageMs) / durationMs) * total;
  return (
    path.find((status) => {
      rest -= statuses[status][0];
      return rest < 0;
    }) ?? end
  );
}

/**
 * Makes the record of an organization as far as research knows it in a status (section 2.1).
 * Unknown fields are null; fields that finished research did not find are absent.
 */
export function recordOf(
  registered: Registered,
  status: Status,
  currency: string,
): Organization & { readonly sandbox: 'synthetic' } {
  const { id, identifier } = registered;
  const [, knows] = statuses[status];
  const found = findingsOf(registered, currency);
  const { cdp, sbti, un, climate_pledge, score, industry_score_percentile } = found;
  const report = knows >= 3 ? (found.related_environmental_report_status ?? null) : null;
  return {
    id,
    name: identifier.name,
    hq_region: knows >= 1 ? (found.hq_region ?? null) : identifier.hq_region?.toUpperCase() || null,
    hq_subregion: identifier.hq_subregion?.toUpperCase() || null,
    industry: knows >= 2 ? (found.industry ?? null) : null,
    website: identifier.website || null,
    external_id: identifier.external_id || null,
    status,
    matching_organization: knows >= 1 ? matchOf(registered, found) : null,
    performances: knows >= 4 ? (found.performances ?? []) : [],
    sources: knows >= 3 ? (found.sources ?? []) : [],
    score: knows >= 4 ? score : null,
    industry_score_percentile: knows >= 4 ? industry_score_percentile : null,
    industry_confidence: knows >= 2 ? (found.industry_confidence ?? null) : null,
    industry_rank: knows >= 2 ? (found.industry_rank ?? null) : null,
    region_rank: knows >= 1 ? (found.region_rank ?? null) : null,
    related_environmental_report_status: status === 'researching' ? 'processing' : report,
    ...(knows >= 3 && { cdp, sbti, un, climate_pledge }),
    // Marks the figures as synthetic for whoever receives the record.
    sandbox: 'synthetic',
  };
}

/* Research that finds almost nothing, not even scores, finds no match either. */
function matchOf({ id, identifier }: Registered, found: Organization) {
  if (found.score === undefined) return null;
  const matchId = 1_000_000 + id;
  return {
    tickers: [],
    ...found.matching_organization,
    id: matchId,
    link: `https://reference.example.org/organizations/${matchId}`,
    name: identifier.name,
    names: [{ value: identifier.name }],
    websites: identifier.website ? [{ value: identifier.website }] : [],
    hq_region: found.hq_region ?? null,
    hq_subregion: identifier.hq_subregion?.toUpperCase() || null,
    industry: found.industry
      ? { id: Number(found.industry.id), name: found.industry.name ?? null }
      : null,
  };
}

/** Writes the record of an organization as JSON; times are in milliseconds. */
export function writeRecord(
  registered: Registered,
  ageMs: number,
  researchMs: number,
  currency: string,
): string {
  const status = statusOf(registered, ageMs, researchMs);
  return JSON.stringify(recordOf(registered, status, currency));
}
