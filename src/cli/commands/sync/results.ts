/*
 * The rows of a list with their results: for -o, the user's own columns followed by those of the
 * record; for --json, a line for each row; and the findings about the records of the run.
 */
import { basename, dirname, relative } from 'node:path';
import { isObject, type OrganizationId } from '../../../api/ids.ts';
import { readRecord } from '../../../api/read-record.ts';
import type { Organization } from '../../../api/schema.ts';
import type { Batch } from '../../../batch/batch.ts';
import { checkRecord } from '../../../checks/check-records.ts';
import {
  addFindings,
  type Finding,
  type FindingSummary,
  summarizeFindings,
} from '../../../checks/findings.ts';
import type { RowPlan } from '../../../list/row-action.ts';
import { isSynthetic } from '../../../organizations/history.ts';
import type { StoredHead } from '../../../sync/store.ts';
import type { CsvValue } from '../../../table/output-cell.ts';
import { methodSheet } from '../../../table/output-sheet.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import { listedOrganization, loadCheckOptions } from '../../match-checks.ts';
import type { OutFile } from '../../output/out-file.ts';
import { syntheticStatement, writtenBy } from '../../output/record-file.ts';
import { organizationTable, valuesOf } from '../../output/record-tables.ts';
import type { Session } from '../../session.ts';
import { outcomeColumns, ownCells, reasonOf, statusOf } from '../batch/results.ts';
import { planJson } from '../batch/screen.ts';
import type { SyncState } from './run.ts';

/* The columns of a record in the results, by their names in `carbon list`; null is unknown. */
const recordColumns = {
  carbon_name: 'matching_organization_name',
  carbon_country: 'matching_organization_hq_region',
  carbon_score: 'score',
  carbon_scope_1: 'scope_1',
  carbon_scope_2: 'scope_2',
  carbon_scope_2_method: 'scope_2_method',
  carbon_scope_3: 'scope_3',
  carbon_total: 'total',
  carbon_year: 'year',
  carbon_unit: null,
  carbon_sbti_near_term: 'sbti_near_term_target_status',
  carbon_cdp: 'cdp_is_listed',
  carbon_link: 'matching_organization_link',
} as const;

/** The columns that follow those of the list. */
export const resultColumns: readonly string[] = [
  ...outcomeColumns,
  ...Object.keys(recordColumns),
  'carbon_checks',
  'carbon_retrieved_at',
  'synthetic',
];

const columns = Object.values(recordColumns).map((name) => {
  const column = organizationTable.columns.find((each) => each.name === name);
  if (name !== null && column === undefined) throw new Error(`there is no column ${name}`);
  return column;
});

/* A row with what the store has of it. */
interface RowResult {
  readonly plan: RowPlan;
  readonly head: StoredHead | undefined;
  readonly json: string | undefined;
  readonly record: Organization | undefined;
  readonly findings: readonly Finding[];
}

/** What the rows of a list with their records have in common. */
interface Seen {
  /** The findings about the records that this run retrieved. */
  findings: FindingSummary;
  hasSynthetic: boolean;
}

/**
 * Writes or prints the rows of a list with their records, and returns the findings about the
 * records that this run retrieved.
 * @throws as `OutFile.writeTable` does
 */
export async function readResults(
  session: Session,
  opened: Batch,
  state: SyncState,
  out: OutFile | undefined,
): Promise<FindingSummary> {
  const seen: Seen = { findings: summarizeFindings([]), hasSynthetic: false };
  const isJson = session.format === 'json';
  const isIds = session.format === 'ids';
  const isAll = isJson || isIds || out !== undefined;
  if (!isAll && state.refresh.retrieved === 0) return seen.findings;
  const results = rowResults(session, opened, state, { isAll, seen });
  if (out !== undefined)
    await writeResults(session, opened, out, { list: state.list, results, seen });
  else
    for await (const result of results)
      if (isIds && result.plan.step === 'done')
        session.print(`${sanitize(String(result.plan.id))}\n`);
      else if (isJson) {
        session.printJson(rowJson(result));
        await session.context.stdout.drained;
      }
  return seen.findings;
}

async function writeResults(
  session: Session,
  opened: Batch,
  out: OutFile,
  { list, results, seen }: { list: string; results: AsyncIterable<RowResult>; seen: Seen },
): Promise<void> {
  async function* rows() {
    for await (const result of results)
      yield [
        ...cellsOf(result, out.extension === '.xlsx'),
        session.view.synthetic ||
          (result.record !== undefined && isSynthetic(result.record)) ||
          null,
      ];
  }
  const statements = () => [
    ...writtenBy(session),
    ...syntheticStatement(seen.hasSynthetic),
    ['list', basename(list)] as const,
    ['carbon_unit', 'The service documents no unit of emissions'] as const,
    ['carbon_checks', 'Rules that the record breaks: carbon check explains each'] as const,
  ];
  await out.writeTable(
    {
      name: opened.table.dialect.sheet ?? 'Results',
      columns: [...opened.table.dialect.header, ...resultColumns],
      rows: rows(),
      delimiter: opened.table.dialect.delimiter,
      list: relative(dirname(out.path), list),
    },
    [methodSheet(statements)],
  );
}

/* Yields all rows, or only those whose record this run retrieved. */
async function* rowResults(
  session: Session,
  opened: Batch,
  { store, currency, refresh }: SyncState,
  { isAll, seen }: { readonly isAll: boolean; readonly seen: Seen },
): AsyncGenerator<RowResult> {
  const today = new Date(session.context.clock.now()).toISOString().slice(0, 10);
  const options = { today, ...(await loadCheckOptions()) };
  const checked = new Set<OrganizationId>();
  for await (const plan of opened.plans()) {
    const id = plan.step === 'done' ? plan.id : undefined;
    const head = id === undefined ? undefined : store.head(id, currency);
    const isNew = head !== undefined && refresh.has(head);
    if (!isAll && !isNew) continue;
    const json = head && (await store.record(head.id, currency));
    const record = json === undefined ? undefined : parse(json);
    seen.hasSynthetic ||= record !== undefined && isSynthetic(record);
    const listed = [listedOrganization(plan.row.values)];
    const findings = record === undefined ? [] : checkRecord(record, listed, options);
    if (isNew && !checked.has(head.id))
      seen.findings = addFindings([seen.findings, summarizeFindings(findings)]);
    if (isNew) checked.add(head.id);
    yield { plan, head, json, record, findings };
  }
}

function parse(json: string): Organization | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? readRecord(value).record : undefined;
  } catch {
    return undefined;
  }
}

function cellsOf(result: RowResult, isWorkbook: boolean) {
  const { plan, head, record, findings } = result;
  const [row] = record === undefined ? [] : organizationTable.rows(record);
  const values: CsvValue[] = columns.map((column) =>
    row === undefined
      ? null
      : column === undefined
        ? 'unknown'
        : (valuesOf([column], row)[0] ?? null),
  );
  const rules = [...new Set(findings.map(({ rule }) => rule))].join(' ');
  return [
    ...ownCells(plan, isWorkbook),
    plan.step === 'done' ? plan.id : null,
    statusOfRecord(result),
    reasonOfRecord(result),
    ...values,
    rules,
    head?.retrievedAt ?? null,
  ];
}

function statusOfRecord({ plan, head, record }: RowResult): string {
  if (plan.step !== 'done') return statusOf(plan);
  if (head === undefined || record === undefined) return 'no record';
  return head.isRemoved ? 'removed' : (head.status ?? 'synced');
}

function reasonOfRecord({ plan, head }: RowResult): string {
  if (plan.step !== 'done') return reasonOf(plan);
  if (head === undefined) return 'the next run retrieves it';
  if (head.isRemoved) return 'the service no longer has this organization';
  return head.status === 'errored' ? 'the research failed' : '';
}

function rowJson(result: RowResult): string {
  const { plan, json, record } = result;
  const { line } = plan;
  if (plan.step !== 'done') return planJson(plan);
  const status = record === undefined ? undefined : statusOfRecord(result);
  const text = JSON.stringify({ line, ok: true, id: plan.id, status });
  return `${text.slice(0, -1)},"record":${json ?? 'null'}}`;
}
