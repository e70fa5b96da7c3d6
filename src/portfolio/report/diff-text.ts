import { type KindName, kindOf, yesOrNo } from '../../display/query/kinds.ts';
import type { Column } from '../../display/query/query.ts';
import { changeText, figure, scoreText } from '../../display/terminal/figure.ts';
import { dateText } from '../../display/terminal/format.ts';
import { sanitize } from '../../display/terminal/sanitize.ts';
import { factLines } from '../../display/terminal/section.ts';
import {
  describeStatus,
  layoutColumns,
  paintMark,
  syntheticNote,
  type View,
} from '../../display/terminal/style.ts';
import { capital, wrap } from '../../display/terminal/text.ts';
import { figureName } from '../organizations/emissions.ts';
import type { Change, Difference } from './diff.ts';
import { type FieldName, kindOfField, type Value, wordOfField } from './snapshot.ts';

/** The values of a field that changed, in the order of `differenceColumns`. */
export type DifferenceRow = readonly Value[];

/* A value has the kind of its field. */
const fields = [
  ['id', 'id'],
  ['name', 'name'],
  ['change', 'text'],
  ['field', 'text'],
  ['year', 'year'],
  ['region', 'text'],
  ['old', 'value'],
  ['new', 'value'],
  ['synthetic', 'synthetic'],
] as const satisfies (readonly [name: string, kind: KindName])[];

/** The columns of a difference in a pipe, in CSV and in a workbook. */
export const differenceColumns: readonly Column<DifferenceRow>[] = fields.map(
  ([name, kind], index) => ({ name, kind, description: '', value: (row) => row[index] }),
);

/** The same columns for a person, with the words of all workbooks in place of codes. */
export const differenceSheetColumns: readonly Column<DifferenceRow>[] = differenceColumns.map(
  (column) => ({
    ...column,
    value(row) {
      const value = column.value(row);
      const field = row[fieldIndex];
      if (typeof value !== 'string' || typeof field !== 'string') return value;
      if (column.name === 'field') return capital(fieldWords(field as FieldName));
      if (column.kind !== 'value') return value;
      return isDate(field as FieldName) ? dateText(value) : wordOfField(field as FieldName, value);
    },
  }),
);

function isDate(field: FieldName): boolean {
  return kindOfField(field) === 'date';
}

const fieldIndex = fields.findIndex(([name]) => name === 'field');

/**
 * Returns what these columns mean, for a person who opens the workbook.
 * @param unit of the emissions; null is unknown
 */
export const differenceLegend = (unit: string | null) =>
  [
    ['ID, Name', 'The company'],
    ['Change', 'New or removed companies, and changed fields of the others'],
    ['Field', 'What changed in the record; CSV has the name of the field'],
    ['Year, Region', 'Of which year and region the value is; empty if it has none'],
    [
      'Old, New',
      `The value before and now; ${unit === null ? '' : `emissions are in ${unit}, `}scores from 0 to 100`,
    ],
  ] as const;

/** Lists a difference as rows, one for each field that changed. */
export function differenceRows({
  id,
  name,
  change,
  synthetic,
  fields,
}: Difference): DifferenceRow[] {
  const mark = synthetic || null;
  if (fields.length === 0) return [[id, name, change, null, null, null, null, null, mark]];
  return fields.map(({ field, year, region, old, new: now }) => [
    id,
    name,
    change,
    field,
    year,
    region,
    onScale(field, old),
    onScale(field, now),
    mark,
  ]);
}

/*
 * Every view but JSON shows scores from 0 to 100; one out of range stays as the service sent it. An
 * ID is no number.
 */
function onScale(field: FieldName, value: Value): Value {
  const kind = kindOfField(field);
  if (typeof value === 'number' && kind && kindOf(kind).type === 'text') return String(value);
  const isScore = kind === 'score' && typeof value === 'number' && value >= 0 && value <= 1;
  return isScore ? Number((value * 100).toPrecision(12)) : value;
}

/** Renders differences for a terminal, by organization. */
export function renderComparison(differences: readonly Difference[], view: View): string {
  // The statement on standard error says that nothing changed.
  if (differences.length === 0) return '';
  const lines = [
    ...differences.flatMap((difference, index) => {
      const isShort = difference.fields.length + (differences[index - 1]?.fields.length ?? 1) === 0;
      return [...(isShort ? [] : ['']), ...differenceLines(difference, view)];
    }),
    ...markLines(differences, view),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** Returns the lines that mark data of the sandbox. */
export function markLines(differences: readonly Difference[], { style }: View): string[] {
  const isSynthetic = differences.some(({ synthetic }) => synthetic);
  return isSynthetic ? ['', style.bold(syntheticNote())] : [];
}

const marks = { new: '+', removed: '−', changed: '~' } as const;
const tones = { new: 'green', removed: 'red', changed: 'yellow' } as const;

function differenceLines({ id, name, change, fields }: Difference, view: View): string[] {
  const { style } = view;
  const columns = layoutColumns(view);
  const title = sanitize([id, name].filter((part) => part !== null).join('  ') || 'no name');
  const heads = wrap(`${marks[change]} ${title}  ${change}`, columns - 2);
  const facts = fields.map((field) => ({
    label: fieldText(field),
    details: [['', valueChange(field)] as const],
  }));
  return [
    ...heads.map((line, index) =>
      index === 0 ? paintMark(line, tones[change], style) : `  ${line}`,
    ),
    ...factLines(facts, columns, style),
  ];
}

const names: Readonly<Record<string, string>> = { sbti: 'SBTi', cdp: 'CDP', un: 'UN', hq: 'HQ' };

/* Fields whose names are no words. */
const sayings: Readonly<Partial<Record<FieldName, string>>> = {
  industry_rank: 'rank of the industry among all industries',
  matching_organization_id: 'ID of the matched organization',
  matching_organization_name: 'name of the matched organization',
  cdp_is_listed: 'listed by CDP',
  cdp_last_retrieved_at: 'CDP data as of',
  sbti_last_retrieved_at: 'SBTi data as of',
  sbti_created_at: 'date of the SBTi target',
  sbti_long_term_has_target: 'SBTi long-term target',
  sbti_net_zero_has_target: 'SBTi net-zero target',
  sbti_net_zero_target_year: 'year of the SBTi net-zero target',
  sbti_business_ambition_1_5_has_target: 'SBTi 1.5 °C',
  sbti_near_term_target_status: 'SBTi near-term target',
  un_last_retrieved_at: 'UN data as of',
  climate_pledge_signed_at: 'climate pledge signed on',
};

/* Describes `emissions_scope_1` of 2024 in DE as "2024 DE scope 1". */
function fieldText({ field, year, region }: Change): string {
  if (sayings[field] !== undefined) return fieldWords(field);
  const parts = [year, region, fieldWords(field)];
  return sanitize(parts.filter((part) => part !== null).join(' '));
}

/** Describes a field, such as `sbti_created_at` as "date of the SBTi target". */
export function fieldWords(field: FieldName): string {
  const said = sayings[field];
  if (said !== undefined) return said;
  return field
    .replace(/^emissions_/, '')
    .replace(/total_(market|location)_based/, '$1-based')
    .replaceAll('_', ' ')
    .replace(/^(sbti|cdp|un|hq)\b/, (word) => names[word] ?? word);
}

function valueChange({ field, year, old: before, new: after }: Change): string {
  const isAmount =
    year !== null && typeof before === 'number' && typeof after === 'number' && before > 0;
  const percent = isAmount ? `  ${changeText(after / before - 1)}` : '';
  return `${valueText(field, before)} → ${valueText(field, after)}${percent}`;
}

/** Writes a value of a field in a terminal. */
export function valueText(field: FieldName, value: Value): string {
  if (field === 'sources') return value === null ? 'none' : sanitize(String(value));
  if (value === null) return field === 'status' ? describeStatus(null).word : 'no data';
  if (typeof value === 'boolean') return yesOrNo(value);
  if (field === 'scope_2_method') return figureName(String(value)) || 'unknown method';
  if (typeof value === 'string' && isDate(field)) return sanitize(dateText(value) ?? value);
  if (typeof value === 'string')
    return (
      sanitize(wordOfField(field, value, true))
        .trim()
        .replaceAll('_', ' ') || 'none'
    );
  const kind = kindOfField(field);
  if (kind === 'score') return scoreText(value);
  const isText = kind !== undefined && kindOf(kind).type === 'text';
  return isText || kind === 'year' ? String(value) : figure(value).rounded;
}
