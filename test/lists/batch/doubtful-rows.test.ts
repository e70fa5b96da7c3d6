import { describe, expect, it } from 'vitest';
import type { DoubtfulChoice } from '../../../src/lists/batch/preflight.ts';
import { book } from '../table/book.ts';
import { BatchFixture, type FixtureOptions } from './batch-fixture.ts';

/* Names that are sent, and the lines that each finding about rows lists. */
async function decide(content: string | Buffer, choices: FixtureOptions = {}, name?: string) {
  const { sent, preflight } = await new BatchFixture(content, undefined, name).run(choices);
  const kinds = ['totals', 'second_headers', 'below_table', 'group_headings', 'only_names'];
  const found = preflight.findings.filter(({ kind }) => kinds.includes(kind));
  return {
    sent: sent.map((body) => body.name).sort(),
    ...Object.fromEntries(found.map(({ kind, lines }) => [kind, lines])),
  };
}

const holdings = 'Name,Ticker,Weight\nAlpha,A,1\nBeta,B,2\nGamma,C,3\n';
const legal = '"Past returns say nothing, and units may fall.",,\nIssued by Example Ltd,,\n';
const groups =
  'Security,No.,Quantity\nDomestic,,\nAlpha,1,10\nBeta,2,20\nBonds,,\nGamma,3,30\nForeign,,\nDelta,4,40\n';

describe('rows that seem to be no organizations', () => {
  it.each<[string, string, object]>([
    ['paragraphs below', `${holdings},,\n${legal}`, { below_table: [6, 7] }],
    ['paragraphs of one cell', `${holdings}\n"Past returns, and more."\n`, { below_table: [6] }],
    ['a second table', `${holdings}\nMeans,,\nMining,4,\nSteel,2,\n`, { below_table: [6, 7, 8] }],
    ['a row without a name', `${holdings}\n,,as of today\n`, { below_table: [6] }],
    ['a total between', `${holdings}\nTotal,,6\n${legal}`, { totals: [6], below_table: [7, 8] }],
    [
      'a text below blocks',
      `${holdings.replace('Beta', '\nBeta')}\nSource,,\n`,
      { below_table: [7] },
    ],
    [
      'a second header line',
      holdings.replace('\n', '\nCompany,(short),%\n'),
      { second_headers: [2] },
    ],
  ])('leaves out and lists %s', async (_, content, found) => {
    expect(await decide(content)).toEqual({ sent: ['Alpha', 'Beta', 'Gamma'], ...found });
  });

  it.each<[string, string, string[]]>([
    ['a complete row after an empty row', `${holdings}\nDelta,D,4\n`, ['Delta']],
    [
      'rows above the last complete row',
      `${holdings}\nDelta,D,\n\nEpsilon,E,5\n`,
      ['Delta', 'Epsilon'],
    ],
    ['an incomplete row after none', `${holdings}Delta,,\n`, ['Delta']],
    [
      'an incomplete last block of a table of blocks',
      `${holdings}\nDelta,D,4\n\nEpsilon,E,\n`,
      ['Delta', 'Epsilon'],
    ],
    ['a block below one row', 'Name,Ticker,Weight\nAlpha,A,1\n\nBeta,B,\nGamma,C,3\n', []],
    ['two empty rows at the end', `${holdings}\n\n`, []],
  ])('sends %s', async (_, content, more) => {
    const { sent } = await decide(content);
    expect(sent).toEqual(['Alpha', 'Beta', 'Gamma', ...more].sort());
  });

  it('sends incomplete rows of a later block that a country, a website or a code identifies', async () => {
    const table = 'Supplier,Country,Website,LEI,X\nA,DE,a.example,529900T8BM49AURSDO55,x\n';
    const rows = ['B,GB,,,', 'C,,c.example,,', 'D,,,5493001KJTIIGC8Y1R12,'];
    for (const row of rows)
      expect((await decide(`${table}Z,FR,z.example,,x\n\n${row}\n`)).sent).toEqual(
        ['A', 'Z', row[0]].sort(),
      );
    // A cell that only stands in such a column identifies nothing.
    expect(await decide(`${table}Z,FR,z.example,,x\n\nB,n. n.,see below,4711,\n`)).toEqual({
      sent: ['A', 'Z'],
      below_table: [5],
    });
  });

  it('sends domains as names and websites that are none, and lists them', async () => {
    const list =
      'Name,Country,Website\nacme.org,DE,\nBooking.com,NL,booking.com\nE.ON,DE,\nBolt AG,DE,not a site\n';
    const { sent, preflight } = await new BatchFixture(list).run();
    expect(sent.length).toBe(4);
    expect(preflight.findings).toMatchObject([
      { kind: 'domain_names', column: 'Name', lines: [2] },
      { kind: 'other_websites', column: 'Website', lines: [5] },
    ]);
  });

  it('sends a list of names alone, however many empty rows it has', async () => {
    expect((await decide('Company\nA\n\nB\n\n\nC\n')).sent).toEqual(['A', 'B', 'C']);
    expect((await decide('Company,Note\nA,x\nB,\n\nC,\n')).sent).toEqual(['A', 'B', 'C']);
  });

  it('warns about names alone where nine of ten rows have two or more other cells', async () => {
    const rows = (count: number) => Array.from({ length: count }, (_, n) => `N${n},T,1\n`).join('');
    const table = (count: number) => `Name,Ticker,Weight\n${rows(count)}Late GmbH,,\n`;
    expect(await decide(table(9))).toMatchObject({ only_names: [11] });
    expect(await decide(table(8))).not.toHaveProperty('only_names');
    expect((await decide(table(9))).sent).toContain('Late GmbH');
  });

  it('asks about headings that alternate with rows, the first row being one', async () => {
    await expect(decide(groups)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/lines 2, 5, 7: "Domestic", "Bonds", "Foreign"$/),
      hint: 'To leave out these rows, use --doubtful skip. To register them as organizations, use --doubtful send.',
    });
    const companies = ['Alpha', 'Beta', 'Delta', 'Gamma'];
    expect(await decide(groups, { doubtful: 'skip' })).toEqual({
      sent: companies,
      group_headings: [2, 5, 7],
    });
    expect((await decide(groups, { doubtful: 'send' })).sent).toEqual(
      [...companies, 'Bonds', 'Domestic', 'Foreign'].sort(),
    );
  });

  it.each([
    ['the first row has more', groups.replace('Domestic,,\n', '')],
    ['only the first row is one', 'Security,No.,Quantity\nDomestic,,\nAlpha,1,10\nBeta,2,20\n'],
    ['other rows have few cells', 'Company,Country,City\nA,,\nB,DE,\nC,,\nD,FR,\n'],
  ])('does not ask when %s', async (_, content) => {
    expect((await decide(content)).sent.length).toBe(content.trim().split('\n').length - 1);
  });

  it.each<[DoubtfulChoice | undefined, number]>([
    [undefined, 3],
    ['skip', 3],
    ['send', 7],
  ])(
    'decides about totals, headers and what is below with doubtful: %s',
    async (doubtful, sent) => {
      const content = `${holdings.replace('\n', '\nCompany,(short),%\n')}\nTotal,,\n${legal}`;
      expect((await decide(content, { doubtful })).sent.length).toBe(sent);
    },
  );

  it('keeps a row that an earlier run registered', async () => {
    const fixture = new BatchFixture(`${holdings}\nTotal,,\n${legal}`);
    await fixture.run({ doubtful: 'send' });
    const { preflight, outcome } = await fixture.run();
    expect([preflight.counts.done, outcome.left]).toEqual([6, 0]);
    const grouped = new BatchFixture(groups);
    await grouped.run({ doubtful: 'send' });
    expect((await grouped.run()).preflight.counts).toMatchObject({ new: 0, done: 7 });
  });

  it('leaves nothing over when a row that is held back equals one that is sent', async () => {
    const rows = Array.from({ length: 20 }, (_, n) => `N${n},T,1\n`).join('');
    const content = `Name,Ticker,Weight\nDelta,,\n${rows}\nDelta,,\n`;
    const { outcome, preflight } = await new BatchFixture(content).run();
    expect([preflight.rows, outcome.counts.registered, outcome.left]).toEqual([21, 21, 0]);
  });

  it('recognizes the empty rows of a workbook', async () => {
    const rows = [['Name', 'Ticker', 'Weight'], ['Alpha', 'A', 1], ['Beta', 'B', 2], [], ['Past']];
    expect(await decide(await book({ Fund: rows }), {}, 'holdings.xlsx')).toEqual({
      sent: ['Alpha', 'Beta'],
      below_table: [5],
    });
  });
});
