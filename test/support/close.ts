/**
 * Returns a value with each number that is nearly the expected one replaced by it: the last digits
 * of a sum depend on the order of its terms.
 */
export function close(value: unknown, expected: unknown): unknown {
  if (typeof value === 'number' && typeof expected === 'number')
    return Math.abs(value - expected) <= 1e-11 * Math.max(1, Math.abs(expected)) ? expected : value;
  if (typeof value !== 'object' || value === null) return value;
  const other = (typeof expected === 'object' ? expected : null) as Readonly<
    Record<string, unknown>
  >;
  const members = Object.entries(value).map(([key, each]) => [key, close(each, other?.[key])]);
  return Array.isArray(value) ? members.map(([, each]) => each) : Object.fromEntries(members);
}
