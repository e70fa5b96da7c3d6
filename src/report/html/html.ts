import { sanitize } from '../../terminal/sanitize.ts';

/** Markup that is safe to put into a page as it is. Only `html` and `trusted` make it. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What may stand in a template; nothing is written for null and undefined. */
export type Content = Html | string | number | null | undefined | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/**
 * Builds markup: whatever is put in is text, cleaned of control and direction characters and
 * escaped, unless it is `Html`.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(strings.reduce((sum, string, at) => sum + write(values[at - 1]) + string));
}

/** Marks a text of our own, such as a style sheet, as markup. */
export function trusted(text: string): Html {
  return new Html(text);
}

function write(value: Content): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(write).join('');
  return sanitize(String(value ?? '')).replace(
    /[&<>"']/g,
    (character) => entities[character] ?? '',
  );
}
