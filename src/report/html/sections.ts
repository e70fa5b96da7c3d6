/* The parts of the page with tiles, and with tables whose rows have a bar. */

import { bar, barTable, legend, type Mark, valueTable } from '../../page/charts.ts';
import { card, type Html, html, many, organizationsText, tileList } from '../../page/html.ts';
import { figure, money, scoreText } from '../../terminal/figure.ts';
import { percentText, regionName } from '../../terminal/format.ts';
import { capital } from '../../terminal/text.ts';
import { commitmentNames, gapNames, partsOf, valueLabel } from '../summary/labels.ts';
import type { TallyResult } from '../summary/tally.ts';
import type { Summary } from '../summary.ts';

/** Renders the key figures at the top of the page. */
export function tiles({ organizations, research, score, emissions, commitments }: Summary): Html {
  const latest = emissions.years.find(({ partial }) => !partial);
  const near = commitments.sbti_near_term;
  const set = near.counts['set'] ?? 0;
  return tileList([
    ['Organizations', many(organizations), researchText(research)],
    [
      'Median score',
      score.median === null ? '–' : scoreText(score.median),
      `of 100 · ${organizationsText(score.organizations)} scored`,
    ],
    [
      latest === undefined ? 'Emissions' : `Disclosed emissions ${latest.year}`,
      latest?.total.sum == null ? '–' : figure(latest.total.sum).compact,
      latest === undefined
        ? 'no emissions disclosed'
        : `unit not documented · totals of ${organizationsText(latest.total.organizations)}`,
      latest?.total.sum == null ? undefined : figure(latest.total.sum).exact,
    ],
    [
      'SBTi near-term target set',
      percentText(set, organizations),
      `${many(set)} of ${organizationsText(organizations)} · ${many(near.missing)} without data`,
    ],
  ]);
}

function researchText({ finished, in_progress, errored }: Summary['research']): string {
  return `${many(finished)} finished · ${many(in_progress)} in progress · ${many(errored)} errored`;
}

/** Renders the environmental reports and commitments of organizations. */
export function commitments({ commitments: tallies, organizations }: Summary): Html {
  const rows = commitmentNames.map(([key, name]) => {
    const parts = partsOf(tallies[key]);
    const marks = parts.map((part) => ({
      value: part.organizations / organizations,
      tone: part.stage,
      description: `${name}, ${part.value}: ${organizationsText(part.organizations)}`,
    }));
    const text = parts
      .map(
        ({ organizations: count, value }) =>
          `${many(count)} ${value} (${percentText(count, organizations)})`,
      )
      .join(' · ');
    return html`<tr><th scope="row">${name}</th><td class="wide">${bar(marks)}<span class="soft">${text}</span></td></tr>\n`;
  });
  return card(
    'commitments',
    'Reporting and commitments',
    `Share of ${organizationsText(organizations)}.`,
    html`<table class="bars"><thead><tr><th scope="col"><span class="unseen">Program</span></th><th scope="col"><span class="unseen">Organizations</span></th></tr></thead><tbody>${rows}</tbody></table>`,
    legend([
      ['yes', 'yes'],
      ['partly', 'in progress'],
      ['no', 'no'],
      ['missing', 'no data'],
    ]),
  );
}

/* Renders counts of organizations with their shares, as figures and as bars. */
function countTable(
  caption: string,
  rows: readonly (readonly [label: string, count: number, tone: Mark['tone']])[],
  total: number,
): Html {
  return barTable(
    caption,
    [caption, 'Organizations', 'Share'],
    rows.map(([label, count, tone]) => ({
      label,
      texts: [many(count), percentText(count, total)],
      marks: [{ value: count / total, tone, description: `${label}: ${organizationsText(count)}` }],
    })),
  );
}

function tallyTable(name: string, { counts, missing }: TallyResult, organizations: number): Html {
  const rows = Object.entries(counts).map(
    ([value, count]) => [valueLabel(value), count, 'main'] as const,
  );
  return countTable(name, [...rows, ['no data', missing, 'missing']], organizations);
}

/** Renders the ranks of industries and regions. */
export function ranks({ industry_rank, region_rank, organizations }: Summary): Html {
  return card(
    'ranks',
    'Industry and region ranks',
    'Rank of each organization’s industry among all industries, and of its region among all regions.',
    html`<div class="halves">${tallyTable('Industry rank', industry_rank, organizations)}${tallyTable('Region rank', region_rank, organizations)}</div>`,
  );
}

/** Renders the largest emitters. */
export function largest({ largest_emitters: emitters }: Summary): Html {
  const max = Math.max(1, ...emitters.map(({ total }) => total));
  const rows = emitters.map(({ name, id, hq_region, industry, year, total, sum_of_parts }) => {
    const exact = figure(total).exact + (sum_of_parts ? '†' : '');
    const title = name ?? id ?? 'no name';
    const marks = [{ value: total / max, tone: 'main', description: `${title}: ${exact}` }];
    const detail = [industry, regionName(hq_region), year].filter(Boolean).join(' · ');
    return html`<tr><th scope="row">${title} <span class="soft">${detail}</span>${bar(marks)}</th><td>${exact}</td></tr>\n`;
  });
  return card(
    'largest',
    'Largest emitters',
    'Total of the latest year that has one. † sum of the disclosed parts, if no total was disclosed.',
    rows.length === 0
      ? html`<p>No organization disclosed a total.</p>`
      : html`<table class="bars largest"><thead><tr><th scope="col"><span class="unseen">Organization</span></th><th scope="col"><span class="unseen">Emissions</span></th></tr></thead><tbody>${rows}</tbody></table>`,
  );
}

/** Renders the data gaps, and revenue by currency. */
export function gapsAndRevenue({ gaps, organizations, revenue }: Summary): Html {
  const rows = gapNames.map(([key, name]) => [capital(name), gaps[key], 'partly'] as const);
  const sums = revenue.map(({ currency, organizations: count, revenue: amount }) => [
    currency ?? 'no currency',
    amount === null
      ? 'no data'
      : html`<span title="${figure(amount).exact}">${money(amount, currency ?? undefined).compact}</span>`,
    many(count),
  ]);
  return card(
    'gaps',
    'Data gaps',
    `Of ${organizationsText(organizations)}.`,
    countTable('Missing data', rows, organizations),
    sums.length === 0
      ? undefined
      : html`<h3>Revenue by currency</h3><div class="scroll">${valueTable('Latest year of each organization; carbon never adds amounts in different currencies', ['Currency', 'Revenue', 'Organizations'], sums)}</div>`,
  );
}
