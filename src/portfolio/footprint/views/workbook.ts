/* The line items of a footprint as a table, and the workbook. */

import { type KindName, kindOf } from '../../../display/query/kinds.ts';
import type { Column, ColumnValue } from '../../../display/query/query.ts';
import { answerLines } from '../../../display/terminal/answers.ts';
import { figure, numberFormats } from '../../../display/terminal/figure.ts';
import { readingTitle } from '../../../display/terminal/reading.ts';
import { factSheet } from '../../../lists/table/fact-sheet.ts';
import { foldedTable } from '../../../lists/table/folded-table.ts';
import type { SummaryContent } from '../../../lists/table/summary-sheet.ts';
import type { SheetContent } from '../../../lists/workbook/sheet-xml.ts';
import { inWords } from '../../organizations/in-words.ts';
import { datesOnSheet } from '../../records/dates.ts';
import type { LineItem } from '../footprint.ts';
import { exclusionWords, type FactorInputs, matchWords } from '../line-item.ts';
import type { CommandWith } from '../statements.ts';
import type { FootprintSummary } from '../totals.ts';
import { answersOf, firstAsks } from './answers.ts';
import { coded, withSyntheticWords } from './coded-columns.ts';
import { methodOnSheet, notesOnSheet } from './method.ts';
import { keyFigures, sheetColumns, tablesOf } from './tables.ts';
import {
  averagesHints,
  coverageText,
  industryNote,
  lackText,
  notesOf,
  regionsNote,
  shareText,
  supplierName,
} from './words.ts';

/* Returns how a column of a kind writes its values. */
function valuesOf(
  kind: KindName,
  value: (item: LineItem) => ColumnValue,
): Pick<Column<LineItem>, 'kind' | 'value' | 'text'> {
  return {
    kind,
    value,
    text(item, length) {
      const found = value(item);
      if (typeof found !== 'number') return String(found ?? '');
      if (kind === 'share') return shareText(found);
      const { written } = kindOf(kind);
      if (written !== 'figure') return String(found);
      // More digits of an estimate would look audited; money is the user's own.
      if (kind !== 'amount') return figure(found)[length];
      const short = numberFormats.amount(found);
      const isExact = Number(short.replaceAll(',', '')) === found;
      const isEnough = Math.abs(found) >= 0.01;
      return isExact || (isEnough && length === 'compact') ? short : figure(found).exact;
    },
  };
}

/** A column of the line items: a member of the JSON object, or of its `inputs`. */
export type ItemColumn = Column<LineItem, ItemColumnName>;
export type ItemColumnName = Exclude<keyof LineItem, 'inputs'> | `inputs_${keyof FactorInputs}`;

/* Returns the column of a member of the JSON object. */
function member(
  name: Exclude<keyof LineItem, 'inputs'>,
  kind: KindName,
  description: string,
  title?: string,
): ItemColumn {
  const values = valuesOf(kind, (item) => {
    const value = item[name];
    return typeof value === 'object' ? value?.join('; ') : value;
  });
  return { name, description, title, ...values };
}

/* Returns the column of a value that the factor was calculated from. */
function input(
  name: keyof FactorInputs,
  kind: KindName,
  description: string,
  title: string,
): ItemColumn {
  const values = valuesOf(kind, ({ inputs }) => inputs?.[name]);
  return { name: `inputs_${name}`, description, title, isDetail: true, ...values };
}

/* Marks what few readers of a workbook need. */
function detailed(column: ItemColumn): ItemColumn {
  return { ...column, isDetail: true };
}

/* Returns a column of codes that people see in words, with their details. */
function inSentence(column: ItemColumn, text: (item: LineItem) => string): ItemColumn {
  const value = (item: LineItem) => ((column.value(item) ?? null) === null ? null : text(item));
  return { ...column, text, inWords: { description: column.description, value } };
}

/**
 * The columns of the line items: members of the JSON object, nested ones flattened. An empty cell
 * is a null in JSON. One list feeds CSV, workbook and page.
 */
export const lineItemColumns: readonly ItemColumn[] = [
  member('lines', 'text', 'Line numbers in the input file, separated by semicolons'),
  {
    ...member('supplier', 'name', 'Name of the supplier in the input file', 'Supplier'),
    text: supplierName,
  },
  detailed(member('id', 'id', 'ID of the organization', 'ID')),
  detailed(member('name', 'text', 'Name of the organization in the record')),
  detailed(
    inWords(
      {
        ...member(
          'matched_by',
          'text',
          'How the record was found: `journal`, `id`, `external_id` or `name`',
          'Record found by',
        ),
        text: ({ matched_by: match }) => (match === null ? '' : matchWords[match]),
      },
      matchWords,
      'How the record was found',
    ),
  ),
  member('category', 'text', 'Purchasing category in the input file', 'Category'),
  member('spend', 'amount', 'Sum of the lines, in `currency`; credit notes are negative', 'Spend'),
  member('currency', 'text', 'Currency of the spend, ISO 4217 code', 'Currency'),
  member('spend_year', 'year', 'Year of the spend', 'Spend year'),
  detailed(
    member(
      'boundary',
      'text',
      'Emissions that the factor contains: `cradle-to-gate`, `scope-1-2`, `total`, or `undocumented` for an industry average',
    ),
  ),
  coded.basis(
    member(
      'basis',
      'text',
      "Origin of the factor: `own` (the record's own figures), `service` or `industry`; empty if there is none",
      'Basis',
    ),
  ),
  detailed(
    inSentence(
      member(
        'reason',
        'note',
        "Why the factor is an industry average: what the supplier's record lacks",
        'Why an average',
      ),
      lackText,
    ),
  ),
  detailed(member('reason_detail', 'text', 'Explanation of `reason` in words')),
  member('factor', 'factor', 'Emissions per unit of `currency`', 'Factor'),
  detailed(member('factor_year', 'year', 'Year of the figures behind the factor', 'Factor year')),
  detailed(member('factor_region', 'text', 'Region of these figures')),
  detailed(
    member(
      'upstream_factor',
      'text',
      'Reading of the upstream factor, if `factor` contains it: `additive` or `nested`',
      'Upstream factor',
    ),
  ),
  input('revenue', 'amount', 'Revenue of `factor_year` in `currency`', 'Revenue'),
  input('scope_1', 'emissions', 'Scope 1 emissions in the record', 'Scope 1'),
  input('scope_2', 'emissions', 'Scope 2 emissions in the record', 'Scope 2'),
  input(
    'scope_2_method',
    'text',
    'Method of scope 2: `market-based` or `location-based`',
    'Scope 2 method',
  ),
  input(
    'scope_1_and_2',
    'emissions',
    'Scope 1 and 2 emissions, if only together in the record',
    'Scope 1+2',
  ),
  input('upstream', 'emissions', 'Sum of the upstream categories (1 to 8) of scope 3', 'Upstream'),
  input(
    'upstream_categories',
    'text',
    'Upstream categories with a value, such as `1 4 6`',
    'Categories',
  ),
  input('total', 'emissions', 'Total emissions in the record', 'Total'),
  input(
    'scope_1_and_2_emission_factor',
    'factor',
    'Emission factor of scopes 1 and 2',
    'Factor 1+2',
  ),
  input(
    'total_upstream_emission_factor',
    'factor',
    'Emission factor of all upstream activities',
    'Factor upstream',
  ),
  input('emission_factor', 'factor', 'Emission factor', 'Factor total'),
  member(
    'emissions',
    'emissions',
    '`spend` times `factor`; empty for an uncovered item',
    'Emissions',
  ),
  member(
    'share',
    'share',
    "Share of the emissions of the spend's year; empty if negative items make it more than all of them",
    'Share',
  ),
  coded.target(
    member(
      'sbti_near_term',
      'text',
      'Near-term target of the supplier: `set`, `committed`, `removed`, `none`, `with_target` (without a status), or the text as received; empty if unknown; only `set` counts as coverage',
      'Near-term target',
    ),
    undefined,
    ({ reason, uncovered }) => reason === 'unmatched' || uncovered === 'unmatched',
  ),
  detailed(member('retrieved_at', 'date', 'Time when the record was retrieved')),
  member('warning', 'note', 'Errors and warnings of `carbon check`', 'Warning'),
  {
    ...coded.uncovered(
      member('uncovered', 'note', 'Why an item with spend has no emissions', 'Coverage'),
    ),
    text: coverageText,
  },
  detailed(member('uncovered_detail', 'text', 'Explanation of `uncovered` in words')),
  inWords(
    member(
      'excluded',
      'text',
      'Why no total includes the item: `negative_net_spend` or `no_spend`',
    ),
    exclusionWords,
    'Why no total includes the item',
  ),
  detailed(
    member(
      'hq_region',
      'text',
      'Country of the supplier in the input file, otherwise in the record',
      'Country',
    ),
  ),
  detailed(member('matched_id', 'id', 'ID of the matched organization in the reference data')),
  detailed(
    member(
      'industry',
      'text',
      'Industry whose average the factor is; empty for others',
      'Industry',
    ),
  ),
  detailed(
    member(
      'missing_categories',
      'text',
      "Upstream categories of the spend's year to ask the supplier for, such as `1 4 6`; empty if there are none",
      'Missing categories',
    ),
  ),
  withSyntheticWords<LineItem, ItemColumnName>(({ emissions }) => emissions !== null)({
    ...member(
      'synthetic',
      'synthetic',
      'Whether the figures are synthetic ones of the sandbox; empty if not',
    ),
    value: ({ synthetic }) => synthetic || null,
  }),
];

/* In a workbook, the reason has its explanation. */
const sheetItemColumns = lineItemColumns.filter(({ name }) => name !== 'reason_detail');

/* Line items without emissions are last, in the order of the file. */
function byEmissions({ emissions: a }: LineItem, { emissions: b }: LineItem): number {
  return (b ?? Number.NEGATIVE_INFINITY) - (a ?? Number.NEGATIVE_INFINITY) || 0;
}

/**
 * Returns the sheet of the line items, the largest emissions first.
 * @param items with words for rules in their warnings
 */
export function lineItemSheet(items: () => Iterable<LineItem>, unit: string | null) {
  const sorted = [...items()].sort(byEmissions);
  return foldedTable(sheetItemColumns, () => sorted, { unit });
}

/** Returns the sheets after the line items, one for each table. */
export function footprintSheets(summary: FootprintSummary): readonly SheetContent[] {
  return tablesOf(summary).map((each) =>
    factSheet({ ...each, columns: sheetColumns(each.columns) }),
  );
}

/* What people read in place of names of figures in a pipe. */
const figureNames: Readonly<Record<string, string>> = {
  'covered suppliers': 'suppliers with emissions',
  'covered line items': 'line items with emissions',
};

/**
 * Returns what the first sheet of the workbook says: figures, warnings and method.
 * @param commandWith writes the command line with further words, as its reader has none to add to
 */
export function footprintSummary(
  summary: FootprintSummary,
  commandWith: CommandWith,
): SummaryContent {
  const industry = industryNote(summary);
  const reading = regionsNote(summary);
  const notes = notesOf(summary).filter((note) => note !== industry && note !== reading);
  const perYear = summary.years.map(
    ({ year, emissions }) =>
      [`emissions of ${year ?? 'no year'}`, emissions, summary.unit] as const,
  );
  const { from, to } = summary.supplier_data_share;
  return {
    isSynthetic: summary.synthetic > 0,
    answers: answerLines(answersOf(summary, commandWith)),
    dates: datesOnSheet(summary),
    figures: [
      ...(perYear.length > 1 ? perYear : []),
      // The method says unit and boundary.
      ...keyFigures(summary, [])
        .filter(([, value]) => value !== 'see the years')
        .map(([label, ...how]) => [figureNames[label] ?? label, ...how] as const),
      ['from own records, at least', from, null, 'percent'],
      ['from own records, at most', to, null, 'percent'],
    ],
    parts: [
      ['Before you quote it', notesOnSheet(notes)],
      [
        'Whom to ask after the first steps',
        averagesHints(summary)
          .slice(firstAsks)
          .map((hint) => ['', hint] as const),
      ],
      [readingTitle, reading === undefined ? [] : notesOnSheet([reading])],
      methodOnSheet(summary),
    ],
    emptyCells:
      'An empty cell means unknown, not zero. Exceptions: “Warning” (there is none); “No emissions because”, “Why an average” and “Excluded” (they do not apply).',
  };
}
