/* How cells of a workbook look: number formats and line breaks (ECMA-376 part 1, 18.8). */
import { type Archive, readXml } from './archive.ts';
import type { CellContext, DateKind } from './cells.ts';

/** A format code such as `0.00`, or the number of a built-in format, whose code Excel knows. */
export type NumberFormat = string | number;

/**
 * The format of a number by its size. A format with conditions could do the same, but LibreOffice
 * shows no minus before the numbers that meet none of them.
 */
export interface SizedFormat {
  /** The smallest number that is large, whatever its sign; so is 0, which needs no decimals. */
  readonly from: number;
  readonly large: string;
  /** By default, the general format. */
  readonly small?: string;
}

/** The formats of a column by its largest number, whatever its sign; the largest first. */
export type ColumnFormats = readonly (SizedFormat & { readonly largest: number })[];

/** Returns the format of a column that has these numbers among its values. */
export function columnFormat(
  format: NumberFormat | SizedFormat | ColumnFormats | undefined,
  values: readonly unknown[],
): NumberFormat | SizedFormat | undefined {
  if (typeof format !== 'object' || !('find' in format)) return format;
  const largest = values.reduce<number>(
    (max, value) => (typeof value === 'number' ? Math.max(max, Math.abs(value)) : max),
    0,
  );
  return format.find((each) => largest >= each.largest);
}

/** Tells whether a number has the format of small ones. */
export function isSmall(format: NumberFormat | SizedFormat | undefined, value: number): boolean {
  return typeof format === 'object' && value !== 0 && Math.abs(value) < format.from;
}

/** Returns the format of a number. */
export function formatOf(
  format: NumberFormat | SizedFormat | undefined,
  value: number,
): NumberFormat | undefined {
  if (typeof format !== 'object') return format;
  return isSmall(format, value) ? format.small : format.large;
}

/** How a cell looks, as far as carbon keeps it. Cells with one style share one object. */
export interface CellStyle {
  readonly format?: NumberFormat | undefined;
  /** Whether the cell shows the line breaks of its text, and wraps long ones. */
  readonly wraps?: boolean | undefined;
  /** Whether it stands at the top of its row, as cells that wrap do. */
  readonly isTop?: boolean | undefined;
  /** By default, texts are to the left and numbers to the right. */
  readonly align?: 'left' | 'right' | undefined;
  /** Whether a text is not next to the column before. */
  readonly isIndented?: boolean | undefined;
  readonly font?: 'bold' | 'title' | 'header' | undefined;
  /** Whether a line is above it, as above a sum. */
  readonly hasRule?: boolean | undefined;
  /** Whether it stands out from the column, whose look it has otherwise. */
  readonly isMarked?: boolean | undefined;
}

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

/* Returns the number of digits of a format such as `00000`; undefined if it shows more. */
function digitsOf(code: string): number | undefined {
  const [shown = ''] = code.split(';');
  return /^0{2,15}$/.test(shown) ? shown.length : undefined;
}

/** Reads the styles part and returns what each cell style shows, by its index. */
export async function readCellStyles(
  archive: Archive,
  part: string | undefined,
): Promise<Pick<CellContext, 'dateStyles' | 'digitStyles' | 'styles'>> {
  if (part === undefined || !archive.parts.has(part))
    return { dateStyles: [], digitStyles: [], styles: [] };
  const codes = new Map<number, string>();
  const found: { readonly id: number; wraps: boolean }[] = [];
  let isCellStyle = false;
  await readXml(archive, part, {
    open(name, { numFmtId = 0, formatCode = '', wrapText }) {
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode);
      else if (name === 'cellXfs') isCellStyle = true;
      else if (name === 'xf' && isCellStyle) found.push({ id: Number(numFmtId), wraps: false });
      else if (name === 'alignment' && isCellStyle) {
        const last = found.at(-1);
        if (last !== undefined) last.wraps = wrapText === '1' || wrapText === 'true';
      }
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false;
    },
  });
  const styles = found.map(({ id, wraps }): CellStyle => {
    const format = codes.get(id) ?? (id < firstCustom ? id : undefined);
    return { format: format === 0 ? undefined : format, wraps };
  });
  const dateStyles = found.map(({ id }) => {
    const code = codes.get(id);
    if (code !== undefined) return dateKindOf(code);
    return builtIn.find(([from, to]) => id >= from && id <= to)?.[2];
  });
  const digitStyles = found.map(({ id }) => digitsOf(codes.get(id) ?? ''));
  return { dateStyles, digitStyles, styles };
}

/** The number of the first format that is not built in. */
export const firstCustom = 164;
