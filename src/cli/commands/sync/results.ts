/*
 * The rows of a list with their records: for -o, the user's own columns followed by those of the
 * record; for --json, a line for each row; and the findings about the records of the run.
 */
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
import type { Refresh } from '../../../sync/refresh.ts';
import type { StoredHead } from '../../../sync/store.ts';
import type { CsvValue } from '../../../table/output-cell.ts';
import { sanitize } from '../../../terminal/sanitize.ts';
import { listedOrganization, loadCheckOptions } from '../../match-checks.ts';
import type { OutFile } from '../../output/out-file.ts';
import { syntheticStatement } from '../../output/record-file.ts';
import { organizationTable, valuesOf } from '../../output/record-tables.ts';
import type { Session } from '../../session.ts';
import {
  isOfSandbox,
  outcomeCells,
  outcomeColumns,
  planJson,
  writeResults,
} from '../batch/results.ts';

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

/**
 * Writes or prints the rows of a list with their records, and returns the findings about the
 * records that this run retrieved.
 * @throws as `OutFile.writeTable` does
 */
export async function readResults(
  session: Session,
  list: Batch,
  refresh: Refresh,
  out: OutFile | undefined,
): Promise<FindingSummary> {
  const { format } = session;
  const today = new Date(session.context.clock.now()).toISOString().slice(0, 10);
  const [currency = null] = refresh.currencies;
  const checked = new Set<OrganizationId>();
  let summary = summarizeFindings([]);
  let hasSynthetic = isOfSandbox(session);
  if (format === 'human' && out === undefined && refresh.retrieved === 0) return summary;
  const options = { today, ...(await loadCheckOptions()) };

  /* Yields all rows, or only those whose record this run retrieved. */
  async function* results(isAll: boolean): AsyncGenerator<RowResult> {
    for await (const plan of list.plans()) {
      const head = plan.step === 'done' ? refresh.store.head(plan.id, currency) : undefined;
      const isNew = head !== undefined && refresh.has(head);
      if (!isAll && !isNew) continue;
      const json = head && (await refresh.store.record(head.id, currency));
      const record = json === undefined ? undefined : parse(json);
      hasSynthetic ||= record !== undefined && isSynthetic(record);
      const listed = [listedOrganization(plan.row.values)];
      const findings = record === undefined ? [] : checkRecord(record, listed, options);
      if (isNew && !checked.has(head.id)) {
        checked.add(head.id);
        summary = addFindings([summary, summarizeFindings(findings)]);
      }
      yield { plan, head, json, record, findings };
    }
  }

  if (out !== undefined) {
    async function* rows() {
      for await (const result of results(true)) {
        const isMarked =
          isOfSandbox(session) || (result.record !== undefined && isSynthetic(result.record));
        yield { plan: result.plan, cells: [...cellsOf(result), isMarked || null] };
      }
    }
    await writeResults(session, list, out, resultColumns, rows(), () => [
      ...syntheticStatement(hasSynthetic),
      ['carbon_unit', 'The service documents no unit of emissions'],
      ['carbon_checks', 'Rules that the record breaks: carbon check explains each'],
    ]);
  } else
    for await (const result of results(format !== 'human'))
      if (format === 'json') {
        session.printJson(resultJson(result));
        await session.context.stdout.drained;
      } else if (format === 'ids' && result.plan.step === 'done')
        session.print(`${sanitize(String(result.plan.id))}\n`);
  return summary;
}

function parse(json: string): Organization | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? readRecord(value).record : undefined;
  } catch {
    return undefined;
  }
}

function cellsOf(result: RowResult): CsvValue[] {
  const { head, record, findings } = result;
  const [row] = record === undefined ? [] : organizationTable.rows(record);
  const values = columns.map((column): CsvValue => {
    if (row === undefined) return null;
    return column === undefined ? 'unknown' : (valuesOf([column], row)[0] ?? null);
  });
  const rules = [...new Set(findings.map(({ rule }) => rule))].join(' ');
  return [...recordCells(result), ...values, rules, head?.retrievedAt ?? null];
}

/* Returns the cells of `outcomeColumns`. */
function recordCells({ plan, head, record }: RowResult): ReturnType<typeof outcomeCells> {
  if (plan.step !== 'done') return outcomeCells(plan);
  const { id } = plan;
  if (head === undefined) return [id, 'no record', 'the next run retrieves it'];
  const status = head.isRemoved ? 'removed' : (head.status ?? 'synced');
  const reason = head.isRemoved
    ? 'the service no longer has this organization'
    : head.status === 'errored'
      ? 'the research failed'
      : '';
  return [id, record === undefined ? 'no record' : status, reason];
}

function resultJson(result: RowResult): string {
  const { plan, json = 'null', record } = result;
  if (plan.step !== 'done') return planJson(plan);
  const [id, status] = recordCells(result);
  const head = { line: plan.line, ok: true, id, status: record && status };
  return `${JSON.stringify(head).slice(0, -1)},"record":${json}}`;
}
