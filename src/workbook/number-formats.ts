/*
 * Finds out which cell styles of a workbook show a number as a date or time.
 */
import type { Archive } from './archive.ts';
import type { DateKind } from './cell-text.ts';
import { readXml } from './xml.ts';

/* Built-in formats (ECMA-376 part 1, 18.8.30); 27 to 36 and 50 to 58 are East Asian dates. */
const builtIn: readonly (readonly [from: number, to: number, kind: DateKind])[] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'date-time'],
  [27, 31, 'date'],
  [32, 33, 'time'],
  [34, 36, 'date'],
  [45, 45, 'time'],
  [46, 46, 'duration'],
  [47, 47, 'time'],
  [50, 58, 'date'],
];

/* Parts of a format that show no part of a date: quoted text, escaped characters, fillers, colors,
 * conditions and locales. */
const literal = /"[^"]*"?|\\[\s\S]|[_*][\s\S]|\[(?!(?:h+|m+|s+)\])[^\]]*\]?/gi;

/* Returns what a number format such as `yyyy-mm-dd` shows of a date; undefined for `0.00`. */
function dateKindOf(code: string): DateKind | undefined {
  // The first section formats positive numbers.
  const [shown = ''] = code.replace(literal, '').toLowerCase().split(';');
  if (/^\s*(?:general|standard|@)/.test(shown)) return undefined;
  if (/\[[hms]+\]/.test(shown)) return 'duration';
  const hasTime = /[hs]|am\/pm|a\/p/.test(shown);
  const hasDate = /[yd]|^[^hs]*m[^hs]*$/.test(shown) || /(?:^|[^\d#?0.])[eg]/.test(shown);
  if (hasDate) return hasTime ? 'date-time' : 'date';
  return hasTime ? 'time' : undefined;
}

/** Reads the styles part and returns the kind of each cell style by its index. */
export async function readDateStyles(
  archive: Archive,
  part: string | undefined,
): Promise<readonly (DateKind | undefined)[]> {
  if (part === undefined || !archive.parts.has(part)) return [];
  const codes = new Map<number, string>();
  const formatIds: number[] = [];
  let isCellStyle = false;
  await readXml(archive, part, {
    open(name, attributes) {
      if (name === 'numFmt')
        codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
      else if (name === 'cellXfs') isCellStyle = true;
      else if (name === 'xf' && isCellStyle) formatIds.push(Number(attributes['numFmtId'] ?? 0));
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false;
    },
  });
  return formatIds.map((id) => {
    const code = codes.get(id);
    if (code !== undefined) return dateKindOf(code);
    return builtIn.find(([from, to]) => id >= from && id <= to)?.[2];
  });
}
