import type { Style } from './style.ts';

/** Options of every text view: color, width, and whether the text goes to a terminal at all. */
export interface View {
  readonly style: Style;
  /** Width of the terminal. */
  readonly columns: number;
  /** False for a pipe or a file: plain lines in full, whatever their length. */
  readonly terminal: boolean;
}

/** Options of views of records. */
export interface RecordView extends View {
  /** Whether the figures come from the sandbox, which every view then states. */
  readonly synthetic: boolean;
}

/**
 * Chooses the number of columns for a layout, between 40 and `maxColumns`. A narrower terminal cuts
 * lines.
 */
export function layoutColumns(view: View, maxColumns = 200): number {
  return Math.max(40, Math.min(view.columns, maxColumns));
}
