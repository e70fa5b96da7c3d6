/* The words of all views for the values of line items and of the summary. */
import { figure } from '../../terminal/figure.ts';
import { count, dateText, naming, plural } from '../../terminal/format.ts';
import type { UpstreamSummary } from '../factors/figures.ts';
import type { LineItem } from '../footprint.ts';
import {
  type Basis,
  type Boundary,
  exclusionWords,
  type Match,
  matchWords,
  reasonWords,
} from '../line-item.ts';
import type { DateRange, FootprintSummary, ShareRange } from '../totals.ts';

/** Describes the emissions of each boundary. */
const boundaryWords: Readonly<Record<Boundary, string>> = {
  'cradle-to-gate': 'scopes 1 and 2 and upstream scope 3 of each supplier',
  'scope-1-2': 'scopes 1 and 2 of each supplier',
  total: 'all scopes of each supplier, including downstream emissions',
};

/** Names the origin of figures by basis, the best first. */
export const basisWords: Readonly<Record<Basis, string>> = {
  own: "the record's own figures",
  service: 'factors of the service',
  industry: 'industry averages',
};

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

/** Formats a share between two limits. */
export function rangeText({ from, to }: ShareRange): string {
  return from === to ? shareText(to) : `${shareText(from)} to ${shareText(to)}`;
}

/** Names an amount in its currency. */
export function spendText(amount: number, currency: string): string {
  return `${figure(amount).compact} ${currency === 'unknown' ? 'of unknown currency' : currency}`;
}

/** Names the supplier by the user's name, otherwise by the record's name or its ID. */
export function supplierName({
  supplier,
  name,
  id,
}: Pick<LineItem, 'supplier' | 'id'> & { readonly name?: string | null }): string {
  return supplier ?? name ?? (id === null ? 'no name' : `ID ${id}`);
}

/** Explains why a line item has no emissions or counts in no total; `covered` otherwise. */
export function coverageText({ excluded, uncovered, uncovered_detail }: LineItem): string {
  if (excluded !== null) return `excluded: ${exclusionWords[excluded]}`;
  if (uncovered === null) return 'covered';
  return [reasonWords[uncovered], uncovered_detail].filter(Boolean).join(': ');
}

/** Says how many of the largest suppliers account for 80 % of the emissions. */
export function concentrationText({
  suppliers,
  suppliers_for_80_percent: few,
}: FootprintSummary): string | undefined {
  if (few === null) return undefined;
  const verb = few === 1 ? 'accounts' : 'account';
  return `${count.format(few)} of ${plural(suppliers, 'supplier')} ${verb} for 80% of the emissions`;
}

/** Describes the dates of the evidence on targets. */
export function evidenceText({ from, to }: DateRange): string {
  if (from === null) return 'No date of the evidence';
  const [first, last] = [dateText(from), dateText(to)];
  return first === last ? `Evidence of ${first}` : `Evidence from ${first} to ${last}`;
}

/** Lists the key figures by name: the emissions, what they contain and how complete they are. */
export function keyFigures(
  summary: FootprintSummary,
): readonly (readonly [label: string, value: string | number | null])[] {
  const { emissions, years, emissions_by_basis: bases, supplier_data_share: data } = summary;
  return [
    ['total emissions', emissions ?? (years.length > 1 ? 'see the years' : 'none')],
    ['of these with a documented boundary', documentedEmissions(summary)],
    ['of these from industry averages', emissions && bases.industry],
    ['unit', unitText(summary)],
    ['boundary', summary.boundary],
    ['suppliers', summary.suppliers],
    ['line items with spend', summary.rows],
    ['covered line items', summary.covered_rows],
    ['supplier data share, at least', data.from],
    ['supplier data share, at most', data.to],
    ['completeness', summary.completeness],
    ['median of upstream categories', summary.upstream_categories],
  ];
}

/** Returns the emissions without those of industry averages; null without a total. */
export function documentedEmissions({ emissions, emissions_by_basis: bases }: FootprintSummary) {
  return emissions === null ? null : bases.own + bases.service;
}

/** Lists what a reader must know before using the figures. */
export function notesOf(summary: FootprintSummary): string[] {
  const { boundary, rows, covered_rows, synthetic, suppliers, years, units, warnings } = summary;
  const uncovered = rows - covered_rows;
  const old = Object.entries(summary.year_gaps)
    .filter(([gap]) => Math.abs(Number(gap)) > 2)
    .reduce((sum, [, items]) => sum + items, 0);
  const industry = summary.industry_share ?? 0;
  const notes = [
    synthetic > 0 &&
      `Synthetic sandbox data${synthetic < suppliers ? ` of ${plural(synthetic, 'supplier')}` : ''}, not real research`,
    boundary === 'total' &&
      'The boundary total contains downstream emissions of the suppliers, so the result is not a scope 3 category 1 figure',
    years.length > 1 &&
      `The file has spend of several years: each has its own total, and --year selects one. Categories, suppliers and targets are those of all years together`,
    industry > 0 &&
      `${shareText(industry)} of the emissions are from industry averages, whose boundary is not documented`,
    uncovered > 0 &&
      `${count.format(uncovered)} of ${plural(rows, 'line item')} with spend ${uncovered === 1 ? 'has no emissions: the total leaves it out' : 'have no emissions: the total leaves them out'}`,
    old > 0 &&
      `${plural(old, 'line item uses a factor', 'line items use a factor')} more than two years away from the year of the spend`,
    units.others.length > 0 &&
      `In ${plural(units.others.length, 'record')}, the emission factor times revenue is not the emissions, so their line items are uncovered: ${naming(units.others)}. A wrong unit or currency may be the cause`,
  ];
  return [...notes.filter((note) => note !== false), ...warnings.map(({ text }) => text)];
}

/** Lists the statements of the method; those about figures that do not exist are left out. */
export function methodOf(summary: FootprintSummary): readonly (readonly [string, string])[] {
  const { boundary, upstream, method, year_gaps, matched_by, unit } = summary;
  const order = [basisWords.own, basisWords.service];
  if (boundary === 'cradle-to-gate') order.push(`${basisWords.industry}, boundary not documented`);
  const { factor_unit: factorUnit } = method;
  const statements: readonly (readonly [string, string | undefined])[] = [
    ['formula', 'emissions = spend × factor: supplier emissions, allocated by revenue'],
    ['boundary', `${boundary}: ${boundaryWords[boundary]}`],
    ['basis', order.join('; otherwise ')],
    ['upstream factor', upstreamText(upstream)],
    ['evidence', upstreamEvidence(upstream)],
    [
      'year',
      `the year nearest to the spend, at most ${plural(method.max_factor_age, 'year')} older`,
    ],
    ['factor years', countList(year_gaps, yearGapText)],
    [
      'unit',
      unit === null
        ? 'the service documents none, so figures are in its own units'
        : `${unit}, as --unit declares${factorUnit === null ? '' : `; emission factors in ${factorUnit}, as --factor-unit declares`}; the service documents none`,
    ],
    [
      'unknown in the source',
      'CO2e or CO2, GWP, biogenic CO2, offsets, value added tax, who reported',
    ],
    ['rows of the file', method.selection.join('; ') || undefined],
    ['amounts', method.amounts.join('; ') || undefined],
    ['items matched by', countList(matched_by, (match) => matchWords[match as Match])],
    ['records', recordsText(method.service)],
    ['retrieved', retrievedText(method)],
    ['files', method.files.join(', ')],
    ['calculated', `${dateText(method.calculated_at)} by carbon ${method.version}`],
  ];
  return statements.flatMap(([label, text]) => (text ? [[label, text] as const] : []));
}

function upstreamText({ reading, decided_by }: UpstreamSummary): string {
  if (reading === null) return 'not needed: no result uses a common reading of the upstream factor';
  const meaning =
    reading === 'additive' ? 'it excludes scopes 1 and 2' : 'it contains scopes 1 and 2';
  const why = decided_by === 'option' ? 'as --upstream-factor says' : 'as the records show';
  return `${reading} (${meaning}), ${why}; a record that shows its own reading uses that`;
}

function upstreamEvidence(upstream: UpstreamSummary): string | undefined {
  const { additive, nested, neither, undecided } = upstream;
  if (additive + nested + neither + undecided === 0) return undefined;
  return [
    `${plural(additive, 'record agrees', 'records agree')} with additive`,
    `${count.format(nested)} with nested`,
    `${count.format(neither)} with neither`,
    `${count.format(undecided)} undecided`,
  ].join(' · ');
}

function yearGapText(gap: string): string {
  const years = Number(gap);
  if (!Number.isInteger(years)) return 'year unknown';
  if (years === 0) return 'same year';
  return `${plural(Math.abs(years), 'year')} ${years > 0 ? 'earlier' : 'later'}`;
}

function recordsText(service: string | null): string {
  if (service === null) return 'from files';
  return service === 'sandbox' ? 'from the sandbox, synthetic' : `from ${service}`;
}

function retrievedText({ service, retrieved }: FootprintSummary['method']): string {
  const { from, to } = retrieved;
  if (from === null && to === null)
    return service === null ? 'the files do not say when' : 'no record';
  const [first, last] = [dateText(from ?? to), dateText(to ?? from)];
  return first === last ? `${first}` : `from ${first} to ${last}`;
}

function countList(
  counts: Readonly<Record<string, number>>,
  label: (key: string) => string,
): string | undefined {
  const items = Object.entries(counts).map(
    ([key, rows], index) =>
      `${label(key)}: ${index === 0 ? plural(rows, 'line item') : count.format(rows)}`,
  );
  return items.length === 0 ? undefined : items.join(' · ');
}
