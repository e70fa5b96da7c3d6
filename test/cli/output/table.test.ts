import { describe, expect, it } from 'vitest';
import { plainStyle } from '../../../src/display/terminal/style.ts';
import {
  errored,
  full,
  organizationLine,
  renderOrganizations,
  researching,
  sparse,
} from './records.ts';

const records = [full, sparse, researching, errored, {}];
const view = { style: plainStyle, columns: 160, terminal: true, synthetic: false };

describe('renderOrganizations', () => {
  it('aligns columns, marks sums of parts and says that data is synthetic', () => {
    expect(renderOrganizations(records, { ...view, synthetic: true })).toMatchInlineSnapshot(`
      "    ID  Name                                   Status         Country  Score  Scope 1  Scope 2  Scope 3   Total  Year
      ──────  ─────────────────────────────────────  ─────────────  ───────  ─────  ───────  ───────  ───────  ──────  ────
      104211  Nordwind Logistik AG                   ● synced       DE        63.4    12.4K   8.31K*    1.20M  1.22M   2023
           7  Bäckerei Öztürk & Söhne GbR            ● synced       AT        28.0        –       –         –      –      –
      104212  Halcyon Paper plc                      ◐ researching  GB           –        –       –         –      –      –
      104213  Société Générale des Ciments du Sahel  ✗ errored      SN           –        –       –         –   512K†  2020
           –  –                                      ◐ no status    –            –        –       –         –      –      –
      * market-based · † sum of the disclosed parts, no total disclosed
      Synthetic sandbox data, not real research
      "
    `);
  });

  it('has no status if all research is complete, and cuts names', () => {
    expect(renderOrganizations([full, sparse], { ...view, columns: 72 })).toMatchInlineSnapshot(`
      "    ID  Name      Country  Score  Scope 1  Scope 2  Scope 3  Total  Year
      ──────  ────────  ───────  ─────  ───────  ───────  ───────  ─────  ────
      104211  Nordwin…  DE        63.4    12.4K   8.31K*    1.20M  1.22M  2023
           7  Bäckere…  AT        28.0        –       –         –      –     –
      * market-based
      "
    `);
  });

  it('leaves out the scopes where there is no room, and lists what fits no table by name', () => {
    const [narrow, list] = [50, 40].map((columns) =>
      renderOrganizations([full], { ...view, columns }),
    );
    expect(`${narrow}\n${list}`).toMatchInlineSnapshot(`
      "    ID  Name           Country  Score  Total  Year
      ──────  ─────────────  ───────  ─────  ─────  ────
      104211  Nordwind Log…  DE        63.4  1.22M  2023
      * market-based

      Nordwind Logistik AG
        ID       104211
        Country  DE
        Score    63.4
        Scope 1  12.4K
        Scope 2  8.31K*
        Scope 3  1.20M
        Total    1.22M
        Year     2023
      * market-based
      "
    `);
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
