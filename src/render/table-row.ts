import type { Organization } from '../contract.ts';
import { clean } from './clean.ts';
import { performancesByYear } from './latest.ts';
import { type Readings, readEmissions } from './reading.ts';

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
  readonly emissions: Readings;
}

/** Reads what a table tells of a record. */
export function readRow(record: Organization): Row {
  const latest = performancesByYear(record).find(({ emissions }) => emissions);
  return {
    id: line(record.id),
    name: line(record.name),
    status: line(record.status),
    region: line(record.hq_region),
    industry: line(record.industry?.name),
    score: record.score ?? undefined,
    year: line(latest?.year),
    emissions: readEmissions(latest?.emissions),
  };
}

function line(value: string | number | null | undefined): string {
  return clean(String(value ?? '')).trim();
}
