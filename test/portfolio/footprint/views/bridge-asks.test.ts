/* What a comparison says first: the suppliers' own change, and whom to ask. */
import { describe, expect, it } from 'vitest';
import { bridge } from '../../../../src/portfolio/footprint/bridge.ts';
import type { Comparison } from '../../../../src/portfolio/footprint/compare.ts';
import {
  bridgeMembers,
  bridgeSheets,
  renderPlainBridge,
} from '../../../../src/portfolio/footprint/views/bridge.ts';
import { renderBridgePage } from '../../../../src/portfolio/footprint/views/bridge-page.ts';
import { askText } from '../../../../src/portfolio/footprint/views/bridge-words.ts';
import { bridgeItems, footprint, industry, own, record } from '../portfolio.ts';

/* Suppliers with own figures of both years, by their emissions; and others. */
const changes: readonly (readonly [before: number, after: number])[] = [
  [100, 160],
  [100, 130],
  [100, 120],
  [100, 115],
  [300, 200],
];
const names = changes.map((_, at) => `Own ${at + 1}`);
const years = [2023, 2024];
const spend = (name: string, id: number, amount: number) =>
  years.map((year) => ({ name, id, spend: String(amount), year }));
const made = footprint(
  [
    ...names.flatMap((name, at) => spend(name, at + 1, 1_000)),
    ...spend('Average KG', 10, 500),
    ...spend('Lost AG', 11, 80),
    { name: 'Average KG', id: 10, spend: '100', year: 2024 },
  ],
  [
    ...changes.map(([before, after], at) =>
      record(at + 1, [own(2023, [before - 50, 0, 50]), own(2024, [after - 50, 0, 50])], {
        name: names[at],
      }),
    ),
    record(10, [], { name: 'Average KG', ...industry([2023, 0.4], [2024, 0.3]) }),
    record(11, [], { name: 'Lost AG', status: 'errored' }),
  ],
  { unit: 't' },
);

const { summary } = made;
const items = bridgeItems(made);
const of = (year: number) => items.filter((each) => each.spend_year === year);
const step = bridge('years', of(2023), of(2024));
const comparison: Comparison = {
  steps: [step],
  before: 2023,
  after: 2024,
  since: null,
  isSaved: false,
  notes: [],
};

/* Spend equals revenue, so that the effect of a supplier is the change of its emissions. */
const before = 700 + 0.4 * 500;
const ownChange = changes.reduce((sum, [from, to]) => sum + to - from, 0);
const bought = 0.35 * 100;
const averages = -0.1 * 550;

/* The points of each cause, with those in parentheses left out, which are no part of the sum. */
function numbersIn(text: string): readonly number[] {
  const parts = text.replaceAll('−', '-').replaceAll(/ \([^)]*\)/g, '');
  const found = parts.match(/(?<=: )[+-]?[\d.]+(?=[;.,] | percentage points)/g) ?? [];
  return found.map(Number);
}

/* The last step, with one supplier alone. */
function onlyFirst({ steps: [only = step] }: Comparison) {
  return { ...only, rows: only.rows.filter(({ id }) => Number(id) === 1) };
}

describe('a comparison of years', () => {
  const [, causes] = bridgeMembers(comparison, summary).statements;

  it("says how much of the change is from the suppliers' own emissions, of how many", () => {
    expect(causes).toMatchObject({ rule: 'causes' });
    const text = causes?.text ?? '';
    const points = [bought, ownChange, averages].map(
      (part) => Math.round((1_000 * part) / before) / 10,
    );
    expect(numbersIn(text)).toEqual(points);
    expect(text).toMatch(/ 5 of 7 suppliers have own figures of both years; 1 is on averages\.$/);
    expect(renderPlainBridge(comparison, summary)).toContain(`statement: ${text}\n`);
    expect(renderBridgePage(comparison, summary)).toMatch(
      /class="base">You spent more: \+3\.9 percentage points\. Suppliers&#39; emissions: \+2\.8\. Method and data: −6\.1, no real change: without them, \+6\.7%\. /,
    );
  });

  it('has parts that add up to the change in the same sentence, whatever they round to', () => {
    const some = [0.0504, 0.0304, -0.0204, 0.0104, 0.0054].map((share, at) => ({
      effect: (['spend', 'supplier_emissions', 'coverage', 'new', 'left'] as const)[at] ?? 'left',
      emissions: 1_000 * share,
      share,
      suppliers: 1,
      reasons: [],
    }));
    const together = some.reduce((sum, { emissions }) => sum + emissions, 0);
    const odd = { ...step, before: 1_000, together, after: 1_000 + together, effects: some };
    const { statements } = bridgeMembers({ ...comparison, steps: [odd] }, summary);
    const text = statements[1]?.text ?? '';
    expect(text).toMatch(/^What you bought: \+6\.\d percentage points \(your spend \+/);
    const parts = numbersIn(text);
    expect(parts).toHaveLength(3);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(7.6, 9);
    expect(bridgeMembers({ ...comparison, steps: [odd] }, summary).notes[1]).toMatch(
      /^Parts are rounded so that they add up: /,
    );
    // What is in parentheses adds up to what stands before them.
    const [inside = ''] = /\([^)]*\)/.exec(text) ?? [];
    expect(renderBridgePage(comparison, summary)).not.toContain('Parts are rounded');
    const ofBought = [...inside.matchAll(/[+−][\d.]+/g)].map(([part]) =>
      Number(part.replace('−', '-')),
    );
    expect(ofBought).toHaveLength(3);
    expect(ofBought.reduce((sum, part) => sum + part, 0)).toBeCloseTo(parts[0] ?? 0, 9);
  });

  it("says revenue apart from suppliers' emissions, because it may be prices", () => {
    const some = (['supplier_emissions', 'spend', 'supplier_revenue'] as const).map(
      (effect, at) => {
        const share = [0.025, 0.101, -0.032][at] ?? 0;
        return { effect, emissions: 1_000 * share, share, suppliers: 1, reasons: [] };
      },
    );
    const grown = { ...step, before: 1_000, after: 1_094, together: 94, effects: some };
    const { statements } = bridgeMembers({ ...comparison, steps: [grown] }, summary);
    expect(statements[1]?.text).toBe(
      "You spent more: +10.1 percentage points. Suppliers' emissions: +2.5; their revenue: −3.2 (may be prices). 5 of 7 suppliers have own figures of both years; 1 is on averages.",
    );
  });

  it('names whom to ask: rises of their own, averages, and no emissions', () => {
    const text = renderPlainBridge(comparison, summary);
    expect(text.match(/^ask: .*$/gm)).toEqual([
      'ask: 1 supplier on industry averages discloses no emissions: ask for scopes 1 to 3 and the revenue of the latest year (Average KG 180 t)',
      'ask: 4 suppliers whose own emissions rose (+125 t in your footprint, before their revenue): ask why (Own 1 +60 t, Own 2 +30 t, Own 3 +20 t and 1 more)',
      'ask: 1 supplier without emissions, research failed: ask the service (Lost AG)',
    ]);
    const { ask } = bridgeMembers(comparison, summary);
    expect(ask.map(({ why, suppliers }) => [why, suppliers.length])).toEqual([
      ['industry', 1],
      ['rose', 4],
      ['uncovered', 1],
    ]);
    const page = renderBridgePage(comparison, summary);
    expect(page).toMatch(
      /suppliers whose own emissions rose \(\+125 t in your footprint, before their revenue\): ask why <span class="soft"><span class="screen">Own 1 \+60 t, Own 2[^<]*<\/span><span class="paper">Own 1 \+60 t and 3 more</,
    );
    const said = /<ul class="said">(.*?)<\/ul>/s.exec(page)?.[1];
    expect(said).toContain('Largest changes: Own 5 −100 t, Own 1 +60 t');
    expect(said).toContain(
      'Whom to ask first: 1 supplier on industry averages discloses no emissions: ask for scopes 1 to 3 and the revenue of the latest year (Average KG 180 t)',
    );
  });

  it('asks all suppliers why whose emissions rose, whatever their revenue or your spend did', async () => {
    // Spend that falls by four fifths outweighs the rise of the emissions.
    const bought = items.map((each) => {
      const isFewer = each.spend_year === 2024 && [1, 3].includes(Number(each.id));
      const [spend, emissions] = [each.spend / 5, (each.emissions ?? 0) / 5];
      return { ...each, group: null, ...(isFewer ? { spend, emissions } : {}) };
    });
    const [then, now] = years.map((year) => bought.filter((each) => each.spend_year === year));
    const some = { ...comparison, steps: [bridge('years', then ?? [], now ?? [])] };
    // The mean of both spends, 1,000 and 200, has the rise of the emissions.
    const rises = [60 * 0.6, 30, 20 * 0.6, 15];
    const rose = bridgeMembers(some, summary).ask.find(({ why }) => why === 'rose');
    expect(rose?.suppliers.map(({ supplier }) => supplier)).toEqual([
      'Own 1',
      'Own 2',
      'Own 4',
      'Own 3',
    ]);
    expect(rose?.suppliers[0]?.footprint_change).toBeLessThan(0);
    expect(renderPlainBridge(some, summary)).toContain(
      `ask: 4 suppliers whose own emissions rose (+${rises.reduce((sum, each) => sum + each)} t in your footprint, before their revenue): ask why (Own 1 +36 t, Own 2 +30 t, Own 4 +15 t`,
    );
    const sheet = bridgeSheets(some, summary, () => undefined).find(
      ({ name }) => name === 'Whom to ask',
    );
    const rows: unknown[] = [];
    for await (const row of sheet?.rows ?? []) rows.push(row);
    expect(JSON.stringify(rows).match(/"its own emissions rose"/g)).toHaveLength(4);
    const one = bridgeMembers({ ...comparison, steps: [onlyFirst(comparison)] }, summary).ask[0];
    expect(one && askText(one, 1, 't').what).toBe(
      '1 supplier whose own emissions rose (+60 t in your footprint, before its revenue): ask why',
    );
  });

  it('draws falls to the left of a common zero, and rises to the right', () => {
    const page = renderBridgePage(comparison, summary);
    const [, largest = ''] = page.split('id="largest"');
    const bars = [
      ...largest.matchAll(/<title>(Own \d): ([+−]\d+)<\/title>.*?x="([\d.]+)%" width/g),
    ];
    expect(bars.map(([, name, change]) => `${name} ${change}`)).toContain('Own 5 −100');
    for (const [, name, change = '', x] of bars)
      expect(Number(x) < 50, name).toBe(change.startsWith('−'));
    expect(largest).toContain('Falls to the left');
  });

  it('prints on one page what fits it: four changes, and no sentence that a table repeats', () => {
    const page = renderBridgePage(comparison, summary);
    expect(page).toMatch(
      />The <span class="screen">\d<\/span><span class="paper">4<\/span> largest/,
    );
    const [, largest = ''] = page.split('id="largest"');
    const rows = [
      ...(largest.split('</table>')[0] ?? '').matchAll(/<tr( class="screen")? data-find/g),
    ];
    expect(rows.length).toBeGreaterThan(4);
    expect(rows.map(([, hidden]) => hidden === undefined).lastIndexOf(true)).toBe(3);
    expect(page).toContain('<li><span class="screen">Largest changes: ');
  });

  it('has the spend of both years', () => {
    const { bridge: shown } = bridgeMembers(comparison, summary);
    expect(shown.steps).toMatchObject([
      { spend_before: { EUR: 5_580 }, spend_after: { EUR: 5_680 } },
    ]);
    expect(renderPlainBridge(comparison, summary)).toMatch(
      /2023, .*, spend_EUR 5580\n2024, .*, spend_EUR 5680\n/,
    );
    const page = renderBridgePage(comparison, summary);
    expect(page).toMatch(/2023, records of \d+ \w+ \d+.*>5\.58K EUR<.*\n.*>5\.68K EUR</);
  });
});
