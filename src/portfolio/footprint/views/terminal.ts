/* A footprint for a terminal: the answers and the largest suppliers, or every table. */

import { listing } from '../../../display/terminal/format.ts';
import { hanging, notesSection, readingSection } from '../../../display/terminal/reading.ts';
import {
  type FactTable,
  indent,
  renderSections,
  type Screen,
  type Section,
  screenOf,
  tableSection,
} from '../../../display/terminal/section.ts';
import type { View } from '../../../display/terminal/style.ts';
import type { LineItem } from '../footprint.ts';
import type { FootprintSummary } from '../totals.ts';
import { laterAsks } from './answers.ts';
import { leftOutSection, maxListed, opening, tablesOf, targetsTitle } from './tables.ts';
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
 * @param items all line items; a full view lists the largest ones without emissions
 * @param isFull whether it shows every table
 */
export async function renderFootprint(
  summary: FootprintSummary,
  items: Iterable<LineItem>,
  view: View,
  isFull = false,
): Promise<Screen> {
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
  const asks = laterAsks(summary);
  const { line_items: all, covered_line_items: covered } = summary;
  // Without any emissions, why there are none is all that there is to say.
  const hasLeftOut = isFull || covered === 0;
  const sections = [
    opening(summary, isFull),
    ...shown.map((each) => tableSection({ ...each, rows: each.rows.slice(0, maxListed) })),
    ...(hasLeftOut ? [leftOutSection(summary, items, isFull ? maxLeftOut : fewRows)] : []),
    notesSection(notes.filter((note) => !said.includes(note) && note !== reading)),
    ...(isFull ? [asksSection(asks), readingSection([reading ?? []].flat())] : []),
  ];
  const names = [
    ...(covered < all && !hasLeftOut ? ['suppliers with unknown emissions'] : []),
    ...(hasTargets(tables) && !hasTargets(shown) ? ['targets'] : []),
    ...(asks.length === 0 ? [] : ['whom to ask next']),
    'more tables',
    'how the file was read',
  ];
  const more = isFull ? undefined : `For ${listing(names)}, add --full; for all digits, --csv`;
  return screenOf(await renderSections(sections, [], view), more, view);
}

function asksSection(asks: readonly string[]): Section {
  return {
    name: 'Whom to ask after the first steps',
    facts: asks.map((ask) => ({ label: 'ask', details: [['', ask]] })),
    renderTerminal: (columns) => asks.flatMap((ask) => hanging('', ask, columns - 2)).map(indent),
  };
}

function hasTargets(tables: readonly FactTable<never>[]): boolean {
  return tables.some(({ title }) => title === targetsTitle);
}

const fewRows = 5;
/* A full view lists more of these than of others, because a reader finds and corrects them. */
const maxLeftOut = 50;

/* Notes are too long next to so many columns; a table counts the reasons. */
function withoutNotes(table: FactTable<never>): FactTable<never> {
  return { ...table, columns: table.columns.filter(({ kind }) => kind !== 'note') };
}

/* Returns the tables that say what the answers do not, without the widest columns. */
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
