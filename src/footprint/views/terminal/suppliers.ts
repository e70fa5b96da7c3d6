/* Emissions by purchasing category, and the largest suppliers. */
import { renderBar } from '../../../terminal/bar.ts';
import { figure } from '../../../terminal/figure.ts';
import { count, plural } from '../../../terminal/format.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import { indent, type Section } from '../../../terminal/section.ts';
import { wrap } from '../../../terminal/text.ts';
import type {
  CategorySummary,
  FootprintSummary,
  SupplierSummary,
} from '../../footprint-summary.ts';
import { basisWords, concentrationText, shareText } from '../words.ts';
import { amountTexts, factorTexts } from './amounts.ts';
import { spendTexts } from './headline.ts';
import { columnsOf, renderTable } from './table.ts';

const barColumns = 20;
const noCategory = 'no category';

/** Describes the emissions of each purchasing category. */
export function categories({ categories: all }: FootprintSummary): Section {
  const isNamed = all.some(({ category }) => category !== null);
  return {
    name: 'purchasing categories',
    note: plural(all.length, 'category', 'categories'),
    prefix: 'category',
    facts: (isNamed ? all : []).map((category) => ({
      label: sanitize(category.category ?? noCategory),
      details: [
        ['emissions', figure(category.emissions)],
        ['share', category.share === null ? undefined : shareText(category.share)],
        ['rows with spend', figure(category.rows)],
        ['covered rows', figure(category.covered_rows)],
        ...Object.entries(category.spend).map(
          ([currency, { total }]) => [`spend ${sanitize(currency)}`, figure(total)] as const,
        ),
      ],
    })),
    renderTerminal: (columns, style) => {
      const emissions = amountTexts(all.map((category) => category.emissions));
      const base = all.map((category, index) => ({
        name: category.category ?? noCategory,
        figures: [emissions[index] ?? '', shareText(category.share)],
        compact: [figure(category.emissions).compact, shareText(category.share)],
        bar: renderBar(category.share ?? 0, barColumns, style),
        coverage: `${count.format(category.covered_rows)} of ${count.format(category.rows)}`,
        spend: spendTexts(totalsOf(category), 'compact'),
      }));
      return renderTable(
        [
          {
            columns: columnsOf('Category', 'Spend', 'Rows covered', 'Emissions', 'Share', ''),
            rows: base.map(({ name, spend, coverage, figures, bar }) => ({
              name,
              cells: [spend, coverage, ...figures, bar],
            })),
          },
          {
            columns: columnsOf('Category', 'Rows covered', 'Emissions', 'Share', ''),
            rows: base.map(({ name, spend, coverage, figures, bar }) => ({
              name,
              cells: [coverage, ...figures, bar],
              details: [spend],
            })),
          },
          {
            columns: columnsOf('Category', 'Emissions', 'Share'),
            rows: base.map(({ name, spend, coverage, figures }) => ({
              name,
              cells: figures,
              details: [spend, `${coverage} rows covered`],
            })),
          },
          {
            columns: columnsOf('Category', 'Amount', 'Share'),
            rows: base.map(({ name, spend, coverage, compact }) => ({
              name,
              cells: compact,
              details: [spend, `${coverage} rows covered`],
            })),
          },
        ],
        columns,
        style,
      );
    },
  };
}

function totalsOf({ spend }: CategorySummary): Record<string, number> {
  return Object.fromEntries(Object.entries(spend).map(([code, { total }]) => [code, total]));
}

/** Describes the largest suppliers, and how few account for most emissions. */
export function largest(summary: FootprintSummary): Section {
  const { largest: suppliers } = summary;
  const concentration = concentrationText(summary);
  return {
    name: 'largest suppliers',
    note: concentration,
    prefix: 'largest supplier',
    facts: [
      { label: 'concentration', details: [['', concentration]] },
      ...suppliers.map((supplier, index) => ({
        label: String(index + 1),
        details: [
          ['', nameOf(supplier)] as const,
          ['id', supplier.id] as const,
          ['emissions', figure(supplier.emissions)] as const,
          ['share', shareText(supplier.share)] as const,
          ['cumulative share', shareText(supplier.cumulative_share)] as const,
          ...Object.entries(supplier.spend).map(
            ([currency, amount]) => [`spend ${sanitize(currency)}`, figure(amount)] as const,
          ),
          ['basis', supplier.basis] as const,
          ['factor', supplier.factor === null ? undefined : figure(supplier.factor)] as const,
          ['factor year', supplier.factor_year] as const,
          ['SBTi near-term target', supplier.sbti_near_term] as const,
        ],
      })),
    ],
    renderTerminal: (columns, style) => {
      const emissions = amountTexts(suppliers.map((supplier) => supplier.emissions));
      const factors = factorTexts(suppliers.map((supplier) => supplier.factor));
      const several = suppliers.some(({ spend }) => Object.keys(spend).length > 1);
      const rows = suppliers.map((supplier, index) => ({
        name: nameOf(supplier),
        factor: factors[index] ?? '',
        basis: supplier.basis === null ? '–' : basisWords[supplier.basis].short,
        year: String(supplier.factor_year ?? '–'),
        figures: [
          emissions[index] ?? '',
          shareText(supplier.share),
          shareText(supplier.cumulative_share),
        ],
        spend: spendTexts(supplier.spend, 'rounded'),
        compact: figure(supplier.emissions).compact,
      }));
      const table = renderTable(
        [
          {
            columns: [
              ...columnsOf('Supplier', 'Spend', 'Factor'),
              { title: 'Basis' },
              ...columnsOf('Year', 'Emissions', 'Share', 'Cumulative'),
            ],
            rows: rows.map(({ name, spend, factor, basis, year, figures }) => ({
              name,
              cells: [spend, factor, basis, year, ...figures],
            })),
          },
          {
            columns: columnsOf('Supplier', 'Emissions', 'Share', 'Cumulative'),
            rows: rows.map(({ name, figures, ...row }) => ({
              name,
              cells: figures,
              details: sourceOf(row),
            })),
          },
          {
            columns: columnsOf('Supplier', 'Amount', 'Share', 'Cum.'),
            rows: rows.map(({ name, figures, compact, ...row }) => ({
              name,
              cells: [compact, ...figures.slice(1)],
              details: sourceOf(row),
            })),
          },
        ],
        columns,
        style,
      );
      const note =
        'A supplier with several rows shows the factor, basis and year of the row with the largest emissions.';
      return several
        ? [...table, ...wrap(note, columns - 2).map((line) => indent(style.dim(line)))]
        : table;
    },
  };
}

const sourceOf = (row: { spend: string; factor: string; basis: string; year: string }) => [
  row.spend,
  `factor ${row.factor.trim()}`,
  `${row.basis} ${row.year}`,
];

function nameOf({ supplier, id }: SupplierSummary): string {
  return supplier ?? (id === null ? 'no name' : `id ${id}`);
}
