/** JSON records of any size, filled with values of unexpected types, by the repeated value. */
export const hostileRecords: Readonly<Record<string, HostileRecord>> = {
  'numbers instead of years': repeat('{"id":1,"performances":[', '1', ']}'),
  'years that are strings': repeat('{"id":1,"performances":[', '{"year":""}', ']}', 0),
  'years without one expected value': repeat(
    '{"id":1,"performances":[',
    '{"region":1,"emissions":{"scope_1":[],"scope_3":{"total":"","sum":""}}}',
    ']}',
    0,
  ),
  'names that are numbers, in a nested list': repeat(
    '{"id":1,"matching_organization":{"names":[',
    '{"value":1}',
    ']}}',
    0,
  ),
  'numbers instead of targets': repeat('{"id":1,"sbti":{"data":[', '1', ']}}'),
  'years of the expected type': repeat(
    '{"id":1,"performances":[',
    '{"year":2020,"emissions":{"total":5}}',
    ']}',
    0,
  ),
};

interface HostileRecord {
  /** Number of values of unexpected types in each item of the list. */
  readonly oddValuesPerItem: number;
  text(bytes: number): string;
}

function repeat(before: string, item: string, after: string, oddValuesPerItem = 1): HostileRecord {
  return {
    oddValuesPerItem,
    text: (bytes) =>
      `${before}${`${item},`.repeat(Math.floor(bytes / (item.length + 1)))}${item}${after}`,
  };
}
