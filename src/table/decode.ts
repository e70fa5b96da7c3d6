/*
 * Decodes bytes to text: by the byte order mark, else by `--encoding`, else as UTF-8. No character
 * is replaced and no encoding is guessed: invalid bytes and NUL characters are errors that name
 * their line.
 */
import { TextDecoder } from 'node:util';
import { UsageError } from '../runtime/carbon-error.ts';
import { isZip, recognizeBinary } from '../workbook/foreign-format.ts';
import { decodes, likelyReadings } from './guess-encoding.ts';
import type { InputFile } from './input-file.ts';
import { rowEnd } from './scanner.ts';

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
  await rejectBinary(source, first);
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(label, { fatal: true });
  } catch {
    throw new UsageError(
      `--encoding: "${label}" is not a known encoding`,
      'Common encodings: utf-8, utf-16le, windows-1252 (Western European), shift_jis, gb18030, big5, euc-kr.',
    );
  }
  const order = decoder.encoding.startsWith('utf-16')
    ? undefined
    : likelyByteOrder(first, decoder.encoding);
  if (order === undefined) return decoder;
  throw invalid(
    `${source.name} is not a text file`,
    `If the file is UTF-16, use --encoding utf-16${order}`,
  );
}

/* A workbook has its own reader, so a zip archive here was compressed once more. */
async function rejectBinary(source: InputFile, first: Buffer): Promise<void> {
  if (isZip(first)) {
    throw invalid(
      `${source.name} is a compressed workbook or archive`,
      'Decompress the file with gunzip, then use the result.',
    );
  }
  const readAt = async (position: number, length: number) =>
    position === 0 ? first.subarray(0, length) : source.readAt(position, length);
  const format = await recognizeBinary(readAt);
  if (format === undefined) return;
  throw invalid(`${source.name} is ${format.what}, not a CSV file or workbook`, format.hint);
}

/*
 * Guesses the byte order of UTF-16. Western text has a zero in every other byte, starting with the
 * first if it is big-endian. East Asian text has fewer zeros and is not valid UTF-8. Any other zero
 * is a NUL character.
 */
function likelyByteOrder(bytes: Buffer, encoding: string): 'le' | 'be' | undefined {
  const zeros = [0, 0];
  for (let index = bytes.indexOf(0); index >= 0; index = bytes.indexOf(0, index + 1))
    zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const max = Math.max(even, odd);
  if (max === 0) return undefined;
  const isUtf16 =
    max * 8 >= bytes.length ||
    (encoding === 'utf-8' && decodes(encoding, bytes, true) === undefined);
  if (!isUtf16) return undefined;
  return even > odd ? 'be' : 'le';
}

async function nulCharacter(source: InputFile, encoding: string): Promise<UsageError> {
  const decoder = new TextDecoder(encoding);
  const match = await findLine(
    source,
    (bytes) => decoder.decode(bytes, { stream: true }),
    (text) => text.includes('\0'),
  );
  const column = (match?.text.indexOf('\0') ?? 0) + 1;
  return invalid(
    `${source.name}, line ${match?.line}, column ${column}: NUL character`,
    "Export the file again, or remove NUL characters: tr -d '\\000' < file.csv > clean.csv",
  );
}

async function undecodable(source: InputFile, encoding: string): Promise<UsageError> {
  const isBad = (text: string) => decodes(encoding, Buffer.from(text, 'latin1')) === undefined;
  const toText = (bytes: Buffer) => bytes.toString('latin1');
  const bad = encoding.startsWith('utf-16') ? undefined : await findLine(source, toText, isBad);
  const where = bad === undefined ? source.name : `${source.name}, line ${bad.line}`;
  const hint =
    bad &&
    likelyReadings(Buffer.from(bad.text, 'latin1'), Buffer.from(bad.below, 'latin1'), encoding);
  return invalid(
    `${where}: not ${encoding === 'utf-8' ? 'UTF-8' : encoding} text`,
    hint || undefined,
  );
}

/* Errors read the file a second time, so that the first reading needs to keep no text. */
async function findLine(
  source: InputFile,
  toText: (bytes: Buffer) => string,
  isFound: (text: string) => boolean,
): Promise<{ line: number; text: string; below: string } | undefined> {
  let held = '';
  let line = 1;
  let breaks: RegExp | undefined;
  for await (const bytes of source.bytes()) {
    held += toText(bytes);
    const end = rowEnd(held);
    const isCr = held[end] === '\r' && held[end + 1] !== '\n';
    breaks ??= isCr ? /\r\n|\n|\r(?!$)/ : /\n/;
    const lines = held.split(breaks);
    held = lines.pop() ?? '';
    const index = lines.findIndex(isFound);
    if (index >= 0) {
      return {
        line: line + index,
        text: lines[index] ?? '',
        below: lines.slice(index + 1).join('\n'),
      };
    }
    line += lines.length;
  }
  return isFound(held) ? { line, text: held, below: '' } : undefined;
}

function invalid(message: string, hint: string | undefined): UsageError {
  return new UsageError(message, hint, 'invalid_input');
}
