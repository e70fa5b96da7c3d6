/*
 * Selected records as text, for storage outside of memory and to send them between threads. The
 * text of a CSV row or of a record in JSON stays as it is: quoting and unquoting it as JSON takes
 * longer than creating a table row.
 */
import type { RowKeys } from '../../query/order.ts';
import type { Selected, Shown } from './read-row.ts';

const textMark = '"';
const syntheticMark = '*';

/** The text of a record that a query does not select. */
export const notSelected = '';

/** Serializes what a `ReadSelected` returned. The item must survive JSON. */
export function writeSelected(selected: Selected<unknown> | undefined): string {
  if (selected === undefined) return notSelected;
  const { keys, item, isSynthetic } = selected;
  const mark = isSynthetic ? syntheticMark : ' ';
  const written = typeof item === 'string' ? textMark + item : JSON.stringify(item);
  // JSON has no line feed.
  return `${mark}${JSON.stringify(keys)}\n${written}`;
}

/** Parses the keys of a selected record, by which rows are ordered. */
export function readKeys(text: string): RowKeys {
  return JSON.parse(text.slice(1, text.indexOf('\n')));
}

/** Parses what a selection shows of a selected record. */
export function readShown<Item>(text: string): Shown<Item> {
  const start = text.indexOf('\n') + 1;
  const item = text.startsWith(textMark, start)
    ? (text.slice(start + textMark.length) as Item)
    : JSON.parse(text.slice(start));
  return { item, isSynthetic: text.startsWith(syntheticMark) };
}
