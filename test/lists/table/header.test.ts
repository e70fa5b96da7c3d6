import { describe, expect, it } from 'vitest';
import { isResultHeader } from '../../../src/lists/table/output-cell.ts';
import { findingColumns } from '../../../src/portfolio/checks/findings.ts';
import { lineItemColumns } from '../../../src/portfolio/footprint/views/workbook.ts';
import {
  organizationTable,
  sourceSheet,
  yearTable,
} from '../../../src/portfolio/organizations/tables.ts';
import { differenceColumns } from '../../../src/portfolio/report/diff-text.ts';

describe('isResultHeader', () => {
  const [organizations = [], years = [], sources = []] = [
    organizationTable,
    yearTable,
    sourceSheet,
  ].map(({ written }) => written.map(({ name }) => name));

  it.each([
    ['get --csv and list --csv', organizations],
    ['batch --csv', ['line', 'outcome', 'error', ...organizations]],
    ['list --years --csv', years],
    ['the sheet of sources', sources],
    ['check --csv', findingColumns.map(({ name }) => name)],
    ['diff --csv', differenceColumns.map(({ name }) => name)],
    ['footprint --csv', lineItemColumns.map(({ name }) => name)],
  ])('recognizes the table of %s by its last column', (_, header) => {
    expect(isResultHeader(header)).toBe(true);
    expect(isResultHeader([...header, 'note'])).toBe(false);
    expect(isResultHeader(header.slice(0, -1))).toBe(false);
  });

  it('recognizes sheets that were saved as CSV, of which folded columns are last', () => {
    expect(isResultHeader(['ID', 'Name', 'Synthetic', 'Website'])).toBe(true);
    expect(isResultHeader(['ID', 'Name', 'Website'])).toBe(false);
    expect(isResultHeader(['Name', 'Synthetic', 'Website'])).toBe(false);
  });

  it('recognizes the table of sync -o', () => {
    expect(isResultHeader(['Supplier', 'carbon_id', 'carbon_status', 'note'])).toBe(true);
  });

  it.each(['company_name,sbti_status', 'id,name,status', 'name,carbon_id', 'carbon_line,name'])(
    'reads a list with the columns %s',
    (header) => expect(isResultHeader(header.split(','))).toBe(false),
  );
});
