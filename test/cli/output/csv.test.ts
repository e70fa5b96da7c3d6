import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Organization } from '../../../src/client/api/schema.ts';
import { organizationTable } from '../../../src/portfolio/organizations/tables.ts';
import { runs } from '../../support/seed.ts';
import { full, renderCsvHeader, renderCsvRow } from './records.ts';

const csvColumns = organizationTable.written;

function cells(record: Organization): Record<string, string> {
  const values =
    renderCsvRow(record)
      .slice(0, -2)
      .match(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? [];
  return Object.fromEntries(
    csvColumns.map(({ name }, index) => {
      const value = (values[index] ?? '').replace(/,$/, '');
      return [name, value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value];
    }),
  );
}

describe('renderCsvRow', () => {
  it('fills these columns, in this order, from a full record', () => {
    const lines = Object.entries(cells(full)).map(([name, value]) => `${name}: ${value}`);
    const shown = lines.filter((line) => !line.startsWith('emissions_'));
    expect(shown.join('\n')).toMatchInlineSnapshot(`
      "id: 104211
      name: Nordwind Logistik AG
      status: synced
      hq_region: DE
      hq_subregion: HH
      industry_id: isic-5229
      industry_name: Freight transport and logistics
      industry_mean_score: 51.4
      website: https://www.nordwind-logistik.example
      external_id: HRB 123456
      score: 63.4
      industry_score_percentile: 81
      industry_confidence: medium
      industry_rank: high
      region_rank: very_low
      related_environmental_report_status: found
      cdp_is_listed: true
      cdp_url: https://cdp.example/nordwind
      cdp_last_retrieved_at: 2025-03-03
      sbti_last_retrieved_at: 2025-03-05
      sbti_created_at: 2024-11-20
      sbti_retrieved_at: 2025-03-04
      sbti_near_term_has_target: true
      sbti_near_term_target_status: committed
      sbti_long_term_has_target: true
      sbti_long_term_target: 1.5
      sbti_long_term_year: 2045
      sbti_net_zero_has_target: true
      sbti_net_zero_target_year: 2050
      sbti_business_ambition_1_5_has_target: true
      sbti_business_ambition_1_5_joined_at: 2021-03-15
      sbti_target_detail: Nordwind commits to reduce absolute scope 1 and 2 emissions 42% by 2030 from a 2020 base year.
      un_initiatives: Global Compact; Race to Zero
      un_url: https://un.example/nordwind
      un_last_retrieved_at: 2025-02-11
      climate_pledge_signed: true
      climate_pledge_signed_at: 2020-02-18
      climate_pledge_link: https://pledge.example/nordwind
      year: 2023
      performance_region: DE
      performance_regions: 1
      revenue_currency: EUR
      revenue: 1242700000
      emission_factor: 0.000985
      industry_emission_factor: 
      industry_emission_factor_year: 
      scope_1_and_2_emission_factor: 0.0000167
      total_upstream_emission_factor: 0.000781
      scope_1: 12400
      scope_1_basis: total
      scope_2: 8310
      scope_2_method: total_market_based
      scope_1_and_2: 20710
      scope_1_and_2_method: total_market_based
      scope_3: 1204000
      scope_3_basis: total
      total: 1224710
      total_basis: total
      scope_3_categories: 9
      matching_organization_id: 88
      matching_organization_name: Nordwind Logistik Group
      matching_organization_names: Nordwind Spedition; Northwind Logistics
      matching_organization_websites: nordwind-logistik.example; nordwind.example
      matching_organization_hq_region: DE
      matching_organization_hq_subregion: HH
      matching_organization_industry_id: 5229
      matching_organization_industry_name: Freight forwarding
      matching_organization_link: https://data.example/organizations/88
      matching_organization_tickers: XETR:NWL; XSWX:NWLZ
      sources_count: 2
      synthetic: "
    `);
    const names = csvColumns.map(({ name }) => name);
    expect(renderCsvHeader()).toBe(`${names.join(',')}\r\n`);
    expect(new Set(names).size).toBe(names.length);
    for (const { description } of csvColumns) expect(description).toMatch(/^[A-Z][^|\n]+[^.]$/);
  });

  it('fills each column of emissions from the field that it names', () => {
    const emissions = full.performances?.[1]?.emissions as Record<string, unknown>;
    const columns = Object.entries(cells(full)).filter(([name]) => name.startsWith('emissions_'));
    expect(columns).toHaveLength(36);
    for (const [column, value] of columns) {
      const [, scope, field = ''] =
        /^emissions_(?:(scope_1_and_2|scope_[123])_)?(\w+)$/.exec(column) ?? [];
      const of = (scope === undefined ? emissions : emissions[scope]) as Record<string, unknown>;
      expect(value, column).toBe(String(of[field] ?? ''));
    }
  });

  it('has empty cells for an empty record', () => {
    expect(renderCsvRow({})).toBe(`${','.repeat(csvColumns.length - 1)}\r\n`);
  });

  it('distinguishes no SBTi target from no SBTi data, as the report does', () => {
    const fields = [
      ...['near_term_has_target', 'near_term_target_status', 'long_term_has_target'],
      ...['net_zero_has_target', 'business_ambition_1_5_has_target'],
    ];
    const sbti = (given: Organization['sbti']) => {
      const row = cells({ sbti: given });
      return fields.map((field) => row[`sbti_${field}`]);
    };
    expect(sbti(undefined)).toEqual(['', '', '', '', '']);
    expect(sbti({ data: null })).toEqual(['', '', '', '', '']);
    expect(sbti({ data: [] })).toEqual(['false', 'none', 'false', 'false', 'false']);
    const listed = { near_term: { has_target: false, target_status: 'none' } };
    expect(sbti({ data: [listed] })).toEqual(['false', 'none', '', '', '']);
  });

  describe('formulas', () => {
    it.each(['Acme', 'a=b', '3M', "'s-Hertogenbosch", 'Acme, -B'])(
      'does not guard the text %j',
      (name) => expect(cells({ id: -5, name })).toMatchObject({ id: '-5', name }),
    );

    it('guards and quotes text that a spreadsheet may split at another delimiter', () => {
      expect(renderCsvRow({ id: 12, name: 'Acme;=HYPERLINK("http://x")' })).toMatch(
        /^12,"Acme;'=HYPERLINK\(""http:\/\/x""\)",/,
      );
    });

    it('starts no formula, whichever delimiter splits the line', {
      tags: ['property'],
    }, () => {
      const name = fc.string({
        unit: fc.constantFrom(...'a=+-@",;|\t\r ＝＋－＠'),
      });
      fc.assert(
        fc.property(name, fc.constantFrom(',', ';', '\t', '|'), (name, delimiter) => {
          const line = renderCsvRow({ id: -5, name, score: -0.5 });
          // A reader that splits at another delimiter does not see the quotes.
          const found =
            delimiter === ',' ? (parse(line) as string[][]).flat() : line.split(delimiter);
          const numbers = /^-5(?:,|$)|^-50$/;
          const formula = delimiter === ',' ? /^\s*[=+\-@＝＋－＠]/u : /^[\s"]*[=+\-@＝＋－＠]/u;
          for (const cell of found) if (!numbers.test(cell)) expect(cell).not.toMatch(formula);
        }),
        { numRuns: runs(1_000) },
      );
    });
  });

  it('keeps quotes, commas and line breaks within their cell and line', () => {
    expect(renderCsvRow({ name: 'A "B", C\r\nD\u001b[0m' })).toMatch(/^,"A ""B"", C D\ufffd\[0m",/);
  });
});
