import { sanitize } from '../terminal/sanitize.ts';

/** Markup that is safe in a page. Only `html` and `trusted` create it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template; null, undefined and false write nothing. */
export type Content = Html | string | number | null | undefined | false | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Builds markup. Every value that is no `Html` is text: it loses control and direction characters,
 * and is escaped.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(
    strings.reduce((markup, string, index) => markup + write(values[index - 1]) + string),
  );
}

/** Marks a constant text of this project, such as a style sheet, as markup. */
export function trusted(text: string): Html {
  return new Html(text);
}

function write(value: Content): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(write).join('');
  return sanitize(String(value === false ? '' : (value ?? ''))).replace(
    /[&<>"']/g,
    (character) => entities[character] ?? '',
  );
}

/** Writes an attribute after a name of a tag, without quotes where HTML needs none. */
export function attribute(name: string, value: string | undefined): Html {
  if (value === undefined) return html``;
  const isPlain = /^[\w.,-]+$/.test(value);
  return isPlain ? html` ${name}=${value}` : html` ${name}="${value}"`;
}

/** Renders a part of the page under its heading. */
export function section(
  id: string,
  title: Content,
  note: Content,
  ...content: readonly Content[]
): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${note && html`<p class="sub">${typeof note === 'string' ? withCommands(note) : note}</p>`}${content}</section>\n`;
}

/** Renders a table that scrolls in itself; `title` is that of the part it is in. */
export function scrollRegion(title: string, table: Html): Html {
  return html`<div class="scroll" role="region" aria-label="Table: ${title}" tabindex="0">${table}</div>`;
}

/** A number that a reader may quote: its name, the organizations behind it, and all its digits. */
export interface KeyFigure {
  readonly name: string;
  readonly value: string;
  readonly population: string;
  readonly exact?: string | undefined;
}

/* Characters of a value that fit one line of its column; longer ones are smaller. */
const maxBig = 16;

/** Renders key figures. */
export function figureList(figures: readonly KeyFigure[]): Content {
  return (
    figures.length > 0 &&
    html`<dl class="figures">${figures.map(
      ({ name, value, population, exact }) =>
        html`<div><dt>${name}</dt><dd class="big${value.length > maxBig && ' long'}"${exact !== undefined && html` title="${exact}"`}>${value}</dd><dd class="soft">${population}</dd></div>`,
    )}</dl>`
  );
}

/** Renders sentences as a list. */
export function sentenceList(name: 'said' | 'warnings', sentences: readonly Content[]): Content {
  return (
    sentences.length > 0 &&
    html`<ul class="${name}">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`
  );
}

/* A value of an option, which a period may end with its sentence. */
const value = String.raw`(?:'[^']*'|"[^"]*"|[^\s"'-](?:[^\s"']*[^\s"'.,;:)])?)`;
const words = [
  '<[^<>]*>',
  `'[^']*'`,
  '"[^"]*"',
  '…',
  String.raw`--(?:json|csv|full)\b`,
  `--?[a-z][\\w-]*(?:[ =]${value})?`,
  String.raw`\d+\b`,
  // A file, or where the output goes.
  String.raw`(?:> )?[^\s"'<>]*\.\w+`,
];
/*
 * The name of a command, and what follows that looks like its words; otherwise the sentence goes
 * on. Unmarked, `carbon footprint` would read as what it calculates.
 */
const command = new RegExp(
  String.raw`(?<![\w/-])(carbon (?:check|footprint|get|list|report|sync)\b(?: (?:${words.join('|')}))*)`,
);

/** Shows the commands in a sentence as code, with each option on one line. */
export function withCommands(text: string): Content {
  return text
    .split(command)
    .map((part, at) => (at % 2 === 0 ? unbrokenOptions(part) : commandInCode(part)));
}

/* A command of two words stays on one line. */
function commandInCode(command: string): Html {
  const isShort = command.split(' ').length === 2;
  return html`<code${isShort && ' class=option'}>${unbrokenOptions(command)}</code>`;
}

/* An option with a short value, which a line may not break at their hyphens. */
const option = /((?<!\S)--?[a-z][\w-]*(?: [^\s"'-][^\s"']{0,23}(?!\S))?)/i;

/** Keeps each option of a command with its value on one line. */
function unbrokenOptions(text: string): Content {
  return text
    .split(option)
    .map((part, at) => (at % 2 === 0 ? part : html`<span class="option">${part}</span>`));
}
