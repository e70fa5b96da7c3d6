/* Reads the shared strings of a workbook, to which its cells refer by their index. */
import { flattenString } from '../runtime/flatten-string.ts';
import type { Archive } from './archive.ts';
import { unescapeText } from './cell-text.ts';
import { invalidWorkbook } from './foreign-format.ts';
import { parseXml } from './xml.ts';

const mebibyte = 2 ** 20;
/* Bounds the memory of a workbook; a string takes about 32 bytes more than its characters. */
const maxBytes = 512 * mebibyte;
const stringBytes = 32;

/**
 * Reads the shared strings of a workbook without their phonetic guides.
 *
 * @param part the name of the part; undefined for a workbook without shared strings
 * @throws UsageError if the texts take more than 512 MiB
 */
export async function readSharedStrings(
  archive: Archive,
  part: string | undefined,
): Promise<readonly string[]> {
  const strings: string[] = [];
  if (part === undefined || !archive.parts.has(part)) return strings;
  let bytes = 0;
  let text = '';
  let isText = false;
  let isPhonetic = false;
  const parsing = parseXml(archive, part, {
    open(name) {
      if (name === 'si') text = '';
      else if (name === 'rPh') isPhonetic = true;
      else isText = name === 't' && !isPhonetic;
    },
    close(name) {
      if (name === 't') isText = false;
      else if (name === 'rPh') isPhonetic = false;
      else if (name === 'si') {
        strings.push(flattenString(unescapeText(text)));
        bytes += text.length + stringBytes;
        if (bytes > maxBytes)
          throw invalidWorkbook(
            `${archive.name} is too large: its texts take more than ${maxBytes / mebibyte} MiB`,
            'Split the workbook, or save the sheet as CSV.',
          );
      }
    },
    text(content) {
      if (isText) text += content;
    },
  });
  for await (const _ of parsing);
  return strings;
}
