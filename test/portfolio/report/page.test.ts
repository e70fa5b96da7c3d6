import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Organization } from '../../../src/client/api/schema.ts';
import { html } from '../../../src/display/page/html.ts';
import { maxRows } from '../../../src/display/page/searchable-table.ts';
import { renderPage } from '../../../src/portfolio/report/page.ts';
import { errored, full, researching, sparse } from '../../cli/output/records.ts';
import { anyOrganization } from '../../cli/output/schema.ts';
import { bodyOf, headingsOf, tagsOf } from '../../support/markup.ts';
import { runs } from '../../support/seed.ts';
import { snapshotOf, summarize } from './inputs.ts';

const files = ['records.ndjson'];

async function pageOf(...records: unknown[]): Promise<string> {
  const { document, ...ranked } = summarize(await snapshotOf(...records));
  return renderPage(document, { ...ranked, from: files });
}

describe('html', () => {
  it('escapes and cleans every text, and keeps markup', () => {
    const inner = html`<b>${'<&>"\''}</b>`;
    expect(
      html`<p title="${'"x"'}">${[inner, ' ', 7, null, undefined, 'a\u202eb\u0000']}</p>`.text,
    ).toBe('<p title="&quot;x&quot;"><b>&lt;&amp;&gt;&quot;&#39;</b> 7a\ufffdb\ufffd</p>');
  });
});

describe('the page', () => {
  it('has every part that the style sheet for paper names', async () => {
    const page = await pageOf(full, sparse);
    const sheet = readFileSync(
      new URL('../../../src/display/page/print.css', import.meta.url),
      'utf8',
    );
    const ids = [...sheet.matchAll(/#([a-z-]+)/g)].map(([, id]) => id);
    expect(ids.filter((id) => !page.includes(`id="${id}"`))).toEqual([]);
  });

  it('shows every part, with exact values and the numbers of organizations', async () => {
    const page = await pageOf(full, sparse, researching, errored, { ok: false });
    expect(headingsOf(page)).toEqual([
      'Near-term targets by emissions',
      'Largest emitters',
      'Whom to ask',
      'All companies',
      'Emissions as disclosed',
      'How to read this page',
    ]);
    expect(page).toContain('Report on records.ndjson · 4 companies');
    expect(page).toContain(' · records without dates');
    expect(page).toContain('written 21 Nov 2026');
    expect(page).toContain('1 failed item without a record');
    expect(page.match(/unit unknown/gi)).toHaveLength(1);
  });

  it('names the downloaded file after the records, their day and its rows', async () => {
    const nameOf = async (from: readonly string[], day: string | null) => {
      const { document, ...ranked } = summarize(await snapshotOf(full));
      const page = renderPage({ ...document, records_to: day }, { ...ranked, from });
      return /data-file="([^"]*)"/.exec(page)?.[1];
    };
    const day = '2026-11-27';
    expect(await nameOf(['suppliers.csv'], day)).toBe('suppliers-report-2026-11-27-companies.csv');
    expect(await nameOf(['../a/Käufe 1.v2.xlsx', 'b.csv'], null)).toBe(
      'Käufe-1.v2-and-1-more-report-companies.csv',
    );
  });

  it('tells apart equal shares of near-term and net-zero targets', async () => {
    const of = (id: number, total: number, isNetZero: boolean) => ({
      id,
      matching_organization: { id },
      performances: [{ year: 2024, emissions: { scope_1: { total }, scope_2: { total } } }],
      sbti: {
        data: [
          { near_term: { target_status: 'Targets set' }, net_zero: { has_target: isNetZero } },
        ],
      },
    });
    const page = await pageOf(of(1, 1e6, true), of(2, 1, false));
    expect(page).toContain(
      'by the same emissions; of the 2 with a validated near-term target, 1 has none (&lt;0.1%)</p>',
    );
  });

  it('has the first statement as its title, and its base in the line below', async () => {
    const years = [2023, 2024].map((year) => {
      return { year, emissions: { scope_1: { total: year }, scope_2: { total: 100 } } };
    });
    const { document, ...ranked } = summarize(await snapshotOf({ id: 1, performances: years }));
    const [statement] = document.statements;
    expect(statement?.text).toBe(
      'Scope 1 and 2 did not change since 2023 (the 1 company that discloses both scopes in 2023 and 2024)',
    );
    const page = renderPage(document, { ...ranked, from: files });
    expect(page).toContain('<title>Scope 1 and 2 did not change since 2023 · Report on');
    expect(page).toContain('<h1>Scope 1 and 2 did not change since 2023</h1></header>');
    expect(bodyOf(page)).toMatch(
      /<dt[^>]*>Trend<\/dt><dd[^>]*><p>\+0\.\d\d% since 2023: the 1 company that discloses both scopes in 2023 and 2024<\/p>/,
    );
    expect(bodyOf(page)).not.toContain(statement?.text);
    // Without a list, nothing says where the records are from; with one, a line says it once.
    expect(page).not.toContain('· service: ');
    const services = ['https://api.example.org', 'sandbox', 'sandbox'];
    expect(renderPage(document, { ...ranked, from: files, services })).toMatch(
      /Service: https:\/\/api\.example\.org · service: the sandbox, with synthetic data · (?!.*api\.example)/s,
    );
    const titled = renderPage(document, { ...ranked, from: files, title: 'Suppliers (all)' });
    expect(titled).toContain('<h1>Suppliers (all)</h1></header>');
    expect(bodyOf(titled)).toMatch(
      /<dd class="way"><p>Scope 1 and 2 did not change since 2023<\/p><p>\+0\.\d\d% since 2023: the 1 company that /,
    );
  });

  it('says of which years a change is, and of when the statuses of targets are', async () => {
    const record = (id: number, checked?: string) => ({
      id,
      name: `Company ${id}`,
      performances: [2022, 2023, 2024].map((year) => {
        return { year, emissions: { scope_1: { total: year * id }, scope_2: { total: 100 } } };
      }),
      sbti: { last_retrieved_at: checked, data: [{ near_term: { target_status: 'set' } }] },
    });
    const page = await pageOf(record(1, '2026-10-01'), record(2, '2026-11-03'));
    expect(page).toContain('small columns: 2022 to 2024, then the change since 2023');
    expect(page).toContain(' Targets last looked up at SBTi 1 Oct to 3 Nov 2026.</p>');
    expect(await pageOf(record(1))).not.toContain('SBTi looked up');
  });

  it('allows itself one script and one style sheet, by their hashes, and nothing else', async () => {
    const page = await pageOf(full);
    const policy = /Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1];
    const hashOf = (tag: string) => {
      const text = new RegExp(`<${tag}>(.*?)</${tag}>`, 's').exec(page)?.[1] ?? '';
      return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    };
    expect(policy).toBe(
      `default-src 'none'; style-src ${hashOf('style')}; script-src ${hashOf('script')}; img-src data:; base-uri 'none'; form-action 'none'`,
    );
    expect(bodyOf(page)).not.toMatch(/ style="| on[a-z]+="|url\(|@import/);
  });

  it('lists the largest emitters first, up to a maximum, and states how many it omits', {
    tags: ['long'],
  }, async () => {
    const many = Array.from({ length: maxRows + 50 }, (_, id) => ({
      id,
      performances: [{ year: 2024, emissions: { scope_1_and_2: { total: id } } }],
    }));
    const page = await pageOf(...many);
    expect(page.match(/<tr><th scope=row>no name/g)).toHaveLength(maxRows);
    expect(page).toContain(
      'The table lists the 10,000 largest emitters. The figures above include 50 more companies',
    );
    expect(page).toContain('10,050 companies');
    expect(page.length).toBeLessThan(6_000_000);
  });

  it('takes no tag and no attribute from any record', {
    tags: ['property'],
  }, async () => {
    const many = Array.from({ length: 60 }, () => ({ name: 'x' }));
    const known = tagsOf(await pageOf(full, sparse, researching, errored, ...many));
    const evil = fc.constantFrom(
      '</script><script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      '<!--',
      ']]>',
      '</template><iframe>',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(anyOrganization, { maxLength: 4 }), evil, async (records, text) => {
        const hostile: Organization = {
          name: text,
          status: text,
          hq_region: text,
          industry: { name: text },
          industry_rank: text,
          sbti: { data: [{ near_term: { target_status: text } }] },
          performances: [
            { year: 2024, revenue: 1, revenue_currency: text, emissions: { total: 1 } },
          ],
        };
        const page = await pageOf(...records.map((given, id) => ({ ...given, id })), hostile);
        expect([...tagsOf(page)].filter((tag) => !known.has(tag))).toEqual([]);
        expect(page.match(/<script>/g)).toHaveLength(1);
        expect(bodyOf(page)).not.toContain('<!--');
        expect(bodyOf(page)).not.toMatch(/[\u202a-\u202e\u0000-\u0008]|NaN|undefined|\[object/u);
      }),
      { numRuns: runs(40) },
    );
  });
});
