import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ColumnValue } from '../../../src/display/query/query.ts';
import { shownColumn } from '../../../src/portfolio/organizations/member-columns.ts';
import { parseSelection } from '../../../src/portfolio/organizations/selection.ts';
import { organizationTable } from '../../../src/portfolio/organizations/tables.ts';

type Row = readonly ColumnValue[];

const group = async (rows: readonly Row[], sum?: string) => {
  const { grouping } = await parseSelection(organizationTable, { groupBy: 'hq_region', sum });
  return (grouping?.group(rows) ?? []).map(({ values }) => values);
};

describe('the columns of a selection', () => {
  const asked = (text: Parameters<typeof parseSelection>[1]) =>
    parseSelection(organizationTable, text).then(
      ({ columns = [], conditions, order, groupBy = [] }) =>
        [
          ...columns,
          ...conditions.map(({ column }) => column),
          ...(order?.columns ?? []),
          ...groupBy,
        ].map(({ name }) => name),
      ({ message, hint }) => `${message} | ${hint}`,
    );

  it.each(['scope1+2', 'Scope 1+2', 'scope 1 & 2', 'scope_1_and_2', 'Scope1And2'])(
    'are found however someone writes the name: %s',
    async (name) => {
      expect(await asked({ columns: `id,${name}` })).toEqual(['id', 'scope_1_and_2']);
      expect(await asked({ where: [`${name}>5`] })).toEqual(['scope_1_and_2']);
      expect(await asked({ sort: `-${name}` })).toEqual(['scope_1_and_2']);
      expect(await asked({ groupBy: 'id', sum: name })).toEqual(['id']);
    },
  );

  it('have names that stay different however someone writes them', async () => {
    const { columns, aliases } = organizationTable;
    for (const { name } of columns)
      expect(await asked({ columns: name.replaceAll('_', '') })).toEqual([name]);
    for (const alias of Object.keys(aliases))
      expect(await asked({ columns: alias.toUpperCase().replaceAll('_', ' ') })).toEqual([alias]);
  });

  it.each([
    [{ where: ['sbti=none'] }, 'sbti_near_term'],
    [{ where: ['targets=validated'] }, 'sbti_near_term'],
    [{ sort: '-revenu' }, '-revenue'],
    [{ sort: 'sbti' }, 'sbti_near_term or sbti_long_term or sbti_net_zero'],
    [{ columns: 'id,near term' }, 'sbti_near_term'],
    [{ groupBy: 'pledge' }, 'climate_pledge'],
    [{ columns: 'Supplier' }, 'name'],
    [{ where: ['Land=DE'] }, 'hq_region'],
  ])('are proposed by their short names and by the headers of lists: %j', async (text, meant) => {
    expect(await asked(text)).toContain(` | Did you mean ${meant}?`);
  });
});

describe('the conditions of a selection', () => {
  it('say the range of a year, what two digits mean, and that a condition has one value', async () => {
    const hintAt = (where: string) =>
      parseSelection(organizationTable, { where: [where] }).catch(({ hint }) => hint);
    expect(await hintAt('year=25')).toBe('Did you mean 2025?');
    expect(await hintAt('country=DE,FR')).toBe(
      'Run it once for each: --where "country=DE", then --where "country=FR".',
    );
    expect(await hintAt('country=Germny')).toBe('Did you mean DE?');
    expect(await hintAt('year=2024,2025')).toContain('then --where "year=2025".');
    expect(await hintAt('year=25000')).toBe('Use a number from 1900 to 2200.');
    expect(await hintAt('score=400')).toBe('Use a number from 0 to 100.');
  });
});

describe('the groups of a selection', () => {
  it('orders by the number of rows without a sum', async () => {
    expect(await group([['a'], ['b'], ['b']])).toEqual([
      ['b', 2],
      ['a', 1],
    ]);
  });

  it('adds up any order of amounts to the same sum', { tags: ['property'] }, async () => {
    const amount = fc.integer({ min: 0, max: 1e12 }).map((tenths) => tenths / 10);
    await fc.assert(
      fc.asyncProperty(fc.array(amount, { minLength: 1 }), async (amounts) => {
        const total = async (of: readonly number[]) => {
          const rows = of.map((value) => ['x', value] as const);
          return (await group(rows, 'scope_1'))[0]?.[2];
        };
        const exact = amounts.reduce((tenths, value) => tenths + Math.round(value * 10), 0) / 10;
        expect(await total(amounts)).toBe(exact);
        expect(await total(amounts.toReversed())).toBe(exact);
      }),
    );
  });

  it.each([
    ['scope_3_categories', 'it is not an amount'],
    ['performance_regions', 'it is not an amount'],
    ['year', 'it is not an amount'],
    ['industry_emission_factor_year', 'it is not an amount'],
    ['industry_score_percentile', 'a sum of scores or factors has no meaning'],
    ['emissions_scope_3_total', 'a sum counts emissions twice'],
    ['emissions_sum', 'a total contains scope 3'],
  ])('does not add up %s', async (name, why) => {
    await expect(group([], name)).rejects.toThrow(why);
  });

  it.each(['sources_count', 'revenue', 'scope_1', 'emissions_scope_2_sum'])(
    'adds up %s',
    async (name) => {
      const rows = await group([['x', name === 'revenue' ? 'EUR' : 2, 2, 2024]], name);
      expect(rows).toHaveLength(1);
    },
  );

  it('adds up fields of the schema with the years that they are of', async () => {
    const field = { description: '', kind: 'count' } as const;
    const shown = [
      shownColumn({ ...field, section: 'years', path: ['employees'] }),
      shownColumn({ ...field, section: 'organization', path: ['sites'] }),
    ];
    const columns = [...organizationTable.columns, ...shown.map(({ column }) => column)];
    const { grouping } = await parseSelection(
      { ...organizationTable, columns },
      { groupBy: 'hq_region', sum: 'employees,sites' },
    );
    const rows = [
      ['DE', 5, 2, 2023],
      ['DE', 7, 3, 2024],
    ];
    const groups = grouping?.group(rows) ?? [];
    expect(groups).toEqual([
      { values: ['DE', 2, 12, 2, '2023 to 2024', 5, 2, null], years: [2023, 2024] },
    ]);
    expect(rows.map((row) => grouping?.withoutFigures(row, 'year'))).toEqual([
      ['DE', null, 2, 2023],
      ['DE', null, 3, 2024],
    ]);
    expect(grouping?.withoutFigures(rows[0] ?? [], 'record')).toEqual(['DE', 5, null, 2023]);
  });

  it('leaves the factor of an industry out of a mean with the record, not with a year', async () => {
    const words = { groupBy: 'hq_region', mean: 'industry_emission_factor,emission_factor' };
    const { grouping } = await parseSelection(organizationTable, words);
    const names = grouping?.read.map(({ name }) => name) ?? [];
    const missing = (which: 'year' | 'record') =>
      names.filter((_, at) => grouping?.withoutFigures(names, which)?.[at] === null);
    expect(missing('year')).toEqual(['emission_factor']);
    expect(missing('record')).toEqual(['industry_emission_factor']);
  });
});
