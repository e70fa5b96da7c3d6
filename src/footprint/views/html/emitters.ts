/* The cards of the largest suppliers. */
import { columnChart, figureOf, legend, valueTable } from '../../../page/charts.ts';
import { card, type Html, html } from '../../../page/html.ts';
import { figure } from '../../../terminal/figure.ts';
import type { FootprintSummary, SupplierSummary } from '../../footprint-summary.ts';
import { bases } from '../../register-row.ts';
import { basisWords, concentrationText, shareText, spendList, unitText } from '../words.ts';
import { basisTones, emitterTable } from './emitter-table.ts';

/** Renders the cumulative share of the largest suppliers. */
export function concentration(summary: FootprintSummary): Html | undefined {
  const { largest: suppliers } = summary;
  if (suppliers.length === 0) return undefined;
  const percent = (share: number) => Math.max(0, share) * 100;
  const columns = suppliers.map((supplier, index) => {
    const before = suppliers[index - 1]?.cumulative_share ?? 0;
    const words = `${nameOf(supplier)}: ${shareText(supplier.share)}, cumulative ${shareText(supplier.cumulative_share)}`;
    return {
      label: String(index + 1),
      marks: [
        ...(index === 0
          ? []
          : [
              {
                value: percent(before),
                tone: 'no',
                description: `Larger suppliers: ${shareText(before)}`,
              },
            ]),
        { value: percent(supplier.share), tone: 'main', description: words },
      ],
    };
  });
  return card(
    'concentration',
    'Concentration',
    `${concentrationText(summary) ?? 'No emissions'}.`,
    figureOf(
      columnChart('Cumulative share of the largest suppliers, in percent', columns, 100),
      html`<p class="soft axis">Suppliers by their rank; the height is the cumulative share of the emissions in percent</p>`,
      valueTable(
        'Share and cumulative share',
        ['Supplier', 'Share', 'Cumulative'],
        suppliers.map((supplier) => [
          nameOf(supplier),
          shareText(supplier.share),
          shareText(supplier.cumulative_share),
        ]),
      ),
    ),
  );
}

/** Renders the largest suppliers. */
export function largest(summary: FootprintSummary): Html {
  const { largest: suppliers } = summary;
  const max = suppliers.reduce((most, { emissions }) => Math.max(most, emissions), 0);
  const rows = suppliers.map((supplier) => ({
    name: nameOf(supplier),
    detail: detailOf(supplier),
    emissions: supplier.emissions,
    shares: `${shareText(supplier.share)} · Σ ${shareText(supplier.cumulative_share)}`,
    bar: max > 0 ? supplier.emissions / max : 0,
    tone: supplier.basis === null ? 'no' : basisTones[supplier.basis],
  }));
  return card(
    'largest',
    'Largest suppliers',
    `Emissions in ${unitText(summary)}, their share, and the cumulative share (Σ). Factor, basis and year are those of the supplier’s largest row.`,
    ...(rows.length === 0
      ? [html`<p>No row has emissions.</p>`]
      : [
          emitterTable('Supplier', rows),
          legend(bases.map((basis) => [basisTones[basis], basisWords[basis].name])),
        ]),
  );
}

function detailOf({ spend, factor, basis, factor_year }: SupplierSummary): string {
  const amounts = spendList(spend).map(({ rounded }) => rounded);
  const origin =
    basis === null ? undefined : `${basisWords[basis].short} ${factor_year ?? ''}`.trim();
  return [amounts.join(' + '), factor === null ? '' : `factor ${figure(factor).rounded}`, origin]
    .filter(Boolean)
    .join(' · ');
}

function nameOf({ supplier, id }: SupplierSummary): string {
  return supplier ?? (id === null ? 'no name' : `id ${id}`);
}
