import { renderFrame } from '../terminal/columns.ts';
import { numberText } from '../terminal/format.ts';
import { sanitize } from '../terminal/sanitize.ts';
import { layoutColumns, type View } from '../terminal/view.ts';
import { bySeverity, type Finding, type LapsedDecision } from './findings.ts';

/** The columns of `carbon check --csv`, and the tab-separated fields of a line in a pipe. */
export const findingColumns = [
  'id',
  'name',
  'rule',
  'severity',
  'value',
  'limit',
  'year',
  'evidence',
] as const;

/** Lists a finding as a row of `findingColumns`. */
export function findingRow(finding: Finding): (string | number | null)[] {
  return findingColumns.map((column) => finding[column]);
}

/** Renders findings: on a terminal as a table, errors first; in a pipe as tab-separated lines. */
export function renderFindings(findings: readonly Finding[], view: View): string {
  const lines = view.terminal
    ? table(bySeverity(findings), view)
    : findings.map((finding) => findingRow(finding).map(text).join('\t'));
  return lines.map((line) => `${line}\n`).join('');
}

function table(findings: readonly Finding[], view: View): string[] {
  if (findings.length === 0) return [];
  const { style } = view;
  const tones = { error: style.red, warning: style.yellow, notice: style.dim };
  const columns = [
    { title: 'ID', align: 'right' },
    { title: 'Name', wraps: true },
    { title: 'Finding' },
    { title: 'Year' },
    { title: 'What the record says', wraps: true },
  ] as const;
  const rows = findings.map(({ id, name, rule, severity, year, evidence }) => [
    text(id),
    text(name),
    tones[severity](rule),
    text(year),
    sanitize(evidence),
  ]);
  return renderFrame(columns, rows, style, layoutColumns(view));
}

function text(value: string | number | null): string {
  return typeof value === 'number' ? numberText(value) : sanitize(value ?? '');
}

/** Explains why a decision no longer counts. */
export function describeLapsed({ decision, reason, value }: LapsedDecision, file: string): string {
  const { line, id, rule, until, value: reviewed } = decision;
  const subject = `${file}, line ${line}: ${rule} of ${id}`;
  switch (reason) {
    case 'unknown rule':
      return `${file}, line ${line}: there is no rule "${rule}"`;
    case 'date has passed':
      return `${subject} was accepted until ${until}`;
    case 'value has changed':
      return `${subject} was accepted with the value ${reviewed}, which is now ${value}`;
    case 'no such finding':
      return `${subject} is not a finding any more; you can remove the line`;
  }
}
