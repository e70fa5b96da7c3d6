import { describe, expect, it } from 'vitest';
import { parseSelection } from '../../../src/portfolio/organizations/selection.ts';
import { organizationTable } from '../../../src/portfolio/organizations/tables.ts';
import { LatestRecords, readSnapshot } from '../../../src/portfolio/records/records.ts';
import { ListErrors } from '../../../src/portfolio/report/list-errors.ts';
import { type ListCounts, listStatements } from '../../../src/portfolio/report/list-statements.ts';
import { type CandidateRows, RowSelector } from '../../../src/portfolio/report/row-selector.ts';
import { close } from '../../support/close.ts';
import { file } from './inputs.ts';
import { documentsOf, type Made, portfolios } from './portfolios.ts';
import { recountList, recountMatching } from './recount.ts';

const counts: ListCounts = {
  ...{ organizations: 60, disclosing: 48, rows: 60, met: null, noun: 'organization' },
  silent: { none: 5, failed: 4, unmatched: 2, in_progress: 1 },
  ...{
    shown: 15,
    order: undefined,
    conditions: [],
    isOfTargets: false,
    regions: 0,
    repeated: 0,
    wrong: [],
    isGrouped: false,
  },
  figureYears: undefined,
  ...{ years: [], validated: 20, unknownTargets: 5, largest: undefined, split: undefined },
};
const shownText = (more: Partial<ListCounts>) =>
  listStatements({ ...counts, ...more }).find(({ rule }) => rule === 'shown')?.text;

it('says which rows a list shows, of how many, and in whose order', () => {
  expect(shownText({})).toBe('First 15 of 60, in the order of the list');
  expect(shownText({ order: { by: 'country', first: undefined } })).toBe(
    'First 15 of 60, by country',
  );
  const met = { met: 1, rows: 60, shown: 15, order: { by: 'score', first: 'lowest' } };
  expect(shownText(met)).toBe('The 15 lowest of 1 by score');
  expect(shownText({ noun: 'row', rows: 1_200 })).toBe(
    'First 15 of 1,200 rows, in the order of the list',
  );
});

it('says who has no emissions, and why', () => {
  const missing = (more: Partial<ListCounts>) =>
    listStatements({ ...counts, ...more }).find(({ rule }) => rule === 'missing')?.text;
  const none = { none: 0, failed: 0, unmatched: 0, in_progress: 0 };
  expect(missing({})).toBe(
    '12 of 60 companies have no emissions: 5 none in the record, 4 failed research, 2 not matched, 1 in research',
  );
  expect(missing({ disclosing: 59, silent: { ...none, none: 1 } })).toBe(
    '1 of 60 companies has no emissions in the record',
  );
  expect(missing({ disclosing: 57, silent: { ...none, unmatched: 3 } })).toBe(
    '3 of 60 companies have no emissions (not matched)',
  );
  expect(missing({ disclosing: 60, silent: none })).toBe(undefined);
});

async function listOf(
  made: readonly Made[],
  where: readonly string[] = [],
  order: { sort?: string; top?: number } = {},
) {
  const selection = await parseSelection(organizationTable, { where, ...order });
  const shape = { columns: organizationTable.terminal };
  const errors = new ListErrors(selection, shape.columns, '2025-06-01');
  const selector = new RowSelector(selection, shape, errors);
  const latest = new LatestRecords<CandidateRows>();
  const lines = documentsOf(made).map((document) => `${JSON.stringify(document)}\n`);
  const take = latest.taking((record) => selector.read(record, undefined));
  await readSnapshot([file(lines.join(''))], take);
  return (await selector.select(latest)).said;
}

describe('statements of a list', () => {
  it('have the numbers and words of a second computation', async () => {
    const seen = new Map<string, number>();
    for (const [index, made] of portfolios().entries()) {
      const said = (await listOf(made)).filter(({ rule }) =>
        ['concentration', 'count', 'missing'].includes(rule),
      );
      const expected = recountList(made);
      expect(close(said, expected), `portfolio ${index}`).toEqual(expected);
      for (const { rule } of said) seen.set(rule, (seen.get(rule) ?? 0) + 1);
    }
    expect(seen.get('concentration')).toBeGreaterThan(20);
  });

  it('have those of the companies that meet a condition', async () => {
    const condition = 'status=synced';
    const seen = new Map<string, number>();
    for (const [index, made] of portfolios().entries()) {
      const said = (await listOf(made, [condition])).filter(({ rule }) =>
        ['concentration', 'count', 'matching', 'missing'].includes(rule),
      );
      const isSynced = ({ record }: Made) => record.status === 'synced';
      const expected = recountMatching(made, condition, isSynced);
      expect(close(said, expected), `portfolio ${index}`).toEqual(expected);
      for (const { rule } of said) seen.set(rule, (seen.get(rule) ?? 0) + 1);
    }
    expect(seen.get('concentration')).toBeGreaterThan(20);
    expect(seen.get('matching')).toBeGreaterThan(20);
  });

  it('say which rows come first, by what, and which conditions they meet', async () => {
    const made = portfolios().find((each) => each.length > 10) ?? [];
    const textsOf = async (
      ...given: Parameters<typeof listOf> extends [unknown, ...infer R] ? R : never
    ) => (await listOf(made, ...given)).map(({ text }) => text).join('. ');
    const of = made.length;
    expect(await textsOf([], { sort: '-total', top: 6 })).toContain(
      `The 6 largest of ${of} by total emissions (scopes 1 to 3)`,
    );
    expect(await textsOf([], { sort: 'score,name', top: 6 })).toContain(
      `The 6 lowest of ${of} by score`,
    );
    expect(await textsOf([], { sort: '-scope_1_and_2', top: 2 })).toContain(
      `The 2 largest of ${of} by scope 1 and 2`,
    );
    expect(await textsOf([], { sort: 'name', top: 6 })).toContain(`First 6 of ${of}, by name`);
    expect(await textsOf(['emissions>0', 'score>0'])).toContain(
      'emissions>0 (scopes 1 to 3) and score>0',
    );
    expect(await textsOf(['sbti_near_term=validated'])).not.toContain('validated near-term target');
  });

  it('split those that a condition leaves, so that unknown targets are not taken for none', async () => {
    const condition = 'sbti_near_term!=validated';
    const texts = await Promise.all(
      portfolios().map(async (made) => (await listOf(made, [condition]))[0]?.text ?? ''),
    );
    for (const text of texts) {
      const [matching = ''] = text.split(' of ');
      const [, parts = ''] = /\(Near-term target: (.*)\)$/.exec(text) ?? [];
      const numbers = parts.split(', ').map((part) => Number.parseInt(part, 10) || 0);
      const all = Number(matching) || 0;
      expect(
        numbers.reduce((sum, each) => sum + each, 0),
        text,
      ).toBe(all);
    }
    expect(texts.join()).toMatch(/\d no target/);
    expect(texts.join()).toMatch(/\d unknown/);
  });
});
