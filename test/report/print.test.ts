import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { renderPage } from '../../src/report/page.ts';
import { browserPath, openBrowser } from '../support/browser.js';
import { snapshotOf, summarize } from './inputs.ts';

/* Each has one web address, which a PDF keeps as a link that identifies the row on paper. */
const portfolio = (organizations: number) =>
  Array.from({ length: organizations }, (_, index) => ({
    id: index + 1,
    name: `${index % 9 === 0 ? 'Rheinmühle' : index % 9 === 1 ? 'Rheinmetallverarbeitungsgesellschaft Süddeutschland' : 'Organization'} ${index + 1}`,
    hq_region: 'DE',
    status: 'synced',
    score: (index % 100) / 100,
    industry: { name: 'Freight transport and logistics' },
    sources: [{ url: `https://a.example/${index + 1}` }],
    sbti: {
      data: [
        {
          created_at: '2024-01-01',
          target_detail:
            'Rheinmetallverarbeitungsgesellschaft commits to reduce absolute scope 1 and 2 emissions 40% by 2029 from a 2022 base year.',
        },
      ],
    },
    performances: [2020, 2021, 2022, 2023, 2024, 2025].map((year) => ({
      year,
      emissions: {
        scope_1: { total: year + index },
        scope_2: { total: year },
        scope_3: { total: 2 * year },
        total: 4 * year + index,
      },
    })),
  }));

function linksOf(pdf: Buffer): Set<string> {
  const links = pdf.toString('latin1').matchAll(/\/URI \(https:\/\/a\.example\/(\d+)\)/g);
  return new Set([...links].map(([, id = '']) => id));
}

/* Returns the drawing operators of a PDF, such as `0.07 0.26 0.43 rg`. */
function drawingsOf(pdf: Buffer): string {
  const text = pdf.toString('latin1');
  return [...text.matchAll(/stream\r?\n/g)]
    .map(({ index, 0: word }) => {
      const from = index + word.length;
      const bytes = pdf.subarray(from, text.indexOf('endstream', from));
      try {
        return inflateSync(bytes).toString('latin1');
      } catch {
        return '';
      }
    })
    .join('\n');
}

/* The color of scope 1 on paper, #12436d. */
const scope1 = /(?:^|\s)0?\.070\d* 0?\.262\d* 0?\.427\d* rg/;

describe.skipIf(browserPath === undefined)(
  'the page on paper (skipped where no Chromium is installed)',
  { tags: ['long'] },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'carbon-print-'));
    let browser: Browser;

    beforeAll(async () => {
      browser = await openBrowser();
    });

    afterAll(async () => {
      await browser?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    async function open(organizations: number): Promise<Page> {
      const { summary, emitters } = summarize(await snapshotOf(...portfolio(organizations)));
      const path = join(folder, `${organizations}.html`);
      writeFileSync(
        path,
        renderPage(summary, emitters, { at: Date.UTC(2026, 10, 21), from: ['a.ndjson'] }),
      );
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      onTestFinished(() => context.close());
      // Ten thousand rows take long to lay out on a busy machine: the limit of the test applies.
      context.setDefaultTimeout(0);
      const page = await context.newPage();
      await page.goto(`file://${path}`);
      return page;
    }

    async function print(page: Page, options: Parameters<Page['pdf']>[0] = {}): Promise<Buffer> {
      return page.pdf({ format: 'A4', ...options });
    }

    it('has every organization of a portfolio of 63, and shows the first 50 again afterwards', async () => {
      const page = await open(63);
      expect(linksOf(await print(page)).size).toBe(63);
      expect(await page.locator('#rows tbody tr').count()).toBe(50);
      expect(await page.getByRole('status').textContent()).toBe('Showing 50 of 63 organizations');
    });

    it('has what a search finds', async () => {
      const page = await open(63);
      await page.getByRole('searchbox').fill('rheinmühle');
      expect(linksOf(await print(page)).size).toBe(7);
    });

    it.each([
      ['A4', false],
      ['Letter', false],
      ['A4', true],
      ['Letter', true],
    ] as const)(
      'has the chart of emissions on the first page of %s, landscape: %s',
      async (format, landscape) => {
        const pdf = await print(await open(63), { format, landscape, pageRanges: '1' });
        expect(drawingsOf(pdf)).toMatch(scope1);
      },
    );

    it('breaks no name within a word', async () => {
      const page = await open(63);
      await page.emulateMedia({ media: 'print' });
      // The width of portrait A4 between its margins.
      await page.setViewportSize({ width: 688, height: 1_000 });
      const broken =
        await page.evaluate(`[...document.querySelectorAll('tbody th[scope="row"]')].flatMap((cell) => {
        const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
        const range = document.createRange();
        return [...text.data.matchAll(/\\S+/g)].flatMap(({ index, 0: word }) => {
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          return range.getClientRects().length > 1 ? [word] : [];
        });
      })`);
      expect(broken).toEqual([]);
    });

    it.each([1280, 390])('separates all cards at a width of %d pixels', async (width) => {
      const page = await open(63);
      await page.setViewportSize({ width, height: 800 });
      const gap = await page.evaluate(`(() => {
        const bottoms = [...document.querySelectorAll('.cards > section')].map((card) => card.getBoundingClientRect().bottom);
        return document.querySelector('section.organizations').getBoundingClientRect().top - Math.max(...bottoms);
      })()`);
      expect(gap).toBeGreaterThanOrEqual(8);
    });
  },
);
