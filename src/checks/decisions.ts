import type { Finding } from './finding.ts';

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
