/* The method, which every view states: an auditor must be able to repeat the calculation. */
import { count, dateText, plural } from '../../terminal/format.ts';
import type { FootprintSummary } from '../footprint-summary.ts';
import {
  basisWords,
  boundaryWords,
  matchWords,
  reasonCounts,
  unitText,
  upstreamEvidence,
  upstreamText,
  wordsFor,
  yearGapText,
} from './words.ts';

/** Lists the statements of the method; those about figures that do not exist are left out. */
export function methodOf(summary: FootprintSummary): readonly (readonly [string, string])[] {
  const { boundary, upstream, method, year_gaps, matched_by } = summary;
  const { disclosed, factor, industry } = basisWords;
  const order = [disclosed.name, factor.name];
  if (method.fallback === 'industry') order.push(`${industry.name}, boundary not documented`);
  const evidence = upstreamEvidence(upstream);
  const statements: readonly (readonly [string, string | undefined])[] = [
    ['formula', 'emissions = spend × factor, in the currency of the spend'],
    ['boundary', `${boundary}: ${boundaryWords[boundary]}`],
    ['basis', `${order.join('; else ')}${method.fallback === 'none' ? '; no fallback' : ''}`],
    ['upstream factor', upstreamText(upstream)],
    ['evidence', evidence],
    ['year', 'the latest one up to the year of the spend, else the earliest later one'],
    ['factor years', countList(year_gaps, yearGapText, sortedGaps)],
    ['unit', unitStatement(summary)],
    ['rows matched by', countList(matched_by, (match) => wordsFor(matchWords, match))],
    ['left out', leftOut(summary)],
    ['records', recordsText(method.service)],
    ['retrieved', retrievedText(method)],
    ['files', method.files.join(', ')],
    ['calculated', `${dateText(method.calculated_at)} by carbon ${method.version}`],
  ];
  return statements.flatMap(([label, text]) => (text ? [[label, text] as const] : []));
}

function unitStatement(summary: FootprintSummary): string {
  return summary.unit === null
    ? 'the service documents none, so figures are in its own units'
    : `${unitText(summary)}, as --unit declares; the service documents none`;
}

function recordsText(service: string | null): string {
  if (service === null) return 'from snapshots';
  return service === 'sandbox' ? 'from the sandbox, synthetic' : `from ${service}`;
}

function retrievedText({ service, retrieved }: FootprintSummary['method']): string {
  const { from, to } = retrieved;
  if (from === null && to === null) {
    return service === null ? 'the snapshots do not state when' : 'no record';
  }
  const [first, last] = [dateText(from ?? to), dateText(to ?? from)];
  return first === last ? `${first}` : `from ${first} to ${last}`;
}

function leftOut(summary: FootprintSummary): string {
  const { negative_net_spend: negative, no_spend } = summary.excluded;
  const parts = [
    ...reasonCounts(summary).map(([reason, rows]) => `${plural(rows, 'row')}: ${reason}`),
    ...(negative.rows > 0
      ? [`${plural(negative.suppliers, 'supplier')} with negative net spend`]
      : []),
    ...(no_spend.rows > 0 ? [`${plural(no_spend.rows, 'row')} without spend`] : []),
  ];
  return parts.length === 0 ? 'nothing' : parts.join('; ');
}

type Entries = readonly (readonly [string, number])[];

function countList(
  counts: Readonly<Record<string, number>>,
  label: (key: string) => string,
  order = (entries: Entries): Entries => entries,
): string | undefined {
  const items = order(Object.entries(counts)).map(
    ([key, rows], index) =>
      `${label(key)}: ${index === 0 ? plural(rows, 'row') : count.format(rows)}`,
  );
  return items.length === 0 ? undefined : items.join(' · ');
}

/* Later factors first, then the same year and older ones; unknown years last. */
function sortedGaps(entries: Entries): Entries {
  const rank = (gap: string) => (Number.isInteger(Number(gap)) ? Number(gap) : Infinity);
  return entries.toSorted(([a], [b]) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}
