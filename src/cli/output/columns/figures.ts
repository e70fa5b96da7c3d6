import { isObject } from '../../../api/ids.ts';
import type { Organization } from '../../../api/schema.ts';
import {
  basisOf,
  fieldOf,
  figureName,
  hasReportedFigure,
  type ReportedEmissions,
  readEmissions,
  scopes,
} from '../../../organizations/emissions.ts';
import { isSynthetic } from '../../../organizations/history.ts';
import type { CsvValue } from '../../../table/output-cell.ts';
import { number, type RecordColumn, type RecordRow, text } from './column.ts';

/* The figures that views show, by the names of their columns. */
const resolved = {
  scope_1: 'scope1',
  scope_2: 'scope2',
  scope_1_and_2: 'scope1And2',
  scope_3: 'scope3',
  total: 'total',
} as const satisfies Readonly<Record<string, keyof ReportedEmissions>>;

type ResolvedName = keyof typeof resolved;

const figureOf = ({ performance }: RecordRow, name: ResolvedName) =>
  readEmissions(performance.emissions)[resolved[name]];

/* A figure that views show, with the field that holds it. */
function resolvedPair(name: ResolvedName, basis: string, what: string): RecordColumn[] {
  return [
    {
      ...number(name, `Emissions: ${what}`, (row) => figureOf(row, name)?.value),
      mark: (row) => figureOf(row, name)?.mark ?? '',
    },
    text(`${name}_${basis}`, `The field that holds \`${name}\``, (row) => {
      const figure = figureOf(row, name);
      return figure && fieldOf(figure);
    }),
  ];
}

/** The columns with figures of one year and region. */
export const figureColumns: readonly RecordColumn[] = [
  text('performance_region', 'Region of these figures', ({ performance }) => performance.region),
  number(
    'performance_regions',
    'Number of regions with emissions in this year; with several, another region has other figures',
    ({ record, performance: { year } }) =>
      record.performances?.filter((each) => each.year === year && hasReportedFigure(each.emissions))
        .length,
  ),
  text(
    'revenue_currency',
    'Currency of revenue and factors, ISO 4217 code',
    ({ performance }) => performance.revenue_currency,
  ),
  number('revenue', 'Revenue', ({ performance }) => performance.revenue),
  number('emission_factor', 'Emission factor', ({ performance }) => performance.emission_factor),
  number(
    'industry_emission_factor',
    'Emission factor of the industry in its latest year, beside the own one',
    ({ record }) => industryFactor(record)?.factor,
  ),
  number(
    'industry_emission_factor_year',
    'Year of the emission factor of the industry',
    ({ record }) => industryFactor(record)?.year,
  ),
  number(
    'scope_1_and_2_emission_factor',
    'Emission factor of scopes 1 and 2',
    ({ performance }) => performance.scope_1_and_2_emission_factor,
  ),
  number(
    'total_upstream_emission_factor',
    'Emission factor of all upstream activities',
    ({ performance }) => performance.total_upstream_emission_factor,
  ),
  ...resolvedPair('scope_1', 'basis', 'scope 1, the total or the sum of its parts'),
  ...resolvedPair('scope_2', 'method', 'scope 2, the total, market-based or location-based'),
  ...resolvedPair('scope_1_and_2', 'method', 'scopes 1 and 2 as one figure'),
  ...resolvedPair('scope_3', 'basis', 'scope 3, the total or the sum of its categories'),
  ...resolvedPair('total', 'basis', 'all scopes, the total or the sum of the parts'),
  number(
    'scope_3_categories',
    'Number of disclosed scope 3 categories, of 15',
    ({ performance }) => {
      const { scope_3 } = performance.emissions ?? {};
      return scope_3
        ? scopes.scope_3.slice(2).filter((category) => typeof scope_3[category] === 'number').length
        : undefined;
    },
  ),
  number(
    'emissions_total',
    'Emissions: the disclosed total',
    ({ performance }) => performance.emissions?.total,
  ),
  number(
    'emissions_sum',
    'Emissions: the sum of the disclosed parts',
    ({ performance }) => performance.emissions?.sum,
  ),
  ...(['scope_1', 'scope_2', 'scope_1_and_2', 'scope_3'] as const).flatMap((scope) =>
    scopes[scope].map((field) => {
      const subject = `${scope.replaceAll('_', ' ')}, ${figureName(field) || 'the disclosed total'}`;
      return number(`emissions_${scope}_${field}`, `Emissions: ${subject}`, ({ performance }) => {
        const figures = performance.emissions?.[scope];
        return (figures as Readonly<Record<string, CsvValue>> | null | undefined)?.[field];
      });
    }),
  ),
];

/** The columns that explain the figures in a pipe, where a terminal has marks and a note. */
export const noteColumns: readonly RecordColumn[] = [
  text(
    'basis',
    'What the figures of the scopes are if no total was disclosed, such as `scope_2 market-based`',
    (row) =>
      (['scope_1', 'scope_2', 'scope_3', 'total'] as const)
        .flatMap((name) => {
          const figure = figureOf(row, name);
          return figure?.mark ? `${name} ${basisOf(figure)}` : [];
        })
        .join(', ') || undefined,
  ),
  text('sandbox', 'The word `synthetic` for data of the sandbox', ({ record }) =>
    isSynthetic(record) ? 'synthetic' : undefined,
  ),
];

/* The specification does not show the form of these items. */
function industryFactor({ industry }: Organization): { factor: number; year: number } | undefined {
  let latest: { factor: number; year: number } | undefined;
  for (const item of industry?.performances ?? []) {
    if (!isObject(item)) continue;
    const { emission_factor: factor, year } = item;
    if (typeof factor !== 'number' || typeof year !== 'number') continue;
    if (latest === undefined || year > latest.year) latest = { factor, year };
  }
  return latest;
}
