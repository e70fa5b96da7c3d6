/**
 * Returns the names that the user probably meant: those with the fewest edits, at most a third of
 * the letters of the word, or one.
 */
export function nearestNames(word: string, names: readonly string[]): string[] {
  const rated = names.map((name) => ({ name, edits: editsBetween(word, name) }));
  const fewest = Math.min(...rated.map(({ edits }) => edits));
  if (fewest > Math.max(1, Math.floor(word.length / 3))) return [];
  return rated.filter(({ edits }) => edits === fewest).map(({ name }) => name);
}

const maxSuggestions = 3;

/** Returns at most three names that were probably meant: the nearest, or those with the word. */
export function meantNames(word: string, names: readonly string[]): string[] {
  const near = nearestNames(word, names);
  const containing = names.filter((name) => word.length > 2 && name.includes(word));
  return (near.length > 0 ? near : containing).slice(0, maxSuggestions);
}

/* The number of letters to insert, remove, replace or swap with a neighbor. */
function editsBetween(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= from.length; row += 1) {
    const cells = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const at = (r: number, c: number) => (r === row ? cells[c] : rows[r]?.[c]) ?? 0;
      const isSame = from[row - 1] === to[column - 1];
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      cells.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          row > 1 && column > 1 && isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    rows.push(cells);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}
