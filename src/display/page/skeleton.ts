/*
 * The skeleton that all pages share. The content security policy forbids all requests, and allows
 * only the script and the style sheet of this directory, by their hashes.
 */

import { type Answering, inOrder, labelOf } from '../terminal/answers.ts';
import { capital } from '../terminal/text.ts';
import {
  type Content,
  figureList,
  type Html,
  html,
  type KeyFigure,
  sentenceList,
  trusted,
  withCommands,
} from './html.ts';
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
const styleHash = trusted("'sha256-HivM02T38nL759Kbdb1U1xUB8IhuRu6+ikf5npYq7DA='");
const scriptHash = trusted("'sha256-8WDMfAwiVU+TkuM4utHZJCLEhOSdkRyNqZtu/TS0Fug='");

/** An answer to a question of a reader. Paper leaves out what has the class `screen`. */
export interface PageAnswer extends Answering {
  readonly text: Content;
}

/** The parts of a page that differ between pages, in their order. */
export interface PageParts {
  /** What the page is about, above the title: the file, and how many are in it. */
  readonly about: readonly string[];
  /** Says which figures are synthetic; printed on every page. */
  readonly synthetic: string | undefined;
  readonly title: string;
  /** What may make all amounts wrong, alone below the title; a sentence without a period. */
  readonly alert?: string | undefined;
  /** Of when the page is. */
  readonly dates: readonly string[];
  /** Where its figures are from, of which years, and in which unit. */
  readonly sources: readonly string[];
  readonly figures: readonly KeyFigure[];
  /** What the page says below its title; `dates` answer of when. */
  readonly answers: readonly PageAnswer[];
  /** What has room below the first steps if the screen is wide. */
  readonly side?: Content;
  /** Charts of what the answers say, over the whole width. */
  readonly charts: readonly Content[];
  /** Warnings, each a sentence without a period. */
  readonly notes: readonly string[];
  /** Text of the link to the searchable table, for the keyboard. */
  readonly skip: string;
  /** The rest of the summary. */
  readonly sections: Content;
  /** The searchable table. */
  readonly table: Html;
  /** Parts after the table. */
  readonly details?: Content;
  readonly readingNotes: readonly string[];
}

/* A longer title has a smaller size. */
const maxLargeTitle = 60;

/* A number stays in one line with the word of its size and its unit, such as `26.6 million t`. */
const unbroken = (title: string) =>
  title.replace(
    /(?<=\d) (?=(?:m|b|tr)illion\b)|(?<=illion) (?=\S)|(?<=\d) (?=(?:t|kg)\b)/g,
    '\u00a0',
  );

/** Renders a complete page. */
export function renderSkeleton(page: PageParts): string {
  const { title, notes, synthetic, about, side, charts } = page;
  const [when, sources] = [page.dates, page.sources].map((each) => capital(each.join(' · ')));
  // What to do first stands at the top of the second column, in view with the figures.
  const steps = page.answers.filter(({ question }) => question === 'steps');
  const others = page.answers.filter(({ question }) => question !== 'steps');
  const hasAside = steps.length > 0 || Boolean(side);
  const badge = synthetic !== undefined && html` <strong class="synthetic">${synthetic}</strong>`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${styleHash}; script-src ${scriptHash}; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="carbon">
<link rel="icon" href="data:,">
<title>${[title, about[0]].join(' · ')}</title>
<style>${trusted(pageStyle)}</style>
</head>
<body${synthetic !== undefined && html` class="is-synthetic"`}>
<a class="skip" href="#all">${page.skip}</a>
<header${title.length > maxLargeTitle && html` class="of-long"`}><p class="about">${about.join(' · ')}${badge}</p><h1>${unbroken(title)}</h1>${page.alert !== undefined && html`<p class="alert">${page.alert}. Here, “?” marks these amounts.</p>`}</header>
<main>
<div class="top">${figureList(page.figures)}
${answerList('answers', [...others, ...[when, sources].map((text = '') => ({ question: 'when' as const, text }))])}
${hasAside && html`<div class="aside">${steps.length > 0 && answerList('answers first', steps)}${side}</div>`}
${sentenceList(
  'warnings',
  notes.map((note) => withCommands(`${note}.`)),
)}
${charts.some(Boolean) && html`<div class="charts">${charts}</div>`}</div>
${page.sections}
${page.table}
${page.details}
</main>
<footer><h2>How to read this page</h2><ul>${page.readingNotes.map((note) => html`<li>${withCommands(note)}</li>`)}</ul></footer>
<script>${trusted(pageScript)}</script>
</body>
</html>
`.text;
}

/* Each question with its answers; several steps have numbers. */
function answerList(name: string, answers: readonly PageAnswer[]): Html {
  const ordered = inOrder(answers);
  const shown = [...new Set(ordered.map(({ question }) => question))].map((question) => {
    const all = ordered.filter((each) => each.question === question);
    const texts = all.map(({ text }) => (typeof text === 'string' ? withCommands(text) : text));
    const isList = question === 'steps' && all.length > 1;
    const content = isList
      ? html`<ol>${texts.map((text) => html`<li>${text}</li>`)}</ol>`
      : texts.map((text) => html`<p>${text}</p>`);
    const label = question === undefined ? '' : labelOf(question);
    const tone = question === undefined ? '' : html` class="${question}"`;
    return html`<dt${tone}>${label}</dt><dd${tone}>${content}</dd>`;
  });
  return html`<dl class="${name}">${shown}</dl>`;
}
