import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { openBrowser } from './browser.js';

/** A page of the browser, and its requests, console messages and errors. */
interface OpenedPage {
  readonly page: Page;
  readonly seen: string[];
  readonly address: string;
}

/** Starts a browser for the tests of a file; the function opens a page with this HTML in it. */
export function pagesInBrowser(): (
  html: string,
  options?: BrowserContextOptions,
) => Promise<OpenedPage> {
  let folder: string;
  let browser: Browser;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'carbon-page-'));
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return async (html, options = {}) => {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    onTestFinished(() => context.close());
    // Rows take long to lay out on a busy machine: the limit of the test applies.
    context.setDefaultTimeout(0);
    const page = await context.newPage();
    const seen: string[] = [];
    page.on('request', (request) => seen.push(request.url()));
    page.on('console', (message) => seen.push(message.text()));
    page.on('pageerror', (error) => seen.push(error.message));
    page.on('dialog', (dialog) => seen.push(dialog.message()));
    const path = join(folder, 'page.html');
    writeFileSync(path, html);
    await page.goto(`file://${path}`);
    return { page, seen, address: `file://${path}` };
  };
}

/** Texts of the table of all rows of a page. */
export const rowNames = (page: Page): Promise<string[]> =>
  page.locator('#rows tbody tr th').allTextContents();

/** Widths of phones, tablets and screens, in pixels. */
export const widths = [320, 375, 390, 414, 768, 1024, 1280, 1920];

/**
 * A script that returns the texts of which a reader sees only a part: beyond the page, their cell,
 * chart or bar, and tables of the summary that scroll, which they may only below 375 pixels.
 */
export const clippedTexts = `(() => {
  const isShown = (node) => node.checkVisibility() && node.getBoundingClientRect().width > 0;
  const all = (selector) => [...document.querySelectorAll(selector)].filter(isShown);
  const boxOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const isIn = (box, outer) => box.left >= outer.left - 0.5 && box.right <= outer.right + 0.5;
  const page = { left: 0, right: document.documentElement.clientWidth };
  const outside = all('body *:not(.skip)').filter((node) => {
    const hasText = [...node.childNodes].some((each) => each.nodeType === 3 && each.data.trim());
    return hasText && !node.closest('.all') && !isIn(boxOf(node), page);
  });
  const cells = all('.values :is(th, td), .waterfall :is(th, td)')
    .filter((cell) => cell.textContent.trim() && !cell.querySelector('svg'));
  const labels = all('.stack g text');
  return [
    ...outside,
    ...all('body *').filter((node) => {
      const isHidden = ['hidden', 'clip'].includes(getComputedStyle(node).overflowX);
      return isHidden && node.scrollWidth > node.clientWidth + 1;
    }),
    ...all('.scroll:not(.all)').filter((node) => {
      return innerWidth >= 375 && node.scrollWidth > node.clientWidth;
    }),
    ...cells.filter((cell) => !isIn(boxOf(cell), cell.getBoundingClientRect())),
    ...all('svg text').filter((text) => {
      return !isIn(text.getBoundingClientRect(), text.closest('svg').getBoundingClientRect());
    }),
    ...labels.filter((text) => {
      const bar = text.parentElement.querySelector('rect').getBoundingClientRect();
      return !isIn(text.getBoundingClientRect(), bar);
    }),
  ].map((node) => node.textContent.trim().slice(0, 60));
})()`;

/**
 * A script that measures the contrast of each text with its background, as WCAG 2 defines contrast,
 * and returns the least one and its element.
 */
export const worstContrast = `(() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((v) => v / 255).map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, index) => sum + v * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (element) => {
    const bar = element.closest('.stack g')?.querySelector('rect');
    if (bar) return parse(getComputedStyle(bar).fill);
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

/**
 * A script that finds the words that a narrow column breaks; only long ones may break, and names
 * without spaces between words, such as Japanese ones.
 */
export const brokenWords = (
  cells: string,
) => `[...document.querySelectorAll('${cells}')].flatMap((cell) => {
  const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
  const range = document.createRange();
  return [...text.data.matchAll(/\\d{4}-\\d\\d-\\d\\d|[^\\s-]+/g)].flatMap(({ index, 0: word }) => {
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return word.length < 30 && !/\\p{Script=Han}/u.test(word) && range.getClientRects().length > 1 ? [word] : [];
  });
})`;
