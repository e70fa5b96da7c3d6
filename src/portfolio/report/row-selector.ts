/*
 * The rows that a list selects of the records of files: it reads each record once, and selects when
 * all are read, because a later line may have a later record.
 */
import type { Organization } from '../../client/api/schema.ts';
import { type KindName, kindOf } from '../../display/query/kinds.ts';
import type { Condition } from '../../display/query/query.ts';
import { cut } from '../../display/terminal/format.ts';
import type { RecordColumn, RecordRow } from '../organizations/columns.ts';
import { bothScopes, readEmissions } from '../organizations/emissions.ts';
import { hasEmissions, oneRegionEachYear, yearOfEmissions } from '../organizations/history.ts';
import { matchOf, repeatedRecords } from '../organizations/matches.ts';
import {
  type ComparedCurrencies,
  CurrencyCheck,
  type RecordGroup,
  type Selection,
} from '../organizations/selection.ts';
import { countFigureYears, type FigureYearCounts, twoThirds } from '../organizations/statements.ts';
import { type Kept, keep, type Shape } from '../organizations/tables.ts';
import { receivedTarget } from '../organizations/targets.ts';
import { isUnmatched } from '../organizations/unmatched.ts';
import type { LatestRecords } from '../records/records.ts';
import type { Judged, ListErrors } from './list-errors.ts';
import {
  type ListCounts,
  type ListStatement,
  listStatements,
  type Silence,
} from './list-statements.ts';

/** The rows of a record that a list may show, kept until all records are read. */
export interface CandidateRows {
  /** Numbers of rows: all, and those that meet the conditions. */
  readonly rows: number;
  readonly met: number;
  readonly compared: ComparedCurrencies;
  /** Why it has no emissions; undefined if it has some. */
  readonly silence: Silence | undefined;
  /** The near-term target, as the table has it. */
  readonly target: string | undefined;
  /** The matched organization, for sums. */
  readonly matched: string | undefined;
  /** Scopes 1 and 2 of the row, if the statements rank organizations. */
  readonly both: number | undefined;
  /** What the column of `#split` has in the rows that meet the conditions. */
  readonly parts: readonly string[];
  /** The values of the conditions that compare text, for each row. */
  readonly texts: readonly (readonly string[])[];
  /** The rows to show or to group. */
  readonly judged: Judged;
}

export interface SelectedRows {
  /** In their order, and not more than the query wants; all that a group has. */
  readonly rows: readonly Kept[];
  /** Undefined without --group-by. */
  readonly groups: readonly RecordGroup[] | undefined;
  readonly said: readonly ListStatement[];
  /** The years of the emissions in the rows, if they are of several. */
  readonly figureYears: FigureYearCounts | undefined;
  /** What to warn of: an order that compares amounts of several currencies. */
  readonly warning: string | undefined;
  readonly organizations: number;
  /** Organizations with emissions. */
  readonly disclosing: number;
  /** Numbers of rows: all, and those that meet the conditions. */
  readonly total: number;
  readonly met: number;
}

/** Selects rows of records. */
export class RowSelector<Source> {
  readonly #selection: Selection;
  readonly #shape: Shape<Source>;
  readonly #errors: ListErrors | undefined;
  readonly #currencies: CurrencyCheck;
  readonly #ofText: Selection['conditions'];
  readonly #comparesYears: boolean;
  /* Whether the statements name the largest emitters, whose errors are known. */
  readonly #ranks: boolean;
  /* The column whose values all meet a condition but one. */
  readonly #split: Selection['conditions'][number]['column'] | undefined;

  /**
   * @param shape what to keep of each row
   * @param errors finds wrong rows; undefined if nobody asks for them
   */
  constructor(selection: Selection, shape: Shape<Source>, errors: ListErrors | undefined) {
    this.#selection = selection;
    this.#shape = shape;
    this.#errors = errors;
    this.#currencies = new CurrencyCheck(selection);
    this.#comparesYears = comparesYears(selection);
    const { table, grouping, conditions } = selection;
    const isPlain = table.noun === 'organization' && grouping === undefined;
    this.#ranks = isPlain && errors !== undefined;
    this.#split = isPlain ? conditions.find(excludesOne)?.column : undefined;
    this.#ofText = selection.conditions.filter(
      ({ column, operator, text }) =>
        kindOf(column.kind).type === 'text' && ['=', '!='].includes(operator) && text !== '',
    );
  }

  /** Returns what to keep of a record. */
  read(record: Organization, source: Source): CandidateRows {
    const { table, order, grouping, matches } = this.#selection;
    const rows = table.rows(record);
    const met = rows.filter(matches);
    const shown = grouping?.needsOneRegion ? oneRegionEachYear(record, met) : met;
    const kept = shown.map((row) => {
      const needsYear = this.#comparesYears || this.#ranks;
      const year = needsYear ? yearOfEmissions(row.performance) : undefined;
      return keep(this.#shape, row, source, { keys: order?.keys(row) ?? [], year });
    });
    return {
      rows: rows.length,
      met: met.length,
      compared: this.#currencies.read(rows, met),
      silence: hasEmissions(record) ? undefined : silenceOf(record),
      target: receivedTarget(record),
      matched: grouping || this.#ranks ? matchOf(record) : undefined,
      both: this.#ranks ? bothOf(met[0]) : undefined,
      parts: this.#split === undefined ? [] : met.map(wordOf(this.#split)),
      texts: this.#ofText.length === 0 ? [] : rows.map((row) => this.#textsOf(row)),
      judged: this.#errors?.judge(record, shown, kept) ?? { kept },
    };
  }

  #textsOf(row: RecordRow): string[] {
    return this.#ofText.map(({ column }) => String(column.value(row) ?? ''));
  }

  /** Yields each condition that compares text, with the values of its column. */
  *textConditions(
    latest: LatestRecords<CandidateRows>,
  ): Generator<readonly [Condition<RecordRow>, readonly string[]]> {
    const rows = [...latest.values()].flatMap(({ texts }) => texts);
    for (const [index, condition] of this.#ofText.entries())
      yield [condition, rows.map((texts) => texts[index] ?? '')];
  }

  /**
   * Selects rows of the latest records.
   * @param isFiltered whether the statements count the rows that meet conditions
   * @throws UsageError for a condition that compares amounts of several currencies
   */
  async select(
    latest: LatestRecords<CandidateRows>,
    isFiltered = this.#selection.conditions.length > 0,
  ): Promise<SelectedRows> {
    const { table, order, top, grouping, conditions } = this.#selection;
    const all = [...latest.values()];
    const warning = this.#currencies.judge(all.map(({ compared }) => compared));
    const judged = all.map((each) => each.judged);
    await this.#errors?.judgeMatches(judged);
    const sumOf = (name: 'rows' | 'met') => all.reduce((sum, each) => sum + each[name], 0);
    const [met, total] = [sumOf('met'), sumOf('rows')];
    const matching = judged.flatMap(({ kept }) => kept);
    const regions = met - matching.length;
    const repeated = grouping?.repeatedRows(
      [...latest.timed()].map(([each, time]) => [
        { kept: each.judged.kept, matched: each.matched },
        time,
      ]),
    );
    if (order !== undefined) matching.sort((a, b) => order.compare(a.keys, b.keys));
    const rows = grouping ? matching : matching.slice(0, top);
    const isCut = rows.length < matching.length;
    const cells = rows.map((row) => row.cells);
    const groups = grouping?.group(cells, repeated).slice(0, top);
    const disclosing = all.filter(({ silence }) => silence === undefined).length;
    const chosen = isFiltered ? all.filter((each) => each.met > 0) : all;
    const figureYears = this.#comparesYears
      ? countFigureYears(rows.flatMap(({ year }) => year ?? []))
      : undefined;
    const said = listStatements({
      organizations: chosen.length,
      disclosing: chosen.filter(({ silence }) => silence === undefined).length,
      silent: countSilences(chosen),
      validated: chosen.filter(({ target }) => target === 'set').length,
      unknownTargets: chosen.filter(({ target }) => target === undefined).length,
      isOfTargets: conditions.some(({ column }) => column.name === targetColumn),
      conditions: conditions.map(conditionInWords),
      largest: this.#ranks ? largestOf(latest) : undefined,
      split: splitOf(
        this.#split,
        all.flatMap(({ parts }) => parts),
      ),
      rows: total,
      met: isFiltered ? met : null,
      shown: isCut ? rows.length : null,
      order: order && orderInWords(order),
      noun: table.noun,
      regions,
      repeated: repeated?.size ?? 0,
      wrong: this.#errors?.among(judged, isCut ? rows : undefined) ?? [],
      isGrouped: grouping !== undefined,
      figureYears,
      years: (groups ?? []).flatMap(({ years }) => years).sort((a, b) => a - b),
    });
    return {
      rows,
      groups,
      said,
      figureYears,
      warning,
      organizations: all.length,
      disclosing,
      total,
      met,
    };
  }
}

function silenceOf(record: Organization): Silence {
  if (record.status === 'errored') return 'failed';
  if (record.status !== 'synced') return 'in_progress';
  return isUnmatched(record) ? 'unmatched' : 'none';
}

function countSilences(all: readonly CandidateRows[]): ListCounts['silent'] {
  const counts = { none: 0, failed: 0, unmatched: 0, in_progress: 0 };
  for (const { silence } of all) if (silence !== undefined) counts[silence] += 1;
  return counts;
}

const targetColumn = 'sbti_near_term_target_status';

/* As written, with what a reader may not know: which scopes a total has, what no value means. */
function conditionInWords({ column, operator, text, given }: Condition<RecordRow>): string {
  const scopes = column.kind === 'total' ? ' (scopes 1 to 3)' : '';
  const value = text === '' ? (operator === '=' ? ' (no value)' : ' (any value)') : '';
  return `${cut(given, 60)}${scopes}${value}`;
}

/* Says which rows come first; undefined for texts, of which none is larger. */
function orderInWords({ columns: [column], isDescending }: NonNullable<Selection['order']>) {
  const { name = '', title, heading = title, kind = 'text' } = column ?? {};
  const words = heading ?? name.replaceAll('_', ' ');
  const by = /^.[A-Z]/.test(words) ? words : words.charAt(0).toLowerCase() + words.slice(1);
  const ends = endsOf[kind] ?? endsOfTypes[kindOf(kind).type];
  return {
    by: kind === 'total' ? 'total emissions (scopes 1 to 3)' : by,
    first: ends?.[isDescending ? 0 : 1],
  };
}

type Ends = readonly [most: string, least: string];
const bySize: Ends = ['largest', 'smallest'];
const byHeight: Ends = ['highest', 'lowest'];
const byTime: Ends = ['latest', 'earliest'];
const endsOf: Readonly<Partial<Record<KindName, Ends>>> = {
  score: byHeight,
  percentile: byHeight,
  year: byTime,
};
const endsOfTypes: Readonly<Record<string, Ends>> = {
  number: bySize,
  date: byTime,
  rank: byHeight,
};

/* Whether a condition leaves out one of a few known values, so that the others tell more. */
function excludesOne({ column, operator, text }: Condition<RecordRow>): boolean {
  return operator === '!=' && text !== '' && column.values !== undefined;
}

function wordOf({ text, value }: RecordColumn): (row: RecordRow) => string {
  return (row) => text?.(row, 'exact') || String(value(row) ?? '') || 'unknown';
}

function bothOf(row: RecordRow | undefined): number | undefined {
  return row && bothScopes(readEmissions(row.performance.emissions))?.value;
}

/* Counts the values of a column, the most frequent first. */
function splitOf(column: RecordColumn | undefined, parts: readonly string[]): ListCounts['split'] {
  if (column === undefined || parts.length === 0) return undefined;
  const numbers = new Map<string, number>();
  for (const part of parts) numbers.set(part, (numbers.get(part) ?? 0) + 1);
  const { heading = column.name } = column;
  return { of: heading, parts: [...numbers].sort((a, b) => b[1] - a[1]) };
}

/*
 * Finds the largest emitters of the year of most rows. A matched organization counts once, and
 * wrong figures do not count.
 */
function largestOf(latest: LatestRecords<CandidateRows>): ListCounts['largest'] {
  const known = [...latest.timed()].flatMap(([{ judged, matched, both }, time]) => {
    const [row] = judged.kept;
    if (row?.year === undefined || both === undefined || row.hasWrongFigures) return [];
    const { year } = row;
    const name = judged.identity?.name ?? String(judged.identity?.id ?? '');
    return [[{ name, matched, both, year, hasFigures: true }, time] as const];
  });
  const repeated = repeatedRecords(known);
  const counted = known.flatMap(([each]) => (repeated.has(each) ? [] : each));
  const years = counted.map(({ year }) => year);
  const year = countFigureYears(years)?.year ?? years[0];
  const members = counted.filter((each) => each.year === year).sort((a, b) => b.both - a.both);
  const most = twoThirds(members.map(({ both }) => both));
  if (year === undefined || most === undefined) return undefined;
  return { ...most, year, base: members.length, names: members.map(({ name }) => name) };
}

/* Whether rows have emissions of different years next to each other, or are sorted by them. */
function comparesYears({ table, columns, conditions, order, grouping }: Selection): boolean {
  if (grouping !== undefined || table.noun !== 'organization') return false;
  if (columns === undefined) return true;
  const used = [...columns, ...(order?.columns ?? []), ...conditions.map(({ column }) => column)];
  return used.some(({ kind, isOfYear }) => isOfYear && kindOf(kind).hasUnit);
}
