import { expect, it } from 'vitest';
import { plainStyle } from '../../../../src/display/terminal/style.ts';
import type { Comparison } from '../../../../src/portfolio/footprint/compare.ts';
import { bridgeSummary, renderBridge } from '../../../../src/portfolio/footprint/views/bridge.ts';
import { usual } from './fixture.ts';

const step = { effects: [], rows: [], sameFigures: 0 };
const comparison: Comparison = {
  steps: [
    { ...step, step: 'restated', before: 900, after: 708, together: -192 },
    { ...step, step: 'years', before: 708, after: 354, together: -354 },
  ],
  before: 2023,
  after: 2024,
  since: '2025-03-31',
  isSaved: false,
  notes: [],
};

it.each([
  ['t', '708 t', '354 t'],
  [null, '708', '354'],
] as const)('bridgeSummary states amounts in the unit %s', (unit, restated, later) => {
  const { statements } = bridgeSummary(comparison, { ...usual.summary, unit });
  expect(statements).toEqual([
    `With today's records, the footprint of 2023 is ${restated} instead of 900 (−21.3%).`,
    `The footprint of 2024 is ${later}, that of 2023 was 708 (−50.0%).`,
  ]);
});

it('renderBridge draws the totals, the largest with the longest bar', async () => {
  const view = { style: plainStyle, columns: 80, pictures: true };
  const text = await renderBridge(comparison, usual.summary, view);
  const [head = ''] = text.split('\n\nWhy');
  expect(`\n${head}\n`).toMatchInlineSnapshot(`
    "
    Footprint of 2024 compared with 2023 · cradle-to-gate · emissions in kg
    records without dates
      With today's records, the footprint of 2023 is 708 kg instead of 900 (−21.3%).
      The footprint of 2024 is 354 kg, that of 2023 was 708 (−50.0%).

      Footprint                     Total                        Change
      ────────────────────────────  ─────  ────────────────────  ──────  ────────
      2023, records of 31 Mar 2025    900  ████████████████████       –  –
      2023, records of today          708  ███████████████▊      −21.3%  restated
      2024, records of today          354  ███████▉              −50.0%  –
    "
  `);
});
