/* Puts findings of several years together, for people who read each cause once. */
import type { ShownFinding } from './findings.ts';

/** Findings of one rule in one record: the one of the latest year, with the years of all. */
export interface FindingOfYears extends ShownFinding {
  /** In their order; empty if the finding is of no year. */
  readonly years: readonly number[];
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
    const years = [...new Set(all.flatMap(({ year }) => year ?? []))].sort((a, b) => a - b);
    if (years.length < 2) return { ...latest, years };
    const ofOne = latest.evidence.includes(String(latest.year))
      ? latest.evidence
      : `${latest.evidence} (${latest.year})`;
    return { ...latest, years, evidence: evidenceOfAll(all) ?? ofOne };
  });
}

const percentage = /\d[\d,.]*%/g;

/* Writes evidence that differs only in a percentage as a range of it: "is 7.6% to 11.2% below". */
function evidenceOfAll(all: readonly ShownFinding[]): string | undefined {
  const [text = '', ...others] = new Set(all.map(({ evidence }) => evidence));
  if (others.length === 0) return text;
  const frame = text.replace(percentage, '%');
  const found = [text, ...others].flatMap((each) => each.match(percentage) ?? []);
  const isRange =
    found.length === 1 + others.length &&
    others.every((each) => each.replace(percentage, '%') === frame);
  if (!isRange) return undefined;
  const [least = '', ...rest] = found.toSorted((a, b) => sizeOf(a) - sizeOf(b));
  return text.replace(percentage, () => `${least} to ${rest.at(-1)}`);
}

function sizeOf(percent: string): number {
  return Number(percent.replaceAll(',', '').replace('%', ''));
}

/** Says where each year is, if findings are of several. */
export function yearNote(findings: readonly FindingOfYears[]): string | undefined {
  const isUsed = findings.some(({ years }) => years.length > 1);
  return isUsed ? 'For each year of a finding, add --json or --csv' : undefined;
}
