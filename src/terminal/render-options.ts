import type { Style } from './style.ts';

/** How text is to look: colours, width and whether it goes to a terminal at all. */
export interface View {
  readonly style: Style;
  /** Width of the terminal. */
  readonly columns: number;
  /** False for a pipe or a file: plain lines in full, whatever their length. */
  readonly terminal: boolean;
}

/** How records are to look. */
export interface RecordView extends View {
  /** Whether the figures are the sandbox's, which every view then says. */
  readonly synthetic: boolean;
}

/**
 * The columns that a view is laid out for: from 40, below which lines may be cut by the terminal,
 * to `most`.
 */
export function layoutColumns(view: View, most = 200): number {
  return Math.max(40, Math.min(view.columns, most));
}
