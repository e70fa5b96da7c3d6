import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { loadStyle, plainStyle } from '../../../src/display/terminal/style.ts';
import { renderSummary } from '../../../src/portfolio/report/text.ts';
import { errored, full, researching, sparse } from '../../cli/output/records.ts';
import { anyOrganization } from '../../cli/output/schema.ts';
import { badLines, unsafe, withoutColors } from '../../support/screen.ts';
import { runs } from '../../support/seed.ts';
import { snapshotOf, summarize } from './inputs.ts';

const view = { style: plainStyle, columns: 80, terminal: true };
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

describe('a portfolio', () => {
  it('fits on one screen', async () => {
    const text = await renderSummary(portfolio, view);
    expect(text).toMatchSnapshot();
    expect(text.split('\n').length).toBeLessThan(28);
  });

  it('shows every figure with --full', async () => {
    expect(await renderSummary(portfolio, { ...view, terminal: false }, true)).toMatchSnapshot();
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
      async (records, columns) => {
        const documents = records.map((given, index) => ({ ...given, id: index }));
        const { document: summary } = summarize(await snapshotOf(...documents));
        const text = await renderSummary(summary, { ...view, columns }, true);
        const most = Math.max(40, Math.min(columns, 200));
        expect(badLines(text, most)).toEqual([]);
        const painted = await renderSummary(summary, { ...view, columns, style: coloured }, true);
        expect(withoutColors(painted)).toBe(text);
        const plain = await renderSummary(summary, { ...view, terminal: false }, true);
        const lines = plain.trimEnd().split('\n');
        expect(
          lines.filter((line) => unsafe.test(line) || !/^[\x21-\x7e][\x20-\x7e]*?: ./.test(line)),
        ).toEqual([]);
      },
    ),
    {
      numRuns: runs(60),
      examples: [
        [[{ performances: [{ year: 2023, emissions: { scope_3: { total: -1e300 } } }] }], 0],
      ],
    },
  );
});
