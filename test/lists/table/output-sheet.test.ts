import { expect, it } from 'vitest';
import { outputSheet } from '../../../src/lists/table/output-sheet.ts';
import { organizationTable } from '../../../src/portfolio/organizations/tables.ts';

/* Large amounts show no decimals, and keep all digits. */
const amounts = '[>=100]#,##0;[<=-100]-#,##0;#,##0.00';

const formatsOf = (columns: Parameters<typeof outputSheet>[0]['columns']) =>
  Object.fromEntries(
    outputSheet({ name: '', columns, rows: [] }).columns.map(({ header, format }) => [
      header,
      format,
    ]),
  );

it('formats the columns of records by what they are', () => {
  expect(formatsOf(organizationTable.columns)).toMatchObject({
    id: undefined,
    year: '0',
    score: '0.0',
    industry_score_percentile: '0',
    revenue: amounts,
    revenue_currency: undefined,
    emission_factor: undefined,
    industry_emission_factor_year: '0',
    scope_1: amounts,
    scope_1_basis: undefined,
    scope_3_categories: '#,##0',
    total: amounts,
    emissions_scope_3_total: amounts,
    sbti_net_zero_target_year: '0',
  });
});

it.each(['share', 'market_share', 'spend_id', 'revenue', 'score', 'year', 'emissions', 'total'])(
  "does not format the user's own column %s",
  async (name) => {
    const texts = ['2024-01-01', '25%'];
    const table = outputSheet({
      name: '',
      columns: [{ name }],
      rows: [[700_123], ...texts.map((text) => [text])],
    });
    expect(table.columns.map(({ format }) => format)).toEqual([undefined]);
    const cells: unknown[] = [];
    for await (const row of table.rows) cells.push(...row);
    expect(cells).toEqual([700_123, ...texts]);
  },
);

it('has dates only in columns of dates', async () => {
  const columns = [{ name: 'created_at' }, { name: 'retrieved_at', kind: 'date' as const }];
  const row = ['2024-01-01', '2024-01-01'];
  const cells: unknown[] = [];
  for await (const written of outputSheet({ name: '', columns, rows: [row] }).rows)
    cells.push(...written);
  expect(cells).toEqual(['2024-01-01', expect.any(Date)]);
});
