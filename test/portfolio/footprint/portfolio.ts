/* Builds footprints from rows and records, without files. */

import { comparableId } from '../../../src/client/api/ids.ts';
import { readRecord } from '../../../src/client/api/read-record.ts';
import { ruleWords } from '../../../src/portfolio/checks/check-records.ts';
import type { FootprintEntry } from '../../../src/portfolio/footprint/entries.ts';
import { calculateFootprint, type LineItem } from '../../../src/portfolio/footprint/footprint.ts';
import type { MethodOptions, Provenance } from '../../../src/portfolio/footprint/line-item.ts';
import type { SpendRow } from '../../../src/portfolio/footprint/spend/spend-file.ts';
import type { SpendGroup, Supplier } from '../../../src/portfolio/footprint/supplier-groups.ts';
import { Suppliers } from '../../../src/portfolio/footprint/suppliers.ts';
import type { FootprintSummary } from '../../../src/portfolio/footprint/totals.ts';

/** A row of the user's file: `spend` is a plain decimal number, by default 10. */
export interface Purchase extends Partial<Omit<SpendRow, 'spend'>> {
  readonly spend?: string;
}

/* Origin that no test depends on. */
const provenance: Provenance = {
  version: '1.2.3',
  service: null,
  files: ['suppliers.csv'],
  selection: [],
  amounts: [],
  calculated_at: Date.UTC(2026, 0, 1),
};

function decimal(text: string) {
  const [, fraction = ''] = text.split('.');
  return { units: BigInt(text.replace('.', '')), scale: fraction.length };
}

/** Calculates a footprint; rows are in euros of 2024 unless they say otherwise. */
export function footprint(
  purchases: readonly Purchase[],
  records: readonly object[],
  given: Partial<MethodOptions> = {},
  warnings: readonly string[] = [],
): {
  readonly items: LineItem[];
  /** Returns the items as people read them, with words for rules in their warnings. */
  readonly wordedItems: () => LineItem[];
  readonly entries: readonly FootprintEntry[];
  readonly groups: readonly SpendGroup[];
  readonly summary: FootprintSummary;
  readonly equalNames: readonly object[];
  /** Suppliers whose records disagree about the target. */
  readonly disputed: readonly Supplier[];
  /** Matches the rows with other records, for their targets alone; call it at last. */
  readonly groupsWith: (others: readonly object[]) => readonly SpendGroup[];
} {
  const options = { boundary: 'cradle-to-gate', maxFactorAge: 5, ...given } as const;
  const suppliers = new Suppliers(options, '2026-01-01');
  for (const [index, { spend = '10', ...row }] of purchases.entries()) {
    suppliers.add({
      line: index + 2,
      name: undefined,
      region: undefined,
      id: undefined,
      isRecorded: false,
      isRejected: false,
      externalId: undefined,
      identifiers: [],
      currency: 'EUR',
      year: 2024,
      category: undefined,
      ...row,
      spend: decimal(spend),
    });
  }
  const match = (all: readonly object[]) => {
    const take = Suppliers.taking([suppliers]);
    for (const raw of all) {
      const { record } = readRecord(raw);
      const { id } = record;
      const key = id === null || id === undefined || id === '' ? undefined : comparableId(id);
      const { retrieved_at: retrievedAt } = raw as { readonly retrieved_at?: string };
      take(record, key, { service: undefined, currency: undefined, retrievedAt });
    }
  };
  match(records);
  const spend = suppliers.collect(false);
  const result = calculateFootprint(spend, options, { ...provenance, warnings });
  return {
    items: [...result.items()],
    wordedItems: () => [...result.items(ruleWords)],
    entries: result.entries,
    groups: spend.groups,
    summary: result.summary,
    equalNames: spend.equalNames,
    disputed: spend.disputed,
    groupsWith(others) {
      suppliers.forgetRecords();
      match(others);
      return suppliers.collect(false).groups;
    },
  };
}

/** Figures of one year in euros: scopes 1 and 2, category 1 and revenue of 1,000. */
export function own(
  year: number,
  [scope1, scope2, upstream]: readonly [number, number, number],
  others: object = {},
) {
  return {
    year,
    revenue_currency: 'EUR',
    revenue: 1_000,
    emissions: {
      scope_1: { total: scope1 },
      scope_2: { total_market_based: scope2 },
      scope_3: { purchased_goods_and_services: upstream },
    },
    ...others,
  };
}

/** The factors of the service of one year in euros. */
export function service(year: number, scopes1And2: number, upstream: number, others: object = {}) {
  return {
    year,
    revenue_currency: 'EUR',
    scope_1_and_2_emission_factor: scopes1And2,
    total_upstream_emission_factor: upstream,
    ...others,
  };
}

/** A record of an organization. */
export function record(id: number, performances: readonly object[], others: object = {}) {
  const matching_organization = { id };
  return {
    id,
    name: `Record ${id}`,
    status: 'synced',
    matching_organization,
    performances,
    ...others,
  };
}

/** Returns line items as a comparison reads them, without groups. */
export function bridgeItems({
  items,
  entries,
}: Pick<ReturnType<typeof footprint>, 'items' | 'entries'>) {
  return items.map((item, at) => {
    const { factor, uncovered } = entries[at] ?? {};
    return { ...item, group: null, lack: factor?.lack ?? null, figures: uncovered?.figures };
  });
}

/** The average of an industry in euros. */
export function industry(...averages: readonly (readonly [year: number, factor: number])[]) {
  return {
    industry: {
      name: 'Retail',
      performances: averages.map(([year, emission_factor]) => ({
        year,
        emission_factor,
        revenue_currency: 'EUR',
      })),
    },
  };
}
