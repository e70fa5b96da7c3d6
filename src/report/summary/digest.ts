import type { Organization, Performance } from '../../api/schema.ts';
import { isSynthetic, performancesByYear } from '../../organizations/history.ts';
import { targetsByDate } from '../../organizations/targets.ts';
import { type PackedYears, packYears } from './years.ts';

/** Revenue in the currency that the record names. */
export interface Revenue {
  readonly amount: number;
  readonly currency: string | undefined;
}

/**
 * The data of one organization that reports show; undefined members are missing data. It is small,
 * because a comparison keeps one for each organization.
 */
export interface Entry {
  readonly id: string | number | undefined;
  readonly name: string | undefined;
  readonly status: string | undefined;
  readonly region: string | undefined;
  readonly industry: string | undefined;
  readonly score: number | undefined;
  readonly percentile: number | undefined;
  readonly industryRank: string | undefined;
  readonly regionRank: string | undefined;
  readonly report: string | undefined;
  readonly cdp: boolean | undefined;
  readonly targets: Targets;
  /** Names joined by `; `; empty if the organization takes part in none. */
  readonly initiatives: string | undefined;
  readonly pledge: boolean | undefined;
  readonly hasPerformances: boolean;
  readonly years: PackedYears;
  /** Whether a year has emissions of several regions, of which only the first counts. */
  readonly hasSeveralRegions: boolean;
  /** The revenue of the latest year with revenue. */
  readonly revenue: Revenue | undefined;
  /** The first three web addresses of sources. */
  readonly sources: readonly string[];
  readonly sourceCount: number;
  /** The identifier that a customer or a third party assigned; only the page shows it. */
  readonly externalId: string | undefined;
  /** Whether the record is synthetic data from the sandbox. */
  readonly isSynthetic: boolean;
}

/** The latest SBTi target record. */
export interface Targets {
  /** `set`, `committed`, `removed` or `none`; `with_target` if the target has no status. */
  readonly nearTerm: string | undefined;
  readonly longTerm: boolean | undefined;
  readonly netZero: boolean | undefined;
  readonly netZeroYear: number | undefined;
  readonly ambition: boolean | undefined;
}

const maxSources = 3;

/**
 * Reads the data of a record that reports show.
 * @param withSources whether to keep the addresses of sources, a third of an entry, and the
 * external id: only the page shows them
 */
export function readEntry(record: Organization, withSources = true): Entry {
  const { industry, cdp, un, climate_pledge: pledge, performances, sources } = record;
  const byYear = performancesByYear(record);
  const { years, hasSeveralRegions } = packYears(byYear);
  return {
    id: record.id ?? undefined,
    name: record.name ?? undefined,
    status: record.status ?? undefined,
    region: intern(record.hq_region),
    industry: intern(industry?.name),
    score: record.score ?? undefined,
    percentile: record.industry_score_percentile ?? undefined,
    industryRank: record.industry_rank ?? undefined,
    regionRank: record.region_rank ?? undefined,
    report: record.related_environmental_report_status ?? undefined,
    cdp: cdp?.is_listed ?? undefined,
    targets: readTargets(record),
    initiatives: intern(un?.initiatives?.map(({ name, slug }) => name ?? slug ?? '').join('; ')),
    pledge: pledge?.signed ?? undefined,
    hasPerformances: (performances ?? []).length > 0,
    years,
    hasSeveralRegions,
    revenue: readRevenue(byYear),
    sources: withSources ? readSources(record) : [],
    sourceCount: sources?.length ?? 0,
    externalId: withSources ? (record.external_id ?? undefined) : undefined,
    isSynthetic: isSynthetic(record),
  };
}

/* Words that many organizations share; each is in memory only once, up to a limit. */
const words = new Map<string, string>();
const maxWords = 10_000;

/** Returns the same string for equal words. */
export function intern(word: string | null | undefined): string | undefined {
  if (word === undefined || word === null) return undefined;
  const known = words.get(word);
  if (known === undefined && words.size < maxWords) words.set(word, word);
  return known ?? word;
}

const noRecords: Targets = {
  nearTerm: 'none',
  longTerm: false,
  netZero: false,
  netZeroYear: undefined,
  ambition: false,
};
const unknown: Targets = {
  nearTerm: undefined,
  longTerm: undefined,
  netZero: undefined,
  netZeroYear: undefined,
  ambition: undefined,
};

/*
 * An empty list means that SBTi has no target of this organization; a missing list means no data.
 */
function readTargets(record: Organization): Targets {
  const [latest] = targetsByDate(record);
  if (latest === undefined) return record.sbti?.data ? noRecords : unknown;
  const { near_term, long_term, net_zero, business_ambition_1_5: ambition } = latest;
  const flag = near_term?.has_target;
  const byFlag = typeof flag === 'boolean' ? (flag ? 'with_target' : 'none') : undefined;
  return {
    nearTerm: near_term?.target_status || byFlag,
    longTerm: long_term?.has_target ?? undefined,
    netZero: net_zero?.has_target ?? undefined,
    netZeroYear: net_zero?.target_year ?? undefined,
    ambition: ambition?.has_target ?? undefined,
  };
}

function readRevenue(performances: readonly Performance[]): Revenue | undefined {
  const latest = performances.find(({ revenue }) => typeof revenue === 'number');
  if (typeof latest?.revenue !== 'number') return undefined;
  return { amount: latest.revenue, currency: latest.revenue_currency || undefined };
}

function readSources({ sources }: Organization): readonly string[] {
  const shown: string[] = [];
  for (const { url } of sources ?? []) {
    if (shown.length === maxSources) break;
    if (url && isWebAddress(url)) shown.push(url);
  }
  return shown;
}

function isWebAddress(text: string): boolean {
  return text.length <= 2_000 && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
