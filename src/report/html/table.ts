import type { ReportedFigure } from '../../organizations/emissions.ts';
import { figure, scoreInColumn } from '../../terminal/figure.ts';
import { regionName } from '../../terminal/format.ts';
import type { Entry } from '../summary/digest.ts';
import { valueLabel } from '../summary/labels.ts';
import type { RankedEmitter } from '../summary/top-emitters.ts';
import { type Content, type Html, html } from './html.ts';
import { searchableTable, type TableColumn } from './searchable-table.ts';

const columns: readonly TableColumn[] = [
  { title: 'Organization', kind: 'text' },
  { title: 'Id', kind: 'number' },
  { title: 'Country', kind: 'text' },
  { title: 'Industry', kind: 'text' },
  { title: 'Status', kind: 'text' },
  { title: 'Score', kind: 'number' },
  { title: 'SBTi near term', kind: 'text' },
  { title: 'Year', kind: 'number' },
  { title: 'Total', kind: 'number', isSorted: true },
  { title: 'Scope 1', kind: 'number' },
  { title: 'Scope 2', kind: 'number' },
  { title: 'Scope 3', kind: 'number' },
  { title: 'Sources', kind: 'links' },
];

/**
 * Renders the table of organizations.
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
  const count = figure(ranked.length).exact;
  return searchableTable({
    name: 'organizations',
    title: 'Organizations',
    noun: 'organizations',
    note: `Emissions of the latest year with a figure. * market-based, ‡ location-based, † sum of the disclosed parts, if no total was disclosed.${left > 0 ? ` The table lists the ${count} largest emitters, by the total of the latest year that has one. The figures above include ${figure(left).exact} more organizations.` : ''}`,
    placeholder: 'Name, country, industry, status …',
    columns,
    rows,
  });
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
