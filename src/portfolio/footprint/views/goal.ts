/*
 * Shows progress toward a goal for suppliers: for a terminal and a pipe, as sheets of a workbook,
 * and as the members of a summary.
 */
import { answerLines } from '../../../display/terminal/answers.ts';
import { dateText, listing } from '../../../display/terminal/format.ts';
import { notesSection, readingSection, readingTitle } from '../../../display/terminal/reading.ts';
import {
  renderPlainSections,
  renderSections,
  type Screen,
  type Section,
  screenOf,
  tableSection,
} from '../../../display/terminal/section.ts';
import type { View } from '../../../display/terminal/style.ts';
import { factSheet } from '../../../lists/table/fact-sheet.ts';
import type { SummaryContent } from '../../../lists/table/summary-sheet.ts';
import type { SheetContent } from '../../../lists/workbook/sheet-xml.ts';
import { datesOnSheet } from '../../records/dates.ts';
import { recordIn } from '../entries.ts';
import type { Engagement, SupplierShare } from '../goal.ts';
import { shownShare } from '../goal-share.ts';
import type { GoalResult, GoalSince } from '../measure-goal.ts';
import type { FootprintSummary } from '../totals.ts';
import { contactColumns } from './contacts.ts';
import { changesHint, directionMembers } from './goal-direction.ts';
import { goalNoteParts, goalNotes } from './goal-notes.ts';
import { goalAnswers, goalStatements } from './goal-statements.ts';
import { goalTables, removedTable } from './goal-tables.ts';
import { askedWords, goalShareText, goalText, lookupText, nameOf } from './goal-words.ts';
import { headSection, syntheticNotes } from './head-section.ts';
import { methodOnSheet, notesOnSheet } from './method.ts';
import { boundaryText, shareText, type UnitTotals, unitNoteOfShares } from './words.ts';

function notesOf(result: GoalResult, summary: UnitTotals): readonly string[] {
  return [...goalNotes(result), ...[unitNoteOfShares(summary) ?? []].flat()];
}

/* Programs and a pipe have one list. */
function everyNote(result: GoalResult, summary: UnitTotals): readonly string[] {
  return [...notesOf(result, summary), ...goalNoteParts(result).reading];
}

function memberOf(each: SupplierShare) {
  return {
    supplier: nameOf(each),
    id: each.supplier.id,
    share: each.share,
    sbti_near_term: each.status === 'unknown' ? null : (each.statusText ?? each.status),
    next_step: each.nextStep,
  };
}

/** Returns what the summary of `--json` says of a goal. */
export function goalMembers(result: GoalResult, summary: UnitTotals) {
  const { engagement, since } = result;
  const { goal, reached, share, known_share, by_spend, if_committed, lost, to_go, best, targets } =
    engagement;
  return {
    statements: goalStatements(result),
    notes: everyNote(result, summary),
    goal,
    reached,
    share,
    share_on_averages: engagement.share_on_averages,
    share_on_old_lookups: engagement.share_on_old_lookups,
    known_share,
    by_spend,
    if_committed,
    removed: lost,
    to_go,
    best,
    targets,
    estimated_share: engagement.estimated_share,
    sbti_lookups: engagement.lookups,
    ask: engagement.ask.map((each) => ({ ...memberOf(each), share_after: each.shareAfter })),
    without_unmatched: engagement.withoutUnmatched && {
      ask: engagement.withoutUnmatched.suppliers.map((supplier) => ({
        supplier: nameOf({ supplier }),
        id: supplier.id,
      })),
      share: engagement.withoutUnmatched.share,
    },
    to_match: engagement.toMatch.map(memberOf),
    if_committed_ask: engagement.ifCommitted && {
      ask: engagement.ifCommitted.suppliers.map((supplier) => ({
        supplier: nameOf({ supplier }),
        id: supplier.id,
      })),
      share: engagement.ifCommitted.share,
    },
    if_unknown_set: engagement.if_unknown_set,
    short_texts: engagement.ifLapsed && shortTexts(engagement.ifLapsed),
    find_out: engagement.findOut.map((each) => ({
      ...memberOf(each),
      spend_share: each.spendShare,
      spend_currency: each.spendCurrency,
      uncovered: each.uncovered,
    })),
    direction: directionMembers(result),
    since: since === undefined ? null : sinceMembers(since),
  };
}

function shortTexts({
  suppliers,
  share,
  without,
  after,
  ask,
}: NonNullable<Engagement['ifLapsed']>) {
  return {
    suppliers: suppliers.map((supplier) => ({ supplier: nameOf({ supplier }), id: supplier.id })),
    share,
    without,
    /** After those to ask; null without any. */
    share_after: after.at(-1) ?? null,
    ask: ask.map((each) => ({ ...memberOf(each), share_after: each.shareAfter })),
  };
}

function sinceMembers({ day, changes, dates }: GoalSince) {
  const { shareThen, newly_set, lost, other_organization, not_known } = changes;
  return {
    day,
    records_from: dates.records_from,
    records_to: dates.records_to,
    share_then: shareThen,
    newly_set,
    lost,
    other_organization,
    not_known,
    changes: changes.changes.map(({ supplier, statusThen, kind, share }) => ({
      supplier: nameOf(supplier),
      id: supplier.supplier.id,
      status_then: statusThen,
      sbti_near_term: supplier.status === 'unknown' ? null : supplier.status,
      change: kind,
      share,
    })),
  };
}

/** Renders a goal as lines `label: value` for a pipe. */
export function renderPlainGoal(summary: FootprintSummary, result: GoalResult): string {
  const notes = [...everyNote(result, summary), ...syntheticNotes(summary)];
  return renderPlainSections(sectionsOf(summary, result), notes);
}

/**
 * Renders a goal for a terminal of 40 columns or more.
 * @param list returns the command that writes the list of suppliers
 * @param isFull whether it shows every table, and all suppliers to ask
 */
export async function renderGoal(
  summary: FootprintSummary,
  result: GoalResult,
  view: View,
  { list, isFull = false }: { list(): string; readonly isFull?: boolean | undefined },
): Promise<Screen> {
  const sections = sectionsOf(summary, result, !isFull);
  const notes = notesSection(notesOf(result, summary));
  const how = isFull
    ? [readingSection(goalNoteParts(result).reading, ['To work with it: ', list()])]
    : [];
  const names = [
    ...(removedTable(result.engagement).rows.length === 0 ? [] : ['removed targets']),
    ...(result.since?.changes.changes.length ? ['changed targets'] : []),
    'how to read it',
    'how the file was read',
  ];
  const more = `For ${listing(names)}, add --full; for a list to work with, -o goal.xlsx`;
  const text = await renderSections([...sections, notes, ...how], [], view);
  return screenOf(text, isFull ? undefined : more, view);
}

function sectionsOf(summary: FootprintSummary, result: GoalResult, isBrief = false): Section[] {
  const { engagement, year } = result;
  const spend = year === null ? 'spend' : `spend of ${year}`;
  return [
    headSection(summary, {
      about: ['Suppliers with science-based targets', spend, boundaryText(summary)],
      lookups: lookupText(engagement),
      facts: keyFigures(engagement, result.since).map(([label, value]) => [label, value]),
      answers: goalAnswers(result),
      isFull: !isBrief,
    }),
    ...goalTables(result, isBrief).map(tableSection),
  ];
}

/* What a pipe says of a figure, and the number or date and the label of a workbook instead. */
type KeyFigure = readonly [
  label: string,
  text: string | number | null,
  cell?: readonly [
    value: string | number | null,
    unit: string | null,
    written: 'percent' | 'tenths' | 'date',
  ],
  heading?: string,
];

function keyFigures(
  {
    goal,
    reached,
    share,
    known_share: known,
    to_go: missing,
    if_committed: committed,
    ...others
  }: Engagement,
  since?: GoalSince,
): readonly KeyFigure[] {
  const part = (label: string, value: number | null, heading = label): KeyFigure => [
    label,
    value === null ? null : shareText(value),
    [value, null, 'percent'],
    heading,
  ];
  const compared = (label: string, value: number | null, heading = label): KeyFigure => [
    label,
    value === null ? null : goalShareText(value, goal),
    [value === null ? null : shownShare(value, goal), null, 'percent'],
    heading,
  ];
  // The pipe has a line for each of them.
  const always = (label: string, value: number | null, heading = label): KeyFigure =>
    value === null
      ? [label, '–', ['–', null, 'percent'], heading]
      : compared(label, value, heading);
  const [withTarget, ofAll] = ['with a validated target', `share of the ${goal.of}`];
  const day = (label: string, value: string | null): KeyFigure => [
    label,
    value,
    [value, null, 'date'],
  ];
  return [
    ['goal', goalText(goal)],
    ['reached', reached ? 'yes' : 'no'],
    share === null ? ['share', 'unknown'] : compared('share', share, `${ofAll} ${withTarget}`),
    always('share of known emissions', known, `share of the known emissions ${withTarget}`),
    (goal.of === 'spend' ? compared : part)(
      'share of spend',
      others.by_spend,
      `share of the spend ${withTarget}`,
    ),
    [
      'percentage points to go',
      missing === null ? null : (100 * missing).toFixed(1),
      [missing === null ? null : Number((100 * missing).toFixed(1)), null, 'tenths'],
    ],
    compared(
      'if every commitment is validated',
      committed,
      'share if every commitment is validated',
    ),
    compared(askedWords, others.best, `share ${askedWords}`),
    part('removed at any time', others.lost, `${ofAll} with a removed target, at any time`),
    ['suppliers', others.supplierCount],
    day('SBTi looked up from', others.lookups?.from ?? null),
    day('SBTi looked up to', others.lookups?.to ?? null),
    ...(since === undefined ? [] : [thenFigure(since, always('', since.changes.shareThen))]),
    ...others.uncovered.map(({ currency, share: uncovered }) =>
      part(`spend in ${currency} without emissions`, uncovered),
    ),
  ];
}

/* A pipe has the day as it was given, a workbook in words. */
function thenFigure({ day }: GoalSince, [, value, cell = [value, null, 'percent']]: KeyFigure) {
  const labelled = (text: string) => `share at the end of ${text}`;
  return [labelled(day), value, cell, labelled(dateText(day) ?? day)] as const;
}

/** Returns the sheets after the list of suppliers, one for each table. */
export function goalSheets(result: GoalResult): readonly SheetContent[] {
  const contacts = contactColumns<SupplierShare>(({ entries }) => {
    return recordIn(entries)?.contact;
  });
  return goalTables(result, false, contacts).map((each) =>
    factSheet(each, { isList: contacts.some((column) => each.columns.includes(column as never)) }),
  );
}

/**
 * Returns what the first sheet of the workbook says: figures, notes and method.
 * @param commandWith writes the command line with further words, as its reader has none to add to
 */
export function goalSummary(
  summary: FootprintSummary,
  result: GoalResult,
  commandWith: (words: readonly string[]) => string,
): SummaryContent {
  const { engagement, since } = result;
  const hint = changesHint(result);
  const notes = notesOf(result, summary).map((note) =>
    note === hint ? (changesHint(result, commandWith) ?? note) : note,
  );
  return {
    isSynthetic: summary.synthetic > 0,
    answers: answerLines(goalAnswers(result)),
    dates: datesOnSheet(summary),
    figures: keyFigures(engagement, since).map(
      ([label, value, cell = [value], heading = label]) => [heading, ...cell],
    ),
    parts: [
      ['Before you quote it', notesOnSheet(notes)],
      [readingTitle, notesOnSheet(goalNoteParts(result).reading)],
      methodOnSheet(summary),
    ],
    emptyCells: `Next step, Ask and Ask if targets lapse: there is nothing to do. No emissions because: it does not apply.${since === undefined ? '' : ' Change: there is none.'} Others: unknown, not zero.`,
  };
}
