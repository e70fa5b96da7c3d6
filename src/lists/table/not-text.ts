/* Explains why a file is not text in its encoding; loaded only after that has failed. */
import { TextDecoder } from 'node:util';
import { invalidInput, type UsageError } from '../../runtime/carbon-error.ts';
import { unreadableWorkbook } from '../workbook/foreign-format.ts';
import type { InputFile } from './input-file.ts';
import { createDecoder, lineBreaks, notWindows1252 } from './text-rows.ts';

const question = 'In which encoding do the names look right?';

/**
 * Creates the error for a file with invalid bytes. Reads the file again to find the line of the
 * first match of `wrong`, as an editor numbers it.
 * @param given the encoding that the user gave
 */
export async function notText(
  source: InputFile,
  encoding: string,
  wrong: RegExp,
  given: string | undefined,
): Promise<UsageError> {
  // The bytes of a broken workbook are in no encoding.
  if (given === undefined && /\.xlsx$/i.test(source.fileName))
    return unreadableWorkbook(source.fileName);
  const [start] = await source
    .bytes()
    .next()
    .then(({ value }) => [value && Buffer.from(value)]);
  const utf16 = start === undefined ? undefined : unmarkedUtf16(start);
  if (utf16 !== undefined && !encoding.startsWith('utf-16'))
    return invalidInput(
      `${source.name} seems to be UTF-16 without a byte order mark`,
      `Use --encoding ${utf16}, or save the list as .xlsx or as CSV UTF-8.`,
      () => ({
        question,
        options: [{ label: utf16, add: ['--encoding', utf16], without: ['--encoding'] }],
      }),
    );
  const decoder = createDecoder(encoding, false);
  let line = 1;
  let rest = '';
  let word = '';
  for await (const bytes of source.bytes()) {
    const text = rest + decoder.decode(bytes, { stream: true });
    const at = text.search(wrong);
    // A match or a CRLF may begin in this chunk and end in the next one.
    const end = at < 0 ? text.length - (text.at(-3) === '\r' ? 3 : 2) : at;
    line += lineBreaks(text.slice(0, Math.max(end, 0)));
    if (at >= 0) {
      word = `${/[^\s,;|]*$/.exec(text.slice(0, at))?.[0]}${/^[^\s,;|]*/.exec(text.slice(at))?.[0]}`;
      break;
    }
    rest = text.slice(Math.max(end, 0));
  }
  const where = `${source.name}, line ${line}`;
  const choices = async () => {
    const { encodingChoices } = await import('./encoding-choices.ts');
    return { question, options: await encodingChoices(source) };
  };
  if (wrong === notWindows1252)
    return invalidInput(
      `${where}: "${word.slice(0, 40)}" is not ${encoding} text`,
      'Save the list as .xlsx or as CSV UTF-8, or try another encoding: --encoding ibm850 or ibm437 (MS-DOS), or macintosh.',
      choices,
    );
  if (wrong.source === '\\0')
    return invalidInput(
      `${where}: NUL character`,
      "If the file is UTF-16, use --encoding utf-16le or utf-16be. Otherwise export it again, or remove NUL characters: tr -d '\\000' < file.csv > clean.csv",
    );
  return invalidInput(
    `${where}: not ${encoding === 'utf-8' ? 'UTF-8' : encoding} text`,
    'Save the list as .xlsx or as CSV UTF-8, or give its encoding, such as --encoding windows-1252 (Western European), windows-1250 (Central European), windows-1251 (Cyrillic), ibm850 (MS-DOS), shift_jis, gb18030, big5 or euc-kr.',
    choices,
  );
}

/*
 * Returns the encoding of bytes that are UTF-16 without a mark: each NUL byte is the upper half of
 * a character, and the text has lines.
 */
function unmarkedUtf16(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2));
  for (const label of ['utf-16le', 'utf-16be'] as const) {
    const text = new TextDecoder(label).decode(even);
    const isText = !/[\0\ufffd\p{Cn}\p{Co}]/u.test(text) && /[\r\n]/.test(text);
    if (isText && even.includes(0)) return label;
  }
  return undefined;
}
