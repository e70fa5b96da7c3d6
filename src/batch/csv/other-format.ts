import { UsageError } from '../../runtime/carbon-error.ts';

/*
 * Text that is no CSV, by how it begins. Read as a table it would have a header of brackets.
 */
const formats = [
  {
    begins: /^\s*(?:\[\s*[[{"]|\[\s*$|\{\s*(?:"|$))/,
    what: 'JSON, not CSV',
    hint: 'Convert it to CSV with a header line first, such as with jq: (["name"], (.[] | [.name])) | @csv',
  },
  {
    begins: /^\s*<(?:!doctype\s+html|html|head|body|table|script)\b/i,
    what: 'a web page (HTML), not CSV',
    hint: 'The download may have been a page for people, or a login page; download or export the table as CSV.',
  },
  {
    begins: /^\s*<\?xml\b/i,
    what: 'XML, not CSV',
    hint: 'Export the table as CSV.',
  },
] as const;

/**
 * Refuses text that is in another format.
 * @param text the beginning of the file
 * @param name what the user calls the file
 * @throws UsageError that names the format
 */
export function refuseOtherFormats(text: string, name: string): void {
  const start = text.slice(0, 1_000);
  for (const { begins, what, hint } of formats) {
    if (begins.test(start)) throw new UsageError(`${name} is ${what}`, hint, 'invalid_input');
  }
}
