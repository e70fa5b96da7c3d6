import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { renderFootprintPage } from '../../../../src/footprint/views/html/page.ts';
import { hostileRows, hostileSummary, registerRow, rows, summary, synthetic } from '../fixture.ts';

/* Returns the page without its style sheet and its script. */
const bodyOf = (page: string) =>
  page.replace(/<style>.*?<\/style>/s, '').replace(/<script>.*?<\/script>/s, '');
const tagsOf = (page: string) =>
  new Set([...bodyOf(page).matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, tag]) => tag));
const textOf = (page: string) =>
  bodyOf(page)
    .replace(/<[^>]*>/g, ' ')
    .replace(/ +/g, ' ');

/* Returns the cells of the first row of the register by the titles of their columns. */
function firstRow(page: string): Record<string, string> {
  const table = /<table id="rows".*?<\/tr>.*?<\/tr>/s.exec(page)?.[0] ?? '';
  const [head = '', row = ''] = table.split('<tbody>');
  const texts = (markup: string) =>
    [...markup.matchAll(/<t[hd][ >].*?<\/t[hd]>/gs)].map(([cell]) => cell.replace(/<[^>]*>/g, ''));
  const cells = texts(row);
  return Object.fromEntries(texts(head).map((title, index) => [title, cells[index] ?? '']));
}

describe('renderFootprintPage', () => {
  const page = renderFootprintPage(summary, rows);

  it('has every part', () => {
    const headings = [...page.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, text]) => text);
    expect(headings).toMatchInlineSnapshot(`
      [
        "Origin of the emissions",
        "Spend covered",
        "SBTi near-term targets",
        "Concentration",
        "Purchasing categories",
        "Largest suppliers",
        "Method",
        "Register",
        "How to read this page",
      ]
    `);
  });

  it('shows the figures that repeat the calculation of a row', () => {
    expect(firstRow(page)).toMatchInlineSnapshot(`
      {
        "Basis": "own figures",
        "Categories": "6",
        "Category": "Raw materials",
        "Coverage": "covered",
        "Currency": "EUR",
        "Emissions": "3,914,934.90",
        "Factor": "0.8122270742",
        "Factor 1+2": "–",
        "Factor total": "–",
        "Factor upstream": "–",
        "Factor year": "2023",
        "Id": "4711",
        "Lines": "3, 9, 27",
        "Matched by": "batch journal",
        "Revenue": "11,450,000,000",
        "SBTi near term": "set",
        "Scope 1": "5,800,000,000",
        "Scope 2": "400,000,000*",
        "Share": "46.2%",
        "Spend": "4,820,000.50",
        "Spend year": "2024",
        "Supplier": "Nordwind Stahl GmbH",
        "Upstream": "3,100,000,000",
      }
    `);
  });

  it('lists rows without emissions last, with their reason', () => {
    const table = /<table id="rows".*?<\/table>/s.exec(page)?.[0] ?? '';
    const coverage = [...table.matchAll(/<td class="text (?:open|errored|synced)">([^<]*)/g)];
    expect(coverage.map(([, text]) => text).filter((text) => text !== 'covered')).toEqual([
      'not registered',
      'several records match: the records 88 and 91 have this name and country',
      'research in progress: status processing',
      'excluded: net spend is negative',
      'excluded: no spend',
    ]);
  });

  it('states the method, the synthetic data and the boundary that is no category 1 figure', () => {
    expect(textOf(page)).toContain('41 records agree with additive · 1 with nested');
    const warned = textOf(renderFootprintPage({ ...synthetic, boundary: 'total' }, rows));
    expect(warned).toContain('Synthetic sandbox data, not real research');
    expect(warned).toContain('not a scope 3 category 1 figure');
    expect(warned).toContain('service units');
  });

  it('allows itself one script and one style sheet, by their hashes, and nothing else', () => {
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

  it('takes no tag and no attribute from any text', () => {
    const hostile = renderFootprintPage(hostileSummary, hostileRows);
    expect([...tagsOf(hostile)].filter((tag) => !tagsOf(page).has(tag))).toEqual([]);
    expect(hostile.match(/<script>/g)).toHaveLength(1);
    expect(bodyOf(hostile)).not.toMatch(/[\u001b\u202a-\u202e]|NaN|undefined|\[object/u);
  });

  it('lists at most 10,000 rows, the largest emitters first, and states how many it omits', () => {
    const many = Array.from({ length: 10_050 }, (_, index) =>
      registerRow({ supplier: `S${index}`, spend: index, factor: 1, basis: 'factor' }),
    );
    const large = renderFootprintPage(summary, many);
    expect(large.match(/<tr><th scope="row">S\d/g)).toHaveLength(10_000);
    expect(firstRow(large)).toMatchObject({ Supplier: 'S10049', Emissions: '10,049.00' });
    expect(large).toContain(
      'The table lists the 10,000 rows with the largest emissions. The figures above include 50 more rows',
    );
  });
});
