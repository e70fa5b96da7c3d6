/*
 * The report as one self-contained HTML page. Its content security policy forbids all requests, and
 * permits only the script and the style sheet of this directory, by their hashes. Everything from
 * records is text.
 */
import { createHash } from 'node:crypto';
import { dateText } from '../../terminal/format.ts';
import { notesOf } from '../summary/labels.ts';
import type { RankedEmitter } from '../summary/top-emitters.ts';
import type { Summary } from '../summary.ts';
import { pageScript, pageStyle } from './assets.ts';
import { emissions, scores } from './chart-sections.ts';
import { html, organizationsText, trusted } from './html.ts';
import { commitments, gapsAndRevenue, largest, ranks, tiles } from './sections.ts';
import { organizationTable } from './table.ts';

/** The origin of a page, which it states. */
export interface Provenance {
  /** The time when carbon created the page, in milliseconds since 1970. */
  readonly at: number;
  /** The names of the inputs. */
  readonly from: readonly string[];
}

/**
 * Renders the page.
 * @param emitters rows of the table of organizations
 */
export function renderPage(
  summary: Summary,
  emitters: readonly RankedEmitter[],
  provenance: Provenance,
): string {
  const { organizations } = summary;
  const title = 'Climate portfolio report';
  const lead = `${organizationsText(organizations)} · from ${provenance.from.join(', ')} · ${dateText(new Date(provenance.at).toISOString())}`;
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
  'The report estimates nothing: a sum contains only disclosed figures, and the number beside it states how many organizations it covers.',
  'The service documents no unit of emissions, so none is shown. Revenue is grouped by the currency of the record; carbon never adds up different currencies.',
  'If an organization discloses no total, the report uses its market-based figure, else its location-based figure, else the sum of its disclosed parts.',
  'Scope 1+2 counts organizations that disclose the two scopes only together. The total of a year is the sum of disclosed totals. It can differ from the sum of the scopes, because different organizations may disclose them.',
  'A year is partial if fewer organizations disclosed it than the year that most organizations disclosed.',
  'The status synced means that research is finished, errored that it failed. Every other status means that research is in progress.',
  'Quartiles are interpolated linearly between the two nearest scores.',
];

function hash(text: string) {
  return trusted(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
