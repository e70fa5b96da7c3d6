import { describe, expect, it } from 'vitest';
import { plainStyle } from '../../../src/display/terminal/style.ts';
import { badLines } from '../../support/screen.ts';
import {
  errored,
  full,
  organizationLine,
  renderOrganizations,
  researching,
  sparse,
} from './records.ts';

const records = [full, sparse, researching, errored, {}];
const view = { style: plainStyle, columns: 160, synthetic: false };

describe('renderOrganizations', () => {
  it('aligns columns, marks sums of parts and says that data is synthetic', () => {
    expect(
      renderOrganizations(records, { ...view, columns: 92, synthetic: true }),
    ).toMatchInlineSnapshot(`
      "    ID  Name                         Score  Scope 1  Scope 2   Total  Scope 1+2  Target
      ──────  ───────────────────────────  ─────  ───────  ───────  ──────  ─────────  ───────────
      104211  Nordwind Logistik AG          63.4    12.4K   8.31K*  1.22M      20.7K*  committed
           7  Bäckerei Öztürk & Söhne GbR   28.0        –       –       –          –   not matched
      104212  ◐ Halcyon Paper plc              –        –       –       –          –   –
      104213  ✗ Société Générale des Cim…      –        –       –    512K†      512K‡  –
           –  ◐ –                              –        –       –       –          –   –
      * market-based · ‡ location-based · † sum of the disclosed parts, no total disclosed · ◐
      research in progress · ✗ research failed
      No room for country, scope 3, year. For all columns, add -o list.xlsx
      Synthetic sandbox data, not real research
      "
    `);
  });

  it('leaves out the scopes before it cuts names', () => {
    expect(renderOrganizations([full, sparse], { ...view, columns: 72 })).toMatchInlineSnapshot(`
      "    ID  Name                        Score  Total  Scope 1+2  Target
      ──────  ──────────────────────────  ─────  ─────  ─────────  ───────────
      104211  Nordwind Logistik AG         63.4  1.22M     20.7K*  committed
           7  Bäckerei Öztürk & Söhne G…   28.0      –         –   not matched
      * market-based
      No room for country, scope 1, scope 2, scope 3, year. For all columns,
      add -o list.xlsx
      "
    `);
  });

  it('lists each organization where names would be cut', () => {
    const [narrow, list] = [50, 40].map((columns) =>
      renderOrganizations([full], { ...view, columns }),
    );
    expect(`${narrow}\n${list}`).toMatchInlineSnapshot(`
      "Nordwind Logistik AG
        ID         104211
        Country    DE
        Score      63.4
        Scope 1    12.4K
        Scope 2    8.31K*
        Scope 3    1.20M
        Total      1.22M
        Scope 1+2  20.7K*
        Target     committed
        Year       2023
      * market-based

      Nordwind Logistik AG
        ID         104211
        Country    DE
        Score      63.4
        Scope 1    12.4K
        Scope 2    8.31K*
        Scope 3    1.20M
        Total      1.22M
        Scope 1+2  20.7K*
        Target     committed
        Year       2023
      * market-based
      "
    `);
  });

  it('draws three years and the size of each organization', () => {
    const inventory = (year: number, total: number) => ({
      year,
      emissions: { scope_1: { total }, scope_2: { total_market_based: total / 2 } },
    });
    const company = (id: number, name: string, totals: readonly number[]) => ({
      id,
      name,
      status: 'synced',
      performances: totals.map((total, index) => inventory(2025 - index, total)),
    });
    const companies = [
      company(1, 'Nordic Steel SE', [2_000, 1_500, 1_000]),
      company(2, 'Vertex Rail S.A.', [900, 1_800]),
      company(3, '株式会社トヨタ自動車製造', [100]),
      { id: 4, name: 'Violet Airlines AB', status: 'errored' },
      { id: 5, name: 'Borealis Steel', status: 'created' },
    ];
    const draw = (columns: number, pictures: boolean) =>
      renderOrganizations(companies, { ...view, columns, pictures });
    expect(draw(80, true)).toMatchInlineSnapshot(`
      "ID  Name                    Score  Total  Scope 1+2              3 years  Target
      ──  ──────────────────────  ─────  ─────  ─────────  ──────────  ───────  ──────
       1  Nordic Steel SE             –      –     3.00K*  ██████████  ▄▆█      –
       2  Vertex Rail S.A.            –      –     1.35K*  ████▌        █▄      –
       3  株式会社トヨタ自動車…       –      –       150*  ▌                    –
       4  ✗ Violet Airlines AB        –      –         –                        –
       5  ◐ Borealis Steel            –      –         –                        –
      * market-based · ✗ research failed · ◐ research in progress · 3 years: scope 1 +
      2 of 2023 to 2025
      No room for country, scope 1, scope 2, scope 3, year. For all columns, add
      -o list.xlsx
      "
    `);
    expect(draw(60, true)).toMatchInlineSnapshot(`
      "ID  Name                     Score  Total  Scope 1+2  Target
      ──  ───────────────────────  ─────  ─────  ─────────  ──────
       1  Nordic Steel SE              –      –     3.00K*  –
       2  Vertex Rail S.A.             –      –     1.35K*  –
       3  株式会社トヨタ自動車製…      –      –       150*  –
       4  ✗ Violet Airlines AB         –      –         –   –
       5  ◐ Borealis Steel             –      –         –   –
      * market-based · ✗ research failed · ◐ research in progress
      No room for country, scope 1, scope 2, scope 3, bars of
      scope 1 + 2, 3 years, year. For all columns, add
      -o list.xlsx
      "
    `);
    expect(draw(80, false)).not.toMatch(/[\u2581-\u258f]/);
    for (let columns = 60; columns < 100; columns += 1) {
      const [, title = ''] = /^(ID .*)$/m.exec(draw(columns, true)) ?? [];
      const [, out = ''] =
        /No room for ([^.]*)\./.exec(draw(columns, true).replace(/\s+/g, ' ')) ?? [];
      const hasBars = /Scope 1\+2 {3,}/.test(title);
      const hasYears = title.includes('3 years');
      expect([hasBars, hasYears]).toEqual([!out.includes('bars'), !out.includes('3 years')]);
      // A short bar fits where three years do not.
      if (hasYears) expect(hasBars).toBe(true);
      if (columns >= 66) expect(hasBars).toBe(true);
    }
  });

  it('keeps 20 columns of a name and every line within the terminal', () => {
    const name = 'Zürich Versicherungs-Gesellschaft Aktiengesellschaft';
    for (let columns = 56; columns < 160; columns += 1) {
      const text = renderOrganizations([{ ...full, name }, errored], { ...view, columns });
      expect(badLines(text, columns)).toEqual([]);
      expect(text).toContain(name.slice(0, 19));
      if (!text.includes('Year')) expect(text).toContain('No room for ');
    }
  });

  it('prints tab-separated fields in a pipe, with the basis of the figures', () => {
    const text = records.map(organizationLine).join('');
    expect(text.replaceAll('\t', '|')).toMatchInlineSnapshot(`
      "104211|Nordwind Logistik AG|synced|63.4|DE|Freight transport and logistics|2023|12400|8310|1204000|1224710|scope_2 market-based
      7|Bäckerei Öztürk & Söhne GbR|synced|28|AT|Bakeries||||||
      104212|Halcyon Paper plc|researching||GB|||||||
      104213|Société Générale des Ciments du Sahel|errored||SN|Cement|2020||||512000|total sum
      |||||||||||
      "
    `);
    const synthetic = { ...sparse, sandbox: 'synthetic' };
    expect(organizationLine(synthetic)).toMatch(/\tsynthetic\n$/);
  });
});
