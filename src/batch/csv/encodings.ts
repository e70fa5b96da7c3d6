/*
 * Which encoding a text that is not UTF-8 probably has: the one in which most of its characters are
 * usual ones.
 */
import { TextDecoder } from 'node:util';

const shownCharacters = 60;
/* So much text decides; more of it says the same. */
const weighedBytes = 16 * 1024;
/* Below this share of usual characters, and below this part of the best one, a reading is not
 * worth a line. */
const least = { share: 0.3, part: 0.75 };

type Range = readonly [first: number, last: number];

/* The first bytes of usual characters, and where the second ones begin: kana and frequent kanji,
 * frequent Chinese characters (GB 2312 and Big5, level 1), Korean syllables. */
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
 * Proposes encodings for a line, the likeliest first, each with how the line reads in it.
 *
 * @param line its bytes
 * @param below bytes of the lines below, which help to weigh
 * @param tried the encoding that it is not in
 * @returns lines of a hint; an empty text where no encoding is likely
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
      ({ label, share }) => label !== tried && share >= Math.max(least.share, least.part * best),
    )
    .sort((a, b) => b.share - a.share)
    .flatMap(({ label }) => {
      const text = decodes(label, line);
      return text === undefined ? [] : [`--encoding ${label} reads it as: ${excerpt(text)}`];
    })
    .slice(0, 3)
    .join('\n');
}

/* Of the characters that are not ASCII, how many are two bytes of a usual one. */
function shareOfPairs(bytes: Buffer, leads: readonly Range[], trailFrom: number): number {
  let usual = 0;
  let all = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const lead = bytes[at] ?? 0;
    if (lead < 0x80) continue;
    all += 1;
    at += 1;
    const isUsual =
      leads.some(([first, last]) => lead >= first && lead <= last) && (bytes[at] ?? 0) >= trailFrom;
    if (isUsual) usual += 1;
  }
  return all === 0 ? 0 : usual / all;
}

/* The same for Western text: letters with accents and typographic marks, not more than two side
 * by side. */
function shareOfLetters(bytes: Buffer): number {
  const runs = bytes.toString('latin1').match(/[\x80-\xff]+/g) ?? [];
  const usual =
    /^[\xc0-\xd6\xd8-\xf6\xf8-\xff\x80\x8a\x8c\x8e\x91-\x97\x99\x9a\x9c\x9e\x9f\xa0\xa9\xae\xb0\xb4]{1,2}$/;
  const length = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0);
  return runs.length === 0 ? 0 : length(runs.filter((run) => usual.test(run))) / length(runs);
}

/* The part around the first character that is not ASCII: that is where the readings differ. */
function excerpt(text: string): string {
  const at = text.search(/[^\0-\x7f]/);
  return text.slice(Math.max(0, at - shownCharacters / 2), at + shownCharacters / 2).trim();
}

/**
 * Decodes bytes that must all be in an encoding; undefined where they are not.
 *
 * @param isCut whether they may end in the middle of a character
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
