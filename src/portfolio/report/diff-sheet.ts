/* The workbook of differences: what its first sheet says, the companies, and their differences. */
import type { Column } from '../../display/query/query.ts';
import { answerLines, asAnswers } from '../../display/terminal/answers.ts';
import { naming } from '../../display/terminal/format.ts';
import { outputSheet } from '../../lists/table/output-sheet.ts';
import { headersOf } from '../../lists/table/sheet-headers.ts';
import type { SummaryContent } from '../../lists/table/summary-sheet.ts';
import type { SheetContent } from '../../lists/workbook/sheet-xml.ts';
import { quotingLimit } from '../organizations/quoting.ts';
import type { NextCommands } from '../organizations/statements.ts';
import type { Difference, SnapshotDiff } from './diff.ts';
import {
  type Compared,
  isChanged,
  nearTermField,
  targetMoveOf,
  targetsFirst,
} from './diff-brief.ts';
import { differenceRows, differenceSheetColumns } from './diff-text.ts';
import { type MoveStatement, type Moves, moveQuestions } from './movers.ts';
import { changedScopes, type NewScopes, newScopes } from './scope-changes.ts';
import { type Value, wordOfField } from './snapshot.ts';

/** What a comparison found, and what its reader can do. */
export interface DiffOnSheet {
  readonly comparison: SnapshotDiff;
  readonly moves: Moves;
  readonly said: readonly MoveStatement[];
  /** What is missing in the records. */
  readonly missing: readonly string[];
  /** Says of which days the compared records are, if the dates do not. */
  readonly days: string;
  readonly dates: SummaryContent['dates'];
  /** The commands for the newer records; undefined if these have no file. */
  readonly commands: NextCommands | undefined;
}

/* What matters of a company: its target, and scopes 1 and 2 of a new year or of a changed one. */
type CompanyRow = Difference & {
  readonly scopes: (NewScopes & { readonly isNew: boolean }) | undefined;
};

const targetWord = (status: Value | undefined) => {
  if (status === undefined) return null;
  return typeof status === 'string' ? wordOfField(nearTermField, status) : 'no data';
};

const companyColumns: readonly Column<CompanyRow>[] = [
  { name: 'id', kind: 'id', description: '', value: ({ id }) => id },
  { name: 'name', title: 'Company', kind: 'name', description: '', value: ({ name }) => name },
  { name: 'change', kind: 'text', description: '', value: ({ change }) => change },
  {
    ...{ name: 'target_before', kind: 'text', description: '' },
    value: (row) => targetWord(targetMoveOf(row)?.old),
  },
  {
    ...{ name: 'target_now', kind: 'text', description: '' },
    value: (row) => targetWord(targetMoveOf(row)?.new),
  },
  { name: 'year', kind: 'year', description: '', value: ({ scopes }) => scopes?.year },
  {
    ...{ name: 'before', title: 'Scope 1 + 2 to compare with', kind: 'emissions', description: '' },
    value: ({ scopes }) => scopes?.before,
  },
  {
    ...{ name: 'now', title: 'Scope 1 + 2 of the year', kind: 'emissions', description: '' },
    value: ({ scopes }) => scopes?.after,
  },
  {
    ...{ name: 'difference', title: 'Difference', kind: 'emissions_change', description: '' },
    value: ({ scopes }) => (scopes?.before == null ? null : scopes.after - scopes.before),
  },
  {
    ...{ name: 'rise', title: 'Change of scope 1 + 2', kind: 'share_change', description: '' },
    value: ({ scopes }) => (scopes?.before ? scopes.after / scopes.before - 1 : null),
  },
  {
    ...{ name: 'compared', title: 'Compared with', kind: 'text', description: '' },
    value: ({ scopes }) => scopes && (scopes.isNew ? 'the year before' : 'the same year, before'),
  },
  { name: 'changes', kind: 'count', description: '', value: ({ fields }) => fields.length },
  {
    ...{ name: 'synthetic', kind: 'synthetic', description: '' },
    value: ({ synthetic }) => synthetic || null,
  },
];

/* What these columns mean, by the first of them. */
const meanings: Readonly<Record<string, readonly [labels: string, meaning: string]>> = {
  target_before: ['Target before, Target now', 'Near-term target; empty if it is the same'],
  year: ['Year', 'The new year of scopes 1 and 2, or the changed one'],
  before: ['Scope 1 + 2 to compare with', 'Of what “Compared with” says; empty if neither changed'],
  changes: ['Changes', 'Number of changed fields, which the sheet Differences lists'],
};

/**
 * Returns a row for each company that differs: changed targets first, then the largest changes.
 * Columns that are empty in every row are left out.
 */
export function companyTable({ differences, older, newer, today }: Compared, unit: string | null) {
  const ids = new Set(differences.filter(isChanged).map(({ id }) => id));
  const changed = [...changedScopes(older, newer, ids, today)];
  const scopes = new Map(
    [
      ...changed.map((each) => ({ ...each, isNew: false })),
      ...newScopes(older, newer, ids, today).map((each) => ({ ...each, isNew: true })),
    ].map((each) => [each.id, each] as const),
  );
  const sizeOf = ({ id }: Difference) => {
    const { before = null, after = 0 } = scopes.get(id) ?? {};
    return before === null ? -1 : Math.abs(after - before);
  };
  const sorted = targetsFirst(differences.toSorted((a, b) => sizeOf(b) - sizeOf(a)));
  const rows = sorted.map((each): CompanyRow => ({ ...each, scopes: scopes.get(each.id) }));
  const columns = companyColumns.filter(({ value }) =>
    rows.some((row) => (value(row) ?? null) !== null),
  );
  const headers = headersOf(columns, unit);
  return {
    name: 'Companies',
    columns: columns.map((column, index) => ({ ...column, header: headers[index] })),
    rows: rows.map((row) => columns.map(({ value }) => value(row))),
    legend: columns.flatMap(({ name }) => {
      const meaning = meanings[name];
      return meaning === undefined ? [] : [meaning];
    }),
  };
}

/** Returns the sheet of the fields that changed, of companies with another target first. */
export function differenceSheet(differences: readonly Difference[]): SheetContent {
  const headers = headersOf(differenceSheetColumns);
  return outputSheet({
    name: 'Differences',
    columns: differenceSheetColumns.map((column, index) => ({ ...column, header: headers[index] })),
    rows: targetsFirst(differences)
      .flatMap(differenceRows)
      .map((row) => differenceSheetColumns.map(({ value }) => value(row))),
  });
}

const maxNamed = 10;

/** Returns what the first sheet says. */
export function diffSummary({
  comparison,
  moves,
  said,
  missing,
  days,
  dates,
  commands,
}: DiffOnSheet): SummaryContent {
  const { differences, old, new: now } = comparison;
  const members = [
    ['Joined', 'new'],
    ['Left', 'removed'],
  ] as const;
  const steps =
    commands === undefined || differences.length === 0
      ? []
      : [
          `Check the figures before you use them: ${commands.check}`,
          `See why emissions rose or fell, and whom to ask: ${commands.report}`,
        ];
  const isSynthetic = differences.some(({ synthetic }) => synthetic);
  const limit = quotingLimit(isSynthetic, 'known');
  return {
    isSynthetic,
    dates,
    answers: answerLines([
      ...asAnswers(said, moveQuestions),
      ...(limit === undefined ? [] : [{ question: 'sure', text: limit } as const]),
      ...members.flatMap(([label, change]) => {
        const names = namesOf(differences.filter((each) => each.change === change));
        return names === '' ? [] : [{ question: 'who', text: `${label}: ${names}` } as const];
      }),
      ...missing.map((text) => ({ question: 'missing', text }) as const),
      ...(days === '' ? [] : [{ question: 'when', text: days } as const]),
      ...steps.map((text) => ({ question: 'steps', text }) as const),
    ]),
    figures: [
      ['companies before', old],
      ['companies now', now],
      ['joined', moves.joined || null],
      ['left', moves.left || null],
      ['changed', moves.changed],
      ['of these with another target', moves.kinds.targets || null],
      ['of these with new figures', moves.kinds.new_figures || null],
      ['of these with changed figures', moves.kinds.changed_figures || null],
      ['of these with fewer figures', moves.kinds.fewer_figures || null],
      ['of these with another match', moves.kinds.match || null],
      ['of these in other fields only', moves.kinds.other || null],
    ],
  };
}

function namesOf(differences: readonly Difference[]): string {
  return naming(
    differences.map(({ name, id }) => name ?? `ID ${id}`),
    maxNamed,
  );
}
