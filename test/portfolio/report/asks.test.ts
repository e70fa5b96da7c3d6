/* Whom a report leads to, in which order, and how sure its figures are. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderPage } from '../../../src/portfolio/report/page.ts';
import { renderPlainSummary } from '../../../src/portfolio/report/text.ts';
import '../../support/seed.ts';
import { snapshotOf, summarize } from './inputs.ts';

const figures = (year: number, scope1: number, more: object = {}) => ({
  year,
  emissions: { scope_1: { total: scope1 }, scope_2: { total_market_based: 1 }, ...more },
});

interface Made {
  readonly status?: string;
  readonly performances?: readonly object[];
  readonly isUnmatched?: boolean;
  readonly target?: string;
  /** The matched organization; by default, that of the record alone. */
  readonly match?: { readonly id: string; readonly name: string };
  /** When SBTi was looked up. */
  readonly checked?: string;
  readonly score?: number;
}

const record = (
  id: number,
  name: string,
  { status = 'synced', performances = [], ...made }: Made,
) => ({
  id,
  name,
  status,
  score: made.score,
  matching_organization: made.isUnmatched ? null : (made.match ?? { id: name, name }),
  performances,
  sbti: {
    last_retrieved_at: made.checked,
    data: made.target === undefined ? [] : [{ near_term: { target_status: made.target } }],
  },
});

async function reportOf(made: Readonly<Record<string, Made>>, unit?: 't' | 'kg') {
  const records = Object.entries(made).map(([name, each], at) => record(at, name, each));
  const { document, ...ranked } = summarize(await snapshotOf(...records), unit);
  const page = renderPage(document, { ...ranked, from: ['list.csv'] });
  return { document, page, text: renderPlainSummary(document), missing: document.missing };
}

const current = { performances: [figures(2024, 10), figures(2023, 9)] };
const both = (year: number, scope1 = 10) => ({ performances: [figures(year, scope1)] });
const many = { A: current, B: current, C: current, D: current, E: current, F: current };

describe('whom to ask after a report', () => {
  it('includes companies whose newest figures are before the years compared', async () => {
    const { text, page, missing, document } = await reportOf({
      ...many,
      Old: both(2019),
      Newer: both(2021, 50),
      Compared: both(2023),
      'Still open': { ...both(2019), status: 'locating' },
      Total: { performances: [{ year: 2024, emissions: { total: 5 } }] },
      'Only scope 1 since': {
        performances: [{ year: 2024, emissions: { scope_1: { total: 5 } } }, figures(2022, 3)],
      },
      'Scope 3': { performances: [{ year: 2024, emissions: { scope_3: { total: 5 } } }] },
    });
    expect(text).toContain(
      'statement: Missing: 6 of 13 companies have no scope 1 and 2 for 2023 or later: 3 with incomplete figures, 2 with figures up to 2021 only, 1 in research\n',
    );
    expect(text).toContain(
      'ask: 2 companies have no scope 1 or 2 after 2021 (Newer, Old): ask for scopes 1 to 3 of 2023\nask: 1 company is still in research (Still open): wait\nask: 3 companies lack scope 1 or 2 for recent years (Only scope 1 since, Total, Scope 3): ask for scopes 1 and 2 of 2023\n',
    );
    expect(page).toContain('; recent years are those since 2023, the first year compared');
    expect([missing.old, missing.incomplete, missing.since]).toEqual([2, 3, 2023]);
    expect(missing.in_progress).toBe(1);
    expect(document.ask).toEqual([
      {
        why: 'old',
        organizations: 2,
        emissions: 62,
        newest: 2021,
        rise: null,
        next_step: 'ask for scopes 1 to 3 of 2023',
        first: [
          { id: 7, name: 'Newer', lines: [] },
          { id: 6, name: 'Old', lines: [] },
        ],
      },
      expect.objectContaining({
        why: 'in_progress',
        organizations: 1,
        emissions: 11,
        newest: 2019,
      }),
      expect.objectContaining({ why: 'incomplete', organizations: 3, emissions: 4, newest: 2024 }),
    ]);
  });

  it('leaves out no company that discloses something, but never both scopes', async () => {
    const { text, page, document } = await reportOf({
      Total: { performances: [{ year: 2024, emissions: { total: 5 } }] },
      'Scope 3': { performances: [{ year: 2024, emissions: { scope_3: { total: 5 } } }] },
    });
    expect(text).toContain('2 companies lack scope 1 or 2 for recent years (Total, Scope 3)');
    expect(document.ask).toMatchObject([{ why: 'incomplete', emissions: null, newest: null }]);
    expect(page).not.toContain('recent years are');
    const one = await reportOf({
      ...many,
      'Scope 3': { performances: [{ year: 2024, emissions: { scope_3: { total: 5 } } }] },
    });
    expect(one.text).toContain('1 company lacks scope 1 or 2 for recent years (Scope 3): ask for');
  });

  it('names a company by its ID if its name is empty', async () => {
    const { text } = await reportOf({ '': {}, ' \n': {}, 'A\nB': {} });
    expect(text).toContain('3 companies have no emissions in the record (0, 1, A B): ask for');
  });

  it('begins with the largest emissions, then with the largest number', async () => {
    const { document, page } = await reportOf({
      ...many,
      Quiet: {},
      'No match': { isUnmatched: true },
      'Wrong name': { isUnmatched: true },
      Small: { ...current, target: 'removed' },
      Large: { performances: [figures(2024, 90), figures(2023, 89)], target: 'committed' },
      Xeno: both(2019, 40),
    });
    const order = ['committed', 'old', 'removed', 'unmatched', 'no_emissions'];
    expect(document.ask.map(({ why }) => why)).toEqual(order);
    const terms = [...page.matchAll(/<dt>(\d+)<\/dt><dd>([a-z]+)/g)].map(([, ...each]) => each);
    expect(terms).toEqual([
      ['1', 'committed'],
      ['1', 'has'],
      ['1', 'target'],
      ['2', 'were'],
      ['1', 'has'],
    ]);
  });

  it('adds up no figures of a repeated match or of an error, and decimals as written', async () => {
    const removed = { ...current, target: 'removed' };
    const match = { id: 'Nord', name: 'Nord' };
    const { document } = await reportOf({
      Nord: { ...removed, match },
      // The name of another organization, which carbon check calls an error.
      Zeppelin: { performances: [figures(2024, 500)], target: 'removed', match },
      Wrong: { performances: [figures(2024, -7), figures(2023, 0.1)], target: 'removed' },
      Tenth: { performances: [figures(2024, 0.2, { scope_2: { total: 0 } })], target: 'removed' },
    });
    expect(document.left_out.organizations).toBe(2);
    expect(document.ask).toEqual([
      expect.objectContaining({ why: 'removed', organizations: 4, emissions: 12.3 }),
    ]);
    expect(document.ask[0]?.first.map(({ name }) => name)).toEqual(['Nord', 'Wrong', 'Tenth']);

    const repeated = await reportOf({
      Nord: { ...removed, match },
      'Nord ': { ...removed, match: { ...match, name: 'Nord ' } },
    });
    expect(repeated.document.emissions.same_match).toBe(1);
    expect(repeated.document.ask).toMatchObject([{ organizations: 2, emissions: 11 }]);
  });
});

describe('who made the sum rise', () => {
  const rise = (from: number, to: number, target: string) => ({
    performances: [figures(2024, to), figures(2023, from)],
    target,
  });
  const small = rise(10, 11, 'none');

  it('is asked why, with the targets, whatever else there is to ask', async () => {
    const { text, document, page } = await reportOf({
      Large: rise(500, 560, 'set'),
      Second: rise(300, 350, 'removed'),
      Third: small,
      Fourth: small,
      Fifth: small,
      Fallen: rise(900, 899, 'removed'),
    });
    expect(text).toContain('; 1 made 54% of the net rise (Large)\n');
    expect(document.ask.map(({ why, rise, first }) => [why, rise, first[0]?.name])).toEqual([
      ['rose', { share: expect.closeTo(60 / 112), since: 2023, validated: 1, removed: 0 }, 'Large'],
      ['removed', null, 'Fallen'],
    ]);
    expect(page).toContain(
      '<dt>1</dt><dd>made 54% of the net rise since 2023, although it has a validated target: ask why <span class="soft">Large +12.0%<',
    );
  });

  it('comes first with the largest emissions, and counts the targets of several', async () => {
    const { page, document } = await reportOf({
      Large: rise(500, 530, 'set'),
      Second: rise(300, 328, 'removed'),
      Third: rise(200, 220, 'set'),
      Others: small,
      ...Object.fromEntries(
        Array.from({ length: 6 }, (_, at) => [`Small ${at}`, rise(10, 14, 'none')]),
      ),
    });
    expect(page).toContain(
      '<p>Ask Large (+6.0%) and Second (+9.3%) why: they made 56% of the net rise since 2023, 1 with a validated target, 1 whose target or commitment was removed</p>',
    );
    expect(document.ask.map(({ why }) => why)).toEqual(['rose']);
  });

  describe('with known revenue', () => {
    const small = rise(10, 11, 'none');
    const grown = (revenues: readonly object[]) => ({
      target: 'set',
      performances: [
        { ...figures(2024, 749), ...revenues[0] },
        { ...figures(2023, 599), ...revenues[1] },
      ],
    });
    const euros = (revenue: unknown, revenue_currency: unknown = 'EUR') => ({
      revenue,
      revenue_currency,
    });
    const asked = async (large: Made) => {
      const all = { Large: large, B: small, C: small, D: small };
      const { document, text } = await reportOf(all);
      expect(text).toContain('1 made 98% of the net rise (Large)\n');
      return document.ask.map(({ why, next_step, first }) => [why, next_step, first[0]]);
    };

    it('is asked for a plan only if emissions rose less than revenue', async () => {
      // Scopes 1 and 2 rise from 600 to 750.
      const change = expect.closeTo(0.25) as number;
      const large = { id: 0, name: 'Large', lines: [] };
      const plan = 'ask for a plan to cut emissions while growing';
      for (const [after, why, step] of [
        [126, 'grew', plan],
        [125, 'rose', 'ask why'],
        [110, 'rose', 'ask why'],
        [90, 'rose', 'ask why'],
      ] as const) {
        const revenue_change = expect.closeTo(after / 100 - 1) as number;
        expect(await asked(grown([euros(after), euros(100)]))).toEqual([
          [why, step, { ...large, change, revenue_change }],
        ]);
      }
    });

    it('is asked why if the revenue of both years cannot be compared', async () => {
      const two = (region: string) => ({ ...figures(2024, 749), ...euros(900), region });
      for (const large of [
        grown([euros(900), euros(100, 'USD')]),
        grown([euros(900, null), euros(100, null)]),
        grown([euros(900), euros(0)]),
        grown([euros(900), euros('n/a')]),
        grown([euros(900), {}]),
        grown([
          { ...euros(900), region: 'DE' },
          { ...euros(100), region: 'FR' },
        ]),
        {
          ...grown([]),
          performances: [two('DE'), two('FR'), { ...two('DE'), ...figures(2023, 599) }],
        },
      ]) {
        const all = { Large: large, B: small, C: small, D: small };
        const { document } = await reportOf(all);
        expect(document.ask.map(({ why }) => why)).not.toContain('grew');
      }
      const [[, , first] = []] = await asked(grown([euros(900), euros(100, 'USD')]));
      expect(first).toMatchObject({ revenue_change: null });
      // A currency is one, however it is written.
      const [[why] = []] = await asked(grown([euros(900, 'eur '), euros(100)]));
      expect(why).toBe('grew');
    });

    it('is in the group that a second computation finds, with its part of the rise', async () => {
      const amount = fc.integer({ min: 1, max: 900 });
      const company = fc.record({ first: amount, now: amount, before: amount, after: amount });
      const portfolios = fc.sample(fc.array(company, { minLength: 5, maxLength: 12 }), 150);
      const seen = new Set<string>();
      for (const portfolio of portfolios) {
        const { document } = await reportOf(
          Object.fromEntries(
            portfolio.map(({ first, now, before, after }, at) => [
              `Company ${at}`,
              {
                performances: [
                  { ...figures(2024, now), ...euros(after) },
                  { ...figures(2023, first), ...euros(before) },
                ],
              },
            ]),
          ),
        );
        const rising = portfolio
          .filter(({ first, now }) => now > first)
          .sort((a, b) => b.now - b.first - (a.now - a.first));
        const net = portfolio.reduce((sum, { first, now }) => sum + now - first, 0);
        const sumOf = (all: typeof portfolio) =>
          all.reduce((sum, { first, now }) => sum + now - first, 0);
        const number =
          net > 0
            ? rising.findIndex((_, at) => 2 * sumOf(rising.slice(0, at + 1)) >= net) + 1
            : Number.NaN;
        const few = 2 * number < rising.length ? rising.slice(0, number) : [];
        // Figures have another 1 in scope 2 of each year.
        const isOfGrowth = ({ first, now, before, after }: (typeof few)[number]) =>
          (now + 1) * before < after * (first + 1);
        const wanted = [true, false].flatMap((grew) => {
          const own = few.filter((each) => isOfGrowth(each) === grew);
          return own.length === 0
            ? []
            : [[grew ? 'grew' : 'rose', own.length, expect.closeTo(sumOf(own) / net)]];
        });
        const found = document.ask.map(({ why, organizations, rise: own }) => {
          seen.add(why);
          return [why, organizations, own?.share];
        });
        expect(found.toSorted()).toEqual(wanted);
      }
      expect([...seen].sort()).toEqual(['grew', 'rose']);
    });

    it('is one of two groups, each with its own part of the rise', async () => {
      const { text, page, document } = await reportOf({
        Grown: {
          target: 'set',
          performances: [
            { ...figures(2024, 560), ...euros(130) },
            { ...figures(2023, 500), ...euros(100) },
          ],
        },
        Risen: {
          target: 'removed',
          performances: [
            { ...figures(2024, 350), ...euros(101) },
            { ...figures(2023, 300), ...euros(100) },
          ],
        },
        ...Object.fromEntries(
          Array.from({ length: 8 }, (_, at) => [`Small ${at}`, rise(10, 21, 'none')]),
        ),
      });
      // The net rise is 60 + 50 + 8 × 11 = 198.
      expect(document.ask.map(({ why, rise: own }) => [why, own?.share])).toEqual([
        ['grew', expect.closeTo(60 / 198)],
        ['rose', expect.closeTo(50 / 198)],
      ]);
      expect(text).toContain('2 made 56% of the net rise (Grown, Risen)\n');
      expect(text).toContain(
        'ask: 1 company made 30% of the net rise since 2023, although it has a validated target (Grown +12.0%, revenue +30.0%): ask for a plan to cut emissions while growing\nask: 1 company made 25% of the net rise since 2023, whose target or commitment was removed (Risen +16.6%, revenue +1.0%): ask why\n',
      );
      for (const ask of ['Ask Grown (+12.0%, revenue +30.0%) for a plan to', 'Ask Risen (+16.6%, '])
        expect(text).toMatch(
          new RegExp(
            `^statement: First steps: (?:\\d\\. )?${ask.replaceAll(/[+.()]/g, '\\$&')}`,
            'm',
          ),
        );
      expect(page).toContain('<span class="soft">Grown +12.0%, revenue +30.0%</span>');
      expect(page).toContain('If their revenue rose more than their emissions, in one currency');
    });
  });

  it('is nobody if equal rises make up half of it, or the sum fell', async () => {
    for (const more of [{}, { Fallen: rise(900, 1, 'none') }]) {
      const { document } = await reportOf({ A: small, B: small, C: small, D: small, ...more });
      expect(document.ask).toEqual([]);
      expect(document.emissions.both_scopes?.largest_rises).toBeNull();
    }
  });
});

describe('a company with several gaps', () => {
  it('is asked once: for its match or its figures, before its target', async () => {
    const { document } = await reportOf({
      ...many,
      Unmatched: { isUnmatched: true, target: 'committed' },
      Quiet: { target: 'removed' },
      Old: { ...both(2019), target: 'removed' },
      Committed: { ...current, target: 'committed' },
    });
    expect(document.ask.map(({ why, first }) => [why, first.map(({ name }) => name)])).toEqual([
      ['old', ['Old']],
      ['committed', ['Committed']],
      ['no_emissions', ['Quiet']],
      ['unmatched', ['Unmatched']],
    ]);
  });
});

describe('certainty of a report', () => {
  it('says what carbon check warns of in the figures of the sum, and how they differ', async () => {
    const joint = (total: number, method: string) => ({
      performances: [figures(2024, 10, { scope_1_and_2: { [method]: total } })],
    });
    const { text, document } = await reportOf({
      ...many,
      Used: joint(20, 'total_market_based'),
      Unused: joint(30, 'total'),
      Earlier: { performances: [figures(2024, 10), figures(2019, 1)] },
    });
    expect(document.emissions.both_scopes?.warnings).toMatchObject([
      { rule: 'joint', organizations: 2, share: (20 + 11) / (20 + 8 * 11) },
    ]);
    expect(text).toMatch(
      /^statement: How sure: All 9 companies disclose scope 1 and 2; when quoting, say that carbon check warns of figures of 2024\n(?:.*\n)*note: Figures of 2 companies may be wrong \(Used, Unused: [^)]+\): run carbon check\n/m,
    );
    expect((await reportOf({ A: current })).text).toContain(
      'statement: How sure: 1 company discloses scope 1 and 2\n',
    );
    expect(text).toContain(
      'note: Of these figures, those of 2024: Used: scope 1 plus scope 2 is 11, scope 1 and 2 together is 20 (2 companies in all; 28.7% of the emissions; carbon report uses the latter, carbon footprint the former)\n',
    );
    expect((await reportOf({ ...many, Unused: joint(30, 'total') })).text).not.toContain(
      'carbon report uses',
    );
    expect((await reportOf(many)).text).not.toContain('may be wrong');
  });

  it('says with which figure to check a unit that no record has', async () => {
    const { text } = await reportOf(
      { ...many, Largest: { performances: [figures(2024, 500)] } },
      'kg',
    );
    expect(text).toContain(
      "statement: How sure: The unit is a setting (--unit kg), because the records have none: compare one figure with the company's own report, such as 501 kg of Largest in 2024\n",
    );
    expect((await reportOf(many)).text).not.toContain('is a setting');
  });

  it('calls no record free of findings that another line leaves out', async () => {
    const match = { id: 'Nord', name: 'Nord' };
    const { text, page } = await reportOf({
      Nord: { ...current, match },
      'Nord AG': { ...current, match: { ...match, name: 'Nord AG' } },
      Zeppelin: { ...current, match },
    });
    expect(text).toContain('Left out: 1 company whose record cannot be right, Zeppelin');
    expect(text).not.toMatch(/may be wrong|no findings/);
    expect(page).not.toContain('carbon check finds nothing');
  });

  it('counts errors that no line about what is left out names', async () => {
    const negative = { performances: [figures(2024, 10), figures(2023, -5)] };
    const named = await reportOf({ ...many, Negative: negative });
    expect(named.text).toContain('Left out: 1 company whose record cannot be right, Negative');
    const both = await reportOf({ ...many, Negative: negative, Scored: { ...current, score: 7 } });
    expect(both.text).toContain('Left out: 1 company whose record cannot be right, Negative');
    expect(both.text).toContain(
      '\nnote: Figures of 1 company may be wrong (Scored: score above 1); the total of 2024 uses none of these figures: run carbon check\n',
    );
  });

  it('says how many look-ups at SBTi are older than six months', async () => {
    const { text, page, document } = await reportOf({
      A: { ...current, checked: '2024-06-01T00:00:00Z' },
      B: { performances: [figures(2024, 32), figures(2023, 10)], checked: '2024-11-29' },
      C: { ...current, checked: '2024-12-02T00:00:00Z' },
      D: current,
    });
    const looked =
      'Targets last looked up at SBTi 1 Jun to 2 Dec 2024, more than six months ago for 2 of 3 companies, with 67% of the emissions';
    expect(text).toContain(`note: ${looked}\n`);
    expect(page.split(looked)).toHaveLength(2);
    expect(document.emissions.both_scopes?.sbti_lookups).toEqual({
      from: '2024-06-01',
      to: '2024-12-02',
      organizations: 3,
      old: 2,
      old_share: (11 + 33) / (3 * 11 + 33),
    });
    const recent = await reportOf({ A: { ...current, checked: '2025-05-01' } });
    expect(recent.page).toContain(' Targets last looked up at SBTi on 1 May 2025.</p>');
    expect(recent.text).not.toContain('SBTi looked up');
  });

  it('asks for the unit if companies emit a tenth of what the world emits', async () => {
    const huge = { A: { performances: [figures(2024, 5.71e9)] } };
    const note =
      "note: Implausible: 5.71 billion t would be 10% of the world's 57.1 billion t CO2e in 2023 (UNEP, Emissions Gap Report 2024); with --unit kg it would be 5.71 billion kg. The records have no unit: check --unit t. Shares, ranks and changes in percent hold if all amounts are wrong by the same factor\n";
    const { text, page } = await reportOf(huge, 't');
    expect(text).toContain(note);
    // It may make all amounts wrong, so that it is the first note, and alone below the title.
    expect(text.indexOf(note)).toBe(text.indexOf('note: '));
    const alert = note.replace('note: ', '').replaceAll("'", '&#39;').trim();
    expect(page).toContain(`</h1><p class="alert">${alert}. Here, “?” marks these amounts.</p>`);
    expect(page.split(alert)).toHaveLength(2);
    // Before anything else to do.
    expect(text).toMatch(
      /\nstatement: First steps: (1\. )?Check the unit before you use any amount: compare A with its own report \(carbon get \d+ --full lists its sources\), or ask the service for its unit; then correct --unit t\n/,
    );
    const most = { A: { performances: [figures(2024, 57.1e12)] } };
    expect((await reportOf(most, 't')).text).toContain("would be 1,000 times the world's");
    for (const [made, unit] of [
      [huge, 'kg'],
      [huge, undefined],
      [{ A: { performances: [figures(2024, 5.7e9)] } }, 't'],
    ] as const)
      expect((await reportOf(made, unit)).text).not.toContain('Check the unit');
  });

  it('says on its page of when records and figures are', async () => {
    const { page } = await reportOf({ A: current });
    expect(page).toContain('Figures of 2023 to 2024 · records ');
    expect(page).toContain(' page written 21 Nov 2026 by carbon');
  });
});
