import { UsageError } from '../runtime/carbon-error.ts';
import { Archive, type WorkbookSource } from './archive.ts';
import { invalidWorkbook } from './foreign-format.ts';
import { readManifest, type Sheet } from './manifest.ts';
import { readDateStyles } from './number-formats.ts';
import { readSharedStrings } from './shared-strings.ts';
import { readSheetRows, type SheetFindings, type SheetRow } from './sheet-rows.ts';

/** Options for opening a workbook. */
export interface OpenOptions {
  /** Name of the sheet to read, in any case; by default the first visible sheet. */
  readonly sheet?: string | undefined;
  /** Name of the file in messages; the path by default. */
  readonly name?: string | undefined;
}

/** An open workbook with one chosen sheet. */
export interface Workbook {
  /** All sheets in the order of their tabs, hidden ones too, without charts. */
  readonly sheets: readonly Pick<Sheet, 'name' | 'isVisible'>[];
  /** Name of the chosen sheet, as the workbook spells it. */
  readonly sheet: string;
  /**
   * Reads the rows of the chosen sheet that have a value, in groups. Cells are the texts of a CSV
   * export with ISO dates and unformatted numbers. Can be called again.
   *
   * @throws UsageError if the workbook is damaged
   */
  rows(): AsyncGenerator<readonly SheetRow[], void, void>;
  /** What the latest reading of the rows found; complete once all rows are read. */
  readonly findings: Readonly<SheetFindings>;
  /** Closes the file, unless the caller opened it. */
  close(): Promise<void>;
}

/**
 * Opens an .xlsx workbook and chooses a sheet.
 *
 * Reads the shared strings with the first row. They stay in memory; rows do not.
 *
 * @param source a path, or an open file, which stays open
 * @throws UsageError if the file is missing, of another format or damaged, and if the sheet does
 * not exist; LocalError if the file cannot be read
 */
export async function openWorkbook(
  source: WorkbookSource,
  { sheet: wanted, name = typeof source === 'string' ? source : 'the workbook' }: OpenOptions = {},
): Promise<Workbook> {
  const archive = await Archive.open(source, name);
  try {
    const { sheets, sharedStrings, styles, is1904 } = await readManifest(archive);
    const sheet = chooseSheet(sheets, wanted, name);
    const dateStyles = await readDateStyles(archive, styles);
    let strings: ReturnType<typeof readSharedStrings> | undefined;
    let findings = noFindings();
    return {
      sheets,
      sheet: sheet.name,
      get findings() {
        return findings;
      },
      async *rows() {
        findings = noFindings();
        strings ??= readSharedStrings(archive, sharedStrings);
        const context = { strings: await strings, dateStyles, is1904 };
        yield* readSheetRows(archive, sheet.part, context, findings);
      },
      close: () => archive.close(),
    };
  } catch (error) {
    await archive.close();
    throw error;
  }
}

function chooseSheet(sheets: readonly Sheet[], wanted: string | undefined, name: string): Sheet {
  if (wanted === undefined) {
    const sheet = sheets.find(({ isVisible }) => isVisible) ?? sheets[0];
    if (sheet !== undefined) return sheet;
    throw invalidWorkbook(`${name} has no worksheet`, 'Save the workbook with a sheet of cells.');
  }
  const fold = (text: string) => text.normalize('NFC').trim().toLowerCase();
  const sheet =
    sheets.find((candidate) => candidate.name === wanted) ??
    sheets.find((candidate) => fold(candidate.name) === fold(wanted));
  if (sheet !== undefined) return sheet;
  throw new UsageError(`${name} has no sheet "${wanted}"`, `Sheets: ${listSheets(sheets)}.`);
}

const maxListed = 20;

function listSheets(sheets: readonly Sheet[]): string {
  const names = sheets
    .slice(0, maxListed)
    .map(({ name, isVisible }) => `"${name}"${isVisible ? '' : ' (hidden)'}`);
  const others = sheets.length - names.length;
  return [...names, ...(others > 0 ? [`${others} more`] : [])].join(', ');
}

function noFindings(): SheetFindings {
  return {
    missing: 0,
    firstMissing: [],
    mergedRanges: 0,
    firstMerged: [],
    hiddenRows: 0,
    firstHidden: [],
  };
}
