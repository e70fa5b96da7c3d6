/* The first sections: the total, the covered spend, and the origin of the emissions. */
import { renderBar, renderBars } from '../../../terminal/bar.ts';
import { figure } from '../../../terminal/figure.ts';
import { count, plural } from '../../../terminal/format.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import { indent, type Section } from '../../../terminal/section.ts';
import type { Tone } from '../../../terminal/style.ts';
import { wrap, wrapList } from '../../../terminal/text.ts';
import type { FootprintSummary } from '../../footprint-summary.ts';
import { type Basis, bases } from '../../register-row.ts';
import {
  basisWords,
  industryNote,
  reasonCounts,
  shareOf,
  shareText,
  spendText,
  unitText,
} from '../words.ts';
import { amountTexts } from './amounts.ts';

/** Describes the total. */
export function headline(summary: FootprintSummary): Section {
  const { emissions, boundary, rows, covered_rows, suppliers } = summary;
  const unit = unitText(summary);
  const total = emissions === null ? null : figure(emissions);
  return {
    name: 'footprint of purchases',
    note: `${boundary} · ${unit}`,
    facts: [
      {
        label: 'total emissions',
        tone: 'bold',
        details: [
          [
            '',
            total === null
              ? 'none: no row has a factor'
              : { ...total, rounded: `${total.rounded} ${unit}` },
          ],
        ],
      },
      { label: 'unit', details: [['', unit]] },
      { label: 'boundary', details: [['', boundary]] },
      { label: 'suppliers', details: [['', figure(suppliers)]] },
      { label: 'rows with spend', details: [['', figure(rows)]] },
      { label: 'covered rows', details: [['', figure(covered_rows)]] },
    ],
    renderTerminal: (columns, style) => {
      const value =
        emissions === null
          ? 'No row has a factor, so there is no total.'
          : style.bold(`${figure(emissions).rounded} ${unit}`);
      const covered = `${count.format(covered_rows)} of ${plural(rows, 'row')} with spend covered`;
      const many = plural(suppliers, 'supplier');
      const reasons = reasonCounts(summary).map(
        ([reason, number]) => `${reason} (${count.format(number)})`,
      );
      return [
        `  ${value}`,
        ...wrapList([covered, many], columns - 2).map(indent),
        ...(reasons.length === 0
          ? []
          : wrapList([`Uncovered: ${reasons[0]}`, ...reasons.slice(1)], columns - 2)
        ).map((line) => indent(style.yellow(line))),
      ];
    },
  };
}

/** Describes the covered spend of each currency. */
export function coveredSpend({ spend }: FootprintSummary): Section {
  const currencies = Object.entries(spend);
  const covered = amountTexts(currencies.map(([, amounts]) => amounts.covered));
  const totals = amountTexts(currencies.map(([, amounts]) => amounts.total));
  return {
    name: 'spend covered',
    note: 'excluded rows do not count',
    prefix: 'spend',
    facts: currencies.map(([currency, amounts]) => ({
      label: sanitize(currency),
      details: [
        ['total', figure(amounts.total)],
        ['covered', figure(amounts.covered)],
        ['covered share', shareText(shareOf(amounts.covered, amounts.total))],
      ],
    })),
    renderTerminal: (columns, style) =>
      renderBars(
        currencies.map(([currency, amounts], index) => ({
          label: currency,
          figures: [
            columns < 60
              ? `${figure(amounts.covered).compact} of ${figure(amounts.total).compact}`
              : `${covered[index]} of ${totals[index]?.padStart(widest(totals))}`,
            shareText(shareOf(amounts.covered, amounts.total)),
          ],
          bar: (size) =>
            renderBar(shareOf(amounts.covered, amounts.total) ?? 0, size, style, 'green', '·'),
        })),
        columns,
        style,
      ),
  };
}

const widest = (texts: readonly string[]) =>
  texts.reduce((max, { length }) => Math.max(max, length), 0);
const tones: Readonly<Record<Basis, Tone>> = {
  disclosed: 'green',
  factor: 'cyan',
  industry: 'yellow',
};

/** Describes the share of the emissions with each basis. */
export function origin(summary: FootprintSummary): Section {
  const shares: Readonly<Record<Basis, number | null>> = {
    disclosed: summary.supplier_data_share,
    factor: summary.factor_share,
    industry: summary.industry_share,
  };
  return {
    name: 'origin of the emissions',
    note: 'share of the total',
    prefix: 'emissions based on',
    facts: bases.map((basis) => ({
      label: basisWords[basis].name,
      details: [['', shares[basis] === null ? undefined : shareText(shares[basis])]],
    })),
    renderTerminal: (columns, style) => [
      ...renderBars(
        bases.map((basis) => ({
          label: columns < 72 ? basisWords[basis].short : basisWords[basis].name,
          figures: [shareText(shares[basis])],
          bar: (size) => renderBar(shares[basis] ?? 0, size, style, tones[basis], '·'),
        })),
        columns,
        style,
      ),
      ...wrap(
        `Only suppliers’ own figures count as supplier data. ${industryNote}`,
        columns - 2,
      ).map((line) => indent(style.dim(line))),
    ],
  };
}

/** Names an amount in its currency for a terminal. */
export function spendTexts(
  spend: Readonly<Record<string, number>>,
  length: 'rounded' | 'compact',
): string {
  return Object.entries(spend)
    .map(([currency, amount]) => sanitize(spendText(amount, currency)[length]))
    .join(' + ');
}
