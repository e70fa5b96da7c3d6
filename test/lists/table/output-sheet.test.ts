import { expect, it } from 'vitest';
import { outputSheet } from '../../../src/lists/table/output-sheet.ts';
import { organizationTable } from '../../../src/portfolio/organizations/tables.ts';
import { partOf, write } from '../workbook/read.ts';

/* Large amounts show no decimals, and keep all digits. */
const amounts = { from: 100, large: '#,##0', small: '#,##0.00' };

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

it('gives each number the format of its size, so that none loses its minus', async () => {
  const columns = [{ name: 'emissions', kind: 'emissions' as const }];
  const numbers = [-84.45, -6.3, 99.9, 100, -541_070.2, 0];
  const content = outputSheet({ name: 'Changes', columns, rows: numbers.map((each) => [each]) });
  const { path } = await write(content);
  const styles = await partOf(path, 'xl/styles.xml');
  const formats = [...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)];
  const formatOfId = new Map(formats.map(([, id, code]) => [id, code]));
  const [, cells = ''] = /<cellXfs[^>]*>(.*?)<\/cellXfs>/s.exec(styles) ?? [];
  const looks = [...cells.matchAll(/<xf numFmtId="(\d+)"/g)].map(([, id]) => formatOfId.get(id));
  const sheet = await partOf(path, 'xl/worksheets/sheet1.xml');
  const shown = [...sheet.matchAll(/<c r="A\d+" s="(\d+)"><v>([^<]*)</g)];
  expect(shown.map(([, style, value]) => [Number(value), looks[Number(style)]])).toEqual(
    numbers.map((each) => {
      const isSmall = each !== 0 && Math.abs(each) < 100;
      return [each, isSmall ? '#,##0.00' : '#,##0'];
    }),
  );
});

it('shows a share that rounds to nothing as texts write it, and nothing as 0.0%', async () => {
  const columns = [{ name: 'share', kind: 'share' as const }];
  const rows = [[0.000_4], [0.000_5], [0], [-0.02]];
  const { path } = await write(outputSheet({ name: 'Shares', columns, rows }));
  const [styles, sheet] = await Promise.all(
    ['xl/styles.xml', 'xl/worksheets/sheet1.xml'].map((part) => partOf(path, part)),
  );
  expect(styles).toContain('formatCode="&quot;&lt;0.1%&quot;;&quot;−0.0%&quot;"');
  const [small, ...others] = [...(sheet ?? '').matchAll(/<c r="A\d+" s="(\d+)"><v>/g)].map(
    ([, style]) => style,
  );
  expect(new Set(others).size).toBe(1);
  expect(others).not.toContain(small);
});
