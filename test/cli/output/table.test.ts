import { describe, expect, it } from 'vitest';
import { renderOrganizations } from '../../../src/cli/output/table.ts';
import { loadStyle, plainStyle } from '../../../src/terminal/style.ts';
import { errored, full, researching, sparse } from './records.ts';

const records = [full, sparse, researching, errored, {}];
const view = { style: plainStyle, columns: 160, terminal: true, synthetic: false };

describe('renderOrganizations', () => {
  it('aligns columns, marks sums of parts and says that data is synthetic', () => {
    expect(renderOrganizations(records, { ...view, synthetic: true })).toMatchInlineSnapshot(`
      "id      name                                   status         score  country  industry                         year  scope_1  scope_2    scope_3       total
      ──────  ─────────────────────────────────────  ─────────────  ─────  ───────  ───────────────────────────────  ────  ───────  ───────  ─────────  ──────────
      104211  Nordwind Logistik AG                   ● synced        63.4  DE       Freight transport and logistics  2023   12,400    8,310  1,204,000  1,224,710
      7       Bäckerei Öztürk & Söhne GbR            ● synced        28.0  AT       Bakeries                            –        –        –          –          –
      104212  Halcyon Paper plc                      ◐ researching      –  GB       –                                   –        –        –          –          –
      104213  Société Générale des Ciments du Sahel  ✗ errored          –  SN       Cement                           2020        –        –          –    512,000†
      –       –                                      ◐ no status        –  –        –                                   –        –        –          –          –
      † sum of the disclosed parts, no total disclosed
      Synthetic sandbox data, not real research
      "
    `);
  });

  it('prints tab-separated fields in a pipe, with the basis of the figures', () => {
    const text = renderOrganizations(records, { ...view, terminal: false });
    expect(text.replaceAll('\t', '|')).toMatchInlineSnapshot(`
      "104211|Nordwind Logistik AG|synced|63.4|DE|Freight transport and logistics|2023|12400|8310|1204000|1224710||
      7|Bäckerei Öztürk & Söhne GbR|synced|28|AT|Bakeries|||||||
      104212|Halcyon Paper plc|researching||GB||||||||
      104213|Société Générale des Ciments du Sahel|errored||SN|Cement|2020||||512000|total sum|
      ||||||||||||
      "
    `);
    const synthetic = { ...sparse, sandbox: 'synthetic' };
    expect(renderOrganizations([synthetic], { ...view, terminal: false })).toMatch(
      /\tsynthetic\n$/,
    );
  });

  it('has escape sequences with color, and none without', async () => {
    expect(renderOrganizations(records, view)).not.toContain('\u001b');
    expect(renderOrganizations([errored], { ...view, style: await loadStyle(1) })).toContain(
      '\u001b[31m✗ errored',
    );
  });
});
