import { expect, it } from 'vitest';
import { usefulColumns } from '../../../src/lists/table/useful-columns.ts';

it('shows every column of a sheet without rows', async () => {
  const column = { name: 'year', kind: 'year', description: '', isDetail: true } as const;
  expect((await usefulColumns([column], [], 'folded')).shown).toEqual([true]);
  expect((await usefulColumns([column], [[2024], [2024]], 'folded')).shown).toEqual([false]);
});
