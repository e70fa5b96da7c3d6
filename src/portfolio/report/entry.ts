import type { Organization } from '../../client/api/schema.ts';
import { checkRecordFigures } from '../checks/figure-rules.ts';
import { summarizeFindings } from '../checks/findings.ts';
import { readInventories, unreadableValue } from '../organizations/emissions.ts';
import {
  type ChosenYear,
  chooseYears,
  comparedYears,
  isSynthetic,
  preferredRegion,
} from '../organizations/history.ts';
import { matchOf } from '../organizations/matches.ts';
import { nearTermTarget, targetsByDate, targetText } from '../organizations/targets.ts';
import { compareYears } from '../organizations/trend.ts';

/** Data of one organization that reports show; undefined members are missing data. */
export type Entry = ReturnType<typeof readEntry>;

/**
 * Reads the data of a record that reports show.
 * @param today `YYYY-MM-DD`
 */
export function readEntry(record: Organization, today: string) {
  const { industry, cdp, un, climate_pledge: pledge, performances } = record;
  const inventories = readInventories(record);
  const years = chooseYears(record, inventories);
  const { nearTerm, longTerm, netZero } = readTargets(record);
  return {
    id: record.id ?? undefined,
    name: record.name ?? undefined,
    status: record.status ?? undefined,
    region: record.hq_region ?? undefined,
    industry: industry?.name ?? undefined,
    score: record.score ?? undefined,
    report: record.related_environmental_report_status ?? undefined,
    cdp: cdp?.is_listed ?? undefined,
    nearTerm,
    longTerm,
    netZero,
    initiatives: un?.initiatives ? un.initiatives.length > 0 : undefined,
    pledge: pledge?.signed ?? undefined,
    hasPerformances: (performances ?? []).length > 0,
    /** Whether the service sent emissions, or their year, but no calculation can read them. */
    isUnreadable: years.length === 0 && inventories.some((each) => unreadableValue(each)),
    /** Years with emissions, the latest first. */
    years: years.map(({ year, chosen }) => ({ year, figures: chosen.shown })),
    /** Changes from each year to the next, and from the first year to the last. */
    changes: readChanges(record, years),
    /** Whether a year has emissions of several regions, of which one stands for it. */
    hasSeveralRegions: years.some(({ choices }) => choices.length > 1),
    target: targetText(record),
    /** What the rules of `carbon check` find in the figures. */
    findings: summarizeFindings(checkRecordFigures(record, { today }, inventories)),
    /** The matched organization, whose figures these are. */
    matched: matchOf(record),
    externalId: record.external_id ?? undefined,
    isSynthetic: isSynthetic(record),
  };
}

/* An empty list means that SBTi has no target of this organization, a missing one no data. */
function readTargets(record: Organization) {
  const [latest] = targetsByDate(record);
  const none = record.sbti?.data ? false : undefined;
  // A text is what the service sent instead of a flag, or of the whole target.
  const has = (flag: boolean | string | null | undefined, text: unknown) =>
    latest === undefined ? none : (flag ?? (typeof text === 'string' ? text : undefined));
  return {
    nearTerm: nearTermTarget(record),
    longTerm: has(latest?.long_term?.has_target, latest?.long_term?.target),
    netZero: has(latest?.net_zero?.has_target, latest?.net_zero?.target_year),
  };
}

/*
 * Compares scopes 1 and 2 of each year with the next, and the first with the last, in the preferred
 * region of those that both years have.
 */
function readChanges(record: Organization, years: readonly ChosenYear[]) {
  return comparedYears(years).flatMap(([earlier, later]) => {
    const regions = new Set(later.choices.map(({ region }) => region));
    const common = earlier.choices.filter(({ region }) => regions.has(region));
    const old = preferredRegion(common, record);
    const now = later.choices.find(({ region }) => region === old?.region);
    if (old === undefined || now === undefined) return [];
    const sums = compareYears(old, now, [1, 2]);
    if (sums === undefined) return [];
    return [{ from: earlier.year, to: later.year, before: sums.before, after: sums.after }];
  });
}
