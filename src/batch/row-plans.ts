/*
 * Reads the file again after the check, for everything that the check does not keep in memory: the
 * plan for each row, and all problems.
 */
import type { OrganizationId } from '../api/ids.ts';
import type { Registration } from '../api/schema.ts';
import type { CarbonError } from '../runtime/carbon-error.ts';
import { type IdentifiedRow, type IdentifiedTable, identifyRows } from './identified-rows.ts';
import type { Journals } from './journal/journals.ts';
import { droppedOf, reportedProblems, rowProblems } from './preflight.ts';
import { chooseAction, type RowActionOptions, type RowProblem } from './row-action.ts';
import { checkRow } from './row-registration.ts';

/** Describes what a run would do with one row. */
export type RowPlan = { readonly line: number } & (
  | {
      readonly step: 'new';
      readonly registration: Registration;
      /** Values that the registration leaves out. */
      readonly dropped: readonly RowProblem[];
    }
  | { readonly step: 'done'; readonly id: OrganizationId | undefined }
  | { readonly step: 'duplicate'; readonly firstLine: number }
  | { readonly step: 'refused'; readonly error: CarbonError }
  | { readonly step: 'invalid'; readonly problems: readonly RowProblem[] }
);

/** Dependencies and options of the readings. */
export interface RowPlansOptions extends RowActionOptions {
  readonly table: IdentifiedTable;
  readonly journals: Journals;
}

/** Reads a checked file again. */
export class RowPlans {
  readonly #options: RowPlansOptions;

  constructor(options: RowPlansOptions) {
    this.#options = options;
  }

  /** Yields the plan for each row in the order of the file. */
  async *all(): AsyncGenerator<RowPlan, void, void> {
    const { journals } = this.#options;
    const { index } = journals;
    for await (const row of this.#rows()) {
      const { line } = row;
      const entry = index.find(row.key);
      const problems = rowProblems(row);
      const step = this.#actionOf(row, entry, () => problems.length === 0);
      if (step === 'invalid') yield { step, line, problems };
      else if (step === 'refused') yield { step, line, error: await journals.refusal(entry) };
      else if (step === 'done') yield { step, line, id: index.id(entry) };
      else if (step === 'duplicate') yield { step, line, firstLine: index.line(entry) };
      else {
        const { registration } = checkRow(row.values);
        yield { step, line, registration, dropped: droppedOf(row) };
      }
    }
  }

  /** Yields every problem of an invalid row, and every value that a new row loses. */
  async *problems(): AsyncGenerator<RowProblem, void, void> {
    const { index } = this.#options.journals;
    for await (const row of this.#rows()) {
      const isValid = () => rowProblems(row).length === 0;
      yield* reportedProblems(row, this.#actionOf(row, index.find(row.key), isValid));
    }
  }

  #actionOf({ line }: IdentifiedRow, entry: number, isValid: () => boolean) {
    const { index } = this.#options.journals;
    const isFirst = index.line(entry) === line;
    return chooseAction(index.state(entry), isFirst, isValid, this.#options);
  }

  async *#rows(): AsyncGenerator<IdentifiedRow, void, void> {
    for await (const { rows } of identifyRows(this.#options.table)) yield* rows;
  }
}
