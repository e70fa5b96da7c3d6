import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from '../../../../src/display/page/html.ts';
import { kindOf } from '../../../../src/display/query/kinds.ts';
import { plainStyle } from '../../../../src/display/terminal/style.ts';
import { engage } from '../../../../src/portfolio/footprint/goal.ts';
import { changesSince } from '../../../../src/portfolio/footprint/goal-changes.ts';
import { parseGoal } from '../../../../src/portfolio/footprint/goal-share.ts';
import type { GoalResult } from '../../../../src/portfolio/footprint/measure-goal.ts';
import {
  goalMembers,
  goalSheets,
  goalSummary,
  renderGoal,
  renderPlainGoal,
} from '../../../../src/portfolio/footprint/views/goal.ts';
import { goalNoteParts, goalNotes } from '../../../../src/portfolio/footprint/views/goal-notes.ts';
import { renderGoalPage } from '../../../../src/portfolio/footprint/views/goal-page.ts';
import {
  goalAnswers,
  goalStatements,
} from '../../../../src/portfolio/footprint/views/goal-statements.ts';
import {
  supplierColumns,
  supplierRows,
} from '../../../../src/portfolio/footprint/views/goal-suppliers.ts';
import { changesTable } from '../../../../src/portfolio/footprint/views/goal-tables.ts';
import { unmatchedStep } from '../../../../src/portfolio/organizations/correction.ts';
import { invalidInput } from '../../../../src/runtime/carbon-error.ts';
import { withoutOptions } from '../../../support/markup.ts';
import { screenText } from '../../../support/screen.ts';
import { footprintOf, groupsOf, type Planned, sbti, today, toward } from '../planned.ts';
import { footprint, industry, own, record } from '../portfolio.ts';

const goalSentences = (result: GoalResult) => goalStatements(result).map(({ text }) => text);

const screenOf = (summary: Parameters<typeof renderGoal>[0], result: GoalResult) =>
  screenText(renderGoal(summary, result, { style: plainStyle, columns: 80 }, { list: () => '' }));

const membersOf = (result: GoalResult) =>
  goalMembers(result, { implausible_kg_per_spend: {}, unit: null, years: [], largest: [] });

function resultOf(goal: string, suppliers: readonly Planned[]) {
  return { engagement: toward(goal, suppliers), since: undefined, today, year: 2024 };
}

const commandWith = (words: readonly string[]) => ['carbon', ...words].join(' ');

describe.each(['emissions', 'spend'])('a goal of %s', (of) => {
  const planned: readonly Planned[] = [
    { spend: 66_666, factor: 1, status: 'set' },
    { spend: 33_334, factor: 1, status: 'none' },
  ];
  const result = resultOf(`70% of ${of}`, planned);
  const { summary } = footprintOf(planned);
  const label = `share of ${of === 'spend' ? 'spend' : 'known emissions'}`;
  const heading = `share of the ${of} with a validated target`;

  it('rounds the shares that are compared with it to the nearest everywhere', async () => {
    const text = renderPlainGoal(summary, result);
    expect(text).toContain(`\n${label}: 66.7%\n`);
    expect(text).toContain(of === 'spend' ? 'spend 66.7%\n' : 'emissions 66.7%,');
    expect(goalSummary(summary, result, commandWith).figures).toContainEqual([
      ...[heading, 0.666_66, null, 'percent'],
    ]);
    const [sheet] = goalSheets(result);
    const rows: unknown[] = [];
    for await (const row of sheet?.rows ?? []) rows.push(row);
    expect(rows[0]).toEqual(['target validated', 1, 0.666_66, 0.666_66]);
  });

  it('says in a workbook and on a page the whole command that shows who changed since a day', () => {
    const then = groupsOf(planned.map((each) => ({ ...each, status: 'none' })));
    const changes = changesSince(result.engagement, then);
    const moved = { ...result, direction: { day: '2024-02-01', isFirst: true, changes } };
    const hint = 'To see who changed since 1 Feb 2024,';
    const { parts, answers } = goalSummary(summary, moved, commandWith);
    expect(JSON.stringify(parts)).toContain(`${hint} run carbon --since 2024-02-01"`);
    const text =
      '+66.7 percentage points since 1 Feb 2024, the first day of your records, when it was 0.0% (set a target: Supplier 1).';
    expect(answers?.map((each) => each.text)).toContain(text);
    const page = renderGoalPage(summary, moved, undefined, commandWith);
    expect(page).toContain(text);
    expect(page).toContain(`>${hint} run carbon <span class="option">--since 2024-02-01</span><`);
    expect(page).not.toContain('add --since');
    expect(withoutOptions(renderGoalPage(summary, moved))).toContain(
      `${hint} add --since 2024-02-01.<`,
    );
  });

  it('never rounds them to a goal that they miss', async () => {
    const missed = resultOf(`66.7% of ${of}`, planned);
    const text = renderPlainGoal(summary, missed);
    expect(text).toContain(`\n${label}: 66.6%\n`);
    expect(text).toContain('\nreached: no\n');
    expect(text).toContain('percentage points to go: 0.1\n');
    expect(goalSummary(summary, missed, commandWith).figures).toContainEqual([
      heading,
      0.666,
      null,
      'percent',
    ]);
    const [sheet] = goalSheets(missed);
    const rows: unknown[] = [];
    for await (const row of sheet?.rows ?? []) rows.push(row);
    const [compared, other] = [0.666, 0.666_66];
    const shown = of === 'spend' ? [other, compared] : [compared, other];
    expect(rows[0]).toEqual(['target validated', 1, ...shown]);
  });
});

describe('how sure a goal is', () => {
  const detail = 'The organization commits to cut emissions by 2026.';
  const target = (at: number, planned: object) => ({
    name: `Supplier ${at}`,
    ...sbti({ spend: 0, factor: 0, status: 'set', ...planned }),
  });
  /* With a target: 100 of its own, and a tenth of `average` by an average. Without: 100. */
  const mixed = (average: number, planned: object = {}, goal = '90 by 2030') => {
    const spends = [1_000, average, 1_000];
    const made = footprint(
      spends.map((spend, at) => ({ name: `Supplier ${at}`, id: at + 1, spend: String(spend) })),
      [
        record(1, [own(2024, [60, 30, 10])], target(0, planned)),
        record(2, [], { ...target(1, planned), ...industry([2024, 0.1]) }),
        record(3, [], { name: 'Supplier 2', ...industry([2024, 0.1]) }),
      ],
      { upstreamFactor: 'additive' },
    );
    const engagement = engage(made.entries, parseGoal(goal), { today });
    const result = { engagement, since: undefined, today, year: 2024 };
    return { result, page: renderGoalPage(made.summary, result) };
  };

  it('begins with synthetic data, which nobody may quote', () => {
    const { result } = mixed(500);
    const textsOf = (synthetic: number) => {
      const engagement = { ...result.engagement, industryShare: 0.5, synthetic };
      return goalStatements({ ...result, engagement }).flatMap(({ rule, text }) =>
        rule === 'limit' || rule === 'certainty' ? text : [],
      );
    };
    const [say = '', ...others] = textsOf(0);
    expect(say).toMatch(/^When quoting, say that 20\.0 of the 60\.0 points rest on /);
    expect(textsOf(1)).toEqual([
      'Do not quote it: synthetic data.',
      say.replace('When quoting', 'With real data'),
      ...others,
    ]);
  });

  it('says how many points of the share are from industry averages', () => {
    const { result, page } = mixed(3_000);
    expect(membersOf(result).share_on_averages).toBeCloseTo(300 / 500, 12);
    const mostly = [
      'Good for choosing whom to ask first, not for quoting: 80% of the emissions are industry averages (60.0 of the 80.0 points).',
      'What is unknown may decide it: if every supplier of unknown status had a target, it would be 100.0%, enough.',
      'All emissions bought from a supplier with a target count, whatever scopes it covers.',
    ];
    expect(goalSentences(result)).toEqual(expect.arrayContaining(mostly));
    for (const each of mostly) expect(page).toContain(`<p>${each}</p>`);
    expect(page).toMatch(
      /<dd class="soft">after looking up at SBTi: Supplier 2, then 100\.0%<\/dd>/,
    );
    // Below half of all emissions, it says only how many points.
    const partly = (planned: object = {}, goal?: string) => {
      const { result: mostlyAverages } = mixed(500, planned, goal);
      const engagement = { ...mostlyAverages.engagement, industryShare: 0.5 };
      return goalSentences({ ...mostlyAverages, engagement }).join(' ');
    };
    const points = '20.0 of the 60.0 points rest on industry averages';
    expect(partly()).toContain(
      `${points}. What is unknown may decide it: if every supplier of unknown status`,
    );
    expect(partly({}, '60')).toMatch(
      new RegExp(`${points}\\. All emissions bought [^.]*\\. Without`),
    );
    expect(partly({ checkedAt: '2026-05-01' })).toContain(
      `${points}, and that all 60.0 points rest on SBTi look-ups more than six months old (of all emissions, 60% do).`,
    );
    expect(goalSentences(mixed(0).result).join()).toContain(
      'No part of it rests on industry averages.',
    );
    expect(membersOf(mixed(3_000, {}, '90 of spend').result).share_on_averages).toBeNull();
  });

  it('never says that more points than the share are from averages, nor all if some are not', () => {
    const near = /Good for choosing whom.*\(almost all of the 99\.9 points\)/;
    // 100 of its own, and 99,980,000 of averages with a target: 99.98 of 99.98…; the rest is 100.
    const { result } = mixed(999_800_000, {}, '100 by 2030');
    expect(goalSentences(result).join()).toMatch(near);
    // 66.96 of 66.97 points, which are shown as 66.9 below the goal of 67.
    const below = mixed(1, {}, '67 by 2030').result;
    const shares = { share: 0.6697, share_on_averages: 0.6696, industryShare: 0.5 };
    const engagement = { ...below.engagement, ...shares };
    expect(goalSentences({ ...below, engagement }).join()).toContain(
      'almost all of the 66.9 points rest on industry averages',
    );
    const all = { ...engagement, share_on_averages: 0.6697 };
    expect(goalSentences({ ...below, engagement: all }).join()).toContain(
      'all 66.9 points rest on industry averages',
    );
  });

  it('stands below the title, what changes no answer after the table with the texts', () => {
    const note = 'Only validated near-term targets count';
    const { result, page } = mixed(3_000, { detail });
    expect(goalNotes(result).join()).not.toContain(note);
    expect(goalNoteParts(result).reading.join()).toContain(note);
    expect(page).toContain(`<td class=long>${detail}`);
    // The bar of the shares is in the first screen.
    const [bar, warnings] = ['<svg class="stack"', '<ul class="warnings">'].map((part) =>
      page.indexOf(part),
    );
    expect([bar, warnings]).not.toContain(-1);
    expect(bar).toBeLessThan(warnings ?? 0);
    // What changes no answer stands after the table.
    const further = page.indexOf('>Further notes</h2>');
    expect(further).toBeGreaterThan(page.indexOf('All suppliers'));
    for (const said of goalNotes(result)) expect(page).toContain(String(html`${said}.`.text));
    const how = page.indexOf('<h2>How to read this page</h2>');
    expect(page.indexOf(String(html`${note}`.text))).toBeGreaterThan(how);
    expect(page.split(String(html`${note}`.text))).toHaveLength(2);
    expect(page.indexOf('of the emissions are industry averages')).toBeLessThan(further);
  });
});

describe('targets that count on an old look-up', () => {
  const [old, fresh] = ['2026-01-01', '2026-10-30'];
  const planned: readonly Planned[] = [
    { spend: 300, factor: 1, status: 'set', checkedAt: old },
    { spend: 100, factor: 1, status: 'set', checkedAt: fresh },
    { spend: 20, factor: 1, status: 'set', checkedAt: old },
    { spend: 580, factor: 1, status: 'none', checkedAt: old },
  ];
  const stepsOf = (all: readonly Planned[]) =>
    membersOf(resultOf('67', all)).statements.flatMap(({ rule, text }) =>
      rule === 'lookups' ? text : [],
    );

  it('are to be looked up again, unless they are a small part', () => {
    expect(membersOf(resultOf('67', planned)).share_on_old_lookups).toBeCloseTo(0.32, 12);
    expect(stepsOf(planned)).toEqual([
      'Look up Supplier 1 and Supplier 3 again at sciencebasedtargets.org/target-dashboard: their targets count (32.0 of the 42.0 points), but were last looked up more than six months ago. If SBTi shows another status, tell the service, then run carbon sync: the share changes with the record.',
    ]);
    expect(stepsOf(planned.slice(1))).toEqual([]);
    expect(goalSentences(resultOf('67', planned)).join()).toContain(
      '32.0 of the 42.0 points rest on SBTi look-ups more than six months old (of all emissions, 90% do)',
    );
  });
});

describe('targets whose texts name no year as late as that of the goal', () => {
  const planned: readonly Planned[] = [
    { spend: 300, factor: 1, status: 'set', detail: '42% by 2030 from 2020' },
    { spend: 100, factor: 1, status: 'set', detail: '35% by 2027 from 2019' },
    { spend: 50, factor: 1, status: 'set', detail: '35% by 2020 from 2015' },
    { spend: 350, factor: 1, status: 'none' },
    { spend: 200, factor: 1, status: 'none' },
  ];
  const textsOf = (rule: string) => (goal: string) =>
    membersOf(resultOf(goal, planned)).statements.flatMap((each) =>
      each.rule === rule ? each.text : [],
    );
  const [words, asked] = [textsOf('scenarios'), textsOf('ask')];

  it('count in the last year of their texts, as a step says, otherwise a note', () => {
    const noteOf = (goal: string) => goalNotes(resultOf(goal, planned)).join('\n');
    const note =
      '10.0% of the emissions: targets that end in 2027, by the latest year in their texts, count in 2027 but not after (Supplier 2)';
    expect(noteOf('67 by 2027')).not.toContain('but not after');
    const { engagement, ...others } = resultOf('67 by 2027', planned);
    // Without a share, there are no points to say in a step.
    expect(goalNotes({ ...others, engagement: { ...engagement, share: null } })).toContain(note);
    const step =
      'Ask Supplier 2 for a later target: by its text, its target ends in 2027 (10.0 of the 45.0 points).';
    expect(asked('67 by 2027')).toContain(step);
    // The first screen of a terminal has it: a step may stand after those that it shows.
    expect(
      goalAnswers(resultOf('67 by 2027', planned)).find(({ rule }) => rule === 'ending'),
    ).toMatchObject({
      isDetail: false,
      text: '10.0 of the 45.0 points count in 2027, but not after: Supplier 2 needs a later target.',
    });
    // The table of suppliers has the same step, for readers who work with it alone.
    const nextOf = (goal: string) =>
      supplierRows(resultOf(goal, planned)).find(({ supplier }) => supplier === 'Supplier 2')
        ?.next_step;
    expect(nextOf('67 by 2027')).toBe('ask for a target beyond 2027');
    expect([nextOf('67 by 2026'), nextOf('67')]).toEqual([null, null]);
    for (const goal of ['67 by 2028', '67 by 2026', '67']) {
      expect(noteOf(goal)).not.toContain('but not after');
      expect(asked(goal)).not.toContain(step);
    }
  });

  it('may lapse: says what becomes of the share, and whom else to ask then', async () => {
    const lapse = (rest = '') => [
      `45.0% by your records; 30.0% if targets that end before 2028 lapse${rest}.`,
    ];
    const inCase = 'in case targets that end before 2028 lapse';
    const later =
      'Ask Supplier 2 for a later target: by its text, its target ends before 2028 (10.0 of the 45.0 points).';
    for (const goal of ['67 by 2028', '80 by 2028']) {
      expect(words(goal)).toEqual(lapse());
      expect(asked(goal)).toEqual([
        `Ask Supplier 4 for a near-term target: 80.0% if it gets a validated target and no other lapses.`,
        `Ask Supplier 5, too, ${inCase}: 85.0% even then.`,
        later,
      ]);
    }
    expect(words('90 by 2028')).toEqual(lapse());
    expect(asked('90 by 2028')).toEqual([
      `Ask Supplier 4 and Supplier 5 for near-term targets: 100.0% if both get a validated target and no other lapses.`,
      `Ask Supplier 2, too, for a target beyond 2027, ${inCase}: 95.0% even then.`,
    ]);
    expect(words('65 by 2028')).toEqual(lapse(', 65.0% with those to ask: still enough'));
    expect(words('40 by 2028')).toEqual(lapse());
    expect(asked('40 by 2028')).toEqual([`Ask Supplier 4, ${inCase}: 65.0% even then.`, later]);
    expect(words('67')).toEqual([]);
    const result = resultOf('90 by 2028', planned);
    const { ask, short_texts: short } = membersOf(result);
    expect(ask.map(({ supplier }) => supplier)).toEqual(['Supplier 4', 'Supplier 5']);
    expect(short).toMatchObject({
      suppliers: [{ supplier: 'Supplier 2' }, { supplier: 'Supplier 3' }],
      ask: [{ supplier: 'Supplier 2', next_step: 'ask for a target beyond 2027' }],
    });
    const shares = [short?.share, short?.without, short?.share_after, short?.ask[0]?.share_after];
    expect(shares.map((each) => Math.round(1_000 * (each ?? 0)))).toEqual([150, 300, 850, 950]);
    const { summary } = footprintOf(planned);
    const page = renderGoalPage(summary, result);
    const step = 'Ask Supplier 4 and Supplier 5 for near-term targets: ';
    expect(page.split(step)).toHaveLength(2);
    expect(renderGoalPage(summary, result, 'Title').split(step)).toHaveLength(2);
    expect(page).toContain('>adds 10.0 points → 95.0%<');
    expect(page).toContain(' · ask for a target beyond 2027<');
    // Each says what to ask, and no list above them.
    expect(page.match(/ · ask for a near-term target<\/span><\/li>/g)).toHaveLength(2);
    expect(page).not.toContain('No target: ask');
    // Those to ask only then are no part of the first number, and begin at another share.
    expect(page).toMatch(/<dt>To ask next, at least<\/dt><dd[^>]*>(?:<[^>]*>)*2</);
    expect(page).toContain('; 3 if targets that end before 2028 lapse<');
    expect(page).toContain('>Ask these 2 next, and 1 more in case targets lapse<');
    const [apart, second, also] = [
      '<p class="above">If targets that end before 2028 lapse, the 2 above come to 85.0%; then ask also:</p>',
      '>adds 20.0 points → 100.0%<',
      '>adds 10.0 points → 95.0%<',
    ].map((each) => page.indexOf(each));
    expect([second, apart, also]).toEqual([second, apart, also].toSorted((a = 0, b = 0) => a - b));
    expect(second).toBeGreaterThan(0);
    const inCaseOnly = renderGoalPage(summary, resultOf('40 by 2028', planned));
    expect(inCaseOnly).toContain('>Ask this supplier in case targets lapse<');
    expect(inCaseOnly).toContain(
      '<p class="above">If targets that end before 2028 lapse, it is 30.0%; then ask:</p>',
    );
    expect(renderGoalPage(summary, resultOf('80 by 2028', planned))).toContain(
      ' lapse, the one above comes to 65.0%; then ask also:</p>',
    );
    expect(renderGoalPage(summary, resultOf('65 by 2028', planned))).toContain(
      '>Ask this supplier next<',
    );
    expect(page).toContain(
      '10.0% of the emissions: targets that end before 2028, by the latest year in their texts (',
    );
    expect(renderPlainGoal(summary, result)).toContain(
      'ask next 3: Supplier 2, share 10.0%, then 100.0%, if lapsed 95.0%, target set, next step ask for a target beyond 2027\n',
    );
    expect(await screenOf(summary, result)).toMatch(
      /^ {2}3 {2}Supplier 2 +10\.0% +100\.0% +95\.0% +ask for a target beyond 2027$/m,
    );
    // Reached today, but not without the targets that may lapse.
    const reached = renderPlainGoal(summary, resultOf('40 by 2028', planned));
    expect(reached).toContain('ask next 1: Supplier 4, share 35.0%, then 80.0%, if lapsed 65.0%, ');
    expect(await screenOf(summary, resultOf('40 by 2028', planned))).toMatch(
      /^Ask next {2}1 reaches 65\.0% even if targets end before 2028$/m,
    );
    const rows = supplierRows(result);
    expect(rows.map(({ ask: place }) => place)).toEqual([1, null, 2, null, null]);
    expect(rows.map((row) => row.ask_if_lapsed)).toEqual([null, null, null, 3, null]);
    expect(page).toMatch(/Supplier 2<.*>3 ?<[^>]*>\*</);
    expect(page).toContain('* in Ask: only if targets lapse.');
    expect(supplierRows(result).find(({ supplier }) => supplier === 'Supplier 3')?.next_step).toBe(
      'ask if the target still holds, and for a target beyond 2027',
    );
  });
});

describe('the years of figures', () => {
  it('stand below the title and in the method, by basis', () => {
    const ofYears = (own1: number, own2: number, averages: number) => {
      const made = footprint(
        [1, 2, 3].map((id) => ({ name: `Supplier ${id}`, id, spend: '1000', year: 2025 })),
        [
          record(1, [own(own1, [60, 30, 10])], { name: 'Supplier 1' }),
          record(2, [own(own2, [60, 30, 10])], { name: 'Supplier 2' }),
          record(3, [], { name: 'Supplier 3', ...industry([averages, 0.1]) }),
        ],
        { upstreamFactor: 'additive' },
      );
      const engagement = engage(made.entries, parseGoal('67'), { today });
      return renderGoalPage(made.summary, { engagement, since: undefined, today, year: 2025 });
    };
    const words = 'own figures of 2025, one of 2023 (Supplier 1); industry averages of 2024';
    const page = ofYears(2023, 2025, 2024);
    expect(page).toContain(
      `<p>${words.replace('own', 'Own')} · own figures: cradle-to-gate; industry averages: boundary unknown · `,
    );
    expect(page).toContain(`at most 5 years older: ${words}<`);
    expect(ofYears(2024, 2024, 2024)).toContain('<p>All figures of 2024 · own figures: ');
    expect(ofYears(2023, 2024, 2024)).toContain('Own figures of 2023 to 2024; ');
  });
});

describe('shares of a goal in one sentence or row', () => {
  /* 55.14% set, 1.54% committed: 56.68% together; then 5.24% and 5.14% to ask. */
  const planned: readonly Planned[] = [
    { spend: 5_514, factor: 1, status: 'set' },
    { spend: 154, factor: 1, status: 'committed' },
    { spend: 524, factor: 1, status: 'removed' },
    { spend: 514, factor: 1, status: 'none' },
    ...Array.from({ length: 25 }, (): Planned => ({ spend: 131.76, factor: 1, status: 'none' })),
  ];
  const result = resultOf('67', planned);
  const { summary } = footprintOf(planned);
  const tenths = (text: string | undefined) => Math.round(10 * Number(text));

  it('add up: today, the commitments, and both together', async () => {
    const page = renderGoalPage(summary, result);
    const [, now, both] = /([\d.]+)% validated, ([\d.]+)% with the commitments/.exec(page) ?? [];
    expect([now, both]).toEqual(['55.1', '56.7']);
    const [, committed] = /<b>([\d.]+)%<\/b> [^<]*<a[^>]*>committed</.exec(page) ?? [];
    expect(tenths(now) + tenths(committed)).toBe(tenths(both));
    const text = renderPlainGoal(summary, result);
    expect(text).toMatch(/^target set: .*emissions 55\.1%/m);
    expect(text).toMatch(/^target committed: .*emissions 1\.6%/m);
    expect(text).toMatch(/^if every commitment is validated: 56\.7%$/m);
  });

  it('are one figure for a supplier everywhere, with sums of the exact ones', () => {
    const text = renderPlainGoal(summary, result);
    const asked = [...text.matchAll(/^ask next \d+: .*share ([\d.]+)%, then ([\d.]+)%/gm)];
    expect(asked.length).toBeGreaterThan(2);
    expect(asked.map(([, part]) => part).slice(0, 3)).toEqual(['5.2', '5.1', '1.5']);
    expect(asked.map(([, , then]) => then).slice(0, 3)).toEqual(['60.4', '65.5', '67.1']);
    expect(text).toMatch(/^removed 1: Supplier 3, share 5\.2%$/m);
  });

  it('add up: what changed since a day, in percentage points', () => {
    const then = planned.map((each, at) => (at < 3 ? { ...each, status: 'none' } : each));
    const changes = changesSince(result.engagement, groupsOf(then));
    const since = { day: '2026-10-01', changes, dates: summary };
    const text = renderPlainGoal(summary, { ...result, since });
    expect(text).toMatch(
      /^statement: Trend: \+55\.1 percentage points since the records of 1 Oct 2026, when it was 0\.0% \(set a target: [^;)]+\)\.$/m,
    );
    expect(text).toMatch(/^changed 1: Supplier 1, percentage points \+55\.1, /m);
    expect(text).not.toMatch(/^changed .*\+55\.1%/m);
    // A workbook has points as numbers, and the words of the other sheets.
    const { columns, rows } = changesTable(result.engagement, since);
    const [points] = columns;
    expect(points).toMatchObject({ heading: 'Percentage points', kind: 'points' });
    expect(points?.value(rows[0] as never)).toBeCloseTo(55.1, 1);
    expect(columns.at(-1)?.inWords?.value(rows[0] as never)).toBe('no target → target validated');
  });
});

describe('supplierColumns', () => {
  it('adds up amounts only, no places and no shares', () => {
    const added = supplierColumns(true)
      .filter(({ kind }) => kindOf(kind).type === 'number' && kindOf(kind).noSum === undefined)
      .map(({ name }) => name);
    expect(added).toEqual(['emissions', 'spend']);
  });
});

describe('renderGoal', () => {
  const partly: readonly Planned[] = [
    { spend: 50, factor: 1, status: 'set' },
    { spend: 30, factor: 1, status: 'removed' },
    { spend: 20, factor: 1 },
  ];
  const view = { style: plainStyle, columns: 80, pictures: true };
  const screen = (goal: string, suppliers: readonly Planned[], isFull = false) => {
    const { summary } = footprintOf(suppliers);
    return screenText(
      renderGoal(summary, resultOf(goal, suppliers), view, { list: () => '', isFull }),
    );
  };
  const plain = (goal: string, suppliers: readonly Planned[]) =>
    renderPlainGoal(footprintOf(suppliers).summary, resultOf(goal, suppliers));

  it('has a row for the emissions that are estimated, so that the shares add up', async () => {
    const text = plain('60', partly);
    expect(text).toContain('target unknown: suppliers 1, with_emissions 0, spend 20.0%\n');
    expect(text).toContain('target emissions unknown: emissions 20.0%\n');
    const shares = [...text.matchAll(/^target .*emissions ([\d.]+)%/gm)].map(([, each]) => each);
    expect(shares.reduce((sum, each) => sum + Number(each), 0)).toBe(100);
    expect(plain('60% of spend', partly)).not.toContain('emissions unknown');
    expect(plain('60', partly.slice(0, 2))).not.toContain('emissions unknown');
    expect(membersOf(resultOf('60', partly))).toMatchObject({
      targets: [{ status: 'set' }, { status: 'removed' }, { status: 'unknown' }],
      estimated_share: 0.2,
    });
    const page = renderGoalPage(footprintOf(partly).summary, resultOf('60', partly));
    expect(page).toContain('emissions unknown: 20.0%, counted at the average');
  });

  it('has the words for statuses on a screen, and codes in a pipe', async () => {
    const now: readonly Planned[] = [
      { spend: 40, factor: 1, status: 'removed' },
      { spend: 30, factor: 1, status: 'none' },
      { spend: 20, factor: 1, status: 'set' },
      { spend: 10, factor: 1 },
    ];
    const { summary } = footprintOf(now);
    const then = groupsOf(now.map((each) => ({ ...each, status: 'set' as const })));
    const result = resultOf('60', now);
    const day = '2024-01-31';
    const dates = { records_from: day, records_to: day, as_of: null, written_at: day };
    const since = { day, changes: changesSince(result.engagement, then), dates };
    const text = await screenText(
      renderGoal(summary, { ...result, since }, view, {
        list: () => '',
        isFull: true,
      }),
    );
    for (const word of ['target validated', 'target removed', 'no target', 'target unknown'])
      expect(text).toMatch(new RegExp(`^  ${word}  `, 'm'));
    expect(text).toMatch(/^ +1 +Supplier 1 .*target removed/m);
    expect(text).toMatch(/^ +Supplier 1 .*target validated → target removed$/m);
    expect(text).not.toContain('set → ');
    const piped = renderPlainGoal(summary, { ...result, since });
    expect(piped).toContain('\ntarget set: suppliers 1, ');
    expect(piped).toContain('set → removed\n');
  });

  it('marks what limits the trust in a share, and explains it under another title', async () => {
    const planned: readonly Planned[] = [
      { spend: 50, factor: 1, status: 'set', detail: '35% by 2027 from 2019' },
      { spend: 50, factor: 1, status: 'none' },
    ];
    const text = await screen('67 by 2028', planned, true);
    const [, all = ''] = text.split('\nBefore you quote it\n');
    const [marked = '', how = ''] = all.split('\nHow to read it\n');
    expect(marked.match(/^ +! /gm)).toHaveLength(1);
    expect(marked).toContain('! 50.0% of the emissions: targets that end before 2028');
    expect(how).not.toContain('!');
    for (const line of ['Only validated near-term targets count', 'Why 67%: ', 'carbon sees only'])
      expect(`\n${how}`).toContain(`\n  ${line}`);
    expect(how).toContain('  To work with it: ');
    const few = await screen('67 by 2028', planned);
    expect(few).toContain(marked.trim());
    expect(few).not.toContain('How to read it\n');
    expect(few).toMatch(/^For how to read it .* add --full; for a list to work\nwith, -o goal/m);
    const none = await screen('40', [{ spend: 50, factor: 1, status: 'set' }], true);
    expect(none).not.toContain('Before you quote it');
    expect(none).toContain('  To work with it: ');
  });

  it('names whose targets were removed, and what that means', async () => {
    const many = Array.from({ length: 8 }, (): Planned => {
      return { spend: 10, factor: 1, status: 'removed' };
    });
    const set: Planned = { spend: 20, factor: 1, status: 'set' };
    const few = await screen('50', [set, ...many]);
    expect(few).not.toContain('Removed  ');
    expect(few).toMatch(/^ {2}target removed .* 80\.0%/m);
    expect(few).toMatch(/^For removed targets, how to read it .* add --full/m);
    const full = await screen('50', [set, ...many], true);
    expect(full).toContain(
      'Removed  80.0%: targets or commitments that SBTi removed, at any time\n',
    );
    expect(full.match(/^ +Supplier \d +10\.0%$/gm)).toHaveLength(8);
    expect(plain('50', [set, ...many])).toMatch(
      /\nremoved at any time: 80\.0%\n[\s\S]*\nremoved 8: Supplier 9, share 10\.0%\n/,
    );
    const result = resultOf('50', [set, ...many]);
    expect(goalSheets(result).map(({ name }) => name)).toContain('Removed');
    const page = renderGoalPage(footprintOf([set, ...many]).summary, result);
    expect(page).toContain(
      'of the emissions you buy: removed by SBTi at any time, commitments included',
    );
    expect(page.match(/Supplier 9<\/th><td>10.0%/g)).toHaveLength(1);
    expect(plain('50', [set])).not.toContain('that SBTi removed');
  });

  it('says when SBTi was looked up if most look-ups are older than the records', async () => {
    const on = (day: string): Planned => {
      const retrievedAt = '2026-11-20T08:00:00Z';
      return { spend: 10, factor: 1, status: 'set', checkedAt: `${day}T06:00:00Z`, retrievedAt };
    };
    const old = [on('2025-12-01'), on('2025-12-01'), on('2026-11-20')];
    const words = 'targets last looked up at SBTi 1 Dec 2025 to 20 Nov 2026';
    const shown = (await screen('50', old)).replace(/\n +/g, ' ');
    expect(shown).toMatch(new RegExp(`records retrieved 20 Nov 2026(?: ·)? ${words} `));
    expect(plain('50', old)).toContain(
      '\nSBTi looked up from: 2025-12-01\nSBTi looked up to: 2026-11-20\n',
    );
    expect(renderGoalPage(footprintOf(old).summary, resultOf('50', old))).toContain(words);
    expect(await screen('50', old.slice(0, 2))).toContain(
      'targets last looked up at SBTi on 1 Dec 2025',
    );
    expect(await screen('50', old.slice(1))).not.toContain('SBTi looked up');
  });

  it('says what a target without emissions counts for', async () => {
    const suppliers: readonly Planned[] = [
      { spend: 10, factor: 1, status: 'none' },
      { spend: 10, factor: 0, status: 'set' },
    ];
    // A step is no note as well.
    expect(plain('50', suppliers)).not.toContain('counts for nothing in a goal by emissions');
    const step =
      /First steps: .*\bSupplier 2\b.*: it has a target, which counts for nothing until its emissions are known\./;
    expect(plain('50', suppliers)).toMatch(step);
    expect(plain('50 of spend', suppliers)).not.toMatch(step);
    expect(plain('50 of spend', suppliers)).toContain('so it counts by spend only');
  });
});

describe('what shares are of', () => {
  const set: Planned = { spend: 50, factor: 1, status: 'set' };

  it('is all emissions, with those of spend without any, for industry averages as well', () => {
    const made = footprint(
      [
        { name: 'Record 1', spend: '80' },
        { name: 'Record 2', spend: '20' },
      ],
      [record(1, [], industry([2024, 0.5]))],
    );
    const engagement = engage(made.entries, parseGoal('67'), { today });
    const { statements } = membersOf({ engagement, since: undefined, today, year: 2024 });
    expect(engagement.share).toBe(0);
    expect(statements.map(({ text }) => text).join()).toContain(
      'Good for choosing whom to ask first, not for quoting: 80% of the emissions are industry averages.',
    );
  });

  it('counts the suppliers with emissions next to a share of them', () => {
    const suppliers = [set, { ...set, factor: 0 }, { ...set, status: 'none' }];
    const { summary } = footprintOf(suppliers);
    const result = resultOf('67', suppliers);
    expect(renderPlainGoal(summary, result)).toContain(
      'target set: suppliers 2, with_emissions 1, emissions',
    );
    expect(renderGoalPage(summary, result)).toContain(
      '>1 supplier, plus 1 with unknown emissions<',
    );
    expect(membersOf(result).targets).toMatchObject([
      { status: 'set', suppliers: 2, covered_suppliers: 1 },
      { status: 'none', suppliers: 1, covered_suppliers: 1 },
    ]);
    const ofSpend = resultOf('67 of spend', suppliers);
    expect(renderGoalPage(summary, ofSpend)).toContain('>2 suppliers<');
  });
});

describe('old look-ups of suppliers to ask', () => {
  const set: Planned = { spend: 500, factor: 1, status: 'set' };
  const none = (spend: number, checkedAt: string): Planned => {
    return { spend, factor: 1, status: 'none', checkedAt };
  };
  const words = (goal: string, suppliers: readonly Planned[]) => {
    const { statements } = membersOf(resultOf(goal, suppliers));
    const texts = statements.filter(({ rule }) => rule === 'ask').map(({ text }) => text);
    return texts.flatMap((text) => / (Before you write, .*)/.exec(text)?.[1] ?? []);
  };
  const lookUp = (who: string, days: string) =>
    `Before you write, look ${who} up at sciencebasedtargets.org/target-dashboard (last looked up ${days}).`;

  it('are to be repeated before a letter, whichever of them are old', () => {
    const [old, older, recent] = ['2025-12-01', '2025-11-30', '2026-11-20'];
    const one = [set, none(300, old), none(200, recent)];
    expect(words('60', one)).toEqual([lookUp('it', 'on 1 Dec 2025')]);
    expect(words('90', one)).toEqual([lookUp('Supplier 2', 'on 1 Dec 2025')]);
    expect(words('90', [set, none(300, old), none(200, old)])).toEqual([
      lookUp('both', 'on 1 Dec 2025'),
    ]);
    const three = [set, none(200, old), none(150, older), none(150, old)];
    expect(words('95', three)).toEqual([lookUp('them', 'from 30 Nov to 1 Dec 2025')]);
    const two = [set, none(200, old), none(150, older), none(150, recent)];
    expect(words('95', two)).toEqual([
      lookUp('Supplier 2 and Supplier 3', 'from 30 Nov to 1 Dec 2025'),
    ]);
    expect(words('60', [set, none(300, recent), none(200, old)])).toEqual([]);
    expect(words('50', one)).toEqual([]);
  });
});

describe('the share of a goal', () => {
  it('is explained once if it is the one that SBTi asks for', () => {
    const planned: readonly Planned[] = [{ spend: 1, factor: 1, status: 'none' }];
    const why = 'Why 67%: SBTi asks companies to cover at least 67% of their whole scope 3';
    const numberOf = (text: string) => text.split(why).length - 1;
    const { summary } = footprintOf(planned);
    for (const [goal, number] of [
      ['67', 1],
      ['67% of emissions by 2028', 1],
      ['67% of spend', 0],
      ['68', 0],
    ] as const) {
      const result = resultOf(goal, planned);
      expect(numberOf(renderGoalPage(summary, result))).toBe(number);
      expect(numberOf(renderPlainGoal(summary, result))).toBe(number);
    }
  });
});

describe('the direction of a goal', () => {
  const day = '2026-09-15';
  const planned: readonly Planned[] = [
    { spend: 60, factor: 1, status: 'set' },
    { spend: 40, factor: 1, status: 'committed' },
  ];
  const shown = (direction: GoalResult['direction'], goal = '67') => {
    const result = { ...resultOf(goal, planned), direction };
    const statements = goalStatements(result).filter(({ rule }) => rule === 'since');
    const hints = goalNotes(result).filter((note) => note.includes('To see'));
    return [statements.map(({ text }) => text), hints];
  };
  const since = (then: readonly Planned[], isFirst = true) => {
    const changes = changesSince(toward('67', planned), groupsOf(then));
    return { day, isFirst, changes };
  };

  it('says that nothing changed, and proposes no table without a change', () => {
    expect(shown(since(planned))).toEqual([
      [
        'No target changed since 15 Sep 2026, the first day of your records, when it was 60.0%, too.',
      ],
      [],
    ]);
    const [first, second] = planned as [Planned, Planned];
    expect(shown(since([first, { ...second, status: 'none' }]))).toEqual([
      ['No change since 15 Sep 2026, the first day of your records, when it was 60.0%, too.'],
      ['To see who changed since 15 Sep 2026, add --since 2026-09-15'],
    ]);
  });

  it('says of which part no change can show, because nobody looked again', () => {
    const textOf = (...days: readonly string[]) => {
      const suppliers = planned.map((each, at) => ({ ...each, checkedAt: days[at] ?? '' }));
      const engagement = toward('67', suppliers);
      const changes = changesSince(engagement, groupsOf(suppliers));
      const direction = { day, isFirst: true, changes };
      const result = { ...resultOf('67', suppliers), engagement, direction };
      return goalStatements(result).find(({ rule }) => rule === 'since')?.text;
    };
    const said = 'SBTi was not looked up again since then, so no change can show there.';
    expect(textOf('2026-09-16', day)).toContain(` For 40% of the emissions, ${said}`);
    expect(textOf('2026-01-01', day)).toContain(` For 100% of the emissions, ${said}`);
    expect(textOf('2026-09-16', '2026-09-16')).not.toContain(said);
  });

  it('says which part is not known, and why the day is not the first one', () => {
    const [first, second] = planned as [Planned, Planned];
    const then = [{ ...first, status: undefined }, second];
    const change =
      'when it was 0.0% (not known on one of the days: Supplier 1). Most of this is of suppliers with a record on only one of the days, so it shows no direction.';
    const of = (what: string) =>
      `+60.0 percentage points since 15 Sep 2026, the first day with records of at least half of the ${what}, ${change}`;
    expect(shown(since(then, false))[0]).toEqual([of('emissions')]);
    expect(shown(since(then, false), '67% of spend')[0]).toEqual([of('spend')]);
    const all = [...planned, { spend: 50, factor: 1, status: 'set' }];
    const moved = [{ ...first, status: 'none' }, second, { ...first, status: undefined }];
    const engagement = toward('67', all);
    const changes = changesSince(engagement, groupsOf(moved));
    const direction = { day, isFirst: true, changes };
    const result = { engagement, since: undefined, direction, today, year: 2024 };
    const [text] = goalStatements(result).filter(({ rule }) => rule === 'since');
    expect(text?.text).toMatch(
      /\(set a target \+40\.0: Supplier 1; not known on one of the days \+33\.3: Supplier \d\)\.$/,
    );
  });

  it('says why there is none', () => {
    const later = 'Run carbon sync again on a later day, then this command shows the change.';
    const earlier = { lack: 'earlier', day, isFirst: true, isAsOf: false } as const;
    expect([
      shown(earlier),
      shown({ ...earlier, isFirst: false }),
      shown({ ...earlier, isAsOf: true }),
      shown({ lack: 'history' }),
      shown({ lack: 'readable', error: invalidInput('line 5') }),
    ]).toEqual([
      [[`No direction yet: no record is from before 15 Sep 2026. ${later}`], []],
      [
        [
          `No direction yet: before 15 Sep 2026, less than half of the emissions had records. ${later}`,
        ],
        [],
      ],
      [['No direction: no record is from before 15 Sep 2026.'], []],
      [['No direction: a file of records has no history. Use a list that carbon sync keeps.'], []],
      [['No direction: carbon cannot read the earlier records.'], []],
    ]);
  });
});

describe('a look-up before the day of the SBTi record', () => {
  it('asks for another one in a note and below the table', () => {
    const planned: readonly Planned[] = [
      { spend: 90, factor: 1, status: 'set' },
      { spend: 10, factor: 1, status: 'removed', checkedAt: '2026-11-01', since: '2026-11-12' },
    ];
    const result = resultOf('95', planned);
    expect(goalNotes(result)).toContain(
      '10.0% of the emissions: the SBTi record is dated after the look-up, which may not have seen it, so look it up again (Supplier 2)',
    );
    expect(renderGoalPage(footprintOf(planned).summary, result)).toContain(
      '! marks a look-up more than six months ago, or before the day of the SBTi record: look these up again.',
    );
  });
});

describe('the table of suppliers on the page', () => {
  it('has each spend of several currencies, and the word for an unknown target', () => {
    const made = footprint(
      [
        { name: 'A', id: 1, spend: '148000', currency: 'EUR' },
        { name: 'A', id: 1, spend: '389000', currency: 'USD' },
      ],
      [record(1, [own(2024, [1, 2, 3])], { name: 'A' })],
    );
    const engagement = engage(made.entries, parseGoal('67'), { today });
    const result = { engagement, since: undefined, today, year: 2024 };
    const page = renderGoalPage(made.summary, result);
    expect(page).toContain('148K EUR + 389K USD');
    expect(page.slice(page.indexOf('id="rows"'))).toMatch(/<td[^>]*>target unknown</);
  });
});

describe('suppliers to ask next', () => {
  const set: Planned = { spend: 500, factor: 1, status: 'set' };
  const none = (spend: number): Planned => ({ spend, factor: 1, status: 'none' });
  const unknown = (spend: number): Planned => ({ ...set, spend, isLookedUp: false });
  const shown = async (goal: string, suppliers: readonly Planned[]) => {
    const { summary } = footprintOf(suppliers);
    const result = resultOf(goal, suppliers);
    return {
      screen: await screenOf(summary, result),
      plain: renderPlainGoal(summary, result),
      page: renderGoalPage(summary, result),
      notes: membersOf(result).notes,
    };
  };

  it('reach the goal only if each gets a validated target', async () => {
    const one = await shown('60', [set, none(300), none(200)]);
    expect(one.screen).toMatch(/^Ask next {2}if it gets a validated target: 80\.0%$/m);
    expect(one.page).toContain(
      '>Ask Supplier 2 for a near-term target: 80.0% if it gets a validated target.<',
    );
    const both = await shown('80', [set, none(200), none(150), none(100), none(50)]);
    expect(both.screen).toMatch(/^Ask next {2}if both get a validated target: 85\.0%$/m);
    expect(both.page).toContain(
      'Ask Supplier 2 and Supplier 3 for near-term targets: 85.0% if both get a validated target.<',
    );
    const three = await shown('90', [set, none(200), none(150), none(100), none(50)]);
    expect(three.screen).toMatch(/^Ask next {2}if all 3 get a validated target: 95\.0%$/m);
    expect(three.plain).not.toContain('unknown status');
    expect(three.page).not.toContain('unknown status');
  });

  it('need no match of others, which a last step names', () => {
    const made = footprint(
      [1, 2].map((id) => ({ name: `Supplier ${id}`, id, spend: id === 1 ? '100' : '900' })),
      [1, 2].map((id) => {
        const matching_organization = id === 1 ? null : { id };
        const average = industry([2024, 0.1]);
        return record(id, [], { ...average, name: `Supplier ${id}`, matching_organization });
      }),
    );
    const engagement = engage(made.entries, parseGoal('50'), { today });
    const steps = goalSentences({ engagement, since: undefined, today, year: 2024 });
    expect(steps).toContain('Match Supplier 1 10.0%: its target is unknown until then.');
  });

  it('have a match, and are looked up at SBTi if their status is unknown', () => {
    const average = industry([2024, 0.1]);
    const made = footprint(
      [1, 2, 3].map((id) => ({ name: `Supplier ${id}`, id, spend: `${4 - id}000` })),
      [1, 2, 3].map((id) => {
        const matching_organization = id === 1 ? null : { id };
        return record(id, [], { ...average, name: `Supplier ${id}`, matching_organization });
      }),
    );
    const engagement = engage(made.entries, parseGoal('50'), { today });
    expect(engagement.ask.map(({ supplier, nextStep }) => [supplier.name, nextStep])).toEqual([
      ['Supplier 2', 'look up the status at SBTi'],
      ['Supplier 3', 'look up the status at SBTi'],
    ]);
    const result = { engagement, since: undefined, today, year: 2024 };
    const yours = `Match 1 supplier, whose target is unknown until then (Supplier 1 50.0%): ${unmatchedStep}. If Supplier 1 has or sets a target, nobody else need be asked: 50.0%.`;
    expect(membersOf(result)).toMatchObject({ to_match: [{ supplier: 'Supplier 1', share: 0.5 }] });
    const page = withoutOptions(renderGoalPage(made.summary, result));
    expect(page).toContain('The fewest matched suppliers that reach 50%');
    const lookUp =
      'Look up Supplier 2, Supplier 3 at SBTi: their status is unknown. If they have no target, ask for one; without them, ';
    const steps = goalAnswers(result).flatMap(({ question, text }) =>
      question === 'steps' ? text : [],
    );
    const ask =
      'Ask Supplier 2 and Supplier 3: 50.0% if both get a validated target (both rest on industry averages, with nothing to spare). Before you write, check their industry (Retail).';
    expect(steps).toEqual([yours, expect.stringContaining(lookUp), ask]);
    for (const step of steps) expect(page.split(html`<li>${step}</li>`.text)).toHaveLength(2);
  });

  it('are fewer if every commitment is validated', () => {
    const committed: Planned = { spend: 200, factor: 1, status: 'committed' };
    const suppliers = [set, none(250), committed, none(50)];
    const words = 'If all commitments are validated (70.0%), Supplier 2 suffices: 95.0%';
    const result = resultOf('80', suppliers);
    expect(membersOf(result)).toMatchObject({
      ask: [{ supplier: 'Supplier 2' }, { supplier: 'Supplier 3' }],
      if_committed_ask: { ask: [{ supplier: 'Supplier 2' }], share: 0.95 },
      notes: [words, ...membersOf(result).notes.slice(1)],
    });
    // As many as without commitments are no news.
    expect(membersOf(resultOf('75', [set, none(250), committed, none(50)]))).toMatchObject({
      ask: [{ supplier: 'Supplier 2' }],
      if_committed_ask: null,
    });
  });

  it('reach less without those whose status is unknown', async () => {
    const one = await shown('80', [set, none(200), unknown(150), none(100), none(50)]);
    const words =
      'Look up Supplier 3 at SBTi: its status is unknown. If it has no target, ask for one; without it, 70.0%.';
    expect(one.plain).toContain(`\nstatement: First steps: 1. ${words}\n`);
    expect(one.screen.replace(/\n +/g, ' ')).toContain(`First steps: 1. ${words} 2. Ask `);
    expect(one.page).toContain(words);
    expect(one.page).toContain('after looking up at SBTi: Supplier 2, Supplier 3');
    const two = await shown('80', [set, unknown(200), unknown(150), none(100), none(50)]);
    expect(two.plain).toContain(
      'Look up Supplier 2, Supplier 3 at SBTi: their status is unknown. If they have no target, ask for one; without them, 50.0%.',
    );
  });
});

describe('supplierRows', () => {
  it('has no day of a look-up at SBTi without SBTi data', () => {
    const retrievedAt = '2026-11-20T08:00:00Z';
    const suppliers: readonly Planned[] = [
      { spend: 20, factor: 1, status: 'set', checkedAt: '2026-11-01T06:00:00Z', retrievedAt },
      { spend: 10, factor: 1, status: 'set', isLookedUp: false, retrievedAt },
    ];
    const result = resultOf('50', suppliers);
    expect(supplierRows(result).map(({ checked_at: day }) => day)).toEqual([
      '2026-11-01T06:00:00Z',
      null,
    ]);
    const page = renderGoalPage(footprintOf(suppliers).summary, result);
    expect(page).toMatch(/<td[^>]*>2026-11-01</);
  });
});

describe('a goal whose share is unknown', () => {
  const suppliers: readonly Planned[] = [
    { spend: 80, factor: 1, status: 'set' },
    { spend: 20, factor: 1 },
    ...['GBP', 'JPY'].map((currency) => ({ spend: 50, factor: 1, currency })),
  ];
  const result = resultOf('67', suppliers);
  const { summary } = footprintOf(suppliers);

  it('says that nobody can know whether it is reached', async () => {
    expect(goalSentences(result)).toEqual([
      'Whether the goal of 67% is reached cannot be said: nothing in GBP and JPY has emissions.',
      'Of the known emissions, 100.0% are from suppliers with a validated target.',
      '3 suppliers have no known emissions yet (20% of the EUR spend).',
    ]);
    const screen = await screenOf(summary, result);
    const page = renderGoalPage(summary, result);
    for (const text of [screen, page]) {
      expect(text).toContain('largest suppliers with unknown emissions');
      expect(text).not.toMatch(/counted at the average|out of reach|67%.is the goal/);
    }
    expect(screen).toMatch(/^ +Target +Suppliers +In share +Known emissions/m);
    expect(page).toContain('100.0% of the known emissions, not of all');
    expect(page).not.toContain('class="goal"');
  });

  it('says that no emissions are known', () => {
    const unknown: readonly Planned[] = [{ spend: 20, factor: 1 }];
    expect(goalSentences(resultOf('67', unknown))).toEqual([
      'Whether the goal of 67% is reached cannot be said: no spend has emissions.',
      'No emissions are known, so the share of suppliers with a validated target is not known.',
    ]);
  });
});

describe('suppliers to find out first', () => {
  const unknown = (currency: string) => {
    return Array.from({ length: 7 }, (): Planned => ({ spend: 50, factor: 1, currency }));
  };
  const set: Planned = { spend: 80, factor: 1, status: 'set' };
  const shown = async (suppliers: readonly Planned[]) => {
    const { summary } = footprintOf(suppliers);
    const result = resultOf('67', suppliers);
    return [
      await screenOf(summary, result),
      renderGoalPage(summary, result),
      JSON.stringify(membersOf(result).find_out),
    ];
  };

  it('have a share of the spend in their currency', async () => {
    const [screen, page, json] = await shown([set, ...unknown('EUR'), ...unknown('GBP')]);
    expect(screen).toMatch(/^ +Supplier 9 +14.3% of GBP/m);
    expect(screen).toMatch(/^Find out first .*, and 4 more/m);
    expect(page).toContain('>14.3% of GBP<');
    expect(page).toContain('<title>Supplier 9: 14.3% of the GBP spend</title>');
    expect(page).toContain('4 more are in the table');
    expect(json).toContain('"spend_currency":"GBP"');
  });

  it('have a share of the spend in a file of one currency', async () => {
    const [screen, page] = await shown([set, ...unknown('EUR')]);
    expect(screen).toMatch(/^ +Supplier 2 +11.6% +no record/m);
    expect(screen).not.toMatch(/^Find out first .*, and /m);
    expect(page).toContain('<title>Supplier 2: 11.6% of the spend</title>');
  });
});

describe('goalStatements', () => {
  it('say first whether the goal is reached, which is the title of the page', async () => {
    const planned: readonly Planned[] = [
      { spend: 500, factor: 1, status: 'set' },
      { spend: 300, factor: 1, status: 'none' },
      { spend: 200, factor: 1 },
    ];
    const { summary } = footprintOf(planned);
    const bought = '50.0% of the emissions you buy are from suppliers with a validated target';
    const outcomes = {
      '67 by 2028': `Goal not reached yet: ${bought}; the goal is 67% by 2028, 17.0 points to go`,
      '67% of spend':
        'Goal not reached: 50.0% of your spend goes to suppliers with a validated target; the goal is 67%, 17.0 points to go',
      '50 by 2028': `Goal reached: ${bought}; the goal is 50% by 2028`,
      '90 by 2028': `Goal not reached yet: ${bought}; the goal is 90% by 2028, and even with targets from everyone you know it would be 80.0%`,
    };
    for (const [goal, outcome] of Object.entries(outcomes)) {
      const result = resultOf(goal, planned);
      const { statements } = membersOf(result);
      expect(statements[0]).toEqual({ rule: 'goal', text: `${outcome}.` });
      const page = renderGoalPage(summary, result);
      expect(page).toMatch(new RegExp(`<h1>${outcome}</h1>.*<dt class="sure">How sure</dt>`, 's'));
      expect(renderPlainGoal(summary, result)).toMatch(/^statement: Goal /);
      const screen = await screenOf(summary, result);
      expect(screen.replaceAll(/\n */g, ' ')).toContain(`${outcome}. `);
    }
  });

  it('rounds a share of the known emissions, as the page does', () => {
    const planned: readonly Planned[] = [
      { spend: 3_838, factor: 1, status: 'set' },
      { spend: 6_162, factor: 1, status: 'none' },
    ];
    const engagement = { ...toward('60', planned), share: null };
    const result = { ...resultOf('60', planned), engagement };
    const [, second] = goalSentences(result);
    expect(second).toBe(
      'Of the known emissions, 38.4% are from suppliers with a validated target.',
    );
  });

  it('names the currency of spend without emissions if the file has several', () => {
    const sentencesOf = (suppliers: readonly Planned[]) =>
      goalSentences(resultOf('60', suppliers)).join(' ');
    const set: Planned = { spend: 80, factor: 1, status: 'set' };
    const unknown: Planned = { spend: 20, factor: 1 };
    expect(sentencesOf([set, unknown])).toContain(
      'but 1 supplier has no known emissions yet (20% of the spend).',
    );
    const failed: Planned = { spend: 20, factor: 0, status: 'none', research: 'errored' };
    expect(sentencesOf([set, failed])).toContain(
      '1 supplier has no known emissions (20% of the spend); research failed on it.',
    );
    const one = resultOf('60', [set, failed]);
    const page = renderGoalPage(footprintOf([set, failed]).summary, one);
    expect(page).toContain('emissions unknown: 20.0%, counted at the average');
    expect(sentencesOf([set, unknown, failed])).toContain(
      '2 suppliers have no known emissions (33% of the spend); research failed on 1.',
    );
    const dollars = { ...set, currency: 'USD' };
    expect(sentencesOf([set, unknown, dollars])).toContain(
      '1 supplier has no known emissions yet (20% of the EUR spend)',
    );
    expect(sentencesOf([set, unknown, dollars, { ...unknown, currency: 'USD' }])).toContain(
      '2 suppliers have no known emissions yet (20% of the EUR spend and 20% of the USD spend).',
    );
  });
});

describe('who keeps a goal from being reached', () => {
  it('are the largest suppliers without a validated target, after those that reach it', () => {
    const statuses = ['set', 'none', 'removed', 'committed'] as const;
    const supplier = fc.record({
      // Different sizes, so that the order is one.
      size: fc.integer({ min: 1, max: 500 }),
      status: fc.constantFrom(...statuses),
    });
    const suppliers = fc.uniqueArray(supplier, {
      selector: ({ size }) => size,
      minLength: 2,
      maxLength: 9,
    });
    fc.assert(
      fc.property(suppliers, (all) => {
        const planned = all.map(({ size, status }) => ({ spend: 100 * size, factor: 1, status }));
        const result = resultOf('100', planned);
        const [said] = goalStatements(result).filter(({ rule }) => rule === 'largest');
        const sum = all.reduce((total, { size }) => total + size, 0);
        const without = all
          .flatMap(({ size, status }, at) => (status === 'set' ? [] : [{ size, at }]))
          .sort((a, b) => b.size - a.size);
        const withOne = all
          .flatMap(({ size, status }, at) => (status === 'set' ? [{ size, at }] : []))
          .sort((a, b) => b.size - a.size);
        const [have = '', lack = ''] = (said?.text ?? '').split(/(?=The largest emissions)/);
        const check = (text: string, right: typeof without) => {
          const named = [...text.matchAll(/(Supplier \d+) (<?[\d.]+)%/g)];
          expect(named.map(([, name]) => name)).toEqual(
            right.slice(0, 3).map(({ at }) => `Supplier ${at + 1}`),
          );
          for (const [index, [, , share]] of named.entries())
            expect(Number(share?.replace('<', ''))).toBeCloseTo(
              (100 * (right[index]?.size ?? 0)) / sum,
              -Math.log10(0.2),
            );
          expect(text.includes(' more.')).toBe(right.length > 3);
        };
        if (withOne.length === 0) return check(have, without);
        check(lack, without);
        const many = new RegExp(
          `^${withOne.length} suppliers with a validated target make up the `,
        );
        if (withOne.length > 1) {
          expect(have).toMatch(many);
          check(have, withOne);
        } else
          expect(have).toMatch(
            new RegExp(`^One supplier .* up the .*%: Supplier ${Number(withOne[0]?.at) + 1}\\.`),
          );
      }),
      { numRuns: 200 },
    );
  });
});
