/* The key figures of the page and its cards about shares. */
import { barTable, valueTable } from '../../../page/charts.ts';
import { card, type Html, html, many, tileList } from '../../../page/html.ts';
import { figure } from '../../../terminal/figure.ts';
import { plural } from '../../../terminal/format.ts';
import type { FootprintSummary, SpendByCurrency } from '../../footprint-summary.ts';
import { bases } from '../../register-row.ts';
import {
  basisWords,
  boundaryWords,
  evidenceText,
  industryNote,
  reasonCounts,
  shareOf,
  shareText,
  spendText,
  targetRows,
  unitText,
  whatIfText,
} from '../words.ts';
import { basisTones, emitterTable } from './emitter-table.ts';

/** Renders the key figures at the top of the page. */
export function tiles(summary: FootprintSummary): Html {
  const { emissions, rows, covered_rows, sbti_coverage: coverage, boundary } = summary;
  const [first, ...others] = Object.entries(summary.spend).map(([currency, { covered, total }]) => {
    const share = shareText(shareOf(covered, total));
    return { share, named: `${currency} ${share}`, total: spendText(total, currency).compact };
  });
  const firstShare = (others.length === 0 ? first?.share : first?.named) ?? '–';
  const otherShares =
    others.length === 0
      ? `of ${first?.total ?? 'no spend'}`
      : others.map(({ named }) => named).join(' · ');
  const reasons = reasonCounts(summary).map(([reason, count]) => `${reason} (${many(count)})`);
  return tileList([
    [
      'Total emissions',
      emissions === null
        ? '–'
        : `${figure(emissions).compact}${summary.unit === null ? '' : ` ${summary.unit}`}`,
      `${unitText(summary)} · ${boundary}`,
      emissions === null ? undefined : `${figure(emissions).exact} ${unitText(summary)}`,
    ],
    ['Spend covered', firstShare, otherShares],
    [
      'From suppliers’ own figures',
      shareText(summary.supplier_data_share),
      `of the emissions · ${shareText(summary.industry_share)} from industry averages`,
    ],
    [
      'SBTi near-term target set',
      shareText(coverage.by_emissions),
      coverage.by_spend === null
        ? `of the emissions · ${plural(coverage.set, 'supplier')}`
        : `of the emissions · ${shareText(coverage.by_spend)} of the spend`,
    ],
    [
      'Rows without emissions',
      many(rows - covered_rows),
      `of ${plural(rows, 'row')} with spend${reasons.length === 0 ? '' : ` · ${reasons.join(' · ')}`}`,
    ],
  ]);
}

/** Renders the share of the emissions with each basis. */
export function origin(summary: FootprintSummary): Html {
  const shares = {
    disclosed: summary.supplier_data_share,
    factor: summary.factor_share,
    industry: summary.industry_share,
  };
  return card(
    'origin',
    'Origin of the emissions',
    `Only suppliers’ own figures count as supplier data. ${industryNote}`,
    barTable(
      'Share of the total emissions',
      ['Basis', 'Share'],
      bases.map((basis) => {
        const { name } = basisWords[basis];
        const description = `${name}: ${shareText(shares[basis])}`;
        const marks = [{ value: shares[basis] ?? 0, tone: basisTones[basis], description }];
        return { label: name, texts: [shareText(shares[basis])], marks };
      }),
    ),
    html`<p class="soft">Boundary: ${boundaryWords[summary.boundary]}.</p>`,
  );
}

/** Renders the covered spend of each currency, and the reasons of uncovered rows. */
export function spend(summary: FootprintSummary): Html {
  const { negative_net_spend: negative, no_spend } = summary.excluded;
  const rows = Object.entries(summary.spend).map(([currency, { covered, total }]) => {
    const share = shareOf(covered, total);
    const description = `${currency}: ${figure(covered).exact} of ${figure(total).exact}`;
    return {
      label: html`${currency} <span class="soft" title="${description}">${figure(covered).compact} of ${figure(total).compact}</span>`,
      texts: [shareText(share)],
      marks: [{ value: share ?? 0, tone: 'yes', description }],
    };
  });
  const left = [
    ...reasonCounts(summary).map(([reason, count]) => [reason, many(count)]),
    ...(negative.rows > 0
      ? [
          [
            `excluded: net spend of ${plural(negative.suppliers, 'supplier')} is negative`,
            many(negative.rows),
          ],
        ]
      : []),
    ...(no_spend.rows > 0 ? [['excluded: no spend', many(no_spend.rows)]] : []),
  ];
  return card(
    'spend',
    'Spend covered',
    'Spend with emissions, of all spend in the same currency. Excluded rows do not count.',
    barTable('Covered spend by currency', ['Currency', 'Share'], rows),
    left.length === 0
      ? undefined
      : [
          html`<h3>Rows left out</h3>`,
          valueTable('Rows that are not in the total', ['Reason', 'Rows'], left),
        ],
  );
}

/** Renders the coverage by science-based targets. */
export function targets(summary: FootprintSummary): Html {
  const { by_spend, evidence } = summary.sbti_coverage;
  const hasSpend = by_spend !== null;
  const tones: Readonly<Record<string, string>> = {
    set: 'yes',
    committed: 'partly',
    removed: 'no',
  };
  const rows = targetRows(summary).map((row) => ({
    label: row.label,
    texts: [
      many(row.suppliers),
      shareText(row.by_emissions),
      ...(hasSpend ? [shareText(row.by_spend)] : []),
    ],
    marks: [
      {
        value: row.by_emissions ?? 0,
        tone: tones[row.label] ?? 'no',
        description: `${row.label}: ${shareText(row.by_emissions)} of the emissions`,
      },
    ],
  }));
  const what = whatIfText(summary);
  return card(
    'targets',
    'SBTi near-term targets',
    `Only targets that are set count as coverage. ${evidenceText(evidence)}.`,
    barTable(
      `Suppliers, share of emissions${hasSpend ? ', share of spend' : ''}; bars: emissions`,
      ['Target', 'Suppliers', 'Emissions', ...(hasSpend ? ['Spend'] : [])],
      rows,
    ),
    hasSpend
      ? undefined
      : html`<p class="soft">Coverage by spend needs all spend in one currency.</p>`,
    what === undefined ? undefined : html`<p>${what}</p>`,
  );
}

/** Renders the emissions of each purchasing category. */
export function categories(summary: FootprintSummary): Html | undefined {
  const { categories: all } = summary;
  if (all.every(({ category }) => category === null)) return undefined;
  return card(
    'categories',
    'Purchasing categories',
    `Emissions in ${unitText(summary)} and their share of the total.`,
    emitterTable(
      'Category',
      all.map((category) => {
        const name = category.category ?? 'no category';
        const covered = `${many(category.covered_rows)} of ${plural(category.rows, 'row')} covered`;
        return {
          name,
          detail: `${spendTotals(category.spend)} · ${covered}`,
          emissions: category.emissions,
          shares: shareText(category.share),
          bar: category.share ?? 0,
          tone: 'main',
        };
      }),
    ),
  );
}

function spendTotals(amounts: SpendByCurrency): string {
  return Object.entries(amounts)
    .map(([currency, { total }]) => spendText(total, currency).compact)
    .join(' + ');
}
