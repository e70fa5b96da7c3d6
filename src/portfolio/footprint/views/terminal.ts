/* A footprint for a terminal: one screen, or every table. */

import { hanging, notesSection, readingSection } from '../../../display/terminal/reading.ts';
import {
  type FactTable,
  indent,
  renderSections,
  type Section,
  tableSection,
} from '../../../display/terminal/section.ts';
import type { View } from '../../../display/terminal/style.ts';
import type { LineItem } from '../footprint.ts';
import type { FootprintSummary } from '../totals.ts';
import { laterAsks } from './answers.ts';
import { leftOutSection, maxListed, opening, tablesOf } from './tables.ts';
import {
  industryNote,
  leftOutNote,
  notesOf,
  regionsNote,
  syntheticSuppliers,
  unitNote,
  yearsNote,
} from './words.ts';

/**
 * Renders a footprint for a terminal of 40 columns or more.
 * @param items all line items; the view lists the largest ones without emissions
 * @param isFull whether it shows every table instead of one screen
 */
export function renderFootprint(
  summary: FootprintSummary,
  items: Iterable<LineItem>,
  view: View,
  isFull = false,
): Promise<string> {
  const tables = tablesOf(summary);
  const notes = notesOf(summary);
  const shown = isFull ? tables.map(withoutNotes) : fewTables(tables);
  // The first lines mark synthetic figures.
  const synthetic = syntheticSuppliers(summary);
  // The tables say of which years they are, the first steps what to check, and a section what the
  // total leaves out.
  const said = [
    synthetic,
    unitNote(summary),
    yearsNote,
    industryNote(summary),
    leftOutNote(summary),
  ];
  const reading = regionsNote(summary);
  const sections = [
    opening(summary),
    ...shown.map((each) => tableSection({ ...each, rows: each.rows.slice(0, maxListed) })),
    leftOutSection(summary, items, isFull ? maxLeftOut : fewRows),
    notesSection(notes.filter((note) => !said.includes(note) && note !== reading)),
    asksSection(laterAsks(summary)),
    readingSection(reading === undefined ? [] : [reading]),
  ];
  return renderSections(sections, [], view, isFull ? [] : [moreText]);
}

function asksSection(asks: readonly string[]): Section {
  return {
    name: 'Whom to ask next',
    facts: asks.map((ask) => ({ label: 'ask', details: [['', ask]] })),
    renderTerminal: (columns) => asks.flatMap((ask) => hanging('', ask, columns - 2)).map(indent),
  };
}

const fewRows = 5;
/* A full view lists more of these than of others, because a reader finds and corrects them. */
const maxLeftOut = 50;
const moreText =
  'For how the file was read, and more tables, rows and columns, add --full; for all digits, --csv';

/* Notes are too long next to so many columns; a table counts the reasons. */
function withoutNotes(table: FactTable<never>): FactTable<never> {
  return { ...table, columns: table.columns.filter(({ kind }) => kind !== 'note') };
}

/* Returns the tables of one screen: what the statements do not say, without the widest columns. */
function fewTables(tables: readonly FactTable<never>[]): readonly FactTable<never>[] {
  return tables
    .flatMap(({ brief, ...each }) => (brief === undefined ? [] : { ...each, brief }))
    .toSorted((a, b) => a.brief.place - b.brief.place)
    .map((each) => ({
      ...each,
      columns: each.columns
        .filter(({ isDetail }) => !isDetail)
        .map((column) =>
          each.brief.mayLeave?.includes(column.name)
            ? { ...column, isKept: false, leavesFirst: 1 }
            : column,
        ),
      rows: each.rows.slice(0, each.brief.rows),
    }));
}
