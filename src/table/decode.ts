/*
 * Decodes bytes to text: by the byte order mark, else by `--encoding`, else as UTF-8. No character
 * is replaced and no encoding is guessed: invalid bytes and NUL characters are errors that name
 * their line.
 */
import { TextDecoder } from 'node:util';
import { invalidInput, UsageError } from '../runtime/carbon-error.ts';
import { foreignFormat, isBinary } from '../workbook/foreign-format.ts';
import type { InputFile } from './input-file.ts';
import { lineBreaks } from './scanner.ts';

/**
 * Decodes a file as a stream of text without its byte order mark.
 *
 * @param encoding a label of the Encoding Standard such as `windows-1252`; a byte order mark
 * overrides it
 * @throws UsageError for an unknown label, for invalid bytes and for NUL characters
 */
export async function* decode(
  source: InputFile,
  encoding: string | undefined,
): AsyncGenerator<string, void, void> {
  let decoder: TextDecoder | undefined;
  const read = async (bytes?: Buffer): Promise<string> => {
    decoder ??= await openDecoder(byteOrderMark(bytes) ?? encoding ?? 'utf-8', source, bytes);
    let text: string;
    try {
      text = bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw await undecodable(source, decoder.encoding);
    }
    if (text.includes('\0')) throw await nulCharacter(source, decoder.encoding);
    return text;
  };
  for await (const bytes of source.bytes()) yield read(bytes);
  yield read();
}

function byteOrderMark(bytes: Buffer = Buffer.alloc(0)): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

async function openDecoder(
  label: string,
  source: InputFile,
  first: Buffer = Buffer.alloc(0),
): Promise<TextDecoder> {
  if (isBinary(first)) throw foreignFormat(source.name);
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    throw new UsageError(
      `--encoding: "${label}" is not a known encoding`,
      'Common encodings: utf-8, utf-16le, windows-1252 (Western European), shift_jis, gb18030, big5, euc-kr.',
    );
  }
}

async function nulCharacter(source: InputFile, encoding: string): Promise<UsageError> {
  const line = await findLine(source, encoding, '\0');
  return invalidInput(
    `${source.name}, line ${line}: NUL character`,
    "If the file is UTF-16, use --encoding utf-16le or utf-16be. Otherwise export it again, or remove NUL characters: tr -d '\\000' < file.csv > clean.csv",
  );
}

async function undecodable(source: InputFile, encoding: string): Promise<UsageError> {
  const line = await findLine(source, encoding, '\ufffd');
  const name = encoding === 'utf-8' ? 'UTF-8' : encoding;
  return invalidInput(
    `${source.name}, line ${line}: not ${name} text`,
    'Save the list as .xlsx or as CSV UTF-8, or give its encoding, such as --encoding windows-1252 (Western European), windows-1250 (Central European), windows-1251 (Cyrillic), shift_jis, gb18030, big5 or euc-kr.',
  );
}

/* Reads the file again to find the first line with a character, as an editor numbers it. */
async function findLine(source: InputFile, encoding: string, character: string): Promise<number> {
  const decoder = new TextDecoder(encoding);
  let line = 1;
  let last = '';
  for await (const bytes of source.bytes()) {
    const [before = '', found] = decoder.decode(bytes, { stream: true }).split(character, 2);
    // Half of a CRLF may be in the next chunk.
    line += lineBreaks(last + before) - lineBreaks(last);
    last = (last + before).slice(-1);
    if (found !== undefined) break;
  }
  return line;
}
