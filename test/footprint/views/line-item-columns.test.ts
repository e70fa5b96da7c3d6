import { describe, expect, it } from 'vitest';
import { lineItemColumns } from '../../../src/footprint/views/workbook.ts';
import { usual } from './fixture.ts';

/* Returns the paths of all values of an item, as the columns name them. */
function paths(value: object, prefix = ''): string[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? paths(inner, `${prefix}${key}_`)
      : [prefix + key],
  );
}

describe('lineItemColumns', () => {
  it('contain every member of a line item', () => {
    const names = lineItemColumns.map(({ name }) => name);
    expect(names.toSorted()).toEqual(paths(usual.items[0] ?? {}).toSorted());
  });

  it('describe each column in one line', () => {
    for (const { description } of lineItemColumns)
      expect(description).toMatch(/^[A-Z`][^|\n]+[^.]$/);
  });
});
