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
