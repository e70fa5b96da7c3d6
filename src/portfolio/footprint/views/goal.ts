/*
 * Shows progress toward a goal for suppliers: for a terminal and a pipe, as rows of CSV, JSON and a
 * workbook, and as the members of a summary.
 */
import type { Column } from '../../../display/query/query.ts';
import { count, dateText, plural } from '../../../display/terminal/format.ts';
import {
  countOf,
  type FactTable,
  noteText,
  renderPlainSections,
  renderSections,
  type Section,
  tableSection,
  text,
} from '../../../display/terminal/section.ts';
import type { View } from '../../../display/terminal/style.ts';
import { factSheet } from '../../../lists/table/fact-sheet.ts';
import { foldedTable } from '../../../lists/table/folded-table.ts';
import type { SummaryContent } from '../../../lists/table/summary-sheet.ts';
import type { SheetContent } from '../../../lists/workbook/sheet-xml.ts';
import { inWords } from '../../organizations/in-words.ts';
import { targetWords } from '../../organizations/target-words.ts';
import { datesOnSheet } from '../../records/dates.ts';
import type { Engagement, SupplierShare } from '../goal.ts';
import type { GoalChanges, TargetChange } from '../goal-changes.ts';
import { type Goal, shownShare } from '../goal-share.ts';
import { reasonWords } from '../line-item.ts';
import type { GoalResult, GoalSince } from '../measure-goal.ts';
import type { FootprintSummary } from '../totals.ts';
import { coded } from './coded-columns.ts';
import { contactColumns } from './contacts.ts';
import { goalNotes } from './goal-notes.ts';
import {
  askCondition,
  askedWords,
  askShares,
  changeWords,
  findOutNote,
  goalSentences,
  goalShareText,
  goalStatements,
  goalText,
  lookupText,
  nameOf,
  removedWords,
  spendShareText,
  statusShareText,
} from './goal-words.ts';
import { headSection, syntheticNotes } from './head-section.ts';
import { methodOnSheet, notesOnSheet } from './method.ts';
import {
  type ColumnWords,
  columnsOf,
  coveredColumn,
  type MemberColumn,
  shareColumn,
  table,
} from './tables.ts';
import { notesSection } from './terminal.ts';
import { alertsOf, boundaryText, shareText, type UnitTotals } from './words.ts';

/** A supplier as a row; its JSON is a line of `--json`, and the columns describe its members. */
export type SupplierRow = ReturnType<typeof supplierRow>;

/** Returns the rows of all suppliers, in the order of the list. */
export function supplierRows({ engagement, since }: GoalResult): readonly SupplierRow[] {
  let rank = 0;
  return engagement.suppliers.map((each) => {
    const isRanked = each.excluded === null && nameOf(each) !== unnamed;
    if (isRanked) rank += 1;
    return supplierRow(each, isRanked ? rank : null, since?.changes);
  });
}

const unnamed = nameOf({ supplier: { id: null, name: null } });

function supplierRow(each: SupplierShare, rank: number | null, changes: GoalChanges | undefined) {
  const { supplier, entries, spend } = each;
  const record = entries.find(({ group }) => group.record)?.group.record;
  const currencies = Object.keys(spend);
  const change = changes?.changes.find((some) => some.supplier.supplier === supplier);
  return {
    rank,
    supplier: nameOf(each),
    id: supplier.id,
    members: supplier.members ?? [],
    website: record?.website ?? null,
    hq_region: supplier.country ?? record?.hqRegion ?? null,
    share: each.share,
    cumulative_share: each.cumulativeShare,
    ask: each.ask,
    sbti_near_term: each.status === 'unknown' ? null : (each.statusText ?? each.status),
    target_since: record?.evidence?.since ?? null,
    target_detail: record?.evidence?.detail ?? null,
    checked_at: checkedAt(each),
    next_step: each.nextStep,
    emissions: each.emissions,
    spend: currencies.length === 1 ? (spend[currencies[0] ?? ''] ?? null) : null,
    currency: currencies.join(', ') || null,
    basis: each.basis,
    uncovered: each.uncovered ?? each.excluded,
    research: record?.research ?? null,
    lines: entries.flatMap(({ group }) => group.lines).sort((a, b) => a - b),
    report: record?.contact?.report ?? null,
    cdp_page: record?.contact?.cdp ?? null,
    reference: record?.contact?.reference ?? null,
    tickers: record?.contact?.tickers ?? null,
    external_id: record?.contact?.externalId ?? null,
    ...(changes === undefined
      ? {}
      : {
          status_then: changes.statuses.get(supplier) ?? null,
          change: change?.kind ?? (change === undefined ? null : 'other'),
        }),
    synthetic: record?.isSynthetic ?? false,
  };
}

/* Without a status, SBTi was not looked up, or not for this supplier. */
function checkedAt({ status, entries }: SupplierShare): string | null {
  const record = entries.find(({ group }) => group.record)?.group.record;
  const known = record?.evidence?.checkedAt ?? null;
  return known ?? (status === 'unknown' ? null : (record?.retrievedAt ?? null));
}

const supplierWords: ColumnWords<SupplierRow> = {
  rank: [
    'place',
    'Place in the list: by emissions, then by spend; empty for rows without a supplier',
  ],
  supplier: [
    'name',
    'Name of the supplier in the input file, or of the matched organization of several',
  ],
  id: ['id', 'ID of the organization', 'folded'],
  members: [
    'text',
    'Names in the input file of several suppliers that are one, joined by `; `',
    'detail',
  ],
  website: ['text', 'Website in the record, otherwise of the matched organization'],
  hq_region: ['text', 'Country of the supplier in the input file, otherwise in the record'],
  share: [
    'share',
    'Share of the emissions, with an estimate for spend without any, or of the spend',
  ],
  cumulative_share: ['share', 'Sum of `share` up to this row, whatever the status'],
  ask: ['place', 'Place among the suppliers to ask next; empty for all others'],
  sbti_near_term: ['text', 'Status of the near-term target; empty if it is unknown'],
  target_since: [
    'date',
    'Date of the latest SBTi record, whatever its status: of a removed target, too',
    'folded',
  ],
  target_detail: ['note', 'Target in words', 'folded'],
  checked_at: ['date', 'When the service last looked up SBTi; empty if it was not', 'folded'],
  next_step: ['note', 'What to do next; empty if there is nothing to do'],
  emissions: ['emissions', 'Emissions of the line items that have some'],
  spend: ['amount', 'Spend; empty if it is in several currencies'],
  currency: ['text', 'Currency of the spend, several joined by `, `'],
  basis: ['text', 'Origin of the least certain factor: `own`, `service` or `industry`'],
  uncovered: ['note', 'Why spend has no emissions, or counts in no total'],
  research: ['text', 'Status of the research unless it is `synced`', 'detail'],
  lines: ['text', 'Line numbers in the input file, joined by `; `', 'detail'],
  report: ['text', 'First source of the record, such as a sustainability report', 'folded'],
  cdp_page: ['text', 'CDP page of the organization', 'folded'],
  reference: ['text', 'Page of the matched organization', 'detail'],
  tickers: ['text', 'Tickers of the matched organization, joined by `, `', 'detail'],
  external_id: ['text', 'Your own number of the supplier in the record', 'detail'],
  status_then: ['text', 'With --since: the status on that day; empty if unknown'],
  change: [
    'text',
    'With --since: `newly_set`, `lost`, `other_organization` or `not_known`; `other` for a change that does not affect the share',
  ],
  synthetic: ['synthetic', 'Whether the figures are synthetic ones of the sandbox; empty if not'],
};

const allColumns = columnsOf<SupplierRow>(supplierWords, {
  sbti_near_term: coded.target,
  status_then: (column) => ({
    ...coded.target(column),
    description: 'With --since: the status on that day; empty if unknown',
  }),
  basis: coded.basis,
  uncovered: coded.uncovered,
  research: (column) =>
    inWords(column, { errored: 'failed' }, 'State of the research unless it is finished'),
  change: (column) =>
    inWords(
      column,
      { ...changeWords, other: 'does not affect the share' },
      'With --since: what changed',
    ),
});

/* What only `--since` knows. */
const sinceColumns: readonly (keyof SupplierRow)[] = ['status_then', 'change'];

/** The columns of the list of suppliers, without those of `--since` unless it is given. */
export function supplierColumns(hasSince: boolean): readonly MemberColumn<SupplierRow>[] {
  return allColumns.filter(({ name }) => hasSince || !sinceColumns.includes(name));
}

/* What may make all amounts wrong comes first. */
function notesOf(result: GoalResult, summary: UnitTotals): readonly string[] {
  return [...alertsOf(summary), ...goalNotes(result)];
}

/** Returns what the summary of `--json` says of a goal. */
export function goalMembers(result: GoalResult, summary: UnitTotals) {
  const { engagement, since } = result;
  const { goal, reached, share, known_share, by_spend, if_committed, lost, to_go, best, targets } =
    engagement;
  const member = (each: SupplierShare) => ({
    supplier: nameOf(each),
    id: each.supplier.id,
    share: each.share,
    sbti_near_term: each.status === 'unknown' ? null : (each.statusText ?? each.status),
    next_step: each.nextStep,
  });
  return {
    statements: goalStatements(result),
    notes: notesOf(result, summary),
    goal,
    reached,
    share,
    share_on_averages: engagement.share_on_averages,
    known_share,
    by_spend,
    if_committed,
    removed: lost,
    to_go,
    best,
    targets,
    estimated_share: engagement.estimated_share,
    sbti_lookups: engagement.lookups,
    ask: engagement.ask.map((each) => ({ ...member(each), share_after: each.shareAfter })),
    without_unmatched: engagement.withoutUnmatched && {
      ask: engagement.withoutUnmatched.suppliers.map((supplier) => ({
        supplier: nameOf({ supplier }),
        id: supplier.id,
      })),
      share: engagement.withoutUnmatched.share,
    },
    to_match: engagement.toMatch.map(member),
    if_committed_ask: engagement.ifCommitted && {
      ask: engagement.ifCommitted.suppliers.map((supplier) => ({
        supplier: nameOf({ supplier }),
        id: supplier.id,
      })),
      share: engagement.ifCommitted.share,
    },
    short_texts: engagement.shortTexts,
    find_out: engagement.findOut.map((each) => ({
      ...member(each),
      spend_share: each.spendShare,
      spend_currency: each.spendCurrency,
      uncovered: each.uncovered,
    })),
    since: since === undefined ? null : sinceMembers(since),
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

/** Names the share that no status has: some of it may get emissions, unless all research failed. */
export function estimatedName({ lacking: { failed, suppliers } }: Engagement): string {
  return failed > 0 && failed === suppliers ? 'no emissions' : 'no emissions yet';
}

const maxAsked = 10;
const maxRemoved = 5;

/**
 * The tables of a goal; those without rows are left out.
 * @param isBrief whether they fit on a screen
 * @param contacts further columns of suppliers to ask
 */
export function goalTables(
  { engagement, since }: GoalResult,
  isBrief = false,
  contacts: readonly Column<SupplierShare>[] = [],
): readonly FactTable<never>[] {
  const { ask, findOut, goal, if_committed: committed } = engagement;
  const condition = askCondition(engagement);
  const maxRows = isBrief ? maxAsked : ask.length;
  const hidden = ask.length - maxRows;
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
      label: ({ status }) => status ?? estimatedName(engagement),
      key: {
        kind: 'name',
        value: ({ status }) => (status === null ? null : targetWords(status).name),
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
    table(askShares(engagement).slice(0, maxRows), {
      title: 'Ask next',
      note: hidden > 0 ? `${condition}; --full lists all` : condition,
      head: 'Supplier',
      label: nameOf,
      isNumbered: true,
      isRanked: true,
      columns: [
        {
          ...shareColumn<ReturnType<typeof askShares>[number]>(
            'share',
            'Share',
            (row) => row.share,
            ({ part }) => part,
          ),
          heading: shareHeading(goal),
        },
        goalShareColumn('then', 'Reached then', (row) => row.shareAfter, {
          goal,
          isCompared: () => true,
          textOf: ({ together }) => together,
        }),
        {
          ...inWords(
            text<SupplierShare>(
              'target',
              'Target',
              ({ status, statusText: sent }) => sent ?? status,
            ),
            (code) => targetWords(code).name,
            '',
          ),
          heading: 'Near-term target',
          text: statusText,
        },
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
    removedTable(engagement, isBrief ? maxRemoved : undefined),
    ...(since === undefined ? [] : [changesTable(engagement, since)]),
  ].filter(({ rows }) => rows.length > 0);
}

/* Says what a share is of, for a sheet. */
function shareHeading({ of }: Goal): string {
  return `Share of the ${of}`;
}

function sinceOf({ entries }: SupplierShare): string | null {
  return entries.find(({ group }) => group.record)?.group.record?.evidence?.since ?? null;
}

/** The suppliers whose target or commitment SBTi removed. */
export function removedTable(
  { suppliers, lost, goal }: Engagement,
  maxRows = suppliers.length,
): FactTable<never> {
  const removed = suppliers.filter((each) => each.status === 'removed' && each.excluded === null);
  const hidden = removed.length - maxRows;
  const share = lost === null || lost === 0 ? '' : `${shareText(lost)}: `;
  return table(removed.slice(0, maxRows), {
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
    next: hidden > 0 ? `${count.format(hidden)} more: add --full` : undefined,
  });
}

function statusText({ status, statusText: received }: SupplierShare): string {
  return received === 'with_target' ? 'with target' : (received ?? status);
}

export function changesTable(
  { share, goal }: Engagement,
  { day, changes }: GoalSince,
): FactTable<never> {
  const points = ({ share: part }: TargetChange) =>
    part === null ? '–' : `${part < 0 ? '−' : '+'}${shareText(Math.abs(part)).replace('%', '')}`;
  return table(changes.changes, {
    title: `Changed since ${dateText(day)}`,
    prefix: 'changed',
    note: `${goalShareText(changes.shareThen, goal)} → ${goalShareText(share, goal)}; points are percentage points, weighted with today's ${goal.of}`,
    head: 'Supplier',
    label: ({ supplier }) => nameOf(supplier),
    isNumbered: true,
    columns: [
      shareColumn('percentage points', 'Points', ({ share: part }) => part, points),
      {
        ...noteText<TargetChange>('target', 'Target', (change) => changeText(change)),
        inWords: {
          description: '',
          value: (change) => changeText(change, (status) => targetWords(status).name),
        },
      },
    ],
  });
}

/* Says that nothing changed, because there is no table then. */
function changeText(
  { supplier, statusThen, kind, isOther }: TargetChange,
  wordOf?: (status: string) => string,
): string {
  const now = wordOf?.(supplier.statusText ?? supplier.status) ?? statusText(supplier);
  if (statusThen === null) return `${now}; no record on that day`;
  const then = wordOf?.(statusThen) ?? statusThen;
  const moved = statusThen === supplier.status ? now : `${then} → ${now}`;
  if (isOther) return `${moved}, but now matched to another organization`;
  return kind === 'not_known' ? `${moved}; no record today` : moved;
}

/** Renders a goal as lines `label: value` for a pipe. */
export function renderPlainGoal(summary: FootprintSummary, result: GoalResult): string {
  const notes = [...notesOf(result, summary), ...syntheticNotes(summary)];
  return renderPlainSections(sectionsOf(summary, result), notes);
}

/**
 * Renders a goal for a terminal of 40 columns or more.
 * @param list returns the command that writes the list of suppliers
 * @param isFull whether it shows all suppliers to ask
 */
export function renderGoal(
  summary: FootprintSummary,
  result: GoalResult,
  view: View,
  { list, isFull = false }: { list(): string; readonly isFull?: boolean | undefined },
): Promise<string> {
  const sections = sectionsOf(summary, result, !isFull);
  const last = isFull ? [] : ['To see how the file was read, add --full'];
  const notes = notesSection(notesOf(result, summary), ['To work with it: ', list()]);
  return renderSections([...sections, notes], [], view, last);
}

function sectionsOf(summary: FootprintSummary, result: GoalResult, isBrief = false): Section[] {
  const { engagement, year } = result;
  const spend = year === null ? 'spend' : `spend of ${year}`;
  return [
    headSection(summary, {
      about: ['Suppliers with science-based targets', spend, boundaryText(summary)],
      lookups: lookupText(engagement),
      facts: keyFigures(engagement, result.since).map(([label, value]) => [label, value]),
      sentences: goalSentences(result),
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
  const part = (label: string, value: number | null): KeyFigure => [
    label,
    value === null ? null : shareText(value),
    [value, null, 'percent'],
  ];
  const compared = (label: string, value: number | null): KeyFigure => [
    label,
    value === null ? null : goalShareText(value, goal),
    [value === null ? null : shownShare(value, goal), null, 'percent'],
  ];
  // The pipe has a line for each of them.
  const always = (label: string, value: number | null): KeyFigure =>
    value === null ? [label, '–'] : compared(label, value);
  const day = (label: string, value: string | null): KeyFigure => [
    label,
    value,
    [value, null, 'date'],
  ];
  const words = goalText(goal).split(' ').slice(1).join(' ');
  return [
    ['goal', goalText(goal), [goal.percent / 100, words, 'percent']],
    ['reached', reached ? 'yes' : 'no'],
    share === null ? ['share', 'unknown'] : compared('share', share),
    always('share of known emissions', known),
    (goal.of === 'spend' ? compared : part)('share of spend', others.by_spend),
    [
      'percentage points to go',
      missing === null ? null : (100 * missing).toFixed(1),
      [missing === null ? null : Number((100 * missing).toFixed(1)), null, 'tenths'],
    ],
    compared('if every commitment is validated', committed),
    compared(askedWords, others.best),
    part('removed at any time', others.lost),
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

/** Returns the sheet of all suppliers. */
export function supplierSheet(result: GoalResult, unit: string | null) {
  const columns = supplierColumns(result.since !== undefined);
  return foldedTable(columns, () => supplierRows(result), { unit });
}

/** Returns the sheets after the list of suppliers, one for each table. */
export function goalSheets(result: GoalResult): readonly SheetContent[] {
  const contacts = contactColumns<SupplierShare>(({ entries }) => {
    return entries.find(({ group }) => group.record)?.group.record?.contact;
  });
  return goalTables(result, false, contacts).map((each) =>
    factSheet(each, { isList: contacts.some((column) => each.columns.includes(column as never)) }),
  );
}

/** Returns what the first sheet of the workbook says: figures, notes and method. */
export function goalSummary(summary: FootprintSummary, result: GoalResult): SummaryContent {
  const { engagement, since } = result;
  return {
    isSynthetic: summary.synthetic > 0,
    statements: goalSentences(result),
    dates: datesOnSheet(summary),
    figures: keyFigures(engagement, since).map(
      ([label, value, cell = [value], heading = label]) => [heading, ...cell],
    ),
    parts: [
      ['Before you quote it', notesOnSheet(notesOf(result, summary))],
      methodOnSheet(summary),
    ],
  };
}
