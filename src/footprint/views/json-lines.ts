/* The lines of `carbon footprint --json`: one for each row of the register, and the summary. */
import type { FootprintSummary } from '../footprint-summary.ts';
import type { RegisterRow } from '../register-row.ts';

/** Renders a row of the register as one JSON line, without its line break. */
export function jsonRow(row: RegisterRow): string {
  return JSON.stringify(row);
}

/** Renders the last line, `{"summary": ...}`, without its line break. */
export function jsonSummary(summary: FootprintSummary): string {
  return JSON.stringify({ summary });
}
