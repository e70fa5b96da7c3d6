/* The words of all views for the values of the register and the summary. */
import { type Figure, figure } from '../../terminal/figure.ts';
import { count, dateText, plural } from '../../terminal/format.ts';
import type { FootprintSummary, SbtiShares, UpstreamSummary } from '../footprint-summary.ts';
import {
  type Basis,
  type Boundary,
  type Match,
  type RegisterRow,
  type UncoveredReason,
  uncoveredReasons,
} from '../register-row.ts';

/** Describes the emissions of each boundary. */
export const boundaryWords: Readonly<Record<Boundary, string>> = {
  'cradle-to-gate': 'scopes 1 and 2 and upstream scope 3 of each supplier',
  'scope-1-2': 'scopes 1 and 2 of each supplier',
  total: 'all scopes of each supplier, downstream emissions included',
};

/** Names the origin of figures by basis, the best first. */
export const basisWords: Readonly<
  Record<Basis, { readonly name: string; readonly short: string }>
> = {
  disclosed: { name: 'suppliers’ own figures', short: 'own figures' },
  factor: { name: 'factors of the service', short: 'service' },
  industry: { name: 'industry averages', short: 'industry' },
};

/** States what no view may hide: the boundary of industry averages is unknown. */
export const industryNote = 'The boundary of industry averages is not documented.';

/** Describes why a row with spend has no emissions. */
export const reasonWords: Readonly<Record<UncoveredReason, string>> = {
  not_registered: 'not registered',
  ambiguous_match: 'several records match',
  no_record: 'no record',
  in_progress: 'research in progress',
  errored: 'research failed',
  no_performance: 'no performance in the record',
  no_revenue: 'no revenue in the record',
  no_factor: 'no factor for this boundary',
  other_currency: 'factor in another currency',
  no_currency: 'no currency',
};

/** Describes why a row counts in no total. */
export const excludedWords: Readonly<Record<NonNullable<RegisterRow['excluded']>, string>> = {
  negative_net_spend: 'net spend is negative',
  no_spend: 'no spend',
};

/** Describes how carbon found the record of a row. */
export const matchWords: Readonly<Record<Match, string>> = {
  journal: 'batch journal',
  id: 'id',
  external_id: 'external id',
  name: 'name and country',
};

/** Looks up words; text that the table does not contain stays as it is. */
export function wordsFor(table: Readonly<Record<string, string>>, value: string): string {
  return (Object.hasOwn(table, value) ? table[value] : undefined) ?? value;
}

/** Names the unit of emissions: the declared one, or `service units`. */
export function unitText({ unit }: Pick<FootprintSummary, 'unit'>): string {
  return unit ?? 'service units';
}

const shareFormat = new Intl.NumberFormat('en', {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
  signDisplay: 'negative',
});

/**
 * Formats a share from 0 to 1 in percent with one decimal; only all of it is 100.0%, and only
 * nothing of it is 0.0%.
 */
export function shareText(share: number | null | undefined): string {
  if (share === null || share === undefined) return '–';
  if (share > 0 && share < 0.000_5) return '<0.1%';
  if (share < 1 && share >= 0.999_5) return '>99.9%';
  return shareFormat.format(share);
}

/** Divides a part by a total; null without a total. */
export function shareOf(part: number, total: number): number | null {
  return total > 0 ? part / total : null;
}

/** Formats an amount with its currency, `unknown` if the file states none. */
export function spendText(amount: number, currency: string | null): Figure {
  const { plain, exact, rounded, compact } = figure(amount);
  const code = currency === null || currency === 'unknown' ? 'of unknown currency' : currency;
  return {
    plain: `${plain} ${code}`,
    exact: `${exact} ${code}`,
    rounded: `${rounded} ${code}`,
    compact: `${compact} ${code}`,
  };
}

/** Lists the amounts of several currencies. */
export function spendList(spend: Readonly<Record<string, number>>): readonly Figure[] {
  return Object.entries(spend).map(([currency, amount]) => spendText(amount, currency));
}

/** States how many of the largest suppliers account for 80 % of the emissions. */
export function concentrationText({
  suppliers,
  suppliers_for_80_percent: few,
}: FootprintSummary): string | undefined {
  if (few === null) return undefined;
  const verb = few === 1 ? 'accounts' : 'account';
  return `${count.format(few)} of ${plural(suppliers, 'supplier')} ${verb} for 80% of the emissions`;
}

/** States which reading of the upstream factor applies, and why. */
export function upstreamText(upstream: UpstreamSummary): string {
  const { reading, decided_by } = upstream;
  if (reading === null) return 'no figure depends on the reading of the upstream factor';
  const meaning =
    reading === 'additive'
      ? 'additive: the upstream factor excludes scopes 1 and 2'
      : 'nested: the upstream factor contains scopes 1 and 2';
  return `${meaning}, ${decided_by === 'option' ? 'as --upstream states' : 'as the records show'}`;
}

/** Counts the records behind the reading of the upstream factor. */
export function upstreamEvidence({
  additive,
  nested,
  neither,
  undecided,
}: UpstreamSummary): string | undefined {
  if (additive + nested + neither + undecided === 0) return undefined;
  return [
    `${plural(additive, 'record agrees', 'records agree')} with additive`,
    `${count.format(nested)} with nested`,
    `${count.format(neither)} with neither`,
    `${count.format(undecided)} undecided`,
  ].join(' · ');
}

/** Describes the difference between the years of spend and factor, as `year_gaps` names it. */
export function yearGapText(gap: string): string {
  const years = Number(gap);
  if (!Number.isInteger(years)) return gap === 'unknown' ? 'year unknown' : gap;
  if (years === 0) return 'same year';
  return `${plural(Math.abs(years), 'year')} ${years > 0 ? 'earlier' : 'later'}`;
}

/** The suppliers with one status of the near-term target. */
export interface TargetRow {
  readonly label: string;
  readonly suppliers: number;
  readonly by_emissions: number | null;
  readonly by_spend: number | null;
  /** Whether the status counts as coverage. */
  readonly counts: boolean;
}

/** Lists the statuses of near-term targets, the covered first. Other statuses have no shares. */
export function targetRows({ sbti_coverage: coverage }: FootprintSummary): readonly TargetRow[] {
  const { set, committed, removed, none, unknown, committed_share, removed_share } = coverage;
  const unshared = { by_emissions: null, by_spend: null };
  return [
    { label: 'set', suppliers: set, counts: true, ...sharesOf(coverage) },
    { label: 'committed', suppliers: committed, counts: false, ...sharesOf(committed_share) },
    { label: 'removed', suppliers: removed, counts: false, ...sharesOf(removed_share) },
    { label: 'no target', suppliers: none, counts: false, ...unshared },
    { label: 'no data', suppliers: unknown, counts: false, ...unshared },
  ];
}

function sharesOf({ by_emissions, by_spend }: SbtiShares): SbtiShares {
  return { by_emissions, by_spend };
}

/** States the coverage if the largest suppliers without a target set one. */
export function whatIfText({ what_if, sbti_coverage }: FootprintSummary): string | undefined {
  if (what_if === null) return undefined;
  const change = (now: number | null, then: number | null, noun: string) =>
    now === null || then === null
      ? []
      : [`from ${shareText(now)} to ${shareText(then)} of the ${noun}`];
  const changes = [
    ...change(sbti_coverage.by_emissions, what_if.by_emissions, 'emissions'),
    ...change(sbti_coverage.by_spend, what_if.by_spend, 'spend'),
  ];
  const who =
    what_if.suppliers === 1
      ? 'If the largest supplier without a target sets one'
      : `If the ${count.format(what_if.suppliers)} largest suppliers without a target set one`;
  return changes.length === 0 ? undefined : `${who}, coverage rises ${changes.join(' and ')}.`;
}

/** Counts the uncovered rows of each reason, in words. */
export function reasonCounts({
  uncovered,
}: FootprintSummary): readonly (readonly [reason: string, rows: number])[] {
  return uncoveredReasons.flatMap((reason) => {
    const rows = uncovered[reason] ?? 0;
    return rows > 0 ? [[reasonWords[reason], rows] as const] : [];
  });
}

/** Names the supplier of a row by the user's name, else by the record's name or its id. */
export function supplierName({ supplier, name, id }: RegisterRow): string {
  return supplier ?? name ?? (id === null ? 'no name' : `id ${id}`);
}

/** Names the lines of a row in the user's file, such as `lines 3, 9 and 25 more`. */
export function lineText({ lines, line_count }: RegisterRow): string {
  const more = line_count - lines.length;
  const list = lines.join(', ') + (more > 0 ? ` and ${count.format(more)} more` : '');
  return `${line_count === 1 ? 'line' : 'lines'} ${list}`;
}

/** Describes the dates of the evidence on targets. */
export function evidenceText({
  from,
  to,
}: {
  readonly from: string | null;
  readonly to: string | null;
}): string {
  if (from === null && to === null) return 'No date of the evidence';
  const [first, last] = [dateText(from ?? to), dateText(to ?? from)];
  return first === last ? `Evidence of ${first}` : `Evidence from ${first} to ${last}`;
}
