import { expect, it } from 'vitest';
import { plainStyle } from '../../../../src/display/terminal/style.ts';
import { bridge } from '../../../../src/portfolio/footprint/bridge.ts';
import { comparisonAsks } from '../../../../src/portfolio/footprint/bridge-asks.ts';
import type { Comparison } from '../../../../src/portfolio/footprint/compare.ts';
import {
  bridgeSheets,
  bridgeSummary,
  comparedRows,
  renderBridge,
  renderPlainBridge,
} from '../../../../src/portfolio/footprint/views/bridge.ts';
import { renderBridgePage } from '../../../../src/portfolio/footprint/views/bridge-page.ts';
import { headingsOf, linesOf } from '../../../support/markup.ts';
import { screenText } from '../../../support/screen.ts';
import { usual } from './fixture.ts';

const noContact = () => undefined;
const sure =
  'How sure: When quoting, say how much is estimated: 5% of the emissions of 2024 are from industry averages.';
const step = {
  effects: [],
  rows: [],
  sameFigures: 0,
  spend_before: {},
  spend_after: {},
  bought_before: {},
  bought_after: {},
};
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

/* Of the spend and emissions of the footprint, whatever the unit of the test. */
const setting = (unit: string) =>
  `The unit is a setting (--unit ${unit}), because the records have none: it makes 0.71 kg per EUR and 3 kg per USD of spend (plausible: at most 10; cement has about 4 kg per USD)`;

it.each([
  ['t', ' t'],
  [null, ''],
] as const)('bridgeSummary states every amount in the unit %s', (unit, after) => {
  expect(linesOf(bridgeSummary(comparison, { ...usual.summary, unit }))).toEqual([
    `With today's records, the footprint of 2023 is 708${after} instead of 900${after} (−21.3%).`,
    `Trend: The footprint of 2024 is 354${after}, −50.0% since 2023 (708${after}).`,
    ...(unit === null
      ? [
          "How sure: Quote no amount before its unit is known: compare one with the company's own report, then add --unit.",
          sure.replace('How sure: ', ''),
        ]
      : [sure, `${setting(unit)}.`]),
  ]);
});

it('bridgeSummary says that the only supplier has no own figures', () => {
  const side = {
    ...{ spend: 1, coveredSpend: 1, emissions: 1, hasEmissions: true, source: null },
    ...{ uncovered: null, figures: undefined, lack: null },
  };
  const row = {
    ...{ id: 1, name: 'A', currency: 'EUR', before: side, after: side, effects: { spend: 1 } },
    ...{ reason: null, usesSameFigures: false, synthetic: false },
  };
  const effect = { effect: 'spend' as const, emissions: 1, share: 0.5, suppliers: 1, reasons: [] };
  const years = { ...step, step: 'years' as const, before: 2, after: 3, together: 1 };
  const steps = [{ ...years, effects: [effect], rows: [row] }];
  expect(linesOf(bridgeSummary({ ...comparison, steps }, usual.summary))).toContainEqual(
    expect.stringMatching(
      /^(?:How sure: )?No supplier's own emissions can be compared: the only supplier has no own figures of both years\.$/,
    ),
  );
});

it('bridgeSummary says of amounts that look equal that they still are', () => {
  const [first, second] = comparison.steps.map((step) => ({
    ...step,
    before: 26_612_345,
    after: 26_615_000,
    together: 2_655,
  }));
  const steps = [first, second].flatMap((step) => step ?? []);
  expect(linesOf(bridgeSummary({ ...comparison, steps }, { ...usual.summary, unit: 't' }))).toEqual(
    [
      "With today's records, the footprint of 2023 is still 26.6 million t (+0.01%).",
      'Trend: The footprint of 2024 is 26.6 million t, +0.01% since 2023 (26.6 million t).',
      sure,
      `${setting('t')}.`,
    ],
  );
});

const bought = usual.items.map((item) => ({ ...item, group: null }));
const of2024 = bought.slice(0, 2);
const uncovered = bought.filter(({ uncovered: why }) => why !== null).slice(0, 1);

it('says in one line that nothing was restated, without a table', async () => {
  const same = bridge('restated', of2024, of2024);
  const later = bridge('years', of2024, of2024.slice(0, 1));
  const both = { ...comparison, steps: [same, later] };
  const { summary } = usual;
  const text = renderPlainBridge(both, summary);
  expect(text.match(/^statement: .*$/gm)).toEqual([
    expect.stringMatching(/^statement: The footprint of 2024 is /),
    expect.stringMatching(
      /^statement: Trend: −[\d.]+%, none of it from data changes \(of method, data or coverage\)\.$/,
    ),
    'statement: Trend: Restated: no change in the footprint of 2023.',
    expect.stringMatching(
      /^statement: Why: −[\d.]+ percentage points from your spend \(EUR .*\)\.$/,
    ),
    expect.stringMatching(/^statement: Who: Largest changes: .* \(left\)\.$/),
    expect.stringMatching(/^statement: Who: Largest supplier of 2024: /),
    `statement: ${sure}`,
    "statement: How sure: No supplier's own emissions can be compared: none of 2 suppliers has own figures of both years.",
    `statement: How sure: ${setting('kg')}.`,
  ]);
  expect(text).not.toContain('restated All changes');
  expect(text).toContain('change All changes');
  expect(bridgeSheets(both, summary, noContact).map(({ name }) => name)).toEqual([
    'Totals',
    'What changed from 2023 to 2024',
  ]);
  const page = renderBridgePage(both, summary);
  expect(headingsOf(page).join()).not.toContain('Why 2023 was restated');
  expect(page).toContain('<title>The footprint of 2024 is ');
  const alone = { ...comparison, after: null, steps: [same] };
  expect(renderPlainBridge(alone, summary)).toMatch(
    /^statement: With today's records, the footprint of 2023 is the same: .*\.\n/,
  );
  expect(renderBridgePage(alone, summary)).toMatch(/<title>With .* is the same: /);
});

it('says how many suppliers no effect counts, because they have no emissions', () => {
  const joined = bridge('years', of2024, [...of2024, ...uncovered]);
  const years = (step: typeof joined) =>
    renderPlainBridge({ ...comparison, steps: [step] }, usual.summary);
  expect(years(joined)).toMatch(
    /^note: 1 new supplier with unknown emissions is not counted \(株式会社東京精密部品製作所\)$/m,
  );
  const left = bridge('years', [...of2024, ...uncovered], of2024);
  expect(years(left)).toMatch(
    /^note: 1 supplier that left with unknown emissions is not counted \(株式会社東京精密部品製作所\)$/m,
  );
  const more = ['A', 'B', 'C', 'D'].flatMap((name, at) =>
    uncovered.map((each) => ({ ...each, supplier: name, id: 100 + at })),
  );
  expect(years(bridge('years', of2024, [...of2024, ...more]))).toMatch(
    /^note: 4 new suppliers with unknown emissions are not counted \(A, B, C and 1 more\)$/m,
  );
  expect(years(bridge('years', of2024, of2024))).not.toContain('not counted');
});

it('renderBridgePage shows the cause of each large change, and no note about other tables', () => {
  const summary = { ...usual.summary, years: [...usual.summary.years, ...usual.summary.years] };
  const before = of2024.map((item) => {
    return { ...item, basis: 'industry' as const, factor: 9, emissions: 9 * item.spend };
  });
  const step = bridge('years', before.slice(0, 1), of2024);
  const page = renderBridgePage({ ...comparison, steps: [step] }, summary);
  expect(page).toMatch(/<td class="text">New suppliers · your spend: EUR 0 → \d/);
  expect(page).toMatch(/<td class="text">Method and data: industry → own · your spend: EUR \d/);
  expect(page).not.toContain('Categories, suppliers and targets');
});

it('renderBridge draws the totals, the largest with the longest bar', async () => {
  const view = { style: plainStyle, columns: 80, pictures: true };
  const text = await screenText(renderBridge(comparison, usual.summary, view));
  const [head = ''] = text.split('\n\nWhy');
  expect(`\n${head}\n`).toMatchInlineSnapshot(`
    "
    With today's records, the footprint of 2023 is 708 kg instead of 900 kg
    (−21.3%).
      Footprint of 2024 compared with 2023
      own figures and the service's factors: cradle-to-gate; industry averages:
        boundary unknown · emissions in kg (by --unit), unknown whether CO2 or CO2e
      records without dates
      own figures of 2023; the service's factors of 2024; industry averages of
        2024 · SBTi targets play no part
      Trend: The footprint of 2024 is 354 kg, −50.0% since 2023 (708 kg).
      How sure: When quoting, say how much is estimated: 5% of the emissions of
        2024 are from industry averages.
        The unit is a setting (--unit kg), because the records have none: it makes
        0.71 kg per EUR and 3 kg per USD of spend (plausible: at most 10; cement has
        about 4 kg per USD).

      Footprint                        Total                        Change
      ───────────────────────────────  ─────  ────────────────────  ──────  ────────
      2023, records as of 31 Mar 2025    900  ████████████████████       –  –
      2023, records of 1 Jan 2026        708  ███████████████▊      −21.3%  restated
      2024, records of 1 Jan 2026        354  ███████▉              −50.0%  –
    "
  `);
});

it('the page and the workbook have the coverage and the origin of both years', () => {
  const { summary } = usual;
  const [later] = summary.years;
  if (later === undefined) throw new Error('The footprint has no year.');
  const spend = { EUR: { total: 100, covered: 25 } };
  const bases = { own: 1, service: 0, industry: 3 };
  const range = { supplier_data_share: { from: 0.1, to: 0.25 } };
  const earlier = { ...later, ...range, year: 2023, spend, emissions_by_basis: bases };
  const both = { ...summary, years: [earlier, later] };
  const { figures = [] } = bridgeSummary(comparison, both);
  expect(figures.slice(0, 3).map(([, total]) => total)).toEqual([900, 708, 354]);
  const origin =
    "10.0% from scopes 1 and 2 in the suppliers' own figures, 15.0% from other figures in them, usually modeled, 75.0% from industry averages";
  expect(figures.slice(3, 5)).toEqual([
    ['Spend of 2023 with emissions', '25.0% of EUR'],
    ['Origin of the emissions of 2023', `${origin} (boundary unknown)`],
  ]);
  expect(figures.map(([label]) => label)).toContain('Spend of 2024 with emissions');
  const page = renderBridgePage(comparison, both);
  expect(page).toContain('25.0%\u00a0of\u00a0EUR');
  expect(page).toContain('75.0% from industry averages');
  expect(bridgeSheets(comparison, both, noContact).map(({ name }) => name)).toContain('Totals');
});

it('the page has its amounts in the form of a footprint', () => {
  const [restated, years] = comparison.steps;
  if (restated === undefined || years === undefined) throw new Error('There are no two steps.');
  const steps = [
    restated,
    { ...years, before: 18_569_971, after: 9_414_161, together: -9_155_810 },
  ];
  const page = renderBridgePage({ ...comparison, steps }, usual.summary);
  expect(page).toContain(
    'The footprint of 2024 is 9.41 million kg, −49.3% since 2023 (18.6 million kg)',
  );
});

/* The first is bought from in two currencies, the second in one; the last has own figures. */
const [sample] = bought.filter(({ emissions }) => emissions !== null);
const buy = (id: number, currency: string, spend: number, factor: number, more: object = {}) => {
  if (sample === undefined) throw new Error('No item has emissions.');
  const basis = 'industry' as const;
  const figures = { basis, factor, emissions: factor * spend, spend, currency };
  return { ...sample, ...figures, id, matched_id: id, supplier: `Supplier ${id}`, ...more };
};
const inputs = (revenue: number) => ({
  basis: 'own',
  inputs: { ...sample?.inputs, revenue, upstream_categories: '1', scope_2_method: 'market-based' },
});
const fallen = bridge(
  'years',
  [
    buy(1, 'EUR', 100, 1),
    buy(1, 'USD', 90, 1),
    buy(2, 'EUR', 100, 1),
    buy(3, 'EUR', 10, 1, inputs(1_000)),
  ],
  [
    buy(1, 'EUR', 30, 1),
    buy(1, 'USD', 30, 1),
    buy(2, 'EUR', 15, 1),
    buy(3, 'EUR', 20, 1.5, inputs(1_000)),
  ],
);
const twoCurrencies: Comparison = { ...comparison, steps: [fallen] };

it('renderBridge says of which days the records are in a narrow terminal', async () => {
  const text = await screenText(
    renderBridge(comparison, usual.summary, { style: plainStyle, columns: 60, pictures: true }),
  );
  const [, table = ''] = text.split(/^ {2}Footprint +Total/m);
  const [totals = ''] = table.split('\n\n');
  expect(totals).not.toContain('…');
});

it('ranks the largest changes by supplier, with the spend in each currency', async () => {
  const { summary } = usual;
  const said = 'Supplier 1 −130 kg (EUR and USD), Supplier 2 −85 kg, Supplier 3 +20 kg';
  const first =
    'Who: Largest changes: Supplier 1 −130 kg (your lower spend), Supplier 2 −85 kg (your lower spend), Supplier 3 +20 kg (your higher spend +12.5 kg, its emissions +7.5 kg).';
  const plain = renderPlainBridge(twoCurrencies, summary);
  expect(plain).toContain(`\nchange Largest changes, all causes together: ${said}\n`);
  const view = { style: plainStyle, columns: 120, pictures: true };
  const screen = await screenText(renderBridge(twoCurrencies, summary, view));
  expect(screen.replaceAll(/\n\s+/g, ' ')).toContain(first);
  expect(plain).toContain(`statement: ${first}`);
  const page = renderBridgePage(twoCurrencies, summary);
  const [, largest = ''] = page.split('id="largest"');
  expect(largest).toContain('>The largest changes, data changes included<');
  expect(largest).toMatch(/Supplier 1: −130<.*"text">Your spend: EUR 100 → 30, USD 90 → 30</);
  expect(largest).toMatch(/Supplier 2: −85<.*"text">Your spend: EUR 100 → 15</);
});

it('the table of suppliers begins with the change, then after, then before', () => {
  const page = renderBridgePage(twoCurrencies, usual.summary);
  const [, table = ''] = page.split('id="all"');
  const heads = [...table.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/g)].map(([, head = '']) =>
    head.replaceAll(/<[^>]+>/g, ''),
  );
  expect(heads.slice(0, 4)).toEqual([
    'Supplier',
    'Change (kg)',
    'Emissions 2024 (kg)',
    'Emissions 2023 (kg)',
  ]);
  const changes = comparedRows(twoCurrencies).map(({ supplier, change }) => [supplier, change]);
  expect(changes).toEqual([
    ['Supplier 1', -70],
    ['Supplier 1', -60],
    ['Supplier 2', -85],
    ['Supplier 3', 20],
  ]);
});

it('asks why of none whose footprint rose by spend on industry averages', () => {
  const raised = bridge(
    'years',
    [buy(1, 'EUR', 10, 1), buy(3, 'EUR', 10, 1, inputs(1_000)), buy(4, 'EUR', 10, 2)],
    [
      buy(1, 'EUR', 900, 1),
      buy(3, 'EUR', 10, 2, inputs(1_000)),
      buy(4, 'EUR', 10, 2, inputs(1_000)),
    ],
  );
  const rose = comparisonAsks({ ...comparison, steps: [raised] }).find(({ why }) => why === 'rose');
  expect(rose).toMatchObject({ why: 'rose', suppliers: [{ supplier: 'Supplier 3' }] });
});

it('explains only causes that the page shows', () => {
  const { summary } = usual;
  const notes = (before: typeof bought, after: typeof bought) =>
    renderBridgePage({ ...comparison, steps: [bridge('years', before, after)] }, summary);
  const one = [buy(1, 'EUR', 10, 1)];
  const bySpend = notes(one, [buy(1, 'EUR', 20, 1)]);
  expect(bySpend).not.toMatch(/Method and data: |Coverage: |Currency: |Without them/);
  const byMethod = notes(one, [buy(1, 'EUR', 10, 2)]);
  expect(byMethod).toContain('Method and data: another kind of figures');
  expect(byMethod).toMatch(
    /\+[\d.]+ points from data changes \(method and data\), so \+[\d.]+% as calculated: what is known has changed, not what was emitted\./,
  );
  const moved = notes(one, [buy(1, 'USD', 10, 2)]);
  expect(moved).toContain('Currency: suppliers that you paid in another currency.');
  expect(moved).toMatch(
    /[+−][\d.]+ points from data changes \(currency\), so [+−][\d.]+% as calculated: what is known has changed/,
  );
  const three = notes(
    [...one, buy(2, 'EUR', 10, 1), ...uncovered],
    [
      buy(1, 'USD', 10, 2),
      buy(2, 'EUR', 10, 2),
      ...uncovered.map((each) => ({ ...each, uncovered: null, emissions: 5, factor: 1 })),
    ],
  );
  expect(three).toMatch(
    /[+−][\d.]+ points from data changes \(method, data, coverage and currency\), so [+−][\d.]+% as calculated: what is known has changed/,
  );
  expect(three).toMatch(/Coverage: suppliers with emissions on one side only\./);
});

it('has no sum of a change to or from an unknown footprint', () => {
  const unknown = bought.filter(({ uncovered: why }) => why !== null);
  const years = { ...comparison, steps: [bridge('years', unknown, unknown)] };
  const plain = renderPlainBridge(years, usual.summary);
  expect(plain).toMatch(/^statement: The footprints of 2023 and 2024 are unknown: /);
  expect(plain).not.toMatch(/All changes: emissions/);
  const page = renderBridgePage(years, usual.summary);
  expect(page).toMatch(/<th scope="row"[^>]*>All changes<\/th><td><span title="–">–<\/span>/);
  expect(headingsOf(page).join()).toContain('What changed from 2023 to 2024');
  expect(headingsOf(page).join()).not.toContain('What changed from 2023 to 2024:');
});
