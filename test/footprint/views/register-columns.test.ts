import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import {
  registerColumns,
  renderRegisterHeader,
  renderRegisterRow,
} from '../../../src/footprint/views/register-columns.ts';
import { hostileRows, registerRow, rows } from './fixture.ts';

const [first = registerRow()] = rows;

/* Returns the paths of all values of a row, as the columns name them. */
function paths(value: object, prefix = ''): string[] {
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? paths(inner, `${prefix}${key}_`)
      : [prefix + key],
  );
}

describe('registerColumns', () => {
  it('contains every member of a row in its order', () => {
    expect(registerColumns.map(({ name }) => name)).toEqual(paths(first));
  });

  it('describes each column in one line', () => {
    for (const { description } of registerColumns)
      expect(description).toMatch(/^[A-Z`][^|\n]+[^.]$/);
  });
});

describe('renderRegisterRow', () => {
  it('writes each value below its column, numbers with all digits', () => {
    const text = renderRegisterHeader() + renderRegisterRow(first);
    expect(parse(text, { columns: true })).toMatchInlineSnapshot(`
      [
        {
          "basis": "disclosed",
          "boundary": "cradle-to-gate",
          "category": "Raw materials",
          "currency": "EUR",
          "emissions": "3914934.903930131",
          "excluded": "",
          "factor": "0.8122270742358079",
          "factor_region": "",
          "factor_year": "2023",
          "id": "4711",
          "inputs_emission_factor": "",
          "inputs_revenue": "11450000000",
          "inputs_scope_1": "5800000000",
          "inputs_scope_1_and_2": "",
          "inputs_scope_1_and_2_emission_factor": "",
          "inputs_scope_2": "400000000",
          "inputs_scope_2_method": "market-based",
          "inputs_total": "",
          "inputs_total_upstream_emission_factor": "",
          "inputs_upstream": "3100000000",
          "inputs_upstream_categories": "6",
          "line_count": "3",
          "lines": "3; 9; 27",
          "matched_by": "journal",
          "name": "Nordwind Stahl GmbH",
          "retrieved_at": "2026-11-20T08:15:00.000Z",
          "sbti_near_term_created_at": "2024-03-12",
          "sbti_near_term_retrieved_at": "2026-10-01",
          "sbti_near_term_status": "set",
          "share": "0.4619280453463038",
          "spend": "4820000.5",
          "spend_year": "2024",
          "supplier": "Nordwind Stahl GmbH",
          "synthetic": "false",
          "uncovered": "",
          "uncovered_detail": "",
        },
      ]
    `);
  });

  it('leaves cells without a value empty', () => {
    const text = renderRegisterHeader() + renderRegisterRow(registerRow({ spend: null }));
    const [names = [], cells = []] = parse(text) as string[][];
    expect(names.filter((_, index) => cells[index] !== '')).toMatchInlineSnapshot(`
      [
        "lines",
        "line_count",
        "currency",
        "spend_year",
        "boundary",
        "retrieved_at",
        "synthetic",
      ]
    `);
  });

  it('writes a negative amount as a number and no text as a formula', () => {
    const cells = [registerRow({ spend: -8400.4, factor: 0.5 }), ...hostileRows].flatMap(
      (row) => parse(renderRegisterRow(row))[0] as string[],
    );
    expect(cells.filter((cell) => /^[=+\-@]/.test(cell))).toEqual(['-8400.4', '-4200.2']);
    expect(cells.join('')).not.toMatch(/[\u0000-\u001f\u202e]/u);
  });
});
