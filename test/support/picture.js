// @ts-check
/*
 * Creates docs/report.png, the picture in the README: the report of a hundred organizations of the
 * sandbox, with temporary state. `npm run picture`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser } from './browser.js';

const carbon = fileURLToPath(new URL('../../bin/carbon.cjs', import.meta.url));

const names =
  'Nordwind Rheinmühle Alpina Halcyon Sakura Ångström Baltic Meridian Juniper Kestrel'.split(' ');
const trades = 'Papier Logistics Foods Cement Energy Textiles Pharma Steel Software Airways'.split(
  ' ',
);
const countries = ['DE', 'FR', 'GB', 'US', 'NL', 'JP', 'SE', 'IT', 'CH', 'BR', 'IN'];
const rows = names.flatMap((name, index) =>
  trades.map((trade, of) => `${name} ${trade},${countries[(index * 7 + of) % countries.length]}`),
);

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'carbon-picture-'));

/** @param {string[]} words */
function run(...words) {
  const env = { ...process.env, CARBON_DATA_DIR: folder, CARBON_CONFIG_DIR: folder };
  const { status, stderr } = spawnSync(process.execPath, [carbon, ...words], {
    env,
    cwd: folder,
    encoding: 'utf8',
  });
  // Exit code 7: the research on some organizations failed, which the report shows.
  if (status !== 0 && status !== 7) throw new Error(stderr);
}

try {
  const list = join(folder, 'portfolio.csv');
  const report = join(folder, 'report.html');
  writeFileSync(list, ['name,hq_region', ...rows, ''].join('\n'));
  // The page names the list as a user in its folder does.
  run('sync', 'portfolio.csv', '--sandbox');
  run('report', 'portfolio.csv', '--out', report);
  const browser = await openBrowser();
  const page = await browser.newPage({
    viewport: { width: 1280, height: 960 },
    colorScheme: 'light',
  });
  await page.goto(`file://${report}`);
  await page.screenshot({ path: join(docs, 'report.png') });
  await browser.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
