// @ts-check
/*
 * Creates docs/report.png, the picture of a report in the README, with the sandbox, and
 * docs/report.txt, the texts that are visible in it: `npm run picture`. test/e2e/readme.test.ts
 * fails when a page no longer has one of these texts.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser } from './browser.js';
import { createReport, withoutNumbers } from './portfolio-report.js';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'carbon-picture-'));

/* Code for the browser: the texts in the visible part of the page. */
const visibleTexts = `(() => {
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const visible = [];
  while (nodes.nextNode()) {
    const range = document.createRange();
    range.selectNodeContents(nodes.currentNode);
    const { width, top, bottom } = range.getBoundingClientRect();
    if (width > 1 && top >= 0 && bottom <= innerHeight) visible.push(nodes.currentNode.textContent);
  }
  return visible;
})()`;

try {
  const report = createReport(folder);
  const browser = await openBrowser();
  const page = await browser.newPage({
    viewport: { width: 1080, height: 860 },
    colorScheme: 'light',
  });
  await page.goto(`file://${report}`);
  await page.screenshot({ path: join(docs, 'report.png') });
  const texts = /** @type {string[]} */ (await page.evaluate(visibleTexts)).map(withoutNumbers);
  const words = new Set(texts.filter((text) => /\p{L}/u.test(text)));
  writeFileSync(join(docs, 'report.txt'), [...words, ''].join('\n'));
  await browser.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
