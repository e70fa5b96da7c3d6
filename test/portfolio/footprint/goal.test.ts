import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { engage } from '../../../src/portfolio/footprint/goal.ts';
import { changesSince } from '../../../src/portfolio/footprint/goal-changes.ts';
import { parseGoal, shownPercent } from '../../../src/portfolio/footprint/goal-share.ts';
import { supplierRows } from '../../../src/portfolio/footprint/views/goal-suppliers.ts';
import { runs } from '../../support/seed.ts';
import { groupsOf, type Planned, sbti, today, toward } from './planned.ts';
import { footprint, own, record } from './portfolio.ts';

const names = (all: readonly { readonly supplier: { readonly name: string | null } }[]) =>
  all.map(({ supplier }) => supplier.name);

describe('parseGoal', () => {
  it.each([
    ['67', { percent: 67, of: 'emissions', year: null }],
    ['66.7 %', { percent: 66.7, of: 'emissions', year: null }],
    ['80% of emissions by 2028', { percent: 80, of: 'emissions', year: 2028 }],
    ['80% of suppliers by spend by FY2030', { percent: 80, of: 'spend', year: 2030 }],
    ['50 by Spend', { percent: 50, of: 'spend', year: null }],
    ['100', { percent: 100, of: 'emissions', year: null }],
  ])('reads %j', (text, goal) => {
    expect(parseGoal(text)).toEqual(goal);
  });

  it.each([
    ['two thirds', 'is not a share'],
    ['0', 'is not a share'],
    ['101', 'is not a share up to 100'],
    ['67 of suppliers', 'is not a share'],
    ['0.67', 'is less than 1%'],
  ])('rejects %j', (text, why) => {
    expect(() => parseGoal(text)).toThrow(why);
  });

  it('proposes the percentage for a fraction', () => {
    expect(() => parseGoal('0.67')).toThrow(
      expect.objectContaining({ hint: 'Did you mean --goal "67%"?' }),
    );
  });
});

describe('engage', () => {
  const mixed: readonly Planned[] = [
    { spend: 400, factor: 1, status: 'set' },
    { spend: 300, factor: 1, status: 'committed' },
    { spend: 200, factor: 1, status: 'removed' },
    { spend: 100, factor: 1, status: 'none' },
  ];

  it('counts only targets that are set, and shows what commitments and losses are worth', () => {
    expect(toward('60', mixed)).toMatchObject({
      reached: false,
      share: 0.4,
      if_committed: 0.7,
      lost: 0.2,
      to_go: 0.2,
      best: 1,
      supplierCount: 4,
    });
  });

  it('asks the largest first until the goal is reached, and nobody once it is', () => {
    const { ask } = toward('75', mixed);
    expect(ask.map(({ supplier, shareAfter }) => [supplier.name, shareAfter])).toEqual([
      ['Supplier 2', 0.7],
      ['Supplier 3', 0.9],
    ]);
    const reached = toward('40', mixed);
    expect(reached).toMatchObject({ reached: true, ask: [], without: { share: 0 } });
  });

  it('asks by ID if two suppliers are equally large', () => {
    const equal = [9, 5, 5].map((spend, at) => {
      return { spend, factor: 1, status: at === 0 ? 'set' : 'none' };
    });
    expect(names(toward('60', equal).ask)).toEqual(['Supplier 2']);
  });

  it('counts spend without emissions as average and as without a target', () => {
    const { share, known_share, uncovered } = toward('50', [
      { spend: 300, factor: 2, status: 'set' },
      { spend: 100, factor: 2, status: 'none' },
      { spend: 100, factor: 2 },
    ]);
    expect(known_share).toBe(0.75);
    expect(share).toBe(0.6);
    expect(uncovered).toEqual([{ currency: 'EUR', share: 0.2, isEstimated: true }]);
  });

  it('says how many times the average uncovered spend may emit', () => {
    const { holdsUpTo } = toward('50', [
      { spend: 300, factor: 2, status: 'set' },
      { spend: 100, factor: 2, status: 'none' },
      { spend: 100, factor: 2 },
    ]);
    expect(holdsUpTo).toBe((600 / 0.5 - 800) / 200);
  });

  it('has no share if nothing in a currency has emissions', () => {
    const goal = toward('50', [
      { spend: 300, factor: 2, status: 'set' },
      { spend: 100, factor: 2, currency: 'JPY' },
    ]);
    expect(goal).toMatchObject({ share: null, known_share: 1, reached: false, ask: [] });
    expect(goal.uncovered).toEqual([{ currency: 'JPY', share: 1, isEstimated: false }]);
    expect(names(goal.findOut)).toEqual(['Supplier 2']);
  });

  it('shows what to find out first if asking everybody is not enough', () => {
    const goal = toward('90', [...mixed, { spend: 100, factor: 1 }, { spend: 400, factor: 1 }]);
    expect(goal).toMatchObject({ isOutOfReach: true, ask: [], best: 1_000 / 1_500 });
    expect(goal.findOut.map(({ supplier, nextStep }) => [supplier.name, nextStep])).toEqual([
      ['Supplier 6', 'register it'],
      ['Supplier 5', 'register it'],
    ]);
  });

  it('counts rows without a supplier in the total, but never asks them', () => {
    const { share, suppliers, supplierCount } = toward('90', mixed, [
      { name: undefined, spend: '500' },
      { name: undefined, spend: '500' },
    ]);
    expect(share).toBe(0.2);
    expect(supplierCount).toBe(4);
    expect(suppliers).toHaveLength(5);
    expect(suppliers.at(-1)).toMatchObject({
      supplier: { id: null, name: null },
      nextStep: 'find out who it is',
      ask: null,
    });
  });

  it.each([
    ['first', [1, 2]],
    ['last', [2, 1]],
  ])('counts a supplier as synthetic if its %s record is', (_, [first, last]) => {
    const members = [
      { id: 1, name: 'Aare AG', sandbox: 'synthetic' },
      { id: 2, name: 'Brenta SpA' },
    ];
    const names = members.map(({ name }) => ({ value: name }));
    const { entries, summary } = footprint(
      [{ id: first }, { id: last }],
      members.map((each) => {
        const match = { matching_organization: { id: 9, name: 'Nine', names } };
        return record(each.id, [own(2024, [1, 1, 1])], { ...each, ...match });
      }),
    );
    const engagement = engage(entries, parseGoal('67'), { today });
    expect([engagement.supplierCount, engagement.synthetic]).toEqual([1, 1]);
    expect([summary.suppliers, summary.synthetic, summary.not_synthetic]).toEqual([1, 1, 1]);
    const rows = supplierRows({ engagement, since: undefined });
    expect(rows.map(({ synthetic }) => synthetic)).toEqual([true]);
  });

  it('needs one currency for a share of spend', () => {
    const both = [...mixed, { spend: 1, factor: 1, status: 'none', currency: 'USD' }];
    expect(toward('50% of spend', mixed).share).toBe(0.4);
    expect(() => toward('50% of spend', both)).toThrow('the file has EUR and USD');
  });

  it('counts a target without emissions by spend only', () => {
    const suppliers = [
      { spend: 100, factor: 1, status: 'none' },
      { spend: 100, factor: 0, status: 'set', research: 'errored' },
    ];
    const { share, by_spend, doubts } = toward('50', suppliers);
    expect([share, by_spend]).toEqual([0, 0.5]);
    expect(doubts.map(({ doubt }) => doubt)).toEqual(['no_emissions']);
  });

  it.each([
    ['50% by 2028', ['Supplier 1']],
    ['50% by 2027', []],
    ['50%', []],
  ])('names the targets whose text ends before the year of the goal %s', (text, expected) => {
    const { doubts } = toward(text, [
      { spend: 40, factor: 1, status: 'set', detail: '42% by 2027 from a 2019 base year' },
      { spend: 30, factor: 1, status: 'set', detail: '42% by FY2028 from a 2019 base year' },
      { spend: 20, factor: 1, status: 'set', detail: 'net-zero' },
      { spend: 10, factor: 1, status: 'removed', detail: '42% by 2027' },
    ]);
    const found = doubts.filter(({ doubt }) => doubt === 'short_text');
    expect(found.flatMap((each) => names(each.suppliers))).toEqual(expected);
    expect(found.map(({ share }) => share)).toEqual(expected.map(() => 0.4));
  });

  it.each([
    ['old_text', { detail: '30% by 2025 from 2018' }, 'ask if the target still holds'],
    ['old_check', { checkedAt: '2026-05-27' }, 'look it up at SBTi again'],
  ])('names a target with weak evidence: %s', (doubt, evidence, step) => {
    const { doubts, suppliers } = toward('50', [
      { spend: 40, factor: 1, status: 'set', ...evidence },
      { spend: 60, factor: 1, status: 'set', detail: '42% by FY2030', checkedAt: '2026-05-28' },
    ]);
    expect(doubts.map((each) => [each.doubt, each.share, names(each.suppliers)])).toEqual([
      [doubt, 0.4, ['Supplier 1']],
    ]);
    expect(new Set(suppliers.map(({ nextStep }) => nextStep))).toEqual(new Set([null, step]));
  });
});

const goalOf = (percent: number) => parseGoal(String(percent));

describe('evidence of any status', () => {
  it('is weak if the look-up is old, or before the day of the SBTi record', () => {
    const suppliers: readonly Planned[] = [
      { spend: 40, factor: 1, status: 'removed', checkedAt: '2026-05-27' },
      { spend: 60, factor: 1, status: 'committed', checkedAt: '2026-11-01', since: '2026-11-02' },
    ];
    const { doubts } = toward('50', suppliers);
    expect(doubts.map((each) => [each.doubt, names(each.suppliers)])).toEqual([
      ['old_check', ['Supplier 1']],
      ['late_record', ['Supplier 2']],
    ]);
  });
});

describe('shownPercent', () => {
  it('is the nearest number, but never a goal that the share does not reach', () => {
    const shown = [0.669_6, 0.67, 0.712_5, 0.345_99, 0.001_5, 0.669_4];
    expect(shown.map((share) => shownPercent(share, goalOf(67)))).toEqual([
      66.9, 67, 71.3, 34.6, 0.2, 66.9,
    ]);
    expect(shownPercent(0.999_96, goalOf(100))).toBe(99.9);
    expect(shownPercent(0.669_44, goalOf(66.95))).toBe(66.9);
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ max: 1_000, min: 10 }),
        (share, tenths) => {
          const percent = shownPercent(share, goalOf(tenths / 10));
          const isReached = share >= tenths / 1_000 - 1e-11;
          if (!isReached) expect(percent).toBeLessThan(tenths / 10);
          const isNear = Math.abs(percent - 100 * share) <= 0.05 + 1e-9;
          expect(isNear || (!isReached && 100 * share > tenths / 10 - 0.1)).toBe(true);
        },
      ),
    );
  });
});

describe('engage, for random suppliers', { tags: ['property'] }, () => {
  const statuses = ['set', 'committed', 'removed', 'none', undefined] as const;
  const planned = fc.record({
    spend: fc.integer({ min: 1, max: 1_000 }),
    factor: fc.integer({ min: 1, max: 50 }),
    status: fc.constantFrom(...statuses),
  });
  const portfolios = fc.array(planned, { minLength: 1, maxLength: 12 });
  const goals = fc.integer({ min: 1, max: 100 });

  it('never has a cautious share above the known one, and an equal one if all is covered', () => {
    fc.assert(
      fc.property(portfolios, goals, (suppliers, goal) => {
        const { share, known_share } = toward(String(goal), suppliers);
        if (share === null || known_share === null) return;
        expect(share).toBeLessThanOrEqual(known_share);
        if (suppliers.every(({ status }) => status)) expect(share).toBe(known_share);
      }),
    );
  });

  it('asks the fewest suppliers', () => {
    fc.assert(
      fc.property(portfolios, goals, (suppliers, goal) => {
        const { ask, reached, isOutOfReach, share } = toward(String(goal), suppliers);
        const known = suppliers.filter(({ status }) => status);
        const emissions = (all: readonly Planned[]) =>
          all.reduce((sum, { spend, factor }) => sum + spend * factor, 0);
        const spend = (all: readonly Planned[]) => all.reduce((sum, each) => sum + each.spend, 0);
        if (share === null) return;
        const total = (emissions(known) * spend(suppliers)) / spend(known);
        const set = emissions(known.filter(({ status }) => status === 'set'));
        const others = known.filter(({ status }) => status !== 'set');
        const isEnough = (some: readonly Planned[]) =>
          (set + emissions(some)) / total >= goal / 100 - 1e-12;
        let fewest = Infinity;
        for (let subset = 0; subset < 2 ** others.length; subset++) {
          const some = others.filter((_, at) => subset & (1 << at));
          if (some.length < fewest && isEnough(some)) fewest = some.length;
        }
        expect(reached).toBe(fewest === 0);
        expect(isOutOfReach).toBe(fewest === Infinity);
        expect(ask).toHaveLength(fewest === Infinity ? 0 : fewest);
      }),
    );
  });

  it('asks the fewest to reach the goal also if targets that end before its year lapse', () => {
    const details = ['42% by 2027', '42% by 2028', 'net-zero'] as const;
    const dated = fc.record({
      spend: fc.integer({ min: 1, max: 1_000 }),
      factor: fc.integer({ min: 1, max: 50 }),
      status: fc.constantFrom('set', 'set', ...statuses.slice(1, 4)),
      detail: fc.constantFrom(...details),
    });
    const isShort = ({ status, detail }: Planned) => status === 'set' && detail === details[0];
    let planned = 0;
    fc.assert(
      fc.property(fc.array(dated, { minLength: 1, maxLength: 9 }), goals, (suppliers, goal) => {
        const { ask, ifLapsed, isOutOfReach } = toward(`${goal} by 2028`, suppliers);
        expect(ifLapsed !== null).toBe(suppliers.some(isShort));
        if (ifLapsed === null || isOutOfReach) return;
        const emissions = (all: readonly Planned[]) =>
          all.reduce((sum, { spend, factor }) => sum + spend * factor, 0);
        const total = emissions(suppliers);
        const isEnough = (some: readonly Planned[]) =>
          emissions(some) / total >= goal / 100 - 1e-12;
        const set = suppliers.filter(({ status }) => status === 'set');
        const lasting = set.filter((each) => !isShort(each));
        let fewest = Infinity;
        for (let subset = 0; subset < 2 ** suppliers.length; subset++) {
          const asked = suppliers.filter(
            (each, at) => subset & (1 << at) && !lasting.includes(each),
          );
          const others = asked.filter((each) => !set.includes(each));
          const reachesBoth = isEnough([...set, ...others]) && isEnough([...lasting, ...asked]);
          if (reachesBoth) fewest = Math.min(fewest, asked.length);
        }
        expect(ask.length + ifLapsed.ask.length).toBe(fewest);
        planned += ifLapsed.ask.length;
        const lost = emissions(suppliers.filter(isShort)) / total;
        expect(ifLapsed.share).toBeCloseTo(lost, 12);
        const last = ifLapsed.ask.at(-1)?.shareAfter ?? ifLapsed.after.at(-1) ?? ifLapsed.without;
        expect(last).toBeGreaterThanOrEqual(goal / 100 - 1e-12);
      }),
      { numRuns: runs(400) },
    );
    expect(planned).toBeGreaterThan(0);
  });

  it('depends on no order of the rows', () => {
    fc.assert(
      fc.property(portfolios, goals, (suppliers, goal) => {
        const rows = suppliers.map(({ spend }, at) => ({ id: at + 1, spend: String(spend) }));
        const records = suppliers.flatMap((each, at) => {
          const { status, factor } = each;
          return status ? [record(at + 1, [own(2024, [1_000 * factor, 0, 0])], sbti(each))] : [];
        });
        const [one, other] = [rows, rows.toReversed()].map((all) => {
          const { entries } = footprint(all, records, { boundary: 'scope-1-2' });
          const {
            suppliers: list,
            ask,
            ...figures
          } = engage(entries, parseGoal(String(goal)), {
            today,
          });
          const listed = list.map(({ supplier, share, ask: place }) => [supplier.id, share, place]);
          return { ...figures, listed, doubts: figures.doubts.length, findOut: ask.length };
        });
        expect(one).toEqual(other);
      }),
    );
  });
});

describe('changesSince', () => {
  const before: readonly Planned[] = [
    { spend: 30, factor: 1, status: 'committed' },
    { spend: 25, factor: 1, status: 'set' },
    { spend: 20, factor: 1, status: 'none' },
    { spend: 15, factor: 1, status: 'none' },
    { spend: 10, factor: 1 },
  ];
  const statuses = ['set', 'removed', 'committed', 'set', 'set'];
  const after = before.map((each, at) => ({ ...each, status: statuses[at] }));
  const goal = toward('67', after);

  it('divides the change of the share by what happened to each supplier', () => {
    const { changes, statuses: _, ...sums } = changesSince(goal, groupsOf(before));
    expect(sums.shareThen).toBeCloseTo(0.25, 12);
    expect(sums).toMatchObject({ lost: -0.25, not_known: 0.1, other_organization: 0 });
    expect(sums.newly_set).toBeCloseTo(0.45, 12);
    expect(
      changes.map(({ supplier, statusThen, kind, share }) => {
        return [supplier.supplier.name, statusThen, supplier.status, kind, share];
      }),
    ).toEqual([
      ['Supplier 1', 'committed', 'set', 'newly_set', 0.3],
      ['Supplier 2', 'set', 'removed', 'lost', -0.25],
      ['Supplier 4', 'none', 'set', 'newly_set', 0.15],
      ['Supplier 5', null, 'set', 'not_known', 0.1],
      ['Supplier 3', 'none', 'committed', null, null],
    ]);
  });

  it('says what to do first about what changed', () => {
    const lost = before.map((each) => ({ ...each, status: 'set' }));
    const now = ['removed', 'committed', 'none', 'set', 'other text'];
    const engaged = toward(
      '67',
      lost.map((each, at) => ({ ...each, status: now[at] })),
    );
    const stepsOf = (then: Parameters<typeof changesSince>[1]) => [
      ...changesSince(engaged, then).nextSteps.values(),
    ];
    expect(stepsOf(groupsOf(lost))).toEqual([
      'ask why it was removed, and for a new near-term target',
      'ask why, and when SBTi validates it',
      'ask why, and for a near-term target',
      null,
      'ask why, and look up the status at SBTi',
    ]);
    const others = groupsOf(lost).map((group) => ({
      ...group,
      record: group.record && { ...group.record, matched: { id: 99, name: 'Other' } },
    }));
    expect(new Set(stepsOf(others))).toEqual(new Set(['check the match first']));
    const same = engaged.suppliers.flatMap(({ entries }) => entries.map(({ group }) => group));
    expect(stepsOf(same)).toEqual(engaged.suppliers.map(({ nextStep }) => nextStep));
    expect(changesSince(engaged, others).changes).toHaveLength(5);
  });

  it('does not call it a change of the supplier if another organization is matched', () => {
    const then = groupsOf(before).map((group) => ({
      ...group,
      record: group.record && { ...group.record, matched: { id: 99, name: 'Other' } },
    }));
    expect(changesSince(goal, then)).toMatchObject({
      newly_set: 0,
      lost: 0,
      not_known: 0.1,
    });
    expect(changesSince(goal, then).other_organization).toBeCloseTo(0.2, 12);
  });
});
