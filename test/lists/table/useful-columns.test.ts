import { expect, it } from 'vitest';
import { usefulColumns } from '../../../src/lists/table/useful-columns.ts';

it('shows every column of a sheet without rows', async () => {
  const column = { name: 'year', kind: 'year', description: '', isDetail: true } as const;
  expect((await usefulColumns([column], [], 'folded')).shown).toEqual([true]);
  expect((await usefulColumns([column], [[2024], [2024]], 'folded')).shown).toEqual([false]);
});

it('never folds what a row is about, even if it is equal in every row', async () => {
  const year = { name: 'year', kind: 'year', description: '' } as const;
  const score = { name: 'score', kind: 'score', description: '' } as const;
  const rows = [
    [2024, 0.5],
    [2024, 0.5],
  ];
  expect((await usefulColumns([year, score], rows, 'folded')).shown).toEqual([true, false]);
  expect((await usefulColumns([year], [[null], [null]], 'folded')).shown).toEqual([false]);
});
