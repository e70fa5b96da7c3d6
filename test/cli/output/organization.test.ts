import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  renderOrganization,
  renderPlainOrganization,
} from '../../../src/cli/output/organization.ts';
import { readRecord } from '../../../src/client/api/read-record.ts';
import type { Organization } from '../../../src/client/api/schema.ts';
import { organizationSchema } from '../../../src/client/api/schema.ts';
import { plainStyle } from '../../../src/display/terminal/style.ts';
import { width } from '../../../src/display/terminal/text.ts';
import { errored, full, researching, sparse } from './records.ts';
import { build } from './schema.ts';

const onTerminal = (record: Organization, columns = 80) =>
  renderOrganization(record, { style: plainStyle, columns, synthetic: false });
const inPipe = (record: Organization) => renderPlainOrganization(record, { synthetic: false });

/* Renders a record in which one field differs: a field that the view shows changes the text. */
function render(terminal: boolean, changed?: string): string {
  const record = build(organizationSchema, (type, path) => {
    const other = path === changed;
    if (type === 'number') return other ? 1 : 0;
    return type === 'boolean' ? other : other ? 'other' : 'same';
  });
  const view = { style: plainStyle, columns: 100, synthetic: false };
  const renderRecord = terminal ? renderOrganization : renderPlainOrganization;
  return renderRecord(readRecord(record as object).record, view);
}

describe('renderOrganization', () => {
  it('keeps the address of a source on one line', () => {
    const url = `https://reports.example/${'x'.repeat(50)}`;
    expect(onTerminal({ id: 1, sources: [{ url }] })).toContain(`\n  1   ${url}\n`);
  });

  it('lists only names of the matched organization that differ from its name', () => {
    const named = (...names: string[]) =>
      onTerminal({
        id: 1,
        matching_organization: { id: 2, name: 'Acme', names: names.map((value) => ({ value })) },
      });
    expect(named('Acme', 'ACME Corp')).toContain('Other names     ACME Corp\n');
    expect(named('Acme')).not.toContain('Other names');
  });

  it('shows a full record on a terminal', () => {
    expect(onTerminal(full)).toMatchInlineSnapshot(`
      "Nordwind Logistik AG
      Scope 1 and 2 fell 6.0% since 2022, to 20,710 in 2023; committed to a near-term
      target, not validated.
      ● synced · research complete
        How sure: Quote no amount before its unit is known: compare one with the
          company's own report, then add --unit
          Scope 2 is market-based
        First steps: Ask Nordwind Logistik AG when SBTi validates its target
        As of: figures of 2023, target looked up at SBTi 5 Mar 2025

        ID              104211
        Headquarters    Germany (DE) · subregion HH
        Industry        Freight transport and logistics · id isic-5229
                        confidence medium
        Website         https://www.nordwind-logistik.example
        External ID     HRB 123456

      Score  0 is worst, 100 is best
        Score           63.4
        Industry mean   51.4
        Percentile      81 in its industry
        Industry rank   high among all industries (undocumented whether high is good)
        Region rank     very low (undocumented whether high is good)

      Emissions  Germany (DE)
        Year  Scope 1  Scope 2     Scope 3       Total
        ────  ───────  ───────  ──────────  ──────────
        2023   12,400   8,310*  1,204,000   1,224,710
        2022   13,120   8,904*  1,309,500†  1,331,524†
        2021   14,005       –           –           –
        * market-based · † sum of the disclosed parts, no total disclosed

        2023 in detail
        Scope 1         12,400 · sum of parts 12,013 · stationary combustion 2,151
                        mobile combustion 9,800 · fugitive emissions 62.3
                        process emissions 0
        Scope 2         8,310 · market-based 8,310 · location-based 9,455
                        sum of parts 8,310 · purchased electricity 7,020
                        purchased steam 0 · purchased heat 1,104
                        purchased cooling 186
        Scope 1 and 2   20,710 · market-based 20,710 · location-based 21,855
        Scope 3         1,204,000 · sum of parts 1,203,900
                        purchased goods and services 291,000 · capital goods 18,400
                        fuel- and energy-related activities 3,900
                        upstream transportation and distribution 812,000
                        waste generated in operations 410 · business travel 2,350
                        employee commuting 5,840
                        downstream transportation and distribution 64,200
                        investments 5,800
        Total           1,224,710 · sum of parts 1,224,223

      Revenue and emission factors  in EUR, factors per EUR
        Year    Revenue    Factor  Scope 1+2  Upstream
        ────  ─────────  ────────  ─────────  ────────
        2023  1.24B EUR  0.000985  0.0000167  0.000781
        2022  1.18B EUR   0.00113          –  0.000902

      Reporting and commitments
        Report          environmental report found
        CDP             ✓ listed · as of 3 Mar 2025
        SBTi near term  ✓ has a target · status committed · as of 5 Mar 2025
        SBTi long term  ✓ has a target · target 1.5 °C · year 2045
        SBTi net zero   ✓ has a target · year 2050
        SBTi 1.5 °C     ✓ has a target · joined 15 Mar 2021
        SBTi detail     Nordwind commits to reduce absolute scope 1 and 2 emissions
                        42% by 2030 from a 2020 base year.
        UN initiatives  Global Compact, Race to Zero · as of 11 Feb 2025
        Climate Pledge  ✓ signed · since 18 Feb 2020

      Matched organization
        Name            Nordwind Logistik Group · id 88
        Other names     Nordwind Spedition · Northwind Logistics
        Websites        nordwind-logistik.example · nordwind.example
        Headquarters    Germany (DE)
        Industry        Freight forwarding

      Sources
        1   https://www.nordwind-logistik.example/sustainability-2023.pdf
        2   https://www.nordwind-logistik.example/annual-report-2022.pdf
      "
    `);
  });

  it('names a near-term target in a terminal as every view does, and as received in a pipe', async () => {
    const withTarget = (near_term: object) => ({ ...full, sbti: { data: [{ near_term }] } });
    const validated = withTarget({ has_target: true, target_status: 'Targets set' });
    expect(await onTerminal(validated)).toContain('SBTi near term  ✓ target validated\n');
    expect(inPipe(validated)).toContain('SBTi near term: has a target, status Targets set\n');
    const unknown = withTarget({ has_target: true });
    expect(await onTerminal(unknown)).toContain('✓ has a target\n');
    const removed = withTarget({ has_target: false, target_status: 'Expired' });
    expect(await onTerminal(removed)).toContain('✗ target removed\n');
    expect(inPipe(removed)).toContain('SBTi near term: no target, status Expired\n');
    const none = withTarget({ has_target: false, target_status: 'none' });
    expect(await onTerminal(none)).toContain('✗ no target\n');
    const contradicting = withTarget({ has_target: false, target_status: 'set' });
    expect(await onTerminal(contradicting)).toContain('✗ no target · status validated\n');
  });

  it('shows figures and gaps in a pipe as plain text', () => {
    expect(inPipe(full)).toContain(
      '\nemissions 2022: scope 1 13120, scope 2 8904.25 market-based, scope 3 1309500 sum, total 1331524.25 sum\n',
    );
    expect(inPipe(full)).toContain('\nSBTi long term: has a target, target 1.5, year 2045\n');
  });

  it.each([true, false])('shows every field but details (terminal: %s)', (terminal) => {
    const isDetail = new Map<string, boolean>();
    build(organizationSchema, (_, path, detail) => isDetail.set(path, detail));
    expect(isDetail.get('performances.emissions.scope_3.investments')).toBe(false);
    expect(isDetail.get('matching_organization.tickers.symbol')).toBe(true);
    const usual = render(terminal);
    const wrong = [...isDetail].flatMap(([field, detail]) => {
      const isShown = render(terminal, field) !== usual;
      if (isShown !== detail) return [];
      return isShown
        ? `carbon get shows ${field}: remove detail(…) in schema.ts`
        : `carbon get does not show ${field}: write shown(…) or detail(…) around it in schema.ts`;
    });
    expect(wrong).toEqual([]);
  });

  it('has no line wider than the terminal or 100 columns, and cuts no word that fits', {
    tags: ['property'],
  }, () => {
    // Addresses are words that may be wider than their column.
    const words = (text: string) =>
      text.split(/\s+/).filter((word) => /^\p{L}+$/u.test(word) && word.length > 3);
    const known = new Set(words(onTerminal(full, 100)));
    fc.assert(
      fc.property(fc.integer({ min: 60, max: 200 }), (columns) => {
        const text = onTerminal(full, columns);
        const most = Math.min(columns, 100);
        expect(text.split('\n').filter((line) => width(line) > most)).toEqual([]);
        expect(words(text).filter((word) => !known.has(word))).toEqual([]);
      }),
    );
  });

  it('has at most 60 lines in a pipe, with ASCII keys and plain numbers', () => {
    const performances = Array.from({ length: 30 }, (_, index) => ({
      ...full.performances?.[1],
      year: 1995 + index,
      revenue: 1_234_567.1 + 0.2,
    }));
    const sources = Array.from({ length: 90 }, (_, at) => ({ url: `https://a.example/${at}` }));
    const lines = inPipe({ ...full, performances, sources })
      .trimEnd()
      .split('\n');
    expect(lines.length).toBeLessThanOrEqual(60);
    for (const line of lines) expect(line).toMatch(/^[ -~]+: /);
    expect(lines).toContain('emissions earlier years: 23 more (see carbon get --full)');
    expect(lines).toContain('source more: 84 (see carbon get --full)');
    expect(lines.join()).toContain('revenue 1234567.3,');
  });

  it.each([
    ['sparse', sparse, '● synced · research complete'],
    ['new', researching, '◐ researching · research in progress, figures may be missing'],
    ['errored', errored, '✗ errored · research failed, figures may be missing'],
    ['empty', {}, '◐ no status · research in progress, figures may be missing'],
  ])('shows the state of a record that is %s', (_, record: Organization, state) => {
    expect(onTerminal(record)).toContain(`\n${state}`);
  });

  it('marks figures that are no disclosed totals', () => {
    expect(onTerminal(errored)).toContain(
      [
        '  Year  Scope 1  Scope 2  Scope 1+2  Scope 3     Total',
        '  ────  ───────  ───────  ─────────  ───────  ────────',
        '  2020        –        –   512,000‡        –  512,000†',
        '  ‡ location-based · † sum of the disclosed parts, no total disclosed',
      ].join('\n'),
    );
  });

  it('treats null as an absent field', () => {
    const nulls = Object.fromEntries(Object.keys(full).map((field) => [field, null]));
    expect([onTerminal(nulls), inPipe(nulls)]).toEqual([onTerminal({}), inPipe({})]);
  });

  it('labels years with their region when regions differ', () => {
    const record: Organization = {
      performances: [
        { year: 2023, region: 'DE', revenue: 5, emissions: { total: 10 } },
        { year: 2023, region: 'FR', emissions: { total: 20 } },
        { emissions: { total: 30 } },
      ],
    };
    expect(onTerminal(record)).toContain('\n  2023 France (FR) ');
    expect(onTerminal(record)).toContain('\n  no year ');
    expect(inPipe(record)).toContain('emissions 2023 France (FR): total 20\n');
  });

  it('assumes no currency', () => {
    const revenue = (currency: string | null) =>
      onTerminal({ performances: [{ year: 2023, revenue: 1e9, revenue_currency: currency }] });
    expect(revenue(null)).toMatch(/ 1\.00B /);
    expect(revenue(null)).toContain('the record names no currency');
    expect(revenue(null)).not.toMatch(/[$€]|USD/);
    expect(revenue('GBP')).toContain('1.00B GBP');
  });
});
