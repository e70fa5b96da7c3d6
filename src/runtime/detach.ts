/**
 * Copies a part of a text, such as a cell, so that it does not keep the complete text in memory.
 * For values that are kept long.
 */
export function flattenString(text: string): string {
  return Buffer.from(text).toString();
}
