/**
 * How long to wait after so many failures in a row: twice as long after each, `maxMs` at most. All
 * times in milliseconds.
 *
 * @param failures from 1, after which it is `firstMs`
 * @param firstMs more than 0
 */
export function backoffMs(failures: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** (failures - 1));
}
