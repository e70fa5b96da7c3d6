/* What a check says of all records, in one sentence. */
import type { OrganizationId } from '../../client/api/ids.ts';
import { count, listing, plural } from '../../display/terminal/format.ts';
import type { Statement } from '../organizations/statements.ts';
import type { Finding, Severity } from './findings.ts';

/** Numbers of records. */
export interface RecordCounts {
  readonly records: number;
  /** With an error. */
  readonly wrong: number;
  /** With a warning, but no error. */
  readonly doubtful: number;
  /** With a notice alone. */
  readonly noted: number;
}

/** A record, and what was found in it alone. */
export interface CheckedRecord {
  readonly id?: OrganizationId | null | undefined;
  readonly found: readonly Finding[];
}

/**
 * Counts records by the worst of their findings.
 * @param all one for each organization
 * @param others findings that compare records, each of a record with an ID
 */
export function countRecords(
  all: Iterable<CheckedRecord>,
  others: readonly Finding[],
): RecordCounts {
  const byId = new Map<OrganizationId | null, Severity[]>();
  for (const { id, severity } of others) byId.set(id, [...(byId.get(id) ?? []), severity]);
  let [records, wrong, doubtful, noted] = [0, 0, 0, 0];
  for (const { id = null, found } of all) {
    // Nothing tells two records without an ID apart.
    const severities = [
      ...found.map((each) => each.severity),
      ...((id !== null && byId.get(id)) || []),
    ];
    records += 1;
    if (severities.includes('error')) wrong += 1;
    else if (severities.includes('warning')) doubtful += 1;
    else if (severities.length > 0) noted += 1;
  }
  return { records, wrong, doubtful, noted };
}

/** States how many records cannot be right. */
export function checkStatements(counts: RecordCounts): readonly (Statement & RecordCounts)[] {
  const { records, wrong, doubtful } = counts;
  const parts = [
    ...(wrong > 0
      ? [`${count.format(wrong)} of ${plural(records, 'record')} cannot be right`]
      : []),
    ...(doubtful > 0
      ? [
          `${count.format(doubtful)}${wrong > 0 ? '' : ` of ${plural(records, 'record')}`} should be looked at`,
        ]
      : []),
  ];
  const text = parts.join(', ') || `No errors or warnings in ${plural(records, 'record')}`;
  return [{ rule: 'errors', text, base: records, of: records, ...counts }];
}

/**
 * Says which totals use the figures that were found: none those with an error, and those of a year
 * its warnings. Empty without errors and warnings.
 */
export function effectText(findings: readonly Pick<Finding, 'severity' | 'year'>[]): string {
  const wrong = findings.some(({ severity }) => severity === 'error');
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  const years = [...new Set(warnings.flatMap(({ year }) => year ?? []))].sort((a, b) => a - b);
  const isOfYears = warnings.every(({ year }) => year !== null);
  const these = years.length === 1 ? 'this year' : 'these years';
  const used = isOfYears
    ? `The figures with a warning are of ${yearsText(years)}; they are in the totals of ${these}`
    : 'Totals use the figures with a warning';
  return [
    ...(wrong ? ['No total uses figures with an error'] : []),
    ...(warnings.length > 0 ? [used] : []),
  ].join('. ');
}

/** Writes the years of findings: "2019", "2017 to 2019", "2017 and 2019". */
export function yearsText(years: readonly number[]): string {
  const [first = 0, last = first] = [years[0], years.at(-1)];
  const isRange = years.length > 2 && last - first === years.length - 1;
  if (isRange) return `${first} to ${last}`;
  return years.length > maxYears ? `${years.length} years to ${last}` : listing(years.map(String));
}

const maxYears = 4;
