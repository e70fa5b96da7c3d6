import { basisOf, type ReportedFigure } from '../../organizations/emissions.ts';
import { type Content, type Html, html } from '../../page/html.ts';
import { searchableTable, type TableColumn } from '../../page/searchable-table.ts';
import { figure, scoreInColumn } from '../../terminal/figure.ts';
import { regionName } from '../../terminal/format.ts';
import type { Entry } from '../summary/digest.ts';
import { valueLabel } from '../summary/labels.ts';
import type { RankedEmitter } from '../summary/top-emitters.ts';

const columns: readonly TableColumn[] = [
  { title: 'Organization', kind: 'text' },
  { title: 'Id', kind: 'number' },
  { title: 'External id', kind: 'text' },
  { title: 'Country', kind: 'text' },
  { title: 'Industry', kind: 'text' },
  { title: 'Status', kind: 'text' },
  { title: 'Score', kind: 'number' },
  { title: 'SBTi near term', kind: 'text' },
  { title: 'Year', kind: 'number' },
  { title: 'Total', kind: 'number', isAmount: true, isSorted: true },
  { title: 'Scope 1', kind: 'number', isAmount: true },
  { title: 'Scope 2', kind: 'number', isAmount: true },
  { title: 'Scope 3', kind: 'number', isAmount: true },
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
  const decimals = amountKeys.map((key) => maxDecimals(ranked, key));
  const rows = ranked
    .toSorted((a, b) => (shownTotal(a) === shownTotal(b) ? 0 : shownTotal(b) - shownTotal(a)))
    .map((emitter) => row(emitter, decimals));
  const count = figure(ranked.length).exact;
  return searchableTable({
    name: 'organizations',
    title: 'Organizations',
    noun: 'organizations',
    note: `Emissions of the latest year with a figure. * market-based, ‡ location-based, † sum of the disclosed parts, if no total was disclosed.${left > 0 ? ` The table lists the ${count} largest emitters, by the total of the latest year that has one. The figures above include ${figure(left).exact} more organizations.` : ''}`,
    placeholder: 'Name, id, country, status …',
    columns,
    rows,
  });
}

const amountKeys = ['total', 'scope1', 'scope2', 'scope3'] as const;

/* Counts the decimals of the longest figure in a column. */
function maxDecimals(ranked: readonly RankedEmitter[], key: (typeof amountKeys)[number]): number {
  return ranked.reduce(
    (max, { latest }) => Math.max(max, decimalsOf(latest?.figures[key]?.value)),
    0,
  );
}

function decimalsOf(value: number | undefined): number {
  return value === undefined ? 0 : (shownAmount(value).split('.')[1]?.length ?? 0);
}

/* Rounds to two decimals; a figure below 1 keeps three significant digits. */
function shownAmount(value: number): string {
  const size = Math.abs(value);
  return size >= 1 && size < 1e15
    ? figure(Math.round(value * 100) / 100).exact
    : figure(value).rounded;
}

/* @param decimals the maximum number of decimals in each column of amounts */
function row({ entry, latest }: RankedEmitter, decimals: readonly number[]): Html {
  const amounts = amountKeys.map((key, index) =>
    amount(latest?.figures[key], decimals[index] ?? 0),
  );
  return html`<tr><th scope="row">${entry.name ?? 'no name'}</th><td>${entry.id ?? '–'}</td>${text(entry.externalId)}${text(regionName(entry.region))}${text(entry.industry)}<td class="text ${tone(entry.status)}">${entry.status ?? 'no status'}</td><td>${entry.score === undefined ? '–' : scoreInColumn(entry.score)}</td>${text(entry.targets.nearTerm && valueLabel(entry.targets.nearTerm))}<td>${latest?.year ?? '–'}</td>${amounts}${links(entry)}</tr>\n`;
}

function text(value: string | undefined): Html {
  return html`<td class="text">${value || '–'}</td>`;
}

function tone(status: string | undefined): string {
  return status === 'synced' || status === 'errored' ? status : 'open';
}

const pointSpace = '\u2008';
const digitSpace = '\u2007';

/*
 * Spaces as wide as the missing decimals align the decimal signs of a column; every cell has a
 * place for the mark.
 */
function amount(reported: ReportedFigure | undefined, decimals: number): Html {
  if (reported === undefined) return html`<td>–<i></i></td>`;
  const { value } = reported;
  const shown = shownAmount(value);
  const { exact } = figure(value);
  const own = decimalsOf(value);
  const space =
    decimals === own
      ? ''
      : (own === 0 ? pointSpace : '') + digitSpace.repeat(Math.max(0, decimals - own));
  const title = shown === exact ? '' : html` title="${exact}"`;
  const mark = reported.mark === '' ? '' : html` title="${basisOf(reported)}"`;
  return html`<td${title}>${shown}${space}<i${mark}>${reported.mark}</i></td>`;
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
