/*
 * Emissions by year and scope. `total` is the disclosed total and `sum` the sum of the disclosed
 * parts: the view keeps them apart and adds nothing up. It shows no unit, because the specification
 * documents none.
 */
import { type Organization, scope3Categories } from '../../../api/schema.ts';
import { figureName, scopes } from '../../../organizations/emissions.ts';
import { labelYears, latestPerformance, type Year } from '../../../organizations/history.ts';
import { renderBar } from '../../../terminal/bar.ts';
import { figure } from '../../../terminal/figure.ts';
import {
  type Detail,
  type Fact,
  factLines,
  indent,
  type Section,
  titleLines,
} from '../../../terminal/section.ts';
import type { Style } from '../../../terminal/style.ts';
import { capital, pad, truncate, width } from '../../../terminal/text.ts';
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

const categoriesShown = 5;
const maxBarWidth = 24;
const minBarWidth = 6;

/*
 * Renders the five largest scope 3 categories of a year with the numbers and names of the GHG
 * Protocol, and the number of smaller ones. Bars are relative to the largest category. Without
 * disclosed categories there are no lines.
 */
function largestCategories({ label, performance }: Year, columns: number, style: Style): string[] {
  const amounts = scope3Categories.flatMap((category, index) => {
    const value = performance.emissions?.scope_3?.[category];
    const name = `${String(index + 1).padStart(2)} ${capital(figureName(category))}`;
    return typeof value === 'number' ? { name, value, figure: figure(value).rounded } : [];
  });
  const largest = amounts.toSorted((a, b) => b.value - a.value).slice(0, categoriesShown);
  const [first] = largest;
  if (!first) return [];
  const others = amounts.length - largest.length;
  const figureColumn = largest.reduce((max, amount) => Math.max(max, width(amount.figure)), 0);
  const maxNameWidth = largest.reduce((max, amount) => Math.max(max, width(amount.name)), 0);
  const nameColumn = Math.min(maxNameWidth, columns - figureColumn - 4);
  const barColumn = Math.min(maxBarWidth, columns - nameColumn - figureColumn - 6);
  const lines = largest.map(({ name, value, figure }) => {
    const text = `  ${pad(truncate(name, nameColumn), nameColumn)}  ${pad(figure, figureColumn, 'left')}`;
    if (barColumn < minBarWidth || first.value <= 0) return text;
    return `${text}  ${renderBar(value / first.value, barColumn, style)}`.trimEnd();
  });
  return [
    '',
    ...titleLines(
      `${label} scope 3 by category`,
      `${amounts.length} of 15 disclosed`,
      columns - 2,
      style,
    ).map(indent),
    ...lines,
    ...(others > 0 ? [style.dim(`     and ${others} smaller`)] : []),
  ];
}
