import { describe, expect, it } from 'vitest';
import type { Organization } from '../../../src/api/schema.ts';
import { renderOrganizations, tableFields } from '../../../src/cli/output/table.ts';
import { loadStyle, plainStyle } from '../../../src/terminal/style.ts';
import { errored, full, researching, sparse } from './records.ts';

const records = [full, sparse, researching, errored, {}];
const view = { style: plainStyle, columns: 80, terminal: true, synthetic: false };

describe('renderOrganizations', () => {
  it('shows id, name and status at 40 columns', () => {
    expect(renderOrganizations(records, { ...view, columns: 40 })).toMatchInlineSnapshot(`
    "    Id  Name               Status
    ──────  ─────────────────  ─────────────
    104211  Nordwind Logisti…  ● synced
         7  Bäckerei Öztürk …  ● synced
    104212  Halcyon Paper plc  ◐ researching
    104213  Société Générale…  ✗ errored
         –  –                  ◐ no status
    "
  `);
  });

  it('adds the score without a bar at 56 columns', () => {
    expect(renderOrganizations(records, { ...view, columns: 56 })).toMatchInlineSnapshot(`
    "    Id  Name                        Status         Score
    ──────  ──────────────────────────  ─────────────  ─────
    104211  Nordwind Logistik AG        ● synced        63.4
         7  Bäckerei Öztürk & Söhne G…  ● synced        28.0
    104212  Halcyon Paper plc           ◐ researching      –
    104213  Société Générale des Cime…  ✗ errored          –
         –  –                           ◐ no status        –
    "
  `);
  });

  it('adds the bar and the country at 80 columns', () => {
    expect(renderOrganizations(records, view)).toMatchInlineSnapshot(`
    "    Id  Name                  Status         Score           Country
    ──────  ────────────────────  ─────────────  ──────────────  ───────────────────
    104211  Nordwind Logistik AG  ● synced        63.4 █████▏··  Germany (DE)
         7  Bäckerei Öztürk & S…  ● synced        28.0 ██▎·····  Austria (AT)
    104212  Halcyon Paper plc     ◐ researching  –               United Kingdom (GB)
    104213  Société Générale de…  ✗ errored      –               Senegal (SN)
         –  –                     ◐ no status    –               –
    "
  `);
  });

  it('adds year and total at 120 columns', () => {
    expect(renderOrganizations(records, { ...view, columns: 120 })).toMatchInlineSnapshot(`
    "    Id  Name                                   Status         Score           Country              Year      Total
    ──────  ─────────────────────────────────────  ─────────────  ──────────────  ───────────────────  ────  ──────────
    104211  Nordwind Logistik AG                   ● synced        63.4 █████▏··  Germany (DE)         2023  1,224,710
         7  Bäckerei Öztürk & Söhne GbR            ● synced        28.0 ██▎·····  Austria (AT)         –             –
    104212  Halcyon Paper plc                      ◐ researching  –               United Kingdom (GB)  –             –
    104213  Société Générale des Ciments du Sahel  ✗ errored      –               Senegal (SN)         2020    512,000†
         –  –                                      ◐ no status    –               –                    –             –
    † sum of the disclosed parts, no total disclosed
    "
  `);
  });

  it('shows every column and the sandbox note at 200 columns', () => {
    expect(
      renderOrganizations(records, { ...view, columns: 200, synthetic: true }),
    ).toMatchInlineSnapshot(`
    "    Id  Name                                   Status         Score           Country              Industry                      Year  Scope 1   Scope 2     Scope 3       Total
    ──────  ─────────────────────────────────────  ─────────────  ──────────────  ───────────────────  ────────────────────────────  ────  ────────  ────────  ──────────  ──────────
    104211  Nordwind Logistik AG                   ● synced        63.4 █████▏··  Germany (DE)         Freight transport and logis…  2023   12,400     8,310   1,204,000   1,224,710
         7  Bäckerei Öztürk & Söhne GbR            ● synced        28.0 ██▎·····  Austria (AT)         Bakeries                      –           –         –           –           –
    104212  Halcyon Paper plc                      ◐ researching  –               United Kingdom (GB)  –                             –           –         –           –           –
    104213  Société Générale des Ciments du Sahel  ✗ errored      –               Senegal (SN)         Cement                        2020        –         –           –     512,000†
         –  –                                      ◐ no status    –               –                    –                             –           –         –           –           –
    † sum of the disclosed parts, no total disclosed
    Synthetic sandbox data, not real research
    "
  `);
  });

  it('prints tab-separated fields in a pipe', () => {
    const text = renderOrganizations(records, { ...view, terminal: false });
    expect(text.replaceAll('\t', '|')).toMatchInlineSnapshot(`
    "104211|Nordwind Logistik AG|synced|DE|Freight transport and logistics|63.4|2023|12400|8310|1204000|1224710|
    7|Bäckerei Öztürk & Söhne GbR|synced|AT|Bakeries|28||||||
    104212|Halcyon Paper plc|researching|GB||||||||
    104213|Société Générale des Ciments du Sahel|errored|SN|Cement||2020||||512000|total sum
    |||||||||||
    "
  `);
    const synthetic = renderOrganizations([full], { ...view, terminal: false, synthetic: true });
    expect(synthetic.split('\t')).toHaveLength(tableFields.length + 1);
    expect(synthetic).toMatch(/\tsynthetic\n$/);
  });

  it('prints nothing without organizations', () => {
    expect(renderOrganizations([], view)).toBe('');
    expect(renderOrganizations([], { ...view, terminal: false })).toBe('');
  });

  it('has escape sequences in every row with color, and none without', async () => {
    expect(renderOrganizations(records, view)).not.toContain('\u001b');
    expect(renderOrganizations([errored], { ...view, style: await loadStyle(1) })).toContain(
      '\u001b[31m✗ errored',
    );
  });

  it('aligns columns with wide letters', () => {
    const named = (name: string): Organization => ({ id: 1, name, status: 'synced' });
    const text = renderOrganizations(
      [named('株式会社ニトリ'), named('ภาษาไทย จำกัด'), named('Acme')],
      view,
    );
    expect(text).toMatchInlineSnapshot(`
    "Id  Name            Status    Score  Country  Industry  Year  Total
    ──  ──────────────  ────────  ─────  ───────  ────────  ────  ──────
     1  株式会社ニトリ  ● synced  –      –        –         –         –
     1  ภาษาไทย จำกัด     ● synced  –      –        –         –         –
     1  Acme            ● synced  –      –        –         –         –
    "
  `);
  });

  it('handles thousands of rows', { tags: ['long'] }, () => {
    const many = Array.from({ length: 5_000 }, (_, id) => ({ ...sparse, id }));
    expect(renderOrganizations(many, { ...view, columns: 200 }).split('\n')).toHaveLength(5_003);
  });
});
