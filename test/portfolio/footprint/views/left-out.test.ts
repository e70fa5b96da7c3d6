/* Who is behind the spend that no total has: suppliers, not their line items. */
import { expect, it } from 'vitest';
import { notesOf } from '../../../../src/portfolio/footprint/views/words.ts';
import { footprint, record, service } from '../portfolio.ts';

it('counts a supplier with failed research once in two years and categories, and names it', () => {
  const failed = ['A', 'B', 'C', 'D'].map((name, at) => ({ name: `Failed ${name}`, id: at + 2 }));
  const { summary } = footprint(
    [
      { name: 'Known AG', id: 1, spend: '100' },
      ...failed.flatMap((each, at) => [
        { ...each, spend: String(10 + at), year: 2023 },
        { ...each, spend: String(20 + at), year: 2024, category: 'Steel' },
        { ...each, spend: String(30 + at), year: 2024, category: 'Paper' },
      ]),
    ],
    [
      record(1, [service(2024, 0.5, 0.5)], { name: 'Known AG' }),
      ...failed.map(({ id, name }) => record(id, [], { name, status: 'errored' })),
    ],
    { upstreamFactor: 'additive' },
  );
  const { uncovered, uncovered_suppliers: reasons } = summary;
  expect(uncovered).toEqual({ errored: 12 });
  expect(reasons.map(({ reason, line_items }) => [reason, line_items])).toEqual([['errored', 12]]);
  expect(reasons[0]?.suppliers.map(({ supplier }) => supplier)).toEqual([
    'Failed D',
    'Failed C',
    'Failed B',
    'Failed A',
  ]);
  expect(notesOf(summary)).toContain(
    'The total leaves out 12 of 13 line items with spend: 4 suppliers, research failed: ask the service (Failed D, Failed C, Failed B and 1 more)',
  );
});

it('counts suppliers without a name instead of naming them', () => {
  const bought = [{ name: 'Known AG', id: 1 }, { spend: '5' }, { spend: '7' }];
  const records = [record(1, [service(2024, 0.5, 0.5)], { name: 'Known AG' })];
  const { summary } = footprint(bought, records, { upstreamFactor: 'additive' });
  expect(notesOf(summary)).toContainEqual(
    expect.stringMatching(/^The total leaves out 2 of 3 line items .*\(without a name\)$/),
  );
});
