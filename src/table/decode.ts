/*
 * Decodes bytes to text: by the byte order mark, else by `--encoding`, else as UTF-8. No character
 * is replaced and no encoding is guessed: invalid bytes and NUL characters are errors that name
 * their line.
 */
import { TextDecoder } from 'node:util';
import { UsageError } from '../runtime/carbon-error.ts';
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

const shownCharacters = 60;
/* Maximum number of bytes that are examined; more of them would not change the guess. */
const weighedBytes = 16 * 1024;
/* Minimum share of common characters of an encoding, and its minimum part of the best share. */
const minimum = { share: 0.3, part: 0.75 };

type Range = readonly [first: number, last: number];

/* Ranges of the first bytes of common characters, and the lowest second byte: kana and frequent
 * kanji, Korean syllables, frequent Chinese characters (GB 2312 and Big5, level 1). */
const pairs: readonly { label: string; leads: readonly Range[]; trailFrom: number }[] = [
  {
    label: 'shift_jis',
    leads: [
      [0x81, 0x83],
      [0x88, 0x97],
    ],
    trailFrom: 0x40,
  },
  { label: 'euc-kr', leads: [[0xb0, 0xc8]], trailFrom: 0xa1 },
  { label: 'gb18030', leads: [[0xb0, 0xd7]], trailFrom: 0xa1 },
  { label: 'big5', leads: [[0xa4, 0xc6]], trailFrom: 0x40 },
];

/*
 * Proposes encodings for a line, the likeliest first, each with the decoded line.
 *
 * @param line the bytes of the line
 * @param below the bytes of the lines below, which improve the guess
 * @param tried the encoding that failed
 * @returns the lines of a hint; an empty text if no encoding is likely
 */
function likelyReadings(line: Buffer, below: Buffer, tried: string): string {
  const weighed = Buffer.concat([line, Buffer.from('\n'), below]).subarray(0, weighedBytes);
  const shares = [
    ...pairs.map(({ label, leads, trailFrom }) => ({
      label,
      share: shareOfPairs(weighed, leads, trailFrom),
    })),
    { label: 'windows-1252', share: shareOfLetters(weighed) },
  ];
  const best = Math.max(...shares.map(({ share }) => share));
  return shares
    .filter(
      ({ label, share }) =>
        label !== tried && share >= Math.max(minimum.share, minimum.part * best),
    )
    .sort((a, b) => b.share - a.share)
    .flatMap(({ label }) => {
      const text = decodes(label, line);
      return text === undefined
        ? []
        : [`--encoding ${label} decodes the line as: ${excerpt(text)}`];
    })
    .slice(0, 3)
    .join('\n');
}

/* Returns the share of common two-byte characters among the characters that are not ASCII. */
function shareOfPairs(bytes: Buffer, leads: readonly Range[], trailFrom: number): number {
  let usual = 0;
  let total = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const lead = bytes[index] ?? 0;
    if (lead < 0x80) continue;
    total += 1;
    index += 1;
    const isUsual =
      leads.some(([first, last]) => lead >= first && lead <= last) &&
      (bytes[index] ?? 0) >= trailFrom;
    if (isUsual) usual += 1;
  }
  return total === 0 ? 0 : usual / total;
}

/* Returns the share of accented letters and typographic marks in Western text, where at most two
 * of them are adjacent. */
function shareOfLetters(bytes: Buffer): number {
  const runs = bytes.toString('latin1').match(/[\x80-\xff]+/g) ?? [];
  const usual =
    /^[\xc0-\xd6\xd8-\xf6\xf8-\xff\x80\x8a\x8c\x8e\x91-\x97\x99\x9a\x9c\x9e\x9f\xa0\xa9\xae\xb0\xb4]{1,2}$/;
  const length = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0);
  return runs.length === 0 ? 0 : length(runs.filter((run) => usual.test(run))) / length(runs);
}

/* Returns the text around the first character that is not ASCII, where the encodings differ. */
function excerpt(text: string): string {
  const index = text.search(/[^\0-\x7f]/);
  return text.slice(Math.max(0, index - shownCharacters / 2), index + shownCharacters / 2).trim();
}

/*
 * Decodes bytes strictly; returns undefined if they are invalid in the encoding.
 *
 * @param isCut whether the bytes may end in the middle of a character
 */
function decodes(encoding: string, bytes: Buffer, isCut = false): string | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    // In one call, Node 20 decodes windows-1252 as Latin-1.
    const text = decoder.decode(bytes, { stream: true });
    return isCut ? text : text + decoder.decode();
  } catch {
    return undefined;
  }
}
