/*
 * Entries as text, for storage outside of memory and to send them between threads. A list without
 * the names of members takes half of the time to write and to parse of an object
 * (`npm run bench -- --only report`).
 */
import { type Entry, intern, type Targets } from './digest.ts';

/* Members without a value are null. */
type WrittenEntry = readonly [
  identity: Nullable<Entry['id'] | string>[],
  texts: Nullable<string>[],
  numbers: Nullable<number>[],
  flags: Nullable<boolean>[],
  years: Nullable<number>[],
  sources: readonly string[],
];
type Nullable<Value> = Value | null;

/** Serializes an entry. */
export function writeEntry(entry: Entry): string {
  const { targets, revenue } = entry;
  const written = [
    [entry.id, entry.name, entry.externalId],
    [
      entry.status,
      entry.region,
      entry.industry,
      entry.industryRank,
      entry.regionRank,
      entry.report,
      entry.initiatives,
      targets.nearTerm,
      revenue?.currency,
    ],
    [entry.score, entry.percentile, entry.sourceCount, targets.netZeroYear, revenue?.amount],
    [
      entry.cdp,
      entry.pledge,
      entry.hasPerformances,
      entry.hasSeveralRegions,
      entry.isSynthetic,
      targets.longTerm,
      targets.netZero,
      targets.ambition,
    ],
    entry.years,
    entry.sources,
  ];
  return JSON.stringify(written);
}

/** Parses the text that `writeEntry` returned. */
export function parseEntry(text: string): Entry {
  const [identity, texts, numbers, flags, years, sources]: WrittenEntry = JSON.parse(text);
  const amount = numbers[4] ?? undefined;
  return {
    id: identity[0] ?? undefined,
    name: nameOf(identity[1]),
    status: intern(texts[0]),
    region: intern(texts[1]),
    industry: intern(texts[2]),
    score: numbers[0] ?? undefined,
    percentile: numbers[1] ?? undefined,
    industryRank: intern(texts[3]),
    regionRank: intern(texts[4]),
    report: intern(texts[5]),
    cdp: flags[0] ?? undefined,
    targets: targetsOf(texts, numbers, flags),
    initiatives: intern(texts[6]),
    pledge: flags[1] ?? undefined,
    hasPerformances: flags[2] ?? false,
    // JSON has no NaN, the value of a missing figure.
    years: years.map((value) => value ?? Number.NaN),
    hasSeveralRegions: flags[3] ?? false,
    revenue: amount === undefined ? undefined : { amount, currency: intern(texts[8]) },
    sources,
    sourceCount: numbers[2] ?? 0,
    externalId: nameOf(identity[2]),
    isSynthetic: flags[4] ?? false,
  };
}

function nameOf(value: Nullable<string | number | undefined>): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}

function targetsOf(
  texts: WrittenEntry[1],
  numbers: WrittenEntry[2],
  flags: WrittenEntry[3],
): Targets {
  return {
    nearTerm: intern(texts[7]),
    longTerm: flags[5] ?? undefined,
    netZero: flags[6] ?? undefined,
    netZeroYear: numbers[3] ?? undefined,
    ambition: flags[7] ?? undefined,
  };
}
