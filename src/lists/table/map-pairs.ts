/* The pairs in the values of `--map`. Every start loads this file, so it knows no fields. */
import { UsageError } from '../../runtime/carbon-error.ts';

/** Returns `--map` values without the pairs whose fields others give. */
export function replacePairs(texts: readonly string[], others: readonly string[]): string[] {
  const fieldOf = (pair: string) =>
    pair.split('=', 1)[0]?.trim().toLowerCase().replaceAll('-', '_');
  const replaced = new Set(others.flatMap(splitPairs).map(fieldOf));
  return texts.flatMap((text) => {
    const pairs = splitPairs(text).filter((pair) => !replaced.has(fieldOf(pair)));
    return pairs.length === 0 ? [] : [pairs.join(',')];
  });
}

/** Splits a value at the commas outside of double quotes; an open quote is a UsageError. */
export function splitPairs(text: string): readonly string[] {
  if (text.split('"').length % 2 === 1) return text.match(/(?:"[^"]*"|[^,"])+/g) ?? [];
  throw new UsageError(
    `--map: the double quote in ${text} is not closed`,
    `Close it. If the header contains it, name the column by its number, such as --map name=#3.`,
  );
}
