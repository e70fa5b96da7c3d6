/* Reads a column of amounts, and says where it cannot be read. */

import { cut } from '../../../display/terminal/format.ts';
import {
  type DecimalSign,
  fits,
  SignEvidence,
  splitAmount,
  type WrittenAmount,
} from '../../../lists/table/amounts.ts';
import {
  type Choice,
  type FindChoices,
  invalidInput,
  type UsageError,
} from '../../../runtime/carbon-error.ts';
import { flattenString } from '../../../runtime/flatten-string.ts';
import { type Decimal, formatDecimal, negate } from '../decimal.ts';

/** Reads a number with a given decimal sign; returns undefined if it is not written so. */
export function readNumber(amount: WrittenAmount, decimal: DecimalSign): Decimal | undefined {
  if (!fits(amount, decimal)) return undefined;
  const { body, exponent = 0, isNegative } = amount;
  const signIndex = body.indexOf(decimal);
  const units = BigInt(/^\d+$/.test(body) ? body : body.replace(/\D/g, ''));
  const scale = (signIndex < 0 ? 0 : body.length - signIndex - 1) - exponent;
  const number = scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
  return isNegative ? negate(number) : number;
}

/** A cell of the column, as an example. */
interface ExampleCell {
  readonly line: number;
  readonly text: string;
}

/** How the amounts of a column are written. */
export interface AmountFormat {
  /** Undefined if no amount contains `.` or `,`. */
  readonly decimal: DecimalSign | undefined;
  /** The first cell that decided, or that the decision affects. */
  readonly example: (ExampleCell & { readonly value: string }) | undefined;
}

/** Collects the evidence of a column, cell by cell. */
export class AmountFormatEvidence {
  readonly #file: string;
  readonly #column: string;
  readonly #signs = new SignEvidence<ExampleCell>();

  /** @param file name of the file, and @param column header of the column, for messages */
  constructor(file: string, column: string) {
    this.#file = file;
    this.#column = column;
  }

  /** @throws UsageError for a cell that is not an amount */
  add(line: number, cell: string): void {
    const amount = splitAmount(cell);
    if (amount === undefined) return;
    // Long cells are not amounts, so a shortened one is only part of a message.
    const example = () => ({ line, text: flattenString(cut(cell.trim(), 60)) });
    if (amount === 'unreadable' || !this.#signs.add(amount, example))
      throw this.#failure(
        example(),
        'is not an amount',
        'Correct the cell, or choose another column with --map spend=<column>.',
      );
  }

  /**
   * Decides the format of the column.
   *
   * @param decimal the value of `--decimal`
   * @throws UsageError for cells that contradict each other, and for a column that fits both
   * decimal signs
   */
  decide(decimal?: DecimalSign): AmountFormat {
    if (decimal !== undefined) {
      const { only, ambiguous } = this.#signs;
      const misfit = only[decimal === '.' ? ',' : '.'];
      if (misfit === undefined) return formatOf(decimal, only[decimal] ?? ambiguous);
      const hint = 'Correct the cell, or leave --decimal out.';
      throw this.#failure(misfit, `does not fit --decimal ${decimal}`, hint);
    }
    const { verdict } = this.#signs;
    if (verdict.kind === 'none') return { decimal: undefined, example: undefined };
    if (verdict.kind === 'decided') return formatOf(verdict.sign, verdict.cell);
    if (verdict.kind === 'contradiction') throw this.#contradiction(...verdict.cells, verdict.sign);
    throw this.#ambiguity(verdict.cell);
  }

  #ambiguity(cell: ExampleCell): UsageError {
    const [one, other] = [readAs(cell, '.'), readAs(cell, ',')];
    return this.#failure(
      cell,
      `is ${one} or ${other}, and no other cell shows which`,
      `Use --decimal "." to read ${one}, or --decimal "," to read ${other}.`,
      () => ({
        question: `Which number is "${cell.text}"?`,
        options: [readingAs(cell, '.'), readingAs(cell, ',')],
      }),
    );
  }

  #failure(
    { line, text }: ExampleCell,
    problem: string,
    hint: string,
    choices?: FindChoices,
  ): UsageError {
    const cell = `${this.#file}, line ${line}, column "${this.#column}": "${text}"`;
    return invalidInput(`${cell} ${problem}`, hint, choices);
  }

  /** @param sign one that fits all amounts */
  #contradiction(one: ExampleCell, other: ExampleCell, sign?: DecimalSign): UsageError {
    const [first, second] = [one, other]
      .toSorted((a, b) => a.line - b.line)
      .map(({ text, line }) => `"${text}" (line ${line})`);
    return invalidInput(
      `${this.#file}, column "${this.#column}": the amounts ${first} and ${second} use different decimal or grouping signs`,
      'Write all amounts of the column in the same way, or use --decimal if one sign fits all of them.',
      sign &&
        (() => ({ question: 'How are the amounts written?', options: [readingAs(other, sign)] })),
    );
  }
}

function formatOf(decimal: DecimalSign, cell: ExampleCell | undefined): AmountFormat {
  return { decimal, example: cell && { ...cell, value: readAs(cell, decimal) } };
}

/* Offers to read all amounts with a decimal sign. */
function readingAs(cell: ExampleCell, sign: DecimalSign): Choice {
  return {
    label: `${readAs(cell, sign)} (decimal ${sign === '.' ? 'point' : 'comma'})`,
    add: ['--decimal', sign],
    without: ['--decimal'],
  };
}

function readAs({ text }: ExampleCell, decimal: DecimalSign): string {
  const amount = splitAmount(text);
  const number = typeof amount === 'object' ? readNumber(amount, decimal) : undefined;
  return number === undefined ? '' : formatDecimal(number);
}
