/*
 * Shows why a footprint differs from an earlier one: for a terminal and a pipe, as rows of CSV,
 * JSON and a workbook, and as the members of a summary.
 */

import { answerLines } from '../../../display/terminal/answers.ts';
import { listing } from '../../../display/terminal/format.ts';
import {
  hanging,
  noteLines,
  readingSection,
  readingTitle,
} from '../../../display/terminal/reading.ts';
import { sanitize } from '../../../display/terminal/sanitize.ts';
import {
  emissionsColumn,
  type FactTable,
  indent,
  noteText,
  renderPlainSections,
  renderSections,
  type Screen,
  type Section,
  screenOf,
  tableSection,
  text,
} from '../../../display/terminal/section.ts';
import type { View } from '../../../display/terminal/style.ts';
import { wrap } from '../../../display/terminal/text.ts';
import { factSheet } from '../../../lists/table/fact-sheet.ts';
import { foldedTable } from '../../../lists/table/folded-table.ts';
import type { SummaryContent } from '../../../lists/table/summary-sheet.ts';
import type { SheetContent } from '../../../lists/workbook/sheet-xml.ts';
import { inWords } from '../../organizations/in-words.ts';
import { shortAmountsInWords } from '../../organizations/statements.ts';
import { datesOnSheet } from '../../records/dates.ts';
import { basisWords } from '../basis-words.ts';
import { type BridgeRow, changeOf, type Step } from '../bridge.ts';
import { type BridgeAsk, comparisonAsks } from '../bridge-asks.ts';
import { changeShare } from '../causes.ts';
import type { Comparison } from '../compare.ts';
import { withoutDataChanges } from '../data-effects.ts';
import { tenthsOf } from '../shares.ts';
import { signedShare } from '../signed.ts';
import type { FootprintSummary, Totals } from '../totals.ts';
import { effectsTable } from './bridge-effects.ts';
import { stepNotes, stepReading } from './bridge-notes.ts';
import {
  bridgeAnswers,
  bridgeStatements,
  knowsFootprint,
  withoutData,
} from './bridge-statements.ts';
import { asksAfterSteps } from './bridge-steps.ts';
import {
  askLine,
  askReason,
  explainedSteps,
  isRestated,
  largestNow,
  largestText,
  latestRecordsText,
  reasonText,
  recordsText,
  titleOf,
  unknownReason,
} from './bridge-words.ts';
import { withSyntheticWords } from './coded-columns.ts';
import { type ContactOf, contactColumns } from './contacts.ts';
import { headSection, syntheticNotes } from './head-section.ts';
import { figuresText, methodOnSheet, notesOnSheet } from './method.ts';
import { type ColumnWords, columnsOf, shareColumn, spendColumns, table } from './tables.ts';
import {
  boundaryText,
  coveredText,
  originOf,
  shareText,
  supplierName,
  type UnitTotals,
  unitNote,
} from './words.ts';

/**
 * Lists what the totals were and are, the earliest first.
 * @param day that of the latest record, ISO 8601
 */
export function totalRows(comparison: Comparison, day: string) {
  const { steps, before, after } = comparison;
  const [first] = steps;
  // The line under the title says of when the records of all rows are.
  const hasDays = steps.some(isRestated);
  const latest = latestRecordsText(day);
  const records = first && isRestated(first) ? recordsText(comparison, day) : latest;
  return [
    {
      year: before,
      label: hasDays ? `${before}, ${records}` : String(before),
      total: first && knowsFootprint(first, 'before') ? first.before : null,
      spend: first?.spend_before ?? {},
      change: null,
      without: undefined,
    },
    ...steps.map((step) => ({
      year: isRestated(step) ? before : (after ?? before),
      label: hasDays
        ? `${isRestated(step) ? before : (after ?? before)}, ${latest}`
        : String(after ?? before),
      total: knowsFootprint(step, 'after') ? step.after : null,
      spend: step.spend_after,
      change: changeShare(step),
      without: withoutData(step),
      note: isRestated(step) ? 'restated' : null,
    })),
  ];
}

/* The total without data changes comes first, because its change is the one to use. */
function totalLines(comparison: Comparison, day: string) {
  const noSpend: Readonly<Record<string, number>> = {};
  return totalRows(comparison, day).flatMap(({ year, without, ...row }) => {
    if (without === undefined) return [{ ...row, shown: row.label }];
    const { total, emissions } = without;
    const change = emissions / (total - emissions);
    const label = `${year} ${withoutDataChanges}`;
    return [
      { ...row, label, shown: label, total, change, spend: noSpend },
      // A pipe has the same name for it in every comparison.
      { ...row, shown: `${row.label} as calculated` },
    ];
  });
}

/** Returns the day of the latest record, otherwise when the comparison was made, ISO 8601. */
export function latestDay({ records_to, written_at }: FootprintSummary): string {
  return records_to ?? written_at;
}

/** Says in a line each what the totals were and are. */
function totals(comparison: Comparison, summary: FootprintSummary): FactTable<never> {
  const { unit } = summary;
  const rows = totalLines(comparison, latestDay(summary));
  const largest = rows.reduce((max, { total }) => Math.max(max, total ?? 0), 0);
  return table(rows, {
    title: titleOf(comparison),
    prefix: '',
    unit,
    bar: ({ total }) => (total ?? 0) / largest,
    barAfter: 'total',
    barColumns: 20,
    wrapsLabel: true,
    head: 'Footprint',
    label: ({ label }) => label,
    key: { kind: 'name', value: ({ shown }) => shown },
    onScreen: { label: ({ shown }) => shown },
    columns: [
      emissionsColumn('total', 'Total', ({ total }) => total),
      {
        ...shareColumn<(typeof rows)[number]>(
          'change',
          'Change',
          ({ change }) => change,
          ({ change }) => signedShare(change),
        ),
        kind: 'share_change',
      },
      text('kind', '', (row) => ('note' in row ? row.note : null)),
      ...spendColumns(rows, ({ spend }, currency) => spend[currency]),
    ],
  });
}

/** Of when another source of records is: of no day, as no figure here is from it. */
export const unusedSource = 'SBTi targets play no part';

/* A list of those to ask about one cause has other amounts. */
const largestTitle = 'Largest changes, all causes together';

/**
 * Renders a comparison for a terminal of 40 columns or more.
 * @param isFull whether it also shows why data changed, whom to ask next, and how to read it
 */
export async function renderBridge(
  comparison: Comparison,
  summary: FootprintSummary,
  view: View,
  isFull = false,
): Promise<Screen> {
  // The first lines have the alerts.
  const { notes } = comparison;
  const [asks, reading] = [askSection(comparison, summary.unit), stepReading(comparison)];
  const sections = [
    ...sectionsOf(comparison, summary, !isFull),
    ...(isFull ? [asks, readingSection(reading)] : []),
  ];
  const reasons = comparison.steps.flatMap((step) => (isRestated(step) ? [] : step.effects));
  const names = [
    ...(reasons.every((each) => each.reasons.length === 0) ? [] : ['why data changed']),
    ...(asks.hasTitle === false ? [] : ['whom to ask next']),
    ...(reading.length === 0 ? [] : ['how to read it']),
    'how the file was read',
  ];
  const more = isFull ? undefined : `For ${listing(names)}, add --full`;
  return screenOf(await renderSections(sections, notes, view), more, view);
}

/** Renders a comparison as lines `label: value` for a pipe. */
export function renderPlainBridge(comparison: Comparison, summary: FootprintSummary): string {
  const notes = [...everyNote(comparison, summary), ...syntheticNotes(summary)];
  const sections = [...sectionsOf(comparison, summary), askSection(comparison, summary.unit)];
  return renderPlainSections(sections, notes);
}

function sectionsOf(comparison: Comparison, summary: FootprintSummary, isBrief = false): Section[] {
  const sections = explainedSteps(comparison).map((step): Section => {
    const effects = effectsTable(comparison, step, summary.unit);
    // An answer has the largest data change between two years, and why it is one.
    const columns =
      isBrief && !isRestated(step)
        ? effects.columns.filter(({ name }) => name !== 'reason')
        : effects.columns;
    const section = tableSection({ ...effects, columns });
    const notes = stepNotes(comparison, step);
    const largest = largestText(step, summary.unit);
    const isLast = step === comparison.steps.at(-1);
    const now = isLast ? largestNow(comparison, summary.unit) : undefined;
    // The first lines of the screen name those of the last step.
    const lines = largest === undefined || isLast ? [] : [`${largestTitle}: ${largest}`];
    return {
      ...section,
      facts: [
        ...section.facts,
        ...(largest === undefined
          ? []
          : [{ label: largestTitle, details: [['', largest] as const] }]),
        ...(now === undefined ? [] : [{ label: now.label, details: [['', now.text] as const] }]),
      ],
      renderTerminal: (columns, style, frame) => [
        ...(section.renderTerminal?.(columns, style, frame) ?? []),
        ...noteLines(notes, columns, style),
        ...lines.flatMap((line) => wrap(sanitize(line), columns - 2).map(indent)),
      ],
    };
  });
  const head = headSection(summary, {
    about: [titleOf(comparison), boundaryText(summary), shortAmountsInWords(summary.unit)],
    alert: unitNote(summary),
    lookups: [figuresText(summary), unusedSource].filter(Boolean).join(' · '),
    facts: [],
    answers: bridgeAnswers(comparison, summary),
    isFull: !isBrief,
  });
  const compared: Section = { ...tableSection(totals(comparison, summary)), hasTitle: false };
  return [head, compared, ...sections];
}

const namedSuppliers = 3;
const laterTitle = 'Whom to ask after the first steps';

/* A terminal has the first steps above; a pipe has all, for programs. */
function askSection(comparison: Comparison, unit: string | null): Section {
  const lineOf = (each: BridgeAsk) => askLine(each, namedSuppliers, unit);
  const later = asksAfterSteps(comparison, unit).map(lineOf);
  return {
    name: laterTitle,
    hasTitle: later.length > 0,
    facts: comparisonAsks(comparison).map((each) => ({
      label: 'ask',
      details: [['', lineOf(each)]],
    })),
    renderTerminal: (columns) =>
      later.flatMap((line) => hanging('', line, columns - 2).map(indent)),
  };
}

/** A supplier in one currency, in one step, as a row; the columns describe its members. */
export type ComparedRow = ReturnType<typeof comparedRows>[number];

/** Returns the rows of all steps, the supplier with the largest change first in each. */
export function comparedRows({ steps }: Comparison) {
  return steps.flatMap(({ step, rows }) => rows.map((row) => comparedRow(step, row)));
}

/**
 * Returns the same rows for people, who read 0 as no change: without emissions on both sides, no
 * effect is known.
 */
export function shownRows({ steps }: Comparison): readonly ComparedRow[] {
  return steps.flatMap(({ step, rows }) =>
    rows.map((row) => {
      const compared = comparedRow(step, row);
      if (compared.change !== null) return compared;
      return { ...compared, ...effectsIn({}), reason: unknownReason(step, row) };
    }),
  );
}

function comparedRow(step: Step, row: BridgeRow) {
  const { before, after } = row;
  const factorOf = (cell: BridgeRow['before']) =>
    cell?.hasEmissions && cell.spend !== 0 ? cell.emissions / cell.spend : null;
  const emissionsOf = (cell: BridgeRow['before']) => (cell?.hasEmissions ? cell.emissions : null);
  return {
    step,
    supplier: row.name,
    id: row.id,
    currency: row.currency,
    spend_before: before?.spend ?? null,
    spend_after: after?.spend ?? null,
    factor_before: factorOf(before),
    factor_after: factorOf(after),
    emissions_before: emissionsOf(before),
    emissions_after: emissionsOf(after),
    change: before?.hasEmissions || after?.hasEmissions ? changeOf(row) : null,
    ...effectsIn(row.effects),
    reason: row.reason,
    synthetic: row.synthetic,
  };
}

function effectsIn(effects: BridgeRow['effects']) {
  return {
    spend_effect: effects.spend ?? null,
    supplier_emissions: effects.supplier_emissions ?? null,
    supplier_revenue: effects.supplier_revenue ?? null,
    method_and_data: effects.method_and_data ?? null,
    coverage: effects.coverage ?? null,
    currency_change: effects.currency_change ?? null,
    new: effects.new ?? null,
    left: effects.left ?? null,
  };
}

const rowWords: ColumnWords<ComparedRow> = {
  step: ['text', '`restated` from earlier records to those of today, or `years` from year to year'],
  supplier: ['name', 'Name of the supplier in the input file'],
  id: ['id', 'ID of the organization', 'detail'],
  currency: ['text', 'Currency of the spend'],
  spend_before: ['amount', 'Spend before', 'detail'],
  spend_after: ['amount', 'Spend after', 'detail'],
  factor_before: ['factor', 'Emissions per unit of spend before', 'detail'],
  factor_after: ['factor', 'Emissions per unit of spend after', 'detail'],
  emissions_before: ['emissions', 'Emissions before; empty for an uncovered item'],
  emissions_after: ['emissions', 'Emissions after; empty for an uncovered item'],
  change: [
    'emissions_change',
    'What the emissions changed by; empty without emissions on both sides',
  ],
  spend_effect: ['emissions_change', 'What your spend changed'],
  supplier_emissions: ['emissions_change', "What the supplier's emissions changed"],
  supplier_revenue: ['emissions_change', "What the supplier's revenue changed"],
  method_and_data: ['emissions_change', 'What another method or other data changed'],
  coverage: ['emissions_change', 'What items changed that have emissions on one side only'],
  currency_change: ['emissions_change', 'What another currency of the spend changed'],
  new: ['emissions_change', 'Emissions of a supplier that was not there before'],
  left: ['emissions_change', 'Emissions of a supplier that is not there any more, negative'],
  reason: ['note', 'What changed in method and data, or in coverage'],
  synthetic: ['synthetic', 'Whether the figures are synthetic ones of the sandbox; empty if not'],
};

const stepNames = {
  restated: 'earlier records with those of today',
  years: 'from year to year',
};

/* What heads an effect in a row of one supplier. */
const effectHeadings: Readonly<Partial<Record<keyof ComparedRow, string>>> = {
  spend_effect: 'From your spend',
  supplier_emissions: 'From its emissions',
  supplier_revenue: 'From its revenue',
  method_and_data: 'From method and data',
  coverage: 'From coverage',
  currency_change: 'From another currency',
  new: 'New supplier',
  left: 'Supplier left',
};

/* Columns of both sides, and what they are of. */
const sides: Readonly<Partial<Record<keyof ComparedRow, readonly [of: string, side: 0 | 1]>>> = {
  spend_before: ['Spend', 0],
  spend_after: ['Spend', 1],
  factor_before: ['Factor', 0],
  factor_after: ['Factor', 1],
  emissions_before: ['Emissions', 0],
  emissions_after: ['Emissions', 1],
};

/** The columns of the rows of a comparison. */
export const comparedColumns = columnsOf<ComparedRow>(rowWords, {
  step: (column) => inWords(column, stepNames, 'What is compared'),
  reason: (column) => inWords(column, reasonText, column.description),
  synthetic: withSyntheticWords((row) => row.change !== null),
});

/**
 * Returns the columns with headings for people: the years that are compared, unless a row compares
 * records of two days.
 */
export function headedColumns({ before, after, steps }: Comparison): typeof comparedColumns {
  const years = after === null || steps.some(isRestated) ? undefined : [before, after];
  return comparedColumns.map((column) => {
    const [of, side] = sides[column.name] ?? [];
    const year = side === undefined ? undefined : years?.[side];
    if (of === undefined || year === undefined)
      return { ...column, heading: effectHeadings[column.name] };
    const description = column.description.replace(/ (?:before|after)\b/, ` of ${year}`);
    return { ...column, heading: `${of} ${year}`, description };
  });
}

/** Says what a reader could misunderstand in all steps, and what else differs. */
function bridgeNotes(comparison: Comparison, summary: UnitTotals): readonly string[] {
  const ofSteps = comparison.steps.flatMap((step) => stepNotes(comparison, step));
  return [...[unitNote(summary) ?? []].flat(), ...ofSteps, ...comparison.notes];
}

/* Programs and a pipe have one list. */
function everyNote(comparison: Comparison, summary: UnitTotals): readonly string[] {
  return [...bridgeNotes(comparison, summary), ...stepReading(comparison)];
}

/** Returns what the summary of `--json` says of a comparison. */
export function bridgeMembers(comparison: Comparison, summary: UnitTotals) {
  const { before, after, since, steps } = comparison;
  return {
    statements: bridgeStatements(comparison, summary),
    notes: everyNote(comparison, summary),
    bridge: {
      before,
      after,
      since,
      steps: steps.map(({ rows: _, sameFigures, ...step }) => ({
        ...step,
        same_figures: sameFigures,
      })),
    },
    ask: comparisonAsks(comparison),
  };
}

function tablesOf(comparison: Comparison, summary: FootprintSummary) {
  const { unit } = summary;
  return [
    totals(comparison, summary),
    ...explainedSteps(comparison).map((step) => effectsTable(comparison, step, unit)),
  ];
}

/** Returns the sheet of the suppliers. */
export function comparedSheet(comparison: Comparison, unit: string | null) {
  const rows = () => shownRows(comparison);
  return foldedTable(headedColumns(comparison), rows, { unit });
}

/** Returns the sheets after the suppliers: the totals, the effects of each step, whom to ask. */
export function bridgeSheets(
  comparison: Comparison,
  summary: FootprintSummary,
  contactOf: ContactOf,
): readonly SheetContent[] {
  const [first, ...steps] = tablesOf(comparison, summary);
  return [
    // Excel allows no name as long as the title of the totals.
    ...(first === undefined ? [] : [factSheet(first, { name: 'Totals' })]),
    ...steps.map((each) => factSheet(each)),
    ...askSheet(comparison, summary.unit, contactOf),
  ];
}

/* A row for each supplier to ask, with what its record knows to reach it. */
function askSheet(comparison: Comparison, unit: string | null, contactOf: ContactOf) {
  const rows = comparisonAsks(comparison).flatMap((ask) =>
    ask.suppliers.map((each) => ({
      ...each,
      why: askReason(ask, each),
      next_step: ask.next_step,
      /** Whether the emissions are what was added, not all. */
      isAdded: ask.why === 'bought' || ask.why === 'rose',
    })),
  );
  if (rows.length === 0) return [];
  const asked = table(rows, {
    title: 'Whom to ask',
    unit,
    head: 'Supplier',
    label: supplierName,
    columns: [
      noteText('why', 'Why', ({ why }) => why),
      noteText('next_step', 'Next step', (row) => row.next_step),
      text('missing_categories', 'Missing categories', (row) => row.missing_categories),
      emissionsColumn('added', 'Added', (row) => (row.isAdded ? row.emissions : null)),
      emissionsColumn('emissions', 'Emissions', (row) => (row.isAdded ? null : row.emissions)),
      ...contactColumns<(typeof rows)[number]>(({ id }) => contactOf(id)),
      { ...text('id', 'ID', ({ id }) => id), kind: 'id' },
    ],
  });
  return [factSheet(asked, { isList: true })];
}

/* A range would read as doubt about one figure. */
function ownParts({ from, to }: Totals['supplier_data_share']): readonly string[] {
  const whose = basisWords.own.label;
  if (from === null || to === null || !(from > 0 && from < to))
    return [`${shareText(to)} from ${whose}`];
  const others = ((tenthsOf(to) - tenthsOf(from)) / 10).toFixed(1);
  return [
    `${shareText(from)} from scopes 1 and 2 in ${whose}`,
    `${others}% from other figures in them, usually modeled`,
  ];
}

/**
 * Says how much of the spend of each year has emissions, and what these are from: own figures in
 * two parts, because scopes 1 and 2 are most likely the supplier's own.
 */
export function yearFigures({ before, after }: Comparison, { years }: FootprintSummary) {
  const compared = years.filter(({ year }) => year === before || year === after);
  return compared.map((totals) => {
    const parts = originOf(totals).map(({ basis, share }) => {
      const text = `${shareText(share)} from ${basisWords[basis].label}`;
      return { basis, texts: basis === 'own' ? ownParts(totals.supplier_data_share) : [text] };
    });
    const textOf = (some: typeof parts) => some.flatMap(({ texts }) => texts).join(', ') || null;
    return {
      year: totals.year,
      covered: coveredText(totals),
      origins: textOf(parts),
      /** Null without any. */
      averages: textOf(parts.filter(({ basis }) => basis === 'industry')),
    };
  });
}

/** Returns what the first sheet of the workbook says. */
export function bridgeSummary(comparison: Comparison, summary: FootprintSummary): SummaryContent {
  const now = largestNow(comparison, summary.unit);
  return {
    isSynthetic: summary.synthetic > 0,
    answers: answerLines(bridgeAnswers(comparison, summary)),
    dates: datesOnSheet(summary),
    figures: [
      ...totalLines(comparison, summary.written_at).map(
        ({ shown, total }) => [`footprint of ${shown}`, total, summary.unit] as const,
      ),
      ...(now === undefined ? [] : [[now.label, now.text] as const]),
      ...yearFigures(comparison, summary).flatMap(({ year, covered, origins }) => [
        [`Spend of ${year} with emissions`, covered.replaceAll('\u00a0', ' ')] as const,
        [`Origin of the emissions of ${year}`, origins] as const,
      ]),
    ],
    parts: [
      // The first steps are above, all suppliers to ask in a sheet.
      [
        laterTitle,
        asksAfterSteps(comparison, summary.unit).map(
          (each) => ['', askLine(each, namedSuppliers, summary.unit)] as const,
        ),
      ],
      ['Before you quote it', notesOnSheet(bridgeNotes(comparison, summary))],
      [readingTitle, notesOnSheet(stepReading(comparison))],
      methodOnSheet(summary),
    ],
    emptyCells:
      'Effects: the cause does not apply, or emissions are unknown. Emissions: unknown, not zero, or nothing was bought. Reason: there is nothing to explain.',
  };
}
