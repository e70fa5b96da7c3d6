import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { FindingKind, ListFinding } from '../../../src/lists/batch/preflight.ts';
import { reportProblem } from '../../../src/lists/batch/row-plan.ts';
import { identityKey } from '../../../src/lists/list/keys.ts';
import { BatchFixture } from './batch-fixture.ts';

/* Column, count, lines and values of each finding of a kind. */
const brief = (findings: readonly ListFinding[], kind: FindingKind) =>
  findings
    .filter((finding) => finding.kind === kind)
    .map(({ column, count, lines, values }) => [column, count, lines, Object.fromEntries(values)]);

async function found(kind: FindingKind, content: string) {
  const batch = await new BatchFixture(content).open();
  batch.close();
  return brief(batch.preflight.findings, kind);
}

describe('preflight', () => {
  it.each<[FindingKind, string, unknown[]]>([
    [
      'free_text_countries',
      'name,country\nA,Germny\nB,Germany\nC,NA\nD,Korea\nE,Germny\nG,"Hong Kong, China"\n',
      [['country', 3, [2, 5, 6], { Germny: 2, Korea: 1 }]],
    ],
    ['unclear_countries', 'name,country\nA,NA\nB,Namibia\nC,na\n', [['country', 2, [2, 4], {}]]],
    [
      'missing_values',
      'name,LEI,website,x\nA,#N/A,-,-\nB,,n/a,\nC,#N/A,\u00a0,\n',
      [
        ['LEI', 2, [2, 4], { '#N/A': 2 }],
        ['website', 2, [2, 3], { '-': 1, 'n/a': 1 }],
      ],
    ],
    [
      'shortened_numbers',
      'name;external_id\nAcme;4,50001E+09\nBeta;4.5E+10\nGamma;4500012345\nDelta;3E-Power\nE+E;1E5\n',
      [['external_id', 2, [2, 3], { '4,50001E+09': 1, '4.5E+10': 1 }]],
    ],
    [
      'equal_names',
      'name,LEI\nAcme AG,\nBeta,\nAcme AG,\nACME  ag,\nAcme AG,x\n',
      [['spelling', 1, [5], { 'ACME ag': 1 }]],
    ],
  ])('finds %s', async (kind, content, expected) => {
    expect(await found(kind, content)).toEqual(expected);
  });

  it('treats Excel errors, k. A. and numbers as missing countries without changing keys', async () => {
    const countries = ['#REF!', '#WERT!', '#DIV/0!', 'k.A.', 'k. A.', '276', '1,234.5'];
    const rows = countries.map((cell, index) => `Supplier ${index},"${cell}"\n`);
    const fixture = new BatchFixture(`name,country\n${rows.join('')}`);
    const { sent, preflight, journal } = await fixture.run();
    expect(sent).toEqual(countries.map((_, index) => ({ name: `Supplier ${index}` })));
    expect(brief(preflight.findings, 'missing_values')[0]?.[1]).toBe(countries.length);
    expect(brief(preflight.findings, 'free_text_countries')).toEqual([]);
    const values = { name: 'Supplier 0', hq_region: '#REF!' };
    expect(readFileSync(journal, 'utf8')).toContain(
      identityKey('https://api.example.com/v1', values),
    );
  });

  it('rejects a row whose name is an Excel error', async () => {
    const { preflight, sent } = await new BatchFixture(
      'name,country\n#NAME?,DE\nk. A.,DE\n#N/A,DE\n,DE\nK.A.,DE\n#1 Supply,DE\n',
    ).run();
    expect(
      preflight.problems.map((problem) => `${problem.line}: ${reportProblem(problem)}`),
    ).toEqual([2, 3, 4, 5].map((line) => `${line}: name is missing: an organization needs a name`));
    expect(sent.map(({ name }) => name)).toEqual(['K.A.', '#1 Supply']);
  });

  it('leaves out rows with nothing but the label of a total, and repeated headers', async () => {
    const fixture = new BatchFixture(
      'name,country,No.\nTotal Energies,FR,\nGesamt:,,\nTOTAL 12,-,\nTotal,FR,\nTotal Ltd,,\nTotal,,7\n合計,,\nname,country,No.\n',
    );
    const { sent, preflight, outcome } = await fixture.run({ map: ['external_id=No.'] });
    const labels = { 'Gesamt:': 1, 'TOTAL 12': 1, 合計: 1 };
    expect(brief(preflight.findings, 'totals')).toEqual([[undefined, 3, [3, 4, 8], labels]]);
    expect(brief(preflight.findings, 'repeated_headers')).toEqual([[undefined, 1, [9], {}]]);
    expect([preflight.counts.new, outcome.left]).toEqual([4, 0]);
    expect(sent.map(({ name }) => name)).toEqual(['Total Energies', 'Total', 'Total Ltd', 'Total']);
  });

  it('sends no column in which a value is no currency, unless it is mapped by hand', async () => {
    const content = 'Company,Country,Currency\nAcme plc,GB,GBX\nBeta Co,CN,-\nDelta KK,JP,JPY\n';
    const fixture = new BatchFixture(content);
    const { sent, preflight } = await fixture.run();
    expect(sent.map(({ name, currency }) => [name, currency])).toEqual([
      ['Acme plc', undefined],
      ['Beta Co', undefined],
      ['Delta KK', undefined],
    ]);
    expect(brief(preflight.findings, 'other_currencies')).toEqual([
      ['Currency', 1, [2], { GBX: 1 }],
    ]);
    expect(brief(preflight.findings, 'missing_values')).toEqual([]);
    // The journal has the column, which makes no difference to the keys.
    expect((await fixture.run()).preflight.counts).toMatchObject({ done: 3, new: 0, invalid: 0 });
    const insisting = new BatchFixture(content);
    const { preflight: insisted } = await insisting.run({ map: ['currency=Currency'] });
    expect(insisted.counts).toMatchObject({ new: 2, invalid: 1 });
    const proper = await new BatchFixture(content.replace('GBX', 'gbp')).run();
    expect(proper.sent.map(({ currency }) => currency)).toEqual(['GBP', undefined, 'JPY']);
  });

  it('ignores what stands below the table in the column of the currency', async () => {
    const { sent } = await new BatchFixture(
      'Company,Currency,X\nAcme plc,EUR,1\nBeta plc,EUR,2\n\nSource:,GBX,\n',
    ).run();
    expect(sent).toEqual([
      { name: 'Acme plc', currency: 'EUR' },
      { name: 'Beta plc', currency: 'EUR' },
    ]);
  });

  it('ignores settled rows, but reports a new row with the name of one', async () => {
    const fixture = new BatchFixture('name,country\nAcme,Germny\nB,-\n');
    await fixture.run();
    fixture.write('name,country\nAcme,DE\nAcme,Germny\nB,-\nB,FR\n');
    const batch = await fixture.open();
    batch.close();
    const { findings } = batch.preflight;
    expect(brief(findings, 'equal_names')).toEqual([['country', 2, [3, 5], { Acme: 1, B: 1 }]]);
    expect(findings).toHaveLength(1);
  });

  it('compares rows with one name without identifiers that are left out', async () => {
    const fixture = new BatchFixture('name,country,LEI\nAcme,DE,x\nAcme,FR,y\n');
    const differing = async () => {
      const batch = await fixture.open({ dropInvalidIds: true });
      batch.close();
      return brief(batch.preflight.findings, 'equal_names').map(([column]) => column);
    };
    expect(await differing()).toEqual(['country']);
    await fixture.run({ dropInvalidIds: true });
    fixture.write('name,country,LEI\nAcme,DE,x\nAcme,IT,x\n');
    expect(await differing()).toEqual(['country']);
  });

  it('limits the lists of findings', { tags: ['long'] }, async () => {
    const rows = Array.from({ length: 300 }, (_, n) => `Acme ${n},Nowhere ${'x'.repeat(n)}\n`);
    const [finding] = await found('free_text_countries', `name,country\n${rows.join('')}`);
    const [, count, lines, values] = finding as [string, number, number[], object];
    expect([count, lines.length, Object.keys(values).length]).toEqual([300, 20, 20]);
    for (const value of Object.keys(values)) expect(value.length).toBeLessThanOrEqual(60);
  });
});
