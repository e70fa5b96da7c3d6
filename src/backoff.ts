/**
 * How long to wait after so many failures in a row: twice as long after each, `maxMs` at most. All
 * times in milliseconds.
 *
 * @param failures from 1, after which it is `firstMs`
 */
export function backoffMs(failures: number, firstMs: number, maxMs: number): number {
  // Infinity times a first wait of 0 would be NaN.
  return Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 60));
}
