import { describe, expect, it } from 'vitest';
import { renderFootprintPage } from '../../../src/footprint/views/page.ts';
import { browserPath } from '../../support/browser.js';
import { pagesInBrowser, rowNames } from '../../support/open-page.ts';
import { hostile } from './fixture.ts';

describe.skipIf(browserPath === undefined)(
  'the page of a footprint in a browser (skipped where no Chromium is installed)',
  { tags: ['long'] },
  () => {
    const open = pagesInBrowser();

    it('runs nothing from a name and reports no error', async () => {
      const html = renderFootprintPage(hostile.summary, hostile.items);
      const { page, seen, address } = await open(html);
      await page.getByRole('searchbox').fill('script');
      expect(await rowNames(page)).toHaveLength(2);
      expect(seen).toEqual([address]);
    });
  },
);
