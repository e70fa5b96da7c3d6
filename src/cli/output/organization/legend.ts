import { figureBases } from '../../../organizations/emissions.ts';
import type { Style } from '../../../terminal/style.ts';
import { wrap } from '../../../terminal/text.ts';

/** States that the figures are no real research. */
export const syntheticNote = 'Synthetic sandbox data, not real research';

/** Explains the marks of figures in lines of at most `columns`; no marks, no lines. */
export function legend(marks: ReadonlySet<string>, columns: number, style: Style): string[] {
  const used = figureBases.filter(({ mark }) => mark !== '' && marks.has(mark));
  if (used.length === 0) return [];
  return wrap(used.map(({ mark, meaning }) => `${mark} ${meaning}`).join(' · '), columns).map(
    style.dim,
  );
}
