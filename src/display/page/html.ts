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

/** Renders a section of the page with its heading. */
export function card(
  id: string,
  title: string,
  note: string,
  ...content: readonly Content[]
): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><p class="soft">${note}</p>${content}</section>\n`;
}

/** A key figure: its name, its value, a note, and its exact value where the value is rounded. */
export type Tile = readonly [name: string, value: string, note: string, exact?: string | undefined];

/** Renders key figures. */
export function tileList(tiles: readonly Tile[]): Html {
  return html`<dl class="tiles">${tiles.map(
    ([name, value, note, exact]) =>
      html`<div><dt>${name}</dt><dd class="big"${exact === undefined ? '' : html` title="${exact}"`}>${value}</dd><dd class="soft">${note}</dd></div>`,
  )}</dl>`;
}
