/*
 * The organizations of a list whose records `carbon check` calls wrong: their rows get a mark, and
 * groups leave out the figures that the error is about.
 */
import type { Organization } from '../../client/api/schema.ts';
import { findErrors } from '../checks/figure-rules.ts';
import type { Finding } from '../checks/findings.ts';
import type { RecordColumn, RecordRow } from '../organizations/columns.ts';
import { readInventories } from '../organizations/emissions.ts';
import { matchOf, otherNames } from '../organizations/matches.ts';
import type { Selection } from '../organizations/selection.ts';
import type { Kept } from '../organizations/tables.ts';
import { findDoubts, type Identified } from './doubts.ts';

/** The rows that a list keeps of an organization until it has read all of them. */
export interface Judged {
  kept: readonly Kept[];
  /** Without it, nothing is known of errors. */
  readonly identity?: Identified;
}

/** Finds the errors of the rows that a list shows or adds up. */
export class ListErrors {
  readonly #isOfRow: boolean;
  readonly #grouping: Selection['grouping'];
  readonly #mark: number;
  readonly #today: string;
  readonly #wordOf: (rule: string) => string;

  /**
   * @param columns those that are kept; that of kind `error` gets the rule of the first error
   * @param today `YYYY-MM-DD`
   * @param wordOf returns what the column has in place of the code of a rule
   */
  constructor(
    { table, grouping }: Pick<Selection, 'table' | 'grouping'>,
    columns: readonly RecordColumn[],
    today: string,
    wordOf = (rule: string): string => rule,
  ) {
    this.#grouping = grouping;
    this.#isOfRow = grouping !== undefined || table.noun === 'row';
    this.#mark = columns.findIndex(({ kind }) => kind === 'error');
    this.#today = today;
    this.#wordOf = wordOf;
  }

  /**
   * Judges the rows of a record. The row of an organization is wrong if any of its figures is; in a
   * group, and in the table of years, the other years do not matter.
   */
  judge(record: Organization, rows: readonly RecordRow[], kept: readonly Kept[]): Judged {
    const { id, name, performances } = record;
    const identity = {
      id: id ?? undefined,
      name: name ?? undefined,
      matched: matchOf(record),
      otherNames: otherNames(record),
    };
    if (kept.length === 0) return { identity, kept };
    const years = new Set(rows.map(({ performance }) => performance.year));
    const used = this.#isOfRow ? performances?.filter(({ year }) => years.has(year)) : performances;
    const inventories = readInventories({ performances: used });
    const errors = findErrors(record, { today: this.#today }, inventories);
    if (errors.length === 0) return { identity, kept };
    return {
      identity,
      kept: kept.map((row, index) => {
        const year = rows[index]?.performance.year;
        const rowYear = typeof year === 'number' ? year : null;
        const own = errors.filter(({ year }) => year === rowYear);
        if (!this.#isOfRow) {
          const left = this.#leaveOut(row, errors, 'all');
          return own.length > 0 ? { ...left, hasWrongFigures: true } : left;
        }
        const left = this.#leaveOut(row, own, 'year');
        if (this.#grouping === undefined) return left;
        const ofRecord = errors.filter(({ year }) => year === null);
        return this.#leaveOut(left, ofRecord, 'record');
      }),
    };
  }

  /** Judges the matches of all organizations, which may be those of others. */
  async judgeMatches(all: readonly Judged[]): Promise<void> {
    if (this.#grouping?.hasFigures === false) return;
    const byIdentity = new Map<Identified, Judged>();
    for (const each of all) if (each.identity) byIdentity.set(each.identity, each);
    for (const [identity, finding] of await findDoubts(byIdentity.keys())) {
      const found = byIdentity.get(identity);
      if (found === undefined) continue;
      found.kept = found.kept.map((row) => {
        return { ...this.#leaveOut(row, [finding], 'all'), hasWrongFigures: true };
      });
    }
  }

  #leaveOut(
    row: Kept,
    [error]: readonly Pick<Finding, 'rule'>[],
    figures: 'year' | 'record' | 'all',
  ): Kept {
    if (error === undefined) return row;
    if (this.#grouping !== undefined) {
      const cells = this.#grouping.withoutFigures(row.cells, figures);
      return cells === undefined ? row : { ...row, cells, isWrong: true };
    }
    if (row.isWrong) return row;
    const cells = this.#mark < 0 ? row.cells : row.cells.with(this.#mark, this.#wordOf(error.rule));
    return { ...row, cells, isWrong: true };
  }

  /**
   * Returns the organizations with a wrong row.
   * @param shown the rows that are shown, if they are not all
   */
  among(all: readonly Judged[], shown?: readonly Kept[]): readonly Identified[] {
    const rows = shown && new Set(shown);
    return all.flatMap(({ identity, kept }) =>
      identity && kept.some((row) => row.isWrong && rows?.has(row) !== false) ? [identity] : [],
    );
  }
}
