import type { Organization } from '../../client/api/schema.ts';
import { checkRecordFigures } from '../checks/figure-rules.ts';
import { type Finding, summarizeFindings } from '../checks/findings.ts';
import { readInventories, unreadableValue } from '../organizations/emissions.ts';
import {
  type ChosenYear,
  chooseYears,
  comparedYears,
  hasRealData,
  isSynthetic,
  preferredRegion,
} from '../organizations/history.ts';
import { type listedNames, matchOf, otherNames } from '../organizations/matches.ts';
import {
  isOldLookup,
  knowsNoTarget,
  nearTermTarget,
  targetEvidence,
  targetsByDate,
  targetText,
} from '../organizations/targets.ts';
import { bothScopesOfEach, bothScopesOfYears } from '../organizations/trend.ts';
import { isUnmatched } from '../organizations/unmatched.ts';
import { FigureYears } from './figure-years.ts';

/** Data of one organization that reports show; undefined members are missing data. */
export type Entry = ReturnType<typeof readEntry>;

interface ReadingDays {
  readonly today: string;
  readonly asOf: string;
  readonly retrievedAt: string | null;
}

/**
 * Reads the data of a record that reports show.
 * @param when `today` and the day that the records are as of, `YYYY-MM-DD`, and when this one was
 * retrieved, ISO 8601; null if unknown
 * @param listed what the rows of a list call it
 * @param lines those of its rows
 */
export function readEntry(
  record: Organization,
  { today, asOf, retrievedAt }: ReadingDays,
  listed?: ReturnType<typeof listedNames>,
  lines?: readonly number[],
) {
  const { industry, cdp, un, climate_pledge: pledge, performances } = record;
  const inventories = readInventories(record);
  const chosen = chooseYears(record, inventories);
  const findings = checkRecordFigures(record, { today }, inventories);
  const wrong = wrongYears(findings);
  const years = chosen.filter(({ year }) => !wrong.has(year));
  const { nearTerm, longTerm, netZero } = readTargets(record);
  const checked = targetEvidence(record, retrievedAt)?.checkedAt ?? undefined;
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
    /** When the service looked at SBTi; as received. */
    targetChecked: checked,
    /** Whether that is more than six months ago. */
    isOldLookup: checked !== undefined && isOldLookup(checked, asOf),
    longTerm,
    netZero,
    initiatives: un?.initiatives ? un.initiatives.length > 0 : undefined,
    pledge: pledge?.signed ?? undefined,
    hasPerformances: (performances ?? []).length > 0,
    /** Whether the service sent emissions, or their year, but no calculation can read them. */
    isUnreadable: years.length === 0 && inventories.some((each) => unreadableValue(each)),
    /** Years with emissions, the latest first. */
    years: new FigureYears(
      chosen.map((each, at) => ({
        year: each.year,
        figures: each.chosen.shown,
        isWrong: wrong.has(each.year),
        growth: growthOf(each, chosen[at + 1]),
      })),
    ),
    /** Scopes 1 and 2 of years that are compared; `valuesOf` finds them. */
    changes: readChanges(record, years),
    /** Whether a year has emissions of several regions, of which one stands for it. */
    hasSeveralRegions: years.some(({ choices }) => choices.length > 1),
    target: targetText(record),
    /** Address of the first source of the record that is a page. */
    source: record.sources?.find(({ url }) => isPage(url))?.url ?? undefined,
    /** What the rules of `carbon check` find in the figures. */
    findings: summarizeFindings(findings),
    /** The warnings about years. */
    warnings: warningsOf(findings),
    /** The first error about a year with emissions. */
    error: findings.find((each) => isErrorOf(each, chosen)),
    /** The matched organization, whose figures these are. */
    matched: matchOf(record),
    isUnmatched: isUnmatched(record),
    /** Its names, if none is that of the record letter by letter. */
    otherNames: otherNames(record),
    listed,
    /** The lines of the list, for one without a match. */
    lines: isUnmatched(record) ? lines : undefined,
    externalId: record.external_id ?? undefined,
    isSynthetic: isSynthetic(record),
    hasRealData: hasRealData(record),
  };
}

/*
 * The revenue of a year divided by that of the year before: of one and the same region, in one
 * currency. Several regions of a year would compare the revenue of one with emissions of another.
 */
function growthOf(last: ChosenYear, before: ChosenYear | undefined): number | undefined {
  if (before === undefined || last.year - before.year !== 1) return undefined;
  if (last.choices.length > 1 || before.choices.length > 1) return undefined;
  const [now, then] = [last.chosen.performance, before.chosen.performance];
  const code = now.revenue_currency?.trim().toUpperCase();
  const isSame = last.chosen.region === before.chosen.region && code;
  if (!isSame || code !== then.revenue_currency?.trim().toUpperCase()) return undefined;
  const [after, base] = [now.revenue, then.revenue];
  if (typeof after !== 'number' || typeof base !== 'number') return undefined;
  return after > 0 && base > 0 ? after / base : undefined;
}

function isPage(url: string | null | undefined): boolean {
  return /^https?:\/\/[^/]/i.test(url ?? '');
}

function wrongYears(findings: readonly Finding[]): ReadonlySet<number> {
  const wrong = new Set<number>();
  for (const { severity, year } of findings)
    if (severity === 'error' && year !== null) wrong.add(year);
  return wrong;
}

const noWarnings: readonly Finding[] = [];

/* Few records have warnings. */
function warningsOf(findings: readonly Finding[]) {
  if (findings.length === 0) return noWarnings;
  return findings.filter(({ severity, year }) => severity === 'warning' && year !== null);
}

function isErrorOf({ severity, year }: Finding, years: readonly ChosenYear[]): boolean {
  return severity === 'error' && years.some((each) => each.year === year);
}

/* An empty list means that SBTi has no target of this organization, a missing one no data. */
function readTargets(record: Organization) {
  const [latest] = targetsByDate(record);
  const none = knowsNoTarget(record) ? false : undefined;
  // A text is what the service sent instead of a flag, or of the whole target.
  const has = (flag: boolean | string | null | undefined, text: unknown) =>
    latest === undefined ? none : (flag ?? (typeof text === 'string' ? text : undefined));
  return {
    nearTerm: nearTermTarget(record),
    longTerm: has(latest?.long_term?.has_target, latest?.long_term?.target),
    netZero: has(latest?.net_zero?.has_target, latest?.net_zero?.target_year),
  };
}

/**
 * Scopes 1 and 2 of a run of years, each time from the same figures of one region; `values` are
 * those of `years`, the earliest first.
 */
interface ComparedYears {
  readonly years: readonly number[];
  readonly values: readonly number[];
}

/**
 * Returns scopes 1 and 2 of compared years, the earliest first: of two adjacent ones, of the first
 * and the last, or of three in a row. Undefined if the same figures are not known of all.
 */
export function valuesOf(
  { changes }: Entry,
  wanted: readonly number[],
): readonly number[] | undefined {
  if (!('years' in changes))
    return changes.find(({ years }) => years.join() === wanted.join())?.values;
  const { years, values } = changes;
  if (!wanted.every((year) => years.includes(year))) return undefined;
  return wanted.map((year) => values[years.indexOf(year)] ?? Number.NaN);
}

/*
 * Compares each year with the next, the first with the last, and three years in a row, in the
 * preferred region of those that all of them have; all at once if that is the same.
 */
function readChanges(
  record: Organization,
  years: readonly ChosenYear[],
): ComparedYears | readonly ComparedYears[] {
  const all = sameInAll(years);
  if (all !== undefined) return all;
  const runs: (readonly ChosenYear[])[] = comparedYears(years);
  const three = years.flatMap((last, index) => {
    const [middle, first] = [years[index + 1], years[index + 2]];
    return first !== undefined && middle !== undefined && last.year - first.year === 2
      ? [[first, middle, last]]
      : [];
  });
  return [...runs, ...three].flatMap((run) => {
    const values = sameFigures(record, run);
    return values === undefined ? [] : [{ years: run.map(({ year }) => year), values }];
  });
}

/*
 * Compares all years at once if they have one region, and of all figures the same one comes first:
 * it is then that of each run. This is so for most organizations, and saves their runs.
 */
function sameInAll(years: readonly ChosenYear[]): ComparedYears | undefined {
  const earliestFirst = years.toReversed();
  const region = years[0]?.chosen.region;
  for (const { chosen, choices } of years)
    if (choices.length > 1 || chosen.region !== region) return undefined;
  const values = bothScopesOfEach(earliestFirst.map(({ chosen }) => chosen));
  return values && { years: earliestFirst.map(({ year }) => year), values };
}

function sameFigures(record: Organization, run: readonly ChosenYear[]) {
  const [{ choices: first } = { choices: [] }, ...others] = run;
  const inRegion = (name: string) =>
    others.flatMap(({ choices }) => choices.find(({ region }) => region === name) ?? []);
  const common = first.filter(({ region }) => inRegion(region).length === others.length);
  const chosen = preferredRegion(common, record);
  return chosen && bothScopesOfYears([chosen, ...inRegion(chosen.region)]);
}
