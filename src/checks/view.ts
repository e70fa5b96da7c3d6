import { renderFrame } from '../terminal/columns.ts';
import { numberText } from '../terminal/format.ts';
import { sanitize } from '../terminal/sanitize.ts';
import { layoutColumns, syntheticNote, type View } from '../terminal/style.ts';
import { bySeverity, type Finding } from './findings.ts';

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
  'action',
  'synthetic',
] as const;

/** A finding, and whether its record is synthetic data of the sandbox. */
export interface ShownFinding extends Finding {
  readonly synthetic: boolean;
}

/** Lists a finding as a row of `findingColumns`. */
export function findingRow(finding: ShownFinding): (string | number | true | null)[] {
  return findingColumns.map((column) =>
    column === 'synthetic' ? finding.synthetic || null : finding[column],
  );
}

/** Renders findings: on a terminal as a table, errors first; in a pipe as tab-separated lines. */
export function renderFindings(findings: readonly ShownFinding[], view: View): string {
  const { style } = view;
  const isSynthetic = findings.some(({ synthetic }) => synthetic);
  const lines = view.terminal
    ? [
        ...table(bySeverity(findings), view),
        ...(isSynthetic ? [style.yellow(syntheticNote())] : []),
      ]
    : findings.map((finding) => findingRow(finding).map(text).join('\t').trimEnd());
  return lines.map((line) => `${line}\n`).join('');
}

function table(findings: readonly Finding[], view: View): string[] {
  if (findings.length === 0) return [];
  const { style } = view;
  const tones = { error: style.red, warning: style.yellow, notice: style.dim };
  const columns = [
    { title: 'ID', align: 'right' },
    { title: 'Name', cuts: true },
    { title: 'Severity' },
    { title: 'Finding' },
    { title: 'Year' },
    { title: 'What the record says → what to do', wraps: true },
  ] as const;
  const rows = findings.map(({ id, name, rule, severity, year, evidence, action }) => [
    text(id),
    text(name),
    tones[severity](severity),
    rule,
    text(year),
    `${sanitize(evidence)} → ${action}`,
  ]);
  return renderFrame(columns, rows, style, layoutColumns(view));
}

function text(value: string | number | true | null): string {
  if (value === true) return 'synthetic';
  return typeof value === 'number' ? numberText(value) : sanitize(value ?? '');
}
