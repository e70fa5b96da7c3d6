// @ts-check
/* The report of a hundred organizations of the sandbox, which docs/report.png shows. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/**
 * Creates the page in an empty directory and returns its path.
 *
 * @param {string} folder
 * @param {Record<string, string>} [more] further environment variables
 */
export function createReport(folder, more) {
  const env = { ...process.env, CARBON_DATA_DIR: folder, CARBON_CONFIG_DIR: folder, ...more };
  const file = (/** @type {string} */ name) => join(folder, name);
  const run = (/** @type {string[]} */ words) => {
    const argv = [carbon, ...words, '--no-progress'];
    const { status, stderr } = spawnSync(process.execPath, argv, { env, encoding: 'utf8' });
    // Exit code 7: the research on some organizations failed, which the report shows.
    if (status !== 0 && status !== 7) throw new Error(stderr);
  };
  writeFileSync(file('portfolio.csv'), ['name,hq_region', ...rows, ''].join('\n'));
  run(['sync', file('portfolio.csv'), '--sandbox']);
  run(['report', file('portfolio.csv'), '--out', file('report.html')]);
  return file('report.html');
}

/**
 * Returns a text of the page with `#` for each number and date, which change with the day.
 *
 * @param {string} text
 */
export function withoutNumbers(text) {
  return text
    .replace(/\d+ (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d+/g, '#')
    .replace(/\d[\d.,]*[BMK]?/g, '#')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Returns the texts of a page between its tags.
 *
 * @param {string} page path of the HTML file
 */
export function textsOf(page) {
  const entities = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  const html = readFileSync(page, 'utf8').replace(/<(script|style)\b.*?<\/\1>/gs, '');
  return html
    .split(/<[^>]*>/)
    .map((text) =>
      text.replace(/&(#?\w+);/g, (all, name) => entities[/** @type {'amp'} */ (name)] ?? all),
    )
    .map(withoutNumbers)
    .filter((text) => text !== '');
}
