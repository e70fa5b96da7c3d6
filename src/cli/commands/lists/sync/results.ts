/*
 * The rows of a list with their records: for -o, the user's own columns followed by those of the
 * record; for --json, a line for each row.
 */
import { basename } from 'node:path';
import { isObject } from '../../../../client/api/ids.ts';
import { readRecord } from '../../../../client/api/read-record.ts';
import type { Organization } from '../../../../client/api/schema.ts';
import { kindOf } from '../../../../display/query/kinds.ts';
import { count, plural } from '../../../../display/terminal/format.ts';
import { quoteWords } from '../../../../display/terminal/sanitize.ts';
import type { Batch } from '../../../../lists/batch/batch.ts';
import type { Refresh } from '../../../../lists/batch/refresh.ts';
import type { RowPlan } from '../../../../lists/batch/row-plan.ts';
import type { StoredHead } from '../../../../lists/kept/lines.ts';
import { identifyingColumn } from '../../../../lists/list/columns.ts';
import { listedOrganization } from '../../../../lists/list/rows.ts';
import type { CsvValue } from '../../../../lists/table/output-cell.ts';
import type { OutputColumn } from '../../../../lists/table/output-sheet.ts';
import type { SummaryContent } from '../../../../lists/table/summary-sheet.ts';
import { usefulColumns } from '../../../../lists/table/useful-columns.ts';
import { checkRecord } from '../../../../portfolio/checks/check-records.ts';
import { correctionAt, newColumnWords } from '../../../../portfolio/organizations/correction.ts';
import { isSynthetic } from '../../../../portfolio/organizations/history.ts';
import { quotingLimit } from '../../../../portfolio/organizations/quoting.ts';
import { unitOnSheet } from '../../../../portfolio/organizations/statements.ts';
import { organizationTable } from '../../../../portfolio/organizations/tables.ts';
import { datesOnSheet } from '../../../../portfolio/records/dates.ts';
import { dayAt } from '../../../../runtime/clock.ts';
import type { OutFile } from '../../../output/out-file.ts';
import { isForm, show } from '../../../output/show.ts';
import type { Session } from '../../../session.ts';
import {
  csvResults,
  emptyOutcome,
  endJson,
  isOfSandbox,
  markColumn,
  outcomeCells,
  outcomeColumns,
  type ResultRow,
  workbookResults,
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

const columns = Object.values(recordColumns).map((name) => {
  const column = organizationTable.columns.find((each) => each.name === name);
  if (name !== null && column === undefined) throw new Error(`there is no column ${name}`);
  return column;
});

const checksColumn: OutputColumn = { name: 'carbon_checks', kind: 'text' };

const resultColumns: readonly OutputColumn[] = [
  ...outcomeColumns,
  ...Object.keys(recordColumns).map((name, at) => ({ name, kind: columns[at]?.kind ?? 'text' })),
  checksColumn,
  { name: 'carbon_retrieved_at', kind: 'date' },
  markColumn,
];

/* Without them, a reader takes figures for those of another year or method. */
const contextColumns: readonly string[] = ['carbon_year', 'carbon_scope_2_method'];

interface RowResult {
  readonly plan: RowPlan;
  readonly head: StoredHead | undefined;
  readonly json: string | undefined;
  readonly record: Organization | undefined;
}

/**
 * Writes the rows of a list with their records to a file, or prints them with --json or -q.
 * @throws as `OutFile.writeTable` does
 */
export async function showResults(
  session: Session,
  list: Batch,
  { store, currencies: [currency = null] }: Refresh,
  out: OutFile | undefined,
): Promise<void> {
  async function* results(): AsyncGenerator<RowResult> {
    for await (const plan of list.plans(out !== undefined)) {
      const head = plan.step === 'done' ? store.head(plan.id, currency) : undefined;
      const json = head && (await store.record(head.id, currency));
      yield { plan, head, json, record: json === undefined ? undefined : parse(json) };
    }
  }
  async function* lines() {
    for await (const result of results()) yield resultJson(result);
  }
  async function* ids() {
    for await (const { plan } of results()) if (plan.step === 'done') yield plan.id;
  }
  const hasWords = isForm(session, 'workbook', out);
  const isSandbox = session.identity().service === 'sandbox';
  const today = dayAt(session.context.clock.now());
  let hasSynthetic = isOfSandbox(session);
  let first: string | undefined;
  // Of each organization in the workbook, whether it has emissions.
  const organizations = new Map<CsvValue, boolean>();
  let registeredRows = 0;
  let last: string | undefined;
  async function* rows(): AsyncGenerator<ResultRow> {
    for await (const result of results()) {
      const { plan, record } = result;
      const isMarked = isOfSandbox(session) || (record !== undefined && isSynthetic(record));
      hasSynthetic ||= isMarked;
      const day = result.head?.retrievedAt?.slice(0, 10);
      if (day !== undefined && (first === undefined || day < first)) first = day;
      if (day !== undefined && (last === undefined || day > last)) last = day;
      const listed = [listedOrganization(plan.row.values)];
      const findings = record === undefined ? [] : checkRecord(record, listed, { today });
      const rules = [...new Set(findings.map(({ rule }) => rule))];
      const at = result.head?.retrievedAt ?? null;
      const isMatched = !rules.includes('match_none');
      const cells = cellsOf(result, { hasWords, isMatched, isSandbox, list });
      yield { plan, cells: [...cells, rules.join(' '), at, isMarked || null] };
    }
  }
  let leftOut: readonly OutputColumn[] = [];
  let hasUnit = false;
  const summary = (): SummaryContent => ({
    statements: hasWords
      ? [
          emissionsOf(organizations, registeredRows),
          ...[quotingLimit(hasSynthetic, 'known') ?? []].flat(),
        ]
      : [],
    isSynthetic: hasSynthetic,
    notes: hasUnit ? [['Unit of emissions', unitOnSheet(null)]] : [],
    dates: datesOnSheet({ records_from: first ?? null, records_to: last ?? null, as_of: null }),
    emptyCells: `In a column of carbon, an empty cell means unknown, not zero: the service has no value. Exceptions: ${emptyOutcome}${leftOut.includes(checksColumn) ? '' : '; “carbon_checks” (the record breaks no rule)'}.`,
  });
  await show(
    session,
    {
      json: lines(),
      ids: ids(),
      csvFile: () => csvResults(list, { columns: resultColumns, results: rows(), summary }),
      async workbook() {
        // The outcome of a row is said whatever the others are, and of when its figures are: the
        // user's own sheet may have the year of something else.
        const { shown, legend } = await usefulColumns(
          resultColumns.map((column) => ({ ...column, description: meaningOf(column.name) })),
          cellsOfRows(rows()),
          'left out',
          ({ name }) => {
            if (outcomeColumns.some((column) => column.name === name)) return 'always';
            return contextColumns.includes(name) ? 'with values' : undefined;
          },
        );
        const isShown = (_: unknown, index: number) => shown[index];
        async function* shownRows() {
          for await (const { plan, cells } of rows()) {
            if (plan.step === 'done') {
              registeredRows += 1;
              organizations.set(cells[0] ?? null, hasEmissions(cells));
            }
            yield { plan, cells: cells.filter(isShown) };
          }
        }
        const columns = resultColumns.filter(isShown);
        hasUnit = columns.some(({ kind }) => kind && kindOf(kind).hasUnit);
        leftOut = resultColumns.filter((_, index) => !shown[index]);
        return workbookResults(list, {
          columns,
          results: shownRows(),
          legend,
          summary,
        });
      },
    },
    out,
  );
  if (leftOut.length === 0) return;
  const names = leftOut.map(({ name }) => name).join(', ');
  session.messages.print({
    level: 'progress',
    text: `Left out, because they are empty or equal in every row: ${names}`,
  });
}

async function* cellsOfRows(rows: AsyncIterable<ResultRow>) {
  for await (const { cells } of rows) yield cells;
}

function meaningOf(name: string): string {
  if (name in ownMeanings) return ownMeanings[name as keyof typeof ownMeanings];
  const at = Object.keys(recordColumns).indexOf(name);
  return (columns[at]?.inWords ?? columns[at])?.description ?? '';
}

const ownMeanings = {
  carbon_unit: 'The service documents no unit of emissions',
  carbon_checks: 'Rules that the record breaks: carbon check explains each',
  carbon_retrieved_at: 'When the record was retrieved, in UTC',
  synthetic: 'Whether the figures are synthetic ones of the sandbox, not real research',
} as const;

function parse(json: string): Organization | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? readRecord(value).record : undefined;
  } catch {
    return undefined;
  }
}

const emissionNames: readonly string[] = [
  'carbon_scope_1',
  'carbon_scope_2',
  'carbon_scope_3',
  'carbon_total',
];

function hasEmissions(cells: readonly CsvValue[]): boolean {
  return resultColumns.some(
    ({ name }, at) => emissionNames.includes(name) && (cells[at] ?? null) !== null,
  );
}

function emissionsOf(organizations: ReadonlyMap<CsvValue, boolean>, rows: number): string {
  const all = plural(organizations.size, 'organization');
  const disclosing = [...organizations.values()].filter(Boolean).length;
  const where = rows === organizations.size ? '' : ` in ${plural(rows, 'row')}`;
  const without = organizations.size - disclosing;
  const others = without === 0 ? '' : `, ${count.format(without)} without`;
  return `${all}${where}: ${count.format(disclosing)} with emissions${others}`;
}

interface Shown {
  /** Whether codes are words, for a person. */
  readonly hasWords: boolean;
  readonly isMatched: boolean;
  readonly isSandbox: boolean;
  readonly list: Batch;
}

function cellsOf(result: RowResult, { hasWords, isMatched, isSandbox, list }: Shown): CsvValue[] {
  const { record } = result;
  const [row] = record === undefined ? [] : organizationTable.rows(record);
  const values = columns.map((column): CsvValue => {
    if (row === undefined) return null;
    if (column === undefined) return 'unknown';
    return (hasWords ? (column.inWords ?? column) : column).value(row) ?? null;
  });
  const [id, status, reason] = recordCells(result);
  if (!hasWords) return [id, status, reason, ...values];
  const cells = [id, wordOfStatus(status), reason, ...values];
  // A program that reads CSV takes any reason for a failure.
  if (status !== 'synced' || reason !== '' || hasEmissions(cells)) return cells;
  const [what, step] = isMatched
    ? [status, 'discloses no emissions: ask for scopes 1 to 3']
    : ['not matched', stepAtNoMatch(list, isSandbox)];
  return [id, what, step, ...values];
}

function stepAtNoMatch(
  { list, isStdin, table: { dialect, mapping } }: Batch,
  isSandbox: boolean,
): string {
  const { column, words = newColumnWords } = identifyingColumn(dialect.header, mapping) ?? {};
  const file = isStdin ? '-' : basename(list);
  const options = isSandbox ? ['--sandbox'] : [];
  const command = quoteWords(['carbon', 'sync', file, ...options, ...words]);
  return correctionAt('this row', { column, command });
}

/* One word for a status in every workbook. */
function wordOfStatus(status: string): string {
  const column = organizationTable.columns.find(({ name }) => name === 'status');
  return column?.inWords?.wordOf?.(status) ?? status;
}

function recordCells({ plan, head, record }: RowResult): ReturnType<typeof outcomeCells> {
  if (plan.step !== 'done') return outcomeCells(plan);
  const { id } = plan;
  if (head === undefined) return [id, 'no record', 'the next run retrieves it'];
  const status = head.isRemoved ? 'removed' : (head.status ?? 'synced');
  const reason = head.isRemoved
    ? 'the service no longer has this organization'
    : head.status === 'errored'
      ? 'ask the service'
      : '';
  return [id, record === undefined ? 'no record' : status, reason];
}

function resultJson(result: RowResult): string {
  const { plan, json = 'null', record } = result;
  if (plan.step !== 'done') return endJson(plan, true);
  const [id, status] = recordCells(result);
  const head = { line: plan.line, ok: true, id, status: record && status };
  return `${JSON.stringify(head).slice(0, -1)},"record":${json}}`;
}
