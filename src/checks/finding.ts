import type { OrganizationId } from '../api/ids.ts';

/** How much a finding matters: an error makes a figure or a match unusable until someone looks. */
export type Severity = 'error' | 'warning' | 'notice';

/** What a rule found in one record. */
export interface Observation {
  /** The value that the rule rejects. */
  readonly value: string | number | null;
  /** What the rule compares it with. */
  readonly limit: string | number | null;
  /** Year of the figure; null if the finding concerns the organization. */
  readonly year: number | null;
  /** What the record says, in words. */
  readonly evidence: string;
}

/** A finding of `carbon check`; its JSON is a line of `carbon check --json`. */
export interface Finding extends Observation {
  readonly id: OrganizationId | null;
  readonly name: string | null;
  readonly rule: string;
  readonly severity: Severity;
}

/** Findings by severity. */
export interface FindingCounts {
  readonly error: number;
  readonly warning: number;
  readonly notice: number;
}

const order: Readonly<Record<Severity, number>> = { error: 0, warning: 1, notice: 2 };

/** Orders findings by severity; findings of one severity stay in the order of the records. */
export function bySeverity(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => order[a.severity] - order[b.severity]);
}

/** Counts findings by severity. */
export function countFindings(findings: readonly Finding[]): FindingCounts {
  const counts = { error: 0, warning: 0, notice: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}
