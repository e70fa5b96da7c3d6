import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatDecimal } from '../../../../src/portfolio/footprint/decimal.ts';
import {
  openSpendFile,
  type SpendOptions,
} from '../../../../src/portfolio/footprint/spend/spend-file.ts';
import { workbook } from '../../../lists/workbook/archives.ts';
import { newFolder } from '../../../support/run.ts';

const { signal } = new AbortController();
const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;

/* Reads a sheet with these amounts: a number is a typed cell, a string a text cell. */
async function amounts(
  cells: readonly (number | string)[],
  options: SpendOptions = {},
): Promise<string[]> {
  const rows = cells.map(
    (cell, index) =>
      `<row>${text(`Supplier ${index}`)}${typeof cell === 'number' ? `<c><v>${cell}</v></c>` : text(cell)}</row>`,
  );
  const path = join(newFolder(), 'spend.xlsx');
  const header = `<row>${text('Supplier')}${text('Spend (EUR)')}</row>`;
  writeFileSync(path, await workbook(header + rows.join('')));
  const file = await openSpendFile({ path, name: path, signal }, options);
  const read: string[] = [];
  for await (const group of file.rows())
    read.push(...group.map(({ spend }) => formatDecimal(spend)));
  return read;
}

describe('amounts of a workbook', () => {
  it('are clear with three decimal places, because the cells are numbers', async () => {
    expect(await amounts([12.345, 1.234, -0.5])).toEqual(['12.345', '1.234', '-0.5']);
  });

  it('are read as stored beside text with decimal commas', async () => {
    expect(await amounts([1234.5, '1.234,50', 12.345])).toEqual(['1234.5', '1234.5', '12.345']);
  });

  it('need --decimal if only text with three digits after the sign decides', async () => {
    await expect(amounts([1234.5, '1.234'])).rejects.toThrow('no other cell shows which');
  });
});
