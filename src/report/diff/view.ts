import { figure, scoreText } from '../../terminal/figure.ts';
import { numberText } from '../../terminal/format.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import { describeStatus } from '../../terminal/style.ts';
import { pad, truncate, width, wrap } from '../../terminal/text.ts';
import { layoutColumns, type View } from '../../terminal/view.ts';
import type { Change, Comparison, Difference, Value } from './diff.ts';

/** The tab-separated fields of a line in a pipe, and the columns of `carbon diff --csv`. */
export const differenceFields = ['id', 'name', 'change', 'field', 'year', 'old', 'new'] as const;

/** Lists a difference as rows of `differenceFields`, one for each field that changed. */
export function differenceRows({ id, name, change, fields }: Difference): Value[][] {
  if (fields.length === 0) return [[id, name, change, null, null, null, null]];
  return fields.map((field) => [id, name, change, field.field, field.year, field.old, field.new]);
}

/** Renders differences: on a terminal by organization, in a pipe as lines of `differenceFields`. */
export function renderComparison(comparison: Comparison, view: View): string {
  const { differences } = comparison;
  const lines = view.terminal
    ? [
        ...wrap(summaryText(comparison), layoutColumns(view)),
        ...differences.flatMap((difference) => ['', ...differenceLines(difference, view)]),
      ]
    : differences.flatMap(differenceRows).map(tabbed);
  return lines.map((line) => `${line}\n`).join('');
}

/* Every view for people shows scores from 0 to 100. */
function tabbed(row: readonly Value[]): string {
  const isScore = row[3] === 'score';
  const cells = row.map((cell, index) => {
    if (typeof cell !== 'number') return String(cell ?? '');
    return isScore && index > 4 ? scoreText(cell) : numberText(cell);
  });
  return cells.map(sanitize).join('\t');
}

function summaryText({ differences, old: older, new: newer }: Comparison): string {
  const count = (change: Difference['change']) =>
    figure(differences.filter((difference) => difference.change === change).length).exact;
  const totals = `${figure(older).exact} → ${figure(newer).exact} organizations`;
  if (differences.length === 0) return `${totals}: no differences`;
  return `${totals}: ${count('new')} new, ${count('gone')} gone, ${count('changed')} changed`;
}

const marks = { new: '+', gone: '−', changed: '~' } as const;
const tones = { new: 'green', gone: 'red', changed: 'yellow' } as const;
const maxFieldLength = 40;

function differenceLines({ id, name, change, fields }: Difference, view: View): string[] {
  const { style } = view;
  const columns = layoutColumns(view);
  const title = sanitize([id, name].filter((part) => part !== null).join('  ') || 'no name');
  const head = truncate(`${marks[change]} ${title}`, columns - 9);
  const labels = fields.map(fieldText);
  const labelColumn = Math.min(
    Math.floor(columns / 2),
    labels.reduce((max, label) => Math.max(max, width(label)), 0),
    maxFieldLength,
  );
  const valueColumns = columns - labelColumn - 6;
  return [
    `${style[tones[change]](head)}  ${style.dim(change)}`,
    ...fields.flatMap((field, index) =>
      wrap(changeText(field), valueColumns).map((line, row) => {
        const label = row === 0 ? truncate(labels[index] ?? '', labelColumn) : '';
        return `    ${pad(style.dim(label), labelColumn)}  ${line}`;
      }),
    ),
  ];
}

const names: Readonly<Record<string, string>> = { sbti: 'SBTi', cdp: 'CDP', un: 'UN', hq: 'HQ' };

/* Describes `emissions_scope_1` of 2024 as "2024 scope 1". */
function fieldText({ field, year }: Change): string {
  const words = field
    .replace(/^emissions_/, '')
    .replaceAll('_', ' ')
    .replace(/^(sbti|cdp|un|hq)\b/, (word) => names[word] ?? word);
  return year === null ? words : `${year} ${words}`;
}

function changeText({ field, year, old: before, new: after }: Change): string {
  const isAmount =
    year !== null && typeof before === 'number' && typeof after === 'number' && before > 0;
  const percent = isAmount ? `  ${signed((100 * (after - before)) / before)}%` : '';
  return `${valueText(field, before)} → ${valueText(field, after)}${percent}`;
}

function signed(percent: number): string {
  const text =
    Math.abs(percent) >= 1e6 ? '>1,000,000' : figure(Math.round(Math.abs(percent) * 10) / 10).exact;
  return (percent < 0 ? '−' : '+') + text;
}

function valueText(field: string, value: Value): string {
  if (value === null) return field === 'status' ? describeStatus(null).word : 'no data';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return sanitize(value).trim().replaceAll('_', ' ') || 'none';
  if (field === 'score') return scoreText(value);
  return field.endsWith('_year') ? String(value) : figure(value).rounded;
}
