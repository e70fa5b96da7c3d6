import type { ReportedFigure } from '../../organizations/emissions.ts';
import { figure, scoreInColumn } from '../../terminal/figure.ts';
import { regionName } from '../../terminal/format.ts';
import type { Entry } from '../summary/digest.ts';
import { valueLabel } from '../summary/labels.ts';
import type { RankedEmitter } from '../summary/top-emitters.ts';
import { type Content, type Html, html } from './html.ts';

/** The maximum number of organizations in the table. */
export const maxRows = 10_000;
const firstRows = 50;

const columns: readonly (readonly [title: string, kind: 'text' | 'number' | 'links'])[] = [
  ['Organization', 'text'],
  ['Id', 'number'],
  ['Country', 'text'],
  ['Industry', 'text'],
  ['Status', 'text'],
  ['Score', 'number'],
  ['SBTi near term', 'text'],
  ['Year', 'number'],
  ['Total', 'number'],
  ['Scope 1', 'number'],
  ['Scope 2', 'number'],
  ['Scope 3', 'number'],
  ['Sources', 'links'],
];

/**
 * Renders the table of organizations. The first rows show at once; the script adds the others from
 * a template.
 * @param organizations number of all organizations, including those that the table omits
 */
export function organizationTable(ranked: readonly RankedEmitter[], organizations: number): Html {
  const left = organizations - ranked.length;
  // The table is sorted by the total that it shows, not by the latest disclosed total.
  const shownTotal = ({ latest }: RankedEmitter) =>
    latest?.figures.total?.value ?? Number.NEGATIVE_INFINITY;
  const rows = ranked
    .toSorted((a, b) => (shownTotal(a) === shownTotal(b) ? 0 : shownTotal(b) - shownTotal(a)))
    .map(row);
  const head = columns.map(([title, kind]) => {
    const name = kind === 'links' ? title : html`<button type="button">${title}</button>`;
    const sorted = title === 'Total' ? html` aria-sort="descending"` : '';
    return html`<th scope="col" class="${kind}"${sorted}>${name}</th>`;
  });
  const count = figure(ranked.length).exact;
  return html`<section class="organizations" aria-labelledby="all"><h2 id="all">Organizations</h2>
<p class="soft">Emissions of the latest year with a figure. * market-based, ‡ location-based, † sum of the disclosed parts, if no total was disclosed.${left > 0 ? ` The table lists the ${count} largest emitters, by the total of the latest year with a total. The figures above include ${figure(left).exact} more organizations.` : ''}</p>
<p class="warn" id="unscripted">Without scripts this table shows ${rowsWithoutScript(ranked.length)} and cannot be searched or sorted.</p>
<p class="warn" id="printed"></p>
<div class="controls" hidden><label>Search<input id="search" type="search" autocomplete="off" placeholder="Name, country, industry, status …"></label><p id="shown" class="soft" role="status"></p></div>
<div class="scroll all" role="region" aria-labelledby="all" tabindex="0"><table id="organizations"><thead><tr>${head}</tr></thead>
<tbody>${rows.slice(0, firstRows)}</tbody></table></div>
${rows.length > firstRows ? html`<template id="rest">${rows.slice(firstRows)}</template>` : ''}
<p class="more" hidden><button type="button" id="show-more">Show ${firstRows} more</button><button type="button" id="show-all">Show all</button></p></section>`;
}

function rowsWithoutScript(rows: number): string {
  return rows > firstRows ? `its first ${firstRows} of ${figure(rows).exact} rows` : 'all its rows';
}

function row({ entry, latest }: RankedEmitter): Html {
  const { scope1, scope2, scope3, total } = latest?.figures ?? {};
  return html`<tr><th scope="row">${entry.name ?? 'no name'}</th><td>${entry.id ?? '–'}</td>${text(regionName(entry.region))}${text(entry.industry)}<td class="text ${tone(entry.status)}">${entry.status ?? 'no status'}</td><td>${entry.score === undefined ? '–' : scoreInColumn(entry.score)}</td>${text(entry.targets.nearTerm && valueLabel(entry.targets.nearTerm))}<td>${latest?.year ?? '–'}</td>${[total, scope1, scope2, scope3].map(amount)}${links(entry)}</tr>\n`;
}

function text(value: string | undefined): Html {
  return html`<td class="text">${value || '–'}</td>`;
}

function tone(status: string | undefined): string {
  return status === 'synced' || status === 'errored' ? status : 'open';
}

function amount(reported: ReportedFigure | undefined): Html {
  return html`<td>${reported ? figure(reported.value).exact + reported.mark : '–'}</td>`;
}

/* An entry has only web addresses, because reading it removed other schemes. */
function links({ name, sources, sourceCount }: Entry): Html {
  const shown = sources.map(
    (url, index) =>
      html`<a href="${url}" rel="noopener noreferrer" title="${new URL(url).hostname}" aria-label="Source ${index + 1} of ${name ?? 'no name'}">${index + 1}</a> `,
  );
  const others = sourceCount - sources.length;
  const more: Content = others > 0 ? `${sources.length > 0 ? '+' : ''}${others}` : '';
  return html`<td class="text">${sourceCount === 0 ? '–' : [shown, more]}</td>`;
}
