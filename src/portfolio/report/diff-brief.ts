/* Shows in a terminal which changes matter, and says what it leaves out. */
import { changeText } from '../../display/terminal/figure.ts';
import { count, naming } from '../../display/terminal/format.ts';
import {
  emissionsColumn,
  type Fact,
  renderSections,
  type Screen,
  type Section,
  screenOf,
  tableSection,
} from '../../display/terminal/section.ts';
import type { View } from '../../display/terminal/style.ts';
import type { Change, Difference, SnapshotDiff } from './diff.ts';
import { differenceRows, fieldWords, markLines, renderComparison, valueText } from './diff-text.ts';
import { changedScopes, type NewScopes, newScopes } from './scope-changes.ts';
import type { FieldName, Snapshots, Value } from './snapshot.ts';

/** The snapshots that were compared, and what differs. */
export interface Compared {
  readonly differences: SnapshotDiff['differences'];
  readonly older: Snapshots;
  readonly newer: Snapshots;
  /** `YYYY-MM-DD` */
  readonly today: string;
}

/* With the statements before it, a comparison of so many lines is one screen. */
const maxLines = 30;

/** The field whose changes come first. */
export const nearTermField: FieldName = 'sbti_near_term_target_status';

const shownScopes = 5;
const shownMoves = 3;
const shownOthers = 3;
const shownNames = 6;
const shownFields = 3;

/**
 * Renders all differences if they are few, otherwise those that matter, for a terminal.
 * @param isFull whether all differences follow those that matter
 */
export async function renderChanges(
  compared: Compared,
  view: View,
  unit: string | null,
  isFull = false,
): Promise<Screen> {
  const { differences, older, newer, today } = compared;
  const rows = differences.flatMap(differenceRows).length;
  if (rows <= maxLines) {
    const all = renderComparison(differences, view);
    if (all.split('\n').length <= maxLines) return screenOf(all, undefined, view);
  }
  const ids = new Set(differences.filter(isChanged).map(({ id }) => id));
  const changed = [...changedScopes(older, newer, ids, today)];
  const added = newScopes(older, newer, ids, today);
  const shown = new Set([...changed, ...added].map(({ id }) => id));
  const others = differences.filter(
    (each) => isChanged(each) && !shown.has(each.id) && targetMoveOf(each) === undefined,
  );
  const shownRows = changed.length > 0 && added.length > 0 ? shownScopes : 2 * shownScopes;
  const table = { unit, rows: shownRows };
  const sections = [
    members(differences),
    targets(differences),
    scopes(changed, { ...table, title: 'Changed emissions', before: 'Before', after: 'Now' }),
    scopes(added, {
      ...{ ...table, title: 'Emissions of a new year' },
      ...{ before: 'Year before', after: 'New year' },
    }),
    otherChanges(others),
  ];
  const text = `\n${await renderSections(sections, [], view)}`;
  if (isFull) {
    const all = renderComparison(targetsFirst(differences), view);
    return screenOf(`${text}${all}`, undefined, view);
  }
  const more = `For all ${count.format(rows)} changes, company by company, add --full`;
  const marks = markLines(differences, view).map((line) => `${line}\n`);
  return screenOf(`${text}${marks.join('')}`, more, view);
}

/** Returns the companies whose target changed before all others. */
export function targetsFirst(differences: readonly Difference[]): readonly Difference[] {
  const isFirst = (each: Difference) => Number(targetMoveOf(each) !== undefined);
  return differences.toSorted((a, b) => isFirst(b) - isFirst(a));
}

/** Whether both snapshots have the company. */
export function isChanged({ change }: Difference): boolean {
  return change === 'changed';
}

function nameOf({ name, id }: Pick<Difference, 'name' | 'id'>): string {
  return name ?? `ID ${id}`;
}

function namesFact(label: string, all: readonly Difference[]): Fact {
  return { label, details: [['', naming(all.map(nameOf), shownNames)]] };
}

function members(differences: readonly Difference[]): Section {
  const of = (wanted: Difference['change']) =>
    differences.filter(({ change }) => change === wanted);
  const facts = [namesFact('joined', of('new')), namesFact('left', of('removed'))];
  return { name: 'members', hasTitle: false, facts };
}

/** The change of the near-term target of a company, if it changed. */
export function targetMoveOf({ fields }: Difference): Change | undefined {
  return fields.find(({ field }) => field === nearTermField);
}

/* The statuses that matter most, of the changes that are shown first. */
const firstStatuses: readonly Value[] = ['set', 'removed'];

/* Lists the companies of each change of a target: set or removed first, then the most frequent. */
function targets(differences: readonly Difference[]): Section {
  const moves = new Map<string, { isFirst: boolean; of: Difference[] }>();
  for (const difference of differences) {
    const { old, new: now } = targetMoveOf(difference) ?? {};
    if (old === undefined || now === undefined) continue;
    const label = [old, now].map((status) => valueText(nearTermField, status)).join(' → ');
    const { of } = moves.get(label) ?? { of: [] };
    moves.set(label, { isFirst: firstStatuses.includes(now), of: [...of, difference] });
  }
  const all = [...moves].sort(
    ([, a], [, b]) => Number(b.isFirst) - Number(a.isFirst) || b.of.length - a.of.length,
  );
  return {
    name: 'near-term targets',
    note: shownOf(shownMoves, all.length, 'changes'),
    facts: all.slice(0, shownMoves).map(([label, { of }]) => namesFact(label, of)),
  };
}

/* Says how many of all are shown, if not all. */
function shownOf(shown: number, all: number, what: string): string | undefined {
  return all > shown ? `${shown} of ${count.format(all)} ${what}` : undefined;
}

/* What a table of scopes 1 and 2 is called, how it calls them, and how many rows it shows. */
interface ScopeTable {
  readonly title: string;
  readonly before: string;
  readonly after: string;
  readonly rows: number;
  readonly unit: string | null;
}

function scopes(all: readonly NewScopes[], { title, before, after, rows, unit }: ScopeTable) {
  const shown = shownOf(rows, all.length, 'companies, the largest changes');
  const share = (row: NewScopes) => (row.before === null ? null : row.after / row.before - 1);
  return tableSection<NewScopes>({
    title,
    note: ['scope 1 + 2', shown].filter(Boolean).join(' · '),
    unit,
    head: 'Company',
    label: nameOf,
    columns: [
      { name: 'year', title: 'Year', description: '', kind: 'year', value: ({ year }) => year },
      emissionsColumn('before', before, (row) => row.before, 'compact'),
      { ...emissionsColumn('after', after, (row) => row.after, 'compact'), isKept: true },
      {
        ...{ name: 'change', title: 'Change', description: '', kind: 'share', isKept: true },
        value: share,
        text: (row) => changeText(share(row)),
      },
    ],
    rows: all.slice(0, rows),
  });
}

/* Lists the fields of companies that changed in nothing of the above. */
function otherChanges(all: readonly Difference[]): Section {
  return {
    name: 'other changes',
    note: shownOf(shownOthers, all.length, 'companies'),
    facts: all.slice(0, shownOthers).map((difference) => {
      const words = difference.fields.map(({ field }) => fieldWords(field));
      return {
        label: nameOf(difference),
        details: [['', naming([...new Set(words)], shownFields)]],
      };
    }),
  };
}
