/* The tables of a goal: the statuses, whom to ask, and what was removed and changed. */
import type { Column } from '../../../display/query/query.ts';
import { dateText, plural } from '../../../display/terminal/format.ts';
import { countOf, type FactTable, noteText, text } from '../../../display/terminal/section.ts';
import { inWords } from '../../organizations/in-words.ts';
import { targetWords } from '../../organizations/target-words.ts';
import { recordIn } from '../entries.ts';
import type { Engagement, SupplierShare } from '../goal.ts';
import type { TargetChange } from '../goal-changes.ts';
import { type Goal, shownShare } from '../goal-share.ts';
import { reasonWords } from '../line-item.ts';
import type { GoalResult, GoalSince } from '../measure-goal.ts';
import { signedTenths } from '../shares.ts';
import { changeTenths } from './goal-direction.ts';
import {
  askCondition,
  askShares,
  findOutNote,
  goalShareText,
  nameOf,
  removedWords,
  spendShareText,
  statusShareText,
} from './goal-words.ts';
import { coveredColumn, shareColumn, table } from './tables.ts';
import { shareText } from './words.ts';

const targetColumn: Column<SupplierShare> = {
  ...inWords(
    text<SupplierShare>('target', 'Target', ({ status, statusText: sent }) => sent ?? status),
    (code) => targetWords(code).name,
    '',
  ),
  heading: 'Near-term target',
  text: statusName,
};

/*
 * A column of shares. Those that are compared with the goal never read as one that they miss, in a
 * workbook as well.
 */
function goalShareColumn<Row>(
  name: string,
  title: string,
  share: (row: Row) => number | null,
  {
    goal,
    isCompared,
    textOf,
  }: {
    readonly goal: Goal;
    readonly isCompared: (row: Row) => boolean;
    readonly textOf: (row: Row) => string;
  },
) {
  const shownIn = (row: Row) => {
    const value = share(row);
    return value === null || !isCompared(row) ? value : shownShare(value, goal);
  };
  return shareColumn<Row>(name, title, shownIn, textOf);
}

type TargetRow = {
  [Name in keyof Engagement['targets'][number]]: Engagement['targets'][number][Name] | null;
};

/* The statuses, and what is estimated for spend without emissions, so that the shares add up. */
function targetRows({ targets, estimated_share: estimated }: Engagement): readonly TargetRow[] {
  if (estimated === null) return targets;
  const none = { suppliers: null, covered_suppliers: null, by_spend: null };
  return [...targets, { status: null, by_emissions: estimated, ...none }];
}

/** Names the share that no status has. */
export const estimatedName = 'emissions unknown';

function onlyName(status: string | null): string | null {
  return status === null ? null : targetWords(status).name;
}

type AskedShare = ReturnType<typeof askShares>[number];

const maxAsked = 10;

/**
 * The tables of a goal; those without rows are left out.
 * @param isBrief whether they are those of a goal and of whom to ask next, without more
 * @param contacts further columns of suppliers to ask
 */
export function goalTables(
  { engagement, since }: GoalResult,
  isBrief = false,
  contacts: readonly Column<SupplierShare>[] = [],
): readonly FactTable<never>[] {
  const { ifLapsed, findOut, goal, if_committed: committed } = engagement;
  const condition = askCondition(engagement);
  const asked = askShares(engagement);
  const maxRows = isBrief ? maxAsked : asked.length;
  const hidden = asked.length - maxRows;
  const rows = targetRows(engagement);
  const found = findOutNote(engagement);
  const isUnknown = engagement.share === null && goal.of === 'emissions';
  const whole = isUnknown ? 'Known emissions' : 'Emissions';
  const isOf = (of: Goal['of']) => ({
    goal,
    isCompared: ({ status }: TargetRow) => goal.of === of && status === 'set',
    textOf: (row: TargetRow) => {
      const part = of === 'spend' ? row.by_spend : row.by_emissions;
      return goal.of === of ? statusShareText(row.status, part, engagement) : shareText(part);
    },
  });
  return [
    table(rows, {
      title: 'SBTi near-term targets',
      prefix: 'target',
      note:
        committed === null
          ? undefined
          : `if every commitment is validated: ${goalShareText(committed, goal)}`,
      head: 'Target',
      label: ({ status }) => status ?? estimatedName,
      onScreen: { label: ({ status }) => onlyName(status) ?? estimatedName },
      key: {
        kind: 'name',
        value: ({ status }) => onlyName(status),
      },
      columns: [
        countOf('suppliers', 'Suppliers', ({ suppliers }) => suppliers),
        ...coveredColumn(rows),
        {
          ...goalShareColumn('emissions', whole, (row) => row.by_emissions, isOf('emissions')),
          heading: `Share of ${whole === 'Emissions' ? 'the emissions' : whole.toLowerCase()}`,
        },
        {
          ...goalShareColumn('spend', 'Spend', (row) => row.by_spend, isOf('spend')),
          heading: 'Share of the spend',
        },
      ],
      bar: (row) => (goal.of === 'spend' ? row.by_spend : row.by_emissions),
      barAfter: goal.of,
      barColumns: 30,
    }),
    table(asked.slice(0, maxRows), {
      title: 'Ask next',
      note: hidden > 0 ? `${condition}; --full lists all` : condition,
      head: 'Supplier',
      label: nameOf,
      isNumbered: true,
      isRanked: true,
      columns: [
        {
          ...shareColumn<AskedShare>(
            'share',
            'Share',
            (row) => row.share,
            ({ part }) => part,
          ),
          heading: shareHeading(goal),
        },
        {
          ...goalShareColumn<AskedShare>(
            'then',
            ifLapsed === null ? 'Reached then' : 'Then',
            (row) => row.shareAfter,
            {
              goal,
              isCompared: () => true,
              textOf: ({ together }) => together,
            },
          ),
          heading: 'Reached then',
        },
        ...(ifLapsed === null
          ? []
          : [
              {
                ...goalShareColumn<AskedShare>(
                  'if lapsed',
                  'If lapsed',
                  (row) => row.shareIfLapsed,
                  {
                    goal,
                    isCompared: () => true,
                    textOf: ({ lapsed }) => lapsed,
                  },
                ),
                heading: 'Reached then, if targets lapse',
              },
            ]),
        // The next step of each says it; a screen of 80 columns has no room for both.
        ...(isBrief && ifLapsed !== null ? [] : [targetColumn]),
        noteText('next step', 'Next step', ({ nextStep }) => nextStep),
        ...contacts,
      ],
    }),
    table(findOut, {
      title: 'Find out first',
      note: `${found.what}${found.rest > 0 ? `, and ${plural(found.rest, 'more', 'more')}` : ''}`,
      head: 'Supplier',
      label: nameOf,
      isNumbered: true,
      columns: [
        shareColumn(
          'spend',
          'Of spend',
          (row) => row.spendShare,
          (row) => spendShareText(row, engagement).short,
        ),
        noteText('reason', 'Reason', ({ uncovered }) => uncovered && reasonWords[uncovered]),
        noteText('next step', 'Next step', ({ nextStep }) => nextStep),
        ...contacts,
      ],
    }),
    ...(isBrief ? [] : [removedTable(engagement)]),
    ...(isBrief || since === undefined ? [] : [changesTable(engagement, since)]),
  ].filter(({ rows }) => rows.length > 0);
}

/* Says what a share is of, for a sheet. */
function shareHeading({ of }: Goal): string {
  return `Share of the ${of}`;
}

function sinceOf({ entries }: SupplierShare): string | null {
  return recordIn(entries)?.evidence?.since ?? null;
}

/** The suppliers whose target or commitment SBTi removed. */
export function removedTable({ suppliers, lost, goal }: Engagement): FactTable<never> {
  const removed = suppliers.filter((each) => each.status === 'removed' && each.excluded === null);
  const share = lost === null || lost === 0 ? '' : `${shareText(lost)}: `;
  return table(removed, {
    title: 'Removed',
    note: `${share}${removedWords}`,
    head: 'Supplier',
    label: nameOf,
    isNumbered: true,
    columns: [
      {
        ...shareColumn<SupplierShare>('share', 'Share', (row) => row.share),
        heading: shareHeading(goal),
      },
      {
        ...text('target_since', 'Date of SBTi record', sinceOf),
        kind: 'date',
        text: (row) => dateText(sinceOf(row)) ?? '',
      },
    ],
  });
}

/* Names the near-term target of a supplier, as every view for people does. */
function statusName({ status, statusText: received }: SupplierShare): string {
  return targetWords(received ?? status).name;
}

export function changesTable(
  engagement: Engagement,
  { day, changes }: GoalSince,
): FactTable<never> {
  const { share, goal } = engagement;
  const tenths = changeTenths(changes, engagement);
  const pointsOf = (change: TargetChange) => {
    const part = tenths.get(change);
    return part === undefined ? null : part / 10;
  };
  const points = (change: TargetChange) => {
    const part = tenths.get(change);
    return part === undefined ? '–' : part === 0 ? '<0.1' : signedTenths(part);
  };
  return table(changes.changes, {
    title: `Changed since ${dateText(day)}`,
    prefix: 'changed',
    note: `${goalShareText(changes.shareThen, goal)} → ${goalShareText(share, goal)}; points are percentage points, weighted with today's ${goal.of} and rounded to add up`,
    head: 'Supplier',
    label: ({ supplier }) => nameOf(supplier),
    isNumbered: true,
    columns: [
      {
        ...shareColumn<TargetChange>('percentage points', 'Points', pointsOf, points),
        kind: 'points',
        heading: 'Percentage points',
      },
      {
        ...noteText<TargetChange>('target', 'Target', (change) => changeText(change, codeOf)),
        text: inNames,
        inWords: { description: '', value: inNames },
      },
    ],
  });
}

/* A pipe has codes. */
function codeOf(status: string): string {
  return status === 'with_target' ? 'with target' : status;
}

function inNames(change: TargetChange): string {
  return changeText(change, (status) => targetWords(status).name);
}

/* Says that nothing changed, because there is no table then. */
function changeText(
  { supplier, statusThen, kind, isOther }: TargetChange,
  wordOf: (status: string) => string,
): string {
  const now = wordOf(supplier.statusText ?? supplier.status);
  if (statusThen === null) return `${now}; no record on that day`;
  const moved = statusThen === supplier.status ? now : `${wordOf(statusThen)} → ${now}`;
  if (isOther) return `${moved}, but now matched to another organization`;
  return kind === 'not_known' ? `${moved}; no record today` : moved;
}
