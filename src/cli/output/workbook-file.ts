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

/** The files that a command writes with `--out`. */
export interface OutputKind {
  /** Whether it writes only workbooks, not pages. */
  readonly isOnlyWorkbook: boolean;
  /** A file name for hints. */
  readonly example: string;
}

/**
 * Checks `--out` before any work. The extension selects the format.
 *
 * @param inputs input files, which the output must not replace
 * @throws UsageError with --csv, for the extension of a format that carbon does not write, and for
 * a path that `checkTarget` refuses; LocalError for a directory in which carbon cannot write
 */
export async function checkOut(
  session: Session,
  path: string,
  inputs: readonly string[],
  { isOnlyWorkbook, example }: OutputKind,
): Promise<void> {
  const what = isOnlyWorkbook ? 'a workbook' : 'a page (.html) or a workbook (.xlsx)';
  if (session.format === 'csv')
    throw new UsageError(
      '--csv cannot be combined with --out',
      `Redirect standard output, such as --csv > records.csv, or remove --csv: --out writes ${what}.`,
    );
  const { checkTarget } = await import('../../page/write-page.ts');
  await checkTarget(path, inputs, { flag: '--out', example });
  const other = /\.(?:xls|xlsb|xlsm|ods|numbers|csv|tsv|pdf|json|ndjson)$/i.exec(path)?.[0];
  if (isWorkbookPath(path) || (!isOnlyWorkbook && other === undefined)) return;
  throw new UsageError(
    `--out: ${path} does not end with ${isOnlyWorkbook ? '.xlsx' : '.html or .xlsx'}`,
    `--out writes ${what}, such as ${example}. For other formats use --csv or --json.`,
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
    import('../../page/write-page.ts'),
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
  const { text, event } = written();
  session.messages.print({
    level: 'progress',
    text: `Wrote ${path} (${text})`,
    event: { event: 'written', file: path, ...event },
  });
}
