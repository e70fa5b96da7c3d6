/* V8 copies a shorter part of a string anyway (SlicedString::kMinLength). */
const minSliceLength = 13;

/**
 * Copies a slice of a string, such as a CSV cell, so that it does not keep the complete string in
 * memory. V8 slices refer to the string that they were taken from.
 */
export function flattenString(text: string): string {
  return text.length < minSliceLength ? text : Buffer.from(text).toString();
}
