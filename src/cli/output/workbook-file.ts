/* Writes the workbook of `--out`. */

import { UsageError } from '../../runtime/carbon-error.ts';
import { thisMachine } from '../../runtime/machine.ts';
import { count } from '../../terminal/format.ts';
import type { SheetContent } from '../../workbook/sheet-writer.ts';
import type { Session } from '../session.ts';

/** Checks whether the extension of a file selects a workbook. */
export function isWorkbookPath(path: string): boolean {
  return /\.xlsx$/i.test(path);
}

/**
 * Checks the extension of `--out`, which selects the format.
 *
 * @throws UsageError for the extension of a format that carbon does not write
 */
export function checkExtension(path: string, isOnlyWorkbook: boolean): void {
  const other = /\.(?:xls|xlsb|xlsm|ods|numbers|csv|tsv|pdf|json|ndjson)$/i.exec(path)?.[0];
  if (isWorkbookPath(path) || (!isOnlyWorkbook && other === undefined)) return;
  throw new UsageError(
    `--out: ${path} does not end with ${isOnlyWorkbook ? '.xlsx' : '.html or .xlsx'}`,
    isOnlyWorkbook
      ? '--out writes a workbook, such as records.xlsx. For other formats use --csv or --json.'
      : '--out writes a page (.html) or a workbook (.xlsx). For other formats use --csv or --json.',
  );
}

/** What a workbook contains, for the message that reports it. */
export interface Written {
  /** Such as `3 organizations`. */
  readonly text: string;
  readonly event: Readonly<Record<string, unknown>>;
}

/**
 * Writes a workbook atomically and reports it.
 *
 * @throws LocalError when writing fails; UsageError for more rows than Excel permits
 */
export async function writeWorkbookFile(
  session: Session,
  path: string,
  sheets: readonly SheetContent[],
  written: () => Written,
): Promise<void> {
  const [{ writeTarget }, { writeWorkbook }] = await Promise.all([
    import('../../report/html/write-page.ts'),
    import('../../workbook/write-workbook.ts'),
  ]);
  const machine = thisMachine(session.context.process.id);
  let truncated = 0;
  await writeTarget(path, machine, async (file) => {
    ({ truncated } = await writeWorkbook(file, sheets));
  });
  if (truncated > 0) {
    const texts = truncated === 1 ? 'text' : 'texts';
    session.messages.warn(
      `carbon shortened ${count.format(truncated)} ${texts} in ${path}: a cell holds at most 32,767 characters.`,
    );
  }
  if (session.flags.progress === false) return;
  const { text, event } = written();
  session.messages.note(`Wrote ${path} (${text})`, { event: 'written', file: path, ...event });
}
