/* The styles of a workbook that is written, numbered as its cells use them (ECMA-376, 18.8). */
import { type CellStyle, firstCustom, type NumberFormat } from './cell-styles.ts';
import { escapeText } from './cells.ts';

/** Indexes of the styles that every workbook has; those of its cells follow. */
export const cellStyles = {
  plain: 0,
  header: 1,
  guarded: 2,
  rightHeader: 3,
  indentedHeader: 4,
} as const;

export const dateFormats = { day: 'd mmm yyyy', time: 'd mmm yyyy hh:mm' } as const;

/* The header has the bold font, on a fill and above a line. */
const fonts = ['plain', 'bold', 'title'] as const;
const lineColor = '<color rgb="FF8A99A6"/>';
/* Excel allows 65,490 styles; a copy of a workbook has no more than the workbook. */
const maxStyles = 64_000;

/** Numbers styles. Write the part after the sheets, when all are known. */
export class StyleTable {
  readonly #formats = new Map<string, number>();
  readonly #xfs: string[] = [];
  readonly #indexes = new Map<string, number>();
  /* Cells share the objects of their styles, which are kept: never pass a new one for each cell. */
  readonly #known = new Map<CellStyle, number>();

  constructor() {
    this.#add({});
    this.#add({ font: 'header' }, true);
    this.#add({}, true);
    this.#add({ font: 'header', align: 'right' }, true);
    this.#add({ font: 'header', align: 'left', isIndented: true }, true);
  }

  /**
   * Returns the index of a style.
   * @param isGuarded whether the cell is a text that begins like a formula: without quotePrefix, it
   * becomes one when a user edits the cell
   */
  indexOf(style: CellStyle, isGuarded = false): number {
    if (isGuarded) return this.#add(style, true);
    let index = this.#known.get(style);
    if (index === undefined) {
      index = this.#add(style);
      this.#known.set(style, index);
    }
    return index;
  }

  #add(
    {
      format = 0,
      wraps = false,
      isTop = wraps,
      align,
      isIndented,
      font,
      hasRule,
      isMarked,
    }: CellStyle,
    isGuarded = false,
  ): number {
    const attributes = [
      format === 0 ? '' : ' applyNumberFormat="1"',
      isGuarded ? ' quotePrefix="1"' : '',
      font === undefined ? '' : ' applyFont="1"',
      isTop || align ? ' applyAlignment="1"' : '',
    ].join('');
    const alignment = [
      // Without an indent, a number touches the text after it.
      align === undefined
        ? ''
        : ` horizontal="${align}"${align === 'right' || isIndented ? ' indent="1"' : ''}`,
      isTop ? ' vertical="top"' : '',
      wraps ? ' wrapText="1"' : '',
    ].join('');
    const isHeader = font === 'header';
    const fontId = fonts.indexOf(isHeader ? 'bold' : (font ?? 'plain'));
    const fillId = isHeader ? 2 : isMarked ? 3 : 0;
    const borderId = isHeader ? 1 : hasRule ? 2 : 0;
    const looks = [
      `fillId="${fillId}" borderId="${borderId}" xfId="0"`,
      ...(fillId === 0 ? [] : ['applyFill="1"']),
      ...(borderId === 0 ? [] : ['applyBorder="1"']),
    ].join(' ');
    const xf = `<xf numFmtId="${this.#formatId(format)}" fontId="${fontId}" ${looks}${attributes}${alignment === '' ? '/>' : `><alignment${alignment}/></xf>`}`;
    let index = this.#indexes.get(xf);
    if (index === undefined) {
      if (this.#xfs.length === maxStyles) return cellStyles.plain;
      index = this.#xfs.push(xf) - 1;
      this.#indexes.set(xf, index);
    }
    return index;
  }

  #formatId(format: NumberFormat): number {
    if (typeof format === 'number') return format;
    const id = this.#formats.get(format) ?? firstCustom + this.#formats.size;
    this.#formats.set(format, id);
    return id;
  }

  /** Returns the XML of the part. */
  toXml(namespace: string): string {
    const formats = [...this.#formats].map(
      ([code, id]) => `<numFmt numFmtId="${id}" formatCode="${escapeText(code)}"/>`,
    );
    const font = (size: number, weight: string) =>
      `<font>${weight}<sz val="${size}"/><name val="Calibri"/><family val="2"/></font>`;
    const fill = (color: string) =>
      `<fill><patternFill patternType="solid"><fgColor rgb="${color}"/><bgColor indexed="64"/></patternFill></fill>`;
    return [
      `<styleSheet xmlns="${namespace}">`,
      // The schema allows no empty list.
      formats.length === 0
        ? ''
        : `<numFmts count="${formats.length}">${formats.join('')}</numFmts>`,
      `<fonts count="${fonts.length}">${font(11, '')}${font(11, '<b/>')}${font(14, '<b/>')}</fonts>`,
      '<fills count="4"><fill><patternFill patternType="none"/></fill>',
      '<fill><patternFill patternType="gray125"/></fill>',
      `${fill('FFEDF1F4')}${fill('FFFFE8B3')}</fills>`,
      '<borders count="3"><border><left/><right/><top/><bottom/><diagonal/></border>',
      `<border><left/><right/><top/><bottom style="thin">${lineColor}</bottom><diagonal/></border>`,
      `<border><left/><right/><top style="thin">${lineColor}</top><bottom/><diagonal/></border></borders>`,
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
      `<cellXfs count="${this.#xfs.length}">${this.#xfs.join('')}</cellXfs>`,
      '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>',
      '</styleSheet>',
    ].join('');
  }
}
