import { expect, it } from 'vitest';
import { type ListCounts, listStatements } from '../../../src/portfolio/report/list-statements.ts';

const counts: ListCounts = {
  ...{ organizations: 60, disclosing: 48, rows: 60, met: null, noun: 'organization' },
  ...{ shown: 15, isSorted: false, regions: 0, repeated: 0, wrong: [], isGrouped: false },
  figureYears: undefined,
  years: [],
};
const shownText = (more: Partial<ListCounts>) => listStatements({ ...counts, ...more })[1]?.text;

it('says which rows a list shows, of how many, and in whose order', () => {
  expect(shownText({})).toBe('First 15 of 60, in the order of the list');
  expect(shownText({ isSorted: true })).toBe('First 15 of 60');
  expect(shownText({ met: 20, isSorted: true })).toBe('First 15 of 20');
  expect(shownText({ noun: 'row', rows: 1_200 })).toBe(
    'First 15 of 1,200 rows, in the order of the list',
  );
});
