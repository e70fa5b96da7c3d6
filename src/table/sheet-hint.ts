import { UsageError } from '../runtime/carbon-error.ts';
import { quoteWords } from '../terminal/quote-words.ts';
import type { InputFile } from './input-file.ts';

const maxSheets = 3;

/**
 * Chooses the columns of a table. If that fails on a sheet that carbon chose, the hint of the error
 * names the other visible sheets, because the first one may be a cover.
 *
 * @param wanted the value of `--sheet`
 * @throws what `choose` throws
 */
export function withSheetHint<Result>(
  source: InputFile,
  wanted: string | undefined,
  choose: () => Result,
): Result {
  try {
    return choose();
  } catch (error) {
    const hint = wanted === undefined ? otherSheets(source) : undefined;
    if (hint === undefined || !(error instanceof UsageError)) throw error;
    // The header is on this sheet.
    if (error.hint?.includes('--skip-lines')) throw error;
    throw new UsageError(error.message, `${error.hint} ${hint}`, 'invalid_input');
  }
}

/** Returns a sentence that names the other visible sheets; undefined if there is none. */
export function otherSheets({ sheet }: InputFile): string | undefined {
  const names = sheet?.others.filter(({ isVisible }) => isVisible).map(({ name }) => name) ?? [];
  if (names.length === 0) return undefined;
  const options = names.slice(0, maxSheets).map((name) => `--sheet ${quoteWords([name])}`);
  const more = names.length > maxSheets ? `, and ${names.length - maxSheets} more` : '';
  return `For another sheet of the workbook, use ${options.join(' or ')}${more}.`;
}
