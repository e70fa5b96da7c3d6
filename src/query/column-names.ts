/* Finds columns by the names that people write, and suggests names for those it does not find. */
import { UsageError } from '../runtime/carbon-error.ts';
import type { ColumnTable, QueryColumn } from './column.ts';

const maxSuggestions = 3;

/**
 * Finds a column by its name or a short name. Upper case counts as lower case, and dots, hyphens
 * and spaces as `_`.
 * @param where the option and its value, for the error
 * @param position position of the name in the value, from 1
 * @throws UsageError with the position and the nearest names
 */
export function findColumn<Row>(
  table: ColumnTable<Row>,
  text: string,
  where: string,
  position: number,
): QueryColumn<Row> {
  const name = foldName(text);
  const full = Object.hasOwn(table.aliases, name) ? table.aliases[name] : name;
  const found = table.columns.find((column) => column.name === full);
  if (found !== undefined) return found;
  const place = `at character ${position}`;
  if (name === '') throw new UsageError(`${where}: a column name is missing ${place}`, listHint);
  const near = nearestNames(table, name);
  throw new UsageError(
    `${where}: unknown column "${text.trim()}" ${place}`,
    near.length > 0 ? `Did you mean ${near.join(' or ')}?` : listHint,
  );
}

const listHint = 'Run `carbon list --help` for the names, such as name, score or emissions.';

/** Folds a name of a column: upper case, dots, hyphens and spaces do not matter. */
export function foldName(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/[.\s-]+/g, '_');
}

/* Returns the names with the fewest edits, else those that contain the text. */
function nearestNames<Row>({ columns, aliases }: ColumnTable<Row>, name: string): string[] {
  const names = [...columns.map((column) => column.name), ...Object.keys(aliases)];
  const maxEdits = Math.max(1, Math.floor(name.length / 3));
  const ranked = names
    .map((known) => ({ known, edits: editDistance(name, known) }))
    .filter(({ edits }) => edits <= maxEdits)
    .sort((a, b) => a.edits - b.edits);
  const closest = ranked.filter(({ edits }) => edits === ranked[0]?.edits);
  const near =
    closest.length > 0
      ? closest.map(({ known }) => known)
      : names.filter((known) => name.length > 2 && known.includes(name));
  return near.slice(0, maxSuggestions);
}

/* Counts insertions, deletions, replacements and swaps of neighbors (optimal string alignment). */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const isEqual = from[i - 1] === to[j - 1];
      let edits = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + Number(!isEqual),
      );
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        edits = Math.min(edits, (beforeLast[j - 2] ?? 0) + 1);
      row.push(edits);
    }
    [beforeLast, last] = [last, row];
  }
  return last[to.length] ?? 0;
}
