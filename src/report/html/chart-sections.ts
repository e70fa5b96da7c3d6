/* The sections of the page with column charts: scores, and emissions by year. */

import {
  type ColumnOfMarks,
  columnChart,
  figureOf,
  legend,
  valueTable,
} from '../../page/charts.ts';
import { type Content, card, type Html, html, many, organizationsText } from '../../page/html.ts';
import { figure, scoreInColumn } from '../../terminal/figure.ts';
import { percentText } from '../../terminal/format.ts';
import type { Sum, YearSummary } from '../summary/emissions.ts';
import { scopeNames } from '../summary/labels.ts';
import type { Summary } from '../summary.ts';

const tones = { scope_1: 's1', scope_2: 's2', scope_1_and_2: 's12', scope_3: 's3' } as const;
const scopesAndTotal = [...scopeNames, ['total', 'Total'] as const];
const maxColumns = 8;

/** Renders the distribution of scores. */
export function scores({ score, organizations }: Summary): Html {
  const note = `0 is worst, 100 is best. ${many(score.organizations)} of ${organizationsText(organizations)} have a score.`;
  if (score.organizations === 0) return card('scores', 'Scores', note);
  const spread = [
    ['Lowest', score.min],
    ['Lower quartile', score.lower_quartile],
    ['Median', score.median],
    ['Upper quartile', score.upper_quartile],
    ['Highest', score.max],
    ['Mean', score.mean],
  ] as const;
  const bins = score.histogram.map((bin) => ({
    ...bin,
    label: `${Math.round(bin.from * 100)}–${Math.round(bin.to * 100)}`,
  }));
  const columns = bins.map(
    ({ label, from, organizations: count }): ColumnOfMarks => ({
      label: String(Math.round(from * 100)),
      head: many(count),
      marks: [
        { value: count, tone: 'main', description: `Score ${label}: ${organizationsText(count)}` },
      ],
    }),
  );
  const outOfRange =
    score.out_of_range > 0
      ? html`<p class="soft">These figures leave out ${organizationsText(score.out_of_range)} with a score that is not from 0 to 100.</p>`
      : undefined;
  return card(
    'scores',
    'Scores',
    note,
    html`<dl class="spread">${spread.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value === null ? '–' : scoreInColumn(value)}</dd></div>`)}</dl>`,
    figureOf(
      columnChart('Number of organizations by score, in steps of ten', columns),
      html`<p class="soft axis">Score, in steps of ten; the height is the number of organizations</p>`,
      valueTable(
        'Organizations by score',
        ['Score', 'Organizations', 'Share'],
        bins.map((bin) => [
          bin.label,
          many(bin.organizations),
          percentText(bin.organizations, score.organizations),
        ]),
      ),
    ),
    outOfRange,
  );
}

/** Renders the emissions of every year. */
export function emissions({ emissions: { years, organizations, several_regions } }: Summary): Html {
  const title = 'Emissions by year and scope';
  const note = `Sums of the figures that ${organizationsText(organizations)} disclosed. The service documents no unit, so none is shown.`;
  if (years.length === 0) return card('emissions', title, note);
  const drawn = years.slice(0, maxColumns).toReversed();
  const used = scopeNames.filter(([field]) => years.some((year) => year[field].sum !== null));
  const notes = [
    ...(years.some(({ partial }) => partial)
      ? [
          'Partial years are lighter: more organizations disclosed another year, so the heights are not comparable.',
        ]
      : []),
    ...(years.length > drawn.length
      ? [`The chart shows the latest ${drawn.length} of ${years.length} years.`]
      : []),
    ...(several_regions > 0
      ? [
          `${organizationsText(several_regions)} with several regions in a year: only the first region counts.`,
        ]
      : []),
  ];
  return card(
    'emissions',
    title,
    note,
    figureOf(
      columnChart('Disclosed emissions by year, stacked by scope', drawn.map(yearColumn)),
      [
        legend(
          used.map(([field, name]) => [
            tones[field],
            name === 'Scope 1+2' ? 'Scope 1+2, disclosed only together' : name,
          ]),
        ),
        html`<p class="soft axis">n: number of organizations that disclosed any figure of the year</p>`,
        notes.map((text) => html`<p class="soft axis">${text}</p>`),
      ],
      valueTable(
        'Sum and number of organizations; † number of these that disclosed only parts',
        ['Year', 'Organizations', ...scopesAndTotal.map(([, name]) => name)],
        years.map((year) => [
          html`${year.year}${year.partial ? ' partial' : ''}`,
          many(year.organizations),
          ...scopesAndTotal.map(([field]) => sumCell(year[field])),
        ]),
      ),
    ),
  );
}

function yearColumn(year: YearSummary): ColumnOfMarks {
  return {
    label: String(year.year),
    notes: [`n ${many(year.organizations)}`, year.partial ? 'partial' : ''],
    isPartial: year.partial,
    marks: scopeNames.flatMap(([field, name]) => {
      const { sum, organizations } = year[field];
      if (sum === null) return [];
      const description = `${year.year} ${name}: ${figure(sum).exact} (${organizationsText(organizations)})`;
      return { value: sum, tone: tones[field], description };
    }),
  };
}

function sumCell({ sum, organizations, sum_of_parts }: Sum): Content {
  if (sum === null) return '–';
  const parts = sum_of_parts > 0 ? `, † ${many(sum_of_parts)}` : '';
  return html`${figure(sum).exact}<br><span class="soft">${many(organizations)}${parts}</span>`;
}
