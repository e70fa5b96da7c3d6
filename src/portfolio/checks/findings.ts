import type { OrganizationId } from '../../client/api/ids.ts';
import type { KindName } from '../../display/query/kinds.ts';
import type { Column } from '../../display/query/query.ts';
import { plural } from '../../display/terminal/format.ts';

/** How much a finding matters: an error makes a figure or a match unusable until someone looks. */
export type Severity = 'error' | 'warning' | 'notice';

/** Who can resolve a finding: its code. */
export type Action =
  | 'ask the service'
  | 'correct the list'
  | 'accept if acquired'
  | 'sync the list';

/** A rule of `carbon check`. */
export interface Rule {
  /** Its code, which CSV and JSON have. */
  readonly name: string;
  /** What people read in its place. */
  readonly words: string;
  /** What to do about a finding, as a clause. */
  readonly step: string;
  readonly severity: Severity;
  /** By default, ask about a figure, and correct a match. */
  readonly action?: Action;
  /** What the rule reports, in words. */
  readonly limit: string;
  /** Why the rule exists and how its limit was chosen. */
  readonly reason: string;
}

export interface Observation {
  /** The value that the rule rejects. */
  readonly value: string | number | null;
  /** What the rule compares it with. */
  readonly limit: string | number | null;
  /** Year of the figure; null if the finding concerns the organization. */
  readonly year: number | null;
  readonly evidence: string;
}

/** A finding of `carbon check`; its JSON is a line of `carbon check --json`. */
export interface Finding extends Observation {
  readonly id: OrganizationId | null;
  readonly name: string | null;
  readonly rule: string;
  readonly severity: Severity;
  readonly action: Action;
}

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

export interface FindingSummary extends FindingCounts {
  /** The first errors and warnings, errors first; at most one of each organization. */
  readonly worst: readonly Finding[];
}

const shownFindings = 10;
const nothingFound: FindingSummary = { error: 0, warning: 0, notice: 0, worst: [] };

export function summarizeFindings(findings: readonly Finding[]): FindingSummary {
  if (findings.length === 0) return nothingFound;
  const counts = { error: 0, warning: 0, notice: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  const worst = new Map<OrganizationId | Finding, Finding>();
  for (const finding of bySeverity(findings)) {
    const key = finding.id ?? finding;
    if (finding.severity !== 'notice' && !worst.has(key)) worst.set(key, finding);
  }
  return { ...counts, worst: [...worst.values()].slice(0, shownFindings) };
}

/** Adds up what was found in records of different organizations, whose ids may be empty. */
export function addFindings(all: readonly FindingSummary[]): FindingSummary {
  const counts = { error: 0, warning: 0, notice: 0 };
  for (const { error, warning, notice } of all) {
    counts.error += error;
    counts.warning += warning;
    counts.notice += notice;
  }
  const worst = bySeverity(all.flatMap((each) => each.worst)).slice(0, shownFindings);
  return { ...counts, worst };
}

export function countsText({ error, warning, notice }: FindingCounts): string {
  const counts = [
    [error, 'error'],
    [warning, 'warning'],
    [notice, 'notice'],
  ] as const;
  const found = counts.filter(([number]) => number > 0);
  return found.map(([number, word]) => plural(number, word)).join(', ') || 'no findings';
}

/** A finding, and whether its record is synthetic data of the sandbox. */
export interface ShownFinding extends Finding {
  readonly synthetic: boolean;
}

const column = (
  name: keyof ShownFinding,
  kind: KindName = 'text',
  title?: string,
): Column<ShownFinding, keyof ShownFinding> => ({
  name,
  kind,
  title,
  description: '',
  value: (finding) => (kind === 'synthetic' ? finding.synthetic || null : finding[name]),
});

/** The columns of findings. */
export const findingColumns: readonly Column<ShownFinding, keyof ShownFinding>[] = [
  column('id', 'id', 'ID'),
  column('name', 'name', 'Name'),
  column('rule', 'text', 'Finding'),
  column('severity', 'severity', 'Severity'),
  column('value', 'value'),
  column('limit', 'value'),
  column('year', 'year', 'Year'),
  column('evidence', 'note', 'What the record says'),
  column('action'),
  column('synthetic', 'synthetic'),
];
