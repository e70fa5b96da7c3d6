/* The list of the suppliers of a goal: as rows of CSV and JSON, and as a sheet. */
import { foldedTable } from '../../../lists/table/folded-table.ts';
import { inWords } from '../../organizations/in-words.ts';
import { hasSynthetic, recordIn } from '../entries.ts';
import type { SupplierShare } from '../goal.ts';
import type { GoalChanges } from '../goal-changes.ts';
import type { GoalResult } from '../measure-goal.ts';
import { isNamed } from '../supplier-groups.ts';
import { coded, withSyntheticWords } from './coded-columns.ts';
import { changeWords, nameOf } from './goal-words.ts';
import { type ColumnWords, columnsOf, type MemberColumn } from './tables.ts';

/** A supplier as a row; its JSON is a line of `--json`, and the columns describe its members. */
export type SupplierRow = ReturnType<typeof supplierRow>;

/** Returns the rows of all suppliers, in the order of the list. */
export function supplierRows({
  engagement,
  since,
}: Pick<GoalResult, 'engagement' | 'since'>): readonly SupplierRow[] {
  let rank = 0;
  return engagement.suppliers.map((each) => {
    const isRanked = each.excluded === null && isNamed(each.supplier);
    if (isRanked) rank += 1;
    return supplierRow(each, isRanked ? rank : null, since?.changes);
  });
}

function supplierRow(each: SupplierShare, rank: number | null, changes: GoalChanges | undefined) {
  const { supplier, entries, spend } = each;
  const record = recordIn(entries);
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
    ask_if_lapsed: each.askIfLapsed,
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
    synthetic: hasSynthetic(entries),
  };
}

/* Without a status, SBTi was not looked up, or not for this supplier. */
function checkedAt({ status, entries }: SupplierShare): string | null {
  const record = recordIn(entries);
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
    'Names in the input file of several suppliers that are one, separated by semicolons',
    'detail',
  ],
  website: ['text', 'Website in the record, otherwise of the matched organization', 'folded'],
  hq_region: ['text', 'Country of the supplier in the input file, otherwise in the record'],
  share: [
    'share',
    'Share of the emissions, with an estimate for spend without any, or of the spend',
  ],
  cumulative_share: ['share', 'Sum of `share` up to this row, whatever the status', 'folded'],
  ask: ['place', 'Place among the suppliers to ask next; empty for all others'],
  ask_if_lapsed: [
    'place',
    'Place after them of one to ask only if targets end before the year of the goal; empty for all others',
  ],
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
  currency: ['text', 'Currency of the spend, several separated by commas'],
  basis: ['text', 'Origin of the least certain factor: `own`, `service` or `industry`'],
  uncovered: ['note', 'Why spend has no emissions, or counts in no total'],
  research: ['text', 'Status of the research unless it is `synced`', 'detail'],
  lines: ['text', 'Line numbers in the input file, separated by semicolons', 'detail'],
  report: ['text', 'First source of the record, such as a sustainability report', 'folded'],
  cdp_page: ['text', 'CDP page of the organization', 'folded'],
  reference: ['text', 'Page of the matched organization', 'detail'],
  tickers: ['text', 'Tickers of the matched organization, separated by commas', 'detail'],
  external_id: ['text', 'Your own number of the supplier in the record', 'detail'],
  status_then: ['text', 'With --since: the status on that day; empty if unknown'],
  change: [
    'text',
    'With --since: `newly_set`, `lost`, `other_organization` or `not_known`; `other` for a change that does not affect the share',
  ],
  synthetic: ['synthetic', 'Whether the figures are synthetic ones of the sandbox; empty if not'],
};

function headed(heading: string) {
  return (column: MemberColumn<SupplierRow>) => ({ ...column, heading });
}

const allColumns = columnsOf<SupplierRow>(supplierWords, {
  hq_region: headed('Country'),
  sbti_near_term: (column) => headed('Near-term target')(coded.target(column)),
  ask_if_lapsed: headed('Ask if targets lapse'),
  target_since: headed('Date of SBTi record'),
  checked_at: headed('SBTi looked up'),
  status_then: (column) =>
    headed('Target then')(coded.target(column, 'Near-term target on the day of --since')),
  basis: coded.basis,
  uncovered: coded.uncovered,
  research: (column) =>
    inWords(column, { errored: 'failed' }, 'State of the research unless it is finished'),
  synthetic: withSyntheticWords(({ emissions }) => emissions !== null),
  change: (column) =>
    inWords(
      column,
      { ...changeWords, other: 'does not affect the share' },
      'What changed since the day of --since',
    ),
});

/* What only `--since` knows. */
const sinceColumns: readonly (keyof SupplierRow)[] = ['status_then', 'change'];

/** The columns of the list of suppliers, without those of `--since` unless it is given. */
export function supplierColumns(hasSince: boolean): readonly MemberColumn<SupplierRow>[] {
  return allColumns.filter(({ name }) => hasSince || !sinceColumns.includes(name));
}

/* What a reader looks for: the step stands next to the supplier, on the same printed page. */
const firstOnSheet: readonly (keyof SupplierRow)[] = [
  'supplier',
  'share',
  'sbti_near_term',
  'next_step',
];

/** Returns the sheet of all suppliers. */
export function supplierSheet(result: GoalResult, unit: string | null) {
  const columns = supplierColumns(result.since !== undefined);
  return foldedTable(columns, () => supplierRows(result), { unit, first: firstOnSheet });
}
