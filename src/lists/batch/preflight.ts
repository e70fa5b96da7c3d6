/*
 * Checks a whole list before anything is sent, because a registration cannot be undone. The first
 * 200,000 names are compared.
 */
import type { OrganizationId } from '../../client/api/ids.ts';
import { doubtsAbout } from '../../client/registration/fields.ts';
import { checkCurrency } from '../../client/registration/iso-codes.ts';
import { plural } from '../../display/terminal/format.ts';
import { type CarbonError, invalidInput, type UsageError } from '../../runtime/carbon-error.ts';
import { flattenString } from '../../runtime/flatten-string.ts';
import type { Journals } from '../kept/journal.ts';
import type { MappedColumn, Mapping } from '../list/columns.ts';
import { type DoubtfulKind, hasOnlyName, ListShape } from '../list/doubtful-rows.ts';
import {
  checkRow,
  type IdentifiedGroup,
  type IdentifiedRow,
  type IdentifiedTable,
  identifyRows,
  isUnclearRegion,
  presentValue,
} from '../list/rows.ts';
import { isBlank } from '../table/cell.ts';
import type { NumberColumns } from '../table/plain-numbers.ts';
import {
  isDroppable,
  judgeRow,
  problemsOf,
  type RowActionCounts,
  type RowActionOptions,
  type RowPlan,
  type RowProblem,
} from './row-plan.ts';

export interface Preflight {
  /** Number of rows of this run, without blank lines and repeated headers. */
  readonly rows: number;
  /** The largest number of cells of a row, and at least that of the header. */
  readonly width: number;
  /** The columns of a CSV list that become numbers, if the options ask for them. */
  readonly numbers: ReadonlySet<number>;
  readonly counts: Readonly<RowActionCounts>;
  /** Rows among the new ones that the service rejected earlier, sent again with `retryFailed`. */
  readonly again: number;
  readonly findings: readonly ListFinding[];
  /** The problems of the first twenty rows that are invalid or lose an identifier. */
  readonly problems: readonly RowProblem[];
  /** The first rows that the service rejected in an earlier run. */
  readonly rejected: readonly RejectedRow[];
  /** Number of rejected rows for which the service found no organization. */
  readonly notFound: number;
  /** Number of invalid identifiers that are left out of rows to be sent. */
  readonly dropped: number;
  /** Number of invalid rows that `dropInvalidIds` would send without identifiers. */
  readonly onlyWrongIds: number;
  /** Number of invalid rows that no earlier run reported. */
  readonly newlyInvalid: number;
}

export interface RejectedRow {
  readonly line: number;
  readonly name: string;
  readonly error: CarbonError;
}

/** What happens to rows that seem to be no organizations. */
export type DoubtfulChoice = 'skip' | 'send';

export interface PreflightOptions extends RowActionOptions {
  /** Whether the user mapped the column of the currency, so that a wrong code is an error. */
  readonly insistsOnCurrency?: boolean | undefined;
  /** By default, they are left out, but headings of groups are an error. */
  readonly doubtful?: DoubtfulChoice | undefined;
  readonly signal: AbortSignal;
  /** Returns what finds the columns of numbers; given only if a workbook needs them. */
  readonly findNumbers?: ((mapped: Iterable<number>) => NumberColumns) | undefined;
  /** Receives the organization of each row that is registered. */
  readonly onRegistered?: ((id: OrganizationId) => void) | undefined;
}

const maxProblemRows = 20;
const maxRejectedRows = 3;

/**
 * Checks the whole file, decides which rows are left out, and records which line of each key is
 * sent.
 * @returns the table as its rows are to be read from now on, and what the check found
 * @throws UsageError if rows seem to be headings of groups, unless `doubtful` decides about them;
 * UsageError and LocalError like `identifyRows`; the signal's reason if it is aborted
 */
export async function preflight(
  table: IdentifiedTable,
  journals: Journals,
  options: PreflightOptions,
): Promise<{ readonly table: IdentifiedTable; readonly checked: Preflight }> {
  const { rows: known } = journals;
  let decided: IdentifiedTable = {
    ...table,
    // Without any, a look-up of each key would take a tenth of the check.
    wasRegistered: known.hasIds ? (key) => journals.wasRegistered(key) : undefined,
  };
  const read = async (decision: Partial<IdentifiedTable>) => {
    decided = { ...decided, ...decision };
    known.startReading();
    return check(decided, journals, options);
  };
  // Most lists need one reading: only what it finds makes another one necessary.
  let found = await read(options.doubtful === 'send' ? {} : { doubtful: {} });
  if (options.doubtful !== 'send') {
    const { limits } = found.shape;
    if (limits !== undefined) found = await read({ doubtful: limits });
    if (found.shape.hasGroups && found.onlyNames !== undefined) {
      if (options.doubtful === undefined) throw groupHeadings(table, found.onlyNames);
      found = await read({ doubtful: { ...limits, hasGroups: true } });
    }
  }
  if (found.hasOtherCurrencies) found = await read({ unsent: ['currency'] });
  return { table: decided, checked: found.checked };
}

function groupHeadings(
  { source }: IdentifiedTable,
  { count, lines, values }: ListFinding,
): UsageError {
  const some = (items: readonly unknown[]) =>
    items.slice(0, 6).join(', ') + (items.length > 6 ? ', ...' : '');
  const names = [...values.keys()].map((name) => `"${name}"`);
  return invalidInput(
    `${source.name}: ${count} rows with only a name look like group headings: lines ${some(lines)}: ${some(names)}`,
    'To leave out these rows, use --doubtful skip. To register them as organizations, use --doubtful send.',
    () => ({
      question: 'What should happen to these rows?',
      options: [
        { label: `Leave out ${plural(count, 'row')}`, add: ['--doubtful', 'skip'] },
        { label: `Send ${plural(count, 'row')} as organizations`, add: ['--doubtful', 'send'] },
      ],
    }),
  );
}

/* Checks the rows that are not held back. */
async function check(
  table: IdentifiedTable,
  { rows: known }: Journals,
  options: PreflightOptions,
): Promise<{
  checked: Preflight;
  shape: ListShape;
  onlyNames: ListFinding | undefined;
  hasOtherCurrencies: boolean;
}> {
  const shape = new ListShape(table);
  const counts = { new: 0, done: 0, rejected: 0, duplicate: 0, invalid: 0 };
  const problems: (readonly RowProblem[])[] = [];
  const rejected: RejectedRow[] = [];
  let [rows, dropped, newlyInvalid, onlyWrongIds, again, notFound] = [0, 0, 0, 0, 0, 0];
  let width = table.dialect.header.length;
  const isCsv = table.source.sheet === undefined;
  const mapped = table.mapping.columns.map(({ index }) => index);
  const numbers = isCsv ? options.findNumbers?.(mapped) : undefined;
  const counter = new FindingsCounter(table.mapping, options);
  for await (const group of identifyRows(table)) {
    options.signal.throwIfAborted();
    for (const row of group.rows) {
      width = Math.max(width, row.cells.length);
      numbers?.add(row.cells);
      const same = known.add(row.key);
      known.noteFound(same.index);
      const plan = judgeRow(row, same, options);
      counts[plan.step] += 1;
      if (plan.step === 'done') options.onRegistered?.(plan.id);
      if (plan.step === 'invalid' && same.failures.failure === undefined) newlyInvalid += 1;
      if (plan.step === 'invalid' && plan.problems.every(isDroppable)) onlyWrongIds += 1;
      if (plan.step === 'new' || plan.step === 'duplicate') known.countRow(same.index);
      if (plan.step === 'new') {
        known.lines[same.index] = plan.line;
        known.noteAdded(same.index);
        dropped += plan.dropped.length;
        if (same.failures.refusal !== undefined) again += 1;
      }
      if (plan.step === 'rejected' && rejected.length < maxRejectedRows)
        rejected.push({ line: plan.line, name: row.values.name ?? '', error: plan.error });
      if (plan.step === 'rejected' && plan.error.status === 404) notFound += 1;
      if (!options.insistsOnCurrency) counter.checkCurrency(row);
      const found = problemsOf(plan);
      if (found.length > 0 && problems.length < maxProblemRows) problems.push(found);
      counter.addRow(plan);
    }
    rows += group.rows.length;
    counter.addGroup(group);
    shape.addGroup(group);
  }
  const onlyNames = counter.found('only_names');
  const findings = [...counter.findings.values()].filter(
    ({ kind }) => kind !== 'only_names' || shape.hasFullRows,
  );
  const checked = {
    rows,
    width,
    numbers: numbers?.found() ?? new Set<number>(),
    counts,
    again,
    findings,
    problems: problems.flat(),
    rejected,
    notFound,
    dropped,
    newlyInvalid,
    onlyWrongIds,
  };
  const hasOtherCurrencies = findings.some(({ kind }) => kind === 'other_currencies');
  return { checked, shape, onlyNames, hasOtherCurrencies };
}

const maxLines = 20;
const maxValues = 20;
const maxValueLength = 60;
const maxNames = 200_000;

/* A spreadsheet displays and exports a long number in this form, without its last digits. */
const shortened = /^[+-]?\d(?:[.,]\d+)?E\+\d+$/i;

/* A spreadsheet keeps 15 digits of a number. */
const rounded = /^[1-9]\d{14}0+$/;

export type FindingKind =
  | 'unclear_countries'
  | 'repeated_headers'
  | DoubtfulKind
  /** Rows to be sent with nothing but a name. */
  | 'only_names'
  /** Rows that got empty cells at their end. */
  | 'completed_rows'
  /** Values that are no currency, so that the column is not sent. */
  | 'other_currencies'
  | 'restored_duns'
  | 'free_text_countries'
  | 'missing_values'
  /** Names that are domains, in rows without a website. */
  | 'domain_names'
  /** Websites that are no addresses. */
  | 'other_websites'
  /** Numbers such as `4,50001E+09`, whose last digits are lost. */
  | 'shortened_numbers'
  /** Numbers of a workbook with more than 15 digits, whose last ones are 0. */
  | 'rounded_numbers'
  | 'equal_names';

/** Something that a user should know. Findings about values cover only rows to be sent. */
export interface ListFinding {
  readonly kind: FindingKind;
  /** The header of the column, or of those that differ; undefined for a finding about rows. */
  readonly column: string | undefined;
  count: number;
  readonly lines: number[];
  /** Number of rows by value, of the first values. */
  readonly values: Map<string, number>;
}

class FindingsCounter {
  readonly findings = new Map<string, ListFinding>();
  readonly #mapping: Mapping;
  readonly #currency: MappedColumn | undefined;
  readonly #options: RowActionOptions;
  /* Whether a row with the name is new, and the values of the first row, separated by NUL. */
  readonly #names = new Map<string, { isNew: boolean; readonly values: string }>();

  constructor(mapping: Mapping, options: RowActionOptions) {
    this.#mapping = mapping;
    this.#currency = mapping.columns.find(({ field }) => field === 'currency');
    this.#options = options;
  }

  /** Returns the finding of a kind about rows, or about a column. */
  found(kind: FindingKind, column?: string): ListFinding | undefined {
    return this.findings.get(`${kind} ${column}`);
  }

  #add(kind: FindingKind, line: number, value?: string, column?: string): void {
    const key = `${kind} ${column}`;
    const empty: ListFinding = { kind, column, count: 0, lines: [], values: new Map() };
    const found = this.findings.get(key) ?? empty;
    this.findings.set(key, found);
    found.count += 1;
    if (found.lines.length < maxLines) found.lines.push(line);
    if (value === undefined) return;
    const short = flattenString(value.slice(0, maxValueLength));
    const times = found.values.get(short) ?? 0;
    if (times > 0 || found.values.size < maxValues) found.values.set(short, times + 1);
  }

  addGroup({ headers, completed, heldBack }: IdentifiedGroup): void {
    for (const line of completed) this.#add('completed_rows', line);
    for (const line of headers) this.#add('repeated_headers', line);
    for (const { line, kind, text } of heldBack) this.#add(kind, line, text);
  }

  /** Checks the currency of a row in the cell, which is none of the values if it is not sent. */
  checkCurrency({ line, cells }: IdentifiedRow): void {
    const at = this.#currency;
    if (at === undefined) return;
    const value = presentValue('currency', cells[at.index] ?? '');
    if (value !== undefined && 'problem' in checkCurrency(value))
      this.#add('other_currencies', line, value, at.column);
  }

  addRow(plan: RowPlan): void {
    const { line, row, step } = plan;
    const { cells, values, restored } = row;
    // Equal rows have the same key and are sent once. Other rows register the name again.
    if (step === 'duplicate' || step === 'invalid') return;
    const { name = '' } = values;
    const different = this.#repeatsName(name, step === 'new', values);
    if (different !== undefined) this.#add('equal_names', line, name, different);
    if (step !== 'new') return;
    if (restored !== undefined) this.#add('restored_duns', line, restored);
    if (hasOnlyName(row, this.#mapping)) this.#add('only_names', line, name);
    for (const { field, value } of doubtsAbout(plan.registration)) {
      const { column } = this.#mapping.columns.find((each) => each.field === field) ?? {};
      this.#add(field === 'name' ? 'domain_names' : 'other_websites', line, value, column);
    }
    for (const { field, index, column } of this.#mapping.columns) {
      if (field === 'currency' && this.found('other_currencies', column) !== undefined) continue;
      const cell = cells[index] ?? '';
      const value = values[field];
      if (value === undefined) {
        if (cell !== '' && !isBlank(cell)) this.#add('missing_values', line, cell.trim(), column);
        continue;
      }
      if (shortened.test(cell) && field in plan.registration)
        this.#add('shortened_numbers', line, cell, column);
      if (row.kinds?.[index] === 'number' && rounded.test(cell) && field in plan.registration)
        this.#add('rounded_numbers', line, cell, column);
      if (field !== 'hq_region') continue;
      if (isUnclearRegion(value)) this.#add('unclear_countries', line, undefined, column);
      else if (plan.registration.hq_region === undefined)
        this.#add('free_text_countries', line, value, column);
    }
  }

  /* If an earlier row has the name, and it or this row is new, lists the columns that differ. */
  #repeatsName(name: string, isNew: boolean, values: RowPlan['row']['values']): string | undefined {
    const invalid = this.#options.dropInvalidIds ? checkRow(values).problems : [];
    const isLeftOut = (left: string) => invalid.some(({ field }) => field === left);
    const { columns: all } = this.#mapping;
    const own = all.map(({ field }) => (isLeftOut(field) ? '' : (values[field] ?? '')));
    const folded = flattenString(name.toLowerCase());
    const known = this.#names.get(folded);
    if (known === undefined) {
      if (this.#names.size < maxNames)
        this.#names.set(folded, { isNew, values: flattenString(own.join('\0')) });
      return undefined;
    }
    known.isNew ||= isNew;
    if (!known.isNew) return undefined;
    const first = known.values.split('\0');
    const columns = all.filter(
      ({ field }, index) => field !== 'name' && own[index] !== first[index],
    );
    return columns.map(({ column }) => column).join(', ') || 'spelling';
  }
}
