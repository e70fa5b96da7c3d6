/* Recognizes files that carbon wrote itself, which `-o` may replace. */
import { open } from 'node:fs/promises';
import { extname } from 'node:path';
import { isObject } from '../../api/ids.ts';
import { isEnvelope } from '../../records/envelope.ts';

/* A longer first line is not recognized, so carbon does not replace the file. */
const headBytes = 1 << 20;

/**
 * Checks whether carbon wrote a file of results: a workbook by its Application property, a page by
 * its generator, CSV by its header, NDJSON by its first line. An empty file counts as one.
 * @param columns the columns that a CSV file of the command may have
 */
export async function isOwnFile(path: string, columns: readonly string[]): Promise<boolean> {
  const extension = extname(path).toLowerCase();
  const head = await readHead(path);
  if (head === '') return true;
  if (extension === '.xlsx') {
    const { isOwnWorkbook } = await import('../../workbook/own-workbook.ts');
    return isOwnWorkbook(path);
  }
  const [first = ''] = head.replace(/^\ufeff/, '').split(/\r?\n/, 1);
  if (extension === '.csv') return hasOwnHeader(first, columns);
  if (extension === '.ndjson') return isRecordLine(first);
  return head.includes('<meta name="generator" content="carbon">');
}

async function readHead(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/* A list of organizations can have these columns as well, so they prove nothing. */
const columnsOfLists = /^(?:id|name|hq_\w+|website|external_id|industry_\w+|line|row)$/;

function hasOwnHeader(header: string, columns: readonly string[]): boolean {
  const names = header.split(',').map((name) => name.replace(/^"(.*)"$/, '$1'));
  const known = new Set(columns);
  return names.every((name) => known.has(name)) && names.some((name) => !columnsOfLists.test(name));
}

/* Journals and the stores of lists are no results: `-o` must not replace them. */
function isRecordLine(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value) || 'valid_from' in value || 'carbon' in value) return false;
    const record = isEnvelope(value) ? value.record : value;
    return isObject(record) && 'id' in record && 'status' in record;
  } catch {
    return false;
  }
}
