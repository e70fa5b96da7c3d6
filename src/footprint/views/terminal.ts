/* The footprint as text. */

import { sanitize } from '../../terminal/sanitize.ts';
import {
  indent,
  plain,
  renderSections,
  type Section,
  tableSection,
} from '../../terminal/section.ts';
import type { Style, View } from '../../terminal/style.ts';
import { wrap } from '../../terminal/text.ts';
import type { LineItem } from '../footprint.ts';
import type { FootprintSummary } from '../totals.ts';
import { keyFigures, leftOutTable, type Table, tablesOf } from './tables.ts';
import { headline, notesOf, shareText } from './words.ts';

/**
 * Renders a footprint for a terminal of 40 columns or more, or as plain lines `label: value`.
 * @param items the line items without emissions, of which the view lists the largest
 */
export function renderFootprint(
  summary: FootprintSummary,
  items: Iterable<LineItem>,
  view: View,
): string {
  const leftOut = leftOutTable(summary, items);
  const sections = [
    headlineSection(summary),
    ...tablesOf(summary)
      .filter(({ title, rows }) => !view.terminal || !isInHeadline(title, rows.length))
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
  return {
    name: 'footprint of purchases',
    note: summary.boundary,
    facts: keyFigures(summary).map(([label, value]) => ({
      label,
      details: [
        [
          '',
          label.includes('share') && typeof value === 'number' ? shareText(value) : plain(value),
        ],
      ],
    })),
    renderTerminal: (columns, style) => [
      ...headline(summary).flatMap((line, index) =>
        wrap(sanitize(line), columns - 2).map((each) =>
          indent(index === 0 ? style.bold(each) : each),
        ),
      ),
      ...notesBelow(notesOf(summary), columns, style),
    ],
  };
}

function notesBelow(notes: readonly string[], columns: number, style: Style): string[] {
  if (notes.length === 0) return [];
  const lines = notes.flatMap((note) =>
    wrap(sanitize(note), columns - 4).map((line, at) => `${at === 0 ? '! ' : '  '}${line}`),
  );
  return [indent('Before you quote it:'), ...lines.map((line) => indent(style.yellow(line)))];
}

/* Reasons are too long for a column. */
function renderSentences<Row>({ rows, label, columns }: Table<Row>, width: number): string[] {
  return rows.flatMap((row) => {
    const details = columns.map(
      ({ name, text }) => `${name === 'lines' ? 'line ' : ''}${text(row)}`,
    );
    const lines = wrap(sanitize(`${label(row)}: ${details.join(', ')}`), width - 4);
    return lines.map((line, at) => indent(`${at === 0 ? '' : '  '}${line}`));
  });
}
