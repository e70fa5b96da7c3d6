/*
 * Offers the encodings in which a file of text has no impossible character. Which of them is right
 * only a reader can see, so each is shown with the first line in which they differ.
 */
import { TextDecoder } from 'node:util';
import { sanitize } from '../../display/terminal/sanitize.ts';
import type { Choice } from '../../runtime/carbon-error.ts';
import { codePageDecoder } from './code-pages.ts';
import type { InputFile } from './input-file.ts';

/* The most common encodings first. */
const encodings: Readonly<Record<string, string>> = {
  'windows-1252': 'Western European',
  'windows-1250': 'Central European',
  'windows-1251': 'Cyrillic',
  shift_jis: 'Japanese',
  gb18030: 'simplified Chinese',
  big5: 'traditional Chinese',
  'euc-kr': 'Korean',
  ibm850: 'MS-DOS',
  ibm437: 'MS-DOS, United States',
  macintosh: 'old Mac',
  'windows-1253': 'Greek',
  'windows-1254': 'Turkish',
};

/* What is in no text: control characters, unassigned and private characters. */
const unused = '[\\u0080-\\u009f\\ufffd\\p{Co}\\p{Cn}]';
/* Signs of another encoding: what stands only between words, or only begins one, within a word. */
const between =
  '[^\\0-\\x7f\\p{L}\\p{M}\\p{Nd}\\s\\u00b7\\u2010-\\u2015\\u2018\\u2019\\u30fb\\u30fc]';
const eastAsian = '[\\p{Script=Han}\\p{Script=Hangul}\\p{Script=Hiragana}\\p{Script=Katakana}]';
const otherAlphabets = '[\\p{Script=Cyrillic}\\p{Script=Greek}\\uff61-\\uff9f]';
const impossible = new RegExp(
  [
    unused,
    `\\p{L}${between}\\p{L}`,
    '\\p{Ll}(?![A-Z])\\p{Lu}(?:\\p{Ll}|(?!\\p{L}))',
    `[A-Za-z]${otherAlphabets}`,
    `${otherAlphabets}[A-Za-z]`,
    `[A-Za-z]${eastAsian}[a-z]`,
  ].join('|'),
  'u',
);

const maxLines = 50_000;
const maxShownLength = 60;

/** Finds the encodings of a file that is no UTF-8. */
export async function encodingChoices(source: InputFile): Promise<Choice[]> {
  const lines = await readForeignLines(source);
  const readings = Object.entries(encodings).flatMap(([label, region]) => {
    const texts = decodeAll(label, lines);
    return texts === undefined ? [] : [{ label, region, texts }];
  });
  const different = readings.filter(
    ({ texts }, index) =>
      readings.findIndex((other) => other.texts.join('\n') === texts.join('\n')) === index,
  );
  const [first] = different;
  const at = first?.texts.findIndex((text, index) =>
    different.some(({ texts }) => texts[index] !== text),
  );
  return different.map(({ label, region, texts }) => ({
    label: `${label} (${region})`,
    hint: aroundLetter(texts[Math.max(at ?? 0, 0)] ?? ''),
    add: ['--encoding', label],
    without: ['--encoding'],
  }));
}

/* Returns the lines with bytes beyond ASCII, which no encoding here reads as a line break. */
async function readForeignLines(source: InputFile): Promise<Buffer[]> {
  const lines = new Map<string, Buffer>();
  let rest = Buffer.alloc(0);
  for await (const bytes of source.bytes()) {
    let text = Buffer.concat([rest, bytes]);
    for (let end = text.indexOf(10); end >= 0; end = text.indexOf(10)) {
      addLine(lines, text.subarray(0, end));
      text = text.subarray(end + 1);
    }
    rest = text;
    if (lines.size >= maxLines) break;
  }
  addLine(lines, rest);
  return [...lines.values()];
}

function addLine(lines: Map<string, Buffer>, line: Buffer): void {
  if (line.some((byte) => byte > 127)) lines.set(line.toString('latin1'), line);
}

/* Returns undefined if a line has an impossible character. */
function decodeAll(label: string, lines: readonly Buffer[]): string[] | undefined {
  const texts: string[] = [];
  try {
    for (const line of lines) {
      const decoder = codePageDecoder(label) ?? new TextDecoder(label, { fatal: true });
      const text = decoder.decode(line);
      if (impossible.test(text)) return undefined;
      texts.push(text.trim());
    }
  } catch {
    return undefined;
  }
  return texts;
}

/* Shows a line from the beginning of the cell with the first letter beyond ASCII. */
function aroundLetter(text: string): string {
  const at = text.search(/[^\0-\x7f]/);
  const start = at < maxShownLength / 2 ? 0 : text.slice(0, at).search(/[^,;\t|]*$/);
  return sanitize(text.slice(start, start + maxShownLength));
}
