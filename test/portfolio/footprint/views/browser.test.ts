import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { bridge } from '../../../../src/portfolio/footprint/bridge.ts';
import { engage } from '../../../../src/portfolio/footprint/goal.ts';
import { parseGoal } from '../../../../src/portfolio/footprint/goal-share.ts';
import { renderBridgePage } from '../../../../src/portfolio/footprint/views/bridge-page.ts';
import { renderGoalPage } from '../../../../src/portfolio/footprint/views/goal-page.ts';
import { renderFootprintPage } from '../../../../src/portfolio/footprint/views/page.ts';
import {
  brokenWords,
  clippedTexts,
  pagesInBrowser,
  rowNames,
  widths,
  worstContrast,
} from '../../../support/open-page.ts';
import { describeNeeds } from '../../../support/programs.ts';
import { footprintOf } from '../planned.ts';
import { footprint, own, record } from '../portfolio.ts';
import { unusual, usual } from './fixture.ts';

type Box = Record<'top' | 'bottom' | 'left' | 'right', number>;

const today = '2026-11-27';
const { summary, items, entries, disputed } = usual;
const goal = {
  engagement: engage(entries, parseGoal('95% by 2028'), { today, disputed }),
  since: undefined,
  today,
  year: 2024,
};
/* The first supplier with a tenth of its spend, all others without any. */
const [first] = items;
const before = items.map((item) => {
  const part = item === first ? 0.1 : 0;
  return {
    ...item,
    group: null,
    spend: item.spend * part,
    emissions: (item.emissions ?? 0) * part,
  };
});
const step = bridge(
  'years',
  before,
  items.map((item) => ({ ...item, group: null })),
);
const comparison = {
  ...{ steps: [step], before: 2023, after: 2024, since: null, isSaved: false, notes: [] },
};
const pages = [
  ['footprint', renderFootprintPage(summary, items)],
  ['footprint of years', renderFootprintPage(unusual.summary, unusual.items)],
  ['goal', renderGoalPage(summary, goal)],
  ['bridge', renderBridgePage(comparison, summary)],
] as const;

describeNeeds('Chromium', 'pages of a footprint in a browser', () => {
  const open = pagesInBrowser();

  it.each(pages)('fit every width and can be read, light and dark: %s', async (_, html) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, seen, address } = await open(html, { colorScheme });
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(await page.evaluate(clippedTexts), `at ${width}`).toEqual([]);
      }
      const [contrast, where] = (await page.evaluate(worstContrast)) as [number, string];
      expect({ where, contrast }).toEqual({
        where,
        contrast: expect.toSatisfy((value: number) => value >= 4.5),
      });
      expect(seen).toEqual([address]);
    }
  });

  it('shows the columns of a wide table on both sides of the text, and scrolls only if it must', async () => {
    for (const [name, html] of pages) {
      const { page } = await open(html, { viewport: { width: 1_280, height: 900 } });
      const [left, right, least, width, box] = (await page.evaluate(`(() => {
        const [box, table] = ['.all', '#rows'].map((part) => document.querySelector(part));
        const { left, right } = box.getBoundingClientRect();
        const { width } = table.getBoundingClientRect();
        table.style.width = 'min-content';
        return [left, right, table.getBoundingClientRect().width, width, box.clientWidth];
      })()`)) as [number, number, number, number, number];
      expect(left, name).toBe(1_280 - right);
      expect(width, name).toBeCloseTo(Math.max(Math.min(box, width), least), 0);
      expect(box, name).toBeGreaterThan(1_200);
    }
    for (const [name, html] of pages) {
      const { page } = await open(html, { viewport: { width: 1_280, height: 900 } });
      const hidden = `document.querySelector('.all').scrollWidth - document.querySelector('.all').clientWidth`;
      expect(await page.evaluate(hidden), name).toBe(0);
    }
  });

  it('shows details on request, and always without scripts and in the saved file', async () => {
    const shown = `[...document.querySelectorAll('#rows tr')].map((row) =>
      [...row.cells].filter((cell) => cell.checkVisibility()).length)`;
    const sizes = async (page: Page) => new Set((await page.evaluate(shown)) as number[]);
    const { page } = await open(pages[0][1]);
    const all = await page.locator('#rows thead th').count();
    const [few = 0] = await sizes(page);
    expect(few).toBeLessThan(all);
    const button = page.getByRole('button', { name: `All ${all} columns` });
    await button.click();
    expect(await sizes(page)).toEqual(new Set([all]));
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    await page.emulateMedia({ media: 'print' });
    const heads = page.locator('#rows thead th');
    const titles = await heads.allTextContents();
    const printed = await heads.filter({ visible: true }).allTextContents();
    const unprinted = titles.filter((title) => !printed.includes(title));
    expect(unprinted).toEqual(['Industry', 'Why an average', ...titles.slice(few)]);
    const note = page.getByText('Not on paper, but in the page and its CSV');
    expect(await note.isVisible()).toBe(true);
    expect(await note.textContent()).toContain(unprinted.join(', '));
    await page.emulateMedia({ media: 'screen' });
    await button.click();
    expect(await sizes(page)).toEqual(new Set([few]));
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const file = readFileSync(await (await saved).path(), 'utf8');
    expect(file.split('\r\n')[0]?.split(',')).toHaveLength(all + 1);
    const { page: plain } = await open(pages[0][1], { javaScriptEnabled: false });
    const cells = plain.locator('#rows thead th');
    expect(await cells.filter({ visible: true }).count()).toBe(all);
  });

  it('prints all pages in portrait, with rows of at least 7 points', async () => {
    for (const [name, html] of pages) {
      const { page } = await open(html);
      await page.emulateMedia({ media: 'print' });
      const [names, size] = (await page.evaluate(
        `[[...document.querySelectorAll('body *')].map((part) => getComputedStyle(part).page), getComputedStyle(document.querySelector('#rows td')).fontSize]`,
      )) as [string[], string];
      expect(new Set(names).size, name).toBe(1);
      expect(Number.parseFloat(size), name).toBeCloseTo((7 * 96) / 72);
      const file = (await page.pdf({ format: 'letter' })).toString('latin1');
      expect(new Set(file.match(/\/MediaBox \[[^\]]*\]/g)), name).toEqual(
        new Set(['/MediaBox [0 0 612 792]']),
      );
    }
  });

  it('has its charts below both columns of text, except for one that fits below the steps', async () => {
    for (const [name, html] of pages) {
      const { page } = await open(html);
      const [answers, charts, main] = (await page.evaluate(
        `['.answers', '.charts', '.figures'].map((part) => document.querySelector(part).getBoundingClientRect().toJSON())`,
      )) as [Box, Box, Box];
      expect(charts.top, name).toBeGreaterThanOrEqual(answers.bottom);
      expect([charts.left, charts.right], name).toEqual([main.left, main.right]);
    }
  });

  it('find a text of which a part is missing', async () => {
    const { page } = await open(pages[0][1], { viewport: { width: 390, height: 900 } });
    const style = '.stack .small { display: block } .figures { width: 600px }';
    await page.evaluate(
      `document.adoptedStyleSheets = [new CSSStyleSheet()]; document.adoptedStyleSheets[0].replaceSync('${style}')`,
    );
    expect(await page.evaluate(clippedTexts)).not.toEqual([]);
  });

  it.each(pages)('show title, figures and what to do in the first screen: %s', async (_, html) => {
    const { page } = await open(html, { viewport: { width: 1280, height: 800 } });
    // A chart below the steps, such as that of totals, is in view as well.
    const bottoms = (await page.evaluate(
      `['h1', '.figures', '.first dt', '.aside svg'].flatMap((part) => document.querySelector(part)?.getBoundingClientRect().bottom ?? [])`,
    )) as number[];
    expect(bottoms.length).toBeGreaterThan(2);
    expect(Math.max(...bottoms)).toBeLessThan(800);
  });

  const withBars = pages.filter(([name]) => name !== 'footprint of years');
  it.each(withBars)(
    'print every bar, and begin the table on the second page: %s',
    async (_, html) => {
      const { page } = await open(html, { viewport: { width: 695, height: 900 } });
      const bars = page.locator('main > :not(.table) rect').filter({ visible: true });
      const number = await bars.count();
      expect(number).toBeGreaterThan(0);
      await page.emulateMedia({ media: 'print' });
      expect(await bars.count()).toBe(number);
      const table = await page.locator('section.table').boundingBox();
      // Twice the height of a letter, without its margins.
      expect(table?.y).toBeLessThan((2 * (279.4 - 21) * 96) / 25.4);
      // A page that the summary needs as well has room for the first rows.
      const breaks = await page.evaluate(
        `getComputedStyle(document.querySelector('section.table')).breakBefore`,
      );
      expect(breaks).toBe('auto');
    },
  );

  it.each([5, 9, 14])('prints categories that add up to the total, of %i', async (number) => {
    const purchases = Array.from({ length: number }, (_, at) => {
      return { name: 'Record 1', spend: String(10 * (at + 1)), category: `Category ${at}` };
    });
    const made = footprint(
      [...purchases, { name: 'Record 1' }],
      [record(1, [own(2024, [1, 2, 3])])],
    );
    const { page } = await open(renderFootprintPage(made.summary, made.items));
    const sizes = page
      .locator('section[aria-labelledby="categories"]')
      .locator('li')
      .filter({ visible: true });
    const sum = async () => {
      const texts = await sizes.locator('title').allTextContents();
      return texts.reduce((all, text) => all + Number.parseFloat(text), 0);
    };
    expect(await sum()).toBeCloseTo(made.summary.emissions ?? 0);
    await page.emulateMedia({ media: 'print' });
    expect(await sum()).toBeCloseTo(made.summary.emissions ?? 0);
    expect(await sizes.count()).toBe(Math.min(6, number + 1));
  });

  it('says on paper how many rows of a list it leaves out', async () => {
    const asked = Array.from({ length: 12 }, () => ({ spend: 10, factor: 1, status: 'none' }));
    const made = footprintOf(asked);
    const engagement = engage(made.entries, parseGoal('100%'), { today });
    const { page } = await open(renderGoalPage(made.summary, { ...goal, engagement }));
    const list = page.getByRole('region', { name: 'Ask these 12 next' });
    // Each says what to ask it.
    expect(await list.getByText(/ask for a near-term target/).count()).toBe(12);
    const rest = list.getByText('4 more rows of this list are in the table');
    expect(await list.locator('.ranked li').filter({ visible: true }).count()).toBe(12);
    expect(await rest.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await list.locator('.ranked li').filter({ visible: true }).count()).toBe(8);
    expect(await rest.isVisible()).toBe(true);
  });

  it.each(pages)('keep headings, with the arrow of the sorted one, apart: %s', async (_, html) => {
    for (const hasTouch of [false, true]) {
      const { page } = await open(html, { hasTouch });
      await page.locator('#rows thead button').nth(1).click();
      // An arrow outside the flow would lie on the next heading.
      const arrows = (await page.evaluate(`[...document.querySelectorAll('#rows thead th')]
        .map((th) => [th, getComputedStyle(th.querySelector('button'), '::after')])
        .filter(([, { content }]) => content !== 'none')
        .map(([th, { position }]) => [th.cellIndex, position])`)) as [number, string][];
      expect(arrows).toEqual([[1, 'static']]);
      const gaps = (await page.evaluate(`(() => {
        const boxes = [...document.querySelectorAll('#rows thead button')]
          .filter((button) => button.checkVisibility())
          .map((button) => button.getBoundingClientRect());
        return boxes.slice(1).map(({ left }, at) => left - boxes[at].right);
      })()`)) as number[];
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(5);
    }
  });

  it.each(pages)('have the numbers of figures in one line: %s', async (_, html) => {
    const { page } = await open(html);
    const bottoms = (await page.evaluate(`(() => {
      const [first, ...more] = document.querySelectorAll('.figures dt');
      first.textContent = first.textContent.repeat(3);
      return [first, ...more].map((name) => {
        const [, mark] = [name.nextElementSibling.prepend(document.createElement('img')),
          name.nextElementSibling.firstChild];
        return Math.round(mark.getBoundingClientRect().bottom);
      });
    })()`)) as number[];
    expect(new Set(bottoms).size).toBe(1);
  });

  it('has four figures in one line or in two, and the bars of changes in view', async () => {
    const [, , [, goalPage], [, bridgePage]] = pages;
    const four = await open(goalPage);
    for (const [width, columns] of [
      [375, 2],
      [700, 2],
      [1_280, 4],
    ] as const) {
      await four.page.setViewportSize({ width, height: 900 });
      const lefts = (await four.page.evaluate(
        `(() => { const list = document.querySelector('.figures');
          while (list.children.length < 4) list.append(list.children[0].cloneNode(true));
          return [...list.children].slice(0, 4).map((each) => each.getBoundingClientRect().left); })()`,
      )) as number[];
      expect(new Set(lefts).size, `${width}`).toBe(columns);
    }
    const { page } = await open(bridgePage);
    for (const width of [375, 500]) {
      await page.setViewportSize({ width, height: 900 });
      const bar = await page.locator('.waterfall svg.change').first().boundingBox();
      expect(bar && bar.x + bar.width, `${width}`).toBeLessThanOrEqual(width);
      expect(bar?.width).toBeGreaterThan(40);
    }
  });

  it('shows what to do first without scrolling on a laptop', async () => {
    for (const [name, html] of pages) {
      const { page } = await open(html);
      await page.setViewportSize({ width: 1_280, height: 800 });
      const box = await page.locator('.first dd').boundingBox();
      expect(box?.y, name).toBeLessThan(700);
      await page.close();
    }
  });

  it('prints every question with its answers', async () => {
    const before = items.map((item) => ({ ...item, group: null }));
    const after = before.map((item) => ({
      ...item,
      spend: 2 * item.spend,
      emissions: item.emissions === null ? null : 2 * item.emissions,
    }));
    const years = { ...comparison, steps: [bridge('years', before, after)] };
    const { page } = await open(renderBridgePage(years, summary));
    await page.emulateMedia({ media: 'print' });
    const shown: [string, boolean][] = await page.evaluate(
      `[...document.querySelectorAll('.answers :is(dt, dd)')].map((each) => [each.className, each.getClientRects().length > 0])`,
    );
    expect(shown.map(([question]) => question)).toEqual(
      ['way', 'why', 'who', 'sure', 'when', 'steps'].flatMap((each) => [each, each]),
    );
    expect(shown.filter(([, isShown]) => !isShown)).toEqual([]);
    await page.close();
  });

  it('prints every column of the table on paper, and no broken word', async () => {
    const [[, footprintPage], , [, goalPage], [, bridgePage]] = pages;
    // The width of A4, which is less than that of letter, without its margins.
    const width = Math.floor(((210 - 24) * 96) / 25.4);
    for (const html of [footprintPage, goalPage, bridgePage]) {
      const { page } = await open(html, { viewport: { width, height: 700 } });
      await page.emulateMedia({ media: 'print' });
      const right = await page.evaluate(
        `Math.max(...[...document.querySelectorAll('#rows th, #rows td')].map((each) => each.getBoundingClientRect().right))`,
      );
      expect(right).toBeLessThanOrEqual(width + 1);
      expect(await page.evaluate(brokenWords('#rows tbody > tr > *'))).toEqual([]);
    }
  });

  it.each([pages[0], pages[2]])('finds the suppliers of a part of a bar: %s', async (_, html) => {
    const { page } = await open(html);
    await page.getByRole('img', { name: /^target validated: / }).click();
    const found = goal.engagement.suppliers.filter(({ status }) => status === 'set');
    expect(found.length).toBeGreaterThan(0);
    expect((await rowNames(page)).toSorted()).toEqual(
      found.map(({ supplier }) => supplier.name ?? '').toSorted(),
    );
  });
});
