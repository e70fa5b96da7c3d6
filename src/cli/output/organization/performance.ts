import type { Organization, Performance } from '../../../api/schema.ts';
import { labelYears, type Year } from '../../../organizations/history.ts';
import { type Column, renderFrame } from '../../../terminal/columns.ts';
import { type Figure, figure, money } from '../../../terminal/figure.ts';
import { regionName } from '../../../terminal/format.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import { type Fact, factLines, type Section } from '../../../terminal/section.ts';
import type { Style } from '../../../terminal/style.ts';
import { width } from '../../../terminal/text.ts';

/** Describes revenue and emission factors of every year, in the currency that the record names. */
export function performance(record: Organization): Section {
  const { years } = labelYears(record);
  const reported = years.filter(({ performance: year }) =>
    amounts(year).some((amount) => amount !== undefined),
  );
  return {
    name: 'revenue and emission factors',
    note: reported.length > 0 ? currencyNote(reported) : undefined,
    prefix: 'performance',
    facts: years.flatMap((year) => yearFacts(year)),
    renderTerminal: (columns, style) => table(reported, columns, style),
    showsGaps: true,
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

function yearFacts({ label, performance: year }: Year): Fact[] {
  const [revenue, ...factors] = amounts(year);
  const names = [
    'emission factor',
    'scope 1 and 2 emission factor',
    'total upstream emission factor',
  ];
  return [
    { label: `${label} region`, details: [['', regionName(year.region)]], minor: true },
    {
      label: `${label} revenue`,
      details: [
        ['', revenue],
        ['currency', year.revenue_currency],
      ],
    },
    ...names.map(
      (name, index): Fact => ({ label: `${label} ${name}`, details: [['', factors[index]]] }),
    ),
  ];
}

function amounts(year: Performance): (Figure | undefined)[] {
  const currency = currencyOf(year);
  const factors = [
    year.emission_factor,
    year.scope_1_and_2_emission_factor,
    year.total_upstream_emission_factor,
  ];
  return [
    typeof year.revenue === 'number' ? money(year.revenue, currency) : undefined,
    ...factors.map((factor) => (typeof factor === 'number' ? figure(factor) : undefined)),
  ];
}

/* Figures that do not fit `columns` become lists. */
function table(years: readonly Year[], columns: number, style: Style): string[] {
  if (years.length === 0) return [`  ${style.dim('not disclosed')}`];
  const titles = ['Revenue', 'Factor', 'Scope 1+2', 'Upstream'];
  const rows = years.map(({ label, performance: year }) => ({
    label,
    amounts: amounts(year).map((amount) => amount?.rounded ?? '–'),
  }));
  const head: Column[] = [
    { title: 'Year' },
    ...titles.map((title): Column => ({ title, align: 'right' })),
  ];
  const cells = rows.map((row) => [row.label, ...row.amounts]);
  const lines = renderFrame(head, cells, style).map((line) => `  ${line}`);
  if (width(lines[1] ?? '') <= columns) return lines;
  const facts = rows.map(
    (row): Fact => ({
      label: row.label,
      details: row.amounts.map((amount, index) => [titles[index] ?? '', amount]),
    }),
  );
  return factLines(facts, columns, style);
}
