/* Checks before figures are added up, each with its smallest example. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { figureRules } from '../../../src/portfolio/checks/figure-rules.ts';
import { bareItemOf } from '../../../src/portfolio/footprint/footprint.ts';
import { doubtOf } from '../../../src/portfolio/footprint/line-item.ts';
import { statements } from '../../../src/portfolio/footprint/statements.ts';
import { tablesOf } from '../../../src/portfolio/footprint/views/tables.ts';
import { notesOf } from '../../../src/portfolio/footprint/views/words.ts';
import { newFolder, run } from '../../support/run.ts';
import { footprint, industry, own, record, service } from './portfolio.ts';

const buy = (...ids: readonly number[]) => ids.map((id) => ({ id, spend: '1000' }));
/* The figures of 2024, whose factor fits or is a multiple of it. */
const factored = (id: number, multiple: number) => {
  const figures = own(2024, [100, 50, 200]);
  const emissions = { ...figures.emissions, total: 350 };
  return record(id, [{ ...figures, emissions, emission_factor: 0.35 * multiple }]);
};
const uncovered = ({ items }: ReturnType<typeof footprint>) => items.map((item) => item.uncovered);

describe('units of factors and emissions', () => {
  it('stop the command if at least half of the records differ by one power of a thousand', () => {
    const calculate = (...multiples: readonly number[]) =>
      footprint(
        buy(1),
        multiples.map((multiple, index) => factored(index + 1, multiple)),
      );
    expect(() => calculate(1_000, 1_020, 1, 1)).toThrow(
      'the factor times revenue is 1,000 times the emissions in 2 of 4 records',
    );
    expect(() => calculate(1e-6, 1e-6)).toThrow('0.000001 times the emissions');
    expect(uncovered(calculate(1, 1_000, 1_000, 1, 1))).toEqual([null]);
    expect(uncovered(calculate(1, 1_000, 1e-3, 1e6))).toEqual([null]);
  });

  it('leave a single record near a power of a thousand uncovered', () => {
    const result = footprint(buy(1, 2), [factored(1, 1_000), factored(2, 1)]);
    expect(uncovered(result)).toEqual(['other_unit', null]);
    expect(uncovered(footprint(buy(1), [factored(1, 1_000)]))).toEqual(['other_unit']);
  });

  it('tell findings of one rule apart by their years', () => {
    const years = [2024, 2023, 2022].map((year) => {
      const figures = own(year, [100, 50, 200], { emission_factor: 0.385 });
      return { ...figures, emissions: { ...figures.emissions, total: 350 } };
    });
    const { items, entries } = footprint(buy(1), [record(1, years)]);
    expect(items[0]?.warning).toMatch(
      /^factor: 2024: emission factor .*; factor: 2023: emission factor .*; factor: 2022: emiss/,
    );
    // People read one line about all of them.
    const [entry] = entries;
    expect(entry && bareItemOf(entry, () => 'factor differs').warning).toMatch(
      /^factor differs: 2024: emission factor × revenue is [^;]+ \(and in 2022 and 2023\)(?!.*× revenue)/,
    );
  });

  it('use every other record, and name the finding of check', () => {
    const records = Array.from({ length: 12 }, (_, index) => factored(index + 1, index ? 1 : 1.11));
    const { items, summary } = footprint(buy(1, 2), records);
    expect(items.map(({ emissions, warning }) => [emissions, warning])).toEqual([
      [350, 'factor: emission factor × revenue is 11.0% above the emissions'],
      [350, null],
    ]);
    expect(notesOf(summary)).toContain(
      'Warnings of carbon check: factor and emissions disagree (factor × revenue differs from the emissions by more than 5%) 50% of the emissions',
    );
  });
});

describe('errors of check', () => {
  const right = own(2024, [100, 50, 200]);

  it('about figures leave an item uncovered that uses their year', () => {
    const negative = own(2024, [100, 50, 200], { total_upstream_emission_factor: -1 });
    const future = own(2027, [100, 50, 200]);
    const old = own(2023, [100, 50, 200], { total_upstream_emission_factor: -1 });
    const records = [
      record(1, [negative]),
      record(2, [future]),
      record(3, [right, old]),
      record(4, [negative], industry([2024, 0.5])),
    ];
    const result = footprint(buy(1, 2, 3, 4), records);
    expect(uncovered(result)).toEqual(['negative', 'year', null, 'negative']);
    expect(result.items[0]?.uncovered_detail).toBe('total_upstream_emission_factor is −1');
    expect(notesOf(result.summary).join('\n')).toMatch(
      /Errors of carbon check: below 0 \(.+\) 100%/,
    );
  });

  it.each([
    ['sum_scope', { scope_1: { total: 100, mobile_combustion: 900 } }],
    ['sum_total', { total: 90 }],
    ['zero', { scope_1: { total: 0 }, scope_2: { sum: 0 }, scope_3: {} }],
  ] as const)('about figures are the reason: %s', (rule, more) => {
    const wrong = { ...right, emissions: { ...right.emissions, ...more } };
    const { items, summary } = footprint(buy(1, 2), [record(1, [wrong]), record(2, [right])], {
      boundary: 'scope-1-2',
    });
    expect(items.map((item) => [item.uncovered, item.emissions])).toEqual([
      [rule, null],
      [null, 150],
    ]);
    expect(summary.left_out.records).toMatchObject([{ id: 1, reason: rule }]);
    const older = { ...wrong, year: 2023 };
    expect(uncovered(footprint(buy(1), [record(1, [right, older])]))).toEqual([null]);
  });

  it('about figures of a year all have a reason', () => {
    const ofScores = ['percent_score', 'out_of_range'];
    const rules = figureRules.filter(({ severity }) => severity === 'error');
    const unknown = rules.map(({ name }) => name).filter((name) => doubtOf(name) === undefined);
    expect(unknown).toEqual(ofScores);
  });

  it('about the match leave the items of that name uncovered', () => {
    const match = (id: number, name: string) => ({ matching_organization: { id, name } });
    const records = [
      record(1, [right], { name: 'Acme', ...match(9, 'Nordwind AG') }),
      record(2, [right], { name: 'Globex', ...match(7, 'Globex') }),
      record(3, [right], { name: 'Globex Europe', ...match(7, 'Globex') }),
      record(4, [right], { name: 'Alphabet', ...match(6, 'Alphabet') }),
      record(5, [right], { name: 'ALPHABET Inc.', ...match(6, 'Alphabet') }),
    ];
    const names = ['Acme', 'Globex', 'Globex Europe', 'Alphabet', 'Alphabet'];
    const result = footprint(
      names.map((name, index) => ({ name, id: index + 1, spend: '10' })),
      records,
    );
    expect(uncovered(result)).toEqual([...['match_differs', null, 'match_shared', null, null]]);
    expect(notesOf(result.summary)).toContainEqual(
      expect.stringMatching(
        /^Warnings of carbon check: same match as another \(.+\) 100% of the emissions$/,
      ),
    );
  });

  it('say that a report may use the other one of two figures', () => {
    const { emissions, ...others } = own(2024, [100, 50, 200]);
    const both = { scope_1_and_2: { total_market_based: 140 } };
    const joint = record(1, [{ ...others, emissions: { ...emissions, ...both } }]);
    const { summary } = footprint(buy(1), [joint]);
    expect(summary.emissions).toBe(350);
    expect(summary.checks).toMatchObject([{ rule: 'joint', effect: expect.closeTo(-10, 9) }]);
    expect(notesOf(summary).at(-1)).toBe(
      'Record 1 has two figures for scopes 1 and 2: with the other (carbon report may use it), the total would change by −10',
    );
    // A second supplier, and figures of a year that no factor is from.
    const earlier = {
      ...joint,
      ...record(2, [{ ...others, emissions: { ...emissions, ...both } }]),
    };
    const two = footprint(buy(1, 2), [joint, earlier]).summary;
    expect(notesOf(two).at(-1)).toMatch(/^Record 1 and 1 more have two figures .* by −20$/);
    const old = { ...own(2023, [100, 50, 200]), year: 2023 };
    const later = record(1, [right, { ...old, emissions: { ...old.emissions, ...both } }]);
    const unused = footprint(buy(1), [later]).summary;
    expect(unused.checks).toMatchObject([{ rule: 'joint', effect: null }]);
    expect(notesOf(unused).at(-1)).toMatch(
      /^Warnings of carbon check: wrong sum of scopes 1 and 2 /,
    );
  });

  it('do not remove a large supplier', () => {
    const records = [
      record(1, [own(2024, [900, 450, 450]), own(2023, [9, 4, 4])]),
      record(2, [right]),
    ];
    const { summary } = footprint(buy(1, 2), records);
    expect(summary.emissions).toBe(2_150);
    expect(notesOf(summary)).toEqual(
      expect.arrayContaining([
        'One supplier (ID 1) makes up 83.7% of the emissions',
        expect.stringMatching(/large change \(.+\) 84% of the emissions/),
      ]),
    );
  });
});

describe('factors far from the industry', () => {
  const average = industry([2024, 0.4]);
  const absurd = record(1, [own(2024, [50_000, 50_000, 300_000])], average);

  it('are named with supplier, factor, average and share, and correct nothing', () => {
    const purchases = [
      { id: 1, name: 'Record 1', spend: '5' },
      { id: 2, name: 'Record 2', spend: '20000' },
    ];
    const usual = record(2, [own(2024, [50, 50, 300])], average);
    const { summary } = footprint(purchases, [absurd, usual]);
    expect(summary.emissions).toBe(10_000);
    expect(notesOf(summary)).toContain(
      'Factor more than 10 times, or less than 1/10 of, the industry average: Record 1 has 400 per EUR, the average is 0.4 (20.0% of the emissions)',
    );
  });

  it('are judged in the year of the factor, the currency of the spend and every boundary', () => {
    const far = (given: object, boundary?: 'scope-1-2' | 'total') =>
      footprint(buy(1), [{ ...absurd, ...given }], boundary && { boundary }).summary.off_benchmark;
    const older = [own(2025, [50, 50, 300]), own(2024, [50_000, 50_000, 300_000])];
    expect(far({ performances: older })).toMatchObject([{ factor: 400, industry_average: 0.4 }]);
    expect(far({}, 'scope-1-2')).toMatchObject([{ factor: 100 }]);
    expect(far({ performances: [own(2024, [1, 1, 300])] }, 'scope-1-2')).toEqual([]);
    const dollars = { year: 2024, emission_factor: 0.4, revenue_currency: 'USD' };
    expect(far({ industry: { performances: [dollars] } })).toEqual([]);
  });
});

describe('years', () => {
  it('of factors are at most five before the spend', () => {
    const records = [record(1, [own(2009, [100, 50, 200])], industry([2024, 0.5]))];
    const { items } = footprint(buy(1), records);
    expect(items[0]).toMatchObject({ basis: 'industry', factor: 0.5 });
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

  it.each([
    ['870', 0.8],
    ['720', 0.5],
  ])('comes from the latest record, in any order of the files: %s', (_, factor) => {
    const latest = { ...shown(1, factor), retrieved_at: '2026-02-01T00:00:00Z' };
    const old = { ...shown(1, 1.3 - factor), retrieved_at: '2025-02-01T00:00:00Z' };
    const purchases = [{ id: 2, spend: '1000' }];
    const other = record(2, [service(2024, 0.3, 0.5)]);
    const results = [
      [old, latest, other],
      [latest, old, other],
    ].map((records) => footprint(purchases, records));
    for (const { items, summary } of results) {
      expect(summary.upstream).toMatchObject({ additive: factor === 0.5 ? 1 : 0, undecided: 1 });
      expect(items[0]?.factor).toBe(factor === 0.5 ? 0.8 : 0.5);
    }
  });
});

describe('targets', () => {
  const status = (id: number, wording: string) =>
    record(id, [own(2024, [100, 50, 200])], {
      sbti: { data: [{ near_term: { target_status: wording } }] },
    });

  it('are counted by status, and those in other words are shown as received', () => {
    const wordings = ['Set', 'Targets Set', 'Committed', 'Commitment removed', 'under review'];
    const records = wordings.map((wording, index) => status(index + 1, wording));
    const { summary, items } = footprint(buy(1, 2, 3, 4, 5), records);
    expect(summary.sbti_coverage).toMatchObject({ status: 'set', suppliers: 2, by_emissions: 0.4 });
    const counts = summary.sbti_coverage.targets.map((each) => [each.status, each.suppliers]);
    expect(Object.fromEntries(counts)).toEqual({ set: 2, committed: 1, removed: 1, other: 1 });
    expect(items[4]?.sbti_near_term).toBe('under review');
  });
});

describe('a matched organization', () => {
  const match = (id: number, ...names: readonly string[]) => ({
    matching_organization: { id, name: names[0], names: names.map((value) => ({ value })) },
  });
  const nord = match(9, 'Nord Group AG', 'Nord Steel GmbH', 'Nord Logistics BV');
  const sbti = (target_status: string) => ({ sbti: { data: [{ near_term: { target_status } }] } });
  const member = (id: number, name: string, others: object = {}) =>
    record(id, [own(2024, [100, 50, 50])], { name, ...nord, ...others });
  const group = [
    member(1, 'Nord Group AG'),
    member(2, 'Nord Steel GmbH', sbti('set')),
    member(3, 'Nord Logistics BV'),
  ];
  const purchases = group.map(({ id, name }) => ({ id, name, spend: `${id}00` }));

  it('is one supplier of all names that are equal aliases, each with its line item', () => {
    const { summary, items } = footprint(purchases.toReversed(), group);
    expect([summary.emissions, summary.suppliers, uncovered({ items } as never)]).toEqual([
      ...[120, 1, [null, null, null]],
    ]);
    expect(items.map(({ id, supplier }) => [id, supplier])).toEqual(
      purchases.toReversed().map(({ id, name }) => [id, name]),
    );
    expect(summary.largest).toMatchObject([
      {
        supplier: 'Nord Group AG',
        id: 1,
        members: ['Nord Group AG', 'Nord Logistics BV', 'Nord Steel GmbH'],
        emissions: 120,
        sbti_near_term: 'set',
      },
    ]);
    expect(summary.sbti_coverage).toMatchObject({ status: 'set', suppliers: 1, by_emissions: 1 });
  });

  it('leaves only other names uncovered, whose target may be that of another company', () => {
    const other = member(4, 'Nord Ferries', sbti('set'));
    const { summary, items } = footprint(
      [...purchases, { id: 4, name: 'Nord Ferries', spend: '600' }],
      [...group, other],
    );
    expect(items.map((item) => item.uncovered)).toEqual([null, null, null, 'match_shared']);
    expect(items[3]?.sbti_near_term).toBeNull();
    expect(summary.sbti_coverage.targets).toMatchObject([
      { status: 'set', suppliers: 1, by_emissions: 1, by_spend: 0.5 },
      { status: 'unknown', suppliers: 1, by_emissions: 0, by_spend: 0.5 },
    ]);
  });

  it('of one ID keeps names that fit and those that do not apart', () => {
    const rows = [
      { id: 2, name: 'Nord Steel GmbH', spend: '100' },
      { id: 2, name: 'Wrangel', spend: '100' },
    ];
    const { summary } = footprint(rows, [group[1] as object]);
    expect(summary.sbti_coverage.targets).toMatchObject([
      { status: 'set', suppliers: 1, by_spend: 0.5 },
      { status: 'unknown', suppliers: 1, by_spend: 0.5 },
    ]);
  });

  it('takes credit notes of a member out before members become one', () => {
    const { items } = footprint(
      [...purchases, { id: 1, name: 'Nord Group AG', spend: '-150' }],
      group,
    );
    expect(items.map(({ excluded }) => excluded)).toEqual(['negative_net_spend', null, null]);
  });
});

describe('the status of a supplier', () => {
  const dated = (currency: string, target_status: string | null, retrieved_at?: string) => ({
    ...record(1, [own(2024, [100, 50, 50], { revenue_currency: currency })]),
    sbti: target_status === null ? null : { data: [{ near_term: { target_status } }] },
    retrieved_at,
  });
  const statusOf = (...records: readonly object[]) => {
    const rows = ['EUR', 'USD'].map((currency) => ({ id: 1, currency, spend: '100' }));
    const { summary, disputed } = footprint(rows, records);
    const { targets } = summary.sbti_coverage;
    const words = targets.map(({ status, suppliers }) => `${suppliers} ${status}`).join();
    return [words, disputed.length];
  };

  it('is that of the record retrieved last, in any currency and order', () => {
    const old = dated('EUR', 'committed', '2026-09-01T00:00:00Z');
    const now = dated('USD', 'set', '2026-10-01T00:00:00+02:00');
    const later = dated('USD', null, '2026-11-01T00:00:00Z');
    for (const records of [
      [old, now],
      [now, old],
      [old, later, now],
    ])
      expect(statusOf(...records)).toEqual(['1 set', 0]);
  });

  it('is the least favorable one without times, which a note tells', () => {
    expect(statusOf(dated('EUR', 'set'), dated('USD', 'removed'))).toEqual(['1 removed', 1]);
    expect(statusOf(dated('EUR', 'Active'), dated('USD', 'committed'))).toEqual(['1 other', 1]);
    expect(statusOf(dated('EUR', 'set'), dated('USD', 'Targets set'))).toEqual(['1 set', 0]);
  });

  it('is unknown while nobody has looked for a target', () => {
    const of = (status: string) => {
      const open = { ...record(1, [own(2024, [100, 50, 50])]), status, sbti: { data: [] } };
      return footprint(buy(1), [open]).summary.sbti_coverage.targets[0]?.status;
    };
    expect(['researching', 'errored', 'synced'].map(of)).toEqual(['unknown', 'unknown', 'none']);
  });

  it('is removed if a target or commitment has ended, and quotes other words', () => {
    const of = (status: string) =>
      footprint(buy(1), [dated('EUR', status)]).summary.sbti_coverage.targets[0]?.status;
    for (const status of ['Expired', 'withdrawn', 'Inactive', 'Archived', 'Commitment withdrawn'])
      expect([status, of(status)]).toEqual([status, 'removed']);
    const { summary } = footprint(buy(1), [dated('EUR', 'Active')]);
    expect(notesOf(summary)).toContain('SBTi statuses that count as other: "Active"');
  });
});

describe('sensitivity', () => {
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
    const replaced = { line_items: 1, replaced_emissions: 400, replaced_bases: ['own'] };
    expect(summary.alternatives).toEqual([
      { choice: 'service factors', emissions: 600, ...replaced },
      { choice: 'industry averages', emissions: 900, ...replaced },
      { choice: 'scope 2 location-based', emissions: 600, ...replaced },
    ]);
    const table = tablesOf(summary).find(({ title }) => title === 'Sensitivity');
    expect(table?.rows.map(table.label)).toEqual([
      "the service's own factors",
      'industry averages',
      'scope 2 location-based',
    ]);
  });
});

describe('sensitivity to the upstream factor', () => {
  const records = [
    record(1, [service(2024, 0.1, 0.5)]),
    record(2, [own(2024, [100, 100, 200])]),
    // Its upstream factor is nested, as its own figures show, and its own ones are of another year.
    record(3, [
      own(2023, [100, 100, 300], { total_upstream_emission_factor: 0.5 }),
      service(2024, 0.2, 0.7),
    ]),
    // Only nested has a factor.
    record(4, [service(2024, 0, 0.4)]),
  ];
  const total = (upstreamFactor: 'additive' | 'nested') =>
    footprint(buy(1, 2, 3, 4), records, { upstreamFactor }).summary;

  it.each([
    ['additive', 'nested'],
    ['nested', 'additive'],
  ] as const)('is the total with the other reading: %s', (reading, other) => {
    const { emissions, alternatives } = total(reading);
    const found = alternatives.find(({ choice }) => choice === `upstream factors ${other}`);
    expect(found).toMatchObject({ emissions: total(other).emissions, line_items: 2 });
    expect(found?.emissions).not.toBe(emissions);
    const table = tablesOf(total(reading)).find(({ title }) => title === 'Sensitivity');
    expect(table?.rows.map(table.label)).toContain(`upstream factors read as ${other}`);
  });

  it('is said if it changes most', () => {
    const { summary } = footprint(buy(1), records, { upstreamFactor: 'additive' });
    expect(statements(summary)).toContainEqual(
      expect.objectContaining({
        rule: 'sensitivity',
        text: "If the service's upstream factors contained scopes 1 and 2 (--upstream-factor nested), the total would be 16.7% lower: another choice of method, not an error margin",
        choice: 'upstream factors nested',
        line_items: 1,
        replaced_change: expect.closeTo(-1 / 6, 12),
      }),
    );
  });

  it('is none where records decide', () => {
    const shown = record(5, [own(2024, [100, 100, 200], { total_upstream_emission_factor: 0.2 })]);
    const { summary } = footprint(buy(1), [...records.slice(0, 2), shown]);
    expect(summary.upstream.decided_by).toBe('records');
    expect(summary.alternatives).toEqual([]);
  });
});

describe('regions', () => {
  it('of a year are never added up: the global one counts, and a note says so', () => {
    const performances = ['FR', 'GLOBAL', 'DE'].map((region, index) =>
      own(2024, [index, 50, 200], { region }),
    );
    const { items, summary } = footprint(buy(1), [record(1, performances, { hq_region: 'DE' })]);
    expect(items[0]).toMatchObject({ factor_region: 'GLOBAL', factor: 0.251 });
    expect(notesOf(summary).join()).toContain('Records of 1 line item have several regions');
  });
});

describe('carbon footprint', () => {
  const write = (name: string, text: string) => {
    const path = join(newFolder(), name);
    writeFileSync(path, text);
    return path;
  };
  const recordsOf = (...records: readonly object[]) =>
    write('records.ndjson', records.map((each) => JSON.stringify(each)).join('\n'));
  const calculate = async (text: string, ...argv: readonly string[]) => {
    const records = recordsOf(...[1, 2].map((id) => record(id, [own(2024, [100, 50, 200])])));
    const words = ['footprint', write('spend.csv', text), '--records', records, ...argv];
    const { exit, stdout, stderr } = await run([...words, '--json']);
    const last = stdout.trimEnd().split('\n').at(-1);
    return { exit, stderr, words, summary: last && JSON.parse(last).summary };
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
    expect(stderr).toContain('If the file shows purchases as negative amounts, use --invert');
    const { summary } = await calculate(sap, '--invert', '--rows', 'BlArt=KR');
    expect(summary.spend).toEqual({ EUR: { total: 20_266.41, covered: 20_266.41 } });
    expect(summary.method).toMatchObject({
      selection: ['BlArt=KR'],
      amounts: ['signs reversed (--invert)'],
    });
  });

  it('compares a total that it leaves out with the rows, in every view', async () => {
    const text =
      'carbon_id,Supplier,Amount,Curr\n1,Record 1,500,EUR\n2,Record 2,600,EUR\n,Summe,900,EUR\n';
    const { summary, stderr } = await calculate(text);
    expect(summary.emissions).toBe(385);
    const warning = 'Your total in line 4, 900, is not the sum of your rows, 1.10K';
    expect(summary.warnings[0]).toBe(warning);
    expect(stderr).toContain(JSON.stringify({ level: 'warning', text: warning }));
  });

  it('reports different records of one organization without times', async () => {
    const other = recordsOf(record(1, [own(2024, [1, 1, 1])]));
    const text = 'carbon_id,Amount,Curr,Year\n1,500,EUR,2024\n2,500,EUR,2024\n';
    const { summary } = await calculate(text, '--records', other);
    expect(summary.warnings[0]).toBe(
      '1 organization has different records without a time of retrieval; the last one is used: 1',
    );
  });

  it('prints line items as CSV with all digits, and writes them to a file', async () => {
    const { words } = await calculate('carbon_id,Amount,Curr\n1,0.1,EUR\n');
    const { stdout } = await run([...words, '--csv']);
    const [head = [], row = []] = stdout.split('\r\n').map((line) => line.split(','));
    const [factor, emissions] = ['factor', 'emissions'].map((name) => row[head.indexOf(name)]);
    expect([head.length, factor, emissions]).toEqual([41, '0.35', String(0.1 * 0.35)]);
    for (const extension of ['.csv', '.html']) {
      const out = join(newFolder(), `footprint${extension}`);
      const result = await run([...words, '-o', out]);
      expect(result).toMatchObject({ exit: 0, stdout: '' });
      expect(result.stderr).toContain(`Wrote ${out}`);
    }
  });
});
