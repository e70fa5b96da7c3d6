import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Finding, FindingKind } from '../../src/batch/findings.ts';
import { reportProblem } from '../../src/list/row-action.ts';
import { identityKey } from '../../src/list/rows.ts';
import { BatchFixture } from './batch-fixture.ts';

async function found(kind: FindingKind, content: string) {
  const batch = await new BatchFixture(content).open();
  batch.close();
  return brief(batch.preflight.findings, kind);
}
/* Column, count, lines and values of each finding of a kind. */
const brief = (findings: readonly Finding[], kind: FindingKind) =>
  findings
    .filter((finding) => finding.kind === kind)
    .map(({ column, count, lines, values }) => [column, count, lines, Object.fromEntries(values)]);

describe('preflight', () => {
  it('reports countries that are sent as free text, with their distinct values', async () => {
    const findings = await found(
      'free_text_countries',
      'name,country\nA,Germny\nB,Germany\nC,NA\nD,Korea\nE,Germny\nF,Großbritannien\nG,"Hong Kong, China"\n',
    );
    expect(findings).toEqual([['country', 3, [2, 5, 6], { Germny: 2, Korea: 1 }]]);
  });

  it('accepts codes in a column that the user mapped to the country', async () => {
    const fixture = new BatchFixture('name,Region\nA,LA\nB,SA\nC,France\n');
    expect(
      (await fixture.run({ map: ['hq_region=Region'] })).sent.map((row) => row.hq_region),
    ).toEqual(['LA', 'SA', 'FR']);
    fixture.write('name,Region\nA,LA\nB,SA\nC,France\nD,ME\n');
    expect((await fixture.run()).sent).toEqual([{ name: 'D', hq_region: 'ME' }]);
  });

  it('reports placeholders of each mapped column', async () => {
    const missing = await found(
      'missing_values',
      'name,LEI,website,x\nA,#N/A,-,-\nB,,n/a,\nC,#N/A,\u00a0,\n',
    );
    expect(missing).toEqual([
      ['LEI', 2, [2, 4], { '#N/A': 2 }],
      ['website', 2, [2, 3], { '-': 1, 'n/a': 1 }],
    ]);
  });

  it('reports Excel errors, k. A. and numeric countries as missing without changing keys', async () => {
    const cells = [
      '#REF!',
      '#VALUE!',
      '#NAME?',
      '#DIV/0!',
      '#NUM!',
      '#NULL!',
      '#WERT!',
      '#BEZUG!',
      '#NV',
    ];
    const countries = [...cells, '#ZAHL!', 'k.A.', 'k. A.', '276', '1,234.5'];
    const rows = countries.map(
      (cell, index) => `Supplier ${index},"${cell}",${cells[index] ?? ''},${index}\n`,
    );
    const fixture = new BatchFixture(`name,country,website,external_id\n${rows.join('')}`);
    const { sent, preflight, journal } = await fixture.run();
    expect(sent).toEqual(
      countries.map((_, index) => ({ name: `Supplier ${index}`, external_id: `${index}` })),
    );
    const missing = brief(preflight.findings, 'missing_values');
    expect(missing.map(([column, count]) => [column, count])).toEqual([
      ['country', countries.length],
      ['website', cells.length],
    ]);
    expect(brief(preflight.findings, 'free_text_countries')).toEqual([]);
    const values = { name: 'Supplier 0', hq_region: '#REF!', website: '#REF!', external_id: '0' };
    expect(readFileSync(journal, 'utf8')).toContain(
      identityKey('https://api.example.com/v1', values),
    );
  });

  it('rejects a row whose name is an Excel error, and quotes the cell', async () => {
    const { preflight, sent } = await new BatchFixture(
      'name,country\n#NAME?,DE\nk. A.,DE\n#N/A,DE\n,DE\nK.A.,DE\n#1 Supply,DE\n',
    ).run();
    expect(preflight.problems.map((problem) => reportProblem(problem))).toEqual([
      'name is missing: the cell contains "#NAME?"',
      'name is missing: the cell contains "k. A."',
      'name is missing: the cell contains "#N/A"',
      'name is empty: an organization needs a name',
    ]);
    expect(sent.map(({ name }) => name)).toEqual(['K.A.', '#1 Supply']);
  });

  it('reports numbers that a spreadsheet exported without their last digits', async () => {
    const findings = await found(
      'shortened_numbers',
      'name;external_id\nAcme;4,50001E+09\nBeta;4.5E+10\nGamma;4500012345\nDelta;3E-Power\nE+E;1E5\n',
    );
    expect(findings).toEqual([['external_id', 2, [2, 3], { '4,50001E+09': 1, '4.5E+10': 1 }]]);
  });

  it('reports names that are numbers, dates or truth values', async () => {
    const wrong = ['4711', '12,5 %', '2024-01-01', 'TRUE', 'FALSCH'];
    const names = [...wrong, '1&1', '3M', 'True Corporation', '株式会社', '!?'];
    const text = `name\n${names.map((name) => `"${name}"`).join('\n')}`;
    const values = Object.fromEntries(wrong.map((name) => [name, 1]));
    expect(await found('unlikely_names', text)).toEqual([[undefined, 5, [2, 3, 4, 5, 6], values]]);
  });

  const totals =
    'name,country,Supplier No.\nAcme,DE,1\nTotal Energies,FR,\nGesamt:,,\nTOTAL 12,-,\nSumme,,\nTotal,FR,\nTotal Ltd,,\nSumma AB,SE,\nTotal,,7\nGrand Total\n合計,,\n';

  it('leaves out rows with nothing but the label of a total, and repeated headers', async () => {
    const fixture = new BatchFixture(`${totals}name,country,Supplier No.\n`);
    const { sent, preflight, outcome } = await fixture.run();
    const labels = { 'Gesamt:': 1, 'TOTAL 12': 1, Summe: 1, 'Grand Total': 1, 合計: 1 };
    expect(brief(preflight.findings, 'totals')).toEqual([
      [undefined, 5, [4, 5, 6, 11, 12], labels],
    ]);
    expect(brief(preflight.findings, 'repeated_headers')).toEqual([[undefined, 1, [13], {}]]);
    expect(preflight.counts).toMatchObject({ new: 6, invalid: 0 });
    expect(outcome.left).toBe(0);
    expect(sent.map(({ name }) => name)).toEqual([
      'Acme',
      'Total Energies',
      'Total',
      'Total Ltd',
      'Summa AB',
      'Total',
    ]);
  });

  it('reports equal names with other values, but not equal rows', async () => {
    const findings = await found(
      'equal_names',
      'name,LEI\nAcme AG,\nBeta,\nAcme AG,\nACME  ag,\nAcme AG,x\n',
    );
    expect(findings).toEqual([['spelling', 1, [5], { 'ACME ag': 1 }]]);
  });

  it('reports identifiers of an earlier valid row if the name differs', async () => {
    const findings = await found(
      'equal_ids',
      'name,Supplier No.,LEI\nAcme,V1,\nBeta,V1,\nGamma,V1,\nGamma,V1,x\nDelta,V2,\nEpsilon,,\nACME,V1,\nEta,V1,\n',
    );
    expect(findings).toEqual([['Supplier No.', 3, [3, 4, 9], { V1: 3 }]]);
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

  it('limits the lists of findings', { tags: ['long'] }, async () => {
    const rows = Array.from(
      { length: 3_000 },
      (_, index) => `Acme ${index},Nowhere ${'x'.repeat(index)}\n`,
    );
    const [finding] = await found('free_text_countries', `name,country\n${rows.join('')}`);
    const [, count, lines, values] = finding as [string, number, number[], object];
    expect([count, lines.length, Object.keys(values).length]).toEqual([3_000, 20, 20]);
    for (const value of Object.keys(values)) expect(value.length).toBeLessThanOrEqual(60);
  });
});
