import { openWorkbook, type Workbook } from '../workbook/open-workbook.ts';
import type { InputFile } from './input-file.ts';

/**
 * Opens a workbook, chooses a sheet and records it in the input file, whose messages name it.
 *
 * @param wanted name of the sheet; by default the first visible one
 * @throws UsageError and LocalError as `openWorkbook`
 */
export async function openSheet(source: InputFile, wanted: string | undefined): Promise<Workbook> {
  const name = source.fileName;
  const book = await openWorkbook(source.file ?? source.path, { sheet: wanted, name });
  source.sheet = {
    name: book.sheet,
    others: book.sheets.flatMap(({ name: other, isVisible }) =>
      other === book.sheet ? [] : [{ name: other, isVisible }],
    ),
    findings: book.findings,
  };
  return book;
}
