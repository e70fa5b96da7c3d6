/* Checks before figures are added up, each with its smallest example. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { notesOf } from '../../src/footprint/views/words.ts';
import { newFolder, run } from '../support/run.ts';
import { footprint, industry, own, record, service } from './portfolio.ts';

const buy = (...ids: readonly number[]) => ids.map((id) => ({ id, spend: '1000' }));
/* The same supplier in tonnes, with factors in kilograms. */
const mixed = own(2024, [100, 50, 200], {
  emissions: { ...own(2024, [100, 50, 200]).emissions, total: 350 },
  emission_factor: 350,
  scope_1_and_2_emission_factor: 150,
  total_upstream_emission_factor: 200,
});
const fitting = (id: number) =>
  record(id, [
    {
      ...mixed,
      emission_factor: 0.35,
      scope_1_and_2_emission_factor: 0.15,
      total_upstream_emission_factor: 0.2,
    },
  ]);

describe('units of factors and emissions', () => {
  const kilograms = record(1, [mixed]);
  const onlyFactors = record(2, [
    service(2024, 150, 200, { emission_factor: 350, revenue: 1_000 }),
  ]);

  it('rejects factors in kilograms beside emissions in tonnes until both are declared', () => {
    const calculate = () => footprint(buy(1, 2), [kilograms, onlyFactors]);
    expect(calculate).toThrow('the factor times revenue is 1,000 times the emissions in 1 record');
    const { items } = footprint(buy(1, 2), [kilograms, onlyFactors], {
      unit: 't',
      factorUnit: 'kg',
    });
    expect(items.map(({ factor, emissions }) => [factor, emissions])).toEqual([
      [0.35, 350],
      [0.35, 350],
    ]);
  });

  it('leaves a few records of another unit uncovered, and names them', () => {
    const records = [...Array.from({ length: 19 }, (_, index) => fitting(index + 2)), kilograms];
    const { items, summary } = footprint(buy(1, 2), records);
    expect(items.map(({ uncovered }) => uncovered)).toEqual(['other_unit', null]);
    expect(notesOf(summary).join()).toContain('In 1 record, the emission factor times revenue');
    expect(notesOf(summary).join()).toContain('Record 1');
  });

  it('rejects records that disagree, with records of each kind', () => {
    const odd = record(2, [{ ...mixed, emission_factor: 17 }]);
    const calculate = () => footprint(buy(1), [kilograms, odd, fitting(3)]);
    expect(calculate).toThrow('in 1 record (Record 3), but not in 2 records (Record 1, Record 2)');
  });

  it('rejects declared units that fit no record', () => {
    const calculate = () => footprint(buy(1), [kilograms], { unit: 'kg', factorUnit: 't' });
    expect(calculate).toThrow('fits no record');
  });
});

describe('outliers', () => {
  const purchases = [...buy(1, 2, 3), { name: 'Tiny', id: 4, spend: '1000' }];
  const usual = [1, 2, 3].map((id) => record(id, [own(2024, [100, 50, 200])]));
  const tiny = record(4, [{ ...own(2024, [100, 50, 200]), revenue: 1 }], industry([2024, 0.5]));

  it('names a supplier that is nearly everything, with its comparison and line', () => {
    const { items, summary } = footprint(purchases, [...usual, tiny]);
    expect(items[3]?.warning).toBe(
      'factor 350, average of the industry 0.5; 99.7% of the emissions',
    );
    expect(notesOf(summary)).toEqual(
      expect.arrayContaining([
        'Factor far from the average of the industry: Tiny (line 5): factor 350, average of the industry 0.5',
        'More than half of the emissions in one line item: Tiny (line 5): 99.7% of the emissions',
      ]),
    );
  });

  it('are uncovered with --exclude-outliers', () => {
    const { items, summary } = footprint(purchases, [...usual, tiny], { excludeOutliers: true });
    expect(items.map(({ uncovered }) => uncovered)).toEqual([null, null, null, 'outlier']);
    expect(summary.emissions).toBe(1_050);
  });

  it('are also factors that jump from one year to the next', () => {
    const jump = record(4, [own(2024, [100, 50, 200]), own(2023, [10, 5, 20])]);
    const { items } = footprint(purchases, [...usual, jump]);
    expect(items[3]?.warning).toBe('factor 0.35 in 2024, 0.035 in 2023');
  });

  it('are also factors that are implausible in kilograms per euro', () => {
    const { summary } = footprint(buy(1, 2, 3), usual, { unit: 't' });
    expect(notesOf(summary).join()).toContain('factor 350 kg per EUR');
    expect(footprint(buy(1, 2, 3), usual, { unit: 'kg' }).summary.warnings).toEqual([]);
  });
});

describe('checks', () => {
  const right = own(2024, [100, 50, 200]);
  const wrong = own(2023, [100, 50, 200], { revenue: -5 });

  it('of the records behind the emissions are summed up on every view', () => {
    const records = [record(1, [right, wrong]), record(2, [right])];
    expect(notesOf(footprint(buy(1, 2), records).summary).join('\n')).toContain(
      'carbon check finds 1 error, 0 warnings, 2 notices in these records, such as Record 1: revenue is -5',
    );
    expect(notesOf(footprint(buy(2), records).summary).join()).not.toContain('carbon check');
  });
});

describe('years', () => {
  it('have a total each, without a sum', () => {
    const { items, summary } = footprint(
      [
        { id: 1, spend: '1000', year: 2023 },
        { id: 1, spend: '3000', year: 2024 },
        { id: 2, spend: '-500', year: 2023 },
        { id: 2, spend: '900', year: 2024 },
      ],
      [record(1, [own(2024, [100, 50, 200])]), record(2, [own(2024, [100, 50, 200])])],
    );
    expect(summary.emissions).toBeNull();
    expect(summary.years.map(({ year, emissions }) => [year, emissions])).toEqual([
      [2023, 350],
      [2024, 1_365],
    ]);
    // Net spend is negative in 2023, although it is positive in both years together.
    expect(items.map(({ excluded }) => excluded)).toEqual([null, null, 'negative_net_spend', null]);
    expect(items.map(({ share }) => share)).toEqual([1, 1_050 / 1_365, null, 315 / 1_365]);
  });

  it.each([
    ['the nearest', 2020, [2021, 2010], 2021],
    ['the earlier of two', 2022, [2023, 2021], 2021],
    ['the latest without a year of spend', undefined, [2019, 2021], 2021],
  ])('of factors are %s', (_, year, known, expected) => {
    const records = [
      record(
        1,
        known.map((each) => own(each, [100, 50, 200])),
      ),
    ];
    const { items } = footprint([{ id: 1, spend: '1', year }], records);
    expect(items[0]?.factor_year).toBe(expected);
  });

  it('of factors are at most five before the spend', () => {
    const records = [record(1, [own(2009, [100, 50, 200])], industry([2024, 0.5]))];
    const { items } = footprint(buy(1), records);
    expect(items[0]).toMatchObject({
      basis: 'industry',
      factor: 0.5,
      factor_note: 'figures of 2009 are more than 5 years older than the spend',
    });
    expect(footprint(buy(1), records, { maxFactorAge: 15 }).items[0]?.basis).toBe('own');
    const old = footprint(buy(1), [record(1, [own(2009, [100, 50, 200])])]);
    expect(old.items[0]?.uncovered).toBe('too_old');
  });
});

describe('evidence of records', () => {
  const shown = (id: number, upstreamFactor: number) =>
    record(id, [
      own(2023, [200, 100, 500], { total_upstream_emission_factor: upstreamFactor }),
      service(2024, 0.3, upstreamFactor),
    ]);

  it('of a record decides its own reading of the upstream factor', () => {
    const additive = Array.from({ length: 30 }, (_, index) => shown(index + 2, 0.5));
    const { items } = footprint(buy(1, 2), [shown(1, 0.8), ...additive]);
    expect(items.map((item) => [item.upstream_factor, item.factor])).toEqual([
      ['nested', 0.8],
      ['additive', 0.8],
    ]);
  });

  it('needs purchased goods above 0', () => {
    const { items } = footprint(buy(1), [record(1, [own(2024, [100, 50, 0])])]);
    expect(items[0]?.uncovered).toBe('no_factor');
  });

  it('ignores a scope 1 and 2 factor of 0', () => {
    const records = [record(1, [service(2024, 0, 0.5)])];
    const { items } = footprint(buy(1), records, { upstreamFactor: 'additive' });
    expect(items[0]?.uncovered).toBe('no_factor');
  });
});

describe('industry averages', () => {
  const records = [record(1, [], industry([2024, 0.5]))];

  it('have an undocumented boundary, which the headline separates', () => {
    const { items, summary } = footprint(buy(1), records);
    expect(items[0]?.boundary).toBe('undocumented');
    expect(summary.emissions_by_basis).toEqual({ own: 0, service: 0, industry: 500 });
    expect(notesOf(summary)[0]).toContain('100.0% of the emissions are from industry averages');
  });

  it.each(['scope-1-2', 'total'] as const)('are not used within %s', (boundary) => {
    expect(footprint(buy(1), records, { boundary }).items[0]?.uncovered).toBe('no_performance');
  });
});

describe('supplier data', () => {
  it('is a range from scopes 1 and 2 to all of the own figures', () => {
    const records = [record(1, [own(2024, [100, 100, 200])]), record(2, [], industry([2024, 0.4]))];
    const { summary } = footprint(
      [
        { id: 1, spend: '1000', category: 'Steel' },
        { id: 2, spend: '1000', category: 'IT' },
      ],
      records,
    );
    expect(summary.supplier_data_share).toEqual({ from: 0.25, to: 0.5 });
    expect(summary.categories.map((each) => each.supplier_data_share)).toEqual([
      { from: 0, to: 0 },
      { from: 0.5, to: 1 },
    ]);
  });
});

describe('targets', () => {
  const status = (id: number, wording: string) =>
    record(id, [own(2024, [100, 50, 200])], {
      sbti: { data: [{ near_term: { target_status: wording } }] },
    });

  it('are recognized in known wordings, and others are named', () => {
    const records = [
      ...['Set', 'Targets Set', 'Committed', 'Commitment removed', 'validated'].map(
        (wording, index) => status(index + 1, wording),
      ),
    ];
    const { summary, items } = footprint(buy(1, 2, 3, 4, 5), records);
    expect(summary.sbti_coverage).toMatchObject({
      set: 2,
      committed: 1,
      removed: 1,
      other: 1,
      unknown: 0,
      by_emissions: 0.4,
      other_wordings: { validated: 1 },
    });
    expect(items[4]?.sbti_near_term).toMatchObject({ status: 'other', wording: 'validated' });
  });
});

describe('sensitivity and completeness', () => {
  it('shows the total that other choices give', () => {
    const performance = own(2024, [100, 100, 200], {
      scope_1_and_2_emission_factor: 0.1,
      total_upstream_emission_factor: 0.5,
    });
    const located = {
      ...performance,
      emissions: {
        ...performance.emissions,
        scope_2: { total_market_based: 100, total_location_based: 300 },
      },
    };
    const { summary } = footprint(buy(1), [record(1, [located], industry([2024, 0.9]))], {
      upstreamFactor: 'additive',
    });
    expect(summary.alternatives).toEqual([
      { choice: 'service factors', emissions: 600, rows: 1 },
      { choice: 'industry averages', emissions: 900, rows: 1 },
      { choice: 'scope 2 location-based', emissions: 600, rows: 1 },
    ]);
  });

  it('estimates uncovered spend by its category, in no total', () => {
    const { summary } = footprint(
      [
        { id: 1, spend: '1000', category: 'Steel' },
        { id: 2, spend: '1000', category: 'IT' },
        { id: 9, spend: '500', category: 'Steel' },
        { id: 9, spend: '100', category: 'Paper' },
      ],
      [record(1, [own(2024, [100, 100, 200])]), record(2, [own(2024, [10, 10, 80])])],
    );
    expect(summary.emissions).toBe(500);
    expect(summary.uncovered_estimate).toBe(225);
    expect(summary.completeness).toBe(500 / 725);
  });
});

describe('suppliers', () => {
  const records = [record(1, [own(2024, [100, 50, 200])]), record(2, [own(2024, [1, 1, 1])])];

  it('without an ID join an equal alias, those with different IDs never', () => {
    const { items } = footprint(
      [
        { name: 'Müller & Söhne GmbH', id: 1, spend: '10' },
        { name: 'MULLER und SOHNE G.m.b.H.', key: 'a'.repeat(32), spend: '5' },
        { name: 'Müller & Söhne GmbH', id: 2, spend: '1' },
      ].slice(0, 2),
      records,
    );
    expect(items).toMatchObject([{ lines: [2, 3], spend: 15, matched_by: 'alias', id: 1 }]);
    const different = footprint(
      [
        { name: 'Acme Ltd', id: 1, spend: '10' },
        { name: 'Acme Limited', id: 2, spend: '1' },
        { name: 'ACME LTD', key: 'b'.repeat(32), spend: '1' },
      ],
      records,
    );
    expect(different.items.map(({ id }) => id)).toEqual([1, 2, null]);
  });

  it('list all lines, and how each line item was matched', () => {
    const { items } = footprint(
      Array.from({ length: 30 }, (_, index) => ({
        id: 1,
        spend: '1',
        category: index < 25 ? 'A' : 'B',
      })),
      records,
    );
    expect(items.map(({ lines }) => lines.length)).toEqual([25, 5]);
  });
});

describe('carbon footprint', () => {
  const writeRecords = () => {
    const records = join(newFolder(), 'records.ndjson');
    const lines = [1, 2].map((id) => JSON.stringify(record(id, [own(2024, [100, 50, 200])])));
    writeFileSync(records, `${lines.join('\n')}\n`);
    return records;
  };
  const calculate = async (text: string, ...argv: readonly string[]) => {
    const path = join(newFolder(), 'spend.csv');
    writeFileSync(path, text);
    const { exit, stdout, stderr } = await run([
      ...['footprint', path, '--records', writeRecords(), '--json', ...argv],
    ]);
    const lines = stdout.split('\n').filter(Boolean);
    const summary = lines.length === 0 ? undefined : JSON.parse(lines.at(-1) ?? '').summary;
    return { exit, stderr, summary };
  };

  it('rejects an export whose purchases are negative, and reads it with --invert', async () => {
    const sap =
      'carbon_id;BlArt;Währg;Betrag in BW;Buch.dat.\n' +
      '1;KR;EUR;20.166,41-;24.03.2024\n2;KR;EUR;100,00-;24.03.2024\n1;KZ;EUR;4.685,00;25.03.2024\n';
    const { exit, stderr } = await calculate(sap);
    expect(exit).toBe(2);
    expect(stderr).toContain(
      '2 of 3 amounts are negative. Their sum is -15581.41 EUR; with the opposite signs, it is 15581.41 EUR',
    );
    const { summary } = await calculate(sap, '--invert', '--rows', 'BlArt=KR');
    expect(summary.spend).toEqual({ EUR: { total: 20_266.41, covered: 20_266.41 } });
    expect(summary.method).toMatchObject({
      selection: ['BlArt=KR'],
      amounts: ['signs reversed (--invert)'],
    });
  });

  it('compares a total that it leaves out with the rows, in every view', async () => {
    const text =
      'carbon_id,Supplier,Amount,Curr\n1,Alpha,500,EUR\n2,Beta,600,EUR\n,Summe,900,EUR\n';
    const { summary, stderr } = await calculate(text);
    expect(summary.emissions).toBe(385);
    const warning =
      'Your total in line 4, 900, is not the sum of your rows, 1.10K. It is not counted';
    expect(summary.warnings[0]).toEqual({ kind: 'wrong_total', text: warning });
    expect(stderr).toContain('"event":"wrong_total","line":4,"total":900,"rows":1100,"texts":0');
  });

  it('calculates one year with --year', async () => {
    const text = 'carbon_id,Amount,Curr,Invoice Date\n1,500,EUR,24-Mar-24\n1,600,EUR,12/31/23\n';
    const { summary } = await calculate(text, '--year', '2024');
    expect([summary.emissions, summary.method.selection]).toEqual([175, ['spend of 2024']]);
    expect((await calculate(text, '--year', '2020')).stderr).toContain(
      'no row with spend is of 2020',
    );
  });

  it('reports different records of one organization without times', async () => {
    const other = join(newFolder(), 'other.ndjson');
    writeFileSync(other, `${JSON.stringify(record(1, [own(2024, [1, 1, 1])]))}\n`);
    const text = 'carbon_id,Amount,Curr,Year\n1,500,EUR,2024\n2,500,EUR,2024\n';
    const { summary } = await calculate(text, '--records', other);
    expect(summary.warnings[0].text).toBe(
      '1 organization has different records without a time of retrieval, of which the last counts: 1',
    );
  });

  it('names the successor of a renamed option', async () => {
    for (const [option, hint] of [
      ['--currency', 'Use --spend-currency.'],
      ['--upstream', 'Use --upstream-factor.'],
      ['--spend-factor', 'Use --amounts-in thousands'],
      ['--fallback', 'The boundary decides'],
      ['--what-if', 'The summary and the line items'],
      ['--where', 'Use --rows'],
    ] as const) {
      const { exit, stderr } = await calculate('carbon_id,Amount\n1,5\n', option, 'x');
      expect(exit).toBe(2);
      expect(stderr).toContain(hint);
    }
  });

  it.each(['.html', '.xlsx', '.csv'])('writes a %s file with -o', async (extension) => {
    const path = join(newFolder(), 'spend.csv');
    writeFileSync(path, 'carbon_id,Amount,Curr\n1,500,EUR\n');
    const out = join(newFolder(), `footprint${extension}`);
    const records = writeRecords();
    for (const _ of ['new', 'replaced']) {
      const result = await run(['footprint', path, '--records', records, '-o', out]);
      expect(result).toMatchObject({ exit: 0, stdout: '' });
      expect(result.stderr).toContain(`Wrote ${out}`);
    }
  });
});
