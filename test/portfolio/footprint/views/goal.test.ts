import { describe, expect, it } from 'vitest';
import {
  goalSheets,
  goalSummary,
  renderPlainGoal,
} from '../../../../src/portfolio/footprint/views/goal.ts';
import { goalSentences } from '../../../../src/portfolio/footprint/views/goal-words.ts';
import { footprintOf, type Planned, today, toward } from '../planned.ts';

function resultOf(goal: string, suppliers: readonly Planned[]) {
  return { engagement: toward(goal, suppliers), since: undefined, today, year: 2024 };
}

describe.each(['emissions', 'spend'])('a goal of %s', (of) => {
  const planned: readonly Planned[] = [
    { spend: 66_666, factor: 1, status: 'set' },
    { spend: 33_334, factor: 1, status: 'none' },
  ];
  const result = resultOf(`70% of ${of}`, planned);
  const { summary } = footprintOf(planned);
  const label = `share of ${of === 'spend' ? 'spend' : 'known emissions'}`;

  it('rounds the shares that are compared with it down everywhere', async () => {
    const text = renderPlainGoal(summary, result);
    expect(text).toContain(`\n${label}: 66.6%\n`);
    expect(text).toContain(of === 'spend' ? 'spend 66.6%\n' : 'emissions 66.6%,');
    expect(goalSummary(summary, result).figures).toContainEqual([label, '66.6%']);
    const [sheet] = goalSheets(result);
    const rows: unknown[] = [];
    for await (const row of sheet?.rows ?? []) rows.push(row);
    expect(rows[0]).toEqual([
      'set',
      1,
      ...(of === 'spend' ? [0.666_66, 0.666] : [0.666, 0.666_66]),
    ]);
  });
});

describe('goalSentences', () => {
  it('rounds a share of the known emissions down, as the page does', () => {
    const planned: readonly Planned[] = [
      { spend: 3_838, factor: 1, status: 'set' },
      { spend: 6_162, factor: 1, status: 'none' },
    ];
    const engagement = { ...toward('60', planned), share: null };
    const result = { ...resultOf('60', planned), engagement };
    const [first] = goalSentences(result);
    expect(first).toBe(
      'Of the known emissions, 38.3% come from suppliers with a validated target.',
    );
  });

  it('names the currency of spend without emissions if the file has several', () => {
    const sentencesOf = (suppliers: readonly Planned[]) =>
      goalSentences(resultOf('60', suppliers)).join(' ');
    const set: Planned = { spend: 80, factor: 1, status: 'set' };
    const unknown: Planned = { spend: 20, factor: 1 };
    expect(sentencesOf([set, unknown])).toContain('20.0% of the spend has no emissions yet.');
    const dollars = { ...set, currency: 'USD' };
    expect(sentencesOf([set, unknown, dollars])).toContain('20.0% of the EUR spend has no');
    expect(sentencesOf([set, unknown, dollars, { ...unknown, currency: 'USD' }])).toContain(
      '20.0% of the EUR spend and 20.0% of the USD spend have no emissions yet.',
    );
  });
});
