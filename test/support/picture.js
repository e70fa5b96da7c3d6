// @ts-check
/*
 * Creates docs/report.png, the picture of the HTML page in the README, with the sandbox:
 * `npm run picture`.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser } from './browser.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'carbon-picture-'));
const env = { ...process.env, CARBON_DATA_DIR: folder, CARBON_CONFIG_DIR: folder };

/**
 * @param {string[]} words
 * @param {string} [input]
 */
function carbon(words, input) {
  const options = { env, input, encoding: /** @type {const} */ ('utf8'), maxBuffer: 1 << 30 };
  const argv = [join(root, 'bin/carbon.cjs'), ...words, '--no-progress'];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, options);
  // Exit code 7: some research ended with the status errored, which the report shows.
  if (status !== 0 && status !== 7) throw new Error(stderr);
  return stdout;
}

const names = [
  'Nordwind',
  'Rheinmühle',
  'Alpina',
  'Halcyon',
  'Sakura',
  'Ångström',
  'Baltic',
  'Meridian',
  'Juniper',
  'Kestrel',
];
const trades = [
  'Papier',
  'Logistics',
  'Foods',
  'Cement',
  'Energy',
  'Textiles',
  'Pharma',
  'Steel',
  'Software',
  'Airways',
];
const countries = ['DE', 'FR', 'GB', 'US', 'NL', 'JP', 'SE', 'IT', 'CH', 'BR', 'IN'];
const rows = names.flatMap((name, index) =>
  trades.map((trade, of) => `${name} ${trade},${countries[(index * 7 + of) % countries.length]}`),
);

try {
  const file = (/** @type {string} */ name) => join(folder, name);
  writeFileSync(file('portfolio.csv'), ['name,hq_region', ...rows, ''].join('\n'));
  const ids = carbon(['batch', file('portfolio.csv'), '-q', '--sandbox']);
  writeFileSync(
    file('portfolio.ndjson'),
    carbon(['watch', '-', '--json', '--interval', '1s', '--sandbox'], ids),
  );
  carbon(['report', file('portfolio.ndjson'), '--out', file('report.html')]);
  const browser = await openBrowser();
  const page = await browser.newPage({
    viewport: { width: 1080, height: 860 },
    colorScheme: 'light',
  });
  await page.goto(`file://${file('report.html')}`);
  mkdirSync(join(root, 'docs'), { recursive: true });
  await page.screenshot({ path: join(root, 'docs/report.png') });
  await browser.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
