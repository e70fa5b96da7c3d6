/*
 * The footprint as text. Each part is a section of facts, so that a pipe shows the same facts as a
 * terminal, which adds bars and tables.
 */

import { renderSections, type Section } from '../../../terminal/section.ts';
import type { View } from '../../../terminal/view.ts';
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
  ];
  return renderSections(sections, notesOf(summary), view);
}

function method(summary: FootprintSummary): Section {
  return {
    name: 'method',
    prefix: 'method',
    facts: methodOf(summary).map(([label, text]) => ({ label, details: [['', text]] })),
  };
}
