/* What a reader of a report takes from the page at first: who, and what the bars are of. */
import { describe, expect, it } from 'vitest';
import { plainStyle } from '../../../src/display/terminal/style.ts';
import { unmatchedStep } from '../../../src/portfolio/organizations/correction.ts';
import { reportAnswers } from '../../../src/portfolio/report/answers.ts';
import { renderPage } from '../../../src/portfolio/report/page.ts';
import { renderPlainSummary, renderSummary } from '../../../src/portfolio/report/text.ts';
import { headingsOf, withoutOptions } from '../../support/markup.ts';
import { screenText } from '../../support/screen.ts';
import { snapshotOf, summarize } from './inputs.ts';

interface Made {
  readonly scope1: number;
  readonly scope2?: number;
  readonly target?: string;
  readonly method?: 'total_market_based' | 'total_location_based' | 'total';
}

const company = (
  at: number,
  { scope1, scope2 = 1, target, method = 'total_market_based' }: Made,
) => ({
  id: at + 1,
  name: `Company ${at + 1}`,
  status: 'synced',
  performances: [
    { year: 2024, emissions: { scope_1: { total: scope1 }, scope_2: { [method]: scope2 } } },
  ],
  sbti: { data: target === undefined ? [] : [{ near_term: { target_status: target } }] },
});

const failed = (at: number) => ({ id: 100 + at, name: `Failed ${at}`, status: 'errored' });

async function shown(made: readonly Made[], others: readonly object[] = []) {
  const snapshot = await snapshotOf(...made.map((each, at) => company(at, each)), ...others);
  const { document, ...ranked } = summarize(snapshot);
  const page = renderPage(document, { ...ranked, from: ['list.csv'] });
  return { page, text: renderPlainSummary(document), document };
}

const equal = Array.from({ length: 30 }, () => ({ scope1: 10 }));

describe('a report', () => {
  it('has a title about its bars if two thirds are more companies', async () => {
    const { page, document } = await shown(equal);
    expect(document.emissions.both_scopes?.two_thirds?.organizations).toBe(20);
    expect(headingsOf(page)).toContain('The 10 largest companies make up 33% of the emissions');
    const few = await shown(equal.slice(0, 6));
    expect(headingsOf(few.page)).toContain('4 companies make up two thirds of the emissions');
  });

  it('says on top whose emissions these are', async () => {
    const { page, document } = await shown(equal);
    const [top = ''] = page.split('<section');
    expect(top).toContain(
      '>330</dd><dd class="soft">of all 30 companies, as a whole, not of what you buy from them</dd>',
    );
    // Before the first ask it says where to start instead, once.
    const asks = await shown(equal, [failed(0)]);
    const [first = ''] = asks.page.split('<section');
    const step = 'Ask the service, with the ID: research failed for 1 company (Failed 0 (ID 100))';
    expect(first).toContain(`<p>${step}</p>`);
    expect(asks.text).toContain(`statement: First steps: ${step}\n`);
    const ofList = reportAnswers(asks.document, { list: 'list.csv' }).map(({ text }) => text);
    expect(ofList.slice(-2)).toEqual([
      'Before you write to anyone, see what you buy from these companies: run carbon footprint <your purchases> --records list.csv',
      step,
    ]);
    expect(renderPlainSummary(document, true)).toContain(
      'note: Emissions are those of whole companies.',
    );
  });

  it('has the change of all that disclose the last two years beside that of three', async () => {
    const grown = (id: number, ...scopes: readonly number[]) => ({
      id,
      name: `Grown ${id}`,
      status: 'synced',
      performances: scopes.map((total, at) => ({
        year: 2025 - at,
        emissions: { scope_1: { total }, scope_2: { total_market_based: 0 } },
      })),
    });
    const trendOf = async (...documents: readonly object[]) => {
      const { document } = summarize(await snapshotOf(...documents));
      return reportAnswers(document).find(({ rule }) => rule === 'population')?.text;
    };
    const three = [grown(1, 120, 100, 90), grown(2, 110, 100, 90), grown(3, 100, 100, 90)];
    const all =
      '+10.0% since 2024: the 3 companies that disclose both scopes in 2023, 2024 and 2025';
    expect(await trendOf(...three)).toContain(all);
    expect(await trendOf(...three)).not.toContain('that do in');
    // 430 after 400, with the one that discloses two years only.
    const more = await trendOf(...three, grown(4, 100, 100));
    expect(more).toContain(all);
    expect(more).toMatch(/; with the one more that discloses both in 2024 and 2025 only, \+7\.5%$/);
  });

  it('says of a company without a match that its target is not known until then', async () => {
    const unmatched = { id: 99, name: 'Nobody', status: 'synced', matching_organization: null };
    const { page } = await shown(equal, [{ ...unmatched, sbti: { data: [] } }]);
    const [, row = ''] = page.split(/<th[^>]*>Nobody/);
    expect(row.split('</tr>')[0]).toContain('>target unknown until matched<');
  });

  it('says in the table why a target is not known, as paper has no column for it', async () => {
    const { page } = await shown(equal, [failed(0), { id: 99, name: 'New', status: 'processing' }]);
    const targetOf = (name: string) => page.split(new RegExp(`<th[^>]*>${name}`))[1] ?? '';
    expect(targetOf('Failed 0').split('<tr')[0]).toContain('>target unknown: research failed<');
    expect(targetOf('New').split('<tr')[0]).toContain('>target unknown until researched<');
  });

  it('names companies whose research failed, a few and how many more', async () => {
    const { page, text } = await shown(equal, [0, 1, 2, 3, 4, 5, 6].map(failed));
    expect(text).toContain(
      'ask: research failed for 7 companies (Failed 0 (ID 100), Failed 1 (ID 101), Failed 2 (ID 102) and 4 more): ask the service, with the ID\n',
    );
    expect(page).toContain(
      'research failed: ask the service, with the ID <span class="soft">Failed 0 (ID 100), Failed 1 (ID 101), Failed 2 (ID 102) and 4 more</span>',
    );
  });

  it('names companies whose target is committed or removed, the largest first', async () => {
    const targets = ['set', 'committed', 'committed', 'committed', 'committed', 'removed'];
    const { page } = await shown(targets.map((target, at) => ({ scope1: 10 * (at + 1), target })));
    expect(page).toMatch(
      /<dt>4<\/dt><dd>committed to a target: ask when SBTi validates it <[^>]*>Company 5, Company 4, Company 3 and 1 more</,
    );
    expect(page).toMatch(/<dt>1<\/dt><dd>target or commitment removed: ask why <[^>]*>Company 6</);
  });

  it('says in which order it names whom to ask', async () => {
    const silent = ['Zeta', 'Alpha', 'Mu'].map((name, at) => {
      const matching_organization = { id: `m${at}`, name };
      return { id: 50 - at, name, status: 'synced', matching_organization, performances: [] };
    });
    const unmatched = { id: 60, name: 'Nix', status: 'synced', performances: [] };
    const { page } = await shown([{ scope1: 10 }], [...silent, unmatched]);
    expect(withoutOptions(page)).toContain(
      `was not matched: ${unmatchedStep} <span class="soft">Nix<`,
    );
    expect(page).toContain(
      'have no emissions in the record: ask for scopes 1 to 3 of 2024 <span class="soft">Zeta, Alpha, Mu<',
    );
    expect(page).toContain(
      'Of all 5 companies, the group with the largest known emissions first, then the largest number; all are in the table below<',
    );
  });

  it('says first that nobody may quote synthetic data, then of whom it is', async () => {
    const made = [10, 20, 30].map((scope1, at) => company(at, { scope1 }));
    const others = [{ ...failed(0), id: 9 }];
    const sureOf = async (...records: readonly object[]) => {
      const { document } = summarize(await snapshotOf(...records));
      const texts = reportAnswers(document).filter(({ question }) => question === 'sure');
      return texts.map(({ text }) => text);
    };
    const say = 'When quoting, say that only 3 of 4 companies disclose scope 1 and 2';
    const unit =
      "Quote no amount before its unit is known: compare one with the company's own report, then add --unit";
    // Readers take a figure in a record for one that the company disclosed.
    const modeled =
      "The records don't tell which of these figures the companies reported and which are modeled";
    expect(await sureOf(...made, ...others)).toEqual([unit, say, modeled]);
    const some = { ...made[0], sandbox: 'synthetic' };
    expect(await sureOf(some, ...made.slice(1), ...others)).toEqual([
      'Do not quote it: synthetic data, and the unit is unknown',
      say.replace('When quoting', 'With real data'),
      modeled,
    ]);
  });

  it('has one step for those not matched and rows without a record', async () => {
    const unmatched = { id: 60, name: 'Nix', status: 'synced', matching_organization: null };
    const made = [company(0, { scope1: 10 }), { ...unmatched, sbti: { data: [] } }];
    const { document } = summarize(await snapshotOf(...made));
    const first = (missingRows: number) =>
      reportAnswers(document, { missingRows }).find(({ rule }) => rule === 'step')?.text;
    expect(first(0)).toMatch(/^Match Nix: /);
    expect(first(1)).toMatch(/^Match Nix, one of the 2 companies, and the row without a record: /);
    expect(first(5)).toMatch(
      /^Match Nix, one of the 2 companies, and the 5 rows without a record: /,
    );
  });

  it('says on top that a sum mixes both methods of scope 2', async () => {
    const methods = ['total_market_based', 'total_market_based', 'total_location_based', 'total'];
    const sizes = [9, 19, 59, 9];
    const made = methods.map((method, at) => ({ scope1: sizes[at], method }) as Made);
    const note =
      'Scope 1 + 2 of 2024 mixes market-based scope 2 (2 companies, 30% of the emissions) and location-based scope 2 (1 company, 60%), and 1 of unknown method';
    const { page, text, document } = await shown(made);
    expect(document.emissions.both_scopes?.scope_2_methods).toEqual({
      market_based: 2,
      location_based: 1,
    });
    expect(document.emissions.both_scopes?.scope_2_shares).toEqual({
      market_based: 0.3,
      location_based: 0.6,
    });
    expect(text).toContain(
      'statement: How sure: All 4 companies disclose scope 1 and 2; when quoting, say that two methods of scope 2 are mixed (60% of the emissions location-based)\n',
    );
    expect(page.indexOf(note)).toBeGreaterThan(0);
    // It follows the answers and their charts, before the lists of companies.
    expect(page.indexOf(note)).toBeLessThan(page.indexOf('id="largest-emitters"'));
    expect((await shown(made.slice(0, 2))).text).not.toContain('mixes');
    const nothing = made.map((each) => ({ ...each, scope1: 0, scope2: 0 }));
    expect((await shown(nothing)).text).toContain(
      'mixes market-based scope 2 (2 companies) and location-based scope 2 (1 company), and',
    );
  });

  it('says that its shares of targets are of whole companies', async () => {
    const { page } = await shown([{ scope1: 10, target: 'set' }]);
    expect(page).toContain(
      'SBTi near-term targets by scope 1 + 2 of 2024 of 1 whole company, not by what you buy: for that, run <code class=option>carbon footprint</code>.',
    );
    // The same share by number beside it was read as a contradiction.
    expect(page).not.toContain('by number');
  });

  it('writes the shares of a bar so that they add up, and those of a sentence short', async () => {
    const { page, document } = await shown([
      { scope1: 745, target: 'set' },
      { scope1: 75, target: 'committed' },
      { scope1: 177, target: 'removed' },
    ]);
    for (const share of ['74.6%', '7.6%', '17.8%']) expect(page).toContain(`<b>${share}</b>`);
    const screen = await screenText(renderSummary(document, { style: plainStyle, columns: 80 }));
    expect(screen).toMatch(/ validated 74\.6% +committed 7\.6% +removed 17\.8%/);
    expect(screen).toMatch(/75% of the emissions of/);
  });

  it('explains only what it shows', async () => {
    const { page } = await shown(equal);
    expect(page).not.toMatch(/Like for like compares|A validated target is|is in no sum/);
    expect((await shown([{ scope1: 10, target: 'set' }])).page).toContain('A validated target is');
  });
});

it('a page of a report has the unit behind each amount', async () => {
  const figures = (size: number) =>
    [2023, 2024].map((year) => {
      return { year, emissions: { scope_1: { total: size }, scope_2: { total: 1 } } };
    });
  const { document, ...ranked } = summarize(
    await snapshotOf(
      { id: 1, name: 'A', performances: figures(6e6) },
      { id: 2, name: 'B', performances: figures(4e6) },
    ),
    't',
  );
  const page = renderPage(document, { ...ranked, from: ['list.csv'] });
  expect(page).toContain('>10.0M t</dd>');
  expect(page.match(/<text class="head"[^>]*>[\d.]+M t</g)).toHaveLength(2);
  expect(page).toMatch(/<text x="[\d.]+%" dx="7" y="16">6\.00M t · 60\.0%</);
  expect(page).toMatch(/<button type="button">Scope 1 \+ 2 \(t\)</);
  expect(page).toMatch(/<th scope="col">Scope 1 \(t\)</);
});
