/* What to do about rows of a list for which the service found no organization. */

/** The list that records are of, to be corrected. */
export interface ListToCorrect extends Correction {
  readonly name: string;
}

/** How rows of a list are corrected. */
export interface Correction {
  /** The column of the list with websites or LEIs; undefined without one. */
  readonly column?: string | undefined;
  /** What registers and retrieves its corrected rows, to be pasted. */
  readonly command: string;
}

/** The option for a column that a correction adds. */
export const newColumnWords = ['--map', 'website=Website'] as const;

/**
 * Says in words what to do about organizations that were not matched. A row that keeps its values
 * keeps its registration as well, so that all rows must be corrected.
 */
export function correctionOf({ name, ...correction }: ListToCorrect): string {
  return correctionAt(`all their rows in ${name}`, correction);
}

/** Says the same of certain rows. */
export function correctionAt(rows: string, { column, command }: Correction): string {
  return `${fillingOf(rows, column)}, then run ${command}`;
}

/** Says what to fill in. */
export function fillingOf(rows: string, column: string | undefined): string {
  return `fill ${column === undefined ? 'a new column Website' : `column "${column}"`} for ${rows}`;
}

/** The same, of a list that is not known. */
export const unmatchedStep = `fill a new column Website for all their rows, then run carbon sync ${newColumnWords.join(' ')}`;
