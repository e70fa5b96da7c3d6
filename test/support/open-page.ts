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
