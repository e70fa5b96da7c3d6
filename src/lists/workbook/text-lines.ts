/* How many lines a text takes in a cell, which LibreOffice does not measure in a new workbook. */
import type { CellStyle } from './cell-styles.ts';

/*
 * The widths of characters of Calibri, in that of its digits: the width of a column counts digits.
 * Those of other scripts are as wide as they can be.
 */
const widths: readonly (readonly [characters: string, width: number])[] = [
  [" il'", 0.46],
  ['jI,.:;’·', 0.52],
  ['f()-[]{}`', 0.61],
  ['Jrt!', 0.67],
  ['csz/\\"L“”', 0.8],
  ['gkvxyFS?', 0.91],
  ['aeETYZ_+<=>#*~–−', 0.97],
  ['0123456789$', 1],
  ['ADGHNOQUV&', 1.24],
  ['w%', 1.41],
  ['mMW@…→', 1.7],
];
const usual = 1.05;
const widest = 2;
const widthOfCode = new Map(
  widths.flatMap(([characters, width]) =>
    Array.from(characters, (each) => [each.charCodeAt(0), width] as const),
  ),
);
/* Scripts that have letters of another size, such as the Chinese one. */
const firstWide = 0x1100;
const lastNarrow = 0x2fff;
const firstSymbol = 0x2000;

/* A column has no room for as many digits as its width says. */
const usedWidth = 0.95;
const boldScale = 1.04;
/* In characters. */
const indentWidth = 1;

/**
 * Returns how many lines a text has in a column, in which it breaks between words.
 * @param width that of the column, in digits
 */
export function countLines(text: string, width: number, style: CellStyle = {}): number {
  const { font, align, isIndented = align === 'right' } = style;
  const scale = font === 'bold' ? boldScale : 1;
  const room = ((width - (isIndented ? indentWidth : 0)) * usedWidth) / scale;
  // A header has no word that the next column could hide, in any font.
  const isHeader = font === 'header';
  const measure = isHeader ? (word: string) => word.length * usedWidth : widthOf;
  const space = measure(' ');
  let lines = 0;
  for (const paragraph of text.split('\n')) {
    let used = room;
    for (const word of paragraph.split(' ')) {
      const needed = measure(word);
      if (used + space + needed <= room) used += space + needed;
      else {
        lines += Math.max(Math.ceil(needed / room), 1);
        used = needed % room;
      }
    }
  }
  return lines;
}

function widthOf(word: string): number {
  let width = 0;
  for (let index = 0; index < word.length; index += 1) width += widthAt(word.charCodeAt(index));
  return width;
}

function widthAt(code: number): number {
  const isWide = code >= firstWide && !(code >= firstSymbol && code <= lastNarrow);
  return isWide ? widest : (widthOfCode.get(code) ?? usual);
}
