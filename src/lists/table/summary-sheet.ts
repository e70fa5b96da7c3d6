/*
 * The first and the last sheet of a workbook, for the person who opens it: what the result says, of
 * when it is, and what its columns mean.
 */
import type { Kind } from '../../display/query/kinds.ts';
import type { AnswerLine } from '../../display/terminal/answers.ts';
import { sanitize } from '../../display/terminal/sanitize.ts';
import { capital } from '../../display/terminal/text.ts';
import type { CellStyle } from '../workbook/cell-styles.ts';
import { copiedCell, type StyledCell } from '../workbook/cells.ts';
import type { SheetContent, WrittenCell } from '../workbook/sheet-xml.ts';
import { freeName } from './sheet-name.ts';

/** Labels with what they say, the unit of a number, and how it is written if it is no amount. */
export type Labelled = readonly (readonly [
  label: string,
  value: string | number | null,
  unit?: string | null | undefined,
  written?: Written | undefined,
])[];

/** As kinds of columns write numbers, or a day of ISO 8601 as a date. */
type Written = Exclude<Kind['written'], 'figure' | undefined> | 'date';

/** What the summary of a workbook says besides its title. Empty parts are left out. */
export interface SummaryContent {
  /** Sentences about the whole result, the most important one first, which is the title. */
  readonly statements?: readonly string[] | undefined;
  /** The same, with the questions that they answer; instead of `statements`. */
  readonly answers?: readonly AnswerLine[] | undefined;
  readonly isSynthetic?: boolean | undefined;
  /** Of when the records are, and when the file was written. */
  readonly dates?: Labelled | undefined;
  /** Rows of a list that need your attention. */
  readonly failed?: Labelled | undefined;
  readonly figures?: Labelled | undefined;
  /** Parts with a title of their own. A text with an empty label takes both columns. */
  readonly parts?: readonly (readonly [title: string, rows: Labelled])[] | undefined;
  readonly notes?: Labelled | undefined;
  /** What empty cells mean, if not that the service has no value. */
  readonly emptyCells?: string | undefined;
}

/* The end of the label of a column that is folded away; those labels are last. */
const foldedMark = '(folded)';

/** The sentence of each sheet of synthetic data. */
export const syntheticData = 'Synthetic sandbox data';

/* In characters. The lines of a summary are as long as a page; a legend has long labels. */
const [summaryLabel, summaryText] = [38, 106];
const [legendLabel, legendText] = [42, 90];
const title: CellStyle = { font: 'title', wraps: true };
const bold: CellStyle = { font: 'bold' };
const boldSentence: CellStyle = { font: 'bold', wraps: true };
const wrapped: CellStyle = { wraps: true };
const formats: Readonly<Record<Exclude<Written, 'date'>, CellStyle>> = {
  plain: { format: '0', align: 'left', wraps: true },
  tenths: { format: '0.0', align: 'left', wraps: true },
  percent: { format: '0.0%', align: 'left', wraps: true },
};
const whole: CellStyle = { format: '#,##0', align: 'left', wraps: true };
const decimal: CellStyle = { format: '#,##0.00', align: 'left', wraps: true };
/* Smaller numbers show decimals. */
const minWhole = 100;

/**
 * Returns the sheet that explains the others. Its title is the first statement; under it, a line
 * says what the result is, and of when.
 * @param content called after the tables were written
 * @param taken names of the other sheets, which Excel compares without case
 */
export function summarySheet(
  heading: string,
  content: () => SummaryContent,
  taken: readonly string[] = [],
): SheetContent {
  function* rows(): Generator<readonly WrittenCell[]> {
    const { statements = [], answers: given, isSynthetic, ...said } = content();
    const [first, ...answers] =
      given ?? statements.map((each) => ({ label: '', text: each, isNumbered: false }));
    const message = first?.text;
    const about = [
      ...(message === undefined ? [] : [heading]),
      ...(isSynthetic ? [syntheticData] : []),
      ...(named(said.dates) ?? []).map(([label, value]) => `${label} ${value}`),
    ];
    yield [wide(message ?? heading, title)];
    if (about.length > 0) yield [wide(about.join(' · '), isSynthetic ? boldSentence : wrapped)];
    if (given !== undefined) yield [];
    for (const each of answers)
      yield given === undefined
        ? [wide(each.text, wrapped)]
        : [text(each.label, boldSentence), text(each.text, wrapped)];
    for (const [name, part] of [
      ['Rows that need your attention', said.failed],
      ['Figures', named(said.figures)],
      ...(said.parts ?? []).map(([name, part]) => [name, named(part)] as const),
      ['Notes', named(said.notes)],
    ] as const) {
      if (part === undefined || part.length === 0) continue;
      yield [];
      yield [text(name, bold)];
      for (const [label, value, unit, written] of part)
        yield label === '' && typeof value === 'string'
          ? [wide(value, wrapped)]
          : [text(label, wrapped), valueCell(value, unit, written)];
    }
  }
  return {
    name: freeName('Summary', taken),
    columns: [
      { header: undefined, width: summaryLabel },
      // Dates stand at the top of their row, as texts do.
      { header: undefined, width: summaryText, align: 'left', wraps: true },
    ],
    rows: rows(),
    isText: true,
  };
}

/**
 * Returns the sheet that says what the columns of the others mean.
 * @param taken names of the other sheets
 */
export function legendSheet(legend: Labelled, taken: readonly string[] = []): SheetContent {
  const folded = legend.findIndex(([label]) => label.endsWith(foldedMark));
  return {
    name: freeName('Columns', taken),
    columns: [
      { header: 'Column', width: legendLabel },
      { header: 'Meaning', width: legendText },
    ],
    rows: legend.map(([label, value]) => [text(label, wrapped), valueCell(value)]),
    isPortrait: true,
    foldedFrom: folded === -1 ? undefined : folded,
  };
}

/* Returns what has a value, under labels with a capital. */
function named(part: Labelled | undefined): Labelled | undefined {
  return part?.flatMap(([label, value, ...how]) =>
    value === null || value === '' ? [] : [[capital(label), value, ...how] as const],
  );
}

function text(content: string, style: CellStyle): StyledCell {
  // Descriptions of columns quote values as Markdown does.
  return { type: 'text', content: sanitize(content).replaceAll('`', ''), style };
}

/* Returns a text in both columns. */
function wide(content: string, style: CellStyle): StyledCell {
  return { ...text(content, style), covers: 2 };
}

function valueCell(
  value: string | number | null,
  unit?: string | null,
  written?: Written,
): WrittenCell {
  if (value === null || value === '') return undefined;
  if (typeof value === 'string')
    return written === 'date' ? copiedCell(value, 'date') : text(value, wrapped);
  const isWhole = Number.isInteger(value) || Math.abs(value) >= minWhole;
  const known = written === undefined || written === 'date' ? undefined : formats[written];
  const style = inUnit(known ?? (isWhole ? whole : decimal), unit);
  return { type: 'number', content: String(value), style };
}

/* Shows the unit after a number, which stays one that can be added up. */
function inUnit(style: CellStyle, unit: string | null | undefined): CellStyle {
  if (!unit) return style;
  const known = unitStyles.get(style)?.get(unit);
  if (known !== undefined) return known;
  const added = { ...style, format: `${style.format}" ${unit}"` };
  unitStyles.set(style, new Map([...(unitStyles.get(style) ?? []), [unit, added]]));
  return added;
}

/* Cells with one style share one object. */
const unitStyles = new Map<CellStyle, ReadonlyMap<string, CellStyle>>();
