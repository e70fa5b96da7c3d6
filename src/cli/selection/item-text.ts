/*
 * Selected records as text, for storage outside of memory and to send them between threads. The
 * text of a CSV row or of a record in JSON stays as it is: quoting and unquoting it as JSON takes
 * longer than creating a table row.
 */
import type { RowKeys } from '../../query/order.ts';
import type { Selected } from './read-row.ts';

const textMark = '"';

/** Serializes an item, which must survive JSON. */
export function writeItem(item: unknown): string {
  return typeof item === 'string' ? textMark + item : JSON.stringify(item);
}

/** Parses the text that `writeItem` returned. */
export function readItem<Item>(text: string): Item {
  return text.startsWith(textMark) ? (text.slice(textMark.length) as Item) : JSON.parse(text);
}

type Head = readonly [isSynthetic: boolean, ...keys: RowKeys];

/** Serializes a selected record. */
export function writeSelected({ keys, item, isSynthetic }: Selected<unknown>): string {
  const head: Head = [isSynthetic, ...keys];
  // JSON has no line feed.
  return `${JSON.stringify(head)}\n${writeItem(item)}`;
}

/** Parses the text that `writeSelected` returned. */
export function readSelected<Item>(text: string): Selected<Item> {
  const end = text.indexOf('\n');
  const [isSynthetic, ...keys]: Head = JSON.parse(text.slice(0, end));
  return { isSynthetic, keys, item: readItem(text.slice(end + 1)) };
}
