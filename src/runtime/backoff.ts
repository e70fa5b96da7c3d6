/**
 * Returns the exponential back-off in milliseconds: doubles with each failure, up to `maxMs`.
 *
 * @param failures failures in a row, at least 1
 * @param firstMs back-off after the first failure, above 0
 */
export function backoffMs(failures: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** (failures - 1));
}
