import type { Organization } from '../../api/schema.ts';
import { performancesByYear, targetsByDate } from '../../organizations/history.ts';
import { type PackedYears, packYears } from './years.ts';

/** Money in the currency that the record names. */
export interface Revenue {
  readonly amount: number;
  readonly currency: string | undefined;
}

/**
 * What reports tell of one organization: small, because a comparison keeps one for each. Absent
 * where nothing is known.
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
  /** Names joined by `; `; empty where the record says that there are none. */
  readonly initiatives: string | undefined;
  readonly pledge: boolean | undefined;
  readonly hasPerformances: boolean;
  readonly years: PackedYears;
  /** Whether a year has emissions of several regions, of which the first is taken. */
  readonly hasSeveralRegions: boolean;
  /** Of the latest year that has any. */
  readonly revenue: Revenue | undefined;
  /** The first web addresses of sources, and how many there are. */
  readonly sources: readonly string[];
  readonly sourceCount: number;
  /** Whether it is the sandbox's: its figures are made up. */
  readonly isSynthetic: boolean;
}

/** The latest SBTi target record. */
export interface Targets {
  /** `set`, `committed`, `removed` or `none`; `with_target` where there is one without a status. */
  readonly nearTerm: string | undefined;
  readonly longTerm: boolean | undefined;
  readonly netZero: boolean | undefined;
  readonly netZeroYear: number | undefined;
  readonly ambition: boolean | undefined;
}

const shownSources = 3;

/**
 * Reads what reports tell of a record.
 * @param withSources whether addresses are kept, a third of an entry: only the page shows them
 */
export function readEntry(record: Organization, withSources = true): Entry {
  const { industry, cdp, un, climate_pledge: pledge, performances, sources } = record;
  const { years, hasSeveralRegions } = packYears(record);
  return {
    id: record.id ?? undefined,
    name: record.name ?? undefined,
    status: record.status ?? undefined,
    region: kept(record.hq_region),
    industry: kept(industry?.name),
    score: record.score ?? undefined,
    percentile: record.industry_score_percentile ?? undefined,
    industryRank: record.industry_rank ?? undefined,
    regionRank: record.region_rank ?? undefined,
    report: record.related_environmental_report_status ?? undefined,
    cdp: cdp?.is_listed ?? undefined,
    targets: readTargets(record),
    initiatives: kept(un?.initiatives?.map(({ name, slug }) => name ?? slug ?? '').join('; ')),
    pledge: pledge?.signed ?? undefined,
    hasPerformances: (performances ?? []).length > 0,
    years,
    hasSeveralRegions,
    revenue: readRevenue(record),
    sources: withSources ? readSources(record) : [],
    sourceCount: sources?.length ?? 0,
    isSynthetic: 'sandbox' in record && record.sandbox === 'synthetic',
  };
}

/** An entry as text, to be kept elsewhere than in memory. */
export function writeEntry(entry: Entry): string {
  return JSON.stringify(entry);
}

/** The entry that `writeEntry` wrote. */
export function parseEntry(text: string): Entry {
  const entry = JSON.parse(text);
  // A figure that is missing; JSON has no NaN.
  return { ...entry, years: entry.years.map((value: number | null) => value ?? Number.NaN) };
}

/* Words that many organizations share are kept once, as far as they are few. */
const words = new Map<string, string>();
const maxWords = 10_000;

function kept(word: string | null | undefined): string | undefined {
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

/* An empty list is an answer: SBTi was asked and has no target of this organization. */
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

function readRevenue(record: Organization): Revenue | undefined {
  const latest = performancesByYear(record).find(({ revenue }) => typeof revenue === 'number');
  if (typeof latest?.revenue !== 'number') return undefined;
  return { amount: latest.revenue, currency: latest.revenue_currency || undefined };
}

function readSources({ sources }: Organization): readonly string[] {
  const shown: string[] = [];
  for (const { url } of sources ?? []) {
    if (shown.length === shownSources) break;
    if (url && isWebAddress(url)) shown.push(url);
  }
  return shown;
}

function isWebAddress(text: string): boolean {
  return text.length <= 2_000 && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
