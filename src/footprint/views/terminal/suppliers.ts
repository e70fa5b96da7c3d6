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
    facts: (isNamed ? all : []).map((one) => ({
      label: sanitize(one.category ?? noCategory),
      details: [
        ['emissions', figure(one.emissions)],
        ['share', one.share === null ? undefined : shareText(one.share)],
        ['rows with spend', figure(one.rows)],
        ['covered rows', figure(one.covered_rows)],
        ...Object.entries(one.spend).map(
          ([currency, { total }]) => [`spend ${sanitize(currency)}`, figure(total)] as const,
        ),
      ],
    })),
    renderTerminal: (columns, style) => {
      const emissions = amountTexts(all.map((one) => one.emissions));
      const base = all.map((one, index) => ({
        name: one.category ?? noCategory,
        figures: [emissions[index] ?? '', shareText(one.share)],
        compact: [figure(one.emissions).compact, shareText(one.share)],
        bar: renderBar(one.share ?? 0, barColumns, style),
        coverage: `${count.format(one.covered_rows)} of ${count.format(one.rows)}`,
        spend: spendTexts(totalsOf(one), 'compact'),
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
      ...suppliers.map((one, index) => ({
        label: String(index + 1),
        details: [
          ['', nameOf(one)] as const,
          ['id', one.id] as const,
          ['emissions', figure(one.emissions)] as const,
          ['share', shareText(one.share)] as const,
          ['cumulative share', shareText(one.cumulative_share)] as const,
          ...Object.entries(one.spend).map(
            ([currency, amount]) => [`spend ${sanitize(currency)}`, figure(amount)] as const,
          ),
          ['basis', one.basis] as const,
          ['factor', one.factor === null ? undefined : figure(one.factor)] as const,
          ['factor year', one.factor_year] as const,
          ['SBTi near-term target', one.sbti_near_term] as const,
        ],
      })),
    ],
    renderTerminal: (columns, style) => {
      const emissions = amountTexts(suppliers.map((one) => one.emissions));
      const factors = factorTexts(suppliers.map((one) => one.factor));
      const several = suppliers.some(({ spend }) => Object.keys(spend).length > 1);
      const rows = suppliers.map((one, index) => ({
        name: nameOf(one),
        factor: factors[index] ?? '',
        basis: one.basis === null ? '–' : basisWords[one.basis].short,
        year: String(one.factor_year ?? '–'),
        figures: [emissions[index] ?? '', shareText(one.share), shareText(one.cumulative_share)],
        spend: spendTexts(one.spend, 'rounded'),
        compact: figure(one.emissions).compact,
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
