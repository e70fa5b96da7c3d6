/*
 * The footprint as text. Each part is a section of facts, so that a pipe shows the same facts as a
 * terminal, which adds bars and tables.
 */
import { layoutColumns, type View } from '../../../terminal/render-options.ts';
import { plainLines, type Section, sectionLines } from '../../../terminal/section.ts';
import type { Style } from '../../../terminal/style.ts';
import { wrap } from '../../../terminal/text.ts';
import type { FootprintSummary } from '../../footprint-summary.ts';
import type { RegisterRow } from '../../register-row.ts';
import { listRows } from '../listed-rows.ts';
import { methodOf } from '../method.ts';
import { notesOf } from '../notes.ts';
import { coveredSpend, headline, origin } from './headline.ts';
import { excluded, uncovered } from './left-out.ts';
import { categories, largest } from './suppliers.ts';
import { targets } from './targets.ts';

/**
 * Renders a footprint for a terminal of 40 columns or more, or as plain lines `label: value`.
 * @param rows all rows of the register; the view lists the largest without emissions
 */
export function renderFootprint(
  summary: FootprintSummary,
  rows: Iterable<RegisterRow>,
  view: View,
): string {
  const listed = listRows(rows, summary);
  const sections = [
    headline(summary),
    coveredSpend(summary),
    origin(summary),
    targets(summary),
    categories(summary),
    largest(summary),
    uncovered(summary, listed),
    excluded(summary, listed),
    method(summary),
  ].filter(({ facts }) => facts.length > 0);
  const notes = notesOf(summary);
  const lines = view.terminal
    ? terminalLines(sections, notes, layoutColumns(view), view.style)
    : [...sections.flatMap(plainLines), ...notes.map((note) => `note: ${note}`)];
  return lines.map((line) => `${line}\n`).join('');
}

function method(summary: FootprintSummary): Section {
  return {
    name: 'method',
    prefix: 'method',
    facts: methodOf(summary).map(([label, text]) => ({ label, details: [['', text]] })),
  };
}

function terminalLines(
  sections: readonly Section[],
  notes: readonly string[],
  columns: number,
  style: Style,
): string[] {
  const blocks = sections.map((section) => sectionLines(section, columns, style));
  const warnings = notes.flatMap((note) =>
    wrap(note, columns - 2).map((line, index) =>
      style.yellow(`${index === 0 ? '! ' : '  '}${line}`),
    ),
  );
  return [...blocks, warnings]
    .filter((block) => block.length > 0)
    .flatMap((block, index) => (index === 0 ? block : ['', ...block]));
}
