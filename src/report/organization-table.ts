import { basisOf, type ReportedFigure } from '../organizations/emissions.ts';
import { type Content, type Html, html } from '../page/html.ts';
import { maxRows, searchableTable, type TableColumn } from '../page/searchable-table.ts';
import { figure, scoreInColumn } from '../terminal/figure.ts';
import { regionName } from '../terminal/format.ts';
import type { Entry } from './entry.ts';
import { valueLabel } from './labels.ts';

interface Column extends TableColumn {
  readonly cell: (entry: Entry) => Html;
}

const amountKeys = {
  Total: 'total',
  'Scope 1': 'scope1',
  'Scope 2': 'scope2',
  'Scope 3': 'scope3',
} as const;

/**
 * Renders the table of organizations.
 * @param all organizations, the largest emitters first; the table lists at most 10,000 of them
 */
export function organizationTable(all: readonly Entry[]): Html {
  const ranked = all.slice(0, maxRows);
  const left = all.length - ranked.length;
  // The table is sorted by the total that it shows, not by the latest disclosed total.
  const shownTotal = ({ years: [latest] }: Entry) =>
    latest?.figures.total?.value ?? Number.NEGATIVE_INFINITY;
  const sorted = ranked.toSorted((a, b) =>
    shownTotal(a) === shownTotal(b) ? 0 : shownTotal(b) - shownTotal(a),
  );
  const columns = columnsOf();
  return searchableTable({
    name: 'organizations',
    title: 'Organizations',
    noun: 'organizations',
    note: `Emissions of the latest year with a figure. * market-based, ‡ location-based, † sum of the disclosed parts, if no total was disclosed.${left > 0 ? ` The table lists the ${figure(ranked.length).exact} largest emitters, by scope 1 + 2 of the latest year that has both. The figures above include ${figure(left).exact} more organizations.` : ''}`,
    placeholder: 'Name, ID, country, status …',
    columns,
    rows: sorted.map((entry) => html`<tr>${columns.map(({ cell }) => cell(entry))}</tr>\n`),
  });
}

function columnsOf(): readonly Column[] {
  const text = (
    title: string,
    read: (entry: Entry) => string | undefined,
    isWide = false,
  ): Column => ({
    title,
    kind: 'text',
    isWide,
    cell: (entry) => html`<td class="text${isWide ? ' wide-only' : ''}">${read(entry) || '–'}</td>`,
  });
  const number = (title: string, read: (entry: Entry) => Content): Column => ({
    title,
    kind: 'number',
    cell: (entry) => html`<td>${read(entry) ?? '–'}</td>`,
  });
  const amounts = Object.entries(amountKeys).map(
    ([title, key]): Column => ({
      title,
      kind: 'number',
      isSorted: key === 'total',
      cell: ({ years: [latest] }) => amount(latest?.figures[key]),
    }),
  );
  return [
    {
      title: 'Organization',
      kind: 'text',
      cell: ({ name }) => html`<th scope="row">${name ?? 'no name'}</th>`,
    },
    number('ID', ({ id }) => id),
    text('External ID', ({ externalId }) => externalId, true),
    text('Country', ({ region }) => regionName(region)),
    text('Industry', ({ industry }) => industry, true),
    {
      title: 'Status',
      kind: 'text',
      isWide: true,
      cell: ({ status }) =>
        html`<td class="text wide-only ${status === 'synced' || status === 'errored' ? status : 'open'}">${status ?? 'no status'}</td>`,
    },
    number('Score', ({ score }) => (score === undefined ? undefined : scoreInColumn(score))),
    text('SBTi near term', ({ nearTerm }) => nearTerm && valueLabel(nearTerm)),
    number('Year', ({ years: [latest] }) => latest?.year),
    ...amounts,
    { title: 'Sources', kind: 'links', cell: links },
  ];
}

/* Every cell has a place for the mark, so that the digits of a column stand below each other. */
function amount(reported: ReportedFigure | undefined): Html {
  if (reported === undefined) return html`<td>–<i></i></td>`;
  const { rounded, exact } = figure(reported.value);
  const title = rounded === exact ? '' : html` title="${exact}"`;
  const mark = reported.mark === '' ? '' : html` title="${basisOf(reported)}"`;
  return html`<td${title}>${rounded}<i${mark}>${reported.mark}</i></td>`;
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
