/* How a footprint was calculated, in words. */
import { dateText, listing, plural } from '../../../display/terminal/format.ts';
import { syntheticNote } from '../../../display/terminal/style.ts';
import { serviceInWords, unitOnSheet, unitOrUnknown } from '../../organizations/statements.ts';
import { recordDays } from '../../records/dates.ts';
import type { UpstreamSummary } from '../factors/figures.ts';
import type { Boundary } from '../line-item.ts';
import type { FootprintSummary } from '../totals.ts';
import { supplierName } from './words.ts';

const boundaryWords: Readonly<Record<Boundary, string>> = {
  'cradle-to-gate': 'scopes 1 and 2 and upstream scope 3 of each supplier',
  'scope-1-2': 'scopes 1 and 2 of each supplier',
  total: 'all scopes of each supplier, including downstream emissions',
};

type Statements = readonly (readonly [label: string, text: string])[];

/** Lists the statements of the method; those about figures that do not exist are left out. */
export function methodOf(summary: FootprintSummary): Statements {
  const { as_of, written_at, method } = summary;
  return [
    ...calculation(summary, unitOrUnknown),
    ...recordsFrom(summary),
    ...(as_of === null ? [] : [['as of', as_of] as const]),
    ['files', method.files.join(', ')],
    ['written', `${dateText(written_at)} by carbon ${method.version}`],
  ];
}

/* Names the service that other sentences only call the service. */
function recordsFrom(summary: FootprintSummary): Statements {
  const days = recordDays(summary);
  return summary.method.service === null
    ? [['records', `from files, ${days}`]]
    : [['the service', `${sourceOf(summary)}; ${days}`]];
}

/** Returns the part of the method on the first sheet of a workbook, which has the dates. */
export function methodOnSheet(summary: FootprintSummary): readonly [title: string, Statements] {
  const { files, service } = summary.method;
  return [
    'Method',
    [
      ...calculation(summary, unitOnSheet),
      ...(service === null ? [] : [['service', sourceOf(summary)] as const]),
      ['files', files.join(', ')],
    ],
  ];
}

/** Returns notes for that sheet, whose second line says that all data is synthetic. */
export function notesOnSheet(notes: readonly string[]): Statements {
  return notes.filter((note) => note !== syntheticNote()).map((note) => ['', note]);
}

function sourceOf({ method: { service } }: FootprintSummary): string {
  return service === null ? 'files' : serviceInWords(service);
}

function calculation(summary: FootprintSummary, unknown: (unit: null) => string): Statements {
  const { boundary, upstream, method, unit } = summary;
  const { industry } = summary.emissions_by_basis;
  const ofAverages = industry === 0 ? '' : '; of industry averages: unknown';
  const { max_factor_age: age } = method;
  const statements: Statements = [
    ['formula', 'emissions = spend × factor: supplier emissions, allocated by revenue'],
    ['boundary', `${boundary}: ${boundaryWords[boundary]}${ofAverages}`],
    ['upstream factor', upstreamText(upstream)],
    [
      'year',
      [`the year nearest to the spend, at most ${plural(age, 'year')} older`, figuresText(summary)]
        .filter(Boolean)
        .join(': '),
    ],
    ['unit', unit === null ? unknown(unit) : `${unit}, by --unit`],
    [
      'unknown in the source',
      'CO2e or CO2, GWP, biogenic CO2, offsets, value added tax, who reported',
    ],
    ['rows of the file', method.selection.join('; ')],
    ['amounts', method.amounts.join('; ')],
  ];
  return statements.filter(([, text]) => text !== '');
}

const basisNames = {
  own: 'own figures',
  service: "the service's factors",
  industry: 'industry averages',
} as const;

const maxNamedYears = 3;

/**
 * Says of which years the figures behind the factors are; empty if they name none. Those of other
 * years than the spend are counted, and a single supplier is named.
 */
export function figuresText({
  factor_years: all,
  years: spent,
}: Pick<FootprintSummary, 'factor_years' | 'years'>): string {
  const parts = all.map((each) => ({ basis: each.basis, text: yearsText(each, spent) }));
  const [first, ...others] = parts;
  if (first === undefined) return '';
  return others.length > 0 && others.every(({ text }) => text === first.text)
    ? `all figures of ${first.text}`
    : parts.map(({ basis, text }) => `${basisNames[basis]} of ${text}`).join('; ');
}

function yearsText(
  { from, to, years }: FootprintSummary['factor_years'][number],
  spent: FootprintSummary['years'],
): string {
  const isSpent = (of: number) => spent.some(({ year }) => year === of);
  const [same, others] = [true, false].map((wanted) =>
    years.filter(({ year }) => isSpent(year) === wanted),
  );
  if (same === undefined || others === undefined || same.length === 0 || years.length < 2)
    return from === to ? String(from) : `${from} to ${to}`;
  const few = others.toReversed().slice(0, maxNamedYears);
  const rest = others.slice(0, -maxNamedYears);
  const number = rest.reduce((sum, { suppliers }) => sum + suppliers, 0);
  const [last] = rest.slice(-1);
  return [
    listing(same.map(({ year }) => String(year))),
    ...few.map(({ year, suppliers, ...each }) =>
      suppliers === 1 ? `one of ${year} (${supplierName(each)})` : `${suppliers} of ${year}`,
    ),
    ...(last === undefined ? [] : [`${number} of ${from} to ${last.year}`]),
  ].join(', ');
}

function upstreamText({ reading, decided_by, of_suppliers: own, ...all }: UpstreamSummary): string {
  const [numberOwn = 0, numberAll = 0] = [own, all].map(
    ({ additive, nested, undecided }) => additive + nested + undecided,
  );
  const others =
    numberOwn === numberAll ? '' : `; of all ${plural(numberAll, 'record')}: ${readingsText(all)}`;
  const whose =
    own.organizations < numberOwn
      ? `${plural(own.organizations, 'supplier')} bought from (one for each currency)`
      : 'the suppliers bought from';
  const evidence = readingsText(own) || 'none shows it';
  const records = `of the ${plural(numberOwn, 'record')} of ${whose}: ${evidence}${others}`;
  if (reading === null) return `not needed; ${records}`;
  const meaning = reading === 'additive' ? 'excludes' : 'contains';
  const why = decided_by === 'option' ? 'by --upstream-factor' : 'as the records show';
  return `${reading} (${meaning} scopes 1 and 2), ${why}; ${records}`;
}

function readingsText({
  additive,
  nested,
  undecided,
}: Pick<UpstreamSummary, 'additive' | 'nested' | 'undecided'>): string {
  const found = [
    [additive, plural(additive, 'shows', 'show'), 'that it excludes scopes 1 and 2'],
    [nested, plural(nested, 'shows', 'show'), 'that it contains scopes 1 and 2'],
    [undecided, plural(undecided, 'does', 'do'), 'not show it'],
  ] as const;
  return found.flatMap(([number, who, what]) => (number > 0 ? [`${who} ${what}`] : [])).join(', ');
}
