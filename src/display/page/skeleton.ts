/*
 * The skeleton that all pages share. The content security policy forbids all requests, and allows
 * only the script and the style sheet of this directory, by their hashes.
 */
import { type Content, type Html, html, trusted } from './html.ts';
import style from './page.css?raw';
import script from './page.js?raw';
import print from './print.css?raw';

/* Comments and indentation are a sixth of the text; neither file has them within a string. */
const compact = (source: string) => source.replace(/\/\*.*?\*\//gs, '').replace(/^\s+/gm, '');
const pageStyle = compact(`${style}\n${print}`);
const pageScript = compact(script);
/*
 * The hashes of both in the policy; a test compares them. Computing them would load node:crypto, a
 * thirtieth of the time of `report -o`.
 */
const styleHash = trusted("'sha256-MD3c7dCNQheyzL3T2k61HqgIzw141ycIrc6FxHFlGDk='");
const scriptHash = trusted("'sha256-xRsNia5bbi03fdH8DnTFh7ncohS0so0DGqY+ehvulCU='");

/** The parts of a page that differ between pages. */
export interface PageParts {
  readonly title: string;
  /** Added to the title in the browser's tab. */
  readonly subtitle: string;
  /** The line below the title. */
  readonly lead: string;
  /** What the page says besides its title, each a sentence without a period. */
  readonly statements: readonly string[];
  /** Warnings, each a sentence without a period. */
  readonly notes: readonly string[];
  /** Text of the link to the searchable table, for the keyboard. */
  readonly skip: string;
  readonly tiles: Html;
  readonly cards: Content;
  /** The searchable table. */
  readonly table: Html;
  readonly footerTitle: string;
  readonly readingNotes: readonly string[];
}

/** Renders a complete page. */
export function renderSkeleton(page: PageParts): string {
  const { title, notes, statements } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${styleHash}; script-src ${scriptHash}; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="carbon">
<link rel="icon" href="data:,">
<title>${title}: ${page.subtitle}</title>
<style>${trusted(pageStyle)}</style>
</head>
<body>
<a class="skip" href="#all">${page.skip}</a>
<header><h1>${title}</h1><p class="lead">${page.lead}</p>
${statements.length > 0 ? html`<ul class="say">${statements.map((text) => html`<li>${text}</li>`)}</ul>` : ''}
${notes.length > 0 ? html`<p class="warn">${notes.join('. ')}.</p>` : ''}</header>
<main>
${page.tiles}
<div class="cards">
${page.cards}</div>
${page.table}
</main>
<footer><h2>${page.footerTitle}</h2><ul>${page.readingNotes.map((note) => html`<li>${note}</li>`)}</ul></footer>
<script>${trusted(pageScript)}</script>
</body>
</html>
`.text;
}
