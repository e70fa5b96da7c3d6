/** The number of columns of a sheet. */
export const maxColumns = 16_384;

/** The number of rows of a sheet. */
export const maxRows = 1_048_576;

const letterA = 65;
const letterZ = 90;

/** Returns the column of a reference such as `AB12` from 0; -1 for a text without letters. */
export function columnOf(reference: string): number {
  let column = 0;
  for (let index = 0; index < reference.length && column <= maxColumns; index += 1) {
    const code = reference.charCodeAt(index);
    if (code < letterA || code > letterZ) break;
    column = column * 26 + code - letterA + 1;
  }
  return column - 1;
}

/** Returns the letters of a column, such as `AB`. */
export function columnName(column: number): string {
  const letter = String.fromCharCode(letterA + (column % 26));
  return column < 26 ? letter : columnName(Math.floor(column / 26) - 1) + letter;
}
