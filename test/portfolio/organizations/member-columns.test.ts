import { describe, expect, it } from 'vitest';
import { shownColumns } from '../../../src/portfolio/organizations/member-columns.ts';
import { organizationTable, yearTable } from '../../../src/portfolio/organizations/tables.ts';
import { full } from '../../cli/output/records.ts';

describe('shownColumns', () => {
  it.each(shownColumns)(
    'has the CSV column $column.name, of the same kind and value',
    ({ section, column }) => {
      const tables = section === 'years' ? [organizationTable, yearTable] : [organizationTable];
      for (const { written, rows } of tables) {
        const own = written.find(({ name }) => name === column.name);
        expect(own?.kind).toBe(column.kind);
        const [row] = rows(full);
        const value = row && column.value(row);
        expect([value, row && own?.value(row)]).toEqual([expect.anything(), value]);
      }
    },
  );
});
