/* The page of a comparison: what the totals were and are, why they differ, and by whom. */

import { changeBar, type RankedRow, rankedBars } from '../../../display/page/bars.ts';
import {
  type Content,
  type Html,
  html,
  scrollRegion,
  section,
  sentenceList,
} from '../../../display/page/html.ts';
import { factCell, maxRows, searchableTable } from '../../../display/page/searchable-table.ts';
import { renderSkeleton } from '../../../display/page/skeleton.ts';
import { kindOf } from '../../../display/query/kinds.ts';
import { figure } from '../../../display/terminal/figure.ts';
import { count, plural } from '../../../display/terminal/format.ts';
import { capital } from '../../../display/terminal/text.ts';
import { type BridgeStep, changeOf, dataEffects } from '../bridge.ts';
import type { Comparison } from '../compare.ts';
import type { FootprintSummary } from '../totals.ts';
import {
  causeText,
  changeShare,
  comparedColumns,
  comparedRows,
  effectRows,
  explainedSteps,
  reasonText,
  rowName,
  signedAmount,
  signedShare,
  stepNotes,
  stepSentences,
  stepTitle,
  titleOf,
  totalRows,
  yearFigures,
} from './bridge.ts';
import { headOf, methodPart } from './page.ts';
import { yearsNote } from './words.ts';

/**
 * Renders the page.
 * @param title by default, what the last step changed
 */
export function renderBridgePage(
  comparison: Comparison,
  summary: FootprintSummary,
  title?: string,
): string {
  const { steps, notes } = comparison;
  const sentences = stepSentences(comparison, summary.unit ?? '');
  // The last step with something to explain.
  const main = sentences[Math.max(explainedSteps(comparison).length, 1) - 1] ?? '';
  const head = headOf(summary);
  const isSynthetic = steps.some(({ rows }) => rows.some(({ synthetic }) => synthetic));
  return renderSkeleton({
    ...head,
    synthetic: head.synthetic ?? (isSynthetic ? 'Synthetic sandbox data' : undefined),
    title: title ?? main.replace(/\.$/, ''),
    figures: yearFigures(comparison, summary).map(({ year, covered, origins }) => ({
      name: `Spend of ${year} with emissions`,
      value: covered,
      population: origins === null ? 'no emissions' : `emissions: ${origins}`,
    })),
    statements: title === undefined ? sentences.filter((each) => each !== main) : sentences,
    // Years have no categories, suppliers and targets of their own here.
    notes: [...notes, ...head.notes.filter((note) => note !== yearsNote)],
    skip: 'Skip to the table of suppliers',
    sections: [
      totals(comparison),
      ...explainedSteps(comparison).map((step) => effects(comparison, step, summary.unit)),
      largest(comparison),
    ],
    table: rowTable(comparison),
    details: methodPart(summary),
    readingNotes,
  });
}

const readingNotes = [
  'Restated: the earlier spend, first with the earlier records, then with those of today. Year to year: both with the records of today. So better data shows once, in the first step.',
  'Effects are the mean of both orders of change (Shapley): they add up exactly, in whatever order.',
  'Method and data, coverage and currency are not real changes: only what is known has changed.',
  "Spend and revenue include price changes; only suppliers' emissions show a real change. Even those are of the whole company, allocated by revenue.",
];

function totals(comparison: Comparison): Content {
  const all = totalRows(comparison);
  const max = Math.max(...all.map(({ total }) => total ?? 0), 0);
  const rows = all.map(({ label, total, change }): RankedRow => {
    const { rounded, exact } = figure(total ?? 0);
    const of = change === null ? '' : ` · ${signedShare(change)}`;
    return {
      name: label,
      length: max > 0 ? (total ?? 0) / max : 0,
      text: total === null ? '–' : `${rounded}${of}`,
      exact: total === null ? '–' : exact,
    };
  });
  return section(
    'totals',
    titleOf(comparison),
    'Emissions, and the change to the line above',
    rankedBars(rows),
  );
}

function effects(comparison: Comparison, step: BridgeStep, unit: string | null): Content {
  const max = Math.max(...step.effects.map(({ emissions }) => Math.abs(emissions)), 0);
  const rows = effectRows(step).map(({ effect, label, emissions, share, suppliers, reasons }) => {
    // Data that became better is no change, so that its bar has no color of its own.
    const isData = effect !== null && dataEffects.includes(effect);
    const tone = isData ? 'data' : emissions > 0 ? 'more' : 'less';
    const bar =
      suppliers !== null &&
      max > 0 &&
      changeBar(emissions / max, tone, `${label}: ${signedAmount(emissions)}`);
    const who = suppliers === null ? '' : plural(suppliers, 'supplier');
    return html`<tr><th scope="row">${label}</th><td><span title="${figure(emissions).exact}">${signedAmount(emissions)}</span></td><td>${signedShare(share)}</td><td>${bar}</td><td class="text">${[who, reasons.map(reasonText).join(', ')].filter(Boolean).join(': ')}</td></tr>\n`;
  });
  const heads = [
    'Why',
    unit === null ? 'Emissions' : `Emissions in ${unit}`,
    `Of ${comparison.before}`,
    'Change',
    'Suppliers',
  ];
  const change = changeShare(step);
  const title = `${stepTitle(comparison, step)}: ${change === null ? signedAmount(step.together) : signedShare(change)}`;
  const id = `why-${step.step}`;
  return section(
    id,
    title,
    undefined,
    scrollRegion(
      title,
      html`<table class="waterfall"><thead><tr>${heads.map((head, index) => html`<th scope="col"${index > 2 && html` class="text"`}>${head}</th>`)}</tr></thead><tbody>${rows}</tbody></table>`,
    ),
    sentenceList(
      'warnings',
      stepNotes(comparison, step).map((note) => `${note}.`),
    ),
  );
}

const maxLargest = 10;

/* The largest changes of the last step. */
function largest({ steps }: Comparison): Content {
  const step = steps.at(-1);
  const changed = (step?.rows ?? []).filter((row) => changeOf(row) !== 0).slice(0, maxLargest);
  const max = Math.max(...changed.map((row) => Math.abs(changeOf(row))), 0);
  if (changed.length === 0) return undefined;
  const rows = changed.map((row): RankedRow => {
    const change = changeOf(row);
    return {
      name: rowName(row),
      length: Math.abs(change) / max,
      text: signedAmount(change),
      exact: `${rowName(row)}: ${figure(change).exact}`,
      tone: change > 0 ? 'more' : 'less',
      find: rowName(row),
      more: [[row.currency, causeText(row)].filter(Boolean).join(' · ')],
    };
  });
  const title =
    changed.length === 1 ? 'The largest change' : `The ${changed.length} largest changes`;
  return section('largest', title, 'Emissions by supplier, in the last step', rankedBars(rows));
}

const leading = ['supplier', 'step', 'emissions_before', 'emissions_after', 'reason'];

function rowTable(comparison: Comparison): Html {
  const rows = comparedRows(comparison);
  const shown = rows.slice(0, maxRows);
  const place = (name: string) => leading.indexOf(name) + 1 || leading.length + 1;
  const columns = comparedColumns
    .filter(({ kind }) => kind !== 'synthetic')
    .toSorted((a, b) => place(a.name) - place(b.name))
    .map((column) => ({
      title: column.name === 'id' ? 'ID' : capital(column.name.replaceAll('_', ' ')),
      kind: kindOf(column.kind).type === 'number' ? ('number' as const) : ('text' as const),
      cell: (row: (typeof rows)[number]) => factCell(column, row),
    }));
  const rest = rows.length - shown.length;
  return searchableTable({
    name: 'changes',
    title: 'All suppliers',
    noun: 'rows',
    note: `A row per step, supplier and currency, the largest change first. Effects are in the unit of the emissions.${rest > 0 ? ` The table lists the first ${count.format(maxRows)} of ${count.format(rows.length)}.` : ''}`,
    placeholder: 'Supplier, reason …',
    columns,
    rows: shown,
    isSynthetic: ({ synthetic }) => synthetic,
  });
}
