/*
 * The synthetic organizations: records in the form of the specification, each with one thing that
 * clients have to cope with. The identity of an organization selects one of them, a factor for its
 * size and the course of its research. Years count back from the registration.
 */

import type { Organization, Performance } from '../client/api/schema.ts';
import type { knownStatuses } from '../client/api/vocabulary.ts';
import records from './records.json' with { type: 'json' };
import { draw, folded, type StoredOrganization } from './store.ts';

/* Units of each currency (ISO 4217) per US dollar. Fixed, so that records never change. */
const rates =
  'USD 1, AED 3.6725, ARS 980, AUD 1.52, BGN 1.81, BRL 5.4, CAD 1.37, CHF 0.88, CLP 935, ' +
  'CNY 7.2, COP 4050, CZK 23.2, DKK 6.89, EGP 48.5, EUR 0.924, GBP 0.786, HKD 7.8, HUF 366, ' +
  'IDR 16000, ILS 3.7, INR 83.5, JPY 152, KRW 1370, KWD 0.307, MXN 18.1, MYR 4.6, NGN 1550, ' +
  'NOK 10.7, NZD 1.65, PEN 3.75, PHP 57.5, PKR 278, PLN 3.97, RON 4.6, SAR 3.75, SEK 10.5, ' +
  'SGD 1.34, THB 36, TRY 33, TWD 32.3, UAH 41, VND 25300, ZAR 18.3';

/** Units of each currency per US dollar. */
export const ratesPerDollar: Readonly<Record<string, number>> = Object.fromEntries(
  rates.split(', ').map((rate) => [rate.slice(0, 3), Number(rate.slice(4))]),
);

/** The currency of a response if the request names none. */
export const defaultCurrency = 'USD';

/** Returns the code of a supported currency in upper case; undefined for any other one. */
export function knownCurrency(code: string): string | undefined {
  const upper = code.toUpperCase();
  return Object.hasOwn(ratesPerDollar, upper) ? upper : undefined;
}

type RecordName = keyof typeof records;

/* The records of names that select none. */
const ordinary = [
  'complete',
  'pledge',
  'location',
  'gaps',
  'estimate',
  'short',
  'parts',
  'removed',
  'committed',
  'sparse',
] as const satisfies RecordName[];

const outcomes = ['errored', 'pending', 'synced'] as const;
const failures = ['400', '401', '404', '422', '429', '500', '503'] as const;

/** One of the words that select the behavior of every registration of a name. */
export type Scenario = RecordName | 'currency' | (typeof outcomes | typeof failures)[number];

/** The words after "Sandbox" in a name, as in "Sandbox 404" or "Sandbox errored 7". */
export const scenarios: readonly Scenario[] = [
  ...failures,
  ...outcomes,
  'currency',
  ...(Object.keys(records) as RecordName[]),
];

/** Returns the scenario that a name selects, in any case; undefined for an ordinary name. */
export function scenarioOf(name: string): Scenario | undefined {
  const [first, second] = folded(name.slice(0, 40)).split(' ');
  return first === 'sandbox' ? scenarios.find((scenario) => scenario === second) : undefined;
}

/* Checks whether a scenario selects what research finds, which means that research succeeds. */
function selectsRecord(scenario: Scenario | undefined): boolean {
  return scenario === 'currency' || (scenario !== undefined && scenario in records);
}

/* An industry in the name, as in "Nordic Steel", selects the record of that industry. */
function recordNameOf({ identity, identifier }: StoredOrganization): RecordName {
  const scenario = scenarioOf(identifier.name);
  if (scenario === 'currency') return 'complete';
  if (scenario !== undefined && scenario in records) return scenario as RecordName;
  const words = folded(identifier.name).split(' ');
  const named = ordinary.find((each) => {
    const [industry = ''] = folded(records[each].industry.name).split(' ');
    return words.some((word) => word.startsWith(industry.slice(0, 4)));
  });
  return named ?? ordinary[Math.floor(draw(identity, 0) * ordinary.length)] ?? 'complete';
}

/* Makes what finished research finds about an organization, in a currency of `ratesPerDollar`. */
function findingsOf(registered: StoredOrganization, currency: string): Organization {
  const { identity, identifier, at } = registered;
  const found: Organization = records[recordNameOf(registered)];
  const region = identifier.hq_region?.toUpperCase() || (found.hq_region ?? null);
  const isElsewhere = scenarioOf(identifier.name) === 'currency';
  const published = isElsewhere ? (currency === 'EUR' ? 'USD' : 'EUR') : currency;
  // A whole percentage from 20 to 500: emissions in thousands stay whole, and sums exact.
  const percent = Math.round(100 * 5 ** (2 * draw(identity, 1) - 1));
  const years = new Date(at).getUTCFullYear() - 2026;
  const localize = (performance: Performance, rate: number): Performance => ({
    ...performance,
    year: Number(performance.year ?? 0) + years,
    region: performance.region === 'GLOBAL' ? 'GLOBAL' : region,
    ...convertFactors(performance, rate),
  });
  const rate = ratesPerDollar[published] ?? 1;
  return {
    ...found,
    hq_region: region,
    region_rank: region === found.hq_region ? (found.region_rank ?? null) : 'unknown',
    industry: found.industry && {
      ...found.industry,
      performances: (found.industry.performances as Performance[]).map((each) =>
        localize(each, ratesPerDollar[currency] ?? 1),
      ),
    },
    performances: (found.performances ?? []).map((each) => ({
      ...localize(each, rate),
      revenue_currency: published,
      revenue:
        each.revenue == null ? null : Math.round(((Number(each.revenue) * percent) / 100) * rate),
      emissions: scaleAll(each.emissions ?? null, percent) as Performance['emissions'],
    })),
  };
}

function scaleAll(value: unknown, percent: number): unknown {
  if (typeof value === 'number') return (value * percent) / 100;
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  return Object.fromEntries(members.map(([name, part]) => [name, scaleAll(part, percent)]));
}

const factorNames = [
  'emission_factor',
  'scope_1_and_2_emission_factor',
  'total_upstream_emission_factor',
] as const;

/* Factors are emissions divided by revenue, with six significant digits: size does not matter. */
function convertFactors(performance: Performance, rate: number): Partial<Performance> {
  const known = factorNames.filter((name) => name in performance);
  return Object.fromEntries(
    known.map((name) => {
      const value = performance[name];
      return [name, typeof value === 'number' ? Number((value / rate).toPrecision(6)) : null];
    }),
  );
}

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
  { identity, identifier }: Pick<StoredOrganization, 'identity' | 'identifier'>,
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
  registered: StoredOrganization,
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
function matchOf({ id, identifier }: StoredOrganization, found: Organization) {
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
