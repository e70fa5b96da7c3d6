/*
 * Bytes to text: by the byte order mark, else by the label that the user gave, else UTF-8. Nothing is
 * replaced or guessed: bytes that do not fit are an error that names their line.
 */
import { TextDecoder } from 'node:util';
import { UsageError } from '../errors.ts';
import type { Source } from './source.ts';

/* What files that are not UTF-8 usually are, the most telling first: almost any bytes are windows-1252. */
const likelyEncodings = ['shift_jis', 'gb18030', 'euc-kr', 'big5', 'windows-1252'] as const;
const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]{2,}/u;
const shownCharacters = 60;

/**
 * Decodes a file as a stream; the byte order mark is not part of the text.
 * @param encoding a label of the Encoding Standard such as `windows-1252`; a byte order mark wins over it
 * @throws UsageError for an unknown label and for bytes that are not in the encoding
 */
export async function* decode(
  source: Source,
  encoding: string | undefined,
): AsyncGenerator<string, void, void> {
  let decoder: TextDecoder | undefined;
  const read = async (bytes?: Buffer): Promise<string> => {
    decoder ??= openDecoder(byteOrderMark(bytes) ?? encoding ?? 'utf-8', source, bytes);
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw await undecodable(source, decoder.encoding);
    }
  };
  for await (const bytes of source.bytes()) yield read(bytes);
  yield read();
}

function byteOrderMark(bytes: Buffer = Buffer.alloc(0)): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

function openDecoder(label: string, source: Source, first: Buffer = Buffer.alloc(0)): TextDecoder {
  let decoder: TextDecoder;
  try {
    decoder = new TextDecoder(label, { fatal: true });
  } catch {
    throw new UsageError(
      `--encoding: "${label}" is not a known encoding`,
      'Usual ones are utf-8, utf-16le, windows-1252 (Western European), shift_jis, gb18030, big5, euc-kr.',
    );
  }
  const zeroAt = decoder.encoding.startsWith('utf-16') ? -1 : first.indexOf(0);
  if (zeroAt < 0) return decoder;
  // Western text in UTF-16 has a zero in every other byte: in the first when it is big-endian.
  const order = zeroAt % 2 === 0 ? 'be' : 'le';
  throw invalid(`${source.name} is not text`, `If it is UTF-16: --encoding utf-16${order}`);
}

async function undecodable(source: Source, encoding: string): Promise<UsageError> {
  const bad = encoding.startsWith('utf-16') ? undefined : await firstBadLine(source, encoding);
  const where = bad === undefined ? source.name : `${source.name}, line ${bad.line}`;
  const readings = bad === undefined ? [] : likelyReadings(bad.bytes, encoding);
  const hint = readings.map(([label, text]) => `--encoding ${label} reads it as: ${text}`).join('\n');
  return invalid(`${where}: not ${encoding === 'utf-8' ? 'UTF-8' : encoding} text`, hint || undefined);
}

/* The second reading happens only for this error, so that the first needs to remember nothing. */
async function firstBadLine(
  source: Source,
  encoding: string,
): Promise<{ line: number; bytes: Buffer } | undefined> {
  let held = '';
  let line = 1;
  const isBad = (text: string) => decodes(encoding, Buffer.from(text, 'latin1')) === undefined;
  for await (const chunk of source.bytes()) {
    const lines = (held + chunk.toString('latin1')).split(/\r\n|\n|\r(?!$)/);
    held = lines.pop() ?? '';
    const at = lines.findIndex(isBad);
    if (at >= 0) return { line: line + at, bytes: Buffer.from(lines[at] ?? '', 'latin1') };
    line += lines.length;
  }
  return isBad(held) ? { line, bytes: Buffer.from(held, 'latin1') } : undefined;
}

function likelyReadings(bytes: Buffer, encoding: string): [string, string][] {
  const readings = likelyEncodings
    .filter((label) => label !== encoding)
    .map((label): [string, string] => [label, decodes(label, bytes) ?? ''])
    .filter(([label, text]) => (label === 'windows-1252' ? text !== '' : eastAsian.test(text)));
  // Western text read as an East Asian one shows single odd characters; several in a row are that language.
  return readings.slice(0, 3).map(([label, text]) => [label, excerpt(text)]);
}

/* The part around the first character that is not ASCII: that is where the readings differ. */
function excerpt(text: string): string {
  const at = text.search(/[^\0-\x7f]/);
  return text.slice(Math.max(0, at - shownCharacters / 2), at + shownCharacters / 2).trim();
}

function decodes(encoding: string, bytes: Buffer): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function invalid(message: string, hint: string | undefined): UsageError {
  return new UsageError(message, hint, 'invalid_input');
}
