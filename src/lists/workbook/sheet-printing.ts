/* How a sheet is printed on A4: upright or on its side, on how many pages, and with what foot. */
import { escapeText } from './cells.ts';

/** What a sheet takes of its pages. */
export interface PrintedSheet {
  readonly isText: boolean;
  readonly isPortrait: boolean;
  /** Whether its print may be small, as all columns are those of carbon. */
  readonly isFine: boolean;
  /** Whether it has columns of another workbook. */
  readonly hasLayout: boolean;
  /** The width of its columns in characters, and of those that each page repeats. */
  readonly width: number;
  readonly repeated: number;
  /** Its lines, of which a row has one or more. */
  readonly lines: number;
  /** What each page says at its foot. */
  readonly footer: string | undefined;
}

/*
 * In characters: a page of A4, printed at 7 points, on its side and upright. Fine print has 6
 * points before it takes a second page.
 */
const maxPrintedWidth = 250;
const maxFineWidth = 290;
const maxUprightWidth = 165;
/* In rows of one line: a page of A4 on its side, and upright at 8 points, which holds more. */
const rowsOnSide = 34;
const rowsUpright = 70;
/* In characters: a page of A4 on its side, printed at its own size. */
const widthOnSide = 149;
/* A text that is a little longer than a page is printed smaller. */
const spareRows = 1.2;

/** Returns the elements of a sheet that say how it is printed (ECMA-376 part 1, 18.3.1). */
export function printingXml(sheet: PrintedSheet): string {
  const { isText, isPortrait, isFine, hasLayout, width, repeated, lines, footer } = sheet;
  const others = width - repeated;
  const most = isFine ? maxFineWidth : maxPrintedWidth;
  const pagesWide =
    isPortrait || isText ? 1 : Math.ceil(others / Math.max(most - repeated, 1)) || 1;
  // A long table with few columns has more rows on a page that is upright.
  const isLong = !hasLayout && width <= maxUprightWidth && lines > rowsOnSide;
  const isUpright = isPortrait || isLong;
  const room = isLong ? rowsUpright : spareRows * rowsOnSide * Math.max(1, width / widthOnSide);
  // The last lines of a text would be alone on a second page.
  const isOnePage = isText && isPortrait && lines <= spareRows * rowsUpright;
  const isFitted = !isPortrait && (isLong || isText);
  const pagesHigh = isOnePage ? 1 : isFitted ? Math.ceil(lines / room) : 0;
  const foot = `${footer === undefined ? '' : `&L${footer.replaceAll('&', '&&')}`}&RPage &P of &N`;
  return [
    '<pageMargins left="0.4" right="0.4" top="0.6" bottom="0.6" header="0.3" footer="0.3"/>',
    `<pageSetup orientation="${isUpright ? 'portrait' : 'landscape'}" fitToWidth="${pagesWide}" fitToHeight="${pagesHigh}"/>`,
    `<headerFooter><oddFooter>${escapeText(foot)}</oddFooter></headerFooter>`,
  ].join('');
}
