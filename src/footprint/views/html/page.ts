/* The footprint as one self-contained HTML page. Everything from files and records is text. */
import { type Html, html } from '../../../page/html.ts';
import { renderSkeleton } from '../../../page/skeleton.ts';
import { dateText, plural } from '../../../terminal/format.ts';
import type { FootprintSummary } from '../../footprint-summary.ts';
import type { RegisterRow } from '../../register-row.ts';
import { methodOf } from '../method.ts';
import { notesOf } from '../notes.ts';
import { categories, origin, spend, targets, tiles } from './cards.ts';
import { concentration, largest } from './emitters.ts';
import { registerTable } from './register-table.ts';

/**
 * Renders the page.
 * @param rows all rows of the register; the page lists the largest
 */
export function renderFootprintPage(
  summary: FootprintSummary,
  rows: Iterable<RegisterRow>,
): string {
  const { method, suppliers } = summary;
  const many = plural(suppliers, 'supplier');
  return renderSkeleton({
    title: 'Footprint of purchases',
    subtitle: many,
    lead: [many, `from ${method.files.join(', ')}`, dateText(method.calculated_at)].join(' · '),
    notes: notesOf(summary),
    skip: 'Skip to the register',
    tiles: tiles(summary),
    cards: [
      origin(summary),
      spend(summary),
      targets(summary),
      concentration(summary),
      categories(summary),
      largest(summary),
      methodCard(summary),
    ],
    table: registerTable(summary, rows),
    footerTitle: 'How to read this page',
    readingNotes,
  });
}

function methodCard(summary: FootprintSummary): Html {
  const statements = methodOf(summary).map(
    ([label, text]) => html`<div><dt>${label}</dt><dd>${text}</dd></div>\n`,
  );
  return html`<section class="full" aria-labelledby="method"><h2 id="method">Method</h2><dl class="method">${statements}</dl></section>\n`;
}

const readingNotes = [
  'The emissions of a row are its spend times its factor. The register shows both and the figures behind the factor, so that you can repeat each multiplication.',
  'A row whose basis is “own figures” uses the supplier’s disclosed emissions divided by its revenue of the same year (GHG Protocol, Scope 3 Standard, chapter 8). The number of disclosed upstream categories stands beside the upstream emissions: a low factor may reflect incomplete disclosure.',
  'A row whose basis is “service” uses factors that the service calculated. A row whose basis is “industry” uses an industry average, whose boundary is not documented.',
  'The share of emissions from suppliers’ own figures counts only the basis “own figures” (ESRS E1, AR 46(g)).',
  'Uncovered rows have spend but no factor. They count in the spend, but not in the emissions. Excluded rows count in neither.',
  'Coverage by targets counts only suppliers whose near-term target is set, by their share of the emissions or of the spend.',
];
