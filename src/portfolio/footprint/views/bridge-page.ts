/* The page of a comparison: what the totals were and are, why they differ, and by whom. */

import { changeBar, type RankedRow, rankedBars } from '../../../display/page/bars.ts';
import {
  type Content,
  type Html,
  html,
  type KeyFigure,
  scrollRegion,
  section,
  sentenceList,
  withCommands,
} from '../../../display/page/html.ts';
import { factCell, maxRows, searchableTable } from '../../../display/page/searchable-table.ts';
import { renderSkeleton } from '../../../display/page/skeleton.ts';
import { kindOf } from '../../../display/query/kinds.ts';
import { figure } from '../../../display/terminal/figure.ts';
import { count, plural } from '../../../display/terminal/format.ts';
import { capital } from '../../../display/terminal/text.ts';
import { withUnit } from '../../organizations/statements.ts';
import type { BridgeRow, BridgeStep, Effect } from '../bridge.ts';
import { comparisonAsks } from '../bridge-asks.ts';
import { changeShare } from '../causes.ts';
import type { Comparison } from '../compare.ts';
import { dataEffects, withoutDataChanges } from '../data-effects.ts';
import { unknownCurrency } from '../entries.ts';
import { signedAmount, signedCompact, signedShare } from '../signed.ts';
import type { FootprintSummary } from '../totals.ts';
import {
  type ComparedRow,
  headedColumns,
  latestDay,
  shownRows,
  totalRows,
  unusedSource,
  yearFigures,
} from './bridge.ts';
import { effectRows, togetherLabel } from './bridge-effects.ts';
import { stepNotes, stepReading } from './bridge-notes.ts';
import {
  amountsOfChange,
  bridgeAnswers,
  knowsFootprint,
  useOfChange,
  withoutData,
} from './bridge-statements.ts';
import {
  askText,
  causesOf,
  causeText,
  changedSuppliers,
  effectsOf,
  effectWords,
  explainedSteps,
  isRestated,
  rowName,
  shortCause,
  stepTitle,
  titleOf,
} from './bridge-words.ts';
import { furtherNotes, headOf, methodPart } from './page.ts';
import { headingOnPage, industryNote, shownUnit, spendText, yearsNote } from './words.ts';

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
  const unit = shownUnit(summary);
  const all = bridgeAnswers(comparison, summary, unit);
  // The last step with something to explain.
  const step = explainedSteps(comparison).at(-1)?.step ?? steps[0]?.step;
  const main = all.find(({ rule }) => rule === step);
  const head = headOf(summary, unusedSource);
  const ofChange = changeFigures(comparison, unit);
  // Years have no categories, suppliers and targets of their own here, and the first steps name the
  // industries of those to ask.
  const ofFootprint = head.notes.filter(
    (note) => note !== yearsNote && note !== industryNote(summary),
  );
  const isSynthetic = steps.some(({ rows }) => rows.some(({ synthetic }) => synthetic));
  return renderSkeleton({
    ...head,
    synthetic: head.synthetic ?? (isSynthetic ? 'Synthetic sandbox data' : undefined),
    title: title ?? main?.text.replace(/\.$/, '') ?? titleOf(comparison),
    figures: [
      ...ofChange,
      ...yearFigures(comparison, summary).map(({ year, covered, origins, averages }) => ({
        name: `Spend of ${year} with known emissions`,
        value: covered,
        population: origins === null ? 'no emissions' : `these emissions: ${averages ?? origins}`,
      })),
    ],
    // The figures have the change to use beside the one as calculated.
    answers: all.filter((each) => {
      const isShown = each.rule === 'direction' && ofChange.length > 1;
      return !isShown && (title !== undefined || each !== main);
    }),
    notes,
    side: totals(comparison, summary),
    charts: explainedSteps(comparison).map((step) => effects(comparison, step, unit)),
    skip: 'Skip to the table of suppliers',
    sections: [whomToAsk(comparison, unit), largest(comparison, unit)],
    table: rowTable(comparison, summary),
    details: [furtherNotes(ofFootprint), methodPart(summary)],
    readingNotes: readingNotes(comparison),
  });
}

/* The later footprint and its change, if both years have emissions. */
function changeFigures({ steps, before, after }: Comparison, unit: string | null): KeyFigure[] {
  const step = steps.find((each) => !isRestated(each));
  const change = step && changeShare(step);
  if (step === undefined || change == null || !knowsFootprint(step, 'after')) return [];
  const [then, now] = [figure(step.before), figure(step.after)];
  const without = withoutData(step);
  const all = `${signedShare(change)} since ${before}, from ${withUnit(then.compact, unit)}`;
  return [
    {
      name: `Footprint of ${after}`,
      value: withUnit(now.compact, unit),
      population: without === undefined ? all : `as calculated, ${all}`,
      exact: withUnit(now.exact, unit),
    },
    ...(without === undefined
      ? []
      : [
          {
            name: `${capital(withoutDataChanges)}, since ${before}`,
            value: without.share,
            population: `${amountsOfChange(step, unit)}; ${useOfChange(step)}`,
          },
        ]),
  ];
}

const readingNotes = ({ steps, ...comparison }: Comparison) => [
  ...(steps.some(({ step }) => step === 'restated')
    ? [
        'Restated: the earlier spend, first with the earlier records, then with those of today. Year to year: both with the records of today. So better data shows once, in the first step.',
      ]
    : []),
  "The part from the suppliers' own figures is a range: at least scopes 1 and 2, at most all of these figures, because upstream emissions are usually modeled.",
  'The change of a supplier is split into spend and factor, and then the factor into emissions and revenue, each time by the mean of both orders (Shapley), so that the parts add up exactly. Splitting all three at once would give slightly different parts.',
  "A supplier's part in your footprint follows its own emissions, its revenue and your spend: it may rise although the company's own emissions fall, which is what carbon report shows.",
  ...dataNote(steps),
  "Suppliers' emissions are those of whole companies, allocated by revenue: if a supplier's revenue rises, the same spend is a smaller part of it.",
  ...stepReading({ steps, ...comparison }).map((note) => `${note}.`),
];

/* Explains only the causes that the tables show. */
function dataNote(steps: readonly BridgeStep[]): readonly string[] {
  const found = new Set(steps.flatMap((step) => step.effects.map(({ effect }) => effect)));
  return dataEffects.flatMap((effect) => (found.has(effect) ? (dataNotes[effect] ?? []) : []));
}

const dataNotes: Readonly<Partial<Record<Effect, string>>> = {
  method_and_data:
    'Method and data: another kind of figures, such as own ones instead of an average, or averages of another year.',
  coverage: 'Coverage: suppliers with emissions on one side only.',
  currency_change: 'Currency: suppliers that you paid in another currency.',
};

function totals(comparison: Comparison, summary: FootprintSummary): Content {
  const all = totalRows(comparison, latestDay(summary));
  const unit = shownUnit(summary);
  // The line below the title says of when the records of all rows are.
  const isRecords = comparison.steps.some(isRestated);
  const max = Math.max(
    ...all.flatMap(({ total, without }) => [total ?? 0, without?.total ?? 0]),
    0,
  );
  const rows = all.flatMap(({ label, year, total, change, spend, without }): RankedRow[] => {
    const barOf = (name: string, sum: number | null, of: string): RankedRow => ({
      name,
      length: max > 0 ? (sum ?? 0) / max : 0,
      text: sum === null ? '–' : `${withUnit(figure(sum).rounded, unit)}${of}`,
      exact: sum === null ? '–' : withUnit(figure(sum).exact, unit),
    });
    const shown = isRecords ? label : String(year);
    const calculated = {
      ...barOf(
        without === undefined ? shown : `${shown} as calculated`,
        total,
        change === null ? '' : ` · ${signedShare(change)}`,
      ),
      more: [
        Object.entries(spend)
          .map(([code, amount]) => spendText(amount, code))
          .join(' · '),
      ],
    };
    if (without === undefined) return [calculated];
    // The title has this change.
    const name = `${year} ${withoutDataChanges}`;
    return [barOf(name, without.total, ` · ${without.share}`), calculated];
  });
  return section(
    'totals',
    titleOf(comparison),
    isRecords
      ? 'Emissions, the change to the earlier line, and the spend'
      : `Emissions, the change since ${comparison.before}, and the spend`,
    rankedBars(rows),
  );
}

/* A row of a table of changes, whose bars begin at a common zero: falls to the left of it. */
interface ChangeRow {
  readonly name: Content;
  /** Null if it is unknown. */
  readonly emissions: number | null;
  readonly shareText: string;
  /** Undefined for a sum, which has no bar. */
  readonly tone: 'data' | 'more' | 'less' | undefined;
  readonly label: string;
  readonly text: string;
  readonly find?: string;
  /** How it looks: a sum, a cause, a part of one, or one for which paper has no room. */
  readonly kind?: 'sum' | 'cause' | 'part' | 'only' | 'screen';
}

function changeTable(title: string, heads: readonly string[], rows: readonly ChangeRow[]): Html {
  const max = Math.max(
    ...rows.flatMap(({ tone, emissions }) => (tone ? Math.abs(emissions ?? 0) : 0)),
  );
  const lines = rows.map(({ name, emissions, shareText, tone, label, text, find, kind }) => {
    const amount = emissions === null ? '–' : signedAmount(emissions);
    const bar =
      tone !== undefined &&
      emissions !== null &&
      max > 0 &&
      changeBar(emissions / max, tone, `${label}: ${amount}`);
    const target = find === undefined ? '' : html` data-find="${find}"`;
    const look = kind !== undefined && kind !== 'only' && html` class="${kind}"`;
    return html`<tr${look}${target}><th scope="row" data-who="${text}">${name}</th><td><span title="${emissions === null ? amount : figure(emissions).exact}">${amount}</span></td><td>${shareText}</td><td>${bar}</td><td class="text">${text}</td></tr>\n`;
  });
  return scrollRegion(
    title,
    html`<table class="waterfall"><thead><tr>${heads.map((head, index) => html`<th scope="col"${index > 2 && html` class="text"`}>${head}</th>`)}</tr></thead><tbody>${lines}</tbody></table>`,
  );
}

function headsOf(first: string, last: string, before: number, unit: string | null) {
  const emissions = unit === null ? 'Emissions' : `Emissions in ${unit}`;
  return [first, emissions, `% of ${before}`, 'Change', last];
}

function effects(comparison: Comparison, step: BridgeStep, unit: string | null): Content {
  const rows = effectRows(step).map(
    ({ kind, cause, label, emissions, shareText, suppliers, reasons }): ChangeRow => {
      // Data that became better is no change, so that its bar has no color of its own.
      const tone = cause === 'data' ? 'data' : (emissions ?? 0) > 0 ? 'more' : 'less';
      const who = suppliers === null ? '' : plural(suppliers, 'supplier');
      const text = [who, reasons.join(', ')].filter(Boolean).join(': ');
      return {
        name: label,
        emissions,
        shareText,
        tone: cause === undefined ? undefined : tone,
        label,
        text,
        kind: kind === 'sum' && cause !== undefined ? 'cause' : kind,
      };
    },
  );
  const change = changeShare(step);
  const [together] = rows.filter(({ name }) => name === togetherLabel);
  const amount = together?.emissions == null ? '' : `: ${signedAmount(together.emissions)}`;
  const without = withoutData(step);
  const percent =
    without === undefined
      ? signedShare(change)
      : `${without.share} ${withoutDataChanges} (${signedShare(change)} as calculated)`;
  const all = change === null ? amount : `: ${percent}`;
  const title = `${stepTitle(comparison, step)}${all}`;
  return section(
    `why-${step.step}`,
    title,
    undefined,
    changeTable(title, headsOf('Why', 'Suppliers', comparison.before, unit), rows),
    sentenceList(
      'warnings',
      stepNotes(comparison, step).map((note) => `${note}.`),
    ),
  );
}

function onScreen(text: string): Html {
  return html`<span class="screen">${text}</span>`;
}

const namedSuppliers = 3;
/* Paper has room for fewer. */
const printedNames = 1;

function whomToAsk(comparison: Comparison, unit: string | null): Content {
  const rows = comparisonAsks(comparison).map((each) => {
    const { what, names } = askText(each, namedSuppliers, unit);
    const few = askText(each, printedNames, unit).names;
    const whom =
      few === names
        ? names
        : html`<span class="screen">${names}</span><span class="paper">${few}</span>`;
    return html`<dt>${count.format(each.suppliers.length)}</dt><dd>${withCommands(what.replace(/(?<=: |^Match )[\d,]+ (?=supplier)/, ''))} <span class="soft">${whom}</span></dd>`;
  });
  if (rows.length === 0) return undefined;
  const note =
    'First whom the change leads to, with what they added; then those on averages, with their emissions';
  return section('ask', 'Whom to ask', onScreen(note), html`<dl class="ask">${rows}</dl>`);
}

const maxLargest = 8;
/* The summary of two steps needs more room on paper, where it is one page. */
const fewLargest = 5;
const printedLargest = 4;

/* The largest changes of the last step. */
function largest({ steps, before }: Comparison, unit: string | null): Content {
  const step = steps.at(-1);
  if (step === undefined) return undefined;
  const changed = changedSuppliers(step, steps.length > 1 ? fewLargest : maxLargest);
  if (changed.length === 0) return undefined;
  const rows = changed.map(({ rows: all, change }, at): ChangeRow => {
    const name = rowName(all[0]);
    const [main] = causesOf(all);
    const isOfData = dataEffects.some((effect) => effect === main?.cause);
    return {
      name: html`<a href="#all" data-find="${name}">${name}</a>`,
      emissions: change,
      shareText: signedShare(step.before > 0 ? change / step.before : null),
      tone: isOfData ? 'data' : change > 0 ? 'more' : 'less',
      label: name,
      text: whyText(all, unit),
      find: name,
      ...(at >= printedLargest ? { kind: 'screen' as const } : {}),
    };
  });
  const title = `The largest change${changed.length === 1 ? '' : 's'}, data changes included`;
  const where = steps.length > 1 ? ', in the last step' : '';
  const note = `Emissions by supplier${where}. Falls to the left, rises to the right; dashed if what is known changed, not what was emitted`;
  const heads = headsOf('Supplier', 'Why', before, unit);
  return section('largest', title, onScreen(note), changeTable(title, heads, rows));
}

/* Each cause with its amount, the emissions and revenue of the supplier apart, then the spend. */
function whyText(rows: readonly BridgeRow[], unit: string | null): string {
  const spentOn = (side: BridgeRow['before']) => figure(side?.spend ?? 0).compact;
  const spend = rows
    .map(({ currency, before, after }) => {
      return `${currency ?? unknownCurrency} ${spentOn(before)} → ${spentOn(after)}`;
    })
    .sort()
    .join(', ');
  const all = effectsOf(rows);
  const words = all.map(({ effect, size }) => {
    return `${shortCause(effect, size, rows)} ${withUnit(signedCompact(size), unit)}`;
  });
  const [only] = all.length === 1 ? all : [];
  const lost = only?.effect === 'coverage' ? shortCause('coverage', only.size, rows) : undefined;
  const causes = capital(lost ?? (all.length < 2 ? causeText(rows) : words.join(', ')));
  return causes === effectWords.spend ? `${causes}: ${spend}` : `${causes} · your spend: ${spend}`;
}

/* A narrow screen has room for the first two. */
const leading: readonly (keyof ComparedRow)[] = [
  'supplier',
  'change',
  'emissions_after',
  'emissions_before',
  'step',
  'reason',
];

function rowTable(comparison: Comparison, summary: FootprintSummary): Html {
  const rows = shownRows(comparison);
  const shown = rows.slice(0, maxRows);
  const place = (name: keyof ComparedRow) => leading.indexOf(name) + 1 || leading.length + 1;
  const columns = headedColumns(comparison)
    .filter(({ kind }) => kind !== 'synthetic')
    .toSorted((a, b) => place(a.name) - place(b.name))
    .map((column) => ({
      title: headingOnPage(
        column.kind === 'id' ? 'ID' : (column.heading ?? capital(column.name.replaceAll('_', ' '))),
        column.kind,
        summary,
      ),
      kind: kindOf(column.kind).type === 'number' ? ('number' as const) : ('text' as const),
      isDetail: column.kind === 'id' || column.kind === 'factor',
      // Paper has no room; the effects of the spend stay.
      isOffPaper: column.name === 'spend_before' || column.name === 'spend_after',
      cell: (row: (typeof rows)[number]) => factCell(column, row),
    }));
  const rest = rows.length - shown.length;
  return searchableTable({
    name: 'changes',
    title: 'All suppliers',
    noun: 'rows',
    about: [summary.method.files, 'comparison', summary.records_to],
    note: `A row per ${comparison.steps.length > 1 ? 'step, supplier' : 'supplier'} and currency, the supplier with the largest change first. Effects are in the unit of the emissions.${rest > 0 ? ` The table lists the first ${count.format(maxRows)} of ${count.format(rows.length)}.` : ''}`,
    placeholder: 'Supplier, reason …',
    columns,
    rows: shown,
    isSynthetic: ({ synthetic }) => synthetic,
  });
}
