import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Column, ColumnTable } from '../../../src/display/query/query.ts';
import { parseQuery } from '../../../src/display/query/query.ts';
import { runs } from '../../support/seed.ts';

type Row = Readonly<Record<string, string | number | boolean | null | undefined>>;

const column = (name: string, kind: Column<Row>['kind'], more = {}): Column<Row> => ({
  name,
  kind,
  description: '',
  value: (row) => row[name],
  ...more,
});

const targetWord = (code: string) => (code === 'set' ? 'validated' : code.replaceAll('_', ' '));
const inWords = (wordOf: (code: string) => string, codes?: readonly string[]) => ({
  description: '',
  value: () => undefined,
  wordOf,
  codes,
});

const table: ColumnTable<Row> = {
  columns: [
    column('id', 'id'),
    column('name', 'name'),
    column('hq_region', 'text'),
    column('score', 'score', { range: [0, 100] }),
    column('emissions', 'total'),
    column('emissions_scope_1', 'scope'),
    column('cdp_is_listed', 'flag'),
    column('joined_at', 'date'),
    column('industry_rank', 'rank', { ranks: ['very_low', 'low', 'medium', 'high', 'very_high'] }),
    column('sbti_near_term_target_status', 'text'),
    column('target', 'text', { values: ['set', 'none'], inWords: inWords(targetWord) }),
    column('status', 'text', { inWords: inWords(targetWord, ['set']) }),
  ],
  aliases: { sbti_near_term: 'sbti_near_term_target_status', cdp: 'cdp_is_listed' },
  hintAt: (name) => `There is no "${name}".`,
};

const matches = (row: Row, ...where: string[]) => parseQuery(table, { where }).matches(row);

/* Sorts rows that have these values in one column, and returns the values. */
function sorted(sort: string, name: string, values: readonly Row[string][]) {
  const { order } = parseQuery(table, { sort });
  return values
    .map((value) => ({ [name]: value }))
    .sort((a, b) => order?.compare(order.keys(a), order.keys(b)) ?? 0)
    .map((row) => row[name] ?? '–')
    .join(' ');
}

function failure(text: Parameters<typeof parseQuery>[1]): string {
  try {
    parseQuery(table, text);
    return 'no error';
  } catch (error) {
    const { message, hint } = error as { message: string; hint?: string };
    return hint === undefined ? message : `${message} | ${hint}`;
  }
}

describe('--where', () => {
  it.each([
    ['hq_region=DE', { hq_region: 'DE' }, true],
    ['hq_region = de', { hq_region: 'DE' }, true],
    ['HQ-Region=DE', { hq_region: 'AT' }, false],
    ['id=12', { id: 12 }, true],
    ['score<0.4', { score: 0.39 }, true],
    ['score<0.4', { score: 0.4 }, false],
    ['score<=.4', { score: 0.4 }, true],
    ['emissions>=1e3', { emissions: 1000 }, true],
    ['emissions>-1', { emissions: 0 }, true],
    ['emissions.scope_1=5', { emissions_scope_1: 5 }, true],
    ['cdp=true', { cdp_is_listed: true }, true],
    ['cdp!=TRUE', { cdp_is_listed: false }, true],
    ['cdp=yes', { cdp_is_listed: true }, true],
    ['cdp!=Yes', { cdp_is_listed: false }, true],
    ['cdp=no', { cdp_is_listed: true }, false],
    ['joined_at=2024', { joined_at: '2024-05-01T10:00:00Z' }, true],
    ['joined_at>2024', { joined_at: '2024-05-01' }, false],
    ['joined_at>=2024-05', { joined_at: '2024-05-01' }, true],
    ['joined_at<2024-05-02', { joined_at: '2024-05-01' }, true],
    ['joined_at<2024', { joined_at: 'last year' }, false],
    ['industry_rank>=high', { industry_rank: 'very_high' }, true],
    ['industry_rank>=High', { industry_rank: 'very_high' }, true],
    ['industry_rank<high', { industry_rank: 'unknown' }, false],
    ['name=a=b<c', { name: 'A=B<C' }, true],
    ['name<n', { name: 'Müller' }, true],
  ])('%s on %j is %s', (where, row, expected) => {
    expect(matches(row, where)).toBe(expected);
  });

  it.each(['=', '!=', '<', '<=', '>', '>='])('%s reads a word as its code', (operator) => {
    for (const [name, word, code] of [
      ['target', 'Validated', 'set'],
      ['status', 'validated', 'set'],
    ] as const) {
      const rows = ['none', 'set', 'with_target', 'zero', ''].map((value) => ({ [name]: value }));
      const found = (text: string) => rows.filter((row) => matches(row, name + operator + text));
      expect(found(word)).toEqual(found(code));
      expect(found(code)).not.toEqual([]);
    }
    // A code that nobody listed.
    const row = { status: 'in_progress' };
    expect(matches(row, `status${operator}in progress`)).toBe(/^[^!]*=/.test(operator));
  });

  it('treats missing values as unequal to every value, and orders none of them', () => {
    for (const missing of [null, undefined]) {
      const row = { score: missing, sbti_near_term_target_status: missing };
      expect(matches(row, 'sbti_near_term!=set')).toBe(true);
      expect(matches(row, 'score<1')).toBe(false);
      expect(matches(row, 'score>=0')).toBe(false);
      expect(matches(row, 'score=')).toBe(true);
      expect(matches(row, 'score!=')).toBe(false);
    }
    expect(matches({ score: 0 }, 'score=')).toBe(false);
    expect(matches({ score: 0 }, 'score!=')).toBe(true);
    expect(matches({ name: '' }, 'name=')).toBe(true);
  });

  it.each([
    ['DE', 0.3, true],
    ['DE', 0.5, false],
    ['FR', 0.3, false],
  ])('joins several conditions with and: %s, %d', (hq_region, score, expected) => {
    expect(matches({ hq_region, score }, 'hq_region=DE', 'score<0.4')).toBe(expected);
  });

  it.each([
    ['scoer<0.4', 'unknown column "scoer" | Did you mean score?'],
    ['  country=DE', 'unknown column "country" | There is no "country".'],
    ['near_term=set', 'Did you mean sbti_near_term?'],
    ['sbti=set', 'Did you mean sbti_near_term?'],
    ['listed=yes', 'Did you mean cdp?'],
    ['=DE', 'a column name is missing'],
    [
      'score',
      'is not a condition: it needs a column, an operator and a value | Put one of != <= >= = < >',
    ],
    ['score==0.4', 'unknown operator == | Did you mean --where "score=0.4"?'],
    ['score =< 40', 'unknown operator =< | Did you mean --where "score <= 40"?'],
    ['hq_region<>DE', 'unknown operator <> | Did you mean --where "hq_region!=DE"?'],
    ['country==DE', 'unknown operator == | Put one of != <= >= = < >'],
    ['score=!=40', 'unknown operator =!= | Put one of != <= >= = < >'],
    ['score<', 'a value is missing | Use score= for missing values'],
    ['score<0,4', '"0,4" is not a number | score is a number: did you mean 0.4?'],
    ['score<50,5', 'did you mean 50.5?'],
    ['score>1.000.000', 'did you mean 1000000?'],
    ["score>1'000'000", 'did you mean 1000000?'],
    ['score>1,000', 'write digits without separators'],
    ['score<400', 'is not from 0 to 100, the range of score'],
    ['score>40%', 'did you mean 40?'],
    ['emissions>1,5 Mio', 'did you mean 1500000?'],
    ['emissions>2k', 'did you mean 2000?'],
    ['emissions>1.000,50', 'did you mean 1000.5?'],
    ['emissions>1,000,000.25', 'did you mean 1000000.25?'],
    ['emissions>-3 Mrd.', 'did you mean -3000000000?'],
    ['emissions>5 t', 'write digits without separators'],
    ['score<high', '"high" is not a number'],
    ['cdp=maybe', '"maybe" is not true or false | Use cdp=true or cdp=false'],
    ['cdp<yes', 'operator < does not apply to cdp'],
    ['target=valid', 'is not a value of target | Use one of set (validated), none.'],
    ['cdp<true', 'operator < does not apply to cdp'],
    ['joined_at>31.12.2024', 'is not a date | Write a date as 2024-03-31'],
    ['joined_at=2024-02-30', 'is not a date'],
    ['industry_rank<unknown', '"unknown" is neither higher nor lower than a rank'],
    ['industry_rank=top', 'is not a rank | Use one of very_low, low, medium, high, very_high'],
  ])('refuses %s', (where, message) => {
    expect(failure({ where: [where] })).toContain(`--where "${where}"`);
    expect(failure({ where: [where] })).toContain(message);
  });

  it.each([
    [
      'hq_region in (DE, FR)',
      'Run it once for each: --where "hq_region=DE", then --where "hq_region=FR".',
    ],
    [`hq_region IN ('DE';'FR')`, 'each: --where "hq_region=DE", then --where "hq_region=FR".'],
    ['hq_region=DE or hq_region=FR', 'each: --where "hq_region=DE", then --where "hq_region=FR".'],
    ['id=1001,1002', 'each: --where "id=1001", then --where "id=1002".'],
    ['id=1001-1005', 'Did you mean --where "id>=1001" --where "id<=1005"?'],
    ['id=1001..1005', 'Did you mean --where "id>=1001" --where "id<=1005"?'],
    ['score between 20 and 40', 'Did you mean --where "score>=20" --where "score<=40"?'],
    ['score<40 and hq_region=DE', 'Did you mean --where "score<40" --where "hq_region=DE"?'],
    [
      'score>=2 && cdp=yes AND score is not null',
      'Did you mean --where "score>=2" --where "cdp=yes" --where "score!="?',
    ],
    ['score is null', 'Did you mean --where "score="?'],
    ['score = null', 'Did you mean --where "score="?'],
    ['score!=n/a', 'Did you mean --where "score!="?'],
    ['name is not empty', 'Did you mean --where "name!="?'],
    ['name like %Stahl%', 'Use --where "name=Stahl": if no record has the value'],
    ['name contains "Stahl AG"', 'Use --where "name=Stahl AG": '],
    ['name=*stahl*', 'Use --where "name=stahl": '],
    ['name=~stahl', 'Use --where "name=stahl": '],
    ['score', 'and all of it in double quotes, such as --where "score<40".'],
  ])('says what a condition of another language is here: %s', (where, hint) => {
    expect(failure({ where: [where] })).toContain(hint);
    expect(failure({ where: [where] })).toContain(`--where "${where}"`);
    for (const [, meant = ''] of hint.matchAll(/--where "(.*?)"/g))
      expect(failure({ where: [meant] })).toBe('no error');
  });

  it.each(['name=Research and Co', 'name=Trial or Error', 'name=a-b', 'name=Foo, Inc', 'name=n/a'])(
    'reads a text as it is: %s',
    (where) => {
      expect(matches({ name: where.slice(5) }, where)).toBe(true);
    },
  );

  it('either reads any text or reports a usage error', { tags: ['property'] }, () => {
    const unit = fc.constantFrom('s', 'c', 'o', 'r', 'e', '=', '<', '>', '!', '0', '.', ' ', '-');
    fc.assert(
      fc.property(fc.string({ unit }), (where) => {
        expect(failure({ where: [where] })).toMatch(/^no error$|^--where "/);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('--sort', () => {
  it.each([
    ['score', 'score', [0.5, null, 0.25, undefined, 1], '0.25 0.5 1 – –'],
    ['-score', 'score', [0.5, null, 0.25, undefined, 1], '1 0.5 0.25 – –'],
    ['name', 'name', ['Zorn', 'Hall10', 'Ärzte', 'hall2', null], 'Ärzte hall2 Hall10 Zorn –'],
    [
      '-industry_rank',
      'industry_rank',
      ['low', 'unknown', 'very_high', 'medium'],
      'very_high medium low unknown',
    ],
  ])('orders by %s, missing values last', (sort, name, values, expected) => {
    expect(sorted(sort, name, values)).toBe(expected);
  });

  it('uses the next column for equal values', () => {
    const { order } = parseQuery(table, { sort: 'hq_region,-score' });
    const rows = [
      { hq_region: 'DE', score: 0.1 },
      { hq_region: 'AT', score: 0.2 },
      { hq_region: 'DE', score: 0.9 },
    ].toSorted((a, b) => order?.compare(order.keys(a), order.keys(b)) ?? 0);
    expect(rows.map(({ score }) => score)).toEqual([0.2, 0.9, 0.1]);
  });

  it('names an unknown column', () => {
    expect(failure({ sort: 'score, -nmae' })).toBe(
      '--sort "score, -nmae": unknown column "nmae" | Did you mean -name?',
    );
  });

  it('names all unknown columns, with what each may mean', () => {
    expect(failure({ sort: '-nmae,id,foo,scoer' })).toBe(
      '--sort "-nmae,id,foo,scoer": unknown columns "nmae", "foo", "scoer" | Did you mean -name for "nmae", score for "scoer"? There is no "".',
    );
  });

  it.each([
    ['score desc', '-score'],
    ['score:DESC', '-score'],
    ['score asc', 'score'],
    ['name, score descending', 'name,-score'],
  ])('reads the direction as in SQL: %s', (sort, meant) => {
    expect(failure({ sort })).toMatch(
      /^--sort ".+": the direction is a - before the column, not a word \| /,
    );
    expect(failure({ sort })).toContain(`Did you mean --sort ${meant}?`);
  });

  it('proposes no direction of an unknown column', () => {
    expect(failure({ sort: 'turnover desc' })).toContain('unknown column "turnover desc" | ');
  });
});

describe('--columns', () => {
  it('selects columns in their order, by name and short name', () => {
    const { columns } = parseQuery(table, { columns: 'name, emissions.scope_1,CDP' });
    expect(columns?.map(({ name, title }) => [name, title])).toEqual([
      ['name', 'name'],
      ['emissions_scope_1', 'emissions_scope_1'],
      ['cdp', 'cdp'],
    ]);
  });

  it.each(['emissionsScope1', 'Emissions: scope 1', 'EMISSIONS-SCOPE-1'])(
    'ignores case and what stands between words: %s',
    (columns) => {
      const [column] = parseQuery(table, { columns }).columns ?? [];
      expect(column?.name).toBe('emissions_scope_1');
    },
  );

  it.each(['id name score', 'id;name;score', 'id | name, score'])(
    'says that commas separate them: %s',
    (columns) => {
      const meant = 'commas separate the names of columns | Did you mean';
      expect(failure({ columns })).toContain(`${meant} --columns id,name,score?`);
      expect(failure({ sort: columns })).toContain(`${meant} --sort id,name,score?`);
    },
  );

  it.each([
    ['name,,id', 'a column name is missing'],
    ['cdp,name,cdp_is_listed', 'column cdp_is_listed is given twice'],
    ['*', 'unknown column "*"'],
  ])('refuses %s', (columns, message) => {
    expect(failure({ columns })).toContain(message);
  });
});
