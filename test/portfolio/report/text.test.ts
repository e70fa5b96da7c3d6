import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { loadStyle, plainStyle } from '../../../src/display/terminal/style.ts';
import { renderPlainSummary, renderSummary } from '../../../src/portfolio/report/text.ts';
import { errored, full, researching, sparse } from '../../cli/output/records.ts';
import { anyOrganization } from '../../cli/output/schema.ts';
import { badLines, screenText, unsafe, withoutColors } from '../../support/screen.ts';
import { runs } from '../../support/seed.ts';
import { snapshotOf, summarize } from './inputs.ts';

const view = { style: plainStyle, columns: 80 };
const { document: portfolio } = summarize(
  await snapshotOf(
    full,
    sparse,
    researching,
    errored,
    {
      ...full,
      ...{ id: 5, name: 'Südwind AG', score: 0.81, sandbox: 'synthetic' },
      matching_organization: { id: 5 },
    },
    { ok: false },
  ),
);

/* Each has scopes 1 and 2 of three years. */
const disclosing = [
  ['Vereinigte Elektrizitätswerke Westfalen Aktiengesellschaft', 9_000_000],
  ['東京精密機械製造株式会社ホールディングス', 4_000_000],
  ['Nordwind AG', 2_000_000],
  ['Kessler GmbH', 1_000_000],
].map(([name, size], index) => ({
  ...full,
  id: index + 1,
  name,
  matching_organization: { id: index + 1, name },
  sbti: {
    data: [{ near_term: { has_target: true, target_status: index === 1 ? 'removed' : 'set' } }],
  },
  performances: [2023, 2024, 2025].map((year) => ({
    year,
    emissions: {
      scope_1: { total: Number(size) * (year - 2020) },
      scope_2: { total_location_based: 500 },
      scope_3: { sum: 3 * Number(size) },
    },
  })),
}));

describe('a portfolio', () => {
  it('fits on one screen', async () => {
    const text = await screenText(renderSummary(portfolio, view));
    expect(text).toMatchSnapshot();
    // Five of these lines are the first steps: whom to match, whom to ask, and how many others.
    expect(text.trimEnd().split('\n').length).toBeLessThan(30);
  });

  it('has the words for targets on a screen, and the values in a pipe', async () => {
    const { document } = summarize(await snapshotOf(...disclosing, errored));
    const text = await screenText(renderSummary(document, view, true));
    expect(text).toContain('SBTi near term        3 validated · 1 removed · 1 unknown\n');
    expect(renderPlainSummary(document, true)).toContain(
      '\nSBTi near term: set 3, removed 1, no data 1\n',
    );
  });

  it('marks what limits the trust in the figures, and says apart how to read them', async () => {
    const { document } = summarize(await snapshotOf(...disclosing, errored));
    const text = await screenText(renderSummary(document, view, true));
    const [marked = '', how = ''] = text.split('\nHow to read it\n');
    expect(marked).toContain('\nBefore you quote it\n  ! ');
    expect(how).toMatch(/^ {2}Scope 3 is not added up, /);
    expect(how).not.toMatch(/^ *!/m);
  });

  it('numbers no targets under a ranking, and shows no change that is unknown', async () => {
    const earlier = { year: 2017, emissions: { scope_1: { total: 9 }, scope_2: { total: 1 } } };
    const detail = { target_detail: 'The company commits to 42% by 2030.' };
    const target = { near_term: { target_status: 'set' }, ...detail };
    const { document } = summarize(
      await snapshotOf(
        ...disclosing.map((each, index) => ({
          ...each,
          ...(index === 1 ? { sbti: { data: [target] } } : {}),
          ...(index === 3 ? { performances: [earlier] } : {}),
        })),
      ),
    );
    const text = await screenText(renderSummary(document, view, true));
    expect(text).toMatch(/\nTargets of the largest emitters\n {4}東京/);
    expect(document.emissions.changes).toContainEqual(
      expect.objectContaining({ from: 2017, to: 2025, like_for_like: null }),
    );
    expect(text).toContain('2024 to 2025');
    expect(text).not.toContain('2017 to 2025');
    expect(text).toMatch(/\n {2}2017\* /);
    expect(renderPlainSummary(document, true)).toContain('emissions 2017 partial: ');
  });

  it('draws the figures behind its statements, the same without pictures', async () => {
    const { document } = summarize(await snapshotOf(...disclosing));
    const text = await screenText(renderSummary(document, { ...view, pictures: true }));
    expect(text).toMatchSnapshot();
    const drawn = /[▁-█▉-▏]/u;
    const plain = await screenText(renderSummary(document, view));
    expect(plain).not.toMatch(drawn);
    const words = (all: string) => all.split('\n\n')[0]?.match(/[^\s▁-▏]+/gu);
    expect(words(plain)).toEqual(words(text));
  });

  it('shows the unit next to the figures of a statement, and over each table', async () => {
    const { document } = summarize(await snapshotOf(...disclosing), 't');
    const text = await screenText(renderSummary(document, { ...view, pictures: true }));
    expect(text).toContain('2023 48.0M → 2024 64.0M → 2025 80.0M t ▅▆█');
    expect(text).toMatch(/^Emissions as disclosed {2}emissions in t ·/m);
    expect(text).toMatch(/^Largest emitters\n {2}emissions in t · scope 1 \+ 2 of 2025/m);
  });

  it('leaves the name 20 columns, and says what has no room', async () => {
    const { document } = summarize(await snapshotOf(...disclosing));
    for (const columns of [60, 80, 100]) {
      const text = await screenText(renderSummary(document, { ...view, columns, pictures: true }));
      expect(text).toContain('Vereinigte Elektriz');
      expect(text).toContain('東京精密機械製造');
      expect(text.includes('No room for')).toBe(columns < 80);
    }
  });

  it('writes safe lines for names from outside', async () => {
    const name = `\u001b[31m${'\u202eWide 株'.repeat(9)}\n█`;
    const records = disclosing.map((each) => ({ ...each, name }));
    const { document } = summarize(await snapshotOf(...records));
    for (const columns of [40, 60, 80, 140]) {
      const text = await screenText(renderSummary(document, { ...view, columns, pictures: true }));
      expect(text).toMatch(/Wide 株.*…/s);
      expect(badLines(text, columns)).toEqual([]);
    }
  });

  it('shows every figure with --full', () => {
    expect(renderPlainSummary(portfolio, true)).toMatchSnapshot();
  });

  it('speaks of companies everywhere, as its statements do', async () => {
    const shown = [
      renderPlainSummary(portfolio, true),
      await screenText(renderSummary(portfolio, view, true)),
    ];
    for (const text of shown)
      expect(text.replaceAll('matched organization', '')).not.toMatch(/organization/i);
  });
});

const coloured = await loadStyle(3);

test('renderSummary keeps any portfolio within the columns of a terminal, and prints plain lines in a pipe', {
  tags: ['property'],
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyOrganization, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 0, max: 260 }),
      fc.boolean(),
      async (records, columns, isFull) => {
        const documents = records.map((given, index) => ({ ...given, id: index }));
        const { document: summary } = summarize(await snapshotOf(...documents));
        const text = await screenText(
          renderSummary(summary, { ...view, columns, pictures: true }, isFull),
        );
        const most = Math.max(40, Math.min(columns, 200));
        expect(badLines(text, most)).toEqual([]);
        const all = { ...view, columns, pictures: true, style: coloured };
        const painted = await screenText(renderSummary(summary, all, isFull));
        expect(withoutColors(painted)).toBe(text);
        const plain = renderPlainSummary(summary, true);
        const lines = plain.trimEnd().split('\n');
        expect(
          lines.filter((line) => unsafe.test(line) || !/^[\x21-\x7e][\x20-\x7e]*?: ./.test(line)),
        ).toEqual([]);
      },
    ),
    {
      numRuns: runs(60),
      examples: [
        [[{ performances: [{ year: 2023, emissions: { scope_3: { total: -1e300 } } }] }], 0, true],
      ],
    },
  );
});
