import { describe, expect, it } from 'vitest';
import { kinds } from '../../../../src/display/query/kinds.ts';
import { footprintSheets } from '../../../../src/portfolio/footprint/views/workbook.ts';
import { footprint, own, record } from '../portfolio.ts';

const sheets = ({ summary }: ReturnType<typeof footprint>) => footprintSheets(summary);

/* Returns the rows of the sheet of categories, by header. */
async function categoriesOf(result: ReturnType<typeof footprint>) {
  const sheet = sheets(result).find(({ name }) => name === 'Categories');
  const headers = sheet?.columns.map(({ header }) => header) ?? [];
  const rows: Record<string, unknown>[] = [];
  for await (const row of sheet?.rows ?? [])
    rows.push(Object.fromEntries(headers.map((header, index) => [header, row[index] ?? null])));
  return rows;
}

const buy = (id: number, category: string, spend: string) => ({ id, category, spend });

/* Large amounts show no decimals, and keep all digits. */
const {
  amount: { cellFormat: amounts },
} = kinds;

const shares = { from: 0.000_5, large: '0.0%', small: '"<0.1%";"−0.0%"' };

describe('the sheet of categories', () => {
  it('has supplier data as a range', async () => {
    const records = [record(1, [own(2024, [50, 50, 900])]), record(2, [own(2024, [50, 50, 100])])];
    const result = footprint([buy(1, 'Steel', '10'), buy(2, 'IT', '10')], records);
    const rows = await categoriesOf(result);
    expect(rows).toMatchObject([
      { Category: 'Steel', 'From own records, at least': 0.1, 'From own records, at most': 1 },
      { Category: 'IT', 'From own records, at least': 0.5, 'From own records, at most': 1 },
    ]);
    expect(Object.keys(rows[0] ?? {})).not.toContain('Supplier data');
    const { columns = [] } = sheets(result).find(({ name }) => name === 'Categories') ?? {};
    const formats = columns.filter(({ header }) => /Share|own records/.test(String(header)));
    expect(formats.map(({ format }) => format)).toEqual([shares, shares, shares]);
  });

  it('has numbers of line items without decimals, and amounts with them', () => {
    const result = footprint([buy(1, 'Steel', '10')], [record(1, [own(2024, [50, 50, 900])])]);
    const { columns = [] } = sheets(result).find(({ name }) => name === 'Categories') ?? {};
    const formats = Object.fromEntries(columns.map(({ header, format }) => [header, format]));
    expect(formats).toMatchObject({
      Emissions: amounts,
      'Spend EUR': amounts,
      'Line items': '#,##0',
      'Line items with emissions': '#,##0',
    });
  });

  it('has no share if a category is negative, and no line item has one above 1', async () => {
    const records = [record(1, [own(2024, [50, 50, 900])])];
    const result = footprint([buy(1, 'Steel', '100'), buy(1, 'IT', '-25')], records);
    const rows = await categoriesOf(result);
    expect(rows).toMatchObject([
      { Category: 'Steel', Emissions: 100 },
      { Category: 'IT', Emissions: -25 },
    ]);
    expect(rows.every((row) => !('Share' in row))).toBe(true);
    expect(result.items.map(({ share }) => share)).toEqual([null, -25 / 75]);
    expect(result.summary.largest).toMatchObject([{ emissions: 75, share: 1 }]);
  });
});
