/*
 * Recognizes files that are not records by their beginning: people pass the list of organizations,
 * the journal or the output of --csv instead.
 */
import { open } from 'node:fs/promises';
import { UsageError } from '../runtime/carbon-error.ts';
import { throwUnreadable } from '../runtime/file-errors.ts';
import { quoteWords } from '../terminal/quote-words.ts';
import { isZip, recognizeBinary } from '../workbook/foreign-format.ts';
import { isOwnWorkbook } from '../workbook/own-workbook.ts';

const headBytes = 4096;
const jsonLines = 'Records are lines of JSON, as `carbon get --json` prints them.';

/**
 * Checks that a regular file may contain records.
 * @throws UsageError that names the format of another file, and the command that leads to records
 */
export async function checkSnapshotFormat(path: string): Promise<void> {
  const fail = (cause: unknown) => throwUnreadable(path, cause);
  const file = await open(path).catch(fail);
  try {
    const readAt = async (position: number, length: number) => {
      const { buffer, bytesRead } = await file
        .read(Buffer.alloc(length), 0, length, position)
        .catch(fail);
      return buffer.subarray(0, bytesRead);
    };
    const first = await readAt(0, headBytes);
    const binary = await recognizeBinary(readAt);
    if (isZip(first) && (await isOwnWorkbook(path))) throw ownOutput(path, 'a workbook');
    if (isZip(first)) throw notRecords(path, workbookOrArchive(path), fromList(path));
    if (binary !== undefined) throw notRecords(path, binary.what, binaryHint(path, binary));
    // PowerShell 5 writes UTF-16.
    const isUtf16 = first[0] === 0xff && first[1] === 0xfe;
    checkText(path, first.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\ufeff/, ''));
  } finally {
    await file.close();
  }
}

function checkText(path: string, text: string): void {
  if (/^\s*\{"carbon":"journal"/.test(text))
    throw notRecords(path, 'a journal of carbon batch', fromList(listOf(path)));
  const [first = ''] = text.trimStart().split(/[\r\n]/, 1);
  if (first === '' || /^[{[]/.test(first)) return;
  if (!/\.(?:csv|tsv)$/i.test(path) && !/[,;\t|]/.test(first)) return;
  if (isOwnHeader(first)) throw ownOutput(path, 'a table');
  throw notRecords(path, 'a CSV file', fromList(path));
}

/* Columns that carbon prints and that a list of organizations has not. */
const ownColumns =
  /^(?:scope_[123]|performance_year|matching_organization_\w+|sbti_\w+|emissions_\w+|carbon_(?!error)\w+)$/;

function isOwnHeader(header: string): boolean {
  const names = header.split(/[,;\t|]/).map((name) => name.replace(/^"(.*)"$/, '$1'));
  return (
    names.slice(0, 3).join() === 'id,name,status' || names.some((name) => ownColumns.test(name))
  );
}

/* Registering the rows of such a file again would be a mistake, so no hint proposes it. */
function ownOutput(path: string, what: string): UsageError {
  return notRecords(
    path,
    `${what} that carbon wrote`,
    'Use the records that it was made from, or keep records with `carbon get - -o records.ndjson`.',
  );
}

function workbookOrArchive(path: string): string {
  return /\.xls[xm]$/i.test(path) ? 'an Excel workbook' : 'a zip archive or a workbook';
}

function binaryHint(path: string, { what, hint }: { what: string; hint: string }): string {
  if (/\.csv\.gz$/i.test(path)) return fromList(path);
  return /archive|file$/.test(what) ? hint : jsonLines;
}

/* The list that a journal belongs to; a shard has its number in the name. */
function listOf(journal: string): string {
  return journal.replace(/(?:\.\d+-of-\d+)?\.carbon\.jsonl$/, '');
}

/* The command for a list of organizations. */
function fromList(path: string): string {
  const list = quoteWords([path]);
  return `${jsonLines} For a list of organizations: carbon batch ${list} -q | carbon watch - --json > records.ndjson`;
}

function notRecords(path: string, what: string, hint: string): UsageError {
  return new UsageError(`${path} is ${what}, not a file of records`, hint, 'invalid_input');
}
