/*
 * Emissions, revenue and factors by year. `total` is the disclosed total and `sum` the sum of the
 * disclosed parts: the views keep them apart and add nothing up. Emissions have no unit, because
 * the specification documents none. A pipe has the latest year in full and a line for each earlier
 * one.
 */
import { type Organization, type Performance, scope3Categories } from '../../api/schema.ts';
import {
  basisOf,
  figureBases,
  figureName,
  type ReportedFigure,
  readEmissions,
  scopes,
} from '../../organizations/emissions.ts';
import { labelYears, latestPerformance, type Year } from '../../organizations/history.ts';
import { renderBar, renderBars } from '../../terminal/bar.ts';
import { renderFrame } from '../../terminal/columns.ts';
import { type Figure, figure, money } from '../../terminal/figure.ts';
import { regionName } from '../../terminal/format.ts';
import { sanitize } from '../../terminal/sanitize.ts';
import { type Fact, factLines, indent, type Section, titleLines } from '../../terminal/section.ts';
import type { Style } from '../../terminal/style.ts';
import { capital, wrap } from '../../terminal/text.ts';

/** Explains the marks of figures in lines of at most `columns`; no marks, no lines. */
export function legend(marks: ReadonlySet<string>, columns: number, style: Style): string[] {
  const used = figureBases.filter(({ mark }) => mark !== '' && marks.has(mark));
  if (used.length === 0) return [];
  return wrap(used.map(({ mark, meaning }) => `${mark} ${meaning}`).join(' · '), columns).map(
    style.dim,
  );
}

/** Describes the emissions of every year. */
export function emissions(record: Organization): Section {
  const { years, region } = labelYears(record);
  const reported = years.filter((year) =>
    yearFacts(year, scopes.scope_3).some(({ details }) =>
      details.some(([, value]) => value !== undefined),
    ),
  );
  const shown = latestPerformance(record);
  const latest = reported.find(({ performance }) => performance === shown);
  const inFull = latest
    ? [regionFact(latest), ...yearFacts(latest, scopes.scope_3)].map((fact) => ({
        ...fact,
        label: `${latest.label} ${fact.label}`,
      }))
    : [];
  return {
    name: 'emissions',
    note: [region, 'no unit is documented'].filter(Boolean).join(' · '),
    prefix: 'emissions',
    facts: [...inFull, ...newest(reported.filter((year) => year !== latest).map(yearSummary))],
    renderTerminal: (columns, style) => [
      ...emissionsTable(reported, columns, style),
      ...(latest
        ? [
            '',
            ...titleLines(`${latest.label} in detail`, undefined, columns - 2, style).map(indent),
            ...factLines(yearFacts(latest, totals), columns, style),
            ...largestCategories(latest, columns, style),
          ]
        : []),
    ],
    showsGaps: true,
  };
}

const totals = ['total', 'sum'] as const;

type Amounts<Key extends string> =
  | { readonly [K in Key]?: number | null | undefined }
  | null
  | undefined;

function yearFacts(
  { performance }: Year,
  scope3Figures: readonly (typeof scopes.scope_3)[number][],
): Fact[] {
  const { scope_1, scope_2, scope_1_and_2, scope_3, total, sum } = performance.emissions ?? {};
  const scope = <Key extends string>(
    label: string,
    amounts: Amounts<Key>,
    keys: readonly Key[],
  ): Fact => ({
    label,
    details: keys.map((key) => {
      const amount = amounts?.[key];
      return [figureName(key), typeof amount === 'number' ? figure(amount) : undefined];
    }),
    unknown: 'not disclosed',
  });
  return [
    scope('scope 1', scope_1, scopes.scope_1),
    scope('scope 2', scope_2, scopes.scope_2),
    { ...scope('scope 1 and 2', scope_1_and_2, scopes.scope_1_and_2), minor: true },
    scope('scope 3', scope_3, scope3Figures),
    scope('total', { total, sum }, totals),
  ];
}

function regionFact({ performance }: Year): Fact {
  return { label: 'region', details: [['', regionName(performance.region)]], minor: true };
}

const tableScopes = [
  { key: 'scope1', title: 'Scope 1' },
  { key: 'scope2', title: 'Scope 2' },
  { key: 'scope1And2', title: 'Scope 1+2' },
  { key: 'scope3', title: 'Scope 3' },
  { key: 'total', title: 'Total' },
] as const;

function yearSummary({ label, performance }: Year): Fact {
  const figures = readEmissions(performance.emissions);
  const details = tableScopes.map(({ key, title }) => {
    const reported = figures[key];
    const text = reported && `${figure(reported.value).plain} ${basisOf(reported)}`;
    return [title.toLowerCase(), text] as const;
  });
  return { label, details, minor: true };
}

const maxYears = 6;

/* Limits the lines of years in a pipe. */
function newest(facts: readonly Fact[]): Fact[] {
  const others = facts.length - maxYears;
  if (others <= 0) return [...facts];
  const rest: Fact = {
    label: 'earlier years',
    details: [['', `${others} more, only with --json`]],
    minor: true,
  };
  return [...facts.slice(0, maxYears), rest];
}

/* Renders a row for each year and a column for each scope. */
function emissionsTable(years: readonly Year[], columns: number, style: Style): string[] {
  const rows = years.map(({ label, performance }) => ({
    label,
    figures: readEmissions(performance.emissions),
  }));
  const isCombined = rows.some(
    ({ figures: { scope1, scope2, scope1And2 } }) => scope1And2 && !(scope1 && scope2),
  );
  const shown = tableScopes.filter(({ key }) => key !== 'scope1And2' || isCombined);
  const marks = new Set(
    rows.flatMap(({ figures }) => shown.map(({ key }) => figures[key]?.mark ?? '')),
  );
  const space = marks.size > 1 || !marks.has('') ? ' ' : '';
  const cell = (reported: ReportedFigure | undefined) =>
    reported
      ? figure(reported.value).rounded + (reported.mark ? style.dim(reported.mark) : space)
      : style.dim('–') + space;
  const lines = renderFrame(
    [
      { title: 'Year', wraps: true },
      ...shown.map(({ title }) => ({ title: title + space, align: 'right' as const })),
    ],
    rows.map(({ label, figures }) => [label, ...shown.map(({ key }) => cell(figures[key]))]),
    style,
    columns - 2,
  ).map(indent);
  return [...lines, ...legend(marks, columns - 2, style).map(indent)];
}

const categoriesShown = 5;
const categoryBarWidth = 16;

/*
 * Renders the five largest scope 3 categories of a year with the numbers and names of the GHG
 * Protocol. Bars are relative to the largest category. Without categories there are no lines.
 */
function largestCategories({ label, performance }: Year, columns: number, style: Style): string[] {
  const amounts = scope3Categories.flatMap((category, index) => {
    const value = performance.emissions?.scope_3?.[category];
    const name = `${index + 1} ${capital(figureName(category))}`;
    return typeof value === 'number' ? { name, value } : [];
  });
  const largest = amounts.toSorted((a, b) => b.value - a.value).slice(0, categoriesShown);
  const [first] = largest;
  if (!first) return [];
  const others = amounts.length - largest.length;
  const title = `${label} scope 3 by category`;
  const note = `${amounts.length} of 15 disclosed`;
  const rows = largest.map(({ name, value }) => ({
    label: name,
    figures: [figure(value).rounded],
    bar: (size: number) => renderBar(value / first.value, size, style),
  }));
  return [
    '',
    ...titleLines(title, note, columns - 2, style).map(indent),
    ...renderBars(rows, columns - 2, style, categoryBarWidth),
    ...(others > 0 ? [style.dim(`  and ${others} smaller`)] : []),
  ];
}

/** Describes revenue and emission factors of every year, in the currency that the record names. */
export function performance(record: Organization): Section {
  const years = labelYears(record).years.filter(({ performance: year }) =>
    amounts(year).some((amount) => amount !== undefined),
  );
  return {
    name: 'revenue and emission factors',
    note: years.length > 0 ? currencyNote(years) : undefined,
    prefix: 'performance',
    facts: newest(years.map(performanceFact)),
    renderTerminal: (columns, style) =>
      renderFrame(
        ['Year', 'Revenue', 'Factor', 'Scope 1+2', 'Upstream'].map((title, index) => ({
          title,
          align: index > 0 ? 'right' : 'left',
          wraps: true,
        })),
        years.map(({ label, performance: year }) => [
          label,
          ...amounts(year).map((amount) => amount?.rounded ?? '–'),
        ]),
        style,
        columns - 2,
      ).map(indent),
    showsGaps: true,
  };
}

function performanceFact(year: Year): Fact {
  const [revenue, factor, scope1And2, upstream] = amounts(year.performance);
  return {
    label: year.label,
    details: [
      ['revenue', revenue],
      ['currency', year.performance.revenue_currency],
      ['emission factor', factor],
      ['scope 1 and 2 emission factor', scope1And2],
      ['total upstream emission factor', upstream],
      ...regionFact(year).details.map(([, region]) => ['region', region] as const),
    ],
    minor: true,
  };
}

function currencyNote(years: readonly Year[]): string {
  const currencies = new Set(years.flatMap(({ performance: year }) => currencyOf(year) ?? []));
  if (currencies.size === 0) return 'the record names no currency';
  return currencies.size === 1
    ? `in ${[...currencies][0]}`
    : 'factors are in the currency of the revenue';
}

function currencyOf(year: Performance): string | undefined {
  return sanitize(year.revenue_currency ?? '').trim() || undefined;
}

function amounts(year: Performance): (Figure | undefined)[] {
  const { revenue, emission_factor, scope_1_and_2_emission_factor } = year;
  const factors = [
    emission_factor,
    scope_1_and_2_emission_factor,
    year.total_upstream_emission_factor,
  ];
  return [
    typeof revenue === 'number' ? money(revenue, currencyOf(year)) : undefined,
    ...factors.map((factor) => (typeof factor === 'number' ? figure(factor) : undefined)),
  ];
}
