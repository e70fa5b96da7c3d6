import { expect, it } from 'vitest';
import { type KindName, kinds } from '../../../src/display/query/kinds.ts';
import { outputSheet } from '../../../src/lists/table/output-sheet.ts';
import { organizationTable } from '../../../src/portfolio/organizations/tables.ts';
import { partOf, write } from '../workbook/read.ts';

/* Large amounts show no decimals, and keep all digits. */
const {
  amount: { cellFormat: amounts },
} = kinds;

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
    emission_factor: { from: 0.001, large: '#,##0.0000', small: '0.00000000' },
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

/* Writes a column, and returns each of its numbers with its format. */
async function writtenFormats(kind: KindName, numbers: readonly number[]) {
  const columns = [{ name: 'emissions', kind }];
  const content = outputSheet({ name: 'Changes', columns, rows: numbers.map((each) => [each]) });
  const { path } = await write(content);
  const styles = await partOf(path, 'xl/styles.xml');
  const formats = [...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)];
  const formatOfId = new Map(
    formats.map(([, id, code = '']) => [
      id,
      code.replaceAll('&quot;', '"').replaceAll('&lt;', '<'),
    ]),
  );
  const [, cells = ''] = /<cellXfs[^>]*>(.*?)<\/cellXfs>/s.exec(styles) ?? [];
  const looks = [...cells.matchAll(/<xf numFmtId="(\d+)"/g)].map(([, id]) => formatOfId.get(id));
  const sheet = await partOf(path, 'xl/worksheets/sheet1.xml');
  const shown = [...sheet.matchAll(/<c r="A\d+" s="(\d+)"><v>([^<]*)</g)];
  return shown.map(([, style, value]) => [Number(value), looks[Number(style)]]);
}

it('gives the numbers of a column the same decimals, and none next to large ones', async () => {
  expect(await writtenFormats('emissions', [-541_070.2, -84.45, 6.3, -0.2, 0])).toEqual([
    [-541_070.2, '#,##0'],
    [-84.45, '#,##0'],
    [6.3, '#,##0'],
    [-0.2, '"<1";"−0"'],
    [0, '#,##0'],
  ]);
  expect(await writtenFormats('emissions', [1_419.2, 6.65])).toEqual([
    [1_419.2, '#,##0.0'],
    [6.65, '#,##0.0'],
  ]);
  expect(await writtenFormats('emissions', [84.45, 6.3])).toEqual([
    [84.45, '#,##0.00'],
    [6.3, '#,##0.00'],
  ]);
});

it('gives changes their sign', async () => {
  expect(await writtenFormats('emissions_change', [541_070.2, -28.3, 0.2])).toEqual([
    [541_070.2, '+#,##0;"−"#,##0;0'],
    [-28.3, '+#,##0;"−"#,##0;0'],
    [0.2, '"+<1";"−0"'],
  ]);
  expect(await writtenFormats('share_change', [0.096, -0.000_2])).toEqual([
    [0.096, '+0.0%;"−"0.0%;0.0%'],
    [-0.000_2, '+0.00%;"−"0.00%'],
  ]);
});
