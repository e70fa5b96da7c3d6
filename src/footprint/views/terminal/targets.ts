/* Coverage by suppliers with science-based targets. */
import { renderBar } from '../../../terminal/bar.ts';
import { figure } from '../../../terminal/figure.ts';
import { type Fact, indent, type Section } from '../../../terminal/section.ts';
import { wrap } from '../../../terminal/text.ts';
import type { FootprintSummary } from '../../footprint-summary.ts';
import { evidenceText, shareText, targetRows, whatIfText } from '../words.ts';
import { columnsOf, renderTable } from './table.ts';

/** Describes the suppliers by the status of their near-term target. */
export function targets(summary: FootprintSummary): Section {
  const { evidence, by_spend } = summary.sbti_coverage;
  const rows = targetRows(summary);
  const facts = rows.flatMap(({ label, suppliers, by_emissions, by_spend: spend }): Fact[] => [
    {
      label,
      details: [
        ['suppliers', figure(suppliers)],
        ['share of emissions', by_emissions === null ? undefined : shareText(by_emissions)],
        ['share of spend', spend === null ? undefined : shareText(spend)],
      ],
    },
  ]);
  const what = whatIfText(summary);
  return {
    name: 'SBTi near-term targets',
    note: evidenceText(evidence),
    prefix: 'SBTi near-term target',
    facts: [
      ...facts,
      {
        label: 'evidence',
        details: [
          ['earliest', evidence.from],
          ['latest', evidence.to],
        ],
      },
      { label: 'what if', details: [['', what]] },
    ],
    renderTerminal: (columns, style) => {
      const hasSpend = by_spend !== null;
      const barColumns = columns >= 80 ? Math.min(40, columns - 60) : 0;
      const table = renderTable(
        [
          {
            columns: columnsOf(
              'Target',
              'Suppliers',
              'Emissions',
              ...(hasSpend ? ['Spend'] : []),
              ...(barColumns > 0 ? [''] : []),
            ),
            rows: rows.map((row) => ({
              name: row.label,
              cells: [
                figure(row.suppliers).exact,
                shareText(row.by_emissions),
                ...(hasSpend ? [shareText(row.by_spend)] : []),
                ...(barColumns > 0
                  ? [
                      renderBar(
                        row.by_emissions ?? 0,
                        barColumns,
                        style,
                        row.counts ? 'green' : 'dim',
                      ),
                    ]
                  : []),
              ],
            })),
          },
        ],
        columns,
        style,
      );
      const notes = [
        'Only targets that are set count as coverage.',
        ...(hasSpend ? [] : ['Coverage by spend needs all spend in one currency.']),
      ];
      return [
        ...table,
        ...notes.flatMap((note) => wrap(note, columns - 2)).map((line) => indent(style.dim(line))),
        ...(what === undefined ? [] : wrap(what, columns - 2).map(indent)),
      ];
    },
  };
}
