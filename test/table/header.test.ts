import { describe, expect, it } from 'vitest';
import { findingColumns } from '../../src/checks/view.ts';
import { profileColumns } from '../../src/cli/output/record-columns.ts';
import { lineItemColumns } from '../../src/footprint/views/line-item-columns.ts';
import { isResultHeader } from '../../src/table/header.ts';

describe('isResultHeader', () => {
  const profile = profileColumns.map(({ name }) => name);

  it.each([
    ['sync -o', ['Supplier', 'carbon_id', 'carbon_status', 'carbon_reason']],
    ['get --csv', profile],
    ['batch --csv', ['line', 'outcome', 'error', ...profile]],
    ['check --csv', findingColumns],
    ['footprint --csv', lineItemColumns.map(({ name }) => name)],
  ])('recognizes the table of %s', (_, header) => {
    expect(isResultHeader(header)).toBe(true);
  });

  it.each([
    ['company_name,sbti_id,sbti_status'],
    ['name,scope_1,emissions_2022'],
    ['id,name,status'],
    ['name,carbon_id'],
  ])('reads a list with the columns %s', (header) => {
    expect(isResultHeader(header.split(','))).toBe(false);
  });
});
