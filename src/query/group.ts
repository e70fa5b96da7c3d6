/* Groups rows by the values of columns, and counts and adds up what each group has. */
import type { ColumnValue } from './column.ts';
import { foldText } from './column.ts';

/** The sum of one column over a group. */
export interface GroupSum {
  /** Rounded to 15 digits; undefined if no row of the group has a value. */
  readonly sum: number | undefined;
  /** Number of rows with a value. */
  readonly count: number;
}

/** The rows with equal values in the columns of the grouping; missing values form a group, too. */
export interface Group {
  readonly keys: readonly ColumnValue[];
  readonly rows: number;
  readonly sums: readonly GroupSum[];
}

interface OpenGroup {
  readonly keys: readonly ColumnValue[];
  rows: number;
  readonly sums: { high: number; low: number; count: number }[];
}

/**
 * Groups rows, each given as the values of the grouping columns followed by those to add up.
 *
 * The order is that of the first sum, the largest first, or of the number of rows without a sum.
 * @param keyCount number of grouping columns
 */
export function groupRows(
  rows: Iterable<readonly ColumnValue[]>,
  keyCount: number,
): readonly Group[] {
  const groups = new Map<string, OpenGroup>();
  for (const row of rows) {
    const keys = row.slice(0, keyCount);
    const name = JSON.stringify(keys.map((key) => foldText(String(key ?? ''))));
    let group = groups.get(name);
    if (group === undefined) {
      const sums = row.slice(keyCount).map(() => ({ high: 0, low: 0, count: 0 }));
      group = { keys, rows: 0, sums };
      groups.set(name, group);
    }
    group.rows += 1;
    for (const [index, sum] of group.sums.entries()) {
      const value = row[keyCount + index];
      if (typeof value === 'number') addTo(sum, value);
    }
  }
  const result = [...groups.values()].map(
    ({ keys, rows, sums }): Group => ({
      keys,
      rows,
      sums: sums.map(({ high, low, count }) => ({
        sum: count === 0 ? undefined : Number((high + low).toPrecision(15)),
        count,
      })),
    }),
  );
  const order = ({ sums: [first], rows }: Group) =>
    first === undefined ? rows : (first.sum ?? Number.NEGATIVE_INFINITY);
  return result.toSorted((a, b) => (order(a) === order(b) ? 0 : order(b) - order(a)));
}

/* Neumaier's sum: `low` collects the digits that `high` loses. */
function addTo(sum: OpenGroup['sums'][number], value: number): void {
  const { high } = sum;
  sum.high = high + value;
  sum.low += Math.abs(high) >= Math.abs(value) ? high - sum.high + value : value - sum.high + high;
  sum.count += 1;
}
