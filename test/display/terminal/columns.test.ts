import { describe, expect, it } from 'vitest';
import { renderFrame } from '../../../src/display/terminal/columns.ts';
import { plainStyle } from '../../../src/display/terminal/style.ts';

const columns = [
  { title: 'Name', wraps: true },
  { title: 'Year' },
  { title: 'Total', align: 'right' },
] as const;
const rows = [
  ['Nordwind Logistik', '2024', '1,200'],
  ['Acme', '', '7'],
];
const render = (maxColumns?: number) => renderFrame(columns, rows, plainStyle, maxColumns);

describe('renderFrame', () => {
  it('makes each column as wide as its widest cell', () => {
    expect(render()).toEqual([
      'Name               Year  Total',
      '─────────────────  ────  ─────',
      'Nordwind Logistik  2024  1,200',
      'Acme                         7',
    ]);
  });

  it('wraps text between words when the table is too wide', () => {
    expect(render(24).slice(2)).toEqual([
      'Nordwind     2024  1,200',
      'Logistik',
      'Acme                   7',
    ]);
  });

  it('lists the cells of each row when wrapping is not enough', () => {
    expect(render(18)).toEqual([
      'Nordwind Logistik',
      '  Year   2024',
      '  Total  1,200',
      'Acme',
      '  Total  7',
    ]);
  });
});
