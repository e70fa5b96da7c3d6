/* A page with --unit has the unit behind each amount, or in the heading of its column. */
import { expect, it } from 'vitest';
import { bridge } from '../../../../src/portfolio/footprint/bridge.ts';
import { renderBridgePage } from '../../../../src/portfolio/footprint/views/bridge-page.ts';
import { renderFootprintPage } from '../../../../src/portfolio/footprint/views/page.ts';
import { withoutOptions } from '../../../support/markup.ts';
import { usual } from './fixture.ts';

const { summary, items } = usual;
const bought = items.map((item) => ({ ...item, group: null }));
const comparison = {
  steps: [bridge('years', bought.slice(0, 2), bought)],
  before: 2023,
  after: 2024,
  since: null,
  isSaved: false,
  notes: [],
};

const barTexts = (page: string) => [
  ...[...page.matchAll(/<ol class="ranked[\s\S]*?<\/ol>/g)].flatMap(([list]) =>
    [...list.matchAll(/<text[^>]*>([^<]+)<\/text>/g)].map(([, text]) => text),
  ),
];
const headsOf = (page: string) =>
  [...page.matchAll(/<th scope="col"[^>]*><button type="button">([^<]+)</g)].map(
    ([, text]) => text ?? '',
  );

it.each([
  ['footprint', renderFootprintPage],
  ['comparison', (of: typeof summary) => renderBridgePage(comparison, of)],
] as const)('a page of a %s', (_, render) => {
  const page = withoutOptions(render(summary, items));
  const texts = barTexts(page);
  expect(texts.length).toBeGreaterThan(1);
  for (const text of texts) expect(text).toMatch(/^[\d.,]+[KMB]? kg(?: |$)/);
  const emissions = headsOf(page).filter((head) =>
    /(?<!^No )emissions|scope [12]$|Left|New/i.test(head),
  );
  expect(emissions.length).toBeGreaterThan(0);
  for (const head of emissions) expect(head).toMatch(/\(kg\)$/);
  const unknown = withoutOptions(render({ ...summary, unit: null }, items));
  expect(unknown.replaceAll('--unit kg', '')).not.toMatch(/\bkg\b/);
  expect(unknown.match(/unit unknown \(if you know it: --unit t or --unit kg\)/g)).toHaveLength(1);
});
