/*
 * A footprint of twelve suppliers in three currencies, with every basis, uncovered and excluded
 * rows. The figures are those of a purchasing export; the factors are invented.
 */
import type { FootprintSummary } from '../../../src/footprint/footprint-summary.ts';
import type { RegisterRow } from '../../../src/footprint/register-row.ts';
import { noInputs } from '../groups.ts';

/** Completes a row; `emissions` is the spend times the factor of covered rows. */
export function registerRow(given: Partial<RegisterRow> = {}): RegisterRow {
  const { spend = 1000, factor = null, line_count } = given;
  const row: RegisterRow = {
    lines: [2],
    line_count: line_count ?? given.lines?.length ?? 1,
    supplier: null,
    id: null,
    name: given.supplier ?? null,
    matched_by: given.id == null ? null : 'journal',
    currency: 'EUR',
    spend,
    spend_year: 2024,
    category: null,
    boundary: 'cradle-to-gate',
    basis: null,
    factor,
    factor_year: null,
    factor_region: null,
    inputs: factor === null ? null : noInputs,
    emissions: factor === null || spend === null ? null : spend * factor,
    share: null,
    sbti_near_term: { status: null, created_at: null, retrieved_at: null },
    retrieved_at: '2026-11-20T08:15:00.000Z',
    synthetic: false,
    uncovered: null,
    uncovered_detail: null,
    excluded: null,
  };
  return { ...row, ...given };
}

const disclosed = (
  [scope_1, scope_2, upstream, revenue]: readonly [number, number, number, number],
  upstream_categories: number,
) => ({
  basis: 'disclosed' as const,
  factor: (scope_1 + scope_2 + upstream) / revenue,
  inputs: {
    ...noInputs,
    revenue,
    scope_1,
    scope_2,
    scope_2_method: 'market-based' as const,
    upstream,
    upstream_categories,
  },
});
const factor = (scopes: number, upstream: number) => ({
  basis: 'factor' as const,
  factor: scopes + upstream,
  inputs: {
    ...noInputs,
    scope_1_and_2_emission_factor: scopes,
    total_upstream_emission_factor: upstream,
    emission_factor: scopes + 2 * upstream,
  },
});
const industry = (value: number) => ({
  basis: 'industry' as const,
  factor: value,
  inputs: { ...noInputs, emission_factor: value },
});
const target = (status: string) => ({
  sbti_near_term: { status, created_at: '2024-03-12', retrieved_at: '2026-10-01' },
});

const given: readonly Partial<RegisterRow>[] = [
  {
    lines: [3, 9, 27],
    supplier: 'Nordwind Stahl GmbH',
    id: 4711,
    spend: 4_820_000.5,
    category: 'Raw materials',
    factor_year: 2023,
    ...disclosed([5_800_000_000, 400_000_000, 3_100_000_000, 11_450_000_000], 6),
    ...target('set'),
  },
  {
    lines: [4],
    supplier: 'Papierfabrik Möhrle & Söhne KG',
    id: 4712,
    spend: 1_204_300,
    category: 'Packaging',
    factor_year: 2024,
    ...factor(0.214, 0.388),
    ...target('committed'),
  },
  {
    lines: [5, 31],
    supplier: 'Compagnie Générale de Transports et de Logistique Maritime',
    id: 4713,
    spend: 2_350_120.75,
    category: 'Freight',
    factor_year: 2021,
    factor_region: 'FR',
    ...factor(0.71, 0.198),
    ...target('removed'),
  },
  {
    lines: [6],
    supplier: 'Pacific Semiconductor Inc.',
    id: 4714,
    currency: 'USD',
    spend: 3_120_000,
    category: 'Components',
    factor_year: 2024,
    ...disclosed([1_200_000_000, 900_000_000, 3_615_243_000, 79_474_000_000], 8),
    ...target('set'),
  },
  {
    lines: [7],
    supplier: 'Lone Star Chemicals LLC',
    id: 4715,
    currency: 'USD',
    spend: 845_000,
    category: 'Raw materials',
    factor_year: 2023,
    ...industry(1.12),
    ...target('none'),
  },
  {
    lines: [8],
    supplier: '株式会社東京精密部品製作所',
    id: 4716,
    currency: 'JPY',
    spend: 182_500_000,
    category: 'Components',
    factor_year: 2023,
    ...factor(0.000_82, 0.001_95),
    ...target('set'),
  },
  {
    lines: [10, 11],
    supplier: 'Kanzlei Berger Partner',
    id: 4717,
    spend: 310_000,
    category: 'Services',
    factor_year: 2024,
    ...industry(0.041),
  },
  {
    lines: [12],
    supplier: 'Atlas Facility Services SE',
    id: 4718,
    spend: 98_400,
    category: 'Services',
    factor_year: 2020,
    ...factor(0.052, 0.061),
    ...target('none'),
  },
  {
    lines: [13],
    supplier: 'Atlas Facility Services SE',
    id: 4718,
    currency: 'USD',
    spend: 12_000,
    category: null,
    factor_year: 2020,
    ...factor(0.048, 0.056),
    ...target('none'),
  },
  {
    lines: [14],
    supplier: 'Zahnrad Huber',
    spend: 66_000,
    category: 'Components',
    uncovered: 'not_registered',
    retrieved_at: null,
  },
  {
    lines: [15, 16],
    supplier: 'Meridian Holdings Ltd',
    spend: 240_500,
    category: 'Services',
    uncovered: 'ambiguous_match',
    uncovered_detail: 'the records 88 and 91 have this name and country',
    retrieved_at: null,
  },
  {
    lines: [17],
    supplier: 'Biotec Farma S.p.A.',
    id: 4721,
    spend: 51_200,
    category: 'Raw materials',
    uncovered: 'in_progress',
    uncovered_detail: 'status processing',
  },
  {
    lines: [18, 19],
    supplier: 'Retouren-Service Nord',
    id: 4722,
    spend: -8_400.4,
    category: 'Freight',
    factor_year: 2024,
    excluded: 'negative_net_spend',
    ...factor(0.2, 0.3),
  },
  { lines: [20], supplier: 'Stadtwerke Süd', id: 4723, spend: null, excluded: 'no_spend' },
];

const incomplete = given.map(registerRow);
const isCounted = (row: RegisterRow) => row.excluded === null && row.emissions !== null;
const sumOf = (rows: readonly RegisterRow[], value: (row: RegisterRow) => number | null) =>
  rows.reduce((sum, row) => sum + (value(row) ?? 0), 0);
const total = sumOf(incomplete.filter(isCounted), ({ emissions }) => emissions);

/** The rows of the register, in the order of the file. */
export const rows: readonly RegisterRow[] = incomplete.map((row) => ({
  ...row,
  share: isCounted(row) ? (row.emissions ?? 0) / total : null,
}));

const withSpend = rows.filter(({ excluded }) => excluded === null);
const counted = rows.filter(isCounted);

function spendOf(of: readonly RegisterRow[]): FootprintSummary['spend'] {
  const currencies = [...new Set(of.map(({ currency }) => currency))];
  return Object.fromEntries(
    currencies.map((currency) => {
      const own = of.filter((row) => row.currency === currency);
      const covered = sumOf(own.filter(isCounted), ({ spend }) => spend);
      return [currency ?? 'unknown', { total: sumOf(own, ({ spend }) => spend), covered }];
    }),
  );
}

function groupBy<Key>(of: readonly RegisterRow[], key: (row: RegisterRow) => Key) {
  return [...new Set(of.map(key))].map(
    (value) => [value, of.filter((row) => key(row) === value)] as const,
  );
}

const emissionsOf = (of: readonly RegisterRow[]) =>
  sumOf(of.filter(isCounted), ({ emissions }) => emissions);
const shareOf = (keep: (row: RegisterRow) => boolean) => emissionsOf(rows.filter(keep)) / total;
const withStatus = (status: string) => (row: RegisterRow) => row.sbti_near_term.status === status;

let cumulative = 0;
const largest = groupBy(counted, ({ id }) => id)
  .map(([id, own]) => ({ id, own, emissions: emissionsOf(own) }))
  .sort((a, b) => b.emissions - a.emissions)
  .map(({ id, own, emissions }) => {
    const [row = registerRow()] = own;
    cumulative += emissions / total;
    return {
      supplier: row.supplier,
      id,
      emissions,
      share: emissions / total,
      cumulative_share: Math.min(1, cumulative),
      spend: Object.fromEntries(
        groupBy(own, ({ currency }) => currency ?? 'unknown').map(([currency, part]) => [
          currency,
          sumOf(part, ({ spend }) => spend),
        ]),
      ),
      basis: row.basis,
      factor: row.factor,
      factor_year: row.factor_year,
      sbti_near_term: row.sbti_near_term.status,
    };
  });

/** The summary of `rows`. */
export const summary: FootprintSummary = {
  emissions: total,
  unit: 'kg',
  boundary: 'cradle-to-gate',
  upstream: {
    reading: 'additive',
    decided_by: 'records',
    additive: 41,
    nested: 1,
    neither: 2,
    undecided: 5,
  },
  rows: withSpend.length,
  covered_rows: counted.length,
  suppliers: new Set(withSpend.map(({ supplier }) => supplier)).size,
  spend: spendOf(withSpend),
  supplier_data_share: shareOf(({ basis }) => basis === 'disclosed'),
  factor_share: shareOf(({ basis }) => basis === 'factor'),
  industry_share: shareOf(({ basis }) => basis === 'industry'),
  sbti_coverage: {
    by_emissions: shareOf(withStatus('set')),
    by_spend: null,
    set: 3,
    committed: 1,
    removed: 1,
    none: 2,
    unknown: 4,
    committed_share: { by_emissions: shareOf(withStatus('committed')), by_spend: null },
    removed_share: { by_emissions: shareOf(withStatus('removed')), by_spend: null },
    evidence: { from: '2024-03-12', to: '2026-10-01' },
  },
  uncovered: { not_registered: 1, ambiguous_match: 1, in_progress: 1 },
  excluded: {
    negative_net_spend: {
      suppliers: 1,
      rows: 1,
      spend: { EUR: -8_400.4 },
      emissions: -8_400.4 * 0.5,
    },
    no_spend: { rows: 1 },
  },
  categories: groupBy(withSpend, ({ category }) => category)
    .map(([category, own]) => ({
      category,
      emissions: emissionsOf(own),
      share: emissionsOf(own) / total,
      spend: spendOf(own),
      rows: own.length,
      covered_rows: own.filter(isCounted).length,
    }))
    .sort((a, b) => b.emissions - a.emissions),
  largest,
  suppliers_for_80_percent: 1 + largest.findIndex((supplier) => supplier.cumulative_share >= 0.8),
  what_if: { suppliers: 2, by_emissions: 0.937, by_spend: null },
  year_gaps: { '0': 3, '1': 4, '3': 1, '4': 2 },
  old_factors: 3,
  matched_by: { journal: 10 },
  inconsistent_factors: 1,
  synthetic: 0,
  method: {
    version: '0.2.0',
    service: null,
    files: ['suppliers.csv', 'records.ndjson'],
    retrieved: { from: '2026-11-20T08:15:00.000Z', to: '2026-11-20T08:21:30.000Z' },
    fallback: 'industry',
    calculated_at: '2026-11-22T09:00:00.000Z',
  },
};

/** The same footprint in one currency, without a unit, on synthetic figures of the sandbox. */
export const synthetic: FootprintSummary = {
  ...summary,
  unit: null,
  synthetic: 11,
  spend: { EUR: summary.spend['EUR'] ?? { total: 0, covered: 0 } },
  sbti_coverage: {
    ...summary.sbti_coverage,
    by_spend: 0.53,
    committed_share: { by_emissions: 0.088, by_spend: 0.13 },
    removed_share: { by_emissions: 0.26, by_spend: 0.26 },
  },
  what_if: null,
  upstream: { ...summary.upstream, decided_by: 'option', reading: 'nested' },
  method: { ...summary.method, service: 'sandbox', files: ['suppliers.csv'] },
};

const hostileText = "</td><script>alert(1)</script>\u001b[31m\u202e=cmd|' /C calc'!A0";

/** Rows and a summary whose texts try to leave their place on a page, terminal or spreadsheet. */
export const hostileRows: readonly RegisterRow[] = [
  registerRow({
    supplier: hostileText,
    name: hostileText,
    id: '"><img src=x onerror=alert(1)>',
    category: '=HYPERLINK("http://evil.example")',
    currency: 'EUR',
    factor: 0.5,
    basis: 'factor',
    factor_region: hostileText,
    retrieved_at: hostileText,
    sbti_near_term: { status: hostileText, created_at: hostileText, retrieved_at: hostileText },
  }),
  registerRow({
    supplier: '@SUM(A1:A9)',
    currency: hostileText,
    uncovered: 'ambiguous_match',
    uncovered_detail: hostileText,
  }),
];

/** The summary of `hostileRows`. */
export const hostileSummary: FootprintSummary = {
  ...summary,
  spend: { [hostileText]: { total: 10, covered: 5 }, EUR: { total: 1000, covered: 1000 } },
  categories: [
    {
      category: hostileText,
      emissions: 500,
      share: 1,
      spend: { [hostileText]: { total: 10, covered: 5 } },
      rows: 2,
      covered_rows: 1,
    },
  ],
  largest: largest.slice(0, 2).map((supplier) => ({
    ...supplier,
    supplier: hostileText,
    id: hostileText,
    spend: { [hostileText]: 5 },
    sbti_near_term: hostileText,
  })),
  year_gaps: { [hostileText]: 3 },
  matched_by: { [hostileText]: 3 },
  method: {
    ...summary.method,
    service: hostileText,
    files: [hostileText],
    retrieved: { from: hostileText, to: hostileText },
  },
};
