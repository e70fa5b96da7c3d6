import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { renderFootprintPage } from '../../../src/footprint/views/page.ts';
import { browserPath, openBrowser } from '../../support/browser.js';
import { hostile, manySuppliers, usual } from './fixture.ts';

describe.skipIf(browserPath === undefined)(
  'the page of a footprint in a browser (skipped where no Chromium is installed)',
  { tags: ['long'] },
  () => {
    const directory = mkdtempSync(join(tmpdir(), 'carbon-footprint-'));
    const many = manySuppliers(60);
    const pages = {
      usual: renderFootprintPage(usual.summary, [...usual.items, ...many.items]),
      hostile: renderFootprintPage(hostile.summary, hostile.items),
    };
    let browser: Browser;

    beforeAll(async () => {
      browser = await openBrowser();
    });

    afterAll(async () => {
      await browser?.close();
      rmSync(directory, { recursive: true, force: true });
    });

    async function open(
      name: string,
      options: BrowserContextOptions = {},
      html = name === 'hostile' ? pages.hostile : pages.usual,
    ): Promise<{ page: Page; seen: string[] }> {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 900 },
        ...options,
      });
      onTestFinished(() => context.close());
      context.setDefaultTimeout(0);
      const page = await context.newPage();
      const seen: string[] = [];
      page.on('console', (message) => seen.push(message.text()));
      page.on('pageerror', (error) => seen.push(error.message));
      page.on('dialog', (dialog) => seen.push(dialog.message()));
      const path = join(directory, `${name}.html`);
      writeFileSync(path, html);
      await page.goto(`file://${path}`);
      return { page, seen };
    }

    const names = (page: Page) => page.locator('#rows tbody tr th').allTextContents();

    it('runs nothing from a name and reports no error', async () => {
      const { page, seen } = await open('hostile');
      await page.getByRole('searchbox').fill('script');
      expect(await names(page)).toHaveLength(2);
      expect(seen).toEqual([]);
    });

    it('prints the figures behind the factors on paper in landscape format only', async () => {
      const { page } = await open('usual');
      const header = page.getByRole('columnheader', { name: 'Revenue' });
      await page.emulateMedia({ media: 'print' });
      expect(await header.isVisible()).toBe(true);
      await page.setViewportSize({ width: 700, height: 1000 });
      expect(await header.isVisible()).toBe(false);
      expect(await page.getByText('print in landscape format').isVisible()).toBe(true);
    });
  },
);
