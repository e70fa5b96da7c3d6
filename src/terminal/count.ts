/** Writes whole numbers as people read them: 1,234,567. */
export const count = new Intl.NumberFormat('en');

/**
 * Counts things in words, such as "1 row" and "1,234 rows".
 *
 * @param one what is counted, with its verb where it has one
 */
export function plural(number: number, one: string, several = `${one}s`): string {
  return `${count.format(number)} ${number === 1 ? one : several}`;
}
