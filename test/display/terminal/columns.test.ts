import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderFrame } from '../../../src/display/terminal/columns.ts';
import { sanitize } from '../../../src/display/terminal/sanitize.ts';
import { plainStyle } from '../../../src/display/terminal/style.ts';
import { width } from '../../../src/display/terminal/text.ts';
import { anyCharacter } from '../../support/seed.ts';

const columns = [
  { title: 'Name', wraps: true },
  { title: 'Year' },
  { title: 'Total', align: 'right' },
] as const;
const rows = [
  ['Nordwind Logistik', '2024', '1,200'],
  ['Acme', '', '7'],
];
const render = (maxColumns?: number) => renderFrame(columns, rows, plainStyle, maxColumns).lines;

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

  it('wraps a name rather than cutting it below 20 columns next to a cell that wraps', () => {
    const some = [{ title: 'Name', cutsTo: 8 }, { title: 'Year' }, { title: 'Why', wraps: true }];
    const cells = [['Ziegelei Brandt KG', '2019', 'emission factor differs']];
    expect(renderFrame(some, cells, plainStyle, 27).lines.slice(2)).toEqual([
      'Ziegelei     2019  emission',
      'Brandt KG          factor',
      '                   differs',
    ]);
  });

  it('aligns names in any script, and cuts them between characters', () => {
    const names = [
      'Nordic Steel SE',
      'สำนักงานทรัพย์สินส่วนพระมหากษัตริย์',
      'टाटा मोटर्स लिमिटेड इंडिया',
      'שטראוס גרופ בע"מ',
      'شركة أرامكو السعودية',
      '株式会社トヨタ自動車製造',
      '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧',
    ];
    const named = [
      { title: 'Name', cutsTo: 8 },
      { title: 'Total', align: 'right' },
    ] as const;
    const { lines } = renderFrame(
      named,
      names.map((name) => [name, '1,200']),
      plainStyle,
      27,
    );
    expect(lines).toMatchInlineSnapshot(`
      [
        "Name                  Total",
        "────────────────────  ─────",
        "Nordic Steel SE       1,200",
        "สำนักงานทรัพย์สินส่วนพระ…  1,200",
        "टाटा मोटर्स लिमिटेड इं…  1,200",
        "שטראוס גרופ בע"מ      1,200",
        "شركة أرامكو السعودية  1,200",
        "株式会社トヨタ自動…   1,200",
        "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧…   1,200",
      ]
    `);
    for (const line of lines.slice(2)) expect(width(line)).toBe(27);
  });

  it('prints each cell in its column whatever the number of rows', { tags: ['property'] }, () => {
    const name = fc
      .oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme' }))
      .map((text) => sanitize(text).trim());
    const table = fc.array(name, { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(table, fc.integer({ min: 8, max: 40 }), (names, room) => {
        const named = [
          { title: 'N', cutsTo: 1 },
          { title: 'End', align: 'right' },
        ] as const;
        const lines = renderFrame(
          named,
          names.map((text, index) => [text, String(100 + index)]),
          plainStyle,
          room,
        ).lines.slice(2);
        expect(lines.map((line) => line.slice(-3))).toEqual(
          names.map((_, index) => String(100 + index)),
        );
        const size = Math.max(...lines.map(width));
        expect(size).toBeLessThanOrEqual(room);
        for (const line of lines) expect(width(line)).toBe(size);
        for (const [index, text] of names.entries()) {
          const cell = lines[index]?.slice(0, -5).trimEnd() ?? '';
          if (cell !== text) expect(text.startsWith(cell.replace(/…$/, ''))).toBe(true);
        }
      }),
    );
  });
});
