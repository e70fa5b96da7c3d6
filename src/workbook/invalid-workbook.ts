import { UsageError } from '../runtime/carbon-error.ts';

/** The remedy for a workbook that no rule of the format permits. */
const saveAgain =
  'Open the file in Excel or LibreOffice, save it again as .xlsx, then use that file.';

/** Creates the error for a file that is not a workbook that carbon reads. */
export function invalidWorkbook(message: string, hint: string = saveAgain): UsageError {
  return new UsageError(message, hint, 'invalid_input');
}

/**
 * Creates the error for a workbook whose content breaks the format.
 *
 * @param name the name of the file in messages
 * @param why the cause, in lower case
 */
export function damaged(name: string, why: string): UsageError {
  return invalidWorkbook(`${name} is damaged: ${why}`);
}
