/*
 * The report as one HTML page that needs nothing else: no request leaves it, its own content
 * security policy sees to that. Everything from records is text; the only script and the only style
 * sheet are the ones here, known to the policy by their hashes.
 */
import { createHash } from 'node:crypto';
import { dateText } from '../../terminal/format.ts';
import { notesOf } from '../summary/labels.ts';
import type { TopEmitters } from '../summary/top-emitters.ts';
import type { Summary } from '../summary.ts';
import { pageScript, pageStyle } from './assets.ts';
import { commitments, gapsAndRevenue, largest, ranks } from './bars.ts';
import { organizationsText } from './card.ts';
import { emissions, scores } from './column-charts.ts';
import { html, trusted } from './html.ts';
import { organizationTable } from './table.ts';
import { tiles } from './tiles.ts';

/** What a page says of its making. */
export interface Making {
  /** Time in milliseconds since 1970. */
  readonly at: number;
  /** Names of the inputs. */
  readonly from: readonly string[];
}

/**
 * Renders the page.
 * @param emitters the rows of its table
 */
export function renderPage(
  summary: Summary,
  emitters: readonly TopEmitters[],
  making: Making,
): string {
  const { organizations } = summary;
  const title = 'Climate portfolio report';
  const lead = `${organizationsText(organizations)} · from ${making.from.join(', ')} · ${dateText(new Date(making.at).toISOString())}`;
  const notes = notesOf(summary);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${hash(pageStyle)}; script-src ${hash(pageScript)}; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="carbon">
<link rel="icon" href="data:,">
<title>${title}: ${organizationsText(organizations)}</title>
<style>${trusted(pageStyle)}</style>
</head>
<body>
<a class="skip" href="#all">Skip to the table of organizations</a>
<header><h1>${title}</h1><p class="lead">${lead}</p>
${notes.length > 0 ? html`<p class="warn">${notes.join('. ')}.</p>` : ''}</header>
<main>
${tiles(summary)}
<div class="cards">
${emissions(summary)}${scores(summary)}${commitments(summary)}${ranks(summary)}${largest(summary)}${gapsAndRevenue(summary)}</div>
${organizationTable(emitters, organizations)}
</main>
<footer><h2>How to read this report</h2><ul>${readingNotes.map((note) => html`<li>${note}</li>`)}</ul></footer>
<script>${trusted(pageScript)}</script>
</body>
</html>
`.text;
}

const readingNotes = [
  'Nothing is estimated: what was not disclosed is missing from a sum, and the number of organizations beside it says how many it stands on.',
  'The service documents no unit of emissions, so none is shown. Revenue is grouped by the currency that the records name, and currencies are never added up.',
  'Where an organization gives no total, its market-based, else its location-based figure, else the sum of the parts that it disclosed stands in.',
  'Scope 1+2 counts organizations that disclose the two only together. The total of a year is the sum of disclosed totals; it is not the sum of the scopes, which fewer or more organizations may disclose.',
  'A year is partial when fewer organizations disclosed it than the year that most disclosed.',
  'Research is finished at the status synced and failed at errored; every other status means that it is in progress.',
  'Quartiles lie between the two scores next to them, in proportion.',
];

function hash(text: string) {
  return trusted(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
