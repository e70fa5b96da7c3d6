/* What a comparison says first: the suppliers' own change, and whom to ask. */
import { describe, expect, it } from 'vitest';
import { plainStyle } from '../../../../src/display/terminal/style.ts';
import type { SheetContent } from '../../../../src/lists/workbook/sheet-xml.ts';
import { bridge, type Effect } from '../../../../src/portfolio/footprint/bridge.ts';
import type { Comparison } from '../../../../src/portfolio/footprint/compare.ts';
import {
  bridgeMembers,
  bridgeSheets,
  bridgeSummary,
  renderBridge,
  renderPlainBridge,
} from '../../../../src/portfolio/footprint/views/bridge.ts';
import { effectRows } from '../../../../src/portfolio/footprint/views/bridge-effects.ts';
import { renderBridgePage } from '../../../../src/portfolio/footprint/views/bridge-page.ts';
import {
  askText,
  causesOf,
  shortCause,
} from '../../../../src/portfolio/footprint/views/bridge-words.ts';
import { renderFootprintPage } from '../../../../src/portfolio/footprint/views/page.ts';
import { readCells, write } from '../../../lists/workbook/read.ts';
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

// Amounts of this size are implausible, which is another test.
const summary = { ...made.summary, implausible_kg_per_spend: {} };
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

const causeRules = ['spend', 'suppliers', 'data'];

/* The statements of the causes. */
function causesIn(some: Comparison): readonly string[] {
  const { statements } = bridgeMembers(some, summary);
  return statements.flatMap(({ rule, text }) => (causeRules.includes(rule) ? text : []));
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

function points(share: number): string {
  return percent(share).slice(0, -1);
}

/* What a sentence begins with, in percentage points. */
function partOf(text: string): number {
  const [, sign, number] = /^([+−]?)([\d.]+) (?:percentage )?points from /.exec(text) ?? [];
  return (sign === '−' ? -1 : 1) * Number(number);
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);

/* The last step, with one supplier alone. */
function onlyFirst({ steps: [only = step] }: Comparison) {
  return { ...only, rows: only.rows.filter(({ id }) => Number(id) === 1) };
}

describe('a comparison of years', () => {
  it('says the change as it is, and without what only changes what is known', () => {
    const change = (bought + ownChange + averages) / before;
    const without = (bought + ownChange) / before;
    const [as, real] = [change, without].map((share) => `${(100 * Math.abs(share)).toFixed(1)}%`);
    expect([change > 0, without > 0]).toEqual([true, true]);
    // The title has one change, and its cause.
    const text = `Without data changes, your footprint rose ${real} since 2023, mainly because you spent more; as calculated, that of 2024 is 905 t (+${as}).`;
    expect(bridgeMembers(comparison, summary).statements[0]).toEqual({ rule: 'years', text });
    const plain = renderPlainBridge(comparison, summary);
    expect(plain).toContain(`statement: ${text}\n`);
    expect(plain).toContain(
      `change Without data changes: emissions ${bought + ownChange} t, share +${real}\n`,
    );
    const page = renderBridgePage(comparison, summary);
    expect(page).toContain(`<h1>${text.slice(0, -1).replace(/(?<=\d) t\b/g, '\u00a0t')}</h1>`);
    // Of two changes, each bar says which one it is.
    for (const [name, bar] of [
      ['2024 as calculated', `905 t · +${as}`],
      ['2024 without data changes', ` t · +${real}`],
    ])
      expect(page).toMatch(new RegExp(`>${name}<.*${bar?.replace('+', '\\+')}<`));
    expect(page).toContain(
      `What changed from 2023 to 2024: +${real} without data changes (+${as} as calculated)<`,
    );
    for (const figure of [
      `905 t</dd><dd class="soft">as calculated, +${as} since 2023, from 900 t</dd>`,
      `<dt>Without data changes, since 2023</dt><dd class="big">+${real}</dd>`,
    ])
      expect(page.replaceAll('\u00a0', ' ')).toContain(figure);
    const direction = `+${real} without data changes (changes of method and data), from 900 to 960 t had the data stayed the same: use this one, within your company, to say how your purchases changed.`;
    expect(plain).toContain(`statement: Trend: ${direction}\n`);
    const parts = causesIn(comparison).map(partOf);
    expect(sumOf(parts.slice(0, -1))).toBeCloseTo(Number.parseFloat(real ?? ''), 9);
  });

  it("says how much of the change is from the suppliers' own emissions, of how many", () => {
    const texts = causesIn(comparison);
    expect(texts.map(partOf)).toEqual(
      [bought, ownChange, averages].map((part) => Math.round((1_000 * part) / before) / 10),
    );
    expect(texts).toEqual([
      '+3.9 percentage points from your spend where emissions are known (EUR +1.8%, including prices; more of it with suppliers of above-average emissions per unit of spend).',
      "+2.8 points from your suppliers' emissions.",
      '−6.1 points from data changes (method and data), so +0.6% as calculated: what is known has changed, not what was emitted.',
    ]);
    const sure = `Only 5 of 7 suppliers have own figures of both years (${Math.round((100 * 700) / before)}% of the footprint of 2023). Of the other 2 (1 on averages, 1 without known emissions in either year), no change of their own is known.`;
    const plain = renderPlainBridge(comparison, summary);
    for (const text of texts) expect(plain).toContain(`statement: Why: ${text}\n`);
    expect(plain).toContain(`statement: How sure: ${sure}\n`);
    const page = renderBridgePage(comparison, summary).replaceAll('&#39;', "'");
    const [, why] = /<dd class="why">(.*?)<\/dd>/.exec(page) ?? [];
    expect(why).toBe(texts.map((text) => `<p>${text}</p>`).join(''));
    expect(page).toContain(`<p>${sure}</p>`);
  });

  it('has parts that add up to the change and to each other, whatever they round to', () => {
    const some = [0.0504, 0.0304, -0.0204, 0.0104, 0.0054].map((share, at) => ({
      effect: (['spend', 'supplier_emissions', 'coverage', 'new', 'left'] as const)[at] ?? 'left',
      emissions: 1_000 * share,
      share,
      suppliers: 1,
      reasons: [],
    }));
    const together = some.reduce((sum, { emissions }) => sum + emissions, 0);
    const odd = { ...step, before: 1_000, together, after: 1_000 + together, effects: some };
    const texts = causesIn({ ...comparison, steps: [odd] });
    expect(sumOf(texts.map(partOf))).toBeCloseTo(7.6, 9);
    const [spendText = ''] = texts;
    expect(spendText).toMatch(
      /, of which \+5\.\d from the suppliers of both years, \+1\.\d from new suppliers and \+0\.\d from suppliers that left\.$/,
    );
    const inside = [...spendText.matchAll(/(?<!^)\+([\d.]+) from/g)].map(([, part]) =>
      Number(part),
    );
    expect(inside).toHaveLength(3);
    expect(sumOf(inside)).toBeCloseTo(partOf(spendText), 9);
    expect(bridgeMembers({ ...comparison, steps: [odd] }, summary).notes.at(-1)).toMatch(
      /^Parts are rounded so that they add up: /,
    );
    expect(renderBridgePage(comparison, summary)).not.toContain('Parts are rounded');
  });

  it("says revenue apart from suppliers' emissions, because it may be prices", () => {
    const some = (['supplier_emissions', 'spend', 'supplier_revenue'] as const).map(
      (effect, at) => {
        const share = [0.025, 0.101, -0.032][at] ?? 0;
        return { effect, emissions: 1_000 * share, share, suppliers: 1, reasons: [] };
      },
    );
    const grown = { ...step, before: 1_000, after: 1_094, together: 94, effects: some };
    const one = { ...comparison, steps: [grown] };
    expect(causesIn(one)).toEqual([
      '+10.1 percentage points from your spend where emissions are known (EUR +1.8%, including prices; more of it with suppliers of above-average emissions per unit of spend).',
      `−0.7 points from your suppliers' emissions per revenue: +2.5 from their emissions (5 suppliers have own figures of both years: 4 rose, 1 fell), −3.2 from their revenue, which rose, so the same spend stands for less of their emissions.`,
    ]);
    expect(bridgeMembers(one, summary).notes).toEqual(
      expect.arrayContaining([
        'A percentage point is 1% of the footprint of 2023',
        'Changes of spend and revenue include prices',
      ]),
    );
    expect(bridgeMembers(one, summary).statements[0]?.text).toBe(
      'The footprint of 2024 is 1,094 t, +9.4% since 2023 (1,000 t), mainly because you spent more.',
    );
  });

  it('says why emissions count in one year only, so that nobody reads a cut', () => {
    const [row = expect.fail()] = step.rows;
    const { source } = step.rows.find(({ after }) => after?.source)?.after ?? {};
    const known = { ...row.before, hasEmissions: true, uncovered: null, source };
    const lacking = { ...row.before, hasEmissions: false, source: null };
    const causeOf = (uncovered: string, coverage: number, basis = 'own') => {
      const from = { ...known, source: { ...source, basis, factor_year: 2019 } };
      const sides = [from, { ...lacking, uncovered }];
      const [before, after] = coverage < 0 ? sides : sides.toReversed();
      const some = { ...row, effects: { coverage }, before, after } as typeof row;
      return shortCause('coverage', coverage, [some]);
    };
    expect(causeOf('too_old', -1)).toBe('its figures of 2019 are too old now: no longer counted');
    expect(causeOf('too_old', -1, 'industry')).toBe(
      'the industry average of 2019 is too old now: no longer counted',
    );
    expect(causeOf('errored', -1)).toBe('no longer counted: research failed');
    expect(causeOf('no_revenue', 1)).toBe('not counted before: no revenue in the record');
  });

  it.each([
    [['Old AG'], 'Ask Old AG for', 'it, but it is'],
    // However small the others are, they fall out for the same reason.
    [['Old AG', 'Tiny AG'], 'Ask Old AG and Tiny AG for', 'them, but they are'],
  ])('asks those that are bought from as before, but no longer counted: %j', (names, ask, they) => {
    const lost = names.map((name, at) => ({ name, id: 12 + at, emissions: at === 0 ? 100 : 0.1 }));
    const old = footprint(
      [
        ...spend('Own 1', 1, 1_000),
        ...spend('Average KG', 20, 1_000),
        ...lost.flatMap(({ name, id }) => spend(name, id, 1_000)),
      ],
      [
        record(20, [], { name: 'Average KG', ...industry([2023, 0.05], [2024, 0.05]) }),
        record(1, [own(2023, [50, 0, 50]), own(2024, [60, 0, 50])], { name: 'Own 1' }),
        ...lost.map(({ name, id, emissions }) =>
          record(id, [own(2018, [emissions, 0, emissions])], { name }),
        ),
      ],
    );
    const all = bridgeItems(old);
    const [before, after] = years.map((year) => all.filter((each) => each.spend_year === year));
    const steps = [bridge('years', before ?? [], after ?? [])];
    const texts = bridgeMembers({ ...comparison, steps }, old.summary).statements.map(
      ({ text }) => text,
    );
    expect(texts).toContain(
      `${ask} scopes 1 to 3 and the revenue of 2024: you still buy from ${they} no longer counted.`,
    );
    // Those on averages lack the same, and no step asks anyone twice.
    expect(texts.filter((text) => text.includes('Ask Average KG'))).toEqual([
      expect.stringMatching(/^Ask Average KG \(\d+% of the footprint\) for scopes 1 to 3 [^.]*\.$/),
    ]);
  });

  it('shows no part as zero that is not', () => {
    const some = (['spend', 'new', 'left'] as const).map((effect, at) => {
      const share = [0.1, 0.0003, -0.0002][at] ?? 0;
      return { effect, emissions: 1_000 * share, share, suppliers: 1, reasons: [] };
    });
    const rows = effectRows({ ...step, before: 1_000, together: 100.1, effects: some });
    expect(rows.map(({ shareText }) => shareText)).toEqual([
      ...['+10.0%', '+10.0%', '+0.03%', '−0.02%', '+10.0%'],
    ]);
  });

  it("takes a supplier's emissions and revenue as one cause of its change", () => {
    const causeOfFirst = (effects: object) => {
      const [row] = step.rows;
      const rows = [{ ...row, effects } as (typeof step.rows)[number]];
      return causesOf(rows)[0]?.cause;
    };
    // Its emissions rose with what it sells, so that most is from the spend.
    const grown = { spend: 2.56, supplier_emissions: 3.03, supplier_revenue: -2.35 };
    expect(causeOfFirst(grown)).toBe('spend');
    expect(causeOfFirst({ ...grown, spend: 0.1 })).toBe('supplier');
    expect(causeOfFirst({ spend: 0.1, supplier_emissions: 3.03 })).toBe('supplier_emissions');
  });

  it('shows each cause before its parts, which add up to it, and says what rose', () => {
    const sizesOf = {
      ...{ spend: 100.4, supplier_emissions: 25.4, supplier_revenue: -32.4 },
      ...{ method_and_data: -60.4, new: 10.4 },
    } as const;
    const some = Object.entries(sizesOf).map(([effect, emissions]) => ({
      ...{ effect: effect as Effect, emissions, share: emissions / 1_000 },
      ...{ suppliers: 1, reasons: [] },
    }));
    const together = sumOf(Object.values(sizesOf));
    const all = { ...step, before: 1_000, after: 1_000 + together, together, effects: some };
    const rows = effectRows(all);
    expect(rows.map(({ kind, label }) => [kind, label])).toEqual([
      ['sum', 'From your spend'],
      ['part', 'Suppliers of both years'],
      ['part', 'New suppliers'],
      ['sum', 'From emissions per revenue'],
      ['part', 'Higher emissions'],
      ['part', 'Higher revenue'],
      ['sum', 'Without data changes'],
      ['only', 'Method and data'],
      ['sum', 'All changes'],
    ]);
    const sizes = rows.map(({ emissions, shareText: share }) => [
      emissions ?? Number.NaN,
      Number(share.replace('−', '-').replace(/[+%]/g, '')),
    ]);
    const addsUp = (sum: number, parts: readonly number[], digits: number) => {
      for (const column of [0, 1])
        expect(sumOf(parts.map((part) => sizes[part]?.[column] ?? Number.NaN))).toBeCloseTo(
          sizes[sum]?.[column] ?? Number.NaN,
          digits,
        );
    };
    addsUp(0, [1, 2], 6);
    addsUp(3, [4, 5], 6);
    addsUp(6, [0, 3], 6);
    addsUp(8, [6, 7], 6);
    // A higher revenue takes emissions off.
    expect(sizes[5]?.[0]).toBeLessThan(0);
    expect(sizes[4]?.[0]).toBeGreaterThan(0);
  });

  it('names a change to use, of synthetic data only once they are real', () => {
    const trend = (synthetic: boolean) => {
      const rows = step.rows.map((row) => ({ ...row, synthetic }));
      const { statements } = bridgeMembers({ ...comparison, steps: [{ ...step, rows }] }, summary);
      return statements.find(({ rule }) => rule === 'direction')?.text;
    };
    expect(trend(false)).toContain('use this one, within your company');
    expect(trend(true)).toMatch(
      /^\+6\.7% without data changes \(changes of method and data\), from 900 to 960 t had the data stayed the same: with real data, the one to use within your company\.$/,
    );
  });

  it('says what the spend changed by in each currency, and never adds them up', () => {
    const growth = (then: object, now: object) => {
      const spends = {
        ...{ spend_before: { ...then }, spend_after: { ...now } },
        ...{ bought_before: { ...then }, bought_after: { ...now } },
      };
      return causesIn({ ...comparison, steps: [{ ...step, ...spends }] })[0];
    };
    expect(growth({ EUR: 200, USD: 100 }, { EUR: 214, USD: 90, JPY: 5 })).toMatch(
      /^\+3\.9 percentage points from your spend \(EUR \+7\.0%, JPY new, USD −10\.0%, including prices\)\.$/,
    );
    expect(growth({ EUR: 200, USD: 100 }, { EUR: 0 })).toMatch(
      /^\+3\.9 percentage points from your spend \(EUR −100\.0%, USD −100\.0%, including prices\)/,
    );
    // A percentage of a credit says nothing.
    expect(growth({ EUR: -5 }, { EUR: 10 })).toBe(
      '+3.9 percentage points from your spend (EUR from −5 to 10, including prices).',
    );
  });

  it('says why emissions fell although the spend rose, and the reverse', () => {
    const moved = (first: number, last: number) => {
      const now = of(2024)
        .filter(({ id }) => Number(id) === 1 || Number(id) === 5)
        .map((each) => {
          const by = Number(each.id) === 1 ? first : last;
          return { ...each, spend: each.spend * by, emissions: (each.emissions ?? 0) * by };
        });
      const then = of(2023).filter(({ id }) => Number(id) === 1 || Number(id) === 5);
      return causesIn({ ...comparison, steps: [bridge('years', then, now)] })[0];
    };
    // Mean factors of 0.13 and 0.25.
    expect(moved(2.2, 0.4)).toBe(
      `+${points((1.2 * 130 - 0.6 * 250) / 400)} percentage points from your spend (EUR +30.0%, including prices).`,
    );
    expect(moved(1.9, 0.4)).toBe(
      `−${points((0.6 * 250 - 0.9 * 130) / 400)} percentage points from your spend (EUR +15.0%, including prices), although it rose, because it moved to suppliers with lower emissions per EUR.`,
    );
    expect(moved(0.1, 1.6)).toBe(
      `+${points((0.6 * 250 - 0.9 * 130) / 400)} percentage points from your spend (EUR −15.0%, including prices), although it fell, because it moved to suppliers with higher emissions per EUR.`,
    );
  });

  it('says that a footprint without emissions is unknown, never 0', () => {
    const first = (before: number, after: number) => {
      const empty = { ...step, before, after, together: after - before, effects: [], rows: [] };
      return bridgeMembers({ ...comparison, steps: [empty] }, summary).statements[0]?.text;
    };
    expect(first(0, 0)).toBe(
      'The footprints of 2023 and 2024 are unknown: no line item has emissions.',
    );
    expect(first(0, 70)).toBe('The footprint of 2024 is 70 t; that of 2023 is unknown.');
    expect(first(70, 0)).toBe('The footprint of 2024 is unknown; that of 2023 was 70 t.');
  });

  it('names whom to ask: buyers and rises first, then averages, then no emissions', () => {
    const text = renderPlainBridge(comparison, summary);
    expect(text.match(/^ask: .*$/gm)).toEqual([
      'ask: Ask why: 2 of 4 suppliers whose emissions per revenue rose (+90 t in your footprint, 72% of these rises): Own 1 +60 t, Own 2 +30 t',
      'ask: Ask your own buyers why you spent more with this supplier (100% of all rises by spend): more goods or higher prices? Average KG +35 t',
      'ask: Ask for scopes 1 to 3 and the revenue of 2024: 1 supplier on industry averages (20% of the footprint) has no figures in the record (Average KG 180 t)',
      'ask: Ask the service: 1 supplier with unknown emissions, research failed (Lost AG)',
    ]);
    const { ask } = bridgeMembers(comparison, summary);
    expect(ask.map(({ why, share, suppliers }) => [why, share, suppliers.length])).toEqual([
      ['rose', expect.closeTo(90 / 125, 12), 2],
      ['bought', 1, 1],
      ['industry', expect.closeTo(180 / (825 - 100 + 180), 12), 1],
      ['uncovered', null, 1],
    ]);
    const page = renderBridgePage(comparison, summary);
    expect(page).toMatch(
      /Ask why: 2 of 4 suppliers whose emissions per revenue rose \(\+90 t in your footprint, 72% of these rises\) <span class="soft"><span class="screen">Own 1 \+60 t, Own 2[^<]*<\/span><span class="paper">Own 1 \+60 t and 1 more</,
    );
    expect(text).toContain(
      '\nchange Largest changes, all causes together: Own 5 −100 t, Own 1 +60 t',
    );
    expect(text).toContain(
      '\nstatement: Who: Largest changes without data changes: Own 5 −100 t (its emissions), Own 1 +60 t (its emissions), Average KG +35 t (your higher spend).\nstatement: Who: Largest data change: Average KG −55 t (method and data).\nstatement: Who: Largest supplier of 2024: ',
    );
    // What changed comes before what is only estimated.
    const steps = [
      'Ask your own buyers why you spent more with Average KG (100% of all rises by spend): more goods or higher prices?',
      'Ask 2 of the 4 suppliers whose emissions per revenue rose why: Own 1 and Own 2 (72% of these rises).',
      'Check the industry behind the largest average (at least 3% of the emissions), and tell the service if it is wrong: Average KG (Retail).',
      'Ask Average KG (20% of the footprint) for scopes 1 to 3 and the revenue of 2024.',
      'Ask the service: 1 supplier with unknown emissions, research failed (Lost AG).',
    ];
    expect(text.match(/^statement: First steps: .*$/gm)).toEqual(
      steps.map((step, at) => `statement: First steps: ${at + 1}. ${step}`),
    );
    expect(page).toContain(`<ol>${steps.map((step) => `<li>${step}</li>`).join('')}</ol>`);
    // The first sheet has each request once, and the sheet of whom to ask has its suppliers.
    const { parts = [] } = bridgeSummary(comparison, summary);
    expect(parts).toContainEqual(['Whom to ask after the first steps', []]);
    // Before all of it, the unit if the amounts are implausible.
    const [title, ...others] = bridgeMembers(comparison, made.summary).statements;
    expect(title?.text).toMatch(
      /; as calculated, that of 2024 is 905 t \([^ ()]+; implausible: check the unit\)\.$/,
    );
    expect(others.filter(({ rule }) => rule === 'step').map(({ text: each }) => each)).toEqual([
      expect.stringMatching(/^Check the unit before .*\.$/),
      ...steps,
    ]);
  });

  it('says which rows of which list to correct, and which industries to check', () => {
    const lacks = { detail: null, missing: [], industry: 'Air transport' };
    const figures = { year: 2024, scopes1And2: true, upstream: '1', revenue: true };
    const now = of(2024).map((each) => {
      const reason = Number(each.id) === 10 ? ('unmatched' as const) : ('incomplete' as const);
      const isAverage = [1, 10].includes(Number(each.id));
      const by = Number(each.id) === 1 ? 3 : 1;
      const grown = { spend: each.spend * by, emissions: (each.emissions ?? 0) * by };
      const average = { basis: 'industry' as const, lack: { ...lacks, reason, figures } };
      return { ...each, ...grown, ...(isAverage && average) };
    });
    const list = { name: 'buy.csv', command: "carbon sync 'my folder/buy.csv'" };
    const some = { ...comparison, steps: [bridge('years', of(2023), now)], list };
    const text = renderPlainBridge(some, summary);
    const [buyers, , industry, request] = text.match(/(?<=^statement: First steps: ).*$/gm) ?? [];
    expect(buyers).toMatch(/^1\. Ask your own buyers why you spent more with Own 1 /);
    // A small part that is not matched comes after a large one to ask.
    expect(request).toMatch(/^4\. Ask Own 1 \(39% of the footprint\) for /);
    expect(text).toMatch(
      /^ask: Match 1 supplier \([\d.]+% of the footprint: Average KG \d+ t\): fill a new column Website for all their rows in buy\.csv, then run carbon sync 'my folder\/buy\.csv'$/m,
    );
    expect(industry).toBe(
      '3. Check the industry behind the largest average (at least 3% of the emissions), and tell the service if it is wrong: Own 1 (Air transport).',
    );
    const { ask } = bridgeMembers(some, summary);
    expect(ask.find(({ why }) => why === 'unmatched')?.next_step).toContain(`run ${list.command}`);
  });

  it('says in the last step what there is to do besides the first six', () => {
    const reasons = ['rejected', 'errored', 'in_progress', 'no_record', 'unmatched'] as const;
    const now = of(2024).map((each, at) => {
      const uncovered = reasons[Number(each.id) - 1];
      const grown = { ...each, spend: each.spend * 3, emissions: (each.emissions ?? 0) * 3 };
      return uncovered === undefined || at > 8
        ? grown
        : { ...each, emissions: null, factor: null, basis: null, uncovered };
    });
    const some = { ...comparison, steps: [bridge('years', of(2023), now)] };
    const text = renderPlainBridge(some, summary);
    const steps = text.match(/(?<=^statement: First steps: ).*$/gm) ?? [];
    expect(steps.slice(5)).toEqual([
      '6. Wait for the research: 1 supplier with unknown emissions (Own 3).',
      '7. Then 2 others: register it (1); match their rows (1).',
    ]);
    expect(text).toMatch(/^ask: Register it: .*Own 4/m);
  });

  it('makes one request of those who lack the same, with an average or without one', () => {
    const [shared, others] = [industry([2024, 0.5]), { name: 'Other SE' }];
    const purchases = [1, 2, 3, 4].flatMap((id) => spend(`Firm ${id}`, id, 100 - id));
    const some = footprint(
      purchases,
      [
        record(1, [], { name: 'Firm 1', ...shared }),
        record(2, [], { name: 'Firm 2' }),
        record(3, [own(2012, [1, 2, 3])], { name: 'Firm 3' }),
        record(4, [], { ...others, name: 'Firm 4', status: 'errored' }),
      ],
      { unit: 't' },
    );
    const all = bridgeItems(some);
    const [then, now] = years.map((year) => all.filter((each) => each.spend_year === year));
    const lacking = { ...comparison, steps: [bridge('years', then ?? [], now ?? [])] };
    expect(renderPlainBridge(lacking, some.summary).match(/^ask: .*$/gm)).toEqual([
      'ask: Ask for scopes 1 to 3 and the revenue of 2024: 3 suppliers without own figures (100% of the footprint) have no figures in the record or have only old figures (Firm 1 49.5 t, Firm 2, Firm 3)',
      'ask: Ask the service: 1 supplier with unknown emissions, research failed (Firm 4)',
    ]);
    expect(renderPlainBridge(lacking, some.summary)).toContain(
      'Ask Firm 1 (100% of the footprint) for scopes 1 to 3 and the revenue of 2024. Ask the same of Firm 2 and Firm 3, which have no emissions yet.',
    );
    const page = renderFootprintPage(some.summary, some.items);
    const [, list = ''] = /<dl class="ask">(.*?)<\/dl>/s.exec(page) ?? [];
    expect(list.match(/<dt>\d<\/dt><dd>[^<]*/g)).toEqual([
      '<dt>3</dt><dd>have no figures in the record or have only old figures: ask for scopes 1 to 3 and the revenue of 2024 ',
      '<dt>1</dt><dd>research failed: ask the service ',
    ]);
  });

  it('asks your own buyers about the fewest suppliers that are two thirds of what spend added', () => {
    const more = (spends: Readonly<Record<number, number>>) => {
      const now = of(2024).map((each) => {
        const by = spends[Number(each.id)] ?? 1;
        return { ...each, spend: each.spend * by, emissions: (each.emissions ?? 0) * by };
      });
      const steps = [bridge('years', of(2023), now)];
      return bridgeMembers({ ...comparison, steps }, summary).ask.find(
        ({ why }) => why === 'bought',
      );
    };
    // Suppliers 1 and 5: mean factors of 0.13 and 0.25, by what was spent more.
    const twice = more({ 1: 3, 2: 1.2, 5: 2 });
    expect(twice?.suppliers.map(({ supplier }) => supplier)).toEqual(['Own 1', 'Own 5']);
    expect(twice?.suppliers[0]?.emissions).toBeCloseTo(0.13 * 2_000, 9);
    const added = 0.13 * 2_000 + 0.115 * 200 + 0.25 * 1_000 + bought;
    expect(twice?.share).toBeCloseTo((0.13 * 2_000 + 0.25 * 1_000) / added, 9);
    // What others took off makes the part of one more than the net sum, but not than all rises.
    const one = more({ 1: 3, 5: 0.1 });
    expect(one?.share).toBeCloseTo(260 / (260 + bought), 9);
    expect(one && askText(one, 3, 't')).toEqual({
      what: `Ask your own buyers why you spent more with this supplier (${Math.round((100 * 260) / (260 + bought))}% of all rises by spend): more goods or higher prices?`,
      names: 'Own 1 +260 t',
    });
    // Spend that falls altogether is nothing to ask about, whatever rose.
    expect(more({ 1: 1.1, 5: 0.1 })).toBeUndefined();
  });

  it('asks suppliers why whose emissions rose more than their revenue, whatever your spend did', async () => {
    // Spend that falls by four fifths outweighs the rise; revenue that doubles does so for one.
    const bought = items.map((each) => {
      const isNow = each.spend_year === 2024;
      const isFewer = isNow && [1, 3].includes(Number(each.id));
      const isGrown = isNow && Number(each.id) === 4;
      const revenue = (each.inputs?.revenue ?? 0) * 2;
      return {
        ...each,
        ...(isFewer && { spend: each.spend / 5, emissions: (each.emissions ?? 0) / 5 }),
        ...(isGrown && {
          factor: (each.factor ?? 0) / 2,
          emissions: (each.emissions ?? 0) / 2,
          inputs: each.inputs && { ...each.inputs, revenue },
        }),
      };
    });
    const [then, now] = years.map((year) => bought.filter((each) => each.spend_year === year));
    const some = { ...comparison, steps: [bridge('years', then ?? [], now ?? [])] };
    // The mean of both spends, 1,000 and 200, has the rise of the emissions.
    const rises = [60 * 0.6, 30, 20 * 0.6];
    const rose = bridgeMembers(some, summary).ask.find(({ why }) => why === 'rose');
    expect(rose).toMatchObject({
      of: 3,
      suppliers: [{ supplier: 'Own 1' }, { supplier: 'Own 2' }],
    });
    expect(some.steps[0]?.rows.find(({ id }) => Number(id) === 4)?.effects).toMatchObject({
      supplier_emissions: expect.closeTo(15 * 0.75, 9),
    });
    expect(rose?.suppliers[0]?.footprint_change).toBeLessThan(0);
    expect(renderPlainBridge(some, summary)).toContain(
      `ask: Ask why: 2 of 3 suppliers whose emissions per revenue rose (+66 t in your footprint, ${Math.round((100 * 66) / sumOf(rises))}% of these rises): Own 1 +36 t, Own 2 +30 t`,
    );
    const sheet = bridgeSheets(some, summary, () => undefined).find(
      ({ name }) => name === 'Whom to ask',
    );
    const rows: unknown[] = [];
    for await (const row of sheet?.rows ?? []) rows.push(row);
    expect(JSON.stringify(rows).match(/"its emissions per revenue rose"/g)).toHaveLength(2);
    const one = bridgeMembers({ ...comparison, steps: [onlyFirst(comparison)] }, summary).ask.find(
      ({ why }) => why === 'rose',
    );
    expect(one && askText(one, 1, 't').what).toBe(
      'Ask why: 1 supplier whose emissions per revenue rose (+60 t in your footprint)',
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
    expect(page).toContain('>The largest changes, data changes included<');
    const [, largest = ''] = page.split('id="largest"');
    const rows = [
      ...(largest.split('</table>')[0] ?? '').matchAll(/<tr( class="screen")? data-find/g),
    ];
    expect(rows.length).toBeGreaterThan(4);
    expect(rows.map(([, hidden]) => hidden === undefined).lastIndexOf(true)).toBe(3);
  });

  it('names the largest supplier of the later year in every view, over all its items', () => {
    const said = 'Own 5 200 t, 22.1% of the footprint';
    expect(renderPlainBridge(comparison, summary)).toContain(
      `change Largest supplier of 2024: ${said}\n`,
    );
    expect(renderBridgePage(comparison, summary)).toContain(`Largest supplier of 2024: ${said}.<`);
    expect(bridgeSummary(comparison, summary).figures).toContainEqual([
      'Largest supplier of 2024',
      said,
    ]);
  });

  it('has the total without data changes in every table of totals', async () => {
    const view = { columns: 100, style: plainStyle, pictures: false };
    const { text } = await renderBridge(comparison, summary, view);
    const [, share] = /^Without data changes, your footprint (?:rose|fell) (\S+)/.exec(text) ?? [];
    expect(text).toMatch(new RegExp(`^  2024 without data changes .*[+−]${share} `, 'm'));
    expect(text).toMatch(/^ {2}2024 as calculated /m);
    const { figures = [] } = bridgeSummary(comparison, summary);
    const labels = figures.slice(0, 3).map(([label]) => label);
    expect(labels).toEqual([
      'footprint of 2023',
      'footprint of 2024 without data changes',
      'footprint of 2024 as calculated',
    ]);
    const [totals] = bridgeSheets(comparison, summary, () => undefined);
    const { path } = await write(totals as SheetContent);
    const rows = await readCells(path);
    expect(rows.map(([label]) => label)).toEqual([
      ...['Footprint', '2023', '2024 without data changes', '2024 as calculated'],
    ]);
    const [before, without] = rows.slice(1).map((row) => Number(row[1]));
    expect(Number(rows[2]?.[2])).toBeCloseTo((without ?? 0) / (before ?? 0) - 1, 12);
  });

  it('says of no effect that it is 0 if it is not', () => {
    const effects = step.effects.map((each, index) =>
      index === 0 ? { ...each, emissions: 0.01, share: 0.000_01 } : each,
    );
    const shares = effectRows({ ...step, effects }).flatMap(({ emissions, share }) =>
      emissions === 0.01 ? [share] : [],
    );
    expect(shares).toEqual([expect.any(Number)]);
    expect(shares).not.toContain(0);
  });

  it('has the spend of both years', () => {
    const { bridge: shown } = bridgeMembers(comparison, summary);
    expect(shown.steps).toMatchObject([
      { spend_before: { EUR: 5_580 }, spend_after: { EUR: 5_680 } },
    ]);
    expect(renderPlainBridge(comparison, summary)).toMatch(
      /\n2023: .*, spend_EUR 5580\n2024 without .*\n2024: .*, spend_EUR 5680\n/,
    );
    const page = renderBridgePage(comparison, summary);
    expect(page).toMatch(
      />2023<.*>5\.58K EUR<.*\n.*>2024 without data changes<.*\n.*>2024 as calculated<.*>5\.68K EUR</,
    );
  });
});
