/* Recognizes text that is not CSV by its beginning, and explains how to get a CSV file. */
import { UsageError } from '../runtime/carbon-error.ts';

/* Text formats other than CSV, recognized by their beginning. */
const textFormats = [
  {
    begins: /^\s*(?:\[\s*[[{"]|\[\s*$)/,
    what: 'JSON, not CSV',
    hint: `Convert it to CSV with a header line, for example with jq -r '["name"], (.[] | [.name]) | @csv'`,
  },
  {
    begins: /^\s*\{\s*(?:"|$)/,
    what: 'JSON, not CSV',
    hint: `Convert it to CSV with a header line, for example with jq -rn '["name"], (inputs | [.name]) | @csv'`,
  },
  {
    begins: /^\s*<(?:!doctype\s+html|html|head|body|table|script)\b/i,
    what: 'a web page (HTML), not CSV',
    hint: 'The download may be a login page. Export or download the table as CSV.',
  },
  {
    begins: /^\s*<\?xml\b/i,
    what: 'XML, not CSV',
    hint: 'Export the table as CSV.',
  },
] as const;

/**
 * Rejects JSON, HTML and XML.
 *
 * @param text the beginning of the file
 * @param name the name of the file in messages
 * @throws UsageError that names the format
 */
export function rejectTextFormats(text: string, name: string): void {
  const start = text.slice(0, 1_000);
  for (const { begins, what, hint } of textFormats) {
    if (begins.test(start)) throw new UsageError(`${name} is ${what}`, hint, 'invalid_input');
  }
}
