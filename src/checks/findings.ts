import type { OrganizationId } from '../api/ids.ts';
import { plural } from '../terminal/format.ts';

/** How much a finding matters: an error makes a figure or a match unusable until someone looks. */
export type Severity = 'error' | 'warning' | 'notice';

/** A rule of `carbon check`. */
export interface Rule {
  readonly name: string;
  readonly severity: Severity;
  /** What the rule reports, in words. */
  readonly limit: string;
  /** Why the rule exists and how its limit was chosen. */
  readonly reason: string;
}

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

/** What the findings about some organizations amount to. */
export interface FindingSummary extends FindingCounts {
  /** The first errors and warnings, errors first; at most one of each organization. */
  readonly worst: readonly Finding[];
}

const shownFindings = 10;

/** Sums up findings for a view. */
export function summarizeFindings(findings: readonly Finding[]): FindingSummary {
  const counts = { error: 0, warning: 0, notice: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return { ...counts, worst: counts.error + counts.warning === 0 ? [] : worstOf(findings) };
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

function worstOf(findings: readonly Finding[]): Finding[] {
  const worst: Finding[] = [];
  const named = new Set<OrganizationId>();
  for (const severity of ['error', 'warning'] as const) {
    for (const finding of findings) {
      if (worst.length === shownFindings) return worst;
      const { id } = finding;
      if (finding.severity !== severity || (id !== null && named.has(id))) continue;
      if (id !== null) named.add(id);
      worst.push(finding);
    }
  }
  return worst;
}

/** Formats counts, such as `2 errors, 1 warning, 4 notices`. */
export function countsText({ error, warning, notice }: FindingCounts): string {
  return [plural(error, 'error'), plural(warning, 'warning'), plural(notice, 'notice')].join(', ');
}

/** A finding that a person has reviewed: a row of the file of `check --accept`. */
export interface Decision {
  /** Line of the file, counted from 1. */
  readonly line: number;
  readonly id: string;
  readonly rule: string;
  /** Last day of the decision, `YYYY-MM-DD`; empty for ever. */
  readonly until: string;
  /** The value that was reviewed; empty for any value. */
  readonly value: string;
  /** The year that was reviewed; empty for every year. */
  readonly year: string;
}

/** Why a decision no longer counts. */
export interface LapsedDecision {
  readonly decision: Decision;
  readonly reason: 'unknown rule' | 'date has passed' | 'value has changed' | 'no such finding';
  /** The value that the finding has now, if it changed. */
  readonly value?: string | number | null | undefined;
}

/** The findings that remain, and the decisions that no longer count. */
export interface Reviewed {
  readonly findings: readonly Finding[];
  readonly accepted: number;
  readonly lapsed: readonly LapsedDecision[];
}

/**
 * Leaves out the findings that a person has accepted.
 * @param today last day on which a decision counts, `YYYY-MM-DD`
 * @param rules names of all rules
 */
export function review(
  findings: readonly Finding[],
  decisions: readonly Decision[],
  rules: ReadonlySet<string>,
  today: string,
): Reviewed {
  const lapsed: LapsedDecision[] = [];
  const accepted = new Set<Finding>();
  for (const decision of decisions) {
    const { id, rule, until, value, year } = decision;
    if (!rules.has(rule)) {
      lapsed.push({ decision, reason: 'unknown rule' });
      continue;
    }
    const concerned = findings.filter(
      (finding) =>
        String(finding.id) === id &&
        finding.rule === rule &&
        (year === '' || String(finding.year ?? '') === year),
    );
    const same = concerned.filter((finding) => value === '' || String(finding.value) === value);
    if (concerned.length === 0) lapsed.push({ decision, reason: 'no such finding' });
    else if (until !== '' && until < today) lapsed.push({ decision, reason: 'date has passed' });
    else if (same.length === 0)
      lapsed.push({ decision, reason: 'value has changed', value: concerned[0]?.value });
    else for (const finding of same) accepted.add(finding);
  }
  return {
    findings: findings.filter((finding) => !accepted.has(finding)),
    accepted: accepted.size,
    lapsed,
  };
}
