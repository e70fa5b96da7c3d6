/*
 * Guesses the encoding of a text that is not UTF-8: the one in which most of its characters are
 * common ones.
 */
import { TextDecoder } from 'node:util';

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

/**
 * Proposes encodings for a line, the likeliest first, each with the decoded line.
 *
 * @param line the bytes of the line
 * @param below the bytes of the lines below, which improve the guess
 * @param tried the encoding that failed
 * @returns the lines of a hint; an empty text if no encoding is likely
 */
export function likelyReadings(line: Buffer, below: Buffer, tried: string): string {
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

/**
 * Decodes bytes strictly; returns undefined if they are invalid in the encoding.
 *
 * @param isCut whether the bytes may end in the middle of a character
 */
export function decodes(encoding: string, bytes: Buffer, isCut = false): string | undefined {
  try {
    const decoder = new TextDecoder(encoding, { fatal: true });
    // In one call, Node 20 decodes windows-1252 as Latin-1.
    const text = decoder.decode(bytes, { stream: true });
    return isCut ? text : text + decoder.decode();
  } catch {
    return undefined;
  }
}
