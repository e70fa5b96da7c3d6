/* Rows without emissions, and rows that count in no total. */
import { figure } from '../../../terminal/figure.ts';
import { plural } from '../../../terminal/format.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import { indent, type Section } from '../../../terminal/section.ts';
import type { Style } from '../../../terminal/style.ts';
import { truncate, wrap, wrapList } from '../../../terminal/text.ts';
import type { FootprintSummary } from '../../footprint-summary.ts';
import type { RegisterRow } from '../../register-row.ts';
import type { ListedRows } from '../listed-rows.ts';
import {
  excludedWords,
  lineText,
  reasonCounts,
  reasonWords,
  spendText,
  supplierName,
} from '../words.ts';
import { amountTexts } from './amounts.ts';
import { spendTexts } from './headline.ts';
import { columnsOf, renderTable } from './table.ts';

/* A code has three letters, but the user's file may contain any text. */
const maxCodeWidth = 8;

/** Describes the uncovered rows by reason, and lists the largest. */
export function uncovered(summary: FootprintSummary, { uncovered: listed }: ListedRows): Section {
  const reasons = reasonCounts(summary);
  return {
    name: 'uncovered rows',
    note: 'spend without emissions; never counted as 0',
    prefix: 'uncovered',
    facts: [
      ...reasons.map(([reason, rows]) => ({
        label: reason,
        details: [['', figure(rows)] as const],
      })),
      ...rowFacts(listed.rows, ({ uncovered: reason }) => reason && reasonWords[reason]),
    ],
    renderTerminal: (columns, style) => [
      ...wrapList(
        reasons.map(([reason, rows]) => `${reason}: ${figure(rows).exact}`),
        columns - 2,
      ).map(indent),
      ...listing(listed, columns, style, ({ uncovered: reason, uncovered_detail: detail }) => [
        ...(reason === null ? [] : [reasonWords[reason]]),
        ...(detail === null ? [] : [detail]),
      ]),
    ],
  };
}

/** Describes the rows that count in no total. */
export function excluded(
  { excluded: counts }: FootprintSummary,
  { excluded: listed }: ListedRows,
): Section {
  const { negative_net_spend: negative, no_spend } = counts;
  const hasNegative = negative.rows > 0;
  return {
    name: 'excluded rows',
    note: 'in no total, share or coverage',
    prefix: 'excluded',
    facts:
      negative.rows + no_spend.rows === 0
        ? []
        : [
            {
              label: excludedWords.negative_net_spend,
              details: [
                ['suppliers', hasNegative ? figure(negative.suppliers) : undefined],
                ['rows', hasNegative ? figure(negative.rows) : undefined],
                ...Object.entries(negative.spend).map(
                  ([currency, amount]) => [`spend ${sanitize(currency)}`, figure(amount)] as const,
                ),
                ['emissions', hasNegative ? figure(negative.emissions) : undefined],
              ],
              unknown: '',
            },
            {
              label: excludedWords.no_spend,
              details: [['rows', no_spend.rows > 0 ? figure(no_spend.rows) : undefined]],
            },
            ...rowFacts(listed.rows, ({ excluded: reason }) => reason && excludedWords[reason]),
          ],
    renderTerminal: (columns, style) => [
      ...[
        ...(hasNegative
          ? [
              `Net spend is negative: ${plural(negative.suppliers, 'supplier')}, ${plural(negative.rows, 'row')}, ${spendTexts(negative.spend, 'rounded')}, emissions ${figure(negative.emissions).rounded}`,
            ]
          : []),
        ...(no_spend.rows > 0 ? [`No spend: ${plural(no_spend.rows, 'row')}`] : []),
      ].flatMap((line) => wrap(line, columns - 2).map(indent)),
      ...listing(listed, columns, style, ({ excluded: reason }) =>
        reason === null ? [] : [excludedWords[reason]],
      ),
    ],
  };
}

function rowFacts(
  rows: readonly RegisterRow[],
  reasonOf: (row: RegisterRow) => string | null,
): Section['facts'] {
  return rows.map((row) => ({
    label: lineText(row),
    details: [
      ['', supplierName(row)],
      ['spend', row.spend === null ? undefined : spendText(row.spend, row.currency)],
      ['reason', [reasonOf(row), row.uncovered_detail].filter(Boolean).join(': ')],
    ],
  }));
}

/* Lists rows with their reason beside them, or below them on a narrow terminal. */
function listing(
  { rows, omitted }: ListedRows['uncovered'],
  columns: number,
  style: Style,
  reasonOf: (row: RegisterRow) => readonly string[],
): string[] {
  if (rows.length === 0) return [];
  const amounts = amountTexts(rows.map(({ spend }) => spend));
  const shown = rows.map((row, index) => ({
    name: supplierName(row),
    spend: row.spend === null ? '–' : `${amounts[index]} ${codeOf(row)}`,
    compact: row.spend === null ? '–' : `${figure(row.spend).compact} ${codeOf(row)}`,
    reason: reasonOf(row),
    lines: lineText(row),
  }));
  const table = renderTable(
    [
      {
        columns: [...columnsOf('Supplier', 'Spend'), { title: 'Lines' }, { title: 'Reason' }],
        rows: shown.map(({ name, spend, reason, lines }) => ({
          name,
          cells: [spend, lines.replace(/^lines? /, ''), sanitize(reason.join(': '))],
        })),
      },
      {
        columns: columnsOf('Supplier', 'Spend'),
        rows: shown.map(({ name, spend, reason, lines }) => ({
          name,
          cells: [spend],
          details: [lines, ...reason],
        })),
      },
      {
        columns: columnsOf('Supplier', 'Spend'),
        rows: shown.map(({ name, compact, reason, lines }) => ({
          name,
          cells: [compact],
          details: [lines, ...reason],
        })),
      },
    ],
    columns,
    style,
  );
  if (omitted === 0) return table;
  const more = `and ${plural(omitted, 'more row')}; --csv lists all rows`;
  return [...table, ...wrap(more, columns - 2).map((line) => indent(style.dim(line)))];
}

function codeOf({ currency }: RegisterRow): string {
  return truncate(sanitize(currency ?? '–').trim(), maxCodeWidth);
}
