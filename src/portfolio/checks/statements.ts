/* What a check says of all records, in one sentence. */
import { count, plural } from '../../display/terminal/format.ts';
import type { Statement } from '../organizations/statements.ts';
import type { Finding } from './findings.ts';

/** Numbers of records. */
export interface RecordCounts {
  readonly records: number;
  /** With an error. */
  readonly wrong: number;
  /** With a warning, but no error. */
  readonly doubtful: number;
}

/**
 * Counts the records that findings are about.
 * @param findings each of a record with an ID, or of one without
 */
export function countRecords(records: number, findings: readonly Finding[]): RecordCounts {
  // A record without an ID has no other record to be confused with.
  const withSeverity = (wanted: string) =>
    new Set(
      findings.flatMap(({ severity, id, name }) => (severity === wanted ? (id ?? `${name}`) : [])),
    );
  const wrong = withSeverity('error');
  const doubtful = [...withSeverity('warning')].filter((id) => !wrong.has(id));
  return { records, wrong: wrong.size, doubtful: doubtful.length };
}

/** States how many records cannot be right. */
export function statements(counts: RecordCounts): readonly (Statement & RecordCounts)[] {
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
  const text = parts.join(', ') || `No error and no warning in ${plural(records, 'record')}`;
  return [{ rule: 'errors', text, base: records, of: records, ...counts }];
}
