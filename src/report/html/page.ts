/* The report as one self-contained HTML page. Everything from records is text. */

import { organizationsText } from '../../page/html.ts';
import { renderSkeleton } from '../../page/skeleton.ts';
import { dateText } from '../../terminal/format.ts';
import { notesOf } from '../summary/labels.ts';
import type { RankedEmitter } from '../summary/top-emitters.ts';
import type { Summary } from '../summary.ts';
import { emissions, scores } from './chart-sections.ts';
import { commitments, gapsAndRevenue, largest, ranks, tiles } from './sections.ts';
import { organizationTable } from './table.ts';

/** The origin of a page, which it states. */
export interface Provenance {
  /** The time when carbon created the page, in milliseconds since 1970. */
  readonly at: number;
  /** The names of the inputs. */
  readonly from: readonly string[];
  /** The title of the page; undefined for the usual one. */
  readonly title?: string | undefined;
}

/**
 * Renders the page.
 * @param emitters rows of the table of organizations
 */
export function renderPage(
  summary: Summary,
  emitters: readonly RankedEmitter[],
  provenance: Provenance,
): string {
  const { organizations } = summary;
  const lead = `${organizationsText(organizations)} · from ${provenance.from.join(', ')} · ${dateText(new Date(provenance.at).toISOString())}`;
  return renderSkeleton({
    title: provenance.title ?? 'Climate portfolio report',
    subtitle: organizationsText(organizations),
    lead,
    notes: notesOf(summary),
    skip: 'Skip to the table of organizations',
    tiles: tiles(summary),
    cards: [
      emissions(summary),
      scores(summary),
      commitments(summary),
      ranks(summary),
      largest(summary),
      gapsAndRevenue(summary),
    ],
    table: organizationTable(emitters, organizations),
    footerTitle: 'How to read this report',
    readingNotes,
  });
}

const readingNotes = [
  'The report estimates nothing: a sum contains only disclosed figures, and the number beside it states how many organizations it covers.',
  'The service documents no unit of emissions, so none is shown. Revenue is grouped by the currency of the record; carbon never adds amounts in different currencies.',
  'If an organization discloses no total, the report uses its market-based figure, else its location-based figure, else the sum of its disclosed parts.',
  'Scope 1+2 counts organizations that disclose the two scopes only together. The total of a year is the sum of disclosed totals. It can differ from the sum of the scopes, because different organizations may disclose them.',
  'A year is partial if more organizations disclosed another year.',
  'The status synced means that research is finished; errored means that it failed. Every other status means that it is in progress.',
  'Quartiles are interpolated linearly between the two nearest scores.',
];
