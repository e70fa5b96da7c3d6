/* Random portfolios for reports, with what is known of each record by the way it was made. */
import fc from 'fast-check';
import '../../support/seed.ts';

/** A document of a file of records, and what a report has to find out about it. */
export interface Made {
  readonly record: MadeRecord;
  /** ISO 8601; a record without a time is no envelope. */
  readonly retrievedAt: string | undefined;
  /** The years that carbon check finds an error in. */
  readonly wrongYears: readonly number[];
  /** Whether the name is no alias of a matched organization that others have as well. */
  readonly isOther: boolean;
}

export interface MadeRecord {
  readonly id: number;
  readonly name: string;
  readonly status: string;
  readonly hq_region: string;
  readonly matching_organization: {
    readonly id: number;
    readonly name: string;
    readonly names: readonly { readonly value: string }[];
  } | null;
  readonly sbti: { readonly data: readonly object[] } | null;
  readonly performances: readonly MadePerformance[];
}

type Figures = Readonly<Record<string, unknown>>;

export interface MadePerformance {
  readonly year: number;
  readonly region: string | null;
  readonly revenue?: number;
  readonly emission_factor?: number;
  readonly emissions: Readonly<Record<string, Figures | number>> | null;
}

const last = 2025;
const impossible = 2_100;

/* Few different amounts make ties; decimals and quarters make sums that doubles round. */
const amount = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 4 }) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 10 ** 7 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 3_000 }).map((tenths) => tenths / 10) },
  { weight: 1, arbitrary: fc.constantFrom(0, 0.25, 10 ** 12, 2 ** 40) },
);
const unknown = fc.constantFrom(null, undefined, 'n/a');
const maybe = fc.oneof({ weight: 3, arbitrary: amount }, { weight: 1, arbitrary: unknown });

const figures = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      scope_1: fc.record({ total: amount }),
      scope_2: fc.record({ total_market_based: amount }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      scope_1: fc.record({ total: maybe, sum: maybe }),
      scope_2: fc.record({
        total_market_based: maybe,
        total_location_based: maybe,
        total: maybe,
        sum: maybe,
      }),
      scope_1_and_2: fc.oneof(
        fc.constant({}),
        fc.record({ total_market_based: maybe, total_location_based: maybe, total: maybe }),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ scope_1_and_2: fc.record({ total: amount }) }) },
  { weight: 1, arbitrary: fc.record({ scope_3: fc.record({ total: maybe }) }) },
  { weight: 1, arbitrary: fc.constantFrom({}, null) },
);

/* Errors of carbon check in one year, each of another rule. */
const faults = {
  negative: { emissions: { scope_1: { total: -5 }, scope_2: { total: 1 } } },
  zero: { revenue: 7, emissions: { scope_1: { total: 0 }, scope_2: { total: 0 } } },
  sum_scope: {
    emissions: {
      scope_1: { total: 5, mobile_combustion: 9 },
      scope_2: { total_market_based: 10 ** 9 },
    },
  },
  sum_total: {
    emissions: { scope_1: { total: 50 }, scope_2: { total_market_based: 10 ** 9 }, total: 60 },
  },
  unit: {
    revenue: 1_000,
    emission_factor: 1_000,
    emissions: { scope_1_and_2: { total: 10 ** 9 }, total: 10 ** 9 },
  },
} as const;

const performances = fc
  .record({
    // Most disclose every year, so that years can be compared.
    years: fc.oneof(
      { weight: 5, arbitrary: fc.constant([last, last - 1, last - 2, last - 3]) },
      { weight: 3, arbitrary: fc.subarray([last, last - 1, last - 2, last - 3, last - 4]) },
      { weight: 1, arbitrary: fc.subarray([impossible, last, 1_980]) },
    ),
    regions: fc.constantFrom<readonly (readonly (string | null)[])[]>(
      [['GLOBAL']],
      [[null]],
      [['FR', 'DE']],
      [['DE', 'GLOBAL'], ['FR', 'DE'], ['GLOBAL']],
    ),
    figures: fc.array(figures, { minLength: 12, maxLength: 12 }),
    fault: fc.option(fc.constantFrom(...(Object.keys(faults) as (keyof typeof faults)[])), {
      freq: 8,
      nil: undefined,
    }),
    faultAt: fc.nat(1),
  })
  .map(({ years, regions, figures: all, fault, faultAt }) => {
    const wrongYear = fault === undefined ? undefined : years[faultAt];
    const made = years.flatMap((year, index) => {
      const inYear = regions[index % regions.length] ?? [];
      return inYear.map((region, at): MadePerformance => {
        const known = all[(2 * index + at) % all.length] as MadePerformance['emissions'];
        const own = { year, region, emissions: known };
        return year === wrongYear && at === 0 && fault ? { ...own, ...faults[fault] } : own;
      });
    });
    const wrongYears = years.filter((year) => year === wrongYear || year > last || year < 1_990);
    return { performances: made, wrongYears };
  });

const targets = [
  null,
  [],
  ...['set', 'committed', 'removed', 'none', 'Under review'].map((target_status) => [
    { near_term: { target_status } },
  ]),
  [{ near_term: { has_target: true } }],
  [
    { created_at: '2020-01-01', near_term: { target_status: 'set' } },
    { created_at: '2024-01-01', near_term: { target_status: 'Commitment removed' } },
  ],
] as const;

const organization = fc.record({
  status: fc.constantFrom('synced', 'synced', 'synced', 'synced', 'errored', 'locating'),
  target: fc.constantFrom(...targets, targets[2], targets[2]),
  has: fc.constantFrom('figures', 'figures', 'figures', 'figures', 'figures', 'no figures'),
  performances,
  retrieved: fc.constantFrom(undefined, '2026-01-01', '2026-02-01', '2026-02-01'),
  /* The records of a group have one matched organization. */
  group: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 2),
  isOther: fc.constantFrom(false, false, false, true),
  isMatched: fc.boolean(),
});

/** Portfolios of 1 to 14 organizations, each with one document. */
export const portfolio: fc.Arbitrary<readonly Made[]> = fc
  .oneof(
    { weight: 1, arbitrary: fc.constant(1) },
    { weight: 1, arbitrary: fc.constant(2) },
    { weight: 1, arbitrary: fc.constant(3) },
    { weight: 4, arbitrary: fc.integer({ min: 4, max: 14 }) },
  )
  .chain((length) => fc.array(organization, { minLength: length, maxLength: length }))
  .map((all) =>
    all.map((each, index): Made => {
      const { status, target, has, performances: own, retrieved, group } = each;
      const id = index + 1;
      const members = all.filter((other) => other.group === group);
      const isShared = group > 0 && members.length > 1;
      const isOther = isShared && each.isOther;
      const alias = group > 0 ? `Nord Part${id}` : `Company ${id}`;
      return {
        record: {
          id,
          name: isOther ? `Zeppelin ${id}` : alias,
          status,
          hq_region: 'DE',
          matching_organization:
            has === 'no figures' && group === 0 && !each.isMatched
              ? null
              : {
                  id: group > 0 ? group : 100 + id,
                  name: group > 0 ? `Nord${group}` : alias,
                  names: group > 0 ? all.map((_, at) => ({ value: `Nord Part${at + 1}` })) : [],
                },
          sbti: target === null ? null : { data: target },
          performances: has === 'figures' ? own.performances : [],
        },
        retrievedAt: retrieved === undefined ? undefined : `${retrieved}T00:00:00Z`,
        wrongYears: has === 'figures' ? own.wrongYears : [],
        isOther,
      };
    }),
  );

/** The documents of a file, as `carbon watch --json` prints them, or records alone. */
export function documentsOf(portfolioOf: readonly Made[]): object[] {
  return portfolioOf.map(({ record, retrievedAt }) =>
    retrievedAt === undefined
      ? record
      : { ok: true, id: record.id, retrieved_at: retrievedAt, record },
  );
}

/** The same portfolios for every test of a run. */
export const portfolios = (): readonly (readonly Made[])[] => fc.sample(portfolio, 300);
