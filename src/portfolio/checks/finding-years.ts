/* Puts findings of several years together, for people who read each cause once. */
import type { ShownFinding } from './findings.ts';

/** Findings of one rule in one record: the one of the latest year, and how many others. */
export interface FindingOfYears extends ShownFinding {
  readonly otherYears: number;
}

/** Returns one finding for those that differ only in their year and numbers, in their order. */
export function groupYears(findings: readonly ShownFinding[]): readonly FindingOfYears[] {
  const groups = new Map<unknown, [ShownFinding, ...ShownFinding[]]>();
  for (const finding of findings) {
    const { id, rule, severity, year } = finding;
    // Nothing tells two records without an ID apart.
    const key = id === null || year === null ? finding : JSON.stringify([id, rule, severity]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [finding]);
    else known.push(finding);
  }
  return [...groups.values()].map((all) => {
    const latest = all.reduce((last, each) => ((each.year ?? 0) > (last.year ?? 0) ? each : last));
    return { ...latest, otherYears: new Set(all.map(({ year }) => year)).size - 1 };
  });
}

/** Writes the year of a finding, and how many others have it: `2019 +2`. */
export function yearText({ year, otherYears }: FindingOfYears): string {
  return `${year ?? ''}${otherYears > 0 ? ` +${otherYears}` : ''}`;
}

/** Says what a number after a year means, if there is one. */
export function yearNote(findings: readonly FindingOfYears[]): string | undefined {
  const isUsed = findings.some(({ otherYears }) => otherYears > 0);
  return isUsed ? '+ more years with this finding: --json and --csv list each' : undefined;
}
