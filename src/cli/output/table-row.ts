import type { Organization } from '../../api/schema.ts';
import { type ReportedEmissions, readEmissions } from '../../organizations/emissions.ts';
import { latestPerformance } from '../../organizations/history.ts';
import { sanitize } from '../../terminal/sanitize.ts';

/** What a table tells of one organization: safe text, empty where nothing is known. */
export interface Row {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** As the service sends it, ISO 3166-1. */
  readonly region: string;
  readonly industry: string;
  readonly score: number | undefined;
  /** The year of the emissions: the latest that has any. */
  readonly year: string;
  readonly emissions: ReportedEmissions;
}

/** Reads what a table tells of a record. */
export function readRow(record: Organization): Row {
  const latest = latestPerformance(record);
  const emissions = readEmissions(latest?.emissions);
  const isDisclosed = Object.values(emissions).some((reading) => reading !== undefined);
  return {
    id: line(record.id),
    name: line(record.name),
    status: line(record.status),
    region: line(record.hq_region),
    industry: line(record.industry?.name),
    score: record.score ?? undefined,
    year: isDisclosed ? line(latest?.year) : '',
    emissions,
  };
}

function line(value: string | number | null | undefined): string {
  return sanitize(String(value ?? '')).trim();
}
