import type { Organization } from '../../api/schema.ts';
import {
  hasReportedFigure,
  type ReportedEmissions,
  readEmissions,
} from '../../organizations/emissions.ts';
import { latestPerformance } from '../../organizations/history.ts';
import { sanitize } from '../../terminal/sanitize.ts';

/** The values of one organization in a table: safe text, empty where data is missing. */
export interface TableRow {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** The ISO 3166-1 code that the service sent. */
  readonly region: string;
  readonly industry: string;
  readonly score: number | undefined;
  /** The latest year with emissions. */
  readonly year: string;
  readonly emissions: ReportedEmissions;
}

/** Reads the values of a table row from a record. */
export function readTableRow(record: Organization): TableRow {
  const latest = latestPerformance(record);
  const emissions = readEmissions(latest?.emissions);
  return {
    id: line(record.id),
    name: line(record.name),
    status: line(record.status),
    region: line(record.hq_region),
    industry: line(record.industry?.name),
    score: record.score ?? undefined,
    year: hasReportedFigure(latest?.emissions) ? line(latest?.year) : '',
    emissions,
  };
}

function line(value: string | number | null | undefined): string {
  return sanitize(String(value ?? '')).trim();
}
