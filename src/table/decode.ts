/*
 * Decodes bytes to text: by the byte order mark, else by `--encoding`, else as UTF-8. No character
 * is replaced and no encoding is guessed: invalid bytes and NUL characters are errors that name
 * their line.
 */
import { TextDecoder } from 'node:util';
import { invalidInput, UsageError } from '../runtime/carbon-error.ts';
import { isZip, recognizeBinary } from '../workbook/foreign-format.ts';
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
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    throw new UsageError(
      `--encoding: "${label}" is not a known encoding`,
      'Common encodings: utf-8, utf-16le, windows-1252 (Western European), shift_jis, gb18030, big5, euc-kr.',
    );
  }
}

/* A workbook has its own reader, so a zip archive here was compressed once more. */
async function rejectBinary(source: InputFile, first: Buffer): Promise<void> {
  if (isZip(first)) {
    throw invalidInput(
      `${source.name} is a compressed workbook or archive`,
      'Decompress the file with gunzip, then use the result.',
    );
  }
  const readAt = async (position: number, length: number) =>
    position === 0 ? first.subarray(0, length) : source.readAt(position, length);
  const format = await recognizeBinary(readAt);
  if (format === undefined) return;
  throw invalidInput(`${source.name} is ${format.what}, not a CSV file or workbook`, format.hint);
}

async function nulCharacter(source: InputFile, encoding: string): Promise<UsageError> {
  const decoder = new TextDecoder(encoding);
  const match = await findLine(
    source,
    (bytes) => decoder.decode(bytes, { stream: true }),
    (text) => text.includes('\0'),
  );
  const column = (match?.text.indexOf('\0') ?? 0) + 1;
  return invalidInput(
    `${source.name}, line ${match?.line}, column ${column}: NUL character`,
    "If the file is UTF-16, use --encoding utf-16le or utf-16be. Otherwise export it again, or remove NUL characters: tr -d '\\000' < file.csv > clean.csv",
  );
}

async function undecodable(source: InputFile, encoding: string): Promise<UsageError> {
  const isBad = (text: string) => decodes(encoding, Buffer.from(text, 'latin1')) === undefined;
  const toText = (bytes: Buffer) => bytes.toString('latin1');
  const bad = encoding.startsWith('utf-16') ? undefined : await findLine(source, toText, isBad);
  const where = bad === undefined ? source.name : `${source.name}, line ${bad.line}`;
  const name = encoding === 'utf-8' ? 'UTF-8' : encoding;
  return invalidInput(`${where}: not ${name} text`, bad && readings(bad, encoding));
}

interface FoundLine {
  readonly line: number;
  /** Text of the line, and of the lines below it in the same chunk. */
  readonly text: string;
  readonly below: string;
}

/* Errors read the file a second time, so that the first reading needs to keep no text. */
async function findLine(
  source: InputFile,
  toText: (bytes: Buffer) => string,
  isFound: (text: string) => boolean,
): Promise<FoundLine | undefined> {
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

const shownCharacters = 60;
const eastAsian = ['shift_jis', 'gb18030', 'big5', 'euc-kr'];

/* Shows the line in other encodings; whoever knows the list recognizes the right one. */
function readings({ text, below }: FoundLine, tried: string): string {
  // Western text hardly ever has three accented letters in a row.
  const isWestern = !/[\x80-\xff]{3}/.test(`${text}\n${below}`);
  return ['windows-1252', ...(isWestern ? [] : eastAsian)]
    .filter((label) => label !== tried)
    .flatMap((label) => {
      const decoded = decodes(label, Buffer.from(text, 'latin1'));
      return decoded === undefined
        ? []
        : [`--encoding ${label} decodes the line as: ${excerpt(decoded)}`];
    })
    .join('\n');
}

/* Returns the text around the first character that is not ASCII, where the encodings differ. */
function excerpt(text: string): string {
  const index = text.search(/[^\0-\x7f]/);
  return text.slice(Math.max(0, index - shownCharacters / 2), index + shownCharacters / 2).trim();
}

/* Decodes bytes strictly; returns undefined if they are invalid in the encoding. */
function decodes(encoding: string, bytes: Buffer): string | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    // In one call, Node 20 decodes windows-1252 as Latin-1.
    return decoder.decode(bytes, { stream: true }) + decoder.decode();
  } catch {
    return undefined;
  }
}
