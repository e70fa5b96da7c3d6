import { renderTabbed } from '../../../src/cli/output/print-rows.ts';
import { renderTable } from '../../../src/cli/output/table.ts';
import { readRecord } from '../../../src/client/api/read-record.ts';
import type { Organization } from '../../../src/client/api/schema.ts';
import { shownFields } from '../../../src/client/api/shown-fields.ts';
import { kindOf } from '../../../src/display/query/kinds.ts';
import type { RecordView } from '../../../src/display/terminal/style.ts';
import { renderCsvLine } from '../../../src/lists/table/output-cell.ts';
import { organizationTable } from '../../../src/portfolio/organizations/tables.ts';

export function renderCsvHeader(): string {
  return renderCsvLine(organizationTable.written.map(({ name }) => name));
}

export function renderCsvRow(record: Organization): string {
  const { rows, written } = organizationTable;
  return rows(record)
    .map((row) => renderCsvLine(written.map(({ value }) => value(row))))
    .join('');
}

/** Renders records as the usual table of a terminal. */
export function renderOrganizations(records: readonly Organization[], view: RecordView): string {
  const rows = records.flatMap(organizationTable.rows);
  return renderTable(organizationTable.terminal, rows, view, { isUsual: true });
}

/** Renders a record as a line of a pipe. */
export function organizationLine(record: Organization): string {
  const [row] = organizationTable.rows(record);
  return row === undefined ? '' : renderTabbed(organizationTable.pipe, row);
}

/* Adds a value to each field that the schema declares for `get` and that the record lacks. */
function withShown(record: Record<string, unknown> & { performances: object[] }): object {
  for (const { path, section, kind } of shownFields) {
    const [year = {}] = record.performances.slice(1);
    let at = section === 'years' ? (year as Record<string, unknown>) : record;
    for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
    const { type } = kindOf(kind);
    at[path.at(-1) ?? ''] ??= {
      number: 1,
      boolean: true,
      date: '2025-03-03',
      rank: 'low',
      text: kind,
    }[type];
  }
  return record;
}

/** A fictional company with complete data. */
export const full = readRecord(
  withShown({
    id: 104211,
    name: 'Nordwind Logistik AG',
    hq_region: 'DE',
    hq_subregion: 'HH',
    industry: {
      id: 'isic-5229',
      name: 'Freight transport and logistics',
      mean_score: 0.514,
      performances: [{}],
    },
    website: 'https://www.nordwind-logistik.example',
    external_id: 'HRB 123456',
    status: 'synced',
    matching_organization: {
      id: 88,
      link: 'https://data.example/organizations/88',
      name: 'Nordwind Logistik Group',
      names: [{ value: 'Nordwind Spedition' }, { value: 'Northwind Logistics' }],
      websites: [{ value: 'nordwind-logistik.example' }, { value: 'nordwind.example' }],
      hq_region: 'DE',
      hq_subregion: 'HH',
      industry: { id: 5229, name: 'Freight forwarding' },
      tickers: [
        { exchange: 'XETR', symbol: 'NWL' },
        { exchange: 'XSWX', symbol: 'NWLZ' },
      ],
    },
    performances: [
      {
        year: 2022,
        region: 'DE',
        revenue_currency: 'EUR',
        revenue: 1_180_400_000,
        emission_factor: 0.001128,
        total_upstream_emission_factor: 0.000902,
        emissions: {
          scope_1: { total: 13_120, sum: 13_120 },
          scope_2: { total_market_based: 8_904.25 },
          scope_3: { sum: 1_309_500 },
          sum: 1_331_524.25,
        },
      },
      {
        year: 2023,
        region: 'DE',
        revenue_currency: 'EUR',
        revenue: 1_242_700_000,
        emission_factor: 0.000985,
        scope_1_and_2_emission_factor: 0.0000167,
        total_upstream_emission_factor: 0.000781,
        production_emission_factors: {},
        documents: [],
        emissions: {
          scope_1: {
            total: 12_400,
            stationary_combustion: 2_150.5,
            mobile_combustion: 9_800,
            fugitive_emissions: 62.25,
            process_emissions: 0,
            sum: 12_012.75,
          },
          scope_2: {
            total: 8_310,
            purchased_electricity: 7_020,
            purchased_steam: 0,
            purchased_heat: 1_104,
            purchased_cooling: 186,
            total_location_based: 9_455,
            total_market_based: 8_310,
            sum: 8_310,
          },
          scope_1_and_2: {
            total: 20_710,
            total_location_based: 21_855,
            total_market_based: 20_710,
          },
          scope_3: {
            total: 1_204_000,
            sum: 1_203_900,
            purchased_goods_and_services: 291_000,
            capital_goods: 18_400,
            fuel_and_energy_related_activities: 3_900,
            upstream_transportation_and_distribution: 812_000,
            waste_generated_in_operations: 410,
            business_travel: 2_350,
            employee_commute: 5_840,
            downstream_transportation_and_distribution: 64_200,
            investments: 5_800,
          },
          total: 1_224_710,
          sum: 1_224_222.75,
        },
      },
      {
        year: 2021,
        region: 'DE',
        revenue_currency: 'EUR',
        emissions: { scope_1: { total: 14_005 } },
      },
    ],
    sources: [
      {
        url: 'https://www.nordwind-logistik.example/sustainability-2023.pdf',
        mirror_url: 'https://mirror.example/a1',
      },
      { url: 'https://www.nordwind-logistik.example/annual-report-2022.pdf', mirror_url: null },
    ],
    score: 0.634,
    industry_score_percentile: 81,
    industry_confidence: 'medium',
    industry_rank: 'high',
    region_rank: 'very_low',
    related_environmental_report_status: 'found',
    cdp: { last_retrieved_at: '2025-03-03', is_listed: true, url: 'https://cdp.example/nordwind' },
    sbti: {
      last_retrieved_at: '2025-03-05',
      data: [
        { created_at: '2021-06-01', near_term: { has_target: false } },
        {
          created_at: '2024-11-20',
          retrieved_at: '2025-03-04',
          near_term: { has_target: true, target_status: 'committed' },
          long_term: { has_target: true, target: '1.5', year: 2045 },
          net_zero: { has_target: true, target_year: 2050 },
          business_ambition_1_5: { has_target: true, joined_at: '2021-03-15' },
          target_detail:
            'Nordwind commits to reduce absolute scope 1 and 2 emissions 42% by 2030 from a 2020 base year.',
        },
      ],
    },
    un: {
      last_retrieved_at: '2025-02-11',
      url: 'https://un.example/nordwind',
      initiatives: [
        { name: 'Global Compact', slug: 'global-compact' },
        { name: 'Race to Zero', slug: 'race-to-zero' },
      ],
    },
    climate_pledge: {
      signed: true,
      signed_at: '2020-02-18',
      link: 'https://pledge.example/nordwind',
    },
  }),
).record;

/** A small company with little data. */
export const sparse = readRecord({
  id: 7,
  name: 'Bäckerei Öztürk & Söhne GbR',
  hq_region: 'AT',
  status: 'synced',
  score: 0.28,
  industry: { name: 'Bakeries', mean_score: null },
  cdp: { is_listed: false, last_retrieved_at: '2025-03-03' },
  climate_pledge: null,
  performances: [],
}).record;

/** A company that was just registered. */
export const researching = readRecord({
  id: 104212,
  name: 'Halcyon Paper plc',
  hq_region: 'GB',
  status: 'researching',
}).record;

/** A company whose research failed. */
export const errored = readRecord({
  id: 104213,
  name: 'Société Générale des Ciments du Sahel',
  hq_region: 'SN',
  status: 'errored',
  industry: { id: '2394', name: 'Cement' },
  performances: [
    { year: 2020, emissions: { scope_1_and_2: { total_location_based: 512_000 }, sum: 512_000 } },
  ],
}).record;
