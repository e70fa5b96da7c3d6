/* The parts of the page with bars: tables whose cells have the values, and one cell the bar. */
import { figure, money } from '../../terminal/figure.ts';
import { percentText, regionName } from '../../terminal/format.ts';
import { capital } from '../../terminal/text.ts';
import { commitmentNames, gapNames, partsOf, valueLabel } from '../summary/labels.ts';
import type { TallyResult } from '../summary/tally.ts';
import type { Summary } from '../summary.ts';
import { card, many, organizationsText } from './card.ts';
import { bar, legend, type Mark, valueTable } from './charts.ts';
import { type Html, html } from './html.ts';

/** What organizations report and have committed themselves to. */
export function commitments({ commitments: found, organizations }: Summary): Html {
  const rows = commitmentNames.map(([key, name]) => {
    const parts = partsOf(found[key]);
    const marks = parts.map((part) => ({
      value: part.organizations / organizations,
      tone: part.stage,
      says: `${name}, ${part.answer}: ${organizationsText(part.organizations)}`,
    }));
    const told = parts.map((part) => `${many(part.organizations)} ${part.answer}`).join(' · ');
    return html`<tr><th scope="row">${name}</th><td class="wide">${bar(marks)}<span class="soft">${told}</span></td></tr>\n`;
  });
  return card(
    'commitments',
    'Reporting and commitments',
    `Share of ${organizationsText(organizations)}.`,
    html`<table class="bars"><thead><tr><th scope="col"><span class="unseen">Programme</span></th><th scope="col"><span class="unseen">Organizations</span></th></tr></thead><tbody>${rows}</tbody></table>`,
    legend([
      ['yes', 'yes'],
      ['partly', 'on the way'],
      ['no', 'no'],
      ['missing', 'no data'],
    ]),
  );
}

/* Counts of organizations and their share, as figures and as a bar. */
function countTable(
  caption: string,
  rows: readonly (readonly [label: string, count: number, tone: Mark['tone']])[],
  whole: number,
): Html {
  const drawn = rows.map(([label, count, tone]) => {
    const marks = [{ value: count / whole, tone, says: `${label}: ${organizationsText(count)}` }];
    return html`<tr><th scope="row">${label}</th><td>${many(count)}</td><td>${percentText(count, whole)}</td><td class="wide">${bar(marks)}</td></tr>\n`;
  });
  return html`<table class="bars"><caption>${caption}</caption><thead><tr><th scope="col"><span class="unseen">${caption}</span></th><th scope="col"><span class="unseen">Organizations</span></th><th scope="col"><span class="unseen">Share</span></th><td></td></tr></thead><tbody>${drawn}</tbody></table>`;
}

function answersTable(name: string, { counts, missing }: TallyResult, organizations: number): Html {
  const rows = Object.entries(counts).map(
    ([answer, count]) => [valueLabel(answer), count, 'main'] as const,
  );
  return countTable(name, [...rows, ['no data', missing, 'missing']], organizations);
}

/** The ranks of industries and regions. */
export function ranks({ industry_rank, region_rank, organizations }: Summary): Html {
  return card(
    'ranks',
    'Industry and region ranks',
    'The industry of each organization among all industries, its region among all regions.',
    html`<div class="halves">${answersTable('Industry rank', industry_rank, organizations)}${answersTable('Region rank', region_rank, organizations)}</div>`,
  );
}

/** The largest emitters. */
export function largest({ largest_emitters: emitters }: Summary): Html {
  const most = Math.max(1, ...emitters.map(({ total }) => total));
  const rows = emitters.map(({ name, id, hq_region, industry, year, total, sum_of_parts }) => {
    const exact = figure(total).exact + (sum_of_parts ? '†' : '');
    const who = name ?? id ?? 'no name';
    const marks = [{ value: total / most, tone: 'main', says: `${who}: ${exact}` }];
    const detail = [industry, regionName(hq_region), year].filter(Boolean).join(' · ');
    return html`<tr><th scope="row">${who} <span class="soft">${detail}</span>${bar(marks)}</th><td>${exact}</td></tr>\n`;
  });
  return card(
    'largest',
    'Largest emitters',
    'Total of the latest year that has one. † sum of the disclosed parts, where no total was disclosed.',
    rows.length === 0
      ? html`<p>Nobody disclosed a total.</p>`
      : html`<table class="bars largest"><thead><tr><th scope="col"><span class="unseen">Organization</span></th><th scope="col"><span class="unseen">Emissions</span></th></tr></thead><tbody>${rows}</tbody></table>`,
  );
}

/** What is missing, and revenue by currency. */
export function gapsAndRevenue({ gaps, organizations, revenue }: Summary): Html {
  const rows = gapNames.map(([key, name]) => [capital(name), gaps[key], 'partly'] as const);
  const sums = revenue.map(({ currency, organizations: count, revenue: amount }) => [
    currency ?? 'no currency named',
    amount === null
      ? 'no data'
      : html`<span title="${figure(amount).exact}">${money(amount, currency ?? undefined).compact}</span>`,
    many(count),
  ]);
  return card(
    'gaps',
    'Data gaps',
    `Of ${organizationsText(organizations)}.`,
    countTable('What is missing', rows, organizations),
    sums.length === 0
      ? undefined
      : html`<h3>Revenue by currency</h3><div class="scroll">${valueTable('Latest year of each organization; currencies are never added up', ['Currency', 'Revenue', 'Organizations'], sums)}</div>`,
  );
}
