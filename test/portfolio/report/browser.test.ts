import { readFileSync } from 'node:fs';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { renderPage } from '../../../src/portfolio/report/page.ts';
import { errored, full, researching, sparse } from '../../cli/output/records.ts';
import {
  brokenWords,
  clippedTexts,
  pagesInBrowser,
  rowNames,
  widths,
  worstContrast,
} from '../../support/open-page.ts';
import { describeNeeds } from '../../support/programs.ts';
import { snapshotOf, summarize } from './inputs.ts';

const evil = '</script><script>window.pwned=1</script><img src=x onerror="window.pwned=1">';
const hostile = {
  id: '9"><script>window.pwned=1</script>',
  name: evil,
  status: 'synced" onclick="window.pwned=1',
  industry: { name: evil },
  industry_rank: '<svg onload="window.pwned=1">',
  score: 0.1,
};
const many = Array.from({ length: 995 }, (_, index) => ({
  id: index + 10,
  name: index % 10 === 0 ? `Rheinmühle ${index}` : `Organization ${index}`,
  hq_region: 'DE',
  status: 'synced',
  score: (index % 100) / 100,
  sbti: { data: [{ near_term: { target_status: 'committed' } }] },
  sources: [{ url: `https://reports.example.org/${index}.pdf` }],
  performances: [
    {
      year: 2024,
      emissions: {
        scope_1: { total: index },
        scope_2: { sum: 3 },
        scope_3: { total: 2 * index },
        total: 3 * index + 3,
      },
    },
    ...(index % 2 ? [{ year: 2023, emissions: { scope_1: { total: index } } }] : []),
  ],
}));

describeNeeds('Chromium', 'the page in a browser', () => {
  const open = pagesInBrowser();
  let html = '';
  const openReport = async (options?: BrowserContextOptions) => (await open(html, options)).page;

  beforeAll(async () => {
    const records = [full, sparse, researching, errored, hostile, ...many];
    const { document, ...ranked } = summarize(await snapshotOf(...records));
    html = renderPage(document, { ...ranked, from: [evil] });
  });

  /* The texts of a column, by its title. */
  const cells = async (page: Page, title: string) => {
    const titles = await page.locator('#rows thead th').allTextContents();
    const column = titles.indexOf(title);
    return page.locator(`#rows tbody tr > :nth-child(${column + 1})`).allTextContents();
  };

  it('sends no request, follows its own policy, and runs nothing from a record', async () => {
    const { page, seen, address } = await open(html);
    await page.getByRole('searchbox').fill('pwned');
    expect(await rowNames(page)).toEqual([evil]);
    await page.locator('#rows tbody tr').hover();
    const links = page.locator('a[href]');
    const targets = await links.evaluateAll((all) => all.map((node) => node.getAttribute('href')));
    expect(
      targets.filter(
        (target) => !/^(#all|https:\/\/reports\.example\.org\/\d+\.pdf)$/.test(target ?? ''),
      ),
    ).toEqual([]);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(seen).toEqual([address]);
  });

  it('sorts by a column with the keyboard, missing values last', async () => {
    const page = await openReport();
    expect((await rowNames(page))[0]).toBe(errored.name);
    await page.getByRole('button', { name: 'Score' }).focus();
    await page.keyboard.press('Enter');
    const header = page.getByRole('columnheader', { name: 'Score' });
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    expect((await cells(page, 'Score')).slice(0, 3)).toEqual(['99.0', '99.0', '99.0']);
    await page.keyboard.press('Enter');
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    expect((await cells(page, 'Score'))[0]).toBe('0.0');
    expect(await page.locator('[aria-sort]').count()).toBe(1);
    await page.getByRole('button', { name: 'Show all' }).click();
    expect((await cells(page, 'Score')).slice(-3)).toEqual(['99.0', '–', '–']);
    await page.getByRole('button', { name: 'Company', exact: true }).click();
    expect((await rowNames(page))[0]).toBe(evil);
    expect(await cells(page, 'Score')).toHaveLength(1_000);
  });

  it('sorts figures by all their digits', async () => {
    const page = await openReport();
    await page.getByRole('button', { name: 'Total', exact: true }).click();
    expect((await cells(page, 'Total')).slice(0, 3)).toEqual(['1.33M†', '512K†', '2.99K']);
    await page.getByRole('button', { name: 'Show all' }).click();
    const scopes = await cells(page, 'Total');
    expect(scopes.indexOf('1.00K')).toBeLessThan(scopes.indexOf('999'));
  });

  it('sorts a share below the smallest one shown before it', async () => {
    const page = await openReport();
    await page.getByRole('button', { name: 'Show all' }).click();
    const head = page.getByRole('button', { name: 'Share', exact: true });
    await head.click();
    await head.click();
    const sorted = page.locator('#rows th[aria-sort]');
    expect(await sorted.getAttribute('aria-sort')).toBe('ascending');
    const shares = (await cells(page, 'Share')).filter((share) => /^<?0\.1%$/.test(share));
    expect(new Set(shares).size).toBe(2);
    expect(shares.lastIndexOf('<0.1%')).toBeLessThan(shares.indexOf('0.1%'));
  });

  it('searches words of any column without accents, and shows the number of matches', async () => {
    const page = await openReport();
    await page.getByRole('searchbox').fill('COMMITTED rheinmuhle');
    expect((await rowNames(page)).every((name) => name.startsWith('Rheinmühle'))).toBe(true);
    expect(await page.getByRole('status').textContent()).toBe('Showing 50 of 100 matches');
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await page.getByRole('status').textContent()).toBe('Showing 100 of 100 matches');
    expect(await page.getByRole('button', { name: 'Show all' }).isVisible()).toBe(false);
    await page.getByRole('searchbox').fill('no such organization');
    expect(await rowNames(page)).toEqual([]);
    expect(await page.getByRole('status').textContent()).toBe('No matches');
    await page.getByRole('searchbox').fill('');
    expect(await page.getByRole('status').textContent()).toBe('Showing 50 of 1,000 companies');
  });

  it('finds the companies of a bar by pointer and keyboard', async () => {
    const page = await openReport();
    await page.getByRole('link', { name: 'Organization 993' }).focus();
    await page.keyboard.press('Enter');
    expect(await rowNames(page)).toEqual(['Organization 993']);
    await page.getByRole('img', { name: '997 · 0.2%' }).click();
    expect(await rowNames(page)).toEqual(['Organization 994']);
    await page.getByRole('link', { name: 'committed' }).click();
    expect(await page.getByRole('searchbox').inputValue()).toBe('"committed"');
    expect(await page.getByRole('status').textContent()).toBe('Showing 50 of 996 matches');
  });

  it('finds a name with quotes, and nothing for a status that the table has as text', async () => {
    const emissions = { scope_1: { total: 3 }, scope_2: { total: 4 } };
    const near_term = { target_status: 'Active again' };
    const quoted = {
      ...{ id: 1, name: 'Acme "Global" <AG>', sbti: { data: [{ near_term }] } },
      performances: [{ year: 2024, emissions }],
    };
    const { document, ...ranked } = summarize(
      await snapshotOf(quoted, { ...quoted, id: 2, name: 'Acme Global' }),
    );
    const { page } = await open(renderPage(document, { ...ranked, from: ['a'] }));
    await page.getByRole('link', { name: 'Acme "Global"' }).click();
    expect(await rowNames(page)).toEqual(['Acme "Global" <AG>']);
    expect(await page.locator('.key').getByText('another status').count()).toBe(1);
    expect(await page.locator('.key a').count()).toBe(0);
  });

  it('saves the rows that the search finds as CSV, with all digits and no formula', async () => {
    const page = await openReport();
    await page.getByRole('searchbox').fill('"organization 994"');
    const lines = await savedLines(page);
    expect(lines).toEqual([
      'Company,Country,Scope 1 + 2,Share,Scope 1,Scope 2,Target,Score,Year,Scope 3,Total,Research,Industry,ID,External ID,Synthetic',
      'Organization 994,Germany (DE),997,0.2%,994,3,committed,94.0,2024,1988,2985,finished,,1004,,',
    ]);
    await page.getByRole('searchbox').fill('104211');
    const [, line] = await savedLines(page);
    expect(line).toContain('Nordwind Logistik AG,Germany (DE),22024.25,,13120,8904.25,');
  });

  it('saves no text as a formula', async () => {
    const formula = { id: 1, name: '=1+1', hq_region: '-DE', external_id: '@x' };
    const { document, ...ranked } = summarize(await snapshotOf(formula, { ...formula, id: 2 }));
    const { page } = await open(renderPage(document, { ...ranked, from: ['a'] }));
    const [, line] = await savedLines(page);
    expect(line).toMatch(/^'=1\+1,/);
  });

  it.each(widths)('keeps texts in the page and names whole at %d pixels', async (width) => {
    const page = await openReport({ viewport: { width, height: 900 } });
    await page.getByRole('searchbox').fill('organization 77');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const outside =
      await page.evaluate(`[...document.querySelectorAll('header, main, footer')].flatMap((part) => {
        const right = part.getBoundingClientRect().right - parseFloat(getComputedStyle(part).paddingRight);
        return [...part.querySelectorAll('*')].filter((node) => !node.closest('.scroll') && node.getBoundingClientRect().right > right + 0.5)
          .map((node) => node.outerHTML.slice(0, 80));
      })`);
    expect(outside).toEqual([]);
    expect(await page.evaluate(clippedTexts)).toEqual([]);
    const cut = await page.evaluate(
      `[...document.querySelectorAll('.ranked .name')].filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent)`,
    );
    expect(cut).toEqual([]);
  });

  it('keeps the name of a row in view while the table scrolls', async () => {
    const page = await openReport({ viewport: { width: 375, height: 800 } });
    const name = page.locator('#rows tbody th').first();
    const before = await name.boundingBox();
    await page.locator('.scroll.all').evaluate((scroll) => {
      scroll.scrollLeft = scroll.scrollWidth;
    });
    expect(await page.locator('.scroll.all').evaluate((scroll) => scroll.scrollLeft)).not.toBe(0);
    expect((await name.boundingBox())?.x).toBe(before?.x);
    expect(await page.locator('#rows tbody td').last().isVisible()).toBe(true);
  });

  it.each([
    [320, 'light'],
    [1280, 'dark'],
  ] as const)('fits %d pixels and can be read, %s', async (width, colorScheme) => {
    const page = await openReport({ viewport: { width, height: 800 }, colorScheme });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const background: string = await page.evaluate(
      'getComputedStyle(document.body).backgroundColor',
    );
    expect(background).toMatch(colorScheme === 'light' ? /\(2\d\d, 2/ : /\(\d\d, /);
    const [contrast, where] = (await page.evaluate(worstContrast)) as [number, string];
    expect({ where, contrast }).toEqual({
      where,
      contrast: expect.toSatisfy((value: number) => value >= 4.5),
    });
  });

  it('has its figures first, and the chart next to the answers or below them', async () => {
    const records = [1, 2, 3].map((id) => ({
      ...{ id, name: `Acme ${id}`, status: 'synced', score: 0.5, sbti: { data: [] } },
      performances: [2023, 2024].map((year) => ({
        year,
        emissions: { scope_1: { total: id * year }, scope_2: { total: 1 } },
      })),
    }));
    const { document, ...ranked } = summarize(await snapshotOf(...records));
    const { page } = await open(renderPage(document, { ...ranked, from: ['a.ndjson'] }));
    for (const [width, isBeside] of [
      [375, false],
      [768, false],
      [1_280, true],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      const [figures, answers, chart] = (await page.evaluate(
        `['.figures', '.answers', '.aside figure svg'].map((part) => document.querySelector(part).getBoundingClientRect())`,
      )) as [Box, Box, Box];
      expect(answers.top, `${width}`).toBeGreaterThanOrEqual(figures.bottom);
      expect(chart.left > answers.right, `${width}`).toBe(isBeside);
      if (isBeside) expect(chart.bottom).toBeLessThan(800);
      expect(chart.top >= answers.bottom, `${width}`).toBe(!isBeside);
    }
  });

  it('shows exact values by pointer and in a table', async () => {
    const years = [2023, 2024].map((year) => {
      const emissions = { scope_1: { total: year * 1_000 }, scope_2: { sum: 310 } };
      return { year, emissions };
    });
    const { document, ...ranked } = summarize(
      await snapshotOf({ id: 1, name: 'A', performances: years }),
    );
    const { page } = await open(renderPage(document, { ...ranked, from: ['a'] }));
    const description = 'Scope 1 + 2 of 2023: 2,023,310 (the same company)';
    const column = page.getByRole('img', { name: description });
    expect(await column.locator('title').textContent()).toBe(description);
    const bar = page.locator('.ranked svg > title').first();
    expect(await bar.textContent()).toBe('2,024,310 (A, 2024)');
    const cell = page.locator('#rows').getByRole('cell', { name: '2.02M' }).first();
    expect(await cell.getAttribute('title')).toBe('2,024,310');
    const mark = cell.getByText('†');
    expect(await mark.getAttribute('title')).toBe('sum');
    await page.locator('figure summary').click();
    const exact = page.getByRole('cell', { name: '2,023,310', exact: true });
    expect(await exact.isVisible()).toBe(true);
  });

  it('prints on white, without controls, and every row that the search finds', async () => {
    const page = await openReport({ colorScheme: 'dark' });
    await page.getByRole('searchbox').fill('rheinmühle');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
      'rgb(255, 255, 255)',
    );
    expect(await page.getByRole('searchbox').isVisible()).toBe(false);
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    expect(await page.locator('#rows tbody tr').count()).toBe(100);
    expect(await page.evaluate(brokenWords('tbody th[scope="row"]'))).toEqual([]);
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
    expect(await page.locator('#rows tbody tr').count()).toBe(50);
  });

  it.each([
    ['A4', 210, 297],
    ['letter', 215.9, 279.4],
  ])(
    'prints the summary on one page of %s, no table beyond its edge, nor an empty rest',
    async (...paper) => {
      const [, width, height] = paper.map((size) => (Number(size) * 96) / 25.4);
      const [across, down] = [(26 * 96) / 25.4, (28 * 96) / 25.4];
      const viewport = { width: Math.floor(Number(width) - across), height: 900 };
      const page = await openReport({ viewport });
      await page.emulateMedia({ media: 'print' });
      const [top, right] = (await page.evaluate(
        `['section.table', '#rows'].map((part) => document.querySelector(part).getBoundingClientRect()).map(({ top, right }, index) => index === 0 ? top : right)`,
      )) as [number, number];
      expect(top).toBeLessThan(Number(height) - down);
      expect(right).toBeLessThanOrEqual(viewport.width);
      // Whom to ask may need a second page, whose rest the table takes.
      const breaks = `getComputedStyle(document.querySelector('section.table')).breakBefore`;
      expect(await page.evaluate(breaks)).toBe('auto');
    },
  );

  it('leaves a gap between the columns on paper, and what only a screen has room for', async () => {
    const page = await openReport({ viewport: { width: 695, height: 900 } });
    await page.emulateMedia({ media: 'print' });
    const gaps = `[...document.querySelectorAll('#rows tr')].flatMap((row) => {
      const cells = [...row.cells].filter((cell) => cell.offsetWidth > 0);
      const size = parseFloat(getComputedStyle(cells[0]).fontSize);
      const ends = cells.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getBoundingClientRect();
      });
      return ends.slice(1).map(({ left }, at) => (left - ends[at].right) / size);
    })`;
    const all = (await page.evaluate(gaps)) as readonly number[];
    expect(Math.min(...all)).toBeGreaterThanOrEqual(0.95);
    expect(await page.getByRole('columnheader', { name: 'Score' }).count()).toBe(0);
  });

  it('prints a company of usual words on one line of A4', async () => {
    const industries = ['Paper and packaging', 'Logistics and road freight', 'Cement'];
    const records = industries.map((name, at) => ({
      ...{ id: 1_001 + at, name: 'Danube Chemicals Kft', hq_region: 'NL', status: 'synced' },
      ...{ score: 0.4551, industry: { name } },
      sbti: { data: [{ near_term: { target_status: 'Targets Set' } }] },
      performances: [
        {
          year: 2025,
          emissions: {
            scope_1: { total: 10_241_000_000 - at },
            scope_2: { total_market_based: 1_708_000 },
            scope_3: { total: 4_610_000 },
            total: 14_800_000_000,
          },
        },
      ],
    }));
    const { document, ...ranked } = summarize(await snapshotOf(...records), 'kg');
    const viewport = { width: Math.floor(((210 - 26) * 96) / 25.4), height: 900 };
    const made = renderPage(document, { ...ranked, from: ['a.ndjson'] });
    const { page } = await open(made, { viewport });
    await page.emulateMedia({ media: 'print' });
    const heights = (await page.evaluate(
      `[...document.querySelectorAll('#rows tbody tr')].map((row) => row.getBoundingClientRect().height)`,
    )) as number[];
    expect(heights).toHaveLength(3);
    expect(Math.max(...heights)).toBeLessThan(20);
  });

  it('shows the largest emitters without scripts, and states what is missing', async () => {
    const page = await openReport({ javaScriptEnabled: false });
    expect(await page.locator('#rows tbody tr').count()).toBe(50);
    const note = page.getByText('Without scripts this table shows its first 50 of 1,000 rows');
    expect(await note.isVisible()).toBe(true);
    expect(await page.locator('.controls').isVisible()).toBe(false);
    expect(await page.locator('#more').isVisible()).toBe(false);
    const arrow = await page.evaluate(
      `getComputedStyle(document.querySelector('#rows th:not([aria-sort]) button'), '::after').content`,
    );
    expect(arrow).toBe('none');
    await page.getByRole('link', { name: 'Organization 994' }).click();
    expect(page.url()).toMatch(/#all$/);
  });
});

type Box = Readonly<Record<'top' | 'right' | 'bottom' | 'left', number>>;

/* What the button saves, line by line. */
async function savedLines(page: Page): Promise<string[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^[a-z][\w-]*-report-companies\.csv$/);
  const text = readFileSync(await download.path(), 'utf8');
  expect(text.startsWith('\ufeff')).toBe(true);
  return text.slice(1).split('\r\n').slice(0, -1);
}
