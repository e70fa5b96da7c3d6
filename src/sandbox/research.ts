import { organizationSchema } from '../api/organization-schema.ts';
import type { knownStatuses, Organization } from '../api/schema.ts';
import type { Identifier } from '../registration/fields.ts';
import { programsOf } from './climate-programs.ts';
import { type Company, companyOf, scenarioOf, selectsFindings } from './company.ts';
import { industryPerformances, servedPerformances } from './figures.ts';
import { between, pick, randomOf } from './identity.ts';
import type { Registered } from './store.ts';
import { industryRank, regionRank, withoutLegalForm } from './tables.ts';

/*
 * Simulates research deterministically, without a clock: the status depends on identity and age,
 * the record on registration, status and currency.
 */

/** A status that the sandbox sends: any known status of live services. */
export type Status = (typeof knownStatuses)[number];

/**
 * The relative duration of each status (`weight`), and what research knows in it: nothing (0),
 * location (1), industry (2), documents (3), everything (4).
 */
const statuses: Record<Status, { readonly weight: number; readonly knows: 0 | 1 | 2 | 3 | 4 }> = {
  created: { weight: 1, knows: 0 },
  locating: { weight: 2, knows: 0 },
  unresolved: { weight: 3, knows: 0 },
  located: { weight: 1, knows: 1 },
  enriching: { weight: 3, knows: 1 },
  errored: { weight: 0, knows: 1 },
  enriched: { weight: 2, knows: 2 },
  resolving: { weight: 2, knows: 2 },
  resolved: { weight: 1, knows: 2 },
  researching: { weight: 6, knows: 2 },
  waiting: { weight: 4, knows: 3 },
  calculating: { weight: 3, knows: 3 },
  synced: { weight: 0, knows: 4 },
};

const start = ['created', 'locating', 'located', 'enriching'] as const;
const routes = [
  [...start, 'enriched', 'researching', 'calculating', 'synced'],
  [...start, 'enriched', 'researching', 'calculating', 'synced'],
  [...start, 'enriched', 'resolving', 'resolved', 'researching', 'calculating', 'synced'],
  [...start, 'enriched', 'researching', 'waiting', 'calculating', 'synced'],
] as const satisfies Status[][];
const [created, locating, ...located] = start;
const failingRoute: readonly Status[] = [created, locating, 'unresolved', ...located, 'errored'];
const endlessRoute: readonly Status[] = [...start, 'enriched', 'researching', 'waiting'];

/**
 * Returns the research status of an organization. Research ends with `synced` after `typicalMs`
 * plus or minus a quarter, depending on the identity; one in twenty ends with `errored`. A name can
 * select another result (`scenarios`).
 *
 * @param ageMs time since the registration; a negative one, after a clock was set back, counts as 0
 */
export function statusOf(
  { identity, identifier }: Pick<Registered, 'identity' | 'identifier'>,
  ageMs: number,
  typicalMs: number,
): Status {
  const random = randomOf(identity, 'research');
  const durationMs = typicalMs * between(random, 0.75, 1.25);
  const drawn = pick(random, routes);
  const fails = random() < 1 / 20;
  const scenario = scenarioOf(identifier.name);
  if (scenario === 'synced') return 'synced';
  const route =
    scenario === 'pending'
      ? endlessRoute
      : scenario === 'errored' || (fails && !selectsFindings(scenario))
        ? failingRoute
        : drawn;
  const finalStatus = route.at(-1) ?? 'created';
  if (ageMs >= durationMs) return finalStatus;
  const total = route.reduce((sum, status) => sum + statuses[status].weight, 0);
  let left = (Math.max(0, ageMs) / durationMs) * total;
  return (
    route.find((status) => {
      left -= statuses[status].weight;
      return left < 0;
    }) ?? finalStatus
  );
}

/**
 * Makes the record of an organization as far as research knows it in a status (section 2.1).
 * Unknown fields are null; fields that finished research did not find are absent.
 *
 * @param currency a code of `ratesPerDollar`, for revenue and factors
 */
export function recordOf(
  registration: Registered,
  status: Status,
  currency: string,
): Organization & { readonly sandbox: 'synthetic' } {
  const { identifier } = registration;
  const { knows } = statuses[status];
  const company = companyOf(registration);
  const isSparse = company.disclosure === 'sparse';
  const knowsIndustry = knows >= 2 && company.scenario !== 'empty';
  const region =
    identifier.hq_region?.toUpperCase() ?? (knows >= 1 && !isSparse ? company.region : null);
  return {
    id: registration.id,
    name: identifier.name,
    hq_region: region || null,
    hq_subregion: identifier.hq_subregion?.toUpperCase() || null,
    industry: knowsIndustry ? industryOf(company, currency) : null,
    website: identifier.website || null,
    external_id: identifier.external_id || null,
    status,
    matching_organization: knows >= 1 && !isSparse ? matchOf(company, identifier) : null,
    ...(knows >= 4 && isSparse
      ? { performances: [], sources: [] }
      : {
          performances: knows >= 4 ? servedPerformances(company, currency) : [],
          sources: knows >= 3 ? sourcesOf(company) : [],
          ...(knows >= 4 ? scoresOf(company) : { score: null, industry_score_percentile: null }),
        }),
    industry_confidence: knowsIndustry ? company.industryConfidence : null,
    industry_rank: knowsIndustry ? industryRank(company.industry) : null,
    region_rank: knows >= 1 ? regionRank(region || undefined) : null,
    related_environmental_report_status: reportStatus(status, knows, company),
    ...(knows >= 3 && !isSparse && programsOf(company)),
    // Marks the figures as synthetic for whoever receives the record.
    sandbox: 'synthetic',
  };
}

function reportStatus(status: Status, knows: number, { disclosure }: Company): string | null {
  if (status === 'researching') return 'processing';
  if (knows < 3) return null;
  return disclosure === 'full' || disclosure === 'partial' ? 'found' : 'not_found';
}

function industryOf(company: Company, currency: string) {
  const { id, name, meanScore } = company.industry;
  return {
    id: String(id),
    name,
    mean_score: meanScore,
    performances: industryPerformances(company, currency),
  };
}

const exchanges: Readonly<Record<string, string>> = {
  AU: 'ASX',
  CA: 'TSX',
  CH: 'SIX',
  DE: 'XETRA',
  FR: 'Euronext Paris',
  GB: 'LSE',
  JP: 'TSE',
  NL: 'Euronext Amsterdam',
  SE: 'Nasdaq Stockholm',
  US: 'NYSE',
};

function matchOf(company: Company, { website, hq_subregion: subregion }: Identifier) {
  const random = randomOf(company.identity, 'match');
  const id = 1_000_000 + Math.floor(random() * 8_999_999);
  const exchange = exchanges[company.region];
  const isListed = exchange !== undefined && company.revenueDollars > 5e8 && random() < 0.6;
  const symbol = company.slug.replace(/-/gu, '').slice(0, 4).toUpperCase();
  const names = [...new Set([company.name, withoutLegalForm(company.name)])];
  return {
    id,
    link: `https://reference.example.org/organizations/${id}`,
    name: company.name,
    names: names.map((value) => ({ value })),
    websites: [{ value: website || `https://www.${company.slug}.example` }],
    hq_region: company.region,
    hq_subregion: subregion?.toUpperCase() || null,
    industry: { id: company.industry.id, name: company.industry.name },
    tickers: isListed ? [{ exchange, symbol }] : [],
  };
}

function sourcesOf({ disclosure, identity, lastYear, slug, ambition }: Company) {
  if (disclosure === 'none' || disclosure === 'sparse') return [];
  const names = ['sustainability-report', 'annual-report', 'climate-data'];
  const published = names.slice(0, 1 + Math.floor(ambition * names.length));
  return published.map((name) => ({
    url: `https://reports.example.org/${slug}/${name}-${lastYear}.pdf`,
    mirror_url: `https://mirror.example.org/${identity.slice(0, 12)}/${name}-${lastYear}.pdf`,
  }));
}

/**
 * Draws the score around the industry's mean, depending on ambition, and its percentile in a normal
 * distribution around that mean.
 */
function scoresOf({ identity, industry, ambition, disclosure }: Company) {
  const random = randomOf(identity, 'score');
  const spread = 0.14;
  const raw = industry.meanScore + (ambition - 0.5) * 0.5 + between(random, -0.05, 0.05);
  const score =
    Math.round(Math.min(0.98, Math.max(0.02, raw - (disclosure === 'none' ? 0.05 : 0))) * 1e4) /
    1e4;
  const above = (score - industry.meanScore) / spread;
  const percentile = Math.round(100 / (1 + Math.exp(-1.702 * above)));
  return { score, industry_score_percentile: Math.min(99, Math.max(1, percentile)) };
}

/**
 * Writes the current record of an organization as JSON. The schema of the service validates it.
 *
 * @param ageMs time since the registration
 * @param researchMs typical duration of research
 */
export function writeRecord(
  registered: Registered,
  ageMs: number,
  researchMs: number,
  currency: string,
): string {
  const status = statusOf(registered, ageMs, researchMs);
  return JSON.stringify(organizationSchema.parse(recordOf(registered, status, currency)));
}
