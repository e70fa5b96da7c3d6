import {
  fieldOf,
  figureName,
  type ReportedEmissions,
  readEmissions,
  scopes,
} from '../../../organizations/emissions.ts';
import type { CsvValue } from '../../../table/output-cell.ts';
import type { CsvSource } from '../csv-source.ts';
import { type CsvColumn, number, text } from './column.ts';

/** The columns with figures of one year. */
export const figureColumns: readonly CsvColumn[] = [
  number(
    'performance_year',
    'Year of all figures below: the latest of `performances` with emissions, else with any figure',
    (row) => row.latest.year,
  ),
  text('performance_region', 'Region of these figures', (row) => row.latest.region),
  text(
    'revenue_currency',
    'Currency of revenue and factors, ISO 4217 code',
    (row) => row.latest.revenue_currency,
  ),
  number('revenue', 'Revenue', (row) => row.latest.revenue),
  number('emission_factor', 'Emission factor', (row) => row.latest.emission_factor),
  number(
    'scope_1_and_2_emission_factor',
    'Emission factor of scopes 1 and 2',
    (row) => row.latest.scope_1_and_2_emission_factor,
  ),
  number(
    'total_upstream_emission_factor',
    'Emission factor of all upstream activities',
    (row) => row.latest.total_upstream_emission_factor,
  ),
  number('emissions_total', 'Emissions: the disclosed total', (row) => row.latest.emissions?.total),
  number(
    'emissions_sum',
    'Emissions: the sum of the disclosed parts',
    (row) => row.latest.emissions?.sum,
  ),
  ...(['scope_1', 'scope_2', 'scope_1_and_2', 'scope_3'] as const).flatMap((scope) =>
    scopes[scope].map((field) => {
      const subject = `${scope.replaceAll('_', ' ')}, ${figureName(field) || 'the disclosed total'}`;
      return number(`emissions_${scope}_${field}`, `Emissions: ${subject}`, (row) => {
        const figures = row.latest.emissions?.[scope];
        return (figures as Readonly<Record<string, CsvValue>> | null | undefined)?.[field];
      });
    }),
  ),
];

/* Reads the figure that the table and the report show for a scope. */
const reported = (row: CsvSource, scope: keyof ReportedEmissions) =>
  readEmissions(row.latest.emissions)[scope];

const reportedPair = (
  name: string,
  what: string,
  scope: keyof ReportedEmissions,
): readonly CsvColumn[] => [
  number(
    name,
    `Emissions: ${what} that tables and reports show`,
    (row) => reported(row, scope)?.value,
  ),
  text(`${name}_basis`, `Basis of \`${name}\`: the field that holds the figure`, (row) => {
    const figure = reported(row, scope);
    return figure && fieldOf(figure);
  }),
];

/** The columns with the figure that tables and reports show, and with its basis. */
export const reportedColumns: readonly CsvColumn[] = reportedPair(
  'emissions',
  'the figure',
  'total',
);

/** The columns with the figures of scopes that tables and reports show. */
export const scopeColumns: readonly CsvColumn[] = [
  ...reportedPair('emissions_scope_1', 'the figure of scope 1', 'scope1'),
  ...reportedPair('emissions_scope_2', 'the figure of scope 2', 'scope2'),
  ...reportedPair('emissions_scope_1_and_2', 'the joint figure of scopes 1 and 2', 'scope1And2'),
  ...reportedPair('emissions_scope_3', 'the figure of scope 3', 'scope3'),
];
