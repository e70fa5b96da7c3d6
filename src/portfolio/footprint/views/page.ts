/* The footprint as one self-contained HTML page. Everything from files and records is text. */

import {
  type RankedRow,
  rankedBars,
  type StackPart,
  stackedBar,
} from '../../../display/page/bars.ts';
import { valueTable } from '../../../display/page/charts.ts';
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
import {
  andMore,
  count,
  cut,
  listing,
  naming,
  percentText,
  plural,
} from '../../../display/terminal/format.ts';
import { type FactTable, noteOf } from '../../../display/terminal/section.ts';
import { capital } from '../../../display/terminal/text.ts';
import {
  amountsInWords,
  type Headline,
  serviceInWords,
  withUnit,
} from '../../organizations/statements.ts';
import { totalOf } from '../../organizations/sum.ts';
import { targetName, targetWords } from '../../organizations/target-words.ts';
import { datesInWords, writtenInWords } from '../../records/dates.ts';
import { basisWords } from '../basis-words.ts';
import { groupBy } from '../entries.ts';
import type { LineItem } from '../footprint.ts';
import { exampleGoal } from '../goal-share.ts';
import { findingsOf, lackName, lackReasons, whyAndStep } from '../missing-figures.ts';
import { lacksMatch } from '../named-suppliers.ts';
import { sizeOfTenths, tenthsOf } from '../shares.ts';
import {
  type CommandWith,
  doubtOfUnit,
  type FootprintStatement,
  headlineOf,
  statements,
} from '../statements.ts';
import type { FootprintSummary } from '../totals.ts';
import { answersOf, restOf } from './answers.ts';
import { noEmissionsHeading } from './coded-columns.ts';
import { figuresText, methodOf } from './method.ts';
import { largestItems, tablesOf } from './tables.ts';
import {
  asksOfAverages,
  boundaryText,
  coveredText,
  headingOnPage,
  industryNote,
  leftOutNote,
  lookupDaysText,
  notesOf,
  originOf,
  shareText,
  shownUnit,
  spendText,
  supplierName,
  syntheticSuppliers,
  toCheckUnit,
  unitNote,
} from './words.ts';
import { type ItemColumnName, lineItemColumns } from './workbook.ts';

/**
 * Renders the page.
 * @param items all line items, with words for rules in their warnings; the page lists the largest
 * @param title by default, the first statement
 * @param commandWith by default, a text names the options to add
 */
export function renderFootprintPage(
  summary: FootprintSummary,
  items: Iterable<LineItem>,
  title?: string,
  commandWith?: CommandWith,
): string {
  const all = statements(summary);
  const command = toCheckUnit(summary, commandWith);
  const { says }: Headline = title === undefined ? headlineOf(summary) : { says: title };
  const ofTargets = targets(summary, command);
  const lookups = ofTargets === undefined ? undefined : lookupDaysText(summary.sbti_coverage);
  const head = headOf(summary, lookups, leftOutNote(summary, 'below'));
  const said = answersOf(summary, command, title === undefined);
  return renderSkeleton({
    ...head,
    title: says,
    figures: figures(summary),
    // The figures say of whom the total is, and a chart next to the answers has the targets.
    answers: said.slice(title === undefined ? 1 : 0).filter(({ rule, question }) => {
      return rule !== 'coverage' && (question !== 'targets' || ofTargets === undefined);
    }),
    charts: [origin(summary), ofTargets, categories(summary)],
    skip: 'Skip to the line items',
    sections: [
      largest(
        summary,
        all.find(({ rule }) => rule === 'concentration'),
      ),
      whomToAsk(summary),
    ],
    table: itemTable(summary, items),
    details: [otherTables(summary), methodPart(summary)],
    readingNotes: readingNotes(summary),
  });
}

/**
 * The lines around the title of every page about a footprint, and its warnings.
 * @param lookups of when another source is
 * @param leftOut what the total leaves out
 */
export function headOf(
  summary: FootprintSummary,
  lookups?: string,
  leftOut = leftOutNote(summary, 'no step'),
) {
  const { method, suppliers, years, unit } = summary;
  const number = plural(suppliers, 'supplier');
  const synthetic = syntheticSuppliers(summary);
  const alert = unitNote(summary);
  const known = years.flatMap(({ year }) => year ?? []);
  return {
    about: [
      `Footprint of ${naming([...method.files])}`,
      number,
      known.length === 0 ? 'spend without a year' : `spend of ${known.join(', ')}`,
      ...datesInWords(summary),
    ],
    synthetic,
    dates: [
      ...(known.length === 0 ? [] : [`spend of ${listing(known.map(String))}`]),
      ...datesInWords(summary),
      ...(lookups === undefined ? [] : [lookups]),
    ],
    sources: [
      ...[figuresText(summary)].filter(Boolean),
      ...(method.service === null ? [] : [`service: ${serviceInWords(method.service)}`]),
      boundaryText(summary),
      amountsInWords(unit),
      `${writtenInWords(summary)} by carbon`,
    ],
    alert,
    // A first step has that on industries.
    notes: notesOf(summary, leftOut).filter(
      (note) => note !== synthetic && note !== alert && note !== industryNote(summary),
    ),
  };
}

function figures(summary: FootprintSummary): KeyFigure[] {
  const { years, suppliers, covered_suppliers: covered, emissions_by_basis: bases } = summary;
  const unit = shownUnit(summary);
  const all = bases.own + bases.service + bases.industry;
  const spend = Object.entries(summary.spend);
  return [
    ...years.flatMap(({ year, emissions }): KeyFigure[] => {
      if (emissions === null) return [];
      const { compact, exact } = figure(emissions);
      return [
        {
          name: `${year === null ? 'Emissions' : `Emissions of ${year}`}${doubtOfUnit(summary)}`,
          value: withUnit(compact, unit),
          population: `from ${count.format(covered)} of ${plural(suppliers, 'supplier')}`,
          exact: withUnit(exact, unit),
        },
      ];
    }),
    {
      name: 'Spend with known emissions',
      value: coveredText(summary),
      population: `of ${spend.map(([code, { total }]) => spendText(total, code)).join(' · ') || 'no spend'}${restOf(summary)}`,
    },
    ...(all > 0 ? [ownFigure(summary.supplier_data_share)] : []),
  ];
}

/* Scopes 1 and 2 are most likely the supplier's own; a range would read as doubt about both. */
function ownFigure({ from, to }: FootprintSummary['supplier_data_share']): KeyFigure {
  const isOne = from === null || to === null || !(from > 0 && from < to);
  if (isOne)
    return {
      name: "From the suppliers' own records",
      value: shareText(to),
      population: 'of the emissions',
    };
  return {
    name: "From scopes 1 and 2 in the suppliers' own records",
    value: shareText(from),
    population: `of the emissions; the other figures in these records, usually modeled, have another ${tenthsBetween(from, to)}`,
  };
}

/* The difference of two shares as they are shown. */
function tenthsBetween(from: number, to: number): string {
  return `${sizeOfTenths(tenthsOf(to) - tenthsOf(from))}%`;
}

const shownSuppliers = 10;

function largest(summary: FootprintSummary, statement: FootprintStatement | undefined): Content {
  const rows = summary.largest.slice(0, shownSuppliers);
  const max = Math.max(...rows.map(({ emissions }) => emissions), 0);
  const unit = shownUnit(summary);
  if (rows.length === 0) return undefined;
  const usual = usualReason(rows);
  const ranked = rows.map((row): RankedRow => {
    const { compact, exact } = figure(row.emissions);
    const name = supplierName(row);
    const spend = Object.entries(row.spend).map(([code, amount]) => spendText(amount, code));
    return {
      name,
      length: max > 0 ? row.emissions / max : 0,
      text: amountText(compact, row.share, unit),
      exact: `${withUnit(exact, unit)} (${name})`,
      find: name,
      more: [
        spend.join(', '),
        basisMark(row, usual),
        targetMark(row.sbti_near_term, row.reason === 'unmatched'),
      ],
    };
  });
  const number = plural(rows.length, 'supplier');
  const hasOthers = rows.some((row) => isAverage(row) && lackOfRow(row) !== usual);
  const except = hasOthers ? ', unless a row gives another one' : '';
  const why = usual && html`<span class="why"> (reason for averages: ${usual}${except})</span>`;
  const note = html`Emissions and share, the largest ${number} · spend · basis${why} · near-term target`;
  return section('largest-suppliers', largestTitle(rows, statement), note, rankedBars(ranked));
}

/* What the bars show: the statement may be about more suppliers than there are bars. */
function largestTitle(rows: FootprintSummary['largest'], statement?: FootprintStatement): string {
  if (statement === undefined || Number(statement['suppliers']) <= rows.length)
    return 'Largest suppliers';
  const share = rows.reduce((sum, each) => sum + (each.share ?? 0), 0);
  return `The ${rows.length} largest suppliers make up ${percentText(share, 1)} of the emissions`;
}

/* Why rows are averages, if several have one reason, which then stands once above them. */
function usualReason(rows: FootprintSummary['largest']): string | undefined {
  const reasons = [...groupBy(rows.filter(isAverage), lackOfRow)].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const [[reason, same] = [undefined, []]] = reasons;
  return same.length < 2 ? undefined : reason;
}

const isAverage = ({ reason }: FootprintSummary['largest'][number]) => reason !== null;

function lackOfRow({ reason, missing }: FootprintSummary['largest'][number]): string {
  return reason === null ? '' : lackName({ reason, missing });
}

/* Paper has no room for the reason: whom to ask has it. */
function basisMark(row: FootprintSummary['largest'][number], usual: string | undefined): Content {
  const lack = lackOfRow(row);
  const why = lack === usual ? '' : lack;
  const known = row.basis === null ? '' : basisWords[row.basis].one;
  const basis = row.industry === null ? known : `${known} of ${cut(row.industry, 40)}`;
  return html`${basis}${why && html`<span class="why">: ${why}</span>`}`;
}

/**
 * Writes a status of a near-term target, with a mark if the target was removed.
 * @param isUnmatched whether the record has no matched organization: its target does not count yet
 */
export function targetMark(status: string | null, isUnmatched = false): Html {
  const { tone } = targetWords(status);
  const name = targetName(status, isUnmatched);
  return html`<span class="target target-${tone === 'removed' ? tone : 'other'}">${name}</span>`;
}

function origin(summary: FootprintSummary): Content {
  const parts = originOf(summary);
  const isWhole = parts.every(({ share }) => share !== null && share > 0);
  if (parts.length === 0 || !isWhole) return undefined;
  const { own, industry } = summary.emissions_by_basis;
  const shown = parts.flatMap((each) => originParts(each, summary));
  const notes = [
    own > 0 &&
      "Scopes 1 and 2 are the part most likely to be the supplier's own: the records don't say who reported them.",
    industry > 0 && 'The boundary of industry averages is not documented.',
  ];
  const averages = parts.find(({ basis }) => basis === 'industry')?.share ?? 0;
  const title =
    averages > 0
      ? `${percentText(averages, 1)} is estimated with ${basisWords.industry.all}`
      : 'None of it is estimated with industry averages';
  return section('origin', title, notes.filter(Boolean).join(' '), stackedBar(shown));
}

/* Own figures are two parts, which are the ends of their range. */
function originParts(
  { basis, share, emissions }: ReturnType<typeof originOf>[number],
  summary: FootprintSummary,
): readonly StackPart[] {
  const { from } = summary.supplier_data_share;
  const unit = shownUnit(summary);
  const all = {
    share: share ?? 0,
    shareText: shareText(share),
    note: withUnit(figure(emissions).compact, unit),
  };
  if (basis !== 'own' || from === null || share === null || !(from > 0 && from < share))
    return [{ ...all, tone: basis, name: basisWords[basis].all }];
  const upstream = share - from;
  return [
    {
      share: from,
      shareText: shareText(from),
      note: withUnit(figure((emissions * from) / share).compact, unit),
      tone: 'own',
      name: "scopes 1 and 2 in the suppliers' own records",
    },
    {
      share: upstream,
      shareText: tenthsBetween(from, share),
      note: withUnit(figure((emissions * upstream) / share).compact, unit),
      tone: 'upstream',
      name: 'other figures in these records, usually modeled',
    },
  ];
}

function targets(summary: FootprintSummary, commandWith?: CommandWith): Content {
  const { sbti_coverage: coverage } = summary;
  const known = coverage.targets.filter(({ by_emissions: share }) => share !== null && share >= 0);
  if (coverage.by_emissions === null || known.length === 0) return undefined;
  const bar = stackedBar(
    known.map((row) => ({
      share: row.by_emissions ?? 0,
      ...targetWords(row.status),
      shareText: shareText(row.by_emissions),
      note: statusNote(row, row.largest.map(supplierName)),
      // The table has the text of another status.
      find: row.status === 'other' ? undefined : targetWords(row.status).name,
    })),
  );
  const looked = lookupDaysText(coverage);
  const command =
    commandWith?.(['--goal', exampleGoal]) ?? `carbon footprint … --goal "${exampleGoal}"`;
  const note = html`${looked === undefined ? '' : `${capital(looked)}. `}SBTi near-term targets by the known emissions you buy.<span class="screen"> <code>carbon report</code> counts the emissions of whole companies, and a goal counts unknown emissions as without a target. A target is a promise, not a cut. To see whom to ask: run ${withCommands(command)}</span>`;
  const title = `${shareText(coverage.by_emissions)} is from suppliers with a validated target`;
  return section('targets', title, note, bar);
}

/**
 * Counts the suppliers with a status, and names the largest of those to ask. Those without
 * emissions are not in its share.
 */
export function statusNote(
  {
    status,
    suppliers,
    covered_suppliers: covered,
  }: Pick<
    FootprintSummary['sbti_coverage']['targets'][number],
    'status' | 'suppliers' | 'covered_suppliers'
  >,
  names: readonly string[],
): string {
  const rest = suppliers - covered;
  const number =
    covered === 0
      ? `${plural(rest, 'supplier')} with unknown emissions`
      : `${plural(covered, 'supplier')}${rest > 0 ? `, plus ${count.format(rest)} with unknown emissions` : ''}`;
  const isAsked = status === 'committed' || status === 'removed';
  return isAsked ? `${number}: ${naming(names, 3, suppliers)}` : number;
}

/* Suppliers on averages with their parts, then those without emissions by what to do. */
function whomToAsk({
  on_averages: averages,
  uncovered_suppliers: missing,
  unit,
}: FootprintSummary) {
  const onAverages = asksOfAverages({ on_averages: averages, unit }).map((each, at) => {
    // Those without an average lack the same, so that it is one request.
    const same = missing.filter(({ next_step }) => next_step === each.step);
    const all = same.reduce((sum, { suppliers }) => sum + suppliers.length, each.suppliers);
    const { reasons = [], missing: parts = [] } = averages.ask[at] ?? {};
    const every = lackReasons([...reasons, ...same.map(({ reason }) => reason)]);
    const others = same.flatMap(({ suppliers }) => suppliers.map(supplierName));
    return {
      what: `${findingsOf(every, parts, all)}: ${each.step}`,
      step: each.step,
      names: [...each.names, ...others],
      all,
    };
  });
  const others = missing.filter(
    ({ next_step }) => !onAverages.some(({ step }) => step === next_step),
  );
  const asks = [
    ...onAverages,
    ...others.map(({ reason, next_step, suppliers }) => ({
      what: whyAndStep(reason, next_step),
      names: suppliers.slice(0, shownSuppliers).map(supplierName),
      all: suppliers.length,
    })),
  ].filter(({ all }) => all > 0);
  if (asks.length === 0) return undefined;
  const asked = averages.ask.filter((each) => !lacksMatch(each));
  const hasWebsite = asked.some(({ largest }) => largest.some(({ website }) => website));
  const website = hasWebsite ? ', and their website if the record has one' : '';
  const note = `Those on industry averages with their share of the emissions${website}, then those with unknown emissions`;
  const rows = asks.map(({ what, names, all }) => {
    const [few, many] = [printedNames, names.length].map((number) => {
      const rest = all - Math.min(number, names.length);
      const named = andMore(names.slice(0, number).join(', '), rest);
      return rest > 0 ? `${named} in the table below` : named;
    });
    const whom =
      few === many
        ? few
        : html`<span class="screen">${many}</span><span class="paper">${few}</span>`;
    return html`<dt>${count.format(all)}</dt><dd>${withCommands(what)} <span class="soft">${whom}</span></dd>`;
  });
  return section('ask', 'Whom to ask', note, html`<dl class="ask">${rows}</dl>`);
}

function amountText(amount: string, share: number | null, unit: string | null): string {
  const inUnit = withUnit(amount, unit);
  return share === null ? inUnit : `${inUnit} · ${shareText(share)}`;
}

/* Paper has room for fewer. */
const printedCategories = 6;
const printedNames = 3;

/* Bars that add up to the total: those without room are one, on a screen and on paper. */
function categories(summary: FootprintSummary): Content {
  const { categories: all } = summary;
  const unit = shownUnit(summary);
  const max = Math.max(...all.map(({ emissions }) => emissions), 0);
  if (all.length < 2) return undefined;
  const barOf = (name: string, { emissions, share }: CategoryPart): RankedRow => {
    const { compact, exact } = figure(emissions);
    return {
      name,
      length: max > 0 ? emissions / max : 0,
      text: amountText(compact, share, unit),
      exact: `${withUnit(exact, unit)} (${name})`,
    };
  };
  const rowsUpTo = (maxRows: number): readonly RankedRow[] => {
    const shown = all.slice(0, all.length > maxRows ? maxRows - 1 : maxRows);
    const others = all.slice(shown.length);
    const rows = shown.map(({ category, ...each }) => {
      const row = barOf(category ?? 'no category', each);
      return category === null ? row : { ...row, find: category };
    });
    if (others.length === 0) return rows;
    const parts = others.map(({ share }) => share);
    const sum = {
      emissions: totalOf(others.map(({ emissions }) => emissions)),
      share: parts.includes(null) ? null : totalOf(parts.map((part) => part ?? 0)),
    };
    return [...rows, barOf(`${count.format(others.length)} others`, sum)];
  };
  const shown = rowsUpTo(shownSuppliers);
  const printed = rowsUpTo(printedCategories);
  const isSame = printed.length === shown.length;
  const rows = isSame
    ? shown
    : [
        ...printed.slice(0, -1),
        ...shown.slice(printed.length - 1).map((row) => ({ ...row, only: 'screen' as const })),
        ...printed.slice(-1).map((row) => ({ ...row, only: 'paper' as const })),
      ];
  const [first] = all;
  const share = first?.share ?? null;
  const title =
    share === null || first === undefined
      ? 'Purchasing categories'
      : `${first.category ?? 'Purchases without a category'}: ${percentText(share, 1)} of the emissions`;
  const what = all.every((each) => each.share === null) ? 'Emissions' : 'Emissions and share';
  const note = share === null ? what : `${what} by purchasing category`;
  return section('categories', title, note, rankedBars(rows));
}

type CategoryPart = Pick<FootprintSummary['categories'][number], 'emissions' | 'share'>;

/* The tables whose figures no chart shows. */
function otherTables(summary: FootprintSummary): Content {
  return tablesOf(summary)
    .filter(({ isCharted = false }) => !isCharted)
    .map((table) => tablePart({ ...table, unit: shownUnit(summary) }));
}

/** Renders a table of facts as a part of a page. */
export function tablePart(table: FactTable<never>): Content {
  const { title, rows } = table;
  const note = noteOf(table) ?? '';
  const id = title.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  const body = valueTable({ ...table, note: undefined, unit: undefined }, 'compact');
  return (
    rows.length > 0 &&
    section(id, title, `${capital(note)}${note && '.'}`, scrollRegion(title, body))
  );
}

/** Renders what changes no answer, after the table. */
export function furtherNotes(notes: readonly string[]): Content {
  if (notes.length === 0) return undefined;
  const sentences = notes.map((note) => withCommands(`${note}.`));
  return section('notes', 'Further notes', undefined, sentenceList('warnings', sentences));
}

/** Renders the method of a footprint. */
export function methodPart(summary: FootprintSummary): Html {
  const lines = methodOf(summary).map(
    ([label, text]) => html`<div><dt>${capital(label)}</dt><dd>${text}</dd></div>\n`,
  );
  return section('method', 'Method', undefined, html`<dl class="columns-of-two">${lines}</dl>`);
}

/* Emissions are what the table is about; the figures behind them follow. */
const leading: readonly ItemColumnName[] = [
  'supplier',
  'category',
  'emissions',
  'share',
  'spend',
  'currency',
  'basis',
  'industry',
  'reason',
];

/* Why a factor is an average, and of what, is what a reader asks next. */
const averageColumns: readonly ItemColumnName[] = ['reason', 'industry'];
/* Those of text have no room on paper, which has a table of the reasons. */
const offPaper: readonly ItemColumnName[] = [...averageColumns, 'warning'];

/* The largest emissions first, then items without emissions. */
function itemTable(summary: FootprintSummary, items: Iterable<LineItem>): Html {
  const { shown, omitted } = largestItems(items, maxRows, ({ excluded, emissions }) =>
    excluded === null ? (emissions ?? -Number.MAX_VALUE) : Number.NEGATIVE_INFINITY,
  );
  const place = (name: ItemColumnName) => leading.indexOf(name) + 1 || leading.length + 1;
  const headings: Readonly<Partial<Record<ItemColumnName, string>>> = {
    sbti_near_term: 'Target',
    ...(summary.years.length > 1 && { share: 'Share of its year' }),
    uncovered: noEmissionsHeading,
  };
  const columns = lineItemColumns
    .toSorted((a, b) => place(a.name) - place(b.name))
    .flatMap((column) => {
      const { title, name, value } = column;
      if (title === undefined) return [];
      const { type } = kindOf(column.kind);
      const kind = type === 'number' ? ('number' as const) : ('text' as const);
      const tone = (item: LineItem) => (name === 'uncovered' ? toneOf(item) : '');
      const cell = (item: LineItem) => {
        if (name === 'sbti_near_term') return String(column.inWords?.value(item));
        if (name === 'uncovered' && isCovered(item)) return undefined;
        const isMissing = column.text === undefined && (value(item) ?? '') === '';
        return isMissing ? undefined : factCell(column, item);
      };
      const heading = headingOnPage(headings[name] ?? title, column.kind, summary);
      const isDetail = column.isDetail === true && !averageColumns.includes(name);
      const isOffPaper = offPaper.includes(name);
      return [
        { title: heading, kind, isSorted: name === 'emissions', isDetail, isOffPaper, cell, tone },
      ];
    });
  const left =
    omitted === 0
      ? ''
      : ` The table lists the ${count.format(shown.length)} line items with the largest emissions. The figures above include ${plural(omitted, 'more', 'more')}, which carbon footprint --csv lists.`;
  return searchableTable<LineItem>({
    name: 'register',
    title: 'Line items',
    noun: 'line items',
    about: [summary.method.files, 'footprint', summary.records_to],
    note: `One line item per supplier, name, currency, year and category. Emissions are spend times factor. Categories lists the numbers of the upstream categories with a value.${left}`,
    placeholder: 'Supplier, category, reason',
    columns,
    rows: shown,
    isSynthetic: ({ synthetic }) => synthetic,
  });
}

function isCovered({ excluded, uncovered }: LineItem): boolean {
  return excluded === null && uncovered === null;
}

function toneOf({ excluded, uncovered }: LineItem): string {
  return excluded !== null ? 'open' : uncovered !== null ? 'errored' : '';
}

const readingNotes = ({ emissions_by_basis: bases, ...summary }: FootprintSummary) => [
  'A bar, and a status of a target, lists its suppliers in the table.',
  'The emissions of a line item are its spend times its factor. The table shows three digits of each, and its CSV, the workbook and JSON all of them, so that you can repeat each multiplication.',
  ...(bases.own === 0
    ? []
    : [
        'The basis “own figures” divides the emissions in the supplier’s record by its revenue of the same year (GHG Protocol, Scope 3 Standard, chapter 8). A low factor may reflect missing upstream categories.',
        'The part from emissions in the supplier’s own record is a range: at least scopes 1 and 2, at most all of these figures, because upstream emissions are usually modeled. Its parts are rounded so that they add up.',
      ]),
  ...(bases.service === 0
    ? []
    : ['The basis “service’s factor” is a factor that the service calculated.']),
  ...(bases.industry === 0
    ? []
    : [
        'The basis “industry average” is that of the supplier’s industry, whose boundary is not documented.',
      ]),
  ...(summary.line_items === summary.covered_line_items
    ? []
    : [
        'Line items with unknown emissions have spend but no factor. The spend includes them, the emissions do not.',
      ]),
  ...(Object.keys(summary.excluded).length === 0
    ? []
    : ['Excluded line items are in neither the spend nor the emissions.']),
];
