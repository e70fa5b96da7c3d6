import type { FileHandle } from 'node:fs/promises';
import { UsageError } from '../runtime/carbon-error.ts';
import { openArchive } from './archive.ts';
import { invalidWorkbook } from './foreign-format.ts';
import { readManifest, type Sheet } from './manifest.ts';
import { readDateStyles } from './number-formats.ts';
import { readSharedStrings } from './shared-strings.ts';
import { readSheetRows, type SheetFindings, type SheetRow } from './sheet-rows.ts';

/** An open workbook with one chosen sheet. */
export interface Workbook {
  /** Name of the chosen sheet, as the workbook spells it. */
  readonly name: string;
  /** The other sheets in the order of their tabs, hidden ones too, without charts. */
  readonly others: readonly Pick<Sheet, 'name' | 'isVisible'>[];
  /** What the reading of the rows found; complete once all rows are read. */
  readonly findings: Readonly<SheetFindings>;
  /**
   * Reads the rows of the chosen sheet that have a value, in groups. Cells are the texts of a CSV
   * export with ISO dates and unformatted numbers. Can be called once.
   *
   * Reads the shared strings first. They stay in memory; rows do not.
   *
   * @throws UsageError if the workbook is damaged
   */
  rows(): AsyncGenerator<readonly SheetRow[], void, void>;
  /** Closes the file, unless the caller opened it. */
  close(): Promise<void>;
}

/**
 * Opens an .xlsx workbook and chooses a sheet.
 *
 * @param source the path of a zip archive, or an open one, which stays open
 * @param file the name of the file in messages
 * @param wanted name of the sheet to read, in any case; by default the first visible sheet
 * @throws UsageError if the file is missing, of another format or damaged, and if the sheet does
 * not exist; LocalError if the file cannot be read
 */
export async function openWorkbook(
  source: string | FileHandle,
  file: string,
  wanted?: string,
): Promise<Workbook> {
  const archive = await openArchive(source, file);
  try {
    const { sheets, sharedStrings, styles, is1904 } = await readManifest(archive);
    const sheet = chooseSheet(sheets, wanted, file);
    const dateStyles = await readDateStyles(archive, styles);
    const findings = {
      missing: 0,
      firstMissing: [],
      mergedRanges: 0,
      firstMerged: [],
      hiddenRows: 0,
      firstHidden: [],
    };
    return {
      name: sheet.name,
      others: sheets.filter((other) => other !== sheet),
      findings,
      async *rows() {
        const strings = await readSharedStrings(archive, sharedStrings);
        yield* readSheetRows(archive, sheet.part, { strings, dateStyles, is1904 }, findings);
      },
      close: archive.close,
    };
  } catch (error) {
    await archive.close();
    throw error;
  }
}

function chooseSheet(sheets: readonly Sheet[], wanted: string | undefined, file: string): Sheet {
  if (wanted === undefined) {
    const sheet = sheets.find(({ isVisible }) => isVisible) ?? sheets[0];
    if (sheet !== undefined) return sheet;
    throw invalidWorkbook(`${file} has no worksheet`, 'Save the workbook with a sheet of cells.');
  }
  const fold = (text: string) => text.normalize('NFC').trim().toLowerCase();
  const sheet =
    sheets.find(({ name }) => name === wanted) ??
    sheets.find(({ name }) => fold(name) === fold(wanted));
  if (sheet !== undefined) return sheet;
  throw new UsageError(`${file} has no sheet "${wanted}"`, `Sheets: ${listSheets(sheets)}.`);
}

const maxListed = 20;

function listSheets(sheets: readonly Sheet[]): string {
  const names = sheets
    .slice(0, maxListed)
    .map(({ name, isVisible }) => `"${name}"${isVisible ? '' : ' (hidden)'}`);
  const others = sheets.length - names.length;
  return [...names, ...(others > 0 ? [`${others} more`] : [])].join(', ');
}
