/* The footprint as text. */
import { sanitize } from '../../terminal/sanitize.ts';
import {
  cellText,
  indent,
  plain,
  renderSections,
  type Section,
  tableSection,
} from '../../terminal/section.ts';
import type { View } from '../../terminal/style.ts';
import { wrap } from '../../terminal/text.ts';
import type { LineItem } from '../footprint.ts';
import type { FootprintSummary } from '../totals.ts';
import { keyFigures, leftOutTable, type Table, tablesOf } from './tables.ts';
import { headline, notesOf, shareText } from './words.ts';

/* The page, a pipe and JSON have up to twice as many. */
const maxRows = 10;

/**
 * Renders a footprint for a terminal of 40 columns or more, or as plain lines `label: value`.
 * @param items the line items without emissions, of which the view lists the largest
 */
export function renderFootprint(
  summary: FootprintSummary,
  items: Iterable<LineItem>,
  view: View,
): Promise<string> {
  const leftOut = leftOutTable(summary, items);
  const sections = [
    headlineSection(summary),
    ...tablesOf(summary)
      .filter(({ title, rows }) => !view.terminal || !isInHeadline(title, rows.length))
      .map((each) => (view.terminal ? { ...each, rows: each.rows.slice(0, maxRows) } : each))
      .map(tableSection),
    {
      ...tableSection(leftOut),
      renderTerminal: (columns: number) => renderSentences(leftOut, columns),
    },
  ];
  // On a terminal, the notes are below the headline.
  return renderSections(sections, view.terminal ? [] : notesOf(summary).map(sanitize), view);
}

/* On a terminal, the headline has the origin, and the covered spend of a single currency. */
function isInHeadline(title: string, rows: number): boolean {
  return title === 'Origin of the emissions' || (title === 'Spend covered' && rows === 1);
}

function headlineSection(summary: FootprintSummary): Section {
  const text = (label: string, value: string | number | null) =>
    label.includes('share') && typeof value === 'number' ? shareText(value) : plain(value);
  return {
    name: 'footprint of purchases',
    note: summary.boundary,
    facts: keyFigures(summary).map(([label, value]) => ({
      label,
      details: [['', text(label, value)]],
    })),
    renderTerminal: (columns, style) => {
      const [total = '', ...others] = headline(summary).map(sanitize);
      const notes = notesOf(summary).flatMap((note) => hanging('! ', note, columns - 2));
      return [
        ...wrap(total, columns - 2).map(style.bold),
        ...others.flatMap((line) => wrap(line, columns - 2)),
        ...(notes.length > 0 ? ['Before you quote it:', ...notes.map(style.yellow)] : []),
      ].map(indent);
    },
  };
}

function hanging(first: string, text: string, width: number): string[] {
  const lines = wrap(sanitize(text), width - 2);
  return lines.map((line, at) => `${at === 0 ? first : '  '}${line}`);
}

/* Reasons are too long for a column. */
function renderSentences<Row>({ rows, label, columns }: Table<Row>, width: number): string[] {
  return rows.flatMap((row) => {
    const details = columns.map((column) => {
      const shown = cellText(column, row);
      if (column.name !== 'lines') return shown;
      return `${/\D/.test(shown) ? 'lines' : 'line'} ${shown}`;
    });
    return hanging('', `${label(row)}: ${details.join(', ')}`, width - 2).map(indent);
  });
}
