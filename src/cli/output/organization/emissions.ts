/*
 * Emissions by year and scope. `total` is the disclosed total and `sum` the sum of the disclosed
 * parts: the view keeps them apart and adds nothing up. It shows no unit, because the specification
 * documents none.
 */
import type { Organization } from '../../../api/schema.ts';
import { figureName, scopes } from '../../../organizations/emissions.ts';
import { labelYears, latestPerformance, type Year } from '../../../organizations/history.ts';
import { figure } from '../../../terminal/figure.ts';
import {
  type Detail,
  type Fact,
  factLines,
  indent,
  type Section,
  titleLines,
} from '../../../terminal/section.ts';
import { largestCategories } from './categories.ts';
import { emissionsTable } from './emissions-table.ts';

type Scope3Figures = readonly (typeof scopes.scope_3)[number][];
type Amounts<Key extends string> =
  | { readonly [K in Key]?: number | null | undefined }
  | null
  | undefined;

const totals = ['total', 'sum'] as const;

/**
 * Describes the emissions of every year: on a terminal as a table with details of the latest year,
 * in a pipe with every figure.
 */
export function emissions(record: Organization): Section {
  const { years, region } = labelYears(record);
  const reported = years.filter((year) => yearFacts(year, '', scopes.scope_3).some(isReported));
  const shown = latestPerformance(record);
  const latest = reported.find(({ performance }) => performance === shown);
  return {
    name: 'emissions',
    note: [region, 'no unit is documented'].filter(Boolean).join(' · '),
    prefix: 'emissions',
    facts: reported.flatMap((year) => yearFacts(year, `${year.label} `, scopes.scope_3)),
    renderTerminal: (columns, style) => [
      ...emissionsTable(reported, columns, style),
      ...(latest
        ? [
            '',
            ...titleLines(`${latest.label} in detail`, undefined, columns - 2, style).map(indent),
            ...factLines(yearFacts(latest, '', totals), columns, style),
            ...largestCategories(latest, columns, style),
          ]
        : []),
    ],
    showsGaps: true,
  };
}

function yearFacts({ performance }: Year, prefix: string, scope3Figures: Scope3Figures): Fact[] {
  const { scope_1, scope_2, scope_1_and_2, scope_3, total, sum } = performance.emissions ?? {};
  const unknown = 'not disclosed';
  return [
    { label: `${prefix}scope 1`, details: details(scope_1, scopes.scope_1), unknown },
    { label: `${prefix}scope 2`, details: details(scope_2, scopes.scope_2), unknown },
    {
      label: `${prefix}scope 1 and 2`,
      details: details(scope_1_and_2, scopes.scope_1_and_2),
      unknown,
      minor: true,
    },
    { label: `${prefix}scope 3`, details: details(scope_3, scope3Figures), unknown },
    { label: `${prefix}total`, details: details({ total, sum }, totals), unknown },
  ];
}

function isReported({ details }: Fact): boolean {
  return details.some(([, value]) => value !== undefined);
}

function details<Key extends string>(amounts: Amounts<Key>, keys: readonly Key[]): Detail[] {
  return keys.map((key) => {
    const amount = amounts?.[key];
    return [figureName(key), typeof amount === 'number' ? figure(amount) : undefined];
  });
}
