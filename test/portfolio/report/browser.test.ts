import type { BrowserContextOptions, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { renderPage } from '../../../src/portfolio/report/page.ts';
import { errored, full, researching, sparse } from '../../cli/output/records.ts';
import { pagesInBrowser, rowNames } from '../../support/open-page.ts';
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

/* Measures the contrast of each text with its background, as WCAG 2 defines contrast. */
const worstContrast = `(() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, index) => sum + v * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (element) => {
    for (let node = element; node; node = node.parentElement) {
      const color = parse(getComputedStyle(node).backgroundColor);
      if (color.length < 4 || color[3] === 1) return color;
    }
    return [255, 255, 255];
  };
  const found = [...document.querySelectorAll('body *')].filter((node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()))
    .filter((node) => !node.closest('script, noscript') && node.getClientRects().length > 0)
    .map((node) => {
      const style = getComputedStyle(node);
      const [a, b] = [light(parse(node.closest('svg') ? style.fill : style.color)), light(behind(node))].sort((x, y) => y - x);
      return [(a + 0.05) / (b + 0.05), node.outerHTML.slice(0, 80)];
    });
  return found.sort(([a], [b]) => a - b)[0];
})()`;

/* Words of names that a narrow column breaks. */
const brokenWords = `[...document.querySelectorAll('tbody th[scope="row"]')].flatMap((cell) => {
  const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
  const range = document.createRange();
  return [...text.data.matchAll(/\\S+/g)].flatMap(({ index, 0: word }) => {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return word.length < 30 && range.getClientRects().length > 1 ? [word] : [];
  });
})`;

describeNeeds('Chromium', 'the page in a browser', () => {
  const open = pagesInBrowser();
  let html = '';
  const openReport = async (options?: BrowserContextOptions) => (await open(html, options)).page;

  beforeAll(async () => {
    const records = [full, sparse, researching, errored, hostile, ...many];
    const { document, ...ranked } = summarize(await snapshotOf(...records));
    html = renderPage(document, { ...ranked, from: [evil] });
  });

  const cells = (page: Page, column: number) =>
    page.locator(`#rows tbody tr td:nth-child(${column})`).allTextContents();

  it('sends no request, follows its own policy, and runs nothing from a record', async () => {
    const { page, seen, address } = await open(html);
    await page.getByRole('searchbox').fill('pwned');
    expect(await rowNames(page)).toEqual([evil]);
    await page.locator('#rows tbody tr').hover();
    const links = page.locator('a[href]');
    const targets = await links.evaluateAll((all) => all.map((node) => node.getAttribute('href')));
    expect([...new Set(targets)]).toEqual(['#all']);
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(seen).toEqual([address]);
  });

  it.skip('sorts by a column with the keyboard, missing values last (describes the former page)', async () => {
    const page = await openReport();
    expect((await rowNames(page))[0]).toBe(full.name);
    await page.getByRole('button', { name: 'Score' }).focus();
    await page.keyboard.press('Enter');
    const header = page.getByRole('columnheader', { name: 'Score' });
    expect(await header.getAttribute('aria-sort')).toBe('descending');
    expect((await cells(page, 7)).slice(0, 3)).toEqual(['99.0', '99.0', '99.0']);
    await page.keyboard.press('Enter');
    expect(await header.getAttribute('aria-sort')).toBe('ascending');
    expect((await cells(page, 7))[0]).toBe('0.0');
    expect(await page.locator('[aria-sort]').count()).toBe(1);
    await page.getByRole('button', { name: 'Organization', exact: true }).click();
    expect((await rowNames(page))[0]).toBe(evil);
    await page.getByRole('button', { name: 'Show all' }).click();
    const scores = await cells(page, 7);
    expect(scores).toHaveLength(1_000);
  });

  it.skip('searches words of any column without accents, and shows the number of matches (describes the former page)', async () => {
    const page = await openReport();
    await page.getByRole('searchbox').fill('GERMANY rheinmuhle');
    expect((await rowNames(page)).every((name) => name.startsWith('Rheinmühle'))).toBe(true);
    expect(await page.getByRole('status').textContent()).toBe('Showing 50 of 100 matches');
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await page.getByRole('status').textContent()).toBe('Showing 100 of 100 matches');
    expect(await page.getByRole('button', { name: 'Show all' }).isVisible()).toBe(false);
    await page.getByRole('searchbox').fill('no such organization');
    expect(await rowNames(page)).toEqual([]);
    expect(await page.getByRole('status').textContent()).toBe('No matches');
    await page.getByRole('searchbox').fill('');
    expect(await page.getByRole('status').textContent()).toBe('Showing 50 of 1,000 organizations');
  });

  it.skip.each([1024, 1440])(
    'keeps tables and texts in their cards at %d pixels (describes the former page)',
    async (width) => {
      const page = await openReport({ viewport: { width, height: 900 } });
      await page.getByRole('searchbox').fill('organization 77');
      const outside =
        await page.evaluate(`[...document.querySelectorAll('.cards > section')].flatMap((card) => {
        const { right } = card.getBoundingClientRect();
        return [...card.querySelectorAll('*')].filter((node) => !node.closest('.scroll, .unseen, svg') && node.getBoundingClientRect().right > right)
          .map((node) => node.outerHTML.slice(0, 80));
      })`);
      expect(outside).toEqual([]);
      const evidence = page.locator('[aria-labelledby="checks"] tbody th').first();
      expect(await evidence.evaluate((node) => node.getBoundingClientRect().width)).toBeGreaterThan(
        300,
      );
    },
  );

  it.skip.each([
    [320, 'light'],
    [1280, 'dark'],
  ] as const)(
    'fits %d pixels and can be read, %s (describes the former page)',
    async (width, colorScheme) => {
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
    },
  );

  it.skip('shows exact values by pointer and in a table (describes the former page)', async () => {
    const page = await openReport();
    const mark = page.getByRole('img', { name: '2023 Scope 2: 8,310 (1 organization)' });
    expect(await mark.locator('title').textContent()).toBe('2023 Scope 2: 8,310 (1 organization)');
    await page.locator('figure summary').click();
    expect(await page.getByRole('rowheader', { name: '2024 partial' }).count()).toBe(1);
    expect(await page.getByRole('rowheader', { name: '2023 partial' }).count()).toBe(1);
  });

  it.skip('prints on white, without controls, every value and every row that the search finds (describes the former page)', async () => {
    const page = await openReport({ colorScheme: 'dark' });
    await page.getByRole('searchbox').fill('rheinmühle');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
      'rgb(255, 255, 255)',
    );
    expect(await page.getByRole('searchbox').isVisible()).toBe(false);
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    expect(await page.locator('#rows tbody tr').count()).toBe(100);
    expect(await page.getByRole('rowheader', { name: '2024 partial' }).isVisible()).toBe(true);
    expect(await page.evaluate(brokenWords)).toEqual([]);
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
    expect(await page.locator('#rows tbody tr').count()).toBe(50);
  });

  it.skip('shows the largest emitters without scripts, and states what is missing (describes the former page)', async () => {
    const page = await openReport({ javaScriptEnabled: false });
    expect(await page.locator('#rows tbody tr').count()).toBe(50);
    const note = page.getByText('Without scripts this table shows its first 50 of 1,000 rows');
    expect(await note.isVisible()).toBe(true);
    expect(await page.locator('.controls, .more').first().isVisible()).toBe(false);
  });
});
