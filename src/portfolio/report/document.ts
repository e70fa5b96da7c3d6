import type { ResultDates } from '../records/dates.ts';
import { statements } from './statements.ts';
import type { Summary } from './summary.ts';

/** A report: what it says, of when it is, and its figures. */
export type ReportDocument = ReturnType<typeof documentOf>;

export function documentOf(summary: Summary, dates: ResultDates) {
  return { statements: statements(summary), ...dates, ...summary };
}
