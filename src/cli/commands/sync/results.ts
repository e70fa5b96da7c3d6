/*
 * The rows of a list with their results: for -o, the user's own columns followed by those of the
 * record; for --json, a line for each row; and the findings about the records of the run.
 */
import { basename, dirname, relative } from 'node:path';
import { isObject, type OrganizationId } from '../../../api/ids.ts';
import { readRecord } from '../../../api/read-record.ts';
import type { Organization } from '../../../api/schema.ts';
import type { Batch } from '../../../batch/batch.ts';
import { reportProblem } from '../../../batch/failed-rows.ts';
import type { RowPlan } from '../../../batch/preflight.ts';
import { checkRecord } from '../../../checks/check-records.ts';
import {
  addFindings,
  type Finding,
  type FindingSummary,
  summarizeFindings,
} from '../../../checks/findings.ts';
import { isSynthetic } from '../../../organizations/history.ts';
import type { StoredHead } from '../../../sync/store.ts';
import type { CsvValue } from '../../../table/output-cell.ts';
import { methodSheet } from '../../../table/output-sheet.ts';
import { copiedCell } from '../../../workbook/cell-value.ts';
import { listedOrganization, loadCheckOptions } from '../../match-checks.ts';
import type { OutFile } from '../../output/out-file.ts';
import { syntheticStatement, writtenBy } from '../../output/record-file.ts';
import { organizationTable, valuesOf } from '../../output/record-tables.ts';
import type { Session } from '../../session.ts';
import { planJson } from '../batch/screen.ts';
import type { SyncState } from './run.ts';

/* The columns of a record in the results, by their names in `carbon list --csv`. */
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
  carbon_unit: undefined,
  carbon_sbti_near_term: 'sbti_near_term_target_status',
  carbon_cdp: 'cdp_is_listed',
  carbon_link: 'matching_organization_link',
} as const;

/** The columns that follow those of the list. */
export const resultColumns: readonly string[] = [
  'carbon_id',
  'carbon_status',
  'carbon_reason',
  ...Object.keys(recordColumns),
  'carbon_checks',
  'carbon_retrieved_at',
];

const columns = Object.values(recordColumns).map((name) =>
  organizationTable.columns.find((column) => column.name === name),
);

/** Returns the header of the results of a list. */
export function resultsHeader({ table }: Batch): readonly string[] {
  return [...table.dialect.header, ...resultColumns];
}

/* A row with what the store has of it. */
interface RowResult {
  readonly plan: RowPlan;
  readonly head: StoredHead | undefined;
  readonly json: string | undefined;
  readonly record: Organization | undefined;
  readonly findings: readonly Finding[];
}

/** Reads the rows of a list with their records. */
export class RowResults {
  /** The findings about the records that this run retrieved. */
  findings: FindingSummary = summarizeFindings([]);
  readonly #session: Session;
  readonly #opened: Batch;
  readonly #state: SyncState;
  #hasSynthetic = false;

  constructor(session: Session, opened: Batch, state: SyncState) {
    this.#session = session;
    this.#opened = opened;
    this.#state = state;
  }

  /**
   * Collects the findings, and writes or prints the rows.
   * @throws as `OutFile.writeTable` does
   */
  async read(out: OutFile | undefined): Promise<void> {
    const isJson = this.#session.format === 'json';
    if (out !== undefined) return this.#write(out);
    if (!isJson && this.#state.refresh.counts.retrieved === 0) return;
    for await (const result of this.#rows(isJson))
      if (isJson) {
        this.#session.printJson(rowJson(result));
        await this.#session.context.stdout.drained;
      }
  }

  async #write(out: OutFile): Promise<void> {
    const isWorkbook = out.extension === '.xlsx';
    const self = this;
    async function* rows() {
      for await (const result of self.#rows(true)) yield cellsOf(result, isWorkbook);
    }
    const { list } = this.#state;
    const statements = () => [
      ...writtenBy(this.#session),
      ...syntheticStatement(this.#hasSynthetic),
      ['list', basename(list)] as const,
      ['carbon_unit', 'The service documents no unit of emissions'] as const,
      ['carbon_checks', 'Rules that the record breaks: carbon check explains each'] as const,
    ];
    await out.writeTable(
      {
        name: this.#opened.table.dialect.sheet ?? 'Results',
        columns: resultsHeader(this.#opened),
        rows: rows(),
        list: relative(dirname(out.path), list),
      },
      [methodSheet(statements)],
    );
  }

  /* Yields the rows; without `all`, only those whose record this run retrieved. */
  async *#rows(all: boolean): AsyncGenerator<RowResult> {
    const { store, currency, refresh } = this.#state;
    const { today, options } = await this.#checkOptions();
    const checked = new Set<OrganizationId>();
    for await (const plan of this.#opened.plans()) {
      const id = plan.step === 'done' ? plan.id : undefined;
      const head = id === undefined ? undefined : store.head(id, currency);
      const isNew = head !== undefined && refresh.has(head);
      if (!all && !isNew) continue;
      const json = head && (await store.record(head.id, currency));
      const record = json === undefined ? undefined : parse(json);
      this.#hasSynthetic ||= record !== undefined && isSynthetic(record);
      const listed = [listedOrganization(plan.row.values)];
      const findings =
        record === undefined ? [] : checkRecord(record, { listed }, { today, ...options });
      if (isNew && !checked.has(head.id))
        this.findings = addFindings([this.findings, summarizeFindings(findings)]);
      if (isNew) checked.add(head.id);
      yield { plan, head, json, record, findings };
    }
  }

  async #checkOptions() {
    const today = new Date(this.#session.context.clock.now()).toISOString().slice(0, 10);
    return { today, options: await loadCheckOptions() };
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
  const { cells, kinds = [], exported = cells } = plan.row;
  const own = isWorkbook
    ? exported.map((cell, column) => copiedCell(cell, kinds[column] ?? 'text'))
    : exported;
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
    ...own,
    plan.step === 'done' ? (plan.id ?? null) : null,
    statusOf(result),
    reasonOf(result),
    ...values,
    rules,
    head?.retrievedAt ?? null,
  ];
}

function statusOf({ plan, head, record }: RowResult): string {
  if (plan.step === 'invalid') return 'invalid';
  if (plan.step === 'refused') return 'rejected';
  if (plan.step !== 'done') return 'not registered';
  if (head === undefined || record === undefined) return 'no record';
  return head.isRemoved ? 'removed' : (head.status ?? 'synced');
}

function reasonOf({ plan, head }: RowResult): string {
  if (plan.step === 'invalid') return plan.problems.map(reportProblem).join('; ');
  if (plan.step === 'refused') return plan.error.message;
  if (plan.step !== 'done') return 'the next run registers it';
  if (head === undefined) return 'the next run retrieves it';
  return head.isRemoved ? 'the service no longer has this organization' : '';
}

function rowJson({ plan, head, json, record }: RowResult): string {
  const { line } = plan;
  if (plan.step !== 'done') return planJson(plan);
  const status = head?.status ?? (record === undefined ? undefined : 'synced');
  const text = JSON.stringify({ line, ok: true, id: plan.id, status });
  return `${text.slice(0, -1)},"record":${json ?? 'null'}}`;
}
