import { count as format, plural } from '../../terminal/format.ts';
import { type Content, type Html, html } from './html.ts';

/** Renders a count. */
export function many(count: number): string {
  return format.format(count);
}

/** Counts organizations in words. */
export function organizationsText(count: number): string {
  return plural(count, 'organization');
}

/** Renders a part of the page under its heading. */
export function card(
  id: string,
  title: string,
  note: string,
  ...content: readonly Content[]
): Html {
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2><p class="soft">${note}</p>${content}</section>\n`;
}
