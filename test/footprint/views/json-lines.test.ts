import { describe, expect, it } from 'vitest';
import { jsonRow, jsonSummary } from '../../../src/footprint/views/json-lines.ts';
import { rows, summary } from './fixture.ts';

describe('jsonRow', () => {
  it('writes one line with all members', () => {
    for (const row of rows) {
      expect(jsonRow(row)).not.toContain('\n');
      expect(JSON.parse(jsonRow(row))).toEqual(row);
    }
  });
});

describe('jsonSummary', () => {
  it('writes one line with the member summary', () => {
    expect(JSON.parse(jsonSummary(summary))).toEqual({ summary });
  });
});
